/* SPDX-License-Identifier: Apache-2.0
 * Sparse block factorisation: against the matrix itself. */
#include "support.h"

#include "base/clock.h"
#include "base/random.h"
#include "math/block_lu.h"

enum { ROWS = 60, DIM = 5, BLOCKS = 8 * ROWS };

struct sample {
    size_t start[ROWS + 1];
    int32_t column[BLOCKS];
    double block[BLOCKS * DIM * DIM], left[ROWS * DIM * DIM], diagonal[ROWS * DIM * DIM];
    struct block_rows rows;
};

/* A chain with a few far neighbours, and one row that knows nobody; not symmetric in its numbers nor its pattern. */
static void make(struct sample *sample, struct random *random, int dim) {
    size_t dd = (size_t)(dim * dim), at = 0;
    for (size_t i = 0; i < ROWS; i++) {
        sample->start[i] = at;
        for (size_t j = 0; j < ROWS; j++) {
            bool near = (i + 1 == j || j + 1 == i) && i != 7 && j != 7;
            bool far = (i * 31 + j * 17) % 41 == 0 && i != 7 && j != 7;
            if (i == j || near || far) sample->column[at++] = (int32_t)j;
        }
        assert_true(at <= BLOCKS);
    }
    sample->start[ROWS] = at;
    for (size_t k = 0; k < at * dd; k++) sample->block[k] = random_normal(random);
    for (size_t k = 0; k < ROWS * dd; k++) {
        sample->left[k] = k / dd % 5 == 3 ? 0.0 : random_normal(random);
        sample->diagonal[k] =
            random_normal(random) + (k % dd / (size_t)dim == k % (size_t)dim ? 30.0 : 0.0);
    }
    sample->rows = (struct block_rows){ROWS, sample->start, sample->column, sample->block};
}

/* y = (left W + diagonal) x */
static void apply(const struct sample *sample, int dim, const double *x, double *y) {
    size_t d = (size_t)dim, dd = d * d;
    for (size_t i = 0; i < ROWS; i++) {
        double w[DIM] = {0.0};
        for (size_t k = sample->start[i]; k < sample->start[i + 1]; k++)
            for (size_t e = 0; e < dd; e++)
                w[e / d] += sample->block[k * dd + e] * x[(size_t)sample->column[k] * d + e % d];
        for (size_t a = 0; a < d; a++) {
            y[i * d + a] = 0.0;
            for (size_t c = 0; c < d; c++)
                y[i * d + a] += sample->left[i * dd + a * d + c] * w[c] +
                                sample->diagonal[i * dd + a * d + c] * x[i * d + c];
        }
    }
}

static void solves(void **state) {
    (void)state;
    static struct sample sample;
    struct random random = random_start(41, RANDOM_TEST, 0, 0);
    for (int dim = 2; dim <= DIM; dim++) {
        struct memory memory = {0};
        struct block_lu lu;
        double x[ROWS * DIM], y[ROWS * DIM];
        make(&sample, &random, dim);
        assert_true(block_lu_make(&lu, &memory, dim, &sample.rows, 100000));
        assert_false(lu.too_large);
        assert_true(lu.fill >= ROWS - 3 && lu.fill < ROWS * ROWS / 4 && lu.flops > 0.0);
        for (int again = 0; again < 2; again++) { /* the same pattern with other numbers */
            for (int k = 0; k < ROWS * dim; k++) x[k] = random_normal(&random);
            apply(&sample, dim, x, y);
            assert_true(block_lu_factor(&lu, &sample.rows, sample.left, sample.diagonal));
            block_lu_solve(&lu, y);
            for (int k = 0; k < ROWS * dim; k++) assert_near(y[k], x[k], 1e-11);
            for (int k = 0; k < ROWS * dim * dim; k++) sample.left[k] *= 0.7;
        }
        for (int k = 0; k < dim * dim; k++) sample.diagonal[7 * dim * dim + k] = 0.0;
        for (int k = 0; k < dim * dim; k++) sample.left[7 * dim * dim + k] = 0.0;
        assert_false(block_lu_factor(&lu, &sample.rows, sample.left, sample.diagonal));
        block_lu_free(&lu);
        assert_int_equal(memory.bytes, 0);
    }
}

/* A deadline that is over gives up before the first row; without one, or with one that is far, nothing changes. */
static void deadline(void **state) {
    (void)state;
    static struct sample sample;
    struct random random = random_start(42, RANDOM_TEST, 0, 0);
    struct memory memory = {0};
    struct block_lu lu;
    make(&sample, &random, 3);
    assert_true(block_lu_make(&lu, &memory, 3, &sample.rows, 100000));
    lu.deadline = clock_seconds() - 1.0;
    assert_false(block_lu_factor(&lu, &sample.rows, sample.left, sample.diagonal));
    assert_true(lu.late);
    lu.deadline = clock_seconds() + 100.0;
    assert_true(block_lu_factor(&lu, &sample.rows, sample.left, sample.diagonal));
    assert_false(lu.late);
    block_lu_free(&lu);
    assert_int_equal(memory.bytes, 0);
}

/* A chain in the order of least degree fills nothing in; more than is allowed is said. */
static void order(void **state) {
    (void)state;
    size_t start[ROWS + 1];
    int32_t column[3 * ROWS];
    struct memory memory = {0};
    struct block_lu lu;
    size_t at = 0;
    for (size_t i = 0; i < ROWS; i++) {
        start[i] = at;
        for (size_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < ROWS; j++) column[at++] = (int32_t)j;
    }
    start[ROWS] = at;
    struct block_rows rows = {ROWS, start, column, NULL};
    assert_true(block_lu_make(&lu, &memory, 2, &rows, ROWS - 1));
    assert_false(lu.too_large);
    assert_int_equal(lu.fill, ROWS - 1);
    block_lu_free(&lu);
    assert_true(block_lu_make(&lu, &memory, 2, &rows, ROWS - 2));
    assert_true(lu.too_large);
    block_lu_free(&lu);
    for (int64_t n = 1; n <= 13; n++) { /* each of 13 allocations refused in turn */
        memory.refuse_at = memory.calls + n;
        assert_false(block_lu_make(&lu, &memory, 2, &rows, ROWS));
        block_lu_free(&lu);
        assert_int_equal(memory.bytes, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(solves), cmocka_unit_test(deadline),
                                       cmocka_unit_test(order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
