/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/soft_kernel.h"

#include <math.h>
#include <string.h>

#include "base/inlining.h"
#include "math/four.h"

#define LANES _Pragma("omp simd") for (int l = 0; l < SOFT_LANES; l++)

/* Geometry and motion of eight pairs. */
struct lanes {
    double normal[3][SOFT_LANES]; /* from a to b */
    double overlap[SOFT_LANES];   /* m */
    double arm_a[SOFT_LANES], arm_b[SOFT_LANES];
    double velocity[3][SOFT_LANES]; /* of b against a at the contact point */
    double way[3][SOFT_LANES];      /* the same, gone in the step */
    double twist[SOFT_LANES];       /* rad, about the normal, of both in the mean */
};

/* Sums of each lane; they are added up in the order of the lanes. */
struct lane_sums {
    double stored[SOFT_LANES], cut[SOFT_LANES], damping[SOFT_LANES], elastic[SOFT_LANES];
    double slip[SOFT_LANES], touching[SOFT_LANES], deepest[SOFT_LANES];
};

static double add_up(const double lanes[SOFT_LANES]) {
    double sum = 0.0;
    for (int l = 0; l < SOFT_LANES; l++) sum += lanes[l];
    return sum;
}

static double largest(const double lanes[SOFT_LANES]) {
    double most = 0.0;
    for (int l = 0; l < SOFT_LANES; l++) most = lanes[l] > most ? lanes[l] : most;
    return most;
}

static struct soft_sums total(const struct lane_sums *sums, const struct soft_sums *starts) {
    return (struct soft_sums){.stored = add_up(sums->stored),
                              .cut = add_up(sums->cut),
                              .damping = add_up(sums->damping),
                              .elastic = add_up(sums->elastic),
                              .slip = add_up(sums->slip),
                              .touching = add_up(sums->touching),
                              .starts = starts->starts,
                              .start_speed = starts->start_speed,
                              .pass = starts->pass,
                              .deepest = largest(sums->deepest)};
}

/* ---- geometry ---------------------------------------------------------------------------------- */

/* Three components and a fourth number of each pair into lanes `l` to l + 3. */
IN_LOOP void scatter(const four from[4], double to[3][SOFT_LANES], double *fourth, int l) {
    four lanes[4];
    four_transpose(from, lanes);
    for (int k = 0; k < 3; k++) FOUR(&to[k][l]) = lanes[k];
    if (fourth != NULL) FOUR(&fourth[l]) = lanes[3];
}

struct gathered {
    double at_a[3][SOFT_LANES], at_b[3][SOFT_LANES], radius_a[SOFT_LANES], radius_b[SOFT_LANES];
    double branch[3][SOFT_LANES];
    double velocity[3][SOFT_LANES], way[3][SOFT_LANES]; /* of the centres, b against a */
    double omega_a[3][SOFT_LANES], omega_b[3][SOFT_LANES];
    double turn_a[3][SOFT_LANES], turn_b[3][SOFT_LANES];
};

/* Where four pairs are, from lane `first` on. */
IN_LOOP void place_four(const struct soft_row *rows, const struct soft_block *block,
                        struct gathered *to, int first) {
    four on_a[4], on_b[4];
    for (int l = 0; l < 4; l++) {
        on_a[l] = FOUR_OF(rows[block->a[first + l]].position);
        on_b[l] = FOUR_OF(rows[block->b[first + l]].position);
    }
    scatter(on_a, to->at_a, to->radius_a, first);
    scatter(on_b, to->at_b, to->radius_b, first);
}

