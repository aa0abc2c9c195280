/* SPDX-License-Identifier: Apache-2.0 */
#include "papers/shear-cell/cell.h"

#include <math.h>
#include <string.h>

const double cell_stiffness = 400.0;                     /* [Pena2009, sect. 3] */
static const double restitution = 0.9875, reduced = 0.5; /* e_n; kg */
static const double disorder = 0.3;   /* of the lattice points, along each axis */
static const double plate_mass = 1e9; /* so nothing the grains do moves a plate */
static const double pi = 3.14159265358979323846;

/* [Pena2009, eq. 8] with F = - nu v: the printed - m_r nu v would not give this e. */
double cell_damping(void) {
    double ratio = -log(restitution) / pi; /* eta/omega */
    return 2.0 * sqrt(cell_stiffness * reduced / (1.0 + 1.0 / (ratio * ratio)));
}

double cell_collision_time(void) {
    double eta = cell_damping() / (2.0 * reduced);
    return pi / sqrt(cell_stiffness / reduced - eta * eta);
}

/* ---- tessellation ------------------------------------------------------------------------------ */

enum { CORNERS = 32, REACH = 3, MOST_COLUMNS = 32, MOST_ROWS = 36 };

/* Points of row -2 to rows + 1; rows -1 and `rows` are the plates, the outermost only give these an outline. */
struct lattice {
    int columns, rows;
    talus_vec3 points[MOST_ROWS][MOST_COLUMNS];
};

static void displace(struct lattice *lattice, uint64_t seed, double by) {
    for (int row = 0; row < lattice->rows + 4; row++)
        for (int column = 0; column < lattice->columns; column++) {
            double x = 2.0 * paper_random(&seed) - 1.0, y = 2.0 * paper_random(&seed) - 1.0;
            lattice->points[row][column] =
                (talus_vec3){column + 0.5 + by * x, row - 1.5 + by * y, 0};
        }
}

static talus_vec3 point_at(const struct lattice *lattice, int row, int column) {
    int turns = column < 0 ? -1 : column >= lattice->columns ? 1 : 0;
    talus_vec3 point = lattice->points[row + 2][column - turns * lattice->columns];
    point.x += turns * lattice->columns;
    return point;
}

struct outline {
    talus_vec3 corners[CORNERS];
    int count;
};

/* Keep what is nearer to `self` than to `other`. */
static void halve(struct outline *outline, talus_vec3 self, talus_vec3 other) {
    struct outline kept = {.count = 0};
    double nx = other.x - self.x, ny = other.y - self.y;
    double mx = 0.5 * (other.x + self.x), my = 0.5 * (other.y + self.y);
    for (int k = 0; k < outline->count; k++) {
        talus_vec3 p = outline->corners[k], q = outline->corners[(k + 1) % outline->count];
        double d = nx * (p.x - mx) + ny * (p.y - my), e = nx * (q.x - mx) + ny * (q.y - my);
        if (d <= 0.0 && kept.count < CORNERS) kept.corners[kept.count++] = p;
        if ((d <= 0.0) != (e <= 0.0) && kept.count < CORNERS)
            kept.corners[kept.count++] =
                (talus_vec3){p.x + d / (d - e) * (q.x - p.x), p.y + d / (d - e) * (q.y - p.y), 0};
    }
    *outline = kept;
}

static struct outline outline_of(const struct lattice *lattice, int row, int column) {
    talus_vec3 self = point_at(lattice, row, column);
    const double far = REACH;
    struct outline outline = {{{self.x - far, self.y - far, 0},
                               {self.x + far, self.y - far, 0},
                               {self.x + far, self.y + far, 0},
                               {self.x - far, self.y + far, 0}},
                              4};
    for (int r = row - REACH; r <= row + REACH; r++)
        for (int c = column - REACH; c <= column + REACH; c++) {
            bool exists = r >= -2 && r < lattice->rows + 2 && (r != row || c != column);
            if (exists) halve(&outline, self, point_at(lattice, r, c));
        }
    return outline;
}

/* ---- grains ------------------------------------------------------------------------------------ */

