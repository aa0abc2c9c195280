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

enum { PART_LARGEST = 3000 }; /* rows of a part: 72 MB, some seconds */
/* Each body makes a dense block of the contacts on it: what W may take, and what an entry of it takes (as a row, then in
 * blocks beside it), and one of A^-1 H (triplets, and once more in columns: sparse_take). */
static const double gigabytes_most = 4.0, gigabytes_entry = 21e-9, gigabytes_moved = 28e-9;
static const double pivot_least = 1e-13; /* of the largest entry of a scaled part: else rounding */

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
    double *unit;         /* largest: powers of two that bring the diagonal of M near 1 */
    int32_t *pivot;
    struct sparse ht;    /* H^T, one row for each contact direction */
    size_t crowd;        /* rows of contacts on the body that has most, */
    int32_t crowded_row; /* and where it is in M */
    talus_error *err;
};

static void free_reduction(struct reduction *reduction) {
    struct memory *memory = &reduction->fclib->memory;
    size_t n = reduction->parts.largest;
    memory_free(memory, reduction->dense, n * n, sizeof *reduction->dense);
    memory_free(memory, reduction->load, n, sizeof *reduction->load);
    memory_free(memory, reduction->unit, n, sizeof *reduction->unit);
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
    reduction->unit = memory_resize(memory, NULL, 0, n, sizeof *reduction->unit);
    reduction->pivot = memory_resize(memory, NULL, 0, n, sizeof *reduction->pivot);
    if (reduction->dense == NULL || reduction->load == NULL || reduction->unit == NULL ||
        reduction->pivot == NULL || !sparse_transpose(&reduction->ht, memory, &fclib->bodies.h))
        return error_memory(reduction->err);
    return TALUS_OK;
}

static double power_of_two_below(double x) {
    return ldexp(1.0, ilogb(x));
}

/* Grains of a milligram have inertias of 1e-13 beside entries of G of 1: the dense part, D A D in place of A, so that a small
 * pivot means what it should. Rows of constraints, with no diagonal, by their largest entry. */
static void scale_part(struct reduction *reduction, size_t n) {
    double *a = reduction->dense, *unit = reduction->unit;
    for (size_t i = 0; i < n; i++) {
        double own = fabs(a[i * n + i]);
        unit[i] = own > 0.0 ? 1.0 / power_of_two_below(sqrt(own)) : 1.0;
    }
    for (size_t i = 0; i < n; i++) {
        double largest = 0.0;
        if (a[i * n + i] != 0.0) continue;
        for (size_t j = 0; j < n; j++)
            if (a[j * n + j] != 0.0) largest = fmax(largest, fabs(a[i * n + j]) * unit[j]);
        if (largest > 0.0) unit[i] = 1.0 / power_of_two_below(largest);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) a[i * n + j] *= unit[i] * unit[j];
}