/* How they move. */
IN_LOOP void gather_four(const struct soft_row *rows, const struct soft_block *block,
                         struct gathered *to, int first) {
    const struct soft_row *a[4], *b[4];
    four velocity[4], way[4], on_a[4], on_b[4];
    for (int l = 0; l < 4; l++) {
        a[l] = &rows[block->a[first + l]];
        b[l] = &rows[block->b[first + l]];
        velocity[l] = FOUR_OF(b[l]->velocity) - FOUR_OF(a[l]->velocity);
        way[l] = FOUR_OF(b[l]->shift) - FOUR_OF(a[l]->shift);
    }
    scatter(velocity, to->velocity, NULL, first);
    scatter(way, to->way, NULL, first);
    for (int l = 0; l < 4; l++) {
        on_a[l] = FOUR_OF(a[l]->omega);
        on_b[l] = FOUR_OF(b[l]->omega);
    }
    scatter(on_a, to->omega_a, NULL, first);
    scatter(on_b, to->omega_b, NULL, first);
    for (int l = 0; l < 4; l++) {
        on_a[l] = FOUR_OF(a[l]->turn);
        on_b[l] = FOUR_OF(b[l]->turn);
    }
    scatter(on_a, to->turn_a, NULL, first);
    scatter(on_b, to->turn_b, NULL, first);
}

/* The same of all eight at once: what is written in halves and read whole waits for memory. */
IN_LOOP void scatter_eight(const eight from[4], double to[3][SOFT_LANES], double *fourth) {
    eight lanes[4];
    eight_transpose(from, lanes);
    for (int k = 0; k < 3; k++) EIGHT(to[k]) = lanes[k];
    if (fourth != NULL) EIGHT(fourth) = lanes[3];
}

#define TWO_ROWS(side, field) \
    EIGHT_OF_FOURS(FOUR_OF(rows[block->side[l]].field), FOUR_OF(rows[block->side[l + 4]].field))

IN_LOOP void place_eight(const struct soft_row *rows, const struct soft_block *block,
                         struct gathered *to) {
    eight on_a[4], on_b[4];
    for (int l = 0; l < 4; l++) {
        on_a[l] = TWO_ROWS(a, position);
        on_b[l] = TWO_ROWS(b, position);
    }
    scatter_eight(on_a, to->at_a, to->radius_a);
    scatter_eight(on_b, to->at_b, to->radius_b);
}

IN_LOOP void gather_eight(const struct soft_row *rows, const struct soft_block *block,
                          struct gathered *to) {
    eight velocity[4], way[4], on_a[4], on_b[4];
    for (int l = 0; l < 4; l++) {
        velocity[l] = TWO_ROWS(b, velocity) - TWO_ROWS(a, velocity);
        way[l] = TWO_ROWS(b, shift) - TWO_ROWS(a, shift);
    }
    scatter_eight(velocity, to->velocity, NULL);
    scatter_eight(way, to->way, NULL);
    for (int l = 0; l < 4; l++) {
        on_a[l] = TWO_ROWS(a, omega);
        on_b[l] = TWO_ROWS(b, omega);
    }
    scatter_eight(on_a, to->omega_a, NULL);
    scatter_eight(on_b, to->omega_b, NULL);
    for (int l = 0; l < 4; l++) {
        on_a[l] = TWO_ROWS(a, turn);
        on_b[l] = TWO_ROWS(b, turn);
    }
    scatter_eight(on_a, to->turn_a, NULL);
    scatter_eight(on_b, to->turn_b, NULL);
}

IN_LOOP void nearest_image(const struct cell *cell, struct gathered *pairs) {
    const double sizes[3] = {cell->size.x, cell->size.y, cell->size.z};
    const double whole = 6755399441055744.0; /* 1.5 2^52: added and taken away it rounds */
    for (int k = 0; k < 3; k++) {
        if (!cell->periodic[k]) continue;
        double size = sizes[k], per = 1.0 / size;
        LANES {
            double branch = pairs->branch[k][l];
            pairs->branch[k][l] = branch - size * ((branch * per + whole) - whole);
        }
    }
}

