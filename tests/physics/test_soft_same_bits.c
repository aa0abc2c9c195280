/* SPDX-License-Identifier: Apache-2.0
 *
 * Soft grains: the same bits with any number of threads, and whether or not somebody looks while they move. Piles of 500
 * grains settle with friction in a plane and in space, between walls that stand, turn or answer forces, and in
 * periodic cells; what is compared is the fingerprint of the state and every number of the energy ledger.
 */
#include <stdlib.h>

#include "support.h"

enum { GRAINS = 500 };

/* Threads cost more than they bring with so few grains. */
static int steps_to_go(void) {
    return getenv("TALUS_LONG_TESTS") != NULL ? 5000 : 800;
}

struct pile {
    const char *name;
    int dim;
    bool drum, piston, periodic, polygons, rolls, pushed;
    const char *integrator; /* NULL: the leapfrog */
    double exponent;        /* of the normal force; 0: linear */
    talus_slip slip;
};

static const struct pile piles[] = {
    {.name = "plane", .dim = 2},
    {.name = "space", .dim = 3},
    {.name = "Hertz", .dim = 3, .exponent = 1.5},
    {.name = "rolling friction", .dim = 3, .rolls = true},
    {.name = "drum, plane", .dim = 2, .drum = true},
    {.name = "drum, space", .dim = 3, .drum = true},
    {.name = "drum with rolling friction", .dim = 2, .drum = true, .rolls = true},
    {.name = "piston, plane", .dim = 2, .piston = true},
    {.name = "piston, space", .dim = 3, .piston = true},
    {.name = "periodic, plane", .dim = 2, .periodic = true},
    {.name = "periodic, space", .dim = 3, .periodic = true},
    {.name = "periodic with piston", .dim = 3, .periodic = true, .piston = true},
    {.name = "pushed", .dim = 3, .periodic = true, .pushed = true},
    {.name = "Gear", .dim = 2, .integrator = "gear5"},
    {.name = "Gear, periodic", .dim = 3, .integrator = "gear3", .periodic = true},
    {.name = "velocity rule", .dim = 2, .slip = TALUS_SLIP_VELOCITY},
    {.name = "polygons", .dim = 2, .polygons = true},
    {.name = "polygons, periodic", .dim = 2, .polygons = true, .periodic = true, .piston = true},
};
enum { PILES = sizeof piles / sizeof piles[0] };

static double noise(int k) { /* 0..1, the same everywhere */
    uint32_t x = 2654435761u * (uint32_t)(k + 1);
    x ^= x >> 15;
    x *= 2246822519u;
    return (double)(x ^ (x >> 13)) / 4294967296.0;
}

static const double spacing = 1.01; /* m; grains are just apart */

static double width_of(const struct pile *pile) { /* of a box or cell; of a drum its length */
    return spacing * (pile->dim == 2 ? 25 : 8);
}

static double drum_radius(const struct pile *pile) { /* half full */
    return pile->dim == 2 ? 18.5 : 6.8;
}

/* `up` is the last direction of the world. */
static talus_vec3 place(const struct pile *pile, double x, double y, double up) {
    return pile->dim == 2 ? vec(x, up, 0) : vec(x, y, up);
}

static void add_law(talus_sim *sim, const struct pile *pile) {
    talus_pair_law law = {.mu_static = 0.5,
                          .mu_sliding = 0.4,
                          .soft = {.stiffness = 1e4,
                                   .exponent = pile->exponent,
                                   .damping = 5.0,
                                   .tangential_stiffness = 3e3,
                                   .tangential_damping = 1.0,
                                   .slip = pile->slip}};
    if (pile->rolls) law.rolling = law.torsion = (talus_torque_law){.coefficient = 0.1};
    assert_ok(talus_pair_set(sim, 0, 0, &law, NULL));
}

