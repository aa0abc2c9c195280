/* SPDX-License-Identifier: Apache-2.0
 *
 * A global problem reduced to its contacts. M falls into parts that nothing couples (bodies, or bodies tied by
 * constraints), each small enough to be inverted as a dense matrix:
 *     W = H^T A^-1 H      q = H^T A^-1 f + w      A = [M -G; G^T 0], H and f filled up with 0 and -b
 * A is not assumed symmetric.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "io/fclib.h"
#include "math/dense.h"

enum { PART_LARGEST = 3000 };            /* rows of a part: 72 MB, some seconds */
static const double pivot_least = 1e-13; /* of the largest entry of a part: the rest is rounding */

struct parts {
    size_t size, count, largest;
    int32_t *of;     /* root while being found, then the number of the part */
    size_t *start;   /* count + 1, of `member` */
    int32_t *member; /* rows, ascending within a part */
    int32_t *place;  /* of a row in its part */
};

static int32_t root(int32_t *of, int32_t i) {
    while (of[i] != i) i = of[i] = of[of[i]];
    return i;
}

static bool parts_reserve(struct parts *parts, struct memory *memory, size_t size) {
    *parts = (struct parts){.size = size};
    parts->of = memory_resize(memory, NULL, 0, size, sizeof *parts->of);
    parts->start = memory_resize(memory, NULL, 0, size + 1, sizeof *parts->start);
    parts->member = memory_resize(memory, NULL, 0, size, sizeof *parts->member);
    parts->place = memory_resize(memory, NULL, 0, size, sizeof *parts->place);
    return parts->of != NULL && parts->start != NULL && parts->member != NULL &&
           parts->place != NULL;
}

static void parts_free(struct parts *parts, struct memory *memory) {
    memory_free(memory, parts->of, parts->size, sizeof *parts->of);
    memory_free(memory, parts->start, parts->size + 1, sizeof *parts->start);
    memory_free(memory, parts->member, parts->size, sizeof *parts->member);
    memory_free(memory, parts->place, parts->size, sizeof *parts->place);
}

/* The smaller root stays, so that a root comes before the others of its part. */
static void parts_find(struct parts *parts, const struct sparse *a) {
    for (size_t i = 0; i < parts->size; i++) parts->of[i] = (int32_t)i;
    for (size_t i = 0; i < a->rows; i++)
        for (size_t k = a->start[i]; k < a->start[i + 1]; k++) {
            int32_t x = root(parts->of, (int32_t)i), y = root(parts->of, a->column[k]);
            if (x < y) parts->of[y] = x;
            if (y < x) parts->of[x] = y;
        }
    for (size_t i = 0; i < parts->size; i++) {
        int32_t first = root(parts->of, (int32_t)i);
        /* place[] keeps the number of the part at its root for the moment */
        if ((size_t)first == i) parts->place[i] = (int32_t)parts->count++;
        parts->start[parts->place[first] + 1]++;
    }
    for (size_t i = parts->size; i-- > 0;) parts->of[i] = root(parts->of, (int32_t)i);
    for (size_t i = 0; i < parts->size; i++) parts->member[i] = parts->place[parts->of[i]];
    memcpy(parts->of, parts->member, parts->size * sizeof *parts->of);
    for (size_t p = 0; p < parts->count; p++) {
        if (parts->start[p + 1] > parts->largest) parts->largest = parts->start[p + 1];
        parts->start[p + 1] += parts->start[p];
    }
    for (size_t i = 0; i < parts->size; i++)
        parts->member[parts->start[parts->of[i]]++] = (int32_t)i;
    for (size_t p = parts->count; p > 0; p--) parts->start[p] = parts->start[p - 1];
    parts->start[0] = 0;
    for (size_t p = 0; p < parts->count; p++)
        for (size_t k = parts->start[p]; k < parts->start[p + 1]; k++)
            parts->place[parts->member[k]] = (int32_t)(k - parts->start[p]);
}

/* ---- one part after the other ---------------------------------------------------------------- */

struct reduction {
    struct fclib *fclib;
    const char *path;
    struct parts parts;
    double *dense, *load; /* largest^2, largest */
    int32_t *pivot;
    struct sparse ht; /* H^T, one row for each contact direction */
    talus_error *err;
};

static void free_reduction(struct reduction *reduction) {
    struct memory *memory = &reduction->fclib->memory;
    size_t n = reduction->parts.largest;
    memory_free(memory, reduction->dense, n * n, sizeof *reduction->dense);
    memory_free(memory, reduction->load, n, sizeof *reduction->load);
    memory_free(memory, reduction->pivot, n, sizeof *reduction->pivot);
    sparse_free(&reduction->ht, memory);
    parts_free(&reduction->parts, memory);
}

