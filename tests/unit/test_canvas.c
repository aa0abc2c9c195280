/* SPDX-License-Identifier: Apache-2.0
 * Drawing on a page: areas covered, colours, letters, PNG files. */
#define _DEFAULT_SOURCE
#include "support.h"

#include <png.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "io/font.h"
#include "io/png_file.h"

static const struct color black = {0.0, 0.0, 0.0};

static struct memory memory;

static struct canvas page(int width, int height) {
    struct canvas canvas;
    assert_ok(canvas_create(&canvas, width, height, &memory, NULL));
    return canvas;
}

/* Pixels' worth of black on a white page. */
static double ink(const struct canvas *canvas) {
    double sum = 0.0;
    for (int k = 0; k < canvas->width * canvas->height; k++)
        sum += 1.0 - (double)canvas->pixels[3 * k] / 255.0;
    return sum;
}

static void shapes_cover_their_area(void **state) {
    (void)state;
    const double pi = 3.141592653589793;
    struct canvas canvas = page(100, 80);
    assert_near(ink(&canvas), 0.0, 0.0);
    canvas_disc(&canvas, (struct point){40.3, 35.7}, 17.9, black, 1.0);
    assert_near(ink(&canvas), pi * 17.9 * 17.9, 3.0);
    canvas_destroy(&canvas);

    canvas = page(100, 80);
    canvas_ring(&canvas, (struct point){40.3, 35.7}, 20.0, 3.0, black);
    assert_near(ink(&canvas), 2.0 * pi * 20.0 * 3.0, 4.0);
    canvas_destroy(&canvas);

    canvas = page(100, 80);
    canvas_line(&canvas, (struct point){10.2, 70.4}, (struct point){81.7, 12.9}, 4.0, black);
    assert_near(ink(&canvas), 4.0 * hypot(71.5, 57.5) + pi * 4.0, 6.0);
    canvas_destroy(&canvas);

    canvas = page(100, 80);
    const struct point corners[4] = {{10.0, 10.0}, {60.0, 20.0}, {70.0, 60.0}, {15.0, 50.0}};
    canvas_polygon(&canvas, corners, 4, black, 0.5);
    assert_near(ink(&canvas), 0.5 * 2025.0, 8.0); /* shoelace formula */
    canvas_destroy(&canvas);
    assert_int_equal(memory.bytes, 0);
}

/* Steiner: a hull of area A and perimeter P swept by a disc of radius r covers A + P r + pi r^2. */
static void figures_cover_their_area(void **state) {
    (void)state;
    const double pi = 3.141592653589793;
    const struct point corners[4] = {{30.2, 25.1}, {60.2, 25.1}, {60.2, 50.1}, {30.2, 50.1}};
    const double areas[5] = {0.0, 0.0, 0.0, 0.5 * 30.0 * 25.0, 30.0 * 25.0};
    const double around[5] = {0.0, 0.0, 60.0, 55.0 + hypot(30.0, 25.0), 110.0};
    const struct canvas_pen pen = {black, black, 1.5};
    for (int count = 1; count <= 4; count++)
        for (double r = count < 3 ? 7.3 : 0.0; r < 15.0; r += 7.3) {
            struct canvas canvas = page(100, 80);
            const struct canvas_hull hull = {corners, count, r};
            canvas_figure(&canvas, &hull, 1, &pen);
            assert_near(ink(&canvas), areas[count] + around[count] * r + pi * r * r, 4.0);
            canvas_destroy(&canvas);
        }
    assert_int_equal(memory.bytes, 0);
}

/* Two boxes side by side are one figure: no line and no paper between them, a line around both. */
static void figures_have_no_inner_lines(void **state) {
    (void)state;
    const struct point left[4] = {{10.4, 10.3}, {40.7, 10.3}, {40.7, 50.3}, {10.4, 50.3}};
    const struct point right[4] = {{40.7, 10.3}, {80.4, 10.3}, {80.4, 30.3}, {40.7, 30.3}};
    const struct canvas_hull hulls[2] = {{left, 4, 0.0}, {right, 4, 0.0}};
    const struct canvas_pen pen = {{0.5, 0.5, 0.5}, black, 2.0};
    struct canvas canvas = page(100, 80);
    canvas_figure(&canvas, hulls, 2, &pen);
    for (int x = 14; x < 77; x++) assert_in_range(canvas.pixels[3 * (100 * 20 + x)], 127, 128);
    assert_true(canvas.pixels[3 * (100 * 11 + 41)] < 20); /* along the top */
    assert_true(canvas.pixels[3 * (100 * 40 + 39)] < 20); /* below the seam the left box ends */
    assert_int_equal(canvas.pixels[3 * (100 * 40 + 42)], 255);
    canvas_destroy(&canvas);
    assert_int_equal(memory.bytes, 0);
}

