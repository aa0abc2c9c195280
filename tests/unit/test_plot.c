/* SPDX-License-Identifier: Apache-2.0
 * Figures: texts, units, choice of columns, the script word by word. gnuplot itself is not needed. */
#define _DEFAULT_SOURCE
#include "scene_support.h"

#include "plot/figure.h"
#include "talus/plot.h"
#include "talus/table.h"

/* ---- texts ----------------------------------------------------------------------------------- */

static void assert_gnuplot_text(const char *text, const char *expected) {
    char written[256];
    FILE *to = tmpfile();
    assert_non_null(to);
    gnuplot_text(to, text);
    rewind(to);
    size_t got = fread(written, 1, sizeof written - 1, to);
    written[got] = '\0';
    fclose(to);
    assert_string_equal(written, expected);
}

static void texts_mean_themselves(void **state) {
    (void)state;
    assert_gnuplot_text("force", "'force'");
    assert_gnuplot_text("a b'c\"d_{e}", "'a b''c\"d_{e}'");
    assert_gnuplot_text("`rm` \\n $x @y",
                        "'`rm` \\n $x @y'"); /* nothing of it works between single quotes */
    assert_gnuplot_text("two\nlines\t", "'two?lines?'");
    assert_gnuplot_text("µ 10⁻³", "'µ 10⁻³'");
    assert_gnuplot_text("", "''");
}

static void assert_scale(double largest, const char *unit, double factor, const char *expected) {
    char scaled[FIGURE_TEXT];
    assert_near(unit_scale(largest, unit, scaled), factor, 1e-12 * factor);
    assert_string_equal(scaled, expected);
}

static void units_have_sane_sizes(void **state) {
    (void)state;
    assert_scale(1.0, "J", 1.0, "J");
    assert_scale(0.1, "J", 1.0, "J");
    assert_scale(9999.0, "Pa", 1.0, "Pa");
    assert_scale(0.05, "m", 1e3, "mm");
    assert_scale(2e-5, "s", 1e6, "µs");
    assert_scale(3e5, "Pa", 1e-3, "kPa");
    assert_scale(5e-3, "N m", 1e3, "mN m");
    assert_scale(5e-3, "m/s", 1e3, "mm/s");
    assert_scale(5e-3, "m^2", 1e3, "10⁻³ m²"); /* mm² would be another power */
    assert_scale(2e-7, "kg", 1e9, "10⁻⁹ kg");
    assert_scale(3e-4, "", 1e6, "10⁻⁶");
    assert_scale(3e-16, "J", 1e18, "10⁻¹⁸ J");
    assert_scale(0.0, "J", 1.0, "J");
    assert_scale(HUGE_VAL, "mol", 1.0, "mol");
    char label[FIGURE_TEXT];
    axis_label(label, "energy", "J");
    assert_string_equal(label, "energy (J)");
    axis_label(label, "coordination", "");
    assert_string_equal(label, "coordination");
    axis_label(label, "", "N");
    assert_string_equal(label, "N");
}

static void patterns_fit_names(void **state) {
    (void)state;
    assert_true(pattern_fits("box.*.force_z", "box.x+.force_z"));
    assert_false(pattern_fits("box.*.force_z", "box.x+.force_y"));
    assert_true(pattern_fits("*", ""));
    assert_true(pattern_fits("a*b*c", "aXbYbZc"));
    assert_false(pattern_fits("a*b*c", "aXbYbZ"));
    assert_true(pattern_fits("v?", "vx"));
    assert_false(pattern_fits("v?", "v"));
    assert_true(pattern_fits("time", "time"));
    assert_false(pattern_fits("time", "times"));
}

/* ---- scripts --------------------------------------------------------------------------------- */

static struct figure small_figure(void) {
    struct figure figure = {.panel_count = 1,
                            .curve_count = 2,
                            .source_count = 1,
                            .stem = "it's",
                            .data = {"it's_data.tsv"},
                            .formats = TALUS_PLOT_SVG,
                            .width = 600,
                            .height = 400};
    figure.panels[0] =
        (struct figure_panel){.x = {.label = "time (ms)", .low = 0.0, .high = 20.0},
                              .y = {.label = "force_z (N)", .log = true, .low = 0.01, .high = 1e4},
                              .count = 2};
    figure.curves[0] = (struct figure_curve){.x = 1, .y = 2, .x_factor = 1000.0, .y_factor = 1.0};
    figure.curves[1] = (struct figure_curve){.x = 1, .y = 3, .x_factor = 1000.0, .y_factor = 1.0};
    strcpy(figure.curves[0].title, "a_{b}");
    strcpy(figure.curves[1].title, "c'd");
    return figure;
}