static talus_status start_reduction(struct reduction *reduction) {
    struct fclib *fclib = reduction->fclib;
    struct memory *memory = &fclib->memory;
    if (!parts_reserve(&reduction->parts, memory, fclib->bodies.m.rows))
        return error_memory(reduction->err);
    parts_find(&reduction->parts, &fclib->bodies.m);
    size_t n = reduction->parts.largest;
    if (n > PART_LARGEST)
        return error_set(reduction->err, TALUS_ERR_INPUT,
                         "%s: M couples %zu rows in one part; up to %d are supported",
                         reduction->path, n, PART_LARGEST);
    reduction->dense = memory_resize(memory, NULL, 0, n * n, sizeof *reduction->dense);
    reduction->load = memory_resize(memory, NULL, 0, n, sizeof *reduction->load);
    reduction->pivot = memory_resize(memory, NULL, 0, n, sizeof *reduction->pivot);
    if (reduction->dense == NULL || reduction->load == NULL || reduction->pivot == NULL ||
        !sparse_transpose(&reduction->ht, memory, &fclib->bodies.h))
        return error_memory(reduction->err);
    return TALUS_OK;
}

static talus_status factor_part(struct reduction *reduction, size_t part) {
    const struct parts *parts = &reduction->parts;
    const struct sparse *a = &reduction->fclib->bodies.m;
    size_t n = parts->start[part + 1] - parts->start[part];
    memset(reduction->dense, 0, n * n * sizeof *reduction->dense);
    for (size_t i = 0; i < n; i++) {
        size_t row = (size_t)parts->member[parts->start[part] + i];
        for (size_t k = a->start[row]; k < a->start[row + 1]; k++)
            reduction->dense[i * n + (size_t)parts->place[a->column[k]]] = a->value[k];
    }
    if (dense_factor(reduction->dense, n, reduction->pivot, pivot_least)) return TALUS_OK;
    return error_set(reduction->err, TALUS_ERR_INPUT, "%s: M%s has no inverse (rows around %d)",
                     reduction->path,
                     reduction->fclib->bodies.equations > 0 ? " with the constraints G" : "",
                     parts->member[parts->start[part]]);
}

/* The columns of H that touch a part. */
static size_t touching(const struct reduction *reduction, size_t part, int32_t *mark,
                       int32_t *list) {
    const struct parts *parts = &reduction->parts;
    const struct sparse *h = &reduction->fclib->bodies.h;
    size_t count = 0;
    for (size_t m = parts->start[part]; m < parts->start[part + 1]; m++) {
        size_t row = (size_t)parts->member[m];
        if (row >= h->rows) continue;
        for (size_t k = h->start[row]; k < h->start[row + 1]; k++) {
            if (mark[h->column[k]] == (int32_t)part + 1) continue;
            mark[h->column[k]] = (int32_t)part + 1;
            list[count++] = h->column[k];
        }
    }
    return count;
}

static double times_column(const struct reduction *reduction, size_t part, int32_t column,
                           const double *x) {
    const struct sparse *ht = &reduction->ht;
    double sum = 0.0;
    for (size_t k = ht->start[column]; k < ht->start[column + 1]; k++)
        if ((size_t)reduction->parts.of[ht->column[k]] == part)
            sum += ht->value[k] * x[reduction->parts.place[ht->column[k]]];
    return sum;
}

static void add_part(struct reduction *reduction, size_t part, const int32_t *list, size_t count,
                     struct triplets *w, double *q) {
    const struct parts *parts = &reduction->parts;
    const struct sparse *ht = &reduction->ht;
    size_t n = parts->start[part + 1] - parts->start[part];
    double *x = reduction->load;
    for (size_t i = 0; i < n; i++)
        x[i] = reduction->fclib->bodies.f[parts->member[parts->start[part] + i]];
    dense_solve(reduction->dense, n, reduction->pivot, x);
    for (size_t k = 0; k < count; k++) q[list[k]] += times_column(reduction, part, list[k], x);
    for (size_t c = 0; c < count; c++) {
        memset(x, 0, n * sizeof *x);
        for (size_t k = ht->start[list[c]]; k < ht->start[list[c] + 1]; k++)
            if ((size_t)parts->of[ht->column[k]] == part)
                x[parts->place[ht->column[k]]] = ht->value[k];
        dense_solve(reduction->dense, n, reduction->pivot, x);
        for (size_t k = 0; k < count; k++)
            triplets_add(w, (size_t)list[k], (size_t)list[c],
                         times_column(reduction, part, list[k], x));
    }
}

