/* SPDX-License-Identifier: Apache-2.0
 *
 * A pile of boxes in Bullet, set up as its own examples do: sequential impulses, warm starting, split
 * impulse, box against box. Nothing sleeps, because a sleeping pile would cost and show nothing.
 *
 *     bullet_boxes PILE END STEPS FRICTION_ROWS [SECONDS]
 *
 * does STEPS steps with the default of 10 iterations, or with as many as make a step as long as SECONDS,
 * and writes where the boxes are to END. It prints lines "name value". One contact update is one contact
 * point in one iteration: its normal row and its friction rows.
 */
#include <btBulletDynamicsCommon.h>
#include <cmath>
#include <cstring>
#include <memory>

#include "pile_file.h"

enum { ITERATIONS = 10, TIMED = 40 };

/* The default solver with a clock. A step calls it once for each group of islands. */
class timed_solver : public btSequentialImpulseConstraintSolver {
  public:
    double all = 0.0, sweeps = 0.0;
    long points = 0;

    btScalar solveGroup(btCollisionObject **bodies, int body_count,
                        btPersistentManifold **manifolds, int manifold_count,
                        btTypedConstraint **constraints, int constraint_count,
                        const btContactSolverInfo &info, btIDebugDraw *drawer,
                        btDispatcher *dispatcher) override {
        double start = seconds();
        btScalar result = btSequentialImpulseConstraintSolver::solveGroup(
            bodies, body_count, manifolds, manifold_count, constraints, constraint_count, info,
            drawer, dispatcher);
        all += seconds() - start;
        return result;
    }

  protected:
    btScalar solveGroupCacheFriendlyIterations(btCollisionObject **bodies, int body_count,
                                               btPersistentManifold **manifolds, int manifold_count,
                                               btTypedConstraint **constraints,
                                               int constraint_count,
                                               const btContactSolverInfo &info,
                                               btIDebugDraw *drawer) override {
        double start = seconds();
        btScalar result = btSequentialImpulseConstraintSolver::solveGroupCacheFriendlyIterations(
            bodies, body_count, manifolds, manifold_count, constraints, constraint_count, info,
            drawer);
        sweeps += seconds() - start;
        points += m_tmpSolverContactConstraintPool.size();
        return result;
    }
};

struct engine {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broad;
    timed_solver solver;
    btDiscreteDynamicsWorld world{&dispatcher, &broad, &solver, &configuration};
    btBoxShape cube{btVector3(0.5f, 0.5f, 0.5f)};
    std::vector<std::unique_ptr<btBoxShape>> slabs;
    std::vector<std::unique_ptr<btDefaultMotionState>> states;
    std::vector<std::unique_ptr<btRigidBody>> bodies, walls;
    double dt = 0.0;
    ~engine() {
        for (auto &body : bodies) world.removeRigidBody(body.get());
        for (auto &wall : walls) world.removeRigidBody(wall.get());
    }
};

static std::unique_ptr<btRigidBody> make_body(engine &e, double mass, btCollisionShape *shape,
                                              const btTransform &place, double mu) {
    btVector3 inertia(0, 0, 0);
    if (mass > 0.0) shape->calculateLocalInertia((btScalar)mass, inertia);
    e.states.push_back(std::make_unique<btDefaultMotionState>(place));
    btRigidBody::btRigidBodyConstructionInfo info((btScalar)mass, e.states.back().get(), shape,
                                                  inertia);
    info.m_friction = (btScalar)std::sqrt(mu); /* Bullet multiplies the two */
    info.m_restitution = 0;
    auto body = std::make_unique<btRigidBody>(info);
    body->setActivationState(DISABLE_DEACTIVATION);
    e.world.addRigidBody(body.get());
    return body;
}

/* Slabs rather than planes: box against box finds all four corners at once. */
static void add_slab(engine &e, btVector3 centre, btVector3 half, double mu) {
    e.slabs.push_back(std::make_unique<btBoxShape>(half));
    btTransform place(btQuaternion::getIdentity(), centre);
    e.walls.push_back(make_body(e, 0.0, e.slabs.back().get(), place, mu));
}

static void add_container(engine &e, const pile &p) {
    btScalar x = (btScalar)p.width[0], y = (btScalar)p.width[1], far = 200, thick = 5;
    add_slab(e, btVector3(0, 0, -thick), btVector3(far, far, thick), p.mu);
    if (x == 0) return;
    add_slab(e, btVector3(-thick, 0, 0), btVector3(thick, far, far), p.mu);
    add_slab(e, btVector3(x + thick, 0, 0), btVector3(thick, far, far), p.mu);
    add_slab(e, btVector3(0, -thick, 0), btVector3(far, thick, far), p.mu);
    add_slab(e, btVector3(0, y + thick, 0), btVector3(far, thick, far), p.mu);
}