IN_LOOP void place(const struct soft_row *rows, const struct soft_block *block, struct gathered *to,
                   bool widest) {
    if (widest)
        place_eight(rows, block, to);
    else
        for (int l = 0; l < SOFT_LANES; l += 4) place_four(rows, block, to, l);
}

IN_LOOP void gather(const struct soft_row *rows, const struct soft_block *block,
                    struct gathered *to, bool widest) {
    if (widest)
        gather_eight(rows, block, to);
    else
        for (int l = 0; l < SOFT_LANES; l += 4) gather_four(rows, block, to, l);
}

/* The branches from a to b. */
IN_LOOP void branch_off(const struct cell *cell, struct gathered *pairs) {
    for (int k = 0; k < 3; k++) LANES pairs->branch[k][l] = pairs->at_b[k][l] - pairs->at_a[k][l];
    if (cell->any) nearest_image(cell, pairs);
}

/* Nothing to do for pairs that are apart and were so before: their entries are 0 already. */
IN_LOOP bool all_apart(const struct gathered *pairs, const struct soft_block *block) {
    double busy = 0.0;
#pragma omp simd reduction(+ : busy)
    for (int l = 0; l < SOFT_LANES; l++) {
        double x = pairs->branch[0][l], y = pairs->branch[1][l], z = pairs->branch[2][l];
        double ux = block->normal[0][l], uy = block->normal[1][l], uz = block->normal[2][l];
        double reach = pairs->radius_a[l] + pairs->radius_b[l], was = ux * ux + uy * uy + uz * uz;
        double within = x * x + y * y + z * z < reach * reach ? reach : 0.0;
        busy += within > 0.0 ? 1.0 : was;
    }
    return busy == 0.0;
}

/* For round grains both arms lie along the normal: V = v_b - v_a - (l_a w_a + l_b w_b) x n. */
IN_LOOP void touch_grains(const struct gathered *pairs, struct lanes *to) {
    LANES {
        double x = pairs->branch[0][l], y = pairs->branch[1][l], z = pairs->branch[2][l];
        double distance = sqrt(x * x + y * y + z * z), per = 1.0 / distance;
        /* Coincident centres have no direction of their own; any will do to part them. */
        double nx = distance > 0.0 ? x * per : 1.0;
        double ny = distance > 0.0 ? y * per : 0.0, nz = distance > 0.0 ? z * per : 0.0;
        double overlap = pairs->radius_a[l] + pairs->radius_b[l] - distance;
        double arm_a = pairs->radius_a[l] - 0.5 * overlap;
        double arm_b = pairs->radius_b[l] - 0.5 * overlap;
        to->normal[0][l] = nx;
        to->normal[1][l] = ny;
        to->normal[2][l] = nz;
        to->overlap[l] = overlap;
        to->arm_a[l] = arm_a;
        to->arm_b[l] = arm_b;
        double wx = arm_a * pairs->omega_a[0][l] + arm_b * pairs->omega_b[0][l];
        double wy = arm_a * pairs->omega_a[1][l] + arm_b * pairs->omega_b[1][l];
        double wz = arm_a * pairs->omega_a[2][l] + arm_b * pairs->omega_b[2][l];
        to->velocity[0][l] = pairs->velocity[0][l] - (wy * nz - wz * ny);
        to->velocity[1][l] = pairs->velocity[1][l] - (wz * nx - wx * nz);
        to->velocity[2][l] = pairs->velocity[2][l] - (wx * ny - wy * nx);
        double tx = arm_a * pairs->turn_a[0][l] + arm_b * pairs->turn_b[0][l];
        double ty = arm_a * pairs->turn_a[1][l] + arm_b * pairs->turn_b[1][l];
        double tz = arm_a * pairs->turn_a[2][l] + arm_b * pairs->turn_b[2][l];
        to->way[0][l] = pairs->way[0][l] - (ty * nz - tz * ny);
        to->way[1][l] = pairs->way[1][l] - (tz * nx - tx * nz);
        to->way[2][l] = pairs->way[2][l] - (tx * ny - ty * nx);
        to->twist[l] = 0.5 * ((pairs->turn_a[0][l] + pairs->turn_b[0][l]) * nx +
                              (pairs->turn_a[1][l] + pairs->turn_b[1][l]) * ny +
                              (pairs->turn_a[2][l] + pairs->turn_b[2][l]) * nz);
    }
}