static talus_status gather(struct reduction *reduction, int32_t *mark, int32_t *list,
                           struct triplets *w, double *q) {
    size_t columns = reduction->fclib->bodies.h.columns, entries = 0;
    for (size_t p = 0; p < reduction->parts.count; p++) {
        size_t count = touching(reduction, p, mark, list);
        entries += count * count;
    }
    memset(mark, 0, columns * sizeof *mark);
    if (!triplets_make(w, &reduction->fclib->memory, columns, columns, entries))
        return error_memory(reduction->err);
    for (size_t p = 0; p < reduction->parts.count; p++) {
        size_t count = touching(reduction, p, mark, list);
        TALUS_TRY(factor_part(reduction, p));
        add_part(reduction, p, list, count, w, q);
    }
    return TALUS_OK;
}

static talus_status reduce(struct reduction *reduction, int dim, size_t count,
                           struct delassus_friction friction) {
    struct fclib *fclib = reduction->fclib;
    struct memory *memory = &fclib->memory;
    size_t columns = fclib->bodies.h.columns;
    struct triplets triplets = {0};
    struct sparse w = {0};
    int32_t *mark = memory_resize(memory, NULL, 0, columns, sizeof *mark);
    int32_t *list = memory_resize(memory, NULL, 0, columns, sizeof *list);
    double *q = memory_resize(memory, NULL, 0, columns, sizeof *q);
    talus_status status = TALUS_OK;
    if (mark == NULL || list == NULL || q == NULL) status = error_memory(reduction->err);
    if (status >= 0) {
        if (columns > 0) memcpy(q, fclib->bodies.w, columns * sizeof *q);
        status = gather(reduction, mark, list, &triplets, q);
    }
    if (status >= 0 && (!sparse_make(&w, memory, &triplets) ||
                        !delassus_make(&fclib->problem, memory, dim, count, &w, q, friction)))
        status = error_memory(reduction->err);
    memory_free(memory, mark, columns, sizeof *mark);
    memory_free(memory, list, columns, sizeof *list);
    memory_free(memory, q, columns, sizeof *q);
    triplets_free(&triplets, memory);
    sparse_free(&w, memory);
    return status;
}

talus_status fclib_reduce(struct fclib *fclib, const char *path, int dim, size_t count,
                          struct delassus_friction friction, talus_error *err) {
    struct reduction reduction = {.fclib = fclib, .path = path, .err = err};
    talus_status status = start_reduction(&reduction);
    if (status >= 0) status = reduce(&reduction, dim, count, friction);
    free_reduction(&reduction);
    return status;
}

/* ---- velocities ------------------------------------------------------------------------------ */

static double norm(const double *x, size_t n) {
    double sum = 0.0;
    for (size_t k = 0; k < n; k++) sum += x[k] * x[k];
    return sqrt(sum);
}

/* |A v - load| over the largest of the norms; `scratch` as long as v. */
static double balance_of(const struct fclib *fclib, const double *v, const double *load,
                         double *scratch) {
    const struct fclib_bodies *bodies = &fclib->bodies;
    size_t size = bodies->m.rows;
    sparse_apply(&bodies->m, v, scratch);
    double scale = fmax(norm(scratch, size), fmax(norm(load, size), norm(bodies->f, size)));
    for (size_t k = 0; k < size; k++) scratch[k] -= load[k];
    return scale > 0.0 ? norm(scratch, size) / scale : 0.0;
}

static talus_status all_velocities(struct reduction *reduction, const double *load, double *v) {
    const struct parts *parts = &reduction->parts;
    for (size_t p = 0; p < parts->count; p++) {
        size_t first = parts->start[p], n = parts->start[p + 1] - first;
        TALUS_TRY(factor_part(reduction, p));
        for (size_t i = 0; i < n; i++) reduction->load[i] = load[parts->member[first + i]];
        dense_solve(reduction->dense, n, reduction->pivot, reduction->load);
        for (size_t i = 0; i < n; i++) v[parts->member[first + i]] = reduction->load[i];
    }
    return TALUS_OK;
}

talus_status fclib_velocities(struct fclib *fclib, const double *r, double *v, double *balance,
                              talus_error *err) {
    struct reduction reduction = {.fclib = fclib, .path = "", .err = err};
    struct memory *memory = &fclib->memory;
    size_t size = fclib->bodies.m.rows;
    double *load = memory_resize(memory, NULL, 0, size, sizeof *load);
    double *scratch = memory_resize(memory, NULL, 0, size, sizeof *scratch);
    talus_status status = load != NULL && scratch != NULL ? TALUS_OK : error_memory(err);
    if (status >= 0) status = start_reduction(&reduction);
    if (status >= 0) {
        memcpy(load, fclib->bodies.f, size * sizeof *load);
        sparse_add_to(&fclib->bodies.h, 1.0, r, load);
        status = all_velocities(&reduction, load, v);
    }
    if (status >= 0) *balance = balance_of(fclib, v, load, scratch);
    memory_free(memory, load, size, sizeof *load);
    memory_free(memory, scratch, size, sizeof *scratch);
    free_reduction(&reduction);
    return status;
}
