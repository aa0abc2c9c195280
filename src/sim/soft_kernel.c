/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/soft_kernel.h"

#include <math.h>
#include <string.h>

#include "base/inlining.h"

/* One version for each vector width. Operations and their order are the same in all of them. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDE
#endif

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
    double slip[SOFT_LANES], touching[SOFT_LANES], starts[SOFT_LANES];
};

static double add_up(const double lanes[SOFT_LANES]) {
    double sum = 0.0;
    for (int l = 0; l < SOFT_LANES; l++) sum += lanes[l];
    return sum;
}

static struct soft_sums total(const struct lane_sums *sums) {
    return (struct soft_sums){.stored = add_up(sums->stored),
                              .cut = add_up(sums->cut),
                              .damping = add_up(sums->damping),
                              .elastic = add_up(sums->elastic),
                              .slip = add_up(sums->slip),
                              .touching = add_up(sums->touching),
                              .starts = add_up(sums->starts)};
}

/* ---- geometry ---------------------------------------------------------------------------------- */

struct gathered {
    double branch[3][SOFT_LANES], radius_a[SOFT_LANES], radius_b[SOFT_LANES];
    double velocity[3][SOFT_LANES], way[3][SOFT_LANES]; /* of the centres, b against a */
    double omega_a[3][SOFT_LANES], omega_b[3][SOFT_LANES];
    double turn_a[3][SOFT_LANES], turn_b[3][SOFT_LANES];
};

IN_LOOP void gather(const struct soft_row *rows, const struct soft_block *block,
                    struct gathered *to) {
    for (int l = 0; l < SOFT_LANES; l++) {
        const struct soft_row *a = &rows[block->a[l]], *b = &rows[block->b[l]];
        to->radius_a[l] = a->radius;
        to->radius_b[l] = b->radius;
        for (int k = 0; k < 3; k++) {
            to->branch[k][l] = b->position[k] - a->position[k];
            to->velocity[k][l] = b->velocity[k] - a->velocity[k];
            to->way[k][l] = b->shift[k] - a->shift[k];
            to->omega_a[k][l] = a->omega[k];
            to->omega_b[k][l] = b->omega[k];
            to->turn_a[k][l] = a->turn[k];
            to->turn_b[k][l] = b->turn[k];
        }
    }
}

IN_LOOP void nearest_image(const struct cell *cell, struct gathered *pairs) {
    const double size[3] = {cell->size.x, cell->size.y, cell->size.z};
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < SOFT_LANES && cell->periodic[k]; l++)
            pairs->branch[k][l] = cell_nearest(pairs->branch[k][l], size[k]);
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

static vec3 vec3_of(const double a[3]) {
    return vec3_make(a[0], a[1], a[2]);
}

