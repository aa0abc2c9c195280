/* SPDX-License-Identifier: Apache-2.0
 *
 * Measures of simulations whose stress is known: a column of spheres on a floor, whose contact k bears the weight above it,
 *     f_k = (N - k) m g,   so a slab about grain k has   sigma_zz = (N - k - 1/2) m g/A   exactly;
 * and a chamber of discs under a piston, whose mean stress follows from the forces on the walls alone. Contacts solved to
 * 1e-13 leave 1e-10 of it. Stresses of grains add up to that of the whole to rounding, also where everything moves, with
 * the branches for which the solver found its forces.
 */
#include "sim/sim.h"
#include "support.h"
#include "talus/measure.h"

static const double g = 9.81, pi = 3.141592653589793;

static talus_table measured(const talus_sim *sim, const char *name, const char *const *parameters,
                            size_t count) {
    talus_table table;
    talus_error err;
    if (talus_measure_sim(sim, name, parameters, count, &table, &err) < 0) fail_msg("%s", err.text);
    return table;
}

static double at(const talus_table *table, size_t row, const char *name) {
    size_t column = talus_table_find(table, name);
    if (column >= table->column_count) fail_msg("there is no column %s", name);
    return talus_table_at(table, row, column);
}

enum { HEIGHT = 8 };

/* Spheres of radius 0.5 and mass 2 on top of each other. */
static talus_sim *column(void) {
    talus_config config = support_config(3, 1e-3);
    config.gravity = vec(0, 0, -g);
    config.solver.max_sweeps = 200000;
    talus_sim *sim = support_sim(&config, 0.5);
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 0, 1));
    for (int k = 0; k < HEIGHT; k++) support_grain(sim, 0.5, 2.0, vec(0, 0, k + 0.5), vec(0, 0, 0));
    support_steps(sim, 3);
    return sim;
}

static void stress_of_a_column(void **state) {
    (void)state;
    talus_sim *sim = column();
    const double weight = 2.0 * g;
    const char *parameters[] = {"axis=z", "bins=8"};
    talus_table profile = measured(sim, "profile", parameters, 2);
    for (size_t k = 0; k < HEIGHT; k++) { /* the cross-section of the box around is 1 */
        assert_near(at(&profile, k, "sigma_zz"), (HEIGHT - (double)k - 0.5) * weight,
                    1e-8 * weight);
        assert_near(at(&profile, k, "packing_fraction"), pi / 6, 1e-9);
        assert_near(at(&profile, k, "coordination"), k + 1 < HEIGHT ? 2 : 1, 0);
    }
    talus_table_free(&profile);
    /* V sigma_zz = sum of l f: the floor with half a diameter, the others with a whole one. */
    double sum = 0.5 * HEIGHT + 0.5 * HEIGHT * (HEIGHT - 1);
    talus_table stress = measured(sim, "stress", NULL, 0);
    assert_near(at(&stress, 0, "sigma_zz"), sum * weight / HEIGHT, 1e-8 * weight);
    assert_near(at(&stress, 0, "sigma_xx"), 0.0, 1e-8 * weight);
    talus_table_free(&stress);
    /* What the floor bears, spread about it. */
    const char *grid[] = {"width=0.5", "spacing=0.5"};
    talus_table fields = measured(sim, "fields", grid, 2);
    double force = 0.0, volume = 0.0;
    assert_int_equal(sscanf(strstr(fields.notes, "cell volume "), "cell volume %lf", &volume), 1);
    for (size_t r = 0; r < fields.row_count; r++) force += volume * at(&fields, r, "wall_z");
    assert_near(force, -HEIGHT * weight, 1e-8 * weight);
    assert_near(talus_sim_boundary(sim, 0).force.z, force, 1e-8 * weight);
    talus_table_free(&fields);
    talus_sim_destroy(sim);
}

/* Rough discs in a box of four smooth walls, one of them a piston without weight that presses with 12 N. With a
 * speed they are stirred. */