static void touch_one_wall(const struct soft_row *a, const struct soft_row *b,
                           const struct wall *wall, const struct cell *cell, struct lanes *to,
                           int l) {
    vec3 at = cell_branch(cell, wall->point, row_vector(a->position));
    struct touch touch = touch_wall(wall, at, a->radius);
    double arm = a->radius + 0.5 * touch.gap;
    vec3 n = touch.normal, arm_a = vec3_scale(arm, n), arm_b = vec3_add(at, arm_a);
    vec3 on_a = vec3_add(row_vector(a->velocity), vec3_cross(row_vector(a->omega), arm_a));
    vec3 on_b = vec3_add(row_vector(b->velocity), vec3_cross(row_vector(b->omega), arm_b));
    vec3 velocity = vec3_sub(on_b, on_a);
    vec3 way_a = vec3_add(row_vector(a->shift), vec3_cross(row_vector(a->turn), arm_a));
    vec3 way_b = vec3_add(row_vector(b->shift), vec3_cross(row_vector(b->turn), arm_b));
    vec3 way = vec3_sub(way_b, way_a);
    vec3 turn = vec3_add(row_vector(a->turn), row_vector(b->turn));
    to->overlap[l] = -touch.gap;
    to->arm_a[l] = arm;
    to->arm_b[l] = 0.0;
    to->twist[l] = 0.5 * vec3_dot(turn, n);
    for (int k = 0; k < 3; k++) {
        to->normal[k][l] = vec3_component(n, k);
        to->velocity[k][l] = vec3_component(velocity, k);
        to->way[k][l] = vec3_component(way, k);
    }
}

/* ---- the law ------------------------------------------------------------------------------------- */

/* What becomes of eight pairs before friction has had its say. */
struct tested {
    double touches[SOFT_LANES]; /* 1 or 0: a factor, because the loops must not branch */
    double is_new[SOFT_LANES];  /* likewise: was apart */
    double elastic[SOFT_LANES], push[SOFT_LANES], opening[SOFT_LANES];
    double carried[3][SOFT_LANES],
        stretch[3][SOFT_LANES];                  /* the spring before and after its slip */
    double test[3][SOFT_LANES];                  /* N, tangential */
    double share[SOFT_LANES], keep[SOFT_LANES];  /* of the test force and of the spring */
    double k_t[SOFT_LANES], gamma_t[SOFT_LANES]; /* N/m, kg/s, along the surface */
    double before[SOFT_LANES];                   /* N/m, k_t at the last step */
    double faded[SOFT_LANES]; /* J, lost by a spring that became stiffer or softer */
};

IN_LOOP void push_apart(const struct lanes *pair, const struct soft_laws *laws, struct tested *to,
                        enum soft_kind kind) {
    LANES {
        double opening = pair->velocity[0][l] * pair->normal[0][l] +
                         pair->velocity[1][l] * pair->normal[1][l] +
                         pair->velocity[2][l] * pair->normal[2][l];
        double touches = pair->overlap[l] > 0.0 ? 1.0 : 0.0, xi = touches * pair->overlap[l];
        double root = kind == SOFT_HERTZ ? sqrt(xi) : 1.0;
        double drag = laws->damping[l], slope = laws->stiffness[l] * root;
        double elastic = slope * xi, k_t = laws->tangential_stiffness[l];
        double gamma_t = laws->tangential_damping[l];
        if (kind == SOFT_HERTZ) { /* xi^1/2 viscoelastic, xi^1/4 constant restitution [Tsuji1992] */
            double constant = laws->is_constant[l];
            drag = drag * (constant * sqrt(root) + (1.0 - constant) * root);
            k_t = k_t + laws->slip_ratio[l] * (1.5 * slope); /* [Mindlin1953] */
            gamma_t = gamma_t + laws->slip_damping_ratio[l] * drag;
        }
        double push = elastic - drag * opening; /* [Wolf2006, eq. 11] */
        to->k_t[l] = k_t;
        to->gamma_t[l] = gamma_t;
        to->touches[l] = touches;
        to->opening[l] = opening;
        to->elastic[l] = elastic;
        to->push[l] = touches * (push > 0.0 ? push : 0.0);
    }
}

