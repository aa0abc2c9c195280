/* SPDX-License-Identifier: Apache-2.0
 *
 * Soft grains become rigid ones as they become stiffer [Wolf2006, sect. 4.2]: in packings whose forces are unique (no
 * friction: as many contacts as degrees of freedom) the contact forces of molecular dynamics at rest converge to those of
 * Contact Dynamics, and the difference is of first order in overlap/diameter. The packing is made by Contact Dynamics,
 * without overlaps, and continued by molecular dynamics from the same positions, brought to rest by stopping all grains
 * whenever the kinetic energy has passed a maximum. So both have the same contacts, which is checked. Measured: the mean
 * difference over the mean force is 5.06 overlaps for the column and 251 for the settled discs, whose forces stand on
 * each other over the whole height.
 */
#include "base/random.h"
#include "math/vec3.h"
#include "support.h"

enum { GRAINS_MAX = 200, CONTACTS_MAX = 4096 };
static const double g = 9.81;

struct packing {
    int count;
    talus_vec3 position[GRAINS_MAX], gravity;
    double radius[GRAINS_MAX], width; /* walls at x = 0 and width, floor at y = 0 */
    talus_contact contacts[CONTACTS_MAX];
    size_t contact_count;
    double force_mean, diameter_mean;
};

static talus_sim *build(const struct packing *packing, talus_config *config) {
    config->dim = 2;
    config->gravity = packing->gravity;
    talus_sim *sim = support_sim(config, 0.0);
    support_plane(sim, "left", vec(0, 0, 0), vec(1, 0, 0));
    support_plane(sim, "right", vec(packing->width, 0, 0), vec(-1, 0, 0));
    support_plane(sim, "floor", vec(0, 0, 0), vec(0, 1, 0));
    for (int i = 0; i < packing->count; i++)
        support_grain(sim, packing->radius[i], 0.0, packing->position[i], vec(0, 0, 0));
    return sim;
}

/* ---- rigid ----------------------------------------------------------------------------------------------- */

/* Forces to rounding on what rests now. */
static void converge(talus_sim *sim, struct packing *packing) {
    talus_solver_config solver = talus_solver_plain();
    solver.stop = TALUS_STOP_RESIDUAL;
    solver.tolerance = 1e-13;
    solver.max_sweeps = 100000;
    assert_ok(talus_sim_set_solver(sim, &solver, NULL));
    support_steps(sim, 2);
    talus_observables now = talus_sim_observe(sim);
    packing->contact_count = talus_sim_contacts(sim, packing->contacts, CONTACTS_MAX);
    packing->force_mean = now.force_mean;
    packing->diameter_mean = 0.0;
    talus_body_view bodies = talus_sim_bodies(sim);
    for (int i = 0; i < packing->count; i++) {
        packing->position[i] = bodies.position[bodies.count - (size_t)packing->count + (size_t)i];
        packing->diameter_mean += 2.0 * packing->radius[i] / packing->count;
    }
    assert_true(now.unbalanced_force < 1e-9);
    assert_true(now.overlap_max < 1e-9);
}

/* Discs that lean on both walls in turn: their angle makes all forces, and overlaps change it. */
static void zigzag(struct packing *packing) {
    const double width = 1.5, rise = sqrt(1.0 - 0.25);
    packing->count = 20;
    packing->width = width;
    packing->gravity = vec(0, -g, 0);
    for (int i = 0; i < packing->count; i++) {
        packing->radius[i] = 0.5;
        packing->position[i] = vec(i % 2 == 0 ? 0.5 : width - 0.5, 0.5 + rise * i, 0);
    }
    talus_config config = talus_config_default();
    config.dt = 1e-2; /* gaps of rounding size are closed in one step: forces m gap/dt^2 */
    talus_sim *sim = build(packing, &config);
    converge(sim, packing);
    talus_sim_destroy(sim);
}

/* Polydisperse discs settled under gravity, a little askew so that none is in neutral equilibrium. */
static void settle(struct packing *packing, int count, int across, uint64_t seed) {
    const double spacing = 2.2;
    struct random random = random_start(seed, RANDOM_TEST, 0, 0);
    packing->count = count;
    packing->width = across * spacing;
    packing->gravity = vec(0.11 * g, -g, 0);
    for (int i = 0; i < count; i++) {
        packing->radius[i] = 0.6 + 0.4 * random_uniform(&random);
        packing->position[i] =
            vec((i % across + 0.5) * spacing + 0.15 * (random_uniform(&random) - 0.5),
                (i / across + 0.5) * spacing, 0);
    }
    talus_config config = talus_config_default();
    config.solver = talus_solver_plain();
    config.dt = 0.005;
    config.solver.name = "nnsgs";
    config.solver.momentum_cap = 0.95;
    config.solver.sweeps = 100;
    config.solver.gap = TALUS_GAP_PROJECTED;
    config.solver.islands = false; /* other orders of sweeps, another packing */
    talus_sim *sim = build(packing, &config);
    int rests = 0; /* looks in a row */
    for (int step = 1; step <= 20000 && rests < 10; step++) {
        support_steps(sim, 1);
        if (step % 50 != 0) continue;
        talus_observables now = talus_sim_observe(sim);
        bool rest = now.unbalanced_force < 1e-12 && now.speed_max < 1e-11;
        rests = rest && now.overlap_max < 1e-9 ? rests + 1 : 0;
    }
    converge(sim, packing);
    talus_sim_destroy(sim);
}

/* ---- soft ------------------------------------------------------------------------------------------------ */