static void script_text(const struct figure *figure, char *text, size_t size) {
    FILE *to = tmpfile();
    assert_non_null(to);
    figure_script(figure, to);
    rewind(to);
    size_t got = fread(text, 1, size - 1, to);
    text[got] = '\0';
    fclose(to);
}

static void script_is_as_expected(void **state) {
    (void)state;
    static const char expected[] =
        "do for [format in 'svg'] {\n"
        "    if (format eq 'svg') {\n"
        "        set terminal svg size 600,400 font 'Helvetica,13' background '#ffffff' enhanced\n"
        "        set output './it''s.svg'\n"
        "    }\n"
        "    set multiplot\n"
        "    set key vertical Left reverse samplen 1.5 noautotitle\n"
        "    set lmargin at screen 0.1408\n"
        "    set rmargin at screen 0.8126\n"
        "    set tmargin at screen 0.9708\n"
        "    set bmargin at screen 0.1560\n"
        "    set key at screen 0.8343, screen 0.9708 left top\n"
        "    set xlabel 'time (ms)' noenhanced\n"
        "    set xrange [*:*]\n"
        "    unset logscale x\n"
        "    set xrange [0:20]\n"
        "    set format x '%g'\n"
        "    set xtics 5\n"
        "    set ylabel 'force_z (N)' noenhanced\n"
        "    set yrange [*:*]\n"
        "    set logscale y\n"
        "    set yrange [0.01:10000]\n"
        "    set format y '10^{%L}'\n"
        "    set ytics autofreq\n"
        "    unset arrow\n"
        "    plot './it''s_data.tsv' using (1000*$1):2 with lines linetype 1 title 'a_{b}' "
        "noenhanced, \\\n"
        "         './it''s_data.tsv' using (1000*$1):3 with lines linetype 2 title 'c''d' "
        "noenhanced\n"
        "    unset multiplot\n"
        "    unset output\n"
        "}\n";
    struct figure figure = small_figure();
    char text[8192];
    script_text(&figure, text, sizeof text);
    const char *start = strstr(text, "do for");
    assert_non_null(start);
    assert_string_equal(start, expected);
    assert_non_null(strstr(text, "#     gnuplot 'it''s.gnuplot'\n"));
    assert_non_null(strstr(text, "set datafile separator '\\t'\nset datafile columnheaders\n"));
}

/* Hardly two decades: numbers between the powers of ten, too. A mark, a title, a bar. */
static void script_of_a_distribution(void **state) {
    (void)state;
    struct figure figure = small_figure();
    char text[8192];
    strcpy(figure.title, "P(f)'s");
    figure.formats = TALUS_PLOT_SVG | TALUS_PLOT_PNG;
    figure.curve_count = figure.panels[0].count = 1;
    figure.curves[0].style = FIGURE_BARS;
    figure.panels[0].y.low = 0.03;
    figure.panels[0].y.high = 1.1;
    figure.panels[0].has_mark = true;
    figure.panels[0].mark = 1.0;
    script_text(&figure, text, sizeof text);
    assert_non_null(strstr(text, "do for [format in 'svg png'] {"));
    assert_non_null(strstr(text, "set output './it''s.png'"));
    assert_non_null(strstr(text, "set multiplot title 'P(f)''s' noenhanced\n"));
    assert_non_null(strstr(text, "set ytics (0.05, 0.1, 0.2, 0.5, 1)\n"));
    assert_non_null(strstr(text, "set arrow from first 1, graph 0 to first 1, graph 1 nohead"));
    assert_non_null(strstr(text, "with boxes linetype 1 notitle\n"));
}

static int count_of(const char *text, const char *part) {
    int count = 0;
    for (const char *at = text; (at = strstr(at, part)) != NULL; at++) count++;
    return count;
}