/* A thing thinner than a pixel is paler, not invisible and not a full pixel wide. */
static void thin_things_stay_in_proportion(void **state) {
    (void)state;
    struct canvas canvas = page(60, 60);
    canvas_line(&canvas, (struct point){10.0, 30.5}, (struct point){50.0, 30.5}, 0.25, black);
    assert_near(ink(&canvas), 0.25 * 40.0, 1.0);
    canvas_destroy(&canvas);
    canvas = page(60, 60);
    canvas_disc(&canvas, (struct point){30.5, 30.5}, 0.2, black, 1.0);
    assert_near(ink(&canvas), 0.13, 0.1);
    canvas_destroy(&canvas);
}

static void drawing_outside_is_harmless(void **state) {
    (void)state;
    struct canvas canvas = page(16, 16);
    const struct point far[3] = {{-1e9, -1e9}, {1e9, -1e9}, {0.0, -1e8}};
    canvas_disc(&canvas, (struct point){-50.0, 8.0}, 10.0, black, 1.0);
    canvas_disc(&canvas, (struct point){1e12, 1e12}, 10.0, black, 1.0);
    canvas_ring(&canvas, (struct point){8.0, 8.0}, 1e7, 2.0, black);
    canvas_line(&canvas, (struct point){-100.0, -5.0}, (struct point){100.0, -5.0}, 2.0, black);
    canvas_polygon(&canvas, far, 3, black, 1.0);
    canvas_polygon(&canvas, far, 2, black, 1.0);
    font_draw(&canvas, (struct point){-500.0, -500.0}, "far away", 12.0, black);
    assert_near(ink(&canvas), 0.0, 0.0);
    canvas_destroy(&canvas);
}

static void every_letter_shows(void **state) {
    (void)state;
    struct canvas canvas = page(40, 40);
    for (int c = '!'; c <= '~'; c++) {
        const char text[2] = {(char)c, '\0'};
        memset(canvas.pixels, 255, 40 * 40 * 3);
        font_draw(&canvas, (struct point){10.0, 28.0}, text, 18.0, black);
        if (!(ink(&canvas) > 2.0)) fail_msg("'%c' draws nothing", c);
    }
    canvas_destroy(&canvas);
    assert_true(font_width("mm", 10.0) > 2.0 * font_width("m", 10.0));
    assert_near(font_width("speed (m/s)", 24.0), 2.0 * font_width("speed (m/s)", 12.0), 1e-9);
    assert_true(font_width("", 10.0) == 0.0);
    assert_near(font_width("\xc3", 10.0), font_width("?", 10.0), 0.0);
}

static double ink_of(struct canvas *canvas, const char *text) {
    memset(canvas->pixels, 255, 40 * 40 * 3);
    font_draw(canvas, (struct point){10.0, 28.0}, text, 18.0, black);
    return ink(canvas);
}

/* Letters of UTF-8, not their bytes: with accents above the plain ones, and one '?' for each that the font has not. */
static void letters_beyond_ascii(void **state) {
    (void)state;
    struct canvas canvas = page(40, 40);
    static const char *const pairs[][2] = {{"\xc3\x9c", "U"},
                                           {"\xc3\xbc", "u"},
                                           {"\xc3\xa9", "e"},
                                           {"\xc3\x85", "A"},
                                           {"\xc3\xa7", "c"}};
    for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
        assert_near(font_width(pairs[k][0], 10.0), font_width(pairs[k][1], 10.0), 0.0);
        assert_true(ink_of(&canvas, pairs[k][0]) > ink_of(&canvas, pairs[k][1]) + 1.0);
    }
    double unknown = ink_of(&canvas, "?");
    static const char *const known[] = {"\xc2\xb5", "\xc2\xb0", "\xc2\xb2", "\xce\xb1", "\xce\xa9"};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        double found = ink_of(&canvas, known[k]);
        if (!(found > 2.0) || found == unknown) fail_msg("sign %zu is not drawn", k);
    }
    for (int code = 0xc0; code <= 0xff; code++) { /* all letters of Latin-1 */
        const char text[3] = {(char)(0xc0 | code >> 6), (char)(0x80 | (code & 0x3f)), '\0'};
        if (ink_of(&canvas, text) == unknown) fail_msg("U+%04X is not drawn", (unsigned)code);
    }
    assert_near(ink_of(&canvas, "\xe6\xb1\x89"), unknown, 0.0);
    assert_near(font_width("\xe6\xb1\x89", 10.0), font_width("?", 10.0), 0.0);
    assert_near(font_width("\xc3\xa9\xff", 10.0), font_width("e?", 10.0), 0.0);
    canvas_destroy(&canvas);
}

