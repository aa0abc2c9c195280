/* SPDX-License-Identifier: Apache-2.0 */
#include "scheme/implicit_euler.h"

static struct free_motion predict_grain(const struct world *world, talus_index i, double dt) {
    const struct bodies *bodies = &world->bodies;
    uint32_t locks = bodies->locks[i];
    struct free_motion motion = {.omega = bodies->omega[i]};
    motion.weight = vec3_scale(bodies->mass[i], world->gravity);
    motion.force = vec3_add(motion.weight, world_force(world, i, world->time + dt));
    if (locks & TALUS_LOCK_X) motion.force.x = motion.weight.x = 0.0;
    if (locks & TALUS_LOCK_Y) motion.force.y = motion.weight.y = 0.0;
    if (locks & TALUS_LOCK_Z) motion.force.z = motion.weight.z = 0.0;
    /* [Unger2003, eq. 20] without contact forces */
    motion.velocity =
        vec3_add_scaled(bodies->velocity[i], dt * bodies->inverse_mass[i], motion.force);
    return motion;
}

static struct free_motion predict_boundary(const struct world *world,
                                           const struct boundary *boundary, double dt) {
    const struct bodies *bodies = &world->bodies;
    talus_index i = boundary->body;
    struct free_motion motion = {.omega = bodies->omega[i]};
    if (!boundary->is_free) {
        boundary_prescribed(world, boundary, world->time + dt, dt, &motion.velocity, &motion.omega);
        return motion;
    }
    const talus_free_motion *law = &boundary->free;
    double age = world->time + dt;
    double weight = law->weightless ? 0.0 : law->mass * vec3_dot(world->gravity, law->direction);
    motion.weight = vec3_scale(weight, law->direction);
    motion.force = vec3_scale(weight + signal_value(&law->force, age), law->direction);
    motion.torque = vec3_scale(signal_value(&law->torque, age), law->axis);
    motion.velocity =
        vec3_add_scaled(bodies->velocity[i], dt * bodies->inverse_mass[i], motion.force);
    motion.omega = vec3_add_scaled(motion.omega, dt * bodies->inverse_inertia[i], motion.torque);
    return motion;
}

struct free_motion euler_predict(const struct world *world, talus_index body, double dt) {
    int32_t boundary = world->bodies.boundary[body];
    return boundary < 0 ? predict_grain(world, body, dt)
                        : predict_boundary(world, &world->boundaries[boundary], dt);
}

/* Free turning of a body with unequal moments by the midpoint rule in its own frame: with M its angular
 * momentum there, dM/dt = M x I^-1 M. The rule turns M by the rotation whose Cayley vector is
 * a = dt/2 I^-1 M_mid, and the body by the opposite one, so angular momentum in space and energy, both
 * quadratic, are kept to rounding. This is the gyroscopic torque that [Brendel2004, sect. 1.2] leaves out. */
enum { TURN_ROUNDS = 30, TURN_HALVINGS = 16 };

/* [a]x b as a matrix acting on b. */
static mat3 cross_matrix(vec3 a) {
    return (mat3){{{0.0, -a.z, a.y}, {a.z, 0.0, -a.x}, {-a.y, a.x, 0.0}}};
}

/* M_mid = M + dt/2 M_mid x I^-1 M_mid by Newton's method; false if it does not settle: the step is too long for this
 * spin. */
static bool find_middle(const struct body_form *form, vec3 momentum, double dt, vec3 *middle) {
    *middle = momentum;
    for (int round = 0; round < TURN_ROUNDS; round++) {
        vec3 rate = mat3_apply(&form->inverse_inertia, *middle);
        vec3 error =
            vec3_sub(vec3_add_scaled(momentum, 0.5 * dt, vec3_cross(*middle, rate)), *middle);
        mat3 turn = cross_matrix(rate), lever = cross_matrix(*middle), slope;
        mat3 levered = mat3_product(&lever, &form->inverse_inertia);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                slope.m[i][j] = (i == j ? 1.0 : 0.0) + 0.5 * dt * (turn.m[i][j] - levered.m[i][j]);
        mat3 inverse = mat3_inverse(&slope);
        vec3 step = mat3_apply(&inverse, error);
        if (!vec3_is_finite(step)) return false;
        *middle = vec3_add(*middle, step);
        /* What is left is of the order of the square of this step. */
        if (vec3_norm2(step) <= 1e-22 * vec3_norm2(momentum)) return true;
    }
    return false;
}

/* Body frame: angular momentum and orientation after dt. Half the time twice where the rule has no near solution. */
static void turn_momentum(const struct body_form *form, vec3 *momentum, quat *orientation,
                          double dt, int halvings) {
    vec3 middle;
    if (!find_middle(form, *momentum, dt, &middle) && halvings > 0) {
        turn_momentum(form, momentum, orientation, 0.5 * dt, halvings - 1);
        turn_momentum(form, momentum, orientation, 0.5 * dt, halvings - 1);
        return;
    }
    vec3 half = vec3_scale(0.5 * dt, mat3_apply(&form->inverse_inertia, middle));
    double per = 1.0 / sqrt(1.0 + vec3_norm2(half));
    quat q = quat_product(*orientation, (quat){per, per * half.x, per * half.y, per * half.z});
    double norm = 1.0 / sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    *orientation = (quat){norm * q.w, norm * q.x, norm * q.y, norm * q.z};
    *momentum = vec3_sub(vec3_scale(2.0, middle), *momentum);
}

static void turn_freely(struct world *world, talus_index body, vec3 omega, double dt) {
    struct bodies *bodies = &world->bodies;
    const struct body_form *form = world_form(world, (size_t)body);
    mat3 rotation = quat_matrix(bodies->orientation[body]);
    mat3 back = mat3_transposed(&rotation);
    vec3 momentum = mat3_apply(&form->inertia, mat3_apply(&back, omega));
    turn_momentum(form, &momentum, &bodies->orientation[body], dt, TURN_HALVINGS);
    bodies->omega[body] =
        quat_rotate(bodies->orientation[body], mat3_apply(&form->inverse_inertia, momentum));
}

static void move(struct world *world, talus_index body, vec3 by) {
    struct bodies *bodies = &world->bodies;
    vec3 position = vec3_add(bodies->position[body], by);
    if (bodies->kind[body] == TALUS_BODY_GRAIN)
        position = cell_wrap(&world->cell, position, &bodies->image[body]);
    bodies->position[body] = position;
}

void euler_shift(struct world *world, talus_index body, vec3 shift, vec3 turn) {
    struct bodies *bodies = &world->bodies;
    move(world, body, shift);
    if (turn.x == 0.0 && turn.y == 0.0 && turn.z == 0.0) return;
    bodies->orientation[body] = quat_turn(bodies->orientation[body], turn);
    if (world_is_anisotropic(world, (size_t)body)) /* the spin goes with the body */
        bodies->omega[body] = quat_rotate(quat_turn(quat_identity(), turn), bodies->omega[body]);
}

void euler_advance(struct world *world, talus_index body, vec3 velocity, vec3 omega, double dt) {
    struct bodies *bodies = &world->bodies;
    bodies->velocity[body] = velocity;
    bodies->omega[body] = omega;
    move(world, body, vec3_scale(dt, velocity)); /* [Unger2003, eq. 1] */
    if (omega.x == 0.0 && omega.y == 0.0 && omega.z == 0.0) return;
    if (world_is_anisotropic(world, (size_t)body))
        turn_freely(world, body, omega, dt);
    else
        bodies->orientation[body] = quat_turn(bodies->orientation[body], vec3_scale(dt, omega));
}