/* Angles about the page go once round, those to an axis come twice. */
static void script_of_a_rose(void **state) {
    (void)state;
    struct figure figure = small_figure();
    char text[16384];
    figure.curve_count = figure.panels[0].count = 1;
    figure.curves[0].style = FIGURE_ROSE;
    figure.panels[0].rose = true;
    figure.panels[0].radius = 0.4;
    script_text(&figure, text, sizeof text);
    assert_non_null(strstr(text, "using ($2*cos($1)):($2*sin($1)) with filledcurves closed"));
    assert_non_null(strstr(text, "circle at 0,0 size first 0.2 "));
    assert_non_null(strstr(text, "circle at 0,0 size first 0.4 "));
    assert_int_equal(count_of(text, "'315°'"), 1);
    assert_int_equal(count_of(text, "'45°'"), 1);
    figure.panels[0].polar = true;
    script_text(&figure, text, sizeof text);
    assert_int_equal(count_of(text, "'0°'"), 1);
    assert_int_equal(count_of(text, "'45°'"), 2);
    assert_int_equal(count_of(text, "'90°'"), 2);
    assert_int_equal(count_of(text, "'135°'"), 2);
    assert_int_equal(count_of(text, "'180°'"), 1);
}

/* After seven colours come dashes. */
static void many_curves_are_told_apart(void **state) {
    (void)state;
    struct figure figure = small_figure();
    char text[16384];
    figure.curve_count = figure.panels[0].count = 9;
    for (int c = 0; c < 9; c++) {
        figure.curves[c] = figure.curves[0];
        snprintf(figure.curves[c].title, FIGURE_TEXT, "curve %d", c);
    }
    script_text(&figure, text, sizeof text);
    assert_non_null(strstr(text, "linetype 7 title 'curve 6'"));
    assert_non_null(strstr(text, "linetype 1 dashtype 2 title 'curve 7'"));
    assert_non_null(strstr(text, "linetype 2 dashtype 2 title 'curve 8'"));
}

/* ---- the whole way, without gnuplot ---------------------------------------------------------- */

static void make_table(const char *name) {
    scene_file(name, "# a table\ntime[s]\tfall.z[m]\trise.z[m]\tcount\n0\t1\t2\t5\n1e-3\t3\t4\t"
                     "6\n2e-3\tnan\t7\t8\n3e-3\t9");
}

/* The table that is there. */
static talus_status plot_table(talus_plot_config *config, talus_plot_report *report,
                               talus_error *err) {
    static char from[160], to[160];
    static const char *sources[1] = {from};
    strcpy(from, scene_path("table.tsv"));
    strcpy(to, scene_path("fig"));
    config->from = sources;
    config->from_count = 1;
    config->to = to;
    report->file_count = 0;
    return talus_plot(config, report, err);
}

static talus_status plot_it(talus_plot_config *config, talus_plot_report *report,
                            talus_error *err) {
    make_table("table.tsv");
    return plot_table(config, report, err);
}

/* Script and data are left where there is no gnuplot. */
static talus_status plot_without_gnuplot(talus_status (*plot)(talus_plot_config *,
                                                              talus_plot_report *, talus_error *),
                                         talus_plot_config *config, talus_plot_report *report,
                                         talus_error *err) {
    char path[4096];
    const char *before = getenv("PATH");
    snprintf(path, sizeof path, "%s", before != NULL ? before : "");
    assert_int_equal(setenv("PATH", "/nonexistent", 1), 0);
    talus_status status = plot(config, report, err);
    assert_int_equal(setenv("PATH", path, 1), 0);
    return status;
}

static void read_script(char *text, size_t size) {
    FILE *from = fopen(scene_path("fig.gnuplot"), "r");
    assert_non_null(from);
    text[fread(text, 1, size - 1, from)] = '\0';
    fclose(from);
}

/* Script and data are left, the message names the package; half a row is left out. */
static void without_gnuplot_the_script_is_left(void **state) {
    (void)state;
    static talus_plot_report report;
    talus_error err;
    talus_table data;
    char text[8192];
    const char *const columns[] = {"*.z", "count"};
    talus_plot_config config = talus_plot_config_default();
    config.columns = columns;
    config.column_count = 2;
    assert_int_equal(plot_without_gnuplot(plot_it, &config, &report, &err), TALUS_ERR_FILE);
    assert_non_null(strstr(err.text, "apt install gnuplot-nox"));
    assert_int_equal(report.file_count, 2);
    assert_string_equal(report.files[0], scene_path("fig_data.tsv"));
    assert_string_equal(report.files[1], scene_path("fig.gnuplot"));
    assert_ok(talus_table_read(scene_path("fig_data.tsv"), &data, NULL));
    assert_int_equal(data.row_count, 3);
    assert_int_equal(data.column_count, 4);
    assert_string_equal(data.columns[2].name, "rise.z");
    assert_string_equal(data.columns[2].unit, "m");
    assert_near(talus_table_at(&data, 2, 2), 7.0, 0.0);
    talus_table_free(&data);
    read_script(text, sizeof text);
    assert_non_null(strstr(text, "set ylabel 'z (m)' noenhanced"));
    assert_non_null(strstr(text, "set ylabel 'count' noenhanced"));
    assert_non_null(strstr(text, "set xlabel 'time (ms)' noenhanced"));
    assert_non_null(strstr(text, "set xrange [0:2]"));
    assert_non_null(strstr(text, "set yrange [0:7.35]")); /* 5 % room above 7, from zero */
}

