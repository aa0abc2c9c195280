/* SPDX-License-Identifier: Apache-2.0
 * Measures without memory: the n-th allocation is refused, for every n until all goes well. Each failure is told, leaves an
 * empty table and gives everything back. */
#include "measure_support.h"

static void refused_allocations(void **state) {
    (void)state;
    static const char *const orders[] = {"stress",
                                         "stress of=grains",
                                         "fabric",
                                         "coordination",
                                         "forces",
                                         "mobilisation",
                                         "rose",
                                         "profile",
                                         "profile axis=radial",
                                         "packing",
                                         "fields width=1 spacing=2",
                                         "inertial",
                                         "flow",
                                         "mixing",
                                         "rdf",
                                         "msd"};
    struct snapshot now = random_state(3, 20, 40, 51), before = random_state(3, 20, 40, 51);
    int refused = 0;
    for (size_t k = 0; k < sizeof orders / sizeof orders[0]; k++)
        for (int64_t n = 1;; n++) {
            talus_table table;
            talus_error err;
            support_memory = (struct memory){.refuse_at = n};
            talus_status status = try_measure(&now, &before, orders[k], &table, &err);
            assert_int_equal(support_memory.bytes, 0);
            if (status >= 0) {
                assert_true(table.row_count > 0);
                talus_table_free(&table);
                break;
            }
            refused++;
            assert_int_equal(status, TALUS_ERR_MEMORY);
            assert_int_equal(table.column_count, 0);
            assert_null(table.values);
        }
    assert_true(refused > 10); /* so that something was tested */
    snapshot_discard(&now);
    snapshot_discard(&before);
}

/* The same of a state that is filled. */
static void refused_states(void **state) {
    (void)state;
    for (int64_t n = 1;; n++) {
        struct snapshot snapshot = {.memory = {.refuse_at = n}};
        talus_status status = snapshot_resize(&snapshot, 10, 20, NULL);
        assert_true(status >= 0 || status == TALUS_ERR_MEMORY);
        assert_true(status >= 0 || snapshot.count == 0);
        snapshot_discard(&snapshot);
        assert_int_equal(snapshot.memory.bytes, 0);
        if (status >= 0) break;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refused_allocations),
        cmocka_unit_test(refused_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