static talus_sim *chamber(double speed) {
    talus_config config = support_config(2, 5e-3);
    config.solver.max_sweeps = 100000;
    config.solver.tolerance = 1e-8;
    talus_sim *sim = support_sim(&config, 0.5);
    talus_boundary_def wall = talus_boundary_def_default();
    static const struct {
        const char *name;
        talus_vec3 point, normal;
    } walls[] = {{"left", {0, 0, 0}, {1, 0, 0}},
                 {"right", {4.1, 0, 0}, {-1, 0, 0}},
                 {"floor", {0, 0, 0}, {0, 1, 0}},
                 {"piston", {0, 4.2, 0}, {0, -1, 0}}};
    assert_ok(talus_material_add(sim, "smooth", 0.0, &wall.material, NULL));
    for (int k = 0; k < 4; k++) {
        wall.name = walls[k].name;
        wall.point = walls[k].point;
        wall.normal = walls[k].normal;
        if (k == 3)
            wall.free = (talus_free_motion){.mass = 1.0,
                                            .direction = vec(0, -1, 0),
                                            .force = {.kind = TALUS_SIGNAL_CONSTANT, .mean = 12.0},
                                            .weightless = true};
        assert_ok(talus_boundary_add(sim, &wall, NULL));
    }
    for (int i = 0; i < 16; i++)
        support_grain(sim, 0.45 + 0.01 * (i % 5), 1.0,
                      vec(0.55 + i % 4 + 0.03 * (i % 3), 0.55 + i / 4, 0),
                      vec(speed * (i % 3 - 1), speed * (i % 5 - 2), 0));
    return sim;
}

static talus_sim *chamber_at_rest(void) {
    talus_sim *sim = chamber(0.0);
    for (int k = 0; k < 100 && (k == 0 || talus_sim_observe(sim).unbalanced_force > 1e-6); k++)
        support_steps(sim, 100);
    assert_true(talus_sim_observe(sim).unbalanced_force <= 1e-6); /* rattlers may fly */
    return sim;
}

/* V sigma = sum over walls of x_c (x) f, whatever happens inside. */
static void stress_from_the_walls(const talus_sim *sim) {
    talus_table stress = measured(sim, "stress", NULL, 0);
    talus_boundary_view left = talus_sim_boundary(sim, 0), right = talus_sim_boundary(sim, 1),
                        floor_ = talus_sim_boundary(sim, 2), top = talus_sim_boundary(sim, 3);
    double volume = at(&stress, 0, "volume");
    assert_near(top.force.y, 12.0, 1e-5); /* as the discs */
    /* Frictionless walls bear along their normals: x_c is where they stand. */
    double xx = right.point.x * right.force.x + left.point.x * left.force.x;
    double yy = top.point.y * top.force.y + floor_.point.y * floor_.force.y;
    assert_near(volume * at(&stress, 0, "sigma_xx"), xx, 1e-5 * yy);
    assert_near(volume * at(&stress, 0, "sigma_yy"), yy, 1e-5 * yy);
    assert_true(yy > 12.0);
    talus_table_free(&stress);
}

/* Largest component of div sigma + t, by central differences along the first index, over the largest t. */
static double imbalance(const talus_sim *sim, const char *spacing) {
    const char *parameters[] = {"width=0.5", spacing};
    talus_table fields = measured(sim, "fields", parameters, 2);
    int nx = 0, ny = 0;
    assert_int_equal(sscanf(strstr(fields.notes, "grid: "), "grid: %d x %d", &nx, &ny), 2);
    size_t up = (size_t)ny;
    double dx = at(&fields, up, "x") - at(&fields, 0, "x"), worst = 0.0, scale = 0.0;
    double dy = at(&fields, 1, "y") - at(&fields, 0, "y");
    for (int i = 1; i + 1 < nx; i++)
        for (int j = 1; j + 1 < ny; j++) {
            size_t r = (size_t)(i * ny + j);
            double x =
                (at(&fields, r + up, "sigma_xx") - at(&fields, r - up, "sigma_xx")) / (2 * dx) +
                (at(&fields, r + 1, "sigma_yx") - at(&fields, r - 1, "sigma_yx")) / (2 * dy);
            double y =
                (at(&fields, r + up, "sigma_xy") - at(&fields, r - up, "sigma_xy")) / (2 * dx) +
                (at(&fields, r + 1, "sigma_yy") - at(&fields, r - 1, "sigma_yy")) / (2 * dy);
            worst = fmax(worst, fmax(fabs(x + at(&fields, r, "wall_x")),
                                     fabs(y + at(&fields, r, "wall_y"))));
            scale = fmax(scale, fabs(at(&fields, r, "wall_y")));
        }
    talus_table_free(&fields);
    return worst / scale;
}