static void build(engine &e, const pile &p, int friction_rows) {
    e.dt = p.dt;
    e.world.setGravity(btVector3(0, 0, (btScalar)-p.gravity));
    if (friction_rows == 2)
        e.world.getSolverInfo().m_solverMode |= SOLVER_USE_2_FRICTION_DIRECTIONS;
    add_container(e, p);
    for (const box &b : p.boxes) {
        btTransform place(
            btQuaternion((btScalar)b.q[1], (btScalar)b.q[2], (btScalar)b.q[3], (btScalar)b.q[0]),
            btVector3((btScalar)b.x[0], (btScalar)b.x[1], (btScalar)b.x[2]));
        e.bodies.push_back(make_body(e, 1.0, &e.cube, place, p.mu));
    }
}

/* Best time of a step with this many iterations. */
static double step_time(engine &e, int iterations, int steps) {
    double best = HUGE_VAL;
    e.world.getSolverInfo().m_numIterations = iterations;
    for (int k = 0; k < steps; k++) {
        double start = seconds();
        e.world.stepSimulation((btScalar)e.dt, 0);
        best = std::min(best, seconds() - start);
    }
    return best;
}

/* Of its own contact points: the largest overlap of all, the mean of those with an impulse. */
static void print_overlaps(engine &e) {
    double largest = 0.0, sum = 0.0;
    int closed = 0;
    for (int m = 0; m < e.dispatcher.getNumManifolds(); m++) {
        const btPersistentManifold *manifold = e.dispatcher.getManifoldByIndexInternal(m);
        for (int k = 0; k < manifold->getNumContacts(); k++) {
            const btManifoldPoint &point = manifold->getContactPoint(k);
            double overlap = std::max(0.0, -(double)point.getDistance());
            largest = std::max(largest, overlap);
            if (!(point.getAppliedImpulse() > 0)) continue;
            sum += overlap;
            closed++;
        }
    }
    double fastest = 0.0;
    for (auto &body : e.bodies)
        fastest = std::max(fastest, (double)body->getLinearVelocity().length());
    printf("overlap_max %.9g\noverlap_mean %.9g\nspeed_max %.9g\n", largest,
           closed > 0 ? sum / closed : 0.0, fastest);
}

static void print_times(engine &e, int iterations) {
    double best_all = HUGE_VAL, best_sweeps = HUGE_VAL, best_step = HUGE_VAL, points = 0.0;
    e.world.getSolverInfo().m_numIterations = iterations;
    for (int k = 0; k < TIMED; k++) {
        e.solver.all = e.solver.sweeps = 0.0;
        e.solver.points = 0;
        best_step = std::min(best_step, step_time(e, iterations, 1));
        points = (double)e.solver.points;
        best_all = std::min(best_all, e.solver.all / points);
        best_sweeps = std::min(best_sweeps, e.solver.sweeps / points);
    }
    printf("iterations %d\ncontacts %.0f\nstep_seconds %.9g\n", iterations, points, best_step);
    printf("update_seconds %.9g\nsolver_seconds %.9g\n", best_sweeps / iterations,
           best_all / iterations);
}

static bool write_end(const engine &e, const char *path) {
    std::vector<box> boxes;
    for (auto &body : e.bodies) {
        const btTransform &at = body->getWorldTransform();
        btVector3 x = at.getOrigin();
        btQuaternion q = at.getRotation();
        boxes.push_back({{x.x(), x.y(), x.z()}, {q.w(), q.x(), q.y(), q.z()}});
    }
    return pile_write(path, boxes);
}

int main(int argc, char **argv) {
    pile p;
    if (argc < 5 || !pile_read(argv[1], p) || p.dim != 3) {
        fprintf(stderr, "usage: bullet_boxes PILE END STEPS FRICTION_ROWS [SECONDS]\n");
        return 2;
    }
    engine e;
    build(e, p, atoi(argv[4]));
    int iterations = run_steps(atoi(argv[3]) - TIMED, ITERATIONS, argc > 5 ? atof(argv[5]) : 0.0,
                               [&e](int each, int steps) { return step_time(e, each, steps); });
    print_times(e, iterations);
    print_overlaps(e);
    return write_end(e, argv[2]) ? 0 : 1;
}
