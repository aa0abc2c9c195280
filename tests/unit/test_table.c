/* SPDX-License-Identifier: Apache-2.0
 * Tables: what is written reads back to the same bits; what is no table is refused with file, line and column. */
#include "talus/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support.h"

static const char *const path = "test_table.tsv";

static void put(const char *text) {
    FILE *to = fopen(path, "w");
    assert_non_null(to);
    fputs(text, to);
    fclose(to);
}

static void reads_back(void **state) {
    (void)state;
    talus_table table = {0}, again;
    talus_error err;
    assert_int_equal(talus_table_add_column(&table, "time", "s", &err), TALUS_OK);
    assert_int_equal(talus_table_add_column(&table, "wall.force_x", "N m", &err), TALUS_OK);
    assert_int_equal(talus_table_add_column(&table, "share", "", &err), TALUS_OK);
    for (int i = 0; i < 100; i++) {
        double row[3] = {0.1 * i, -1.0 / (i + 1), i == 7 ? (double)NAN : 1e300 * i};
        assert_int_equal(talus_table_add_row(&table, row, &err), TALUS_OK);
    }
    talus_table_note(&table, "made of %d rows", 100);
    talus_table_note(&table, "second line");
    assert_int_equal(talus_table_write(&table, path, &err), TALUS_OK);
    assert_int_equal(talus_table_read(path, &again, &err), TALUS_OK);
    assert_string_equal(again.notes, "made of 100 rows\nsecond line\n");
    assert_int_equal(again.column_count, 3);
    assert_int_equal(again.row_count, 100);
    assert_string_equal(again.columns[1].name, "wall.force_x");
    assert_string_equal(again.columns[1].unit, "N m");
    assert_string_equal(again.columns[2].unit, "");
    assert_int_equal(talus_table_find(&again, "share"), 2);
    assert_int_equal(talus_table_find(&again, "none"), 3);
    for (size_t i = 0; i < 300; i++)
        assert_true(again.values[i] == table.values[i] ||
                    (isnan(again.values[i]) && isnan(table.values[i])));
    talus_table_free(&table);
    talus_table_free(&again);
    unlink(path);
}

/* The last row of a file that grows may be half there. */
static void half_a_row_is_left_out(void **state) {
    (void)state;
    talus_table table;
    put("time[s]\tx[m]\n0\t1\n1\t2\n2\t3");
    assert_int_equal(talus_table_read(path, &table, NULL), TALUS_OK);
    assert_int_equal(table.row_count, 2);
    assert_true(talus_table_at(&table, 1, 1) == 2);
    talus_table_free(&table);
    unlink(path);
}

static void refused(const char *text, const char *what) {
    talus_table table;
    talus_error err;
    put(text);
    assert_int_equal(talus_table_read(path, &table, &err), TALUS_ERR_INPUT);
    if (strstr(err.text, what) == NULL) fail_msg("'%s' does not say '%s'", err.text, what);
    assert_null(table.columns);
    unlink(path);
}

static void nonsense_is_refused(void **state) {
    (void)state;
    refused("", "no line of column names");
    refused("# only notes\n", "no line of column names");
    refused("a\tb\n1\tx\n", "test_table.tsv:2: column 'b'");
    refused("a\tb\n1\t2\n1\t2\t3\n", "test_table.tsv:3: column 'b'");
    refused("a\tb\n1\n", "test_table.tsv:2: column 'a'");
    refused("a[s\tb\n1\t2\n", "'a[s' is no name[unit]");
    talus_table table;
    talus_error err;
    assert_int_equal(talus_table_read("no_such.tsv", &table, &err), TALUS_ERR_FILE);
    assert_non_null(strstr(err.text, "no_such.tsv"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(reads_back),
                                       cmocka_unit_test(half_a_row_is_left_out),
                                       cmocka_unit_test(nonsense_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