/* x <- A^-1 x of the part that was factored last. */
static void solve_part(const struct reduction *reduction, size_t n, double *x) {
    for (size_t i = 0; i < n; i++) x[i] *= reduction->unit[i];
    dense_solve(reduction->dense, n, reduction->pivot, x);
    for (size_t i = 0; i < n; i++) x[i] *= reduction->unit[i];
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
    scale_part(reduction, n);
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

/* A^-1 of a part, applied to f and to the columns of H that touch it. */
static void add_part(struct reduction *reduction, size_t part, const int32_t *list, size_t count,
                     struct triplets *moved, double *velocity) {
    const struct parts *parts = &reduction->parts;
    const struct sparse *ht = &reduction->ht;
    const int32_t *member = &parts->member[parts->start[part]];
    size_t n = parts->start[part + 1] - parts->start[part];
    double *x = reduction->load;
    for (size_t i = 0; i < n; i++) x[i] = reduction->fclib->bodies.f[member[i]];
    solve_part(reduction, n, x);
    for (size_t i = 0; i < n; i++) velocity[member[i]] = x[i];
    for (size_t c = 0; c < count; c++) {
        memset(x, 0, n * sizeof *x);
        for (size_t k = ht->start[list[c]]; k < ht->start[list[c] + 1]; k++)
            if ((size_t)parts->of[ht->column[k]] == part)
                x[parts->place[ht->column[k]]] = ht->value[k];
        solve_part(reduction, n, x);
        for (size_t i = 0; i < n; i++)
            if (x[i] != 0.0) triplets_add(moved, (size_t)member[i], (size_t)list[c], x[i]);
    }
}

/* What is too much, and whose fault it is. */
static talus_status too_large(const struct reduction *reduction, double gigabytes) {
    return error_set(reduction->err, TALUS_ERR_INPUT,
                     "%s: W would take more than %.3g GB, up to %g GB are supported; the body "
                     "around row %d of M has %zu rows of contacts, each coupled with all others",
                     reduction->path, gigabytes, gigabytes_most, reduction->crowded_row,
                     reduction->crowd);
}

/* Entries of A^-1 H; what is certainly too much is refused here. */
static talus_status count_moved(struct reduction *reduction, int32_t *mark, int32_t *list,
                                size_t *entries) {
    const struct parts *parts = &reduction->parts;
    size_t columns = reduction->fclib->bodies.h.columns;
    *entries = 0;
    for (size_t p = 0; p < parts->count; p++) {
        size_t count = touching(reduction, p, mark, list);
        *entries += count * (parts->start[p + 1] - parts->start[p]);
        if (count <= reduction->crowd) continue;
        reduction->crowd = count;
        reduction->crowded_row = parts->member[parts->start[p]];
    }
    if (columns > 0) memset(mark, 0, columns * sizeof *mark);
    double crowd = (double)reduction->crowd;
    double gigabytes = fmax(gigabytes_entry * crowd * crowd, gigabytes_moved * (double)*entries);
    return gigabytes <= gigabytes_most ? TALUS_OK : too_large(reduction, gigabytes);
}

/* A^-1 H and A^-1 f. */
static talus_status move_bodies(struct reduction *reduction, struct sparse *moved,
                                double *velocity) {
    struct memory *memory = &reduction->fclib->memory;
    size_t columns = reduction->fclib->bodies.h.columns, rows = reduction->parts.size, entries = 0;
    struct triplets triplets = {0};
    int32_t *mark = memory_resize(memory, NULL, 0, columns, sizeof *mark);
    int32_t *list = memory_resize(memory, NULL, 0, columns, sizeof *list);
    talus_status status = mark != NULL && list != NULL ? TALUS_OK : error_memory(reduction->err);
    if (status >= 0) status = count_moved(reduction, mark, list, &entries);
    if (status >= 0 && !triplets_make(&triplets, memory, rows, columns, entries))
        status = error_memory(reduction->err);
    for (size_t p = 0; status >= 0 && p < reduction->parts.count; p++) {
        size_t count = touching(reduction, p, mark, list);
        status = factor_part(reduction, p);
        if (status >= 0) add_part(reduction, p, list, count, &triplets, velocity);
    }
    if (status >= 0 && !sparse_take(moved, memory, &triplets))
        status = error_memory(reduction->err);
    triplets_free(&triplets, memory);
    memory_free(memory, mark, columns, sizeof *mark);
    memory_free(memory, list, columns, sizeof *list);
    return status;
}

/* W = H^T (A^-1 H). */
static talus_status multiply(struct reduction *reduction, const struct sparse *moved,
                             struct sparse *w) {
    struct memory *memory = &reduction->fclib->memory;
    size_t most = (size_t)(gigabytes_most / gigabytes_entry);
    size_t size = sparse_product_size(memory, &reduction->ht, moved, most);
    if (size == SIZE_MAX) return error_memory(reduction->err);
    if (size > most) return too_large(reduction, gigabytes_most);
    if (!sparse_multiply(w, memory, &reduction->ht, moved, size))
        return error_memory(reduction->err);
    return TALUS_OK;
}

static talus_status reduce(struct reduction *reduction, int dim, size_t count,
                           struct delassus_friction friction) {
    struct fclib *fclib = reduction->fclib;
    struct memory *memory = &fclib->memory;
    size_t columns = fclib->bodies.h.columns, rows = reduction->parts.size;
    struct sparse moved = {0}, w = {0};
    double *q = memory_resize(memory, NULL, 0, columns, sizeof *q);
    double *velocity = memory_resize(memory, NULL, 0, rows, sizeof *velocity);
    talus_status status = TALUS_OK;
    if (q == NULL || velocity == NULL) status = error_memory(reduction->err);
    if (status >= 0) status = move_bodies(reduction, &moved, velocity);
    if (status >= 0) {
        if (columns > 0) memcpy(q, fclib->bodies.w, columns * sizeof *q);
        sparse_add_to(&reduction->ht, 1.0, velocity, q);
        status = multiply(reduction, &moved, &w);
    }
    sparse_free(&moved, memory);
    if (status >= 0 && !delassus_make(&fclib->problem, memory, dim, count, &w, q, friction))
        status = error_memory(reduction->err);
    memory_free(memory, q, columns, sizeof *q);
    memory_free(memory, velocity, rows, sizeof *velocity);
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
        solve_part(reduction, n, reduction->load);
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