static double lab_distance(struct lab p, struct lab q) {
    return sqrt((p.l - q.l) * (p.l - q.l) + (p.a - q.a) * (p.a - q.a) + (p.b - q.b) * (p.b - q.b));
}

/* Equal steps look equal: the curve runs through L*a*b* at nearly constant speed, always lighter,
 * and never leaves what a screen can show. */
static void colours_are_uniform(void **state) {
    (void)state;
    enum { STEPS = 100 };
    double slowest = HUGE_VAL, fastest = 0.0, luminance = -1.0;
    for (int k = 0; k < STEPS; k++) {
        double t = (double)k / STEPS;
        double speed = STEPS * lab_distance(colormap_lab(t), colormap_lab(t + 1.0 / STEPS));
        slowest = fmin(slowest, speed);
        fastest = fmax(fastest, speed);
        struct color coded = colormap_at(t), c = color_linear(coded);
        assert_true(fmin(coded.r, fmin(coded.g, coded.b)) > 0.0); /* clamped if not shown */
        assert_true(fmax(coded.r, fmax(coded.g, coded.b)) < 1.0);
        double y = 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b;
        assert_true(y > luminance);
        luminance = y;
    }
    assert_true(fastest < 1.15 * slowest);
    struct color low = colormap_at(-3.0), first = colormap_at(0.0), none = colormap_at((double)NAN);
    assert_memory_equal(&low, &first, sizeof low);
    assert_memory_equal(&none, &first, sizeof none);
}

static double luminance(struct color coded) {
    struct color c = color_linear(coded);
    return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b;
}

/* Both ends of the tide are equally dark, its middle is grey and the lightest; nothing leaves what a screen can
 * show. Of the grey map all is grey, and it becomes lighter. */
static void signs_have_equal_weight(void **state) {
    (void)state;
    enum { STEPS = 50 };
    for (int k = 0; k < STEPS; k++) {
        double t = 0.5 * k / STEPS, next = 0.5 * (k + 1) / STEPS;
        struct color low = colormap_of(COLORMAP_TIDE, t),
                     high = colormap_of(COLORMAP_TIDE, 1.0 - t);
        assert_true(fmin(low.r, fmin(low.g, low.b)) > 0.0 && fmax(low.r, low.b) < 1.0);
        assert_true(fmin(high.r, fmin(high.g, high.b)) > 0.0 && fmax(high.r, high.b) < 1.0);
        assert_near(luminance(low), luminance(high), 1e-3); /* the matrix to sRGB has four digits */
        assert_true(luminance(colormap_of(COLORMAP_TIDE, next)) > luminance(low));
        assert_true(t == 0.5 || low.b > low.r);
        assert_true(t == 0.5 || high.r > high.b);
        struct color grey = colormap_of(COLORMAP_GREY, t);
        assert_near(grey.r, grey.g, 1e-3);
        assert_near(grey.b, grey.g, 1e-3);
        assert_true(luminance(colormap_of(COLORMAP_GREY, next)) > luminance(grey));
    }
    struct color lake = colormap_of(COLORMAP_LAKE, 0.3), old = colormap_at(0.3);
    assert_memory_equal(&lake, &old, sizeof lake);
    assert_int_equal(colormap_find("tide"), COLORMAP_TIDE);
    assert_int_equal(colormap_find("jet"), COLORMAPS);
}

static void colour_codes_invert(void **state) {
    (void)state;
    for (int k = 0; k <= 20; k++) {
        struct color c = {(double)k / 20.0, 0.3, 1.0 - (double)k / 20.0};
        struct color back = color_coded(color_linear(c));
        assert_near(back.r, c.r, 1e-9);
        assert_near(back.g, c.g, 1e-9);
        assert_near(back.b, c.b, 1e-9);
    }
    struct color gray = color_from_lab((struct lab){53.585, 0.0, 0.0}); /* L* of sRGB 0.5 */
    assert_near(gray.r, 0.5022, 2e-3);
    assert_near(gray.g, gray.b, 2e-3);
}

/* ---- files ----------------------------------------------------------------------------------- */

static char directory[256], path[300], part[320];

