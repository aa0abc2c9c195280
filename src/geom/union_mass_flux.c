/* SPDX-License-Identifier: Apache-2.0
 *
 * The curves of a patch, and the flux of x f through the stretches of them that lie on the surface of
 * the union: int f (x . n) along the curve, in closed form.
 */
#include "geom/union_mass_skin.h"

static const double pi = 3.14159265358979323846;

/* ---- the curves of a patch ----------------------------------------------------------------------- */

/* The line of a face at the height `place` along axis[1], between the sides of the face. Returns a number
 * for the two sides. */
static uint64_t face_line(const struct skin *skin, const struct patch *patch, double place,
                          struct curve *line) {
    const struct convex *hull = &skin->parts.part[patch->feature.part].hull;
    const struct convex_face *face = &hull->faces[patch->feature.index];
    const int32_t *loop = hull->loops + face->first;
    uint64_t low_side = 0, high_side = 0;
    line->at = vec3_add_scaled(patch->origin, place, patch->axis[1]);
    line->along = patch->axis[0];
    line->from = HUGE_VAL;
    line->to = -HUGE_VAL;
    for (int32_t k = 0; k < face->count; k++) {
        vec3 a = vec3_sub(hull->vertices[loop[k]], patch->origin);
        vec3 b = vec3_sub(hull->vertices[loop[k + 1 < face->count ? k + 1 : 0]], patch->origin);
        double height_a = vec3_dot(a, patch->axis[1]) - place;
        double height_b = vec3_dot(b, patch->axis[1]) - place;
        if ((height_a > 0.0) == (height_b > 0.0)) continue;
        double x = vec3_dot(a, patch->axis[0]), y = vec3_dot(b, patch->axis[0]);
        double t = x + (y - x) * (height_a / (height_a - height_b));
        if (t < line->from) low_side = (uint64_t)k;
        if (t > line->to) high_side = (uint64_t)k;
        line->from = fmin(line->from, t);
        line->to = fmax(line->to, t);
    }
    return low_side * (uint64_t)face->count + high_side;
}

uint64_t skin_draw(struct skin *skin, double place, struct curve *curve, double *area) {
    const struct patch *patch = &skin->patch;
    const vec3 *axis = patch->axis;
    double c = cos(place), s = sin(place), r = patch->rounding;
    uint64_t ends = 0;
    cover_clear(&skin->cover);
    *curve = (struct curve){.round = patch->feature.kind == FEATURE_VERTEX};
    if (patch->feature.kind == FEATURE_FACE) {
        ends = face_line(skin, patch, place, curve);
        *area = 1.0;
    } else if (patch->feature.kind == FEATURE_EDGE) {
        vec3 normal = vec3_add_scaled(vec3_scale(c, axis[0]), s, axis[1]);
        curve->at = vec3_add_scaled(patch->origin, r, normal);
        curve->along = axis[2];
        curve->to = patch->length;
        *area = r;
    } else {
        curve->at = vec3_add_scaled(patch->origin, r * s, axis[2]);
        curve->along = vec3_scale(r * c, axis[0]);
        curve->across = vec3_scale(r * c, axis[1]);
        curve->to = 2.0 * pi;
        *area = r * r * c;
        for (int32_t k = 0; k < patch->cone_count; k++)
            cover_by_plane(&skin->cover, curve, patch->cone[k],
                           vec3_dot(patch->cone[k], patch->origin), patch->near_count + k);
    }
    return ends;
}

/* ---- along a curve ------------------------------------------------------------------------------- */

/* Everything on a curve is a combination of a few functions y of its parameter: 1, t on lines and 1, cos t,
 * sin t on circles. x = X y, n = N y, x . n = h . y; these are the integrals of products of the y. */
struct products {
    double y1[3], y2[3][3], y3[3][3][3];
};

static void line_products(double from, double to, struct products *out) {
    double middle = 0.5 * (from + to), length = to - from;
    double first = middle * length;
    double second = length * (middle * middle + length * length / 12.0);
    *out = (struct products){.y1 = {length, first, 0.0}};
    out->y2[0][0] = length;
    out->y2[0][1] = out->y2[1][0] = first;
    out->y2[1][1] = second;
    /* The third factor is x . n, which is constant on a line. */
    for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) out->y3[a][b][0] = out->y2[a][b];
}

static void circle_products(double from, double to, struct products *out) {
    double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    double cm = cos(middle), sm = sin(middle), ch = cos(half), sh = sin(half);
    /* int cos kt, int sin kt = 2/k sin(k half) (cos, sin)(k middle) */
    double c1 = 2.0 * sh * cm, s1 = 2.0 * sh * sm;
    double s2h = 2.0 * sh * ch, c2m = cm * cm - sm * sm, s2m = 2.0 * sm * cm;
    double c2 = s2h * c2m, s2 = s2h * s2m;
    double third = 2.0 / 3.0 * sh * (3.0 - 4.0 * sh * sh);
    double c3 = third * (c2m * cm - s2m * sm), s3 = third * (s2m * cm + c2m * sm);
    /* int cos^i sin^j at [i][j] */
    const double power[4][4] = {{2.0 * half, s1, half - 0.5 * c2, 0.25 * (3.0 * s1 - s3)},
                                {c1, 0.5 * s2, 0.25 * (c1 - c3), 0.0},
                                {half + 0.5 * c2, 0.25 * (s1 + s3), 0.0, 0.0},
                                {0.25 * (3.0 * c1 + c3), 0.0, 0.0, 0.0}};
    for (int a = 0; a < 3; a++) {
        out->y1[a] = power[a == 1][a == 2];
        for (int b = 0; b < 3; b++) {
            out->y2[a][b] = power[(a == 1) + (b == 1)][(a == 2) + (b == 2)];
            for (int c = 0; c < 3; c++)
                out->y3[a][b][c] =
                    power[(a == 1) + (b == 1) + (c == 1)][(a == 2) + (b == 2) + (c == 2)];
        }
    }
}