static double kinetic(const talus_sim *sim) {
    talus_body_view bodies = talus_sim_bodies(sim);
    double sum = 0.0;
    for (size_t i = 0; i < bodies.count; i++)
        if (bodies.kind[i] == TALUS_BODY_GRAIN)
            sum += 0.5 * bodies.mass[i] * vec3_norm2(bodies.velocity[i]);
    return sum;
}

/* Stop all grains at every maximum of the kinetic energy, until forces balance. */
static void quench(talus_sim *sim, double balance) {
    double before = 0.0;
    for (int step = 1; step <= 2000000; step++) {
        support_steps(sim, 1);
        double now = kinetic(sim);
        if (now < before) assert_ok(talus_group_set_velocity(sim, "grains", vec(0, 0, 0), NULL));
        before = now < before ? 0.0 : now;
        if (step % 1000 == 0 && talus_sim_observe(sim).unbalanced_force < balance) return;
    }
    fail_msg("the soft packing does not come to rest");
}

static double force_between(const talus_contact *contacts, size_t count,
                            const talus_contact *like) {
    for (size_t k = 0; k < count; k++)
        if (contacts[k].a == like->a && contacts[k].b == like->b)
            return vec3_dot(contacts[k].force, contacts[k].normal);
    return 0.0;
}

struct difference {
    double overlap;       /* mean over closed contacts, in mean diameters */
    double mean, largest; /* |F_md - F_cd| over the mean force */
};

/* Every contact of one list is looked up in the other: a contact that only one of them has counts with all its force. */
static struct difference differ(const struct packing *rigid, const talus_sim *soft) {
    static talus_contact contacts[CONTACTS_MAX];
    size_t count = talus_sim_contacts(soft, contacts, CONTACTS_MAX), bearing = 0, changed = 0;
    struct difference out = {.overlap = talus_sim_observe(soft).overlap_mean};
    for (size_t k = 0; k < rigid->contact_count; k++) {
        double f = vec3_dot(rigid->contacts[k].force, rigid->contacts[k].normal);
        double other = force_between(contacts, count, &rigid->contacts[k]);
        if ((f > 1e-6 * rigid->force_mean) != (other > 1e-6 * rigid->force_mean)) changed++;
        if (!(f > 1e-6 * rigid->force_mean)) continue;
        double error = fabs(other - f) / rigid->force_mean;
        out.mean += error;
        out.largest = fmax(out.largest, error);
        bearing++;
    }
    for (size_t k = 0; k < count; k++)
        if (vec3_norm(contacts[k].force) > 1e-6 * rigid->force_mean &&
            !(force_between(rigid->contacts, rigid->contact_count, &contacts[k]) > 0.0))
            changed++;
    assert_int_equal(bearing, 2 * rigid->count); /* isostatic: unique */
    assert_int_equal(changed, 0);
    out.mean /= (double)bearing;
    return out;
}

static struct difference continue_soft(const struct packing *rigid, double overlap) {
    talus_config config = talus_config_default();
    config.method = TALUS_METHOD_MD;
    talus_sim *sim = build(rigid, &config);
    talus_pair_law law = {
        .soft = {.stiffness = rigid->force_mean / (overlap * rigid->diameter_mean),
                 .restitution = 0.3}};
    assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
    /* A twentieth of a collision: where it rests does not depend on dt. */
    assert_ok(talus_sim_set_dt(sim, 5.0 * talus_sim_step_rules(sim).collision, NULL));
    quench(sim, 1e-3 * overlap);
    struct difference difference = differ(rigid, sim);
    talus_sim_destroy(sim);
    return difference;
}

/* ---- the limit ------------------------------------------------------------------------------------------- */

/* First order over two decades of stiffness: tenfold stiffness, a tenth of the difference. `factor`: the
 * mean difference over the overlap at the end, so that a change of either method shows. */
static void first_order(const struct packing *rigid, double overlap, double factor) {
    struct difference before = {.mean = 0.0};
    for (int k = 0; k < 3; k++, overlap *= 0.1) {
        struct difference now = continue_soft(rigid, overlap);
        assert_near(now.overlap / overlap, 1.0, 0.02);
        if (k > 0) {
            double order = log(before.mean / now.mean) / log(before.overlap / now.overlap);
            assert_near(order, 1.0, k == 1 ? 0.1 : 0.03);
        }
        before = now;
    }
    assert_near(before.mean / before.overlap, factor, 0.02 * factor);
}

/* The angle t between line of centres and vertical has sin t = (w - d)/d; the force between discs k and k + 1 is the
 * weight above over cos t. Overlaps xi between discs, x at walls: d -> d - xi, w -> w + 2 x. */
static void column_between_walls(void **state) {
    (void)state;
    static struct packing packing;
    zigzag(&packing);
    const double weight = g * 3.141592653589793 * 0.25, cosine = sqrt(0.75);
    for (size_t k = 0; k < packing.contact_count; k++) {
        const talus_contact *contact = &packing.contacts[k];
        if (contact->b != contact->a + 1 || contact->a < 3) continue; /* three walls come first */
        int above = packing.count - 1 - (contact->a - 3);
        assert_near(vec3_dot(contact->force, contact->normal), above * weight / cosine,
                    1e-9 * packing.count * weight);
    }
    first_order(&packing, 1e-3, 5.055);
}

static void settled_discs(void **state) {
    (void)state;
    if (SANITIZED) skip(); /* the column does all of it, with other numbers */
    static struct packing packing;
    settle(&packing, 120, 10, 14);
    first_order(&packing, 1e-5, 397.3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(column_between_walls),
        cmocka_unit_test(settled_discs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
