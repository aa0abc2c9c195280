/* SPDX-License-Identifier: Apache-2.0
 *
 * What single grains did. The strain around a grain is that of the linear map F which takes the branches b to its
 * neighbours at the first moment nearest to those b' at the second, in the mean square:
 *
 *     F = (sum b' b^T) (sum b b^T)^-1,   e = (F + F^T)/2 - 1.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "papers/triaxial/triaxial.h"

static const double near = 2.0; /* diameters: these are neighbours */

bool snapshot_take(struct snapshot *snapshot, const talus_sim *sim) {
    talus_body_view bodies = talus_sim_bodies(sim);
    snapshot_free(snapshot);
    snapshot->position = malloc(bodies.count * sizeof *snapshot->position);
    snapshot->orientation = malloc(bodies.count * sizeof *snapshot->orientation);
    if (snapshot->position == NULL || snapshot->orientation == NULL) return false;
    memcpy(snapshot->position, bodies.position, bodies.count * sizeof *snapshot->position);
    memcpy(snapshot->orientation, bodies.orientation, bodies.count * sizeof *snapshot->orientation);
    snapshot->count = bodies.count;
    return true;
}

void snapshot_free(struct snapshot *snapshot) {
    free(snapshot->position);
    free(snapshot->orientation);
    *snapshot = (struct snapshot){0};
}

typedef double tensor[3][3];

static bool invert(tensor a, tensor out) {
    double det = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            out[j][i] = a[i1][j1] * a[i2][j2] - a[i1][j2] * a[i2][j1];
            if (i == 0) det += a[0][j] * out[j][0];
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) out[i][j] /= det;
    return fabs(det) > 1e-9;
}

static void branch(const talus_vec3 *position, size_t from, size_t to, double out[3]) {
    out[0] = position[to].x - position[from].x;
    out[1] = position[to].y - position[from].y;
    out[2] = position[to].z - position[from].z;
}

static double deviator(tensor map) {
    double mean = (map[0][0] + map[1][1] + map[2][2]) / 3.0, sum = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double e = 0.5 * (map[i][j] + map[j][i]) - (i == j ? mean : 0.0);
            sum += e * e;
        }
    return sqrt(2.0 / 3.0 * sum);
}

static double shear_of(const talus_body_view *bodies, const struct snapshot *first,
                       const struct snapshot *second, size_t i) {
    tensor before = {{0}}, cross = {{0}}, inverse, map = {{0}};
    for (size_t j = 0; j < first->count; j++) {
        double b[3], c[3];
        if (j == i || bodies->kind[j] != TALUS_BODY_GRAIN) continue;
        branch(first->position, i, j, b);
        if (b[0] * b[0] + b[1] * b[1] + b[2] * b[2] > near * near) continue;
        branch(second->position, i, j, c);
        for (int k = 0; k < 3; k++)
            for (int l = 0; l < 3; l++) {
                before[k][l] += b[k] * b[l];
                cross[k][l] += c[k] * b[l];
            }
    }
    if (!invert(before, inverse)) return 0.0;
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++)
            for (int m = 0; m < 3; m++) map[k][l] += cross[k][m] * inverse[m][l];
    return deviator(map);
}

/* The angle of the rotation from a to b. */
static double turn_of(talus_quat a, talus_quat b) {
    double cosine = fabs(a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z);
    return 2.0 * acos(fmin(cosine, 1.0));
}

struct deed *local_deeds(const talus_sim *sim, const struct snapshot *first,
                         const struct snapshot *second) {
    talus_body_view bodies = talus_sim_bodies(sim);
    struct deed *deeds = calloc(first->count, sizeof *deeds);
    for (size_t i = 0; deeds != NULL && i < first->count; i++) {
        if (bodies.kind[i] != TALUS_BODY_GRAIN) continue;
        deeds[i] =
            (struct deed){first->position[i], bodies.radius[i], shear_of(&bodies, first, second, i),
                          turn_of(first->orientation[i], second->orientation[i])};
    }
    return deeds;
}

static int falling(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a < b) - (a > b);
}

/* Shear of the grains, the largest first; how many, 0: no memory. The caller frees them. */
static size_t sorted_shears(const struct deed *deeds, size_t count, double **out) {
    size_t grains = 0;
    *out = malloc(count * sizeof **out);
    if (*out == NULL) return 0;
    for (size_t i = 0; i < count; i++)
        if (deeds[i].radius > 0.0) (*out)[grains++] = deeds[i].shear;
    qsort(*out, grains, sizeof **out, falling);
    return grains;
}

double local_share(const struct deed *deeds, size_t count) {
    double *shears, sum = 0.0, top = 0.0;
    size_t grains = sorted_shears(deeds, count, &shears);
    for (size_t i = 0; i < grains; i++) {
        sum += shears[i];
        if (5 * i < grains) top += shears[i];
    }
    free(shears);
    return top / sum;
}

/* ---- failure ------------------------------------------------------------------------------------ */

static talus_vec3 middle_of(const struct deed *deeds, size_t count) {
    talus_vec3 sum = {0.0, 0.0, 0.0};
    double grains = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (deeds[i].radius == 0.0) continue;
        sum.x += deeds[i].position.x;
        sum.y += deeds[i].position.y;
        sum.z += deeds[i].position.z;
        grains += 1.0;
    }
    return (talus_vec3){sum.x / grains, sum.y / grains, sum.z / grains};
}

/* Straight line z(x) through the grains above the limit, x along the slide; a slide goes downhill. */
static double slope_of(const struct deed *deeds, size_t count, const struct failure *failure,
                       double limit) {
    double n = 0.0, x = 0.0, z = 0.0, xx = 0.0, xz = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (deeds[i].radius == 0.0 || deeds[i].shear < limit) continue;
        double a = (deeds[i].position.x - failure->middle.x) * failure->along.x +
                   (deeds[i].position.y - failure->middle.y) * failure->along.y;
        n += 1.0;
        x += a;
        z += deeds[i].position.z;
        xx += a * a;
        xz += a * deeds[i].position.z;
    }
    return (x * z - n * xz) / (n * xx - x * x);
}

struct failure local_failure(const struct deed *deeds, const struct snapshot *first,
                             const struct snapshot *second) {
    struct failure failure = {.middle = middle_of(deeds, first->count)};
    double a = 0.0, b = 0.0, *shears;
    for (size_t i = 0; i < first->count; i++) {
        if (deeds[i].radius == 0.0) continue;
        double height = first->position[i].z - failure.middle.z;
        a += height * (second->position[i].x - first->position[i].x);
        b += height * (second->position[i].y - first->position[i].y);
    }
    failure.along = (talus_vec3){a / hypot(a, b), b / hypot(a, b), 0.0};
    size_t grains = sorted_shears(deeds, first->count, &shears);
    if (grains > 0)
        failure.inclination = atan(slope_of(deeds, first->count, &failure, shears[grains / 5])) *
                              180.0 / 3.141592653589793;
    free(shears);
    return failure;
}
