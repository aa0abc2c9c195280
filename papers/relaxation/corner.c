/* SPDX-License-Identifier: Apache-2.0
 *
 * A polygon with a corner in a side of a held one, as a linear oscillator; q = (x, theta) of its centre.
 *
 * n is the outward normal of the side, t = n turned to the left, r = (r_t, r_n) the way from the centre of the grain to
 * that of the common area, p that to the corner. The sides of the corner leave it at the angles alpha to the left and
 * beta to the right of n. With its depth d the common area is a triangle, and its base the line of contact:
 *
 *     L = d (tan alpha + tan beta),   A = L d/2,   r_t = p_t + d (tan alpha - tan beta)/3,   r_n = p_n + 2 d/3
 *
 * n and t do not turn, but the triangle changes: a turn theta makes alpha larger and beta smaller by theta, so
 *
 *     dd = -n_x dx + p_t dtheta,   dp_t = p_n dtheta,
 *     dA = -L (n_x dx - b_t dtheta),   b_t = p_t + d (tan alpha - tan beta)/2, the middle of the base,
 *     dr_t = p_n dtheta + (tan alpha - tan beta)/3 dd + d/3 (1/cos^2 alpha + 1/cos^2 beta) dtheta.
 *
 * The material at the contact moves by g . dq along n and by h . dq along t, g = (n_x, -r_t), h = (t_x, r_n): these are
 * also what forces there do to x and theta. At rest only the area presses, R = k_n A/l_c, and the spring has no
 * stretch. With u = (n_x, -b_t)
 *
 *     M = diag(m, I),   C = c_n g g^T + c_t h h^T,   K = k_n (L/l_c) g u^T + k_t h h^T + (0, 0; R dr_t/dq)
 *
 * The last two make K unsymmetric: the force of an area has no potential if the grain turns. Modes: det(M s^2 + C s + K) = 0,
 * t_R = -1/(2 Re s). A spring that grows by the new velocity times dt is again a dashpot k_t dt/2 beside c_t: to first
 * order, what is left out is (s dt)^2/12 of k_t, and changes t_R by 0.7 % where it is most, shearing at dt = t_c/10.
 *
 * One mode shears the contact and is damped by c_t. In the other the grain rolls on its corner: h . q is nearly zero,
 * the tangential spring rests, and its rule does not matter.
 */
#include <complex.h>
#include <math.h>
#include <string.h>

#include "papers/relaxation/relaxation.h"

static const double pi = 3.141592653589793;

/* ---- the corner ----------------------------------------------------------------------------------- */

struct point {
    double x, y;
};

enum { CORNERS = 16 };
struct polygon {
    struct point at[CORNERS], centre; /* counter-clockwise, where they stand */
    size_t count;
    double area;
};

static struct polygon polygon_of(const talus_sim *sim, size_t grain) {
    talus_body_view bodies = talus_sim_bodies(sim);
    size_t form = (size_t)(bodies.form[grain] - 1);
    talus_hull_view hull = talus_sim_hull(sim, form, 0);
    talus_shape_view shape = talus_sim_shape(sim, form);
    double angle = 2.0 * atan2(bodies.orientation[grain].z, bodies.orientation[grain].w);
    double size = bodies.radius[grain] / shape.reach, c = size * cos(angle), s = size * sin(angle);
    talus_vec3 centre = bodies.position[grain];
    struct polygon out = {.centre = {centre.x, centre.y}, .area = size * size * shape.volume};
    for (; out.count < hull.vertex_count && out.count < CORNERS; out.count++) {
        talus_vec3 v = hull.vertices[out.count];
        out.at[out.count] =
            (struct point){centre.x + c * v.x - s * v.y, centre.y + s * v.x + c * v.y};
    }
    return out;
}

/* How deep the point lies under the nearest side, < 0: outside; the outward normal of that side. */
static double depth_in(const struct polygon *polygon, struct point point, struct point *normal) {
    double least = HUGE_VAL;
    *normal = (struct point){0.0, 0.0};
    for (size_t k = 0; k < polygon->count; k++) {
        struct point a = polygon->at[k], b = polygon->at[(k + 1) % polygon->count];
        double length = hypot(b.x - a.x, b.y - a.y);
        struct point n = {(b.y - a.y) / length, -(b.x - a.x) / length};
        double depth = n.x * (a.x - point.x) + n.y * (a.y - point.y);
        if (depth >= least) continue;
        least = depth;
        *normal = n;
    }
    return least;
}

/* Tangent of the angle from n to the way from one point to the other. */
static double slant(struct point from, struct point to, struct point n) {
    double x = to.x - from.x, y = to.y - from.y;
    return (-n.y * x + n.x * y) / (n.x * x + n.y * y);
}

