/* SPDX-License-Identifier: Apache-2.0
 * Numbers with units: values, dimensions, messages; nearest words. */
#define _POSIX_C_SOURCE 200809L
#include "scene_support.h"

#include "scene/suggest.h"
#include "scene/units.h"

static double value(const char *text, const char *wanted) {
    char message[400];
    double number = 0.0;
    if (!quantity_parse(text, wanted, NULL, &number, message, sizeof message)) {
        fail_msg("%s: %s", text, message);
    }
    return number;
}

static void refused(const char *text, const char *wanted, const char *part) {
    char message[400];
    double number;
    assert_false(quantity_parse(text, wanted, NULL, &number, message, sizeof message));
    if (strstr(message, part) == NULL) fail_msg("wanted: %s\ngot: %s", part, message);
}

/* Decimal units must give the bits of the decimal number itself. */
static void test_exact(void **state) {
    (void)state;
    assert_true(value("1.3 mm", "m") == 0.0013);
    assert_true(value("2.385 um", "m") == 2.385e-6);
    assert_true(value("2.385 \xC2\xB5m", "m") == 2.385e-6);
    assert_true(value("1 ms", "s") == 0.001);
    assert_true(value("7.3e2 us", "s") == 7.3e-4);
    assert_true(value("-9.81 m/s^2", "m/s^2") == -9.81);
    assert_true(value("2.6 g/cm^3", "kg/m^3") == 2600.0);
    assert_true(value("0.7 t", "kg") == 700.0);
    assert_true(value("3 mg", "kg") == 3e-6);
    assert_true(value("1.7 kN", "N") == 1700.0);
    assert_true(value("20 %", "") == 0.2);
    assert_true(value("20%", "") == 0.2);
    assert_true(value("+.5", "m") == 0.5);
    assert_true(value("5.", "m") == 5.0);
    assert_true(value("1E3", "m") == 1000.0);
    assert_true(value("12", "deg") == 12.0);
}

static void test_products(void **state) {
    (void)state;
    assert_true(value("500 1/s", "1/s") == 500.0);
    assert_true(value("2 kHz", "1/s") == 2000.0);
    assert_true(value("3 N m", "N m") == 3.0);
    assert_true(value("3 N*mm", "N m") == 0.003);
    assert_true(value("3 J", "N m") == 3.0);
    assert_true(value("4 kg m^2", "kg m^2") == 4.0);
    assert_true(value("4 kg m2/s^2", "J") == 4.0);
    assert_true(value("4 Pa m^2", "N") == 4.0);
    assert_true(value("4 kg/(m s^2)", "Pa") == 4.0);
    assert_true(value("4 m s^-1", "m/s") == 4.0);
    assert_near(value("4 km/h", "m/s"), 1.1111111111111112, 1e-15);
    assert_true(value("2 min", "s") == 120.0);
    assert_near(value("180 deg", "rad"), 3.141592653589793, 1e-15);
    assert_near(value("60 rpm", "rad/s"), 6.283185307179586, 1e-15);
    assert_near(value("1 rad", "deg"), 57.29577951308232, 1e-13);
    assert_near(value("90 deg/s", "rad/s"), 1.5707963267948966, 1e-15);
}

static void test_wrong(void **state) {
    (void)state;
    refused("3 kg", "m", "'3 kg' is a mass, a length (m) is wanted");
    refused("3 m", "", "'3 m' is a length, a plain number is wanted");
    refused("60 rpm", "1/s", "is an angular velocity, a rate");
    refused("1 Hz", "rad/s", "is a rate (1/s, Hz), an angular velocity (rad/s) is wanted");
    refused("3 furlong", "m", "'furlong' is not a unit");
    refused("3 m/", "m", "ends inside its unit");
    refused("3 m/s)", "m/s", "')' is not a unit");
    refused("3 m^", "m", "ends inside");
    refused("3 m^99", "m", "not a unit");
    refused("abc", "m", "'abc' is not a number");
    refused("", "m", "is not a number");
    refused("0x10", "m", "'x' is not a unit");
    refused("1e999", "m", "not a finite number");
    refused(".inf", "m", "not a finite number");
    refused("-nan", "m", "not a finite number");
    refused("nan", "m", "not a finite number");
    refused("((((((((((m))))))))))", "m", "is not a number");
    refused("1 ((((((((((m))))))))))", "m", "is not a unit");
    refused("3 m^2 kg^3 s", "m", "a quantity in m^2 kg^3 s^1 rad^0");
    char digits[400];
    memset(digits, '1', sizeof digits - 1);
    digits[sizeof digits - 1] = '\0';
    refused(digits, "m", "not a finite number");
}

static void test_second_unit(void **state) {
    (void)state;
    char message[400];
    double number;
    assert_true(quantity_parse("5 kg/m^2", "kg/m^3", "kg/m^2", &number, message, sizeof message));
    assert_true(number == 5.0);
    assert_false(quantity_parse("5 kg/m", "kg/m^3", "kg/m^2", &number, message, sizeof message));
    assert_non_null(strstr(message, "(kg/m^3 or kg/m^2) is wanted"));
    struct unit_dimension dimension;
    assert_true(quantity_dimension("5 kg/m^2", &dimension));
    assert_int_equal(dimension.length, -2);
    assert_false(quantity_dimension("5", &dimension));
    assert_false(quantity_dimension("x", &dimension));
    assert_false(quantity_dimension("5 x", &dimension));
    assert_true(quantity_looks_like_number("-.5 m"));
    assert_false(quantity_looks_like_number("auto"));
}

static void test_distance(void **state) {
    (void)state;
    assert_int_equal(suggest_distance("gravity", "gravity"), 0);
    assert_int_equal(suggest_distance("gravty", "gravity"), 1);
    assert_int_equal(suggest_distance("garvity", "gravity"), 1); /* a swap */
    assert_int_equal(suggest_distance("Gravity", "gravity"), 0);
    assert_int_equal(suggest_distance("kitten", "sitting"), 3);
    assert_int_equal(suggest_distance("", "abc"), 3);
    char longer[100] = {0};
    memset(longer, 'x', sizeof longer - 1);
    assert_true(suggest_distance(longer, "x") > 1000);
}

static void test_advice(void **state) {
    (void)state;
    static const char *const words[] = {"random", "windowed", "sequential"};
    struct suggest near = suggest_start("randm"), far = suggest_start("zzz"),
                   none = suggest_start("a");
    for (size_t i = 0; i < 3; i++) {
        suggest_try(&near, words[i]);
        suggest_try(&far, words[i]);
    }
    struct line a = {.length = 0}, b = {.length = 0}, c = {.length = 0}, d = {.length = 0};
    assert_string_equal(suggest_advice(&near, &a), "did you mean 'random'?");
    assert_string_equal(suggest_advice(&far, &b), "allowed: random, windowed, sequential");
    assert_string_equal(suggest_advice(&none, &c), "there are none");
    assert_string_equal(suggest_advice_all(&near, &d),
                        "did you mean 'random'? allowed: random, windowed, sequential");
    struct line full = {.length = 0};
    for (int i = 0; i < 100; i++) line_add(&full, "%s", "0123456789");
    assert_int_equal(strlen(full.text), sizeof full.text - 1);
    assert_string_equal(full.text + sizeof full.text - 4, "...");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),    cmocka_unit_test(test_products),
        cmocka_unit_test(test_wrong),    cmocka_unit_test(test_second_unit),
        cmocka_unit_test(test_distance), cmocka_unit_test(test_advice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
