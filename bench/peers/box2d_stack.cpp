/* SPDX-License-Identifier: Apache-2.0
 *
 * A stack of squares in Box2D 2.4, with its own defaults: 8 velocity and 3 position iterations, warm
 * starting; nothing sleeps. Box2D surrounds every polygon by a skin of b2_polygonRadius in which contacts
 * live; the squares are smaller by this much, so that their outer sides are where ours are.
 *
 *     box2d_stack PILE END STEPS [SECONDS]
 *
 * does STEPS steps, with as many velocity iterations as make a step as long as SECONDS if given, and writes
 * where the squares are to END. It prints lines "name value". One contact update is one contact point in
 * one velocity iteration.
 */
#include <box2d/box2d.h>
#include <cmath>

#include "pile_file.h"

enum { VELOCITY_ITERATIONS = 8, POSITION_ITERATIONS = 3, TIMED = 40 };

struct engine {
    b2World world;
    std::vector<b2Body *> bodies; /* of the world, which deletes them */
    double dt;
};

static void add_floor(b2World &world, const pile &p) {
    b2PolygonShape slab;
    b2BodyDef def;
    slab.SetAsBox(500.0f, 5.0f, b2Vec2(0.0f, -5.0f - b2_polygonRadius), 0.0f);
    b2FixtureDef fixture;
    fixture.shape = &slab;
    fixture.friction = (float)p.mu; /* Box2D takes the geometric mean of the two */
    world.CreateBody(&def)->CreateFixture(&fixture);
}

static void build(engine &e, const pile &p) {
    e.dt = p.dt;
    e.world.SetGravity(b2Vec2(0.0f, (float)-p.gravity));
    e.world.SetAllowSleeping(false);
    add_floor(e.world, p);
    b2PolygonShape square;
    square.SetAsBox(0.5f - b2_polygonRadius, 0.5f - b2_polygonRadius);
    for (const box &b : p.boxes) {
        b2BodyDef def;
        def.type = b2_dynamicBody;
        def.position.Set((float)b.x[0], (float)b.x[1]);
        def.angle = (float)(2.0 * std::atan2(b.q[3], b.q[0]));
        b2FixtureDef fixture;
        fixture.shape = &square;
        fixture.density = 1.0f;
        fixture.friction = (float)p.mu;
        e.bodies.push_back(e.world.CreateBody(&def));
        e.bodies.back()->CreateFixture(&fixture);
    }
}

/* Best time of a step with this many velocity iterations. */
static double step_time(engine &e, int iterations, int steps) {
    double best = HUGE_VAL;
    for (int k = 0; k < steps; k++) {
        double start = seconds();
        e.world.Step((float)e.dt, iterations, POSITION_ITERATIONS);
        best = std::min(best, seconds() - start);
    }
    return best;
}

struct points {
    double count, closed, largest, sum;
};

/* The largest overlap of all contact points, the sum over those with an impulse. */
static points look(b2World &world) {
    points found = {0.0, 0.0, 0.0, 0.0};
    for (b2Contact *contact = world.GetContactList(); contact; contact = contact->GetNext()) {
        if (!contact->IsTouching()) continue;
        b2WorldManifold manifold;
        contact->GetWorldManifold(&manifold);
        for (int k = 0; k < contact->GetManifold()->pointCount; k++) {
            double overlap = std::max(0.0, -(double)manifold.separations[k]);
            found.count++;
            found.largest = std::max(found.largest, overlap);
            if (!(contact->GetManifold()->points[k].normalImpulse > 0.0f)) continue;
            found.sum += overlap;
            found.closed++;
        }
    }
    return found;
}

/* The update costs what a step with more iterations takes longer. */
static void print_times(engine &e, int iterations) {
    double count = look(e.world).count, best_step = step_time(e, iterations, TIMED / 2);
    double longer = step_time(e, iterations + 8 * VELOCITY_ITERATIONS, TIMED / 2) - best_step;
    printf("iterations %d\ncontacts %.0f\nstep_seconds %.9g\n", iterations, count, best_step);
    printf("update_seconds %.9g\n", longer / (8 * VELOCITY_ITERATIONS * count));
}

static bool write_end(const engine &e, const char *path) {
    std::vector<box> boxes;
    for (const b2Body *body : e.bodies) {
        b2Vec2 x = body->GetPosition();
        double half = 0.5 * body->GetAngle();
        boxes.push_back({{x.x, x.y, 0.0}, {std::cos(half), 0.0, 0.0, std::sin(half)}});
    }
    return pile_write(path, boxes);
}

int main(int argc, char **argv) {
    pile p;
    if (argc < 4 || !pile_read(argv[1], p) || p.dim != 2) {
        fprintf(stderr, "usage: box2d_stack PILE END STEPS [SECONDS]\n");
        return 2;
    }
    engine e = {b2World(b2Vec2(0.0f, 0.0f)), {}, 0.0};
    build(e, p);
    int iterations = run_steps(atoi(argv[3]), VELOCITY_ITERATIONS, argc > 4 ? atof(argv[4]) : 0.0,
                               [&e](int each, int steps) { return step_time(e, each, steps); });
    points found = look(e.world);
    double fastest = 0.0;
    for (const b2Body *body : e.bodies)
        fastest = std::max(fastest, (double)body->GetLinearVelocity().Length());
    printf("overlap_max %.9g\noverlap_mean %.9g\nspeed_max %.9g\n", found.largest,
           found.closed > 0.0 ? found.sum / found.closed : 0.0, fastest);
    print_times(e, iterations); /* last: its longer steps would flatter the stack */
    return write_end(e, argv[2]) ? 0 : 1;
}