static void touch_one_wall(const struct soft_row *a, const struct soft_row *b,
                           const struct wall *wall, const struct cell *cell, struct lanes *to,
                           int l) {
    vec3 at = cell_branch(cell, wall->point, vec3_of(a->position));
    struct touch touch = touch_wall(wall, at, a->radius);
    double arm = a->radius + 0.5 * touch.gap;
    vec3 n = touch.normal, arm_a = vec3_scale(arm, n), arm_b = vec3_add(at, arm_a);
    vec3 on_a = vec3_add(vec3_of(a->velocity), vec3_cross(vec3_of(a->omega), arm_a));
    vec3 on_b = vec3_add(vec3_of(b->velocity), vec3_cross(vec3_of(b->omega), arm_b));
    vec3 velocity = vec3_sub(on_b, on_a);
    vec3 way_a = vec3_add(vec3_of(a->shift), vec3_cross(vec3_of(a->turn), arm_a));
    vec3 way_b = vec3_add(vec3_of(b->shift), vec3_cross(vec3_of(b->turn), arm_b));
    vec3 way = vec3_sub(way_b, way_a);
    vec3 turn = vec3_add(vec3_of(a->turn), vec3_of(b->turn));
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

/* [Wolf2006, eqs. 10-11, 18-22]; the same as law/soft.h for one pair. */
IN_LOOP void press(const struct lanes *pair, struct soft_block *block,
                   struct soft_entry entries[SOFT_LANES], struct lane_sums *sums,
                   enum soft_kind kind) {
    double force[3][SOFT_LANES], couple[3][SOFT_LANES], arm_a[SOFT_LANES];
    LANES {
        double nx = pair->normal[0][l], ny = pair->normal[1][l], nz = pair->normal[2][l];
        double overlap = pair->overlap[l];
        double touches = overlap > 0.0 ? 1.0 : 0.0; /* a factor: the loop must not branch */
        double xi = touches * overlap;

        double vx = pair->velocity[0][l], vy = pair->velocity[1][l], vz = pair->velocity[2][l];
        double opening = vx * nx + vy * ny + vz * nz;
        double power = kind == SOFT_HERTZ ? sqrt(xi) : 1.0;
        double elastic = block->stiffness[l] * power * xi;
        double push = elastic - block->damping[l] * power * opening;
        push = touches * (push > 0.0 ? push : 0.0);

        /* The spring turns the short way from the old normal to the new one ... */
        double sx = block->stretch[0][l], sy = block->stretch[1][l], sz = block->stretch[2][l];
        double ox = block->normal[0][l], oy = block->normal[1][l], oz = block->normal[2][l];
        double k_t = block->tangential_stiffness[l];
        double held = sx * sx + sy * sy + sz * sz;
        double ax = oy * nz - oz * ny, ay = oz * nx - ox * nz, az = ox * ny - oy * nx;
        double cosine = ox * nx + oy * ny + oz * nz;
        double along = (ax * sx + ay * sy + az * sz) / (1.0 + cosine);
        double rx = cosine * sx + (ay * sz - az * sy) + along * ax;
        double ry = cosine * sy + (az * sx - ax * sz) + along * ay;
        double rz = cosine * sz + (ax * sy - ay * sx) + along * az;
        double out = rx * nx + ry * ny + rz * nz;
        rx = rx - out * nx;
        ry = ry - out * ny;
        rz = rz - out * nz;
        /* ... and with both bodies about it, by the rotation with the tangent of half the angle, twist/2. */
        double half = 0.5 * pair->twist[l], per = 1.0 / (1.0 + half * half);
        double even = (1.0 - half * half) * per, odd = 2.0 * half * per;
        double cx = even * rx + odd * (ny * rz - nz * ry);
        double cy = even * ry + odd * (nz * rx - nx * rz);
        double cz = even * rz + odd * (nx * ry - ny * rx);

        /* It grows by the way of the contact point in the step [Pena2009, sect. 4]. */
        double wx = pair->way[0][l], wy = pair->way[1][l], wz = pair->way[2][l];
        double wn = wx * nx + wy * ny + wz * nz;
        sx = cx + (wx - wn * nx);
        sy = cy + (wy - wn * ny);
        sz = cz + (wz - wn * nz);

        double gamma_t = block->tangential_damping[l];
        double tx = -k_t * sx - gamma_t * (vx - opening * nx); /* [Wolf2006, eq. 18] */
        double ty = -k_t * sy - gamma_t * (vy - opening * ny);
        double tz = -k_t * sz - gamma_t * (vz - opening * nz);
        double test2 = tx * tx + ty * ty + tz * tz, limit = block->mu_static[l] * push;
        bool slides = test2 > limit * limit; /* [Wolf2006, eqs. 19-20] */
        double sliding_limit = block->mu_sliding[l] * push;
        limit = slides ? sliding_limit : limit;
        double share = limit / sqrt(test2);
        share = slides ? share : 1.0;
        tx = share * tx;
        ty = share * ty;
        tz = share * tz;
        double spring2 = k_t * k_t * (sx * sx + sy * sy + sz * sz);
        bool cuts = spring2 > limit * limit; /* [Wolf2006, eq. 22] */
        double keep = limit / sqrt(spring2);
        keep = cuts ? keep : 1.0;
        double kx = keep * sx, ky = keep * sy, kz = keep * sz;
        double lost = 0.5 * k_t *
                      ((kx + cx) * (sx - kx) + (ky + cy) * (sy - ky) + (kz + cz) * (sz - kz));
        lost = cuts ? lost : 0.0;
        lost = touches * lost + (1.0 - touches) * 0.5 * k_t * held; /* or it is let go */
        kx = touches * kx;
        ky = touches * ky;
        kz = touches * kz;
        tx = touches * tx;
        ty = touches * ty;
        tz = touches * tz;

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

        double pull = vx * kx + vy * ky + vz * kz; /* the slip in the direction of the spring */
        double exponent = kind == SOFT_HERTZ ? 2.5 : 2.0;
        sums->stored[l] += elastic * xi / exponent + 0.5 * k_t * (kx * kx + ky * ky + kz * kz);
        sums->cut[l] += lost;
        sums->damping[l] -= (push - elastic) * opening; /* both are 0 where nothing touches */
        sums->elastic[l] -= elastic * opening - k_t * pull;
        sums->slip[l] -= tx * vx + ty * vy + tz * vz + k_t * pull;
        sums->touching[l] += touches;
        double is_new = ox * ox + oy * oy + oz * oz > 0.0 ? 0.0 : 1.0;
        sums->starts[l] += touches * is_new;
    }
    for (int l = 0; l < SOFT_LANES; l++)
        entries[l] = (struct soft_entry){{force[0][l], force[1][l], force[2][l]},
                                         arm_a[l],
                                         {couple[0][l], couple[1][l], couple[2][l]},
                                         pair->arm_b[l]};
}

IN_LOOP struct soft_sums grains(const struct soft_blocks *list, size_t first, size_t last,
                                enum soft_kind kind) {
    struct lane_sums sums;
    memset(&sums, 0, sizeof sums);
    for (size_t k = first; k < last; k++) {
        struct gathered pairs;
        struct lanes lanes;
        gather(list->rows, &list->blocks[k], &pairs);
        if (list->cell->any) nearest_image(list->cell, &pairs);
        touch_grains(&pairs, &lanes);
        press(&lanes, &list->blocks[k], list->entries + SOFT_LANES * k, &sums, kind);
    }
    return total(&sums);
}

IN_LOOP struct soft_sums walls(const struct soft_blocks *list, size_t first, size_t last,
                               enum soft_kind kind, const struct wall *wall,
                               const int32_t *wall_of_row) {
    struct lane_sums sums;
    memset(&sums, 0, sizeof sums);
    for (size_t k = first; k < last; k++) {
        struct soft_block *block = &list->blocks[k];
        struct lanes lanes;
        for (int l = 0; l < SOFT_LANES; l++)
            touch_one_wall(&list->rows[block->a[l]], &list->rows[block->b[l]],
                           &wall[wall_of_row[block->b[l]]], list->cell, &lanes, l);
        press(&lanes, block, list->entries + SOFT_LANES * k, &sums, kind);
    }
    return total(&sums);
}

WIDE struct soft_sums soft_kernel_grains(const struct soft_blocks *list, size_t first, size_t last,
                                         enum soft_kind kind) {
    return kind == SOFT_HERTZ ? grains(list, first, last, SOFT_HERTZ)
                              : grains(list, first, last, SOFT_LINEAR);
}

WIDE struct soft_sums soft_kernel_walls(const struct soft_blocks *list, size_t first, size_t last,
                                        enum soft_kind kind, const struct wall *wall,
                                        const int32_t *wall_of_row) {
    return kind == SOFT_HERTZ ? walls(list, first, last, SOFT_HERTZ, wall, wall_of_row)
                              : walls(list, first, last, SOFT_LINEAR, wall, wall_of_row);
}
