/* SPDX-License-Identifier: Apache-2.0
 * Numbers as text: the shortest of "%.15g", "%.16g", "%.17g" that reads back to the same bits, byte for byte. */
#include "base/random.h"
#include "io/number.h"
#include "support.h"

static const char *plain(double value, char text[NUMBER_TEXT]) {
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, NUMBER_TEXT, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    return text;
}

static void assert_text(double value) {
    char text[NUMBER_TEXT], expected[NUMBER_TEXT];
    assert_string_equal(number_text(value, text), plain(value, expected));
    assert_string_equal(number_text(-value, text), plain(-value, expected));
}

static void chosen_numbers(void **state) {
    (void)state;
    static const double some[] = {0.0,
                                  1.0,
                                  0.1,
                                  0.3,
                                  1.0 / 3.0,
                                  2.0 / 3.0,
                                  9.81,
                                  1e15,
                                  1e16,
                                  1e17,
                                  1e-4,
                                  1e-5,
                                  9.9999e-5,
                                  1e22,
                                  1e23,
                                  5e-324,
                                  2.3e-308,
                                  1e308,
                                  9007199254740993.0,
                                  0.5,
                                  HUGE_VAL,
                                  999999999999999.9,
                                  9999999999999999.0,
                                  123456789012345678.0};
    char text[NUMBER_TEXT];
    for (size_t k = 0; k < sizeof some / sizeof some[0]; k++) assert_text(some[k]);
    for (int power = -1074; power < 1024; power++) {
        double two = ldexp(1.0, power);
        assert_text(two);
        assert_text(nextafter(two, 0.0));
        assert_text(nextafter(two, 2.0 * two));
    }
    assert_string_equal(number_text((double)NAN, text), "nan");
    assert_string_equal(number_text(-(double)NAN, text), "nan");
}

/* Of any size, near those with few digits, and such as measurements have. */
static void random_numbers(void **state) {
    (void)state;
    struct random random = random_start(5, RANDOM_TEST, 0, 0);
    for (int n = 0; n < 30000; n++) {
        double u = random_uniform(&random), power = 600.0 * random_uniform(&random) - 300.0;
        assert_text(u * pow(10.0, rint(power)));
        assert_text(u - 0.5);
        double few = rint(1e4 * u) * pow(10.0, rint(power / 30.0));
        assert_text(few);
        assert_text(nextafter(few, 1.0));
        assert_text(few / 3.0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(chosen_numbers),
                                       cmocka_unit_test(random_numbers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