/* The spring turns the short way from the old normal to the new one and with both bodies about it, and grows by the way
 * of the contact point in the step [Pena2009, sect. 4]. */
IN_LOOP void carry(const struct lanes *pair, const struct soft_block *block,
                   const double *slip_stiffness, struct tested *to, enum soft_kind kind) {
    LANES {
        double nx = pair->normal[0][l], ny = pair->normal[1][l], nz = pair->normal[2][l];
        double sx = block->stretch[0][l], sy = block->stretch[1][l], sz = block->stretch[2][l];
        double ox = block->normal[0][l], oy = block->normal[1][l], oz = block->normal[2][l];
        double cosine = ox * nx + oy * ny + oz * nz;
        to->is_new[l] = ox * ox + oy * oy + oz * oz > 0.0 ? 0.0 : 1.0;
        double turns = cosine > -0.5 ? 1.0 : 0.0; /* no contact turns further in one step */
        /* The short way and then about n, in one turn: with c the cosine and h the tangent of half the second angle (twist/2,
         * nearly the same) Rodrigues' vector of both is A/(1 + c), A = o x n + h (o + n), and
         * s' = s + A x s/(1 + h^2) + A x (A x s)/((1 + c) (1 + h^2)). */
        double h = 0.5 * pair->twist[l];
        double ax = turns * (oy * nz - oz * ny + h * (ox + nx));
        double ay = turns * (oz * nx - ox * nz + h * (oy + ny));
        double az = turns * (ox * ny - oy * nx + h * (oz + nz));
        double one_more = 1.0 + turns * cosine;
        double both = 1.0 / (one_more * (1.0 + h * h)), one = both * one_more;
        double dx = ay * sz - az * sy, dy = az * sx - ax * sz, dz = ax * sy - ay * sx;
        double cx = sx + one * dx + both * (ay * dz - az * dy);
        double cy = sy + one * dy + both * (az * dx - ax * dz);
        double cz = sz + one * dz + both * (ax * dy - ay * dx);
        double out = cx * nx + cy * ny + cz * nz;
        cx = cx - out * nx;
        cy = cy - out * ny;
        cz = cz - out * nz;
        double before = to->k_t[l];
        if (kind == SOFT_HERTZ) { /* as soft_fade in law/soft.h */
            double now = to->k_t[l], size2 = cx * cx + cy * cy + cz * cz;
            before = slip_stiffness[l];
            double ratio = before / now, share = now > before ? ratio : 1.0;
            cx = share * cx;
            cy = share * cy;
            cz = share * cz;
            to->faded[l] = 0.5 * size2 * (before - now * share * share);
        }
        to->before[l] = before;
        double wx = pair->way[0][l], wy = pair->way[1][l], wz = pair->way[2][l];
        double wn = wx * nx + wy * ny + wz * nz;
        to->carried[0][l] = cx;
        to->carried[1][l] = cy;
        to->carried[2][l] = cz;
        to->stretch[0][l] = cx + (wx - wn * nx);
        to->stretch[1][l] = cy + (wy - wn * ny);
        to->stretch[2][l] = cz + (wz - wn * nz);
    }
}