/* x and n of a curve as combinations, and x . n. */
struct sheet {
    double x[3][3], n[3][3], h[3]; /* component, function */
    double swelling;
};

static void set_column(double m[3][3], int column, vec3 a) {
    m[0][column] = a.x;
    m[1][column] = a.y;
    m[2][column] = a.z;
}

static struct sheet sheet_of(const struct patch *patch, const struct curve *curve) {
    struct sheet sheet = {.swelling = patch->swelling};
    set_column(sheet.x, 0, curve->at);
    set_column(sheet.x, 1, curve->along);
    set_column(sheet.x, 2, curve->across);
    if (!curve->round) {
        vec3 normal = patch->axis[2];
        if (patch->feature.kind == FEATURE_EDGE)
            normal = vec3_scale(1.0 / patch->rounding, vec3_sub(curve->at, patch->origin));
        set_column(sheet.n, 0, normal);
        sheet.h[0] = vec3_dot(normal, curve->at);
        return sheet;
    }
    double each = 1.0 / patch->rounding;
    vec3 n[3] = {vec3_scale(each, vec3_sub(curve->at, patch->origin)),
                 vec3_scale(each, curve->along), vec3_scale(each, curve->across)};
    for (int k = 0; k < 3; k++) {
        set_column(sheet.n, k, n[k]);
        sheet.h[k] = vec3_dot(patch->origin, n[k]); /* x . n = v . n + r */
    }
    sheet.h[0] += patch->rounding;
    return sheet;
}

static void add_closure(double *sum, double area, const struct sheet *s, const struct products *p) {
    for (int j = 0; j < 3; j++)
        for (int b = 0; b < 3; b++) {
            sum[NORMAL + j] += area * s->n[j][b] * p->y1[b];
            for (int i = 0; i < 3; i++)
                for (int a = 0; a < 3; a++)
                    sum[CLOSURE + 3 * i + j] += area * s->x[i][a] * s->n[j][b] * p->y2[a][b];
        }
}

/* Flux through a stretch less what the swelling adds. */
static void add_moments(double *sum, double area, const struct sheet *s, const struct products *p) {
    double first[3], second[3][3], volume = -s->swelling * p->y1[0];
    for (int a = 0; a < 3; a++) {
        volume += s->h[a] * p->y1[a] / 3.0;
        first[a] = -s->swelling * p->y1[a];
        for (int c = 0; c < 3; c++) first[a] += 0.25 * s->h[c] * p->y2[a][c];
        for (int b = 0; b < 3; b++) {
            second[a][b] = -s->swelling * p->y2[a][b];
            for (int c = 0; c < 3; c++) second[a][b] += 0.2 * s->h[c] * p->y3[a][b][c];
        }
    }
    sum[VOLUME] += area * volume;
    for (int i = 0, place = SECOND; i < 3; i++) {
        for (int a = 0; a < 3; a++) sum[FIRST + i] += area * s->x[i][a] * first[a];
        for (int j = i; j < 3; j++, place++)
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++)
                    sum[place] += area * s->x[i][a] * s->x[j][b] * second[a][b];
    }
}

uint64_t skin_along(struct skin *skin, double place, double *sum) {
    struct patch *patch = &skin->patch;
    struct curve curve;
    double area;
    uint64_t form = skin_draw(skin, place, &curve, &area);
    for (int i = 0; sum != NULL && i < INTEGRALS; i++) sum[i] = 0.0;
    if (!(curve.to > curve.from)) return 0;
    for (int32_t k = 0; k < patch->group_count; k++) {
        struct group group = patch->groups[k];
        if (!cover_by_part(&skin->cover, &curve, &skin->parts.part[group.part],
                           patch->near + group.first, group.count, group.first))
            continue;
        patch->groups[k] = patch->groups[0]; /* likely to cover the next one too */
        patch->groups[0] = group;
        return 0;
    }
    int32_t count = skin->gap_count = cover_gaps(&skin->cover, &curve);
    struct sheet sheet = sheet_of(patch, &curve);
    for (int32_t k = 0; k < count; k++) {
        const struct stretch *gap = &skin->cover.gaps[k];
        const uint64_t factor = 1099511628211u;
        form = (form ^ (uint64_t)(gap->from_surface + 2)) * factor;
        form = (form ^ (uint64_t)(gap->to_surface + 2)) * factor;
        if (sum == NULL) continue;
        struct products products;
        if (curve.round)
            circle_products(gap->from, gap->to, &products);
        else
            line_products(gap->from, gap->to, &products);
        add_closure(sum, area, &sheet, &products);
        add_moments(sum, area, &sheet, &products);
    }
    return form;
}
