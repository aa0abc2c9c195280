/* SPDX-License-Identifier: Apache-2.0
 *
 * The quantity of a simulation that shades the grains. Each is a name, a unit and a rule for the lower end of the
 * range; to add one, add a line to `quantities` and its formula to `body_value`.
 */
#include <stdio.h>
#include <string.h>

#include "io/picture.h"
#include "sim/sim.h"

enum quantity { SPEED, RADIUS, HEIGHT, PRESSURE, COORDINATION, SPIN, GROUP, ID, QUANTITIES };

static const struct {
    const char *name, *unit;
    bool from_zero; /* the range starts at zero, not at the smallest value */
} quantities[QUANTITIES] = {
    [SPEED] = {"speed", "m/s", true},
    [RADIUS] = {"radius", "m", false},
    [HEIGHT] = {"height", "m", false},
    [PRESSURE] = {"pressure", "Pa", true},
    [COORDINATION] = {"coordination", "", true},
    [SPIN] = {"spin", "rad/s", true},
    [GROUP] = {"group", "", true},
    [ID] = {"id", "", false},
};

const char picture_color_names[] = "speed, radius, height, pressure, coordination, spin, group, id";

static int find(const char *name) {
    for (int q = 0; q < QUANTITIES; q++)
        if (strcmp(quantities[q].name, name) == 0) return q;
    return -1;
}

bool picture_color_known(const char *name) {
    return find(name) >= 0;
}

static double height(vec3 position, int dim) {
    return dim == 3 ? position.z : dim == 2 ? position.y : position.x;
}

static double body_value(const talus_body_view *bodies, size_t i, enum quantity quantity, int dim) {
    switch (quantity) {
    case SPEED: return vec3_norm(bodies->velocity[i]);
    case RADIUS: return bodies->radius[i];
    case HEIGHT: return height(bodies->position[i], dim);
    case SPIN: return vec3_norm(bodies->omega[i]);
    case GROUP: return (double)bodies->group[i];
    case ID: return (double)bodies->gid[i];
    default: return 0.0;
    }
}

static void name_groups(struct picture *picture, const talus_sim *sim) {
    struct picture_scale *scale = &picture->scale;
    for (size_t i = 0; i < picture->grain_count; i++) {
        double group = picture->grains[i].value;
        if (!(group < (double)PICTURE_NAMES)) continue;
        int g = (int)group;
        snprintf(scale->names[g], PICTURE_LABEL, "%.63s", talus_sim_group_name(sim, g));
        if (g >= scale->name_count) scale->name_count = g + 1;
    }
}

void picture_sim_color(struct picture *picture, const talus_sim *sim, const char *name) {
    talus_body_view bodies = talus_sim_bodies(sim);
    enum quantity quantity = (enum quantity)find(name);
    struct picture_scale *scale = &picture->scale;
    snprintf(scale->quantity, PICTURE_LABEL, "%s",
             quantity == HEIGHT && picture->dim == 1 ? "position" : quantities[quantity].name);
    snprintf(scale->unit, PICTURE_LABEL, "%s", quantities[quantity].unit);
    scale->from_zero = quantities[quantity].from_zero;
    if (quantity == PRESSURE) {
        picture_pressure(picture);
    } else if (quantity == COORDINATION) {
        picture_coordination(picture);
    } else {
        size_t k = 0;
        for (size_t i = 0; i < bodies.count; i++)
            if (bodies.kind[i] == TALUS_BODY_GRAIN)
                picture->grains[k++].value = body_value(&bodies, i, quantity, picture->dim);
    }
    if (quantity == GROUP) name_groups(picture, sim);
}