/* [Wolf2006, eqs. 18-22]; true: a pair begins to touch. Both are rare and share one look at all lanes. */
IN_LOOP bool test_friction(const struct lanes *pair, const struct soft_laws *laws,
                           struct tested *to) {
    const double begins = 64.0; /* more than all lanes that slide */
    double over = 0.0;
    double test2[SOFT_LANES], spring2[SOFT_LANES];
#pragma omp simd reduction(+ : over)
    for (int l = 0; l < SOFT_LANES; l++) {
        double k_t = to->k_t[l], gamma_t = to->gamma_t[l];
        double sx = to->stretch[0][l], sy = to->stretch[1][l], sz = to->stretch[2][l];
        double opening = to->opening[l];
        double tx = -k_t * sx - gamma_t * (pair->velocity[0][l] - opening * pair->normal[0][l]);
        double ty = -k_t * sy - gamma_t * (pair->velocity[1][l] - opening * pair->normal[1][l]);
        double tz = -k_t * sz - gamma_t * (pair->velocity[2][l] - opening * pair->normal[2][l]);
        double limit = laws->mu_static[l] * to->push[l];
        to->test[0][l] = tx;
        to->test[1][l] = ty;
        to->test[2][l] = tz;
        test2[l] = tx * tx + ty * ty + tz * tz;
        spring2[l] = k_t * k_t * (sx * sx + sy * sy + sz * sz);
        to->share[l] = to->keep[l] = 1.0;
        over += test2[l] > limit * limit ? 1.0 : 0.0;
        over += spring2[l] > limit * limit ? 1.0 : 0.0;
        over += begins * (to->touches[l] * to->is_new[l]);
    }
    if (over == 0.0) return false; /* all hold: mostly so, and roots are dear */
    LANES {
        double limit = laws->mu_static[l] * to->push[l];
        double sliding_limit = laws->mu_sliding[l] * to->push[l];
        double slides = test2[l] > limit * limit ? 1.0 : 0.0;
        limit = slides > 0.0 ? sliding_limit : limit;
        double share = limit / sqrt(test2[l]), keep = limit / sqrt(spring2[l]);
        to->share[l] = slides > 0.0 ? share : 1.0;
        to->keep[l] = spring2[l] > limit * limit ? keep : 1.0;
    }
    return over >= begins;
}