/* Fields balance everywhere, of second order in the spacing, the walls included. */
static void fields_balance(const talus_sim *sim) {
    double coarse = imbalance(sim, "spacing=0.16"), fine = imbalance(sim, "spacing=0.08");
    double order = log2(coarse / fine);
    assert_true(coarse < 0.1);
    assert_true(order > 1.8 && order < 2.2);
}

static void stress_of_a_chamber(void **state) {
    (void)state;
    talus_sim *sim = chamber_at_rest();
    stress_from_the_walls(sim);
    fields_balance(sim);
    talus_sim_destroy(sim);
}

static const char *const sigma[2][2] = {{"sigma_xx", "sigma_xy"}, {"sigma_yx", "sigma_yy"}};

/* Two discs meet askew and fast: in this step they come nearer by a fifth of a radius. Each has (r + gap/2) n f/V_g. */
static void both_grains_of_a_contact(void **state) {
    (void)state;
    talus_config config = support_config(2, 0.1);
    talus_sim *sim = support_sim(&config, 0.4);
    const double gap = 0.2;
    talus_contact contact;
    support_grain(sim, 1.0, 1.0, vec(0, 0, 0), vec(5, 3, 0));
    support_grain(sim, 1.0, 1.0, vec(2.0 + gap, 0, 0), vec(1, 0, 0));
    support_steps(sim, 1);
    assert_int_equal(talus_sim_contacts(sim, &contact, 1), 1);
    assert_near(contact.gap, gap, 1e-12);
    assert_true(fabs(contact.force.x) > 1.0 && fabs(contact.force.y) > 0.1);
    const char *of = "of=grains";
    talus_table grains = measured(sim, "stress", &of, 1);
    double arm = (1.0 + 0.5 * gap) * contact.normal.x;
    for (size_t r = 0; r < 2; r++) {
        assert_near(at(&grains, r, "sigma_xx"), arm * contact.force.x / pi, 1e-12);
        assert_near(at(&grains, r, "sigma_xy"), arm * contact.force.y / pi, 1e-12);
        assert_near(at(&grains, r, "sigma_yx"), 0.0, 1e-12);
        assert_near(at(&grains, r, "sigma_yy"), 0.0, 1e-12);
    }
    talus_table_free(&grains);
    talus_sim_destroy(sim);
}

/* V sigma with the arms of the problem that was solved. */
static void sum_solved(const talus_sim *sim, double sum[2][2]) {
    for (size_t k = 0; k < sim->detect.contact_count; k++) {
        const struct contact *contact = &sim->detect.contacts[k];
        vec3 f = vec3_scale(1.0 / sim->dt, sim->problem.contacts[k].impulse), l = contact->arm;
        if (contact->wall < 0) l = vec3_scale(contact->arm_a + contact->arm_b, contact->normal);
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) sum[i][j] += vec3_component(l, i) * vec3_component(f, j);
    }
}

static void grains_are_the_whole(void **state) {
    (void)state;
    const char *of = "of=grains";
    talus_sim *sim = chamber(2.0);
    for (int look = 0; look < 3; look++) {
        double sum[2][2] = {{0}}, solved[2][2] = {{0}};
        support_steps(sim, 6);
        talus_observables now = talus_sim_observe(sim);
        assert_true(now.contacts > 5);
        assert_true(now.speed_max * sim->dt > 1e-3); /* of a radius of 0.5 in a step */
        talus_table grains = measured(sim, "stress", &of, 1),
                    whole = measured(sim, "stress", NULL, 0);
        sum_solved(sim, solved);
        double volume = at(&whole, 0, "volume"), scale = fabs(volume * at(&whole, 0, "pressure"));
        assert_true(scale > 1.0);
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++) {
                for (size_t r = 0; r < grains.row_count; r++)
                    sum[i][j] += at(&grains, r, "volume") * at(&grains, r, sigma[i][j]);
                assert_near(sum[i][j], volume * at(&whole, 0, sigma[i][j]), 1e-12 * scale);
                assert_near(solved[i][j], sum[i][j], 1e-12 * scale);
            }
        talus_table_free(&grains);
        talus_table_free(&whole);
    }
    talus_sim_destroy(sim);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stress_of_a_column),
        cmocka_unit_test(stress_of_a_chamber),
        cmocka_unit_test(both_grains_of_a_contact),
        cmocka_unit_test(grains_are_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