static int make_directory(void **state) {
    (void)state;
    const char *parent = getenv("TMPDIR");
    snprintf(directory, sizeof directory, "%s/talus_canvas_XXXXXX", parent ? parent : P_tmpdir);
    if (mkdtemp(directory) == NULL) return -1;
    snprintf(path, sizeof path, "%s/a.png", directory);
    snprintf(part, sizeof part, "%s.part", path);
    return 0;
}

static int remove_directory(void **state) {
    (void)state;
    remove(path);
    return rmdir(directory);
}

static void png_reads_back(void **state) {
    (void)state;
    struct canvas canvas = page(123, 45);
    for (int k = 0; k < 45; k++)
        canvas_disc(&canvas, (struct point){2.7 * k, k}, 5.3, colormap_at(k / 44.0), 0.7);
    assert_ok(png_file_write(&canvas, path, NULL));

    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, path));
    assert_int_equal(image.width, 123);
    assert_int_equal(image.height, 45);
    image.format = PNG_FORMAT_RGB;
    uint8_t pixels[123 * 45 * 3];
    assert_true(png_image_finish_read(&image, NULL, pixels, 0, NULL));
    assert_memory_equal(pixels, canvas.pixels, sizeof pixels);
    canvas_destroy(&canvas);
}

static void a_missing_directory_is_named(void **state) {
    (void)state;
    struct canvas canvas = page(16, 16);
    char missing[400];
    talus_error err;
    snprintf(missing, sizeof missing, "%s/nowhere/a.png", directory);
    assert_int_equal(png_file_write(&canvas, missing, &err), TALUS_ERR_FILE);
    assert_non_null(strstr(err.text, missing));
    assert_null(strchr(err.text, '\n'));
    canvas_destroy(&canvas);
}

static long file_size(const char *name) {
    FILE *file = fopen(name, "rb");
    if (file == NULL) return -1;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    fclose(file);
    return size;
}

/* Write with a limit on the size of files, which stands for a full disk. */
static talus_status write_with_limit(const struct canvas *canvas, rlim_t bytes, talus_error *err) {
    struct rlimit old, tight;
    getrlimit(RLIMIT_FSIZE, &old);
    tight = old;
    tight.rlim_cur = bytes;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &tight);
    talus_status status = png_file_write(canvas, path, err);
    setrlimit(RLIMIT_FSIZE, &old);
    return status;
}

/* Noise does not compress: a large page fails while it is written, a small one (less than the
 * stream's buffer) only when it is closed. */
static void a_full_disk_keeps_the_old_picture(void **state) {
    (void)state;
    const int sides[2] = {300, 24};
    for (int s = 0; s < 2; s++) {
        struct canvas canvas = page(sides[s], sides[s]);
        talus_error err;
        assert_ok(png_file_write(&canvas, path, NULL));
        long size = file_size(path);
        uint32_t noise = 2463534242u;
        for (int k = 0; k < sides[s] * sides[s] * 3; k++) {
            noise ^= noise << 13;
            noise ^= noise >> 17;
            noise ^= noise << 5;
            canvas.pixels[k] = (uint8_t)(noise >> 24);
        }
        assert_int_equal(write_with_limit(&canvas, 512, &err), TALUS_ERR_FILE);
        assert_non_null(strstr(err.text, "a.png: cannot be written: File too large"));
        assert_int_equal(file_size(path), size);
        assert_int_equal(file_size(part), -1);
        canvas_destroy(&canvas);
    }
}

static void a_refused_page_is_reported(void **state) {
    (void)state;
    struct memory refusing = {.refuse_at = 1};
    struct canvas canvas;
    assert_int_equal(canvas_create(&canvas, 16, 16, &refusing, NULL), TALUS_ERR_MEMORY);
    canvas_destroy(&canvas);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_cover_their_area),
        cmocka_unit_test(figures_cover_their_area),
        cmocka_unit_test(figures_have_no_inner_lines),
        cmocka_unit_test(thin_things_stay_in_proportion),
        cmocka_unit_test(drawing_outside_is_harmless),
        cmocka_unit_test(every_letter_shows),
        cmocka_unit_test(letters_beyond_ascii),
        cmocka_unit_test(colours_are_uniform),
        cmocka_unit_test(signs_have_equal_weight),
        cmocka_unit_test(colour_codes_invert),
        cmocka_unit_test(png_reads_back),
        cmocka_unit_test(a_missing_directory_is_named),
        cmocka_unit_test(a_full_disk_keeps_the_old_picture),
        cmocka_unit_test(a_refused_page_is_reported),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