/* Forces, what the springs are now, and the books. */
IN_LOOP void finish(const struct lanes *pair, const struct tested *tested, double *slip_stiffness,
                    struct soft_block *block, struct soft_entry entries[SOFT_LANES],
                    struct lane_sums *sums, enum soft_kind kind) {
    double force[3][SOFT_LANES], couple[3][SOFT_LANES], arm_a[SOFT_LANES];
    LANES {
        double nx = pair->normal[0][l], ny = pair->normal[1][l], nz = pair->normal[2][l];
        double vx = pair->velocity[0][l], vy = pair->velocity[1][l], vz = pair->velocity[2][l];
        double touches = tested->touches[l], share = touches * tested->share[l];
        double keep = touches * tested->keep[l], k_t = tested->k_t[l];
        double tx = share * tested->test[0][l], ty = share * tested->test[1][l];
        double tz = share * tested->test[2][l];
        double cx = tested->carried[0][l], sx = tested->stretch[0][l], kx = keep * sx;
        double cy = tested->carried[1][l], sy = tested->stretch[1][l], ky = keep * sy;
        double cz = tested->carried[2][l], sz = tested->stretch[2][l], kz = keep * sz;
        double lost = (kx + cx) * (sx - kx) + (ky + cy) * (sy - ky) + (kz + cz) * (sz - kz);
        double ox = block->stretch[0][l], oy = block->stretch[1][l], oz = block->stretch[2][l];
        double held = ox * ox + oy * oy + oz * oz; /* let go by pairs that part */
        double push = tested->push[l], elastic = tested->elastic[l], opening = tested->opening[l];
        block->stretch[0][l] = kx;
        block->stretch[1][l] = ky;
        block->stretch[2][l] = kz;
        block->normal[0][l] = touches * nx;
        block->normal[1][l] = touches * ny;
        block->normal[2][l] = touches * nz;
        force[0][l] = tx + push * nx;
        force[1][l] = ty + push * ny;
        force[2][l] = tz + push * nz;
        couple[0][l] = ny * tz - nz * ty;
        couple[1][l] = nz * tx - nx * tz;
        couple[2][l] = nx * ty - ny * tx;
        arm_a[l] = touches * pair->arm_a[l];

        double exponent = kind == SOFT_HERTZ ? 0.4 : 0.5; /* 1/(alpha + 1) */
        double xi = touches * pair->overlap[l];
        double pull = vx * kx + vy * ky + vz * kz; /* the slip in the direction of the spring */
        sums->stored[l] += exponent * elastic * xi + 0.5 * k_t * (kx * kx + ky * ky + kz * kz);
        double cut = 0.5 * (touches * k_t * lost + (1.0 - touches) * tested->before[l] * held);
        if (kind == SOFT_HERTZ) {
            cut = cut + touches * tested->faded[l];
            slip_stiffness[l] = touches * k_t;
        }
        sums->cut[l] += cut;
        sums->damping[l] -= (push - elastic) * opening; /* both are 0 where nothing touches */
        sums->elastic[l] -= elastic * opening - k_t * pull;
        sums->slip[l] -= tx * vx + ty * vy + tz * vz + k_t * pull;
        sums->touching[l] += touches;
        double deepest = sums->deepest[l];
        sums->deepest[l] = xi > deepest ? xi : deepest;
    }
    for (int l = 0; l < SOFT_LANES; l += 4) {
        const four one[4] = {FOUR_OF(&force[0][l]), FOUR_OF(&force[1][l]), FOUR_OF(&force[2][l]),
                             FOUR_OF(&arm_a[l])};
        const four other[4] = {FOUR_OF(&couple[0][l]), FOUR_OF(&couple[1][l]),
                               FOUR_OF(&couple[2][l]), FOUR_OF(&pair->arm_b[l])};
        four forces[4], couples[4];
        four_transpose(one, forces);
        four_transpose(other, couples);
        for (int k = 0; k < 4; k++) {
            FOUR(entries[l + k].part[SOFT_FORCE]) = forces[k];
            FOUR(entries[l + k].part[SOFT_COUPLE]) = couples[k];
        }
    }
}

struct beginning {
    double begins[SOFT_LANES], opening[SOFT_LANES];
};

/* Two grains are judged by their own V_c; walls are thick. */
static void begin(const struct soft_blocks *list, size_t k, const struct beginning *pairs,
                  enum soft_kind kind, bool is_wall, struct soft_sums *sums) {
    const struct soft_laws *laws = &list->laws[list->laws_of[k]];
    for (int l = 0; l < SOFT_LANES; l++) {
        const struct soft_row *a = &list->rows[list->blocks[k].a[l]];
        const struct soft_row *b = &list->rows[list->blocks[k].b[l]];
        if (pairs->begins[l] == 0.0) continue;
        sums->starts += 1.0;
        sums->start_speed = fmax(sums->start_speed, -pairs->opening[l]);
        double gives = a->inverse_mass + b->inverse_mass; /* 0: two that are held fast */
        if (is_wall || gives == 0.0) continue;
        struct soft_numbers law = {.stiffness = laws->stiffness[l],
                                   .damping = laws->damping[l],
                                   .exponent = kind == SOFT_HERTZ ? 1.5 : 1.0};
        soft_begin(&law, 1.0 / gives, a->radius + b->radius,
                   vec3_norm(vec3_sub(row_vector(b->velocity), row_vector(a->velocity))), sums);
    }
}

