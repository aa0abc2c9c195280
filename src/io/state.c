/* SPDX-License-Identifier: Apache-2.0 */
#include "io/state.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/file.h"
#include "io/number.h"
#include "sim/sim.h"
#include "talus/catalog.h"

static void put_number(FILE *to, double value) {
    char text[NUMBER_TEXT];
    fputc(' ', to);
    fputs(number_text(value, text), to);
}

static void put_vector(FILE *to, talus_vec3 value) {
    put_number(to, value.x);
    put_number(to, value.y);
    put_number(to, value.z);
}

static void put_head(FILE *to, const talus_sim *sim, const char *what) {
    char text[NUMBER_TEXT];
    fprintf(to, "# talus %s, %s\n", talus_version(), what);
    fprintf(to, "# time %s s, step %" PRId64 "\n", number_text(talus_sim_time(sim), text),
            talus_sim_step_count(sim));
}

/* Of axes that are open, zeros. */
static void put_cell(FILE *to, const talus_sim *sim) {
    const struct cell *cell = &sim->world.cell;
    talus_vec3 origin = {0.0, 0.0, 0.0}, size = origin;
    for (int axis = 0; axis < 3; axis++) {
        if (!cell->periodic[axis]) continue;
        vec3_set_component(&origin, axis, vec3_component(cell->origin, axis));
        vec3_set_component(&size, axis, vec3_component(cell->size, axis));
    }
    fprintf(to, "# cell periodic %d %d %d origin", cell->periodic[0], cell->periodic[1],
            cell->periodic[2]);
    put_vector(to, origin);
    fputs(" size", to);
    put_vector(to, size);
    fputc('\n', to);
}

/* One comment line for each boundary, with the gid that final_contacts.txt calls it by. */
static void put_boundaries(FILE *to, const talus_sim *sim) {
    talus_body_view view = talus_sim_bodies(sim);
    size_t boundary = 0;
    fputs("# boundary gid name: point, normal, velocity, force by the grains\n", to);
    for (size_t i = 0; i < view.count; i++) {
        if (view.kind[i] != TALUS_BODY_BOUNDARY) continue;
        talus_boundary_view wall = talus_sim_boundary(sim, boundary++);
        fprintf(to, "# boundary %" PRId64 " %s%s:", view.gid[i], wall.name,
                wall.present ? "" : " (removed)");
        put_vector(to, wall.point);
        put_vector(to, wall.normal);
        put_vector(to, wall.velocity);
        put_vector(to, wall.force);
        fputc('\n', to);
    }
}

talus_status state_write_grains(const talus_sim *sim, const char *directory, talus_error *err) {
    struct file file;
    TALUS_TRY(file_open(&file, directory, "final.txt", FILE_WHOLE, err));
    FILE *to = file.stream;
    talus_body_view view = talus_sim_bodies(sim);
    put_head(to, sim, "final state, SI units");
    put_cell(to, sim);
    put_boundaries(to, sim);
    fputs("# gid x y z r vx vy vz wx wy wz q0 q1 q2 q3 group\n", to);
    for (size_t i = 0; i < view.count; i++) {
        if (view.kind[i] != TALUS_BODY_GRAIN) continue;
        fprintf(to, "%" PRId64, view.gid[i]);
        put_vector(to, view.position[i]);
        put_number(to, view.radius[i]);
        put_vector(to, view.velocity[i]);
        put_vector(to, view.omega[i]);
        put_number(to, view.orientation[i].w);
        put_number(to, view.orientation[i].x);
        put_number(to, view.orientation[i].y);
        put_number(to, view.orientation[i].z);
        fprintf(to, " %s\n", talus_sim_group_name(sim, view.group[i]));
    }
    return file_close(&file, err);
}

static void put_contact(FILE *to, const talus_contact *contact, const talus_gid *gid) {
    fprintf(to, "%" PRId64 " %" PRId64, gid[contact->a], gid[contact->b]);
    put_vector(to, contact->normal);
    put_vector(to, contact->point);
    put_vector(to, contact->force);
    put_vector(to, contact->torque);
    put_number(to, contact->gap);
    put_number(to, contact->mu);
    put_number(to, contact->tension);
    fprintf(to, " %d %d\n", contact->sliding ? 1 : 0, contact->bonded ? 1 : 0);
}

talus_status state_write_contacts(const talus_sim *sim, const char *directory, talus_error *err) {
    struct memory memory = {0};
    struct file file;
    char lag[NUMBER_TEXT];
    size_t count = talus_sim_contacts(sim, NULL, 0);
    talus_contact *contacts = memory_resize(&memory, NULL, 0, count, sizeof *contacts);
    if (contacts == NULL) return error_memory(err);
    talus_sim_contacts(sim, contacts, count);
    talus_status status = file_open(&file, directory, "final_contacts.txt", FILE_WHOLE, err);
    if (status >= 0) {
        put_head(file.stream, sim,
                 "contacts of the last step, SI units; the normal points from a to "
                 "b, force and torque act on b; gap < 0 is overlap");
        /* Measures need the centres of the same moment. */
        fprintf(file.stream,
                "# contact_lag %s s: so much older than the positions are points and gaps\n",
                number_text(sim_contact_lag(sim), lag));
        fputs("# gid_a gid_b nx ny nz px py pz fx fy fz tx ty tz gap mu tension sliding bonded\n",
              file.stream);
        const talus_gid *gid = talus_sim_bodies(sim).gid;
        for (size_t c = 0; c < count; c++) put_contact(file.stream, &contacts[c], gid);
        status = file_close(&file, err);
    }
    memory_free(&memory, contacts, count, sizeof *contacts);
    return status;
}