/* The range that is set last holds these values, with two ends that are two texts. */
static void assert_range(const char *script, const char *start, double low, double high) {
    const char *at = NULL;
    for (const char *next = script; (next = strstr(next, start)) != NULL; next++) at = next;
    assert_non_null(at);
    char *end;
    double from = strtod(at + strlen(start), &end), to = strtod(end + 1, &end);
    if (!(from < to && from <= low && high <= to && isfinite(to - from)))
        fail_msg("%.40s for %.17g to %.17g", at, low, high);
    assert_true(to - from < 3.0 * fmax(fabs(low), fabs(high)) + 1.0);
}

/* gnuplot refuses a range without an extent, and sees the nine digits of the script only. */
static void columns_without_extent_have_ranges(void **state) {
    (void)state;
    static talus_plot_report report;
    const double values[] = {1,       -1,    0.3,    12345.678, -2e5, 1e-300,
                             -1e-300, 1e300, -1e300, 3e-310,    0};
    const char *const columns[] = {"y"};
    for (size_t k = 0; k < 4 * (sizeof values / sizeof values[0]); k++) {
        talus_plot_config config = talus_plot_config_default();
        talus_error err;
        char table[256], text[8192], label[FIGURE_TEXT];
        bool swap = k % 2 == 1; /* also along x */
        double value = values[k / 4], next = k % 4 < 2 ? value : nextafter(value, -HUGE_VAL);
        snprintf(table, sizeof table, "time[s]\ty[J]\n%.17g\t%.17g\n%.17g\t%.17g\n",
                 swap ? value : 0.0, swap ? 0.0 : value, swap ? next : 1.0, swap ? 1.0 : next);
        scene_file("table.tsv", table);
        config.columns = columns;
        config.column_count = 1;
        assert_int_equal(plot_without_gnuplot(plot_table, &config, &report, &err), TALUS_ERR_FILE);
        read_script(text, sizeof text);
        double factor = unit_scale(fabs(value), swap ? "s" : "J", label);
        assert_range(text, swap ? "set xrange [" : "set yrange [", factor * fmin(value, next),
                     factor * fmax(value, next));
    }
}

static void refused(const char *column, const char *x, talus_status status, const char *part) {
    static talus_plot_report report;
    talus_error err;
    const char *const columns[] = {column};
    talus_plot_config config = talus_plot_config_default();
    config.columns = columns;
    config.column_count = 1;
    config.x = x;
    (void)remove(scene_path("fig.gnuplot"));
    assert_int_equal(plot_it(&config, &report, &err), status);
    if (strstr(err.text, part) == NULL) fail_msg("wanted: %s\ngot: %s", part, err.text);
    assert_int_equal(report.file_count, 0);
    assert_int_not_equal(access(scene_path("fig.gnuplot"), F_OK), 0);
}

static void mistakes_are_named(void **state) {
    (void)state;
    refused("cuont", NULL, TALUS_ERR_UNKNOWN_NAME, "no column 'cuont'; did you mean 'count'?");
    refused("q*", NULL, TALUS_ERR_UNKNOWN_NAME, "no column 'q*'; allowed: time, fall.z");
    refused("count", "tim", TALUS_ERR_UNKNOWN_NAME, "did you mean 'time'?");
    talus_plot_config config = talus_plot_config_default();
    static talus_plot_report report;
    talus_error err;
    config.width = 10;
    assert_int_equal(plot_it(&config, &report, &err), TALUS_ERR_INPUT);
    assert_non_null(strstr(err.text, "width of a figure is 10; allowed are 200 to 8192"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_mean_themselves),
        cmocka_unit_test(units_have_sane_sizes),
        cmocka_unit_test(patterns_fit_names),
        cmocka_unit_test(script_is_as_expected),
        cmocka_unit_test(script_of_a_distribution),
        cmocka_unit_test(script_of_a_rose),
        cmocka_unit_test(many_curves_are_told_apart),
        cmocka_unit_test(without_gnuplot_the_script_is_left),
        cmocka_unit_test(columns_without_extent_have_ranges),
        cmocka_unit_test(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, scene_setup, scene_teardown);
}
