/* SPDX-License-Identifier: Apache-2.0
 *
 * A pile of spheres at rest in Bullet: sequential impulses, warm starting, split impulse, nothing sleeps.
 *
 *     bullet_spheres PILE ITERATIONS STEPS
 *
 * PILE: "count width dt mu gravity", then "x y z r" for each sphere; between walls, floor at z = 0, density 1. It does STEPS steps,
 * the second half of which is timed, and prints lines "name value".
 */
#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <memory>

#include "pile_file.h"

struct sphere {
    double x[3], r;
};

struct sphere_pile {
    double width, dt, mu, gravity;
    std::vector<sphere> spheres;
};

struct engine {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broad;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broad, &solver, &configuration};
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btDefaultMotionState>> states;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    ~engine() {
        for (auto &body : bodies) world.removeRigidBody(body.get());
    }
};

static bool read_pile(const char *path, sphere_pile &out) {
    FILE *from = fopen(path, "r");
    if (from == nullptr) return false;
    size_t count = 0;
    bool good = fscanf(from, "%zu %lf %lf %lf %lf", &count, &out.width, &out.dt, &out.mu,
                       &out.gravity) == 5;
    for (size_t i = 0; i < count && good; i++) {
        sphere s;
        good = fscanf(from, "%lf %lf %lf %lf", &s.x[0], &s.x[1], &s.x[2], &s.r) == 4;
        out.spheres.push_back(s);
    }
    fclose(from);
    return good;
}

static void add_body(engine &e, double mass, btVector3 centre, double mu) {
    btCollisionShape *shape = e.shapes.back().get();
    btVector3 inertia(0, 0, 0);
    if (mass > 0.0) shape->calculateLocalInertia((btScalar)mass, inertia);
    e.states.push_back(
        std::make_unique<btDefaultMotionState>(btTransform(btQuaternion::getIdentity(), centre)));
    btRigidBody::btRigidBodyConstructionInfo info((btScalar)mass, e.states.back().get(), shape,
                                                  inertia);
    info.m_friction = (btScalar)std::sqrt(mu); /* Bullet multiplies the two */
    info.m_restitution = 0;
    e.bodies.push_back(std::make_unique<btRigidBody>(info));
    e.bodies.back()->setActivationState(DISABLE_DEACTIVATION);
    e.world.addRigidBody(e.bodies.back().get());
}

static void add_plane(engine &e, btVector3 normal, double constant, double mu) {
    e.shapes.push_back(std::make_unique<btStaticPlaneShape>(normal, (btScalar)constant));
    add_body(e, 0.0, btVector3(0, 0, 0), mu);
}

static void build(engine &e, const sphere_pile &p, int iterations) {
    const double pi = 3.141592653589793;
    e.world.setGravity(btVector3(0, 0, (btScalar)-p.gravity));
    e.world.getSolverInfo().m_numIterations = iterations;
    add_plane(e, btVector3(0, 0, 1), 0, p.mu);
    add_plane(e, btVector3(1, 0, 0), 0, p.mu);
    add_plane(e, btVector3(-1, 0, 0), -p.width, p.mu);
    add_plane(e, btVector3(0, 1, 0), 0, p.mu);
    add_plane(e, btVector3(0, -1, 0), -p.width, p.mu);
    for (const sphere &s : p.spheres) {
        e.shapes.push_back(std::make_unique<btSphereShape>((btScalar)s.r));
        add_body(e, 4.0 / 3.0 * pi * s.r * s.r * s.r,
                 btVector3((btScalar)s.x[0], (btScalar)s.x[1], (btScalar)s.x[2]), p.mu);
    }
}

static double rms_velocity(const engine &e) {
    double sum = 0.0;
    size_t count = 0;
    for (auto &body : e.bodies) {
        if (body->getInvMass() == 0) continue;
        sum += (double)body->getLinearVelocity().length2();
        count++;
    }
    return std::sqrt(sum / (double)count);
}

static double mean_overlap(engine &e) {
    double sum = 0.0;
    int closed = 0;
    for (int m = 0; m < e.dispatcher.getNumManifolds(); m++) {
        const btPersistentManifold *manifold = e.dispatcher.getManifoldByIndexInternal(m);
        for (int k = 0; k < manifold->getNumContacts(); k++) {
            const btManifoldPoint &point = manifold->getContactPoint(k);
            if (!(point.getAppliedImpulse() > 0)) continue;
            sum += std::max(0.0, -(double)point.getDistance());
            closed++;
        }
    }
    return closed > 0 ? sum / closed : 0.0;
}

int main(int argc, char **argv) {
    sphere_pile p;
    if (argc != 4 || !read_pile(argv[1], p)) {
        fprintf(stderr, "usage: bullet_spheres PILE ITERATIONS STEPS\n");
        return 2;
    }
    engine e;
    build(e, p, atoi(argv[2]));
    int steps = atoi(argv[3]), timed = steps - steps / 2;
    double start = 0.0;
    for (int k = 0; k < steps; k++) {
        if (k == steps / 2) start = seconds();
        e.world.stepSimulation((btScalar)p.dt, 0);
    }
    printf("step_seconds %.9g\n", (seconds() - start) / timed);
    printf("rms_velocity %.9g\noverlap_mean %.9g\n", rms_velocity(e), mean_overlap(e));
    return 0;
}