/* About the origin, turning as a rolling wall does. */
static void add_drum(talus_sim *sim, const struct pile *pile) {
    talus_boundary_def drum = talus_boundary_def_default();
    drum.name = "drum";
    drum.shape = TALUS_CYLINDER_INSIDE;
    drum.normal = pile->dim == 2 ? vec(0, 0, 1) : vec(0, 1, 0);
    drum.radius = drum_radius(pile);
    drum.motion = (talus_motion){.axis = drum.normal, .rate = 2.0};
    assert_ok(talus_boundary_add(sim, &drum, NULL));
    if (pile->dim == 2) return;
    support_plane(sim, "front", vec(0, 0, 0), vec(0, 1, 0));
    support_plane(sim, "back", vec(0, width_of(pile), 0), vec(0, -1, 0));
}

static void add_walls(talus_sim *sim, const struct pile *pile) {
    double width = width_of(pile);
    support_plane(sim, "floor", vec(0, 0, 0), place(pile, 0, 0, 1));
    if (!pile->periodic) {
        support_plane(sim, "left", vec(0, 0, 0), vec(1, 0, 0));
        support_plane(sim, "right", vec(width, 0, 0), vec(-1, 0, 0));
    }
    if (pile->dim == 3 && !pile->periodic) {
        support_plane(sim, "front", vec(0, 0, 0), vec(0, 1, 0));
        support_plane(sim, "back", vec(0, width, 0), vec(0, -1, 0));
    }
    if (!pile->piston) return;
    talus_boundary_def piston = talus_boundary_def_default();
    piston.name = "piston";
    piston.point = place(pile, 0, 0, pile->dim == 2 ? 20.8 : 8.7);
    piston.normal = place(pile, 0, 0, -1);
    piston.free =
        (talus_free_motion){.mass = 20.0, .direction = piston.normal, .force = {.mean = 500.0}};
    assert_ok(talus_boundary_add(sim, &piston, NULL));
}

/* The next free place of a lattice, from below; `*at` counts them. */
static talus_vec3 next_place(const struct pile *pile, int *at) {
    double radius = pile->drum ? drum_radius(pile) : 0.0, width = width_of(pile);
    int wide = (int)((pile->drum ? 2.0 * radius : width) / spacing),
        deep = pile->dim == 2 ? 1 : (int)(width / spacing);
    for (;; ++*at) {
        double x = spacing * (0.5 + *at % wide) - radius, y = spacing * (0.5 + *at / wide % deep);
        double up = spacing * (0.5 + *at / (wide * deep)) - radius;
        if (pile->drum && hypot(x, up) > radius - 0.55) continue;
        ++*at;
        return place(pile, x, y, up);
    }
}

static void add_grains(talus_sim *sim, const struct pile *pile) {
    static const talus_vec3 corners[5] = {
        {-0.4, -0.3, 0}, {0.3, -0.45, 0}, {0.5, 0.1, 0}, {0.1, 0.45, 0}, {-0.45, 0.2, 0}};
    talus_shape_part part = {.points = corners, .count = 5};
    int at = 0;
    if (pile->polygons) assert_ok(talus_shape_add(sim, "grain", &part, 1, NULL));
    for (int k = 0; k < GRAINS; k++) {
        talus_body_def def = talus_body_def_default(sim);
        if (pile->polygons) def.shape = "grain";
        def.radius = 0.47 + 0.03 * noise(k);
        def.position = next_place(pile, &at);
        def.velocity = place(pile, noise(GRAINS + k) - 0.5, noise(2 * GRAINS + k) - 0.5, 0.0);
        assert_ok(talus_bodies_add(sim, &def, 1, NULL, NULL));
    }
}

static talus_sim *make(const struct pile *pile, int threads) {
    talus_config config = talus_config_default();
    config.method = TALUS_METHOD_MD;
    config.dim = pile->dim;
    config.dt = 3e-4; /* t_c = 0.016 to 0.02 s */
    config.gravity = place(pile, pile->drum ? 0.0 : 0.5, 0.0, -9.81);
    config.threads = threads;
    if (pile->integrator != NULL) config.integrator = pile->integrator;
    for (int axis = 0; axis < pile->dim - 1; axis++) config.cell.periodic[axis] = pile->periodic;
    config.cell.size = vec(width_of(pile), width_of(pile), 0);
    talus_sim *sim = support_sim(&config, 0.0);
    add_law(sim, pile);
    if (pile->drum)
        add_drum(sim, pile);
    else
        add_walls(sim, pile);
    add_grains(sim, pile);
    talus_signal push = {.kind = TALUS_SIGNAL_SINE, .amplitude = 1.0, .frequency = 5.0};
    if (pile->pushed) assert_ok(talus_force_set(sim, "push", "grains", vec(1, 0, 0), &push, NULL));
    return sim;
}