static talus_status add_grain(talus_sim *sim, const struct lattice *lattice, int row, int column,
                              double speed, talus_error *err) {
    char name[32];
    struct outline outline = outline_of(lattice, row, column);
    talus_shape_part part = {.points = outline.corners, .count = (size_t)outline.count};
    talus_shape_view shape;
    snprintf(name, sizeof name, "cell %d %d", row, column);
    talus_status status = talus_shape_add(sim, name, &part, 1, err);
    if (status < 0 || !talus_shape_find(sim, name, &shape)) return status;
    talus_body_def def = talus_body_def_default(sim);
    bool below = row < 0, above = row >= lattice->rows;
    def.shape = name;
    def.position = shape.centre;
    def.group = below ? "lower plate" : above ? "upper plate" : "grains";
    if (below || above) {
        def.mass = plate_mass;
        def.locks = TALUS_LOCK_Y | TALUS_LOCK_ROTATION;
        def.velocity.x = above ? speed : -speed;
    }
    return talus_bodies_add(sim, &def, 1, NULL, err);
}

static talus_status make_world(const struct cell_choice *choice, talus_sim **out,
                               talus_error *err) {
    talus_config config = talus_config_default();
    talus_pair_law law = {.mu_static = choice->mu,
                          .mu_sliding = choice->mu,
                          .soft = {.stiffness = cell_stiffness,
                                   .damping = cell_damping(),
                                   .tangential_stiffness = cell_stiffness / 3.0,
                                   .tangential_damping = cell_damping() / 3.0,
                                   .slip = choice->slip}};
    config.dim = 2;
    config.method = TALUS_METHOD_MD;
    config.integrator = "gear5";
    config.dt = choice->dt;
    config.cell.periodic[0] = true;
    config.cell.size.x = choice->columns;
    talus_status status = talus_sim_create(&config, out, err);
    if (status >= 0) status = talus_material_add(*out, "rock", 1.0, &(talus_material){0}, err);
    if (status >= 0) status = talus_pair_set(*out, 0, 0, &law, err);
    return status;
}

talus_status cell_make(const struct cell_choice *choice, talus_sim **out, talus_error *err) {
    struct lattice lattice = {.columns = choice->columns, .rows = choice->rows};
    double speed = 0.5 * choice->rate * choice->rows;
    talus_status status = make_world(choice, out, err);
    displace(&lattice, choice->seed, disorder * (1.0 + choice->nudge));
    for (int row = -1; row <= choice->rows; row++)
        for (int column = 0; column < choice->columns && status >= 0; column++)
            status = add_grain(*out, &lattice, row, column, speed, err);
    return status;
}

double cell_kinetic(const talus_sim *sim) {
    talus_body_view view = talus_sim_bodies(sim);
    double sum = 0.0;
    for (size_t i = 0; i < view.count; i++) {
        if (strcmp(talus_sim_group_name(sim, view.group[i]), "grains") != 0) continue;
        talus_vec3 v = view.velocity[i];
        talus_shape_view shape = talus_sim_shape(sim, (size_t)view.form[i] - 1);
        double spin = view.omega[i].z;
        sum += 0.5 * view.mass[i] * (v.x * v.x + v.y * v.y + shape.inertia[2][2] * spin * spin);
    }
    return sum;
}

talus_vec3 cell_stress(const talus_sim *sim, talus_contact *scratch, size_t room) {
    talus_body_view view = talus_sim_bodies(sim);
    talus_vec3 sum = {0, 0, 0};
    size_t count = talus_sim_contacts(sim, scratch, room);
    for (size_t k = 0; k < count && k < room; k++) {
        bool upper[2];
        const talus_index bodies[2] = {scratch[k].a, scratch[k].b};
        for (int side = 0; side < 2; side++)
            upper[side] =
                strcmp(talus_sim_group_name(sim, view.group[bodies[side]]), "upper plate") == 0;
        if (upper[0] == upper[1]) continue;
        double sign = upper[1] ? 1.0 : -1.0;
        sum.x += sign * scratch[k].force.x;
        sum.y += sign * scratch[k].force.y;
    }
    return sum;
}