/* Block k: the same law as law/soft.h for one pair. */
IN_LOOP void press(const struct soft_blocks *list, size_t k, const struct lanes *pair,
                   enum soft_kind kind, bool is_wall, struct lane_sums *sums,
                   struct soft_sums *starts) {
    const struct soft_laws *laws = &list->laws[list->laws_of[k]];
    struct soft_block *block = &list->blocks[k];
    double *slip_stiffness = list->slip_stiffness + SOFT_LANES * k;
    struct tested tested;
    push_apart(pair, laws, &tested, kind);
    carry(pair, block, slip_stiffness, &tested, kind);
    if (test_friction(pair, laws, &tested)) {
        struct beginning pairs; /* a copy: what others can see has no place in registers */
        LANES pairs.begins[l] = tested.touches[l] * tested.is_new[l];
        LANES pairs.opening[l] = tested.opening[l];
        begin(list, k, &pairs, kind, is_wall, starts);
    }
    finish(pair, &tested, slip_stiffness, block, list->entries + SOFT_LANES * k, sums, kind);
}

IN_LOOP struct soft_sums grains(const struct soft_blocks *list, size_t first, size_t last,
                                enum soft_kind kind, bool widest) {
    struct soft_sums starts = {0};
    struct lane_sums sums;
    memset(&sums, 0, sizeof sums);
    for (size_t k = first; k < last; k++) {
        struct gathered pairs;
        struct lanes lanes;
        place(list->rows, &list->blocks[k], &pairs, widest);
        branch_off(list->cell, &pairs);
        if (all_apart(&pairs, &list->blocks[k])) continue;
        gather(list->rows, &list->blocks[k], &pairs, widest);
        touch_grains(&pairs, &lanes);
        press(list, k, &lanes, kind, false, &sums, &starts);
    }
    return total(&sums, &starts);
}

IN_LOOP struct soft_sums walls(const struct soft_blocks *list, size_t first, size_t last,
                               enum soft_kind kind, const struct wall *wall,
                               const int32_t *wall_of_row) {
    struct soft_sums starts = {0};
    struct lane_sums sums;
    memset(&sums, 0, sizeof sums);
    for (size_t k = first; k < last; k++) {
        struct soft_block *block = &list->blocks[k];
        struct lanes lanes;
        for (int l = 0; l < SOFT_LANES; l++)
            touch_one_wall(&list->rows[block->a[l]], &list->rows[block->b[l]],
                           &wall[wall_of_row[block->b[l]]], list->cell, &lanes, l);
        press(list, k, &lanes, kind, true, &sums, &starts);
    }
    return total(&sums, &starts);
}

WIDEST static struct soft_sums grains_widest(const struct soft_blocks *list, size_t first,
                                             size_t last, enum soft_kind kind) {
    return kind == SOFT_HERTZ ? grains(list, first, last, SOFT_HERTZ, true)
                              : grains(list, first, last, SOFT_LINEAR, true);
}

WIDE_OR_LESS static struct soft_sums grains_wide(const struct soft_blocks *list, size_t first,
                                                 size_t last, enum soft_kind kind) {
    return kind == SOFT_HERTZ ? grains(list, first, last, SOFT_HERTZ, false)
                              : grains(list, first, last, SOFT_LINEAR, false);
}

struct soft_sums soft_kernel_grains(const struct soft_blocks *list, size_t first, size_t last,
                                    enum soft_kind kind) {
    return HAS_WIDEST ? grains_widest(list, first, last, kind)
                      : grains_wide(list, first, last, kind);
}

WIDE struct soft_sums soft_kernel_walls(const struct soft_blocks *list, size_t first, size_t last,
                                        enum soft_kind kind, const struct wall *wall,
                                        const int32_t *wall_of_row) {
    return kind == SOFT_HERTZ ? walls(list, first, last, SOFT_HERTZ, wall, wall_of_row)
                              : walls(list, first, last, SOFT_LINEAR, wall, wall_of_row);
}