/* Everything that can be looked at; the contacts also through a room that is too small. */
static double look(const talus_sim *sim) {
    talus_contact some[10];
    size_t count = talus_sim_contacts(sim, some, 10);
    talus_body_view bodies = talus_sim_bodies(sim);
    double sum = talus_sim_observe(sim).energy.elastic + (double)count;
    sum += bodies.position[bodies.count - 1].x + talus_sim_trust(sim).energy_error;
    return sum + (double)(talus_sim_hash(sim) & 1) + talus_sim_step_rules(sim).collision_time;
}

struct outcome {
    uint64_t hash;
    talus_energy energy;
    talus_trust trust;
    int64_t contacts;
};

/* `every`: so many steps between two looks; 0: nobody looks. */
static struct outcome settle(const struct pile *pile, int threads, int every) {
    talus_sim *sim = make(pile, threads);
    int steps = steps_to_go();
    for (int k = 1; k <= steps; k++) {
        support_steps(sim, 1);
        if (every > 0 && k % every == 0) assert_true(isfinite(look(sim)));
    }
    struct outcome out = {.hash = talus_sim_hash(sim), .energy = support_ledger(sim)};
    out.trust = talus_sim_trust(sim);
    out.contacts = talus_sim_observe(sim).contacts;
    talus_sim_destroy(sim);
    return out;
}

static bool same(const struct pile *pile, const char *what, const struct outcome *a,
                 const struct outcome *b) {
    bool state = a->hash == b->hash;
    bool energy = memcmp(&a->energy, &b->energy, sizeof a->energy) == 0;
    bool trust = a->trust.contact_life == b->trust.contact_life &&
                 a->trust.collisions == b->trust.collisions &&
                 a->trust.meeting_speed == b->trust.meeting_speed;
    if (!state || !energy || !trust)
        print_error("%s, %s: state %s, energies %s, collisions %s\n", pile->name, what,
                    state ? "same" : "DIFFERS", energy ? "same" : "DIFFER",
                    trust ? "same" : "DIFFER");
    return state && energy && trust;
}

/* With one thread and nobody looking: what the others are compared with, made once. */
static const struct outcome *alone(int pile) {
    static struct outcome outcomes[PILES];
    static bool made[PILES];
    if (!made[pile]) outcomes[pile] = settle(&piles[pile], 1, 0);
    made[pile] = true;
    return &outcomes[pile];
}

/* More threads than processors take their time: each pile with two of 2, 3 and 4 threads. */
static void test_threads(void **state) {
    (void)state;
    bool all = true;
    for (int k = 0; k < PILES; k++) {
        const struct outcome *one = alone(k);
        if (one->contacts <= 10 || !(one->energy.dissipation_sliding > 0.0))
            fail_msg("%s: %d contacts, too little happens", piles[k].name, (int)one->contacts);
        for (int threads = 2; threads <= 4; threads++) {
            if (threads == 2 + k % 3 && getenv("TALUS_LONG_TESTS") == NULL) continue;
            struct outcome more = settle(&piles[k], threads, 0);
            char what[32];
            snprintf(what, sizeof what, "%d threads", threads);
            all = same(&piles[k], what, one, &more) && all;
        }
    }
    assert_true(all);
}

static void test_looking(void **state) {
    (void)state;
    bool all = true;
    for (int k = 0; k < PILES; k++) {
        struct outcome seen = settle(&piles[k], 1, 7);
        all = same(&piles[k], "looked at every 7 steps", alone(k), &seen) && all;
    }
    assert_true(all);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_looking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