talus_status corner_find(const talus_sim *sim, struct corner *out, talus_error *err) {
    size_t grain = trial_pushed(sim), count = 0;
    struct polygon held = polygon_of(sim, 0), moving = polygon_of(sim, grain);
    for (size_t k = 0; k < moving.count; k++) {
        struct point n, p = moving.at[k], arm = {p.x - moving.centre.x, p.y - moving.centre.y};
        double depth = depth_in(&held, p, &n);
        if (depth <= 0.0) continue;
        count++;
        double one = slant(p, moving.at[(k + 1) % moving.count], n),
               other = slant(p, moving.at[(k + moving.count - 1) % moving.count], n);
        *out = (struct corner){.normal_x = n.x,
                               .tangent_x = -n.y,
                               .depth = depth,
                               .left = fmax(one, other),
                               .right = -fmin(one, other),
                               .along = -n.y * arm.x + n.x * arm.y,
                               .across = n.x * arm.x + n.y * arm.y};
    }
    double masses[2] = {talus_sim_bodies(sim).mass[0], talus_sim_bodies(sim).mass[grain]};
    out->length = sqrt(held.area / pi) + sqrt(moving.area / pi);
    out->mass = masses[1];
    out->inertia = trial_inertia(sim, grain);
    out->reduced_mass = masses[0] * masses[1] / (masses[0] + masses[1]);
    if (count == 1) return TALUS_OK;
    snprintf(err->text, sizeof err->text, "the polygon has %zu corners in the other, not 1", count);
    return TALUS_ERR_INPUT;
}

static double line_of(const struct corner *corner) { /* L, m */
    return corner->depth * (corner->left + corner->right);
}

double corner_load(const struct corner *corner, double stiffness) {
    return stiffness * 0.5 * line_of(corner) * corner->depth / corner->length;
}

/* ---- the modes ------------------------------------------------------------------------------------ */

struct matrices {
    double mass[2], damping[2][2], stiffness[2][2];
};

static struct matrices matrices_of(const struct corner *corner, const double k[2],
                                   const double c[2]) {
    double d = corner->depth, lean = corner->left - corner->right;
    double arm[2] = {corner->along + lean * d / 3.0, corner->across + 2.0 * d / 3.0}; /* r_t, r_n */
    double g[2] = {corner->normal_x, -arm[0]}, h[2] = {corner->tangent_x, arm[1]};
    double u[2] = {corner->normal_x, -corner->along - 0.5 * lean * d};
    double spread = 2.0 + corner->left * corner->left + corner->right * corner->right;
    double moves[2] = {-lean / 3.0 * corner->normal_x, /* dr_t/dq */
                       corner->across + lean / 3.0 * corner->along + d / 3.0 * spread};
    double area = k[0] * line_of(corner) / corner->length;
    struct matrices out = {.mass = {corner->mass, corner->inertia}};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            out.damping[i][j] = c[0] * g[i] * g[j] + c[1] * h[i] * h[j];
            out.stiffness[i][j] = area * g[i] * u[j] + k[1] * h[i] * h[j];
            if (i == 1) out.stiffness[i][j] += corner_load(corner, k[0]) * moves[j];
        }
    return out;
}

/* M s^2 + C s + K, or its derivative. */
static double complex term(const struct matrices *of, int i, int j, double complex s, bool slope) {
    double complex inert = slope ? 2.0 * s : s * s, damped = slope ? 1.0 : s;
    double complex value = of->damping[i][j] * damped;
    if (!slope) value += of->stiffness[i][j];
    return i == j ? value + of->mass[i] * inert : value;
}

/* By Newton's method from the undamped mode on. */
static double complex root_near(const struct matrices *of, double omega) {
    double complex s = (double complex)I * omega;
    for (int k = 0; k < 50; k++) {
        double complex a = term(of, 0, 0, s, false), b = term(of, 0, 1, s, false),
                       c = term(of, 1, 0, s, false), d = term(of, 1, 1, s, false);
        double complex slope = term(of, 0, 0, s, true) * d + a * term(of, 1, 1, s, true) -
                               term(of, 0, 1, s, true) * c - b * term(of, 1, 0, s, true);
        double complex step = (a * d - b * c) / slope;
        s -= step;
        if (cabs(step) < 1e-14 * cabs(s)) break;
    }
    return s;
}

static struct mode turning(const struct matrices *of, enum corner_mode mode) {
    double a = of->stiffness[0][0] / of->mass[0], d = of->stiffness[1][1] / of->mass[1];
    double coupling = of->stiffness[0][1] * of->stiffness[1][0] / (of->mass[0] * of->mass[1]);
    double root = sqrt(0.25 * (a - d) * (a - d) + coupling);
    double omega2 = 0.5 * (a + d) + (mode == CORNER_SHEARS ? root : -root);
    double complex s = root_near(of, sqrt(omega2));
    double complex slide = -term(of, 0, 1, s, false) / term(of, 0, 0, s, false);
    return (struct mode){-0.5 / creal(s), cimag(s), creal(slide), 0.0};
}

static struct mode held(const struct matrices *of, double stiffness) {
    double omega2 = of->stiffness[0][0] / of->mass[0];
    return (struct mode){of->mass[0] / of->damping[0][0], sqrt(omega2), 0.0,
                         stiffness / of->stiffness[0][0]};
}

struct mode corner_theory(const struct corner *corner, const struct trial *trial,
                          enum corner_mode mode) {
    double k[2] = {trial->stiffness, trial->stiffness * trial->stiffness_ratio};
    double c[2] = {theory_damping(trial), theory_tangential_damping(trial)};
    double t_c = theory_collision_time(trial);
    if (strcmp(trial->slip, "velocity") == 0) c[1] += 0.5 * k[1] * trial->share * t_c;
    struct matrices matrices = matrices_of(corner, k, c);
    struct mode out =
        mode == CORNER_HELD ? held(&matrices, trial->stiffness) : turning(&matrices, mode);
    out.time /= t_c;
    return out;
}
