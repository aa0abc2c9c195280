/* SPDX-License-Identifier: Apache-2.0
 * talus picture: pictures of the states that a run has stored. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/terminal.h"

enum {
    OUTPUT = 1,
    FRAME,
    FRAMES,
    COLOR,
    RANGE,
    MAP,
    FORCES,
    NO_FORCES,
    NO_GRAINS,
    NO_WALLS,
    NO_LEGEND,
    SIZE,
    VIEW,
    TITLE,
    QUIET
};

static const struct option_def defs[] = {
    {OUTPUT, "output", 'o', "FILE.png", "default DIR/picture.png; of a series its directory"},
    {FRAME, "frame", 'f', "N", "one frame, the first is 0; default -1, the last"},
    {FRAMES, "frames", 0, "A:B:STEP", "a series of pictures for a film: 10:20, ::5, :"},
    {COLOR, "color", 'c', "QUANTITY", "speed, radius, pressure, |f|, v.x, mass, group, ..."},
    {RANGE, "range", 'r', "A:B", "values of the first and the last colour"},
    {MAP, "map", 0, "NAME", "colours of numbers: lake, grey or tide"},
    {FORCES, "forces", 0, NULL, "force chains: bars as wide as the normal force is large"},
    {NO_FORCES, "no-forces", 0, NULL, "none, whatever the scene says"},
    {NO_GRAINS, "no-grains", 0, NULL, "walls and force chains only"},
    {NO_WALLS, "no-walls", 0, NULL, "grains and force chains only"},
    {NO_LEGEND, "no-legend", 0, NULL, "no colour bar, no time"},
    {SIZE, "size", 's', "WxH", "pixels"},
    {VIEW, "view", 0, "VIEW", "in space: x, y, z (from there), iso, or AZIMUTH,ELEVATION in deg"},
    {TITLE, "title", 0, "TEXT", "a line above it"},
    {QUIET, "quiet", 'q', NULL, "no progress line"},
    {0}};

struct request {
    const char *from, *to;
    int64_t first, stop, step; /* of the frames */
    bool series, one, quiet;   /* one: --frame was given */
    /* what is given, over what the scene says */
    const char *color, *map, *title;
    int forces; /* 1, 0; -1: as the scene says */
    bool no_grains, no_walls, no_legend;
    int width, height; /* 0: as the scene says */
    double range[2], azimuth, elevation;
    bool view;
};

/* ---- options --------------------------------------------------------------------------------- */

static bool accept_frame(struct request *request, const char *text) {
    char *end;
    request->first = strtoll(text, &end, 10);
    request->stop = request->first == -1 ? INT64_MAX : request->first + 1;
    if (end != text && *end == '\0' && request->first < INT64_MAX) return true;
    complain("picture: --frame %s: must be a number, e.g. 7 or -1 (the last)", text);
    return false;
}

static int64_t from_end(int64_t number, int64_t count) {
    return number >= 0 ? number : number + count < 0 ? 0 : number + count;
}

/* Negative numbers and open ends for so many frames; false if none is left. */
static bool settle_frames(struct request *request, int64_t count) {
    request->first = from_end(request->first, count);
    request->stop = from_end(request->stop, count);
    if (request->stop > count) request->stop = count;
    return request->first < request->stop;
}

static size_t frame_count(const struct request *request) {
    return (size_t)((request->stop - request->first - 1) / request->step) + 1;
}

static size_t frame_number(const struct request *request, size_t k) {
    return (size_t)request->first + k * (size_t)request->step;
}

static bool accept_range(struct request *request, const char *text) {
    char *end;
    request->range[0] = strtod(text, &end);
    bool good = end != text && *end == ':';
    if (good) {
        const char *second = end + 1;
        request->range[1] = strtod(second, &end);
        good = end != second && *end == '\0' && request->range[0] < request->range[1];
    }
    if (!good) complain("picture: --range %s: must be A:B with A below B, e.g. 0:0.5", text);
    return good;
}

static bool accept_size(struct request *request, const char *text) {
    char more;
    if (sscanf(text, "%dx%d%c", &request->width, &request->height, &more) == 2 &&
        request->width > 0 && request->height > 0)
        return true;
    complain("picture: --size %s: must be WxH in pixels, e.g. 1200x900", text);
    return false;
}

static bool accept_view(struct request *request, const char *text) {
    static const struct {
        const char *name;
        double azimuth, elevation;
    } views[] = {{"x", 0.0, 0.0}, {"y", -90.0, 0.0}, {"z", -90.0, 90.0}, {"iso", 45.0, 35.264}};
    char more;
    request->view = true;
    for (size_t k = 0; k < sizeof views / sizeof views[0]; k++) {
        if (strcmp(text, views[k].name) != 0) continue;
        request->azimuth = views[k].azimuth;
        request->elevation = views[k].elevation;
        return true;
    }
    if (sscanf(text, "%lf,%lf%c", &request->azimuth, &request->elevation, &more) == 2) return true;
    complain("picture: --view %s: must be x, y, z, iso or AZIMUTH,ELEVATION in degrees, e.g. 35,20",
             text);
    return false;
}

static talus_picture_config config_of(const struct request *request,
                                      const talus_pictures *pictures) {
    talus_picture_config config = talus_pictures_config(pictures);
    if (request->color != NULL) config.color = request->color;
    if (request->map != NULL) config.map = request->map;
    if (request->title != NULL) config.title = request->title;
    if (request->forces >= 0) config.forces = request->forces;
    if (request->no_grains) config.grains = false;
    if (request->no_walls) config.boundaries = false;
    if (request->no_legend) config.legend = false;
    if (request->width > 0) {
        config.width = request->width;
        config.height = request->height;
    }
    if (request->view) {
        config.azimuth = request->azimuth;
        config.elevation = request->elevation;
    }
    for (int k = 0; k < 2; k++) config.range[k] = request->range[k];
    return config;
}

/* ---- one picture ----------------------------------------------------------------------------- */

/* `name` in the directory of the results, or beside the frame that was given. */
static bool beside(char path[CLI_PATH], const char *from, const char *name) {
    size_t length = strlen(from);
    const char *slash = strrchr(from, '/');
    bool file = length > 4 && strcmp(from + length - 4, ".vtm") == 0;
    if (!file) return join_path(path, from, name);
    int needed =
        snprintf(path, CLI_PATH, "%.*s%s", slash != NULL ? (int)(slash - from) + 1 : 0, from, name);
    return needed > 0 && needed < CLI_PATH;
}

static int draw_one(const struct request *request, talus_pictures *pictures, size_t number) {
    talus_error err;
    char path[CLI_PATH];
    talus_picture_config config = config_of(request, pictures);
    const char *to = request->to != NULL ? request->to : path;
    if (request->to == NULL && !beside(path, request->from, "picture.png"))
        return complain("picture: the name of the directory is too long");
    if (talus_run_spare(request->from, to, &err) < 0 ||
        talus_pictures_write(pictures, number, &config, to, &err) < 0)
        return complain_error(&err);
    printf("%s\n", to);
    return CLI_OK;
}

/* ---- a series -------------------------------------------------------------------------------- */

static void show_progress(const struct request *request, const char *what, size_t done,
                          size_t total) {
    if (request->quiet || !terminal_look().interactive) return;
    printf("\r\033[K%s %zu of %zu", what, done, total);
    if (done == total) fputs("\r\033[K", stdout);
    fflush(stdout);
}

static int look_at_all(const struct request *request, talus_pictures *pictures,
                       talus_picture_config *config) {
    talus_error err;
    talus_picture_common common = {.any = false};
    size_t total = frame_count(request);
    for (size_t done = 0; done < total; done++) {
        show_progress(request, "looking at frame", done, total);
        if (interrupt_asked()) return complain("picture: stopped; nothing was written");
        if (talus_pictures_look(pictures, frame_number(request, done), config, &common, &err) < 0)
            return complain_error(&err);
    }
    show_progress(request, "looking at frame", total, total);
    talus_picture_common_use(&common, config);
    return CLI_OK;
}

/* A word of a command for a shell. */
static void print_quoted(const char *directory, const char *name) {
    putchar('\'');
    for (const char *at = directory; *at != '\0'; at++)
        fputs(*at == '\'' ? "'\\''" : (const char[]){*at, '\0'}, stdout);
    printf("/%s'", name);
}

static void print_film_command(const char *directory, size_t count) {
    fputs("ffmpeg -framerate 25 -i ", stdout);
    print_quoted(directory, "picture_%06d.png");
    printf(" -frames:v %zu -pix_fmt yuv420p -vf 'pad=ceil(iw/2)*2:ceil(ih/2)*2' ", count);
    print_quoted(directory, "film.mp4");
    putchar('\n');
}

static int draw_series(const struct request *request, talus_pictures *pictures) {
    talus_error err;
    char directory[CLI_PATH], path[CLI_PATH], name[48];
    size_t total = frame_count(request), done = 0;
    talus_picture_config config = config_of(request, pictures);
    if (request->to != NULL ? snprintf(directory, CLI_PATH, "%s", request->to) >= CLI_PATH
                            : !beside(directory, request->from, "pictures"))
        return complain("picture: the name of the directory is too long");
    interrupt_watch();
    int code = look_at_all(request, pictures, &config);
    if (code != CLI_OK) return code;
    if (!make_directories(directory)) return CLI_FILES_OR_SYSTEM;
    for (; done < total && !interrupt_asked(); done++) {
        size_t number = frame_number(request, done);
        show_progress(request, "picture", done, total);
        snprintf(name, sizeof name, "picture_%06zu.png", done);
        if (!join_path(path, directory, name)) return complain("picture: a name is too long");
        if (talus_pictures_write(pictures, number, &config, path, &err) < 0)
            return complain_error(&err);
    }
    show_progress(request, "picture", total, total);
    if (done < total) complain("picture: stopped after %zu of %zu pictures", done, total);
    printf("%zu picture%s in %s\n", done, done == 1 ? "" : "s", directory);
    print_film_command(directory, done);
    return CLI_OK;
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool has(const char *directory, const char *name) {
    char path[CLI_PATH];
    return join_path(path, directory, name) && access(path, F_OK) == 0;
}

/* A run of which there is text only: not enough for a picture. */
static bool is_bare(const char *directory) {
    return has(directory, "final.txt") && !has(directory, "frames/frames.pvd") &&
           !has(directory, "checkpoint.h5");
}

static int complain_bare(const char *directory) {
    bool drawn = has(directory, "final.png");
    return complain("picture: %s has neither frames nor a checkpoint to be drawn%s%s%s; run the "
                    "scene again with frames (talus run SCENE --frames-every TIME)",
                    directory, drawn ? "; its last state as the run drew it is " : "",
                    drawn ? directory : "", drawn ? "/final.png" : "");
}

static int draw(struct request *request) {
    talus_error err;
    talus_pictures *pictures;
    if (request->from == NULL) return complain("picture: which directory or frame?");
    if (!one_way_of_frames("picture", request->one, request->series)) return CLI_WRONG_INPUT;
    if (talus_pictures_open(request->from, &pictures, &err) < 0)
        return is_bare(request->from) ? complain_bare(request->from) : complain_error(&err);
    size_t count = talus_pictures_count(pictures);
    int code = CLI_WRONG_INPUT;
    if (request->view && talus_pictures_dim(pictures) < 3)
        complain("picture: --view is for grains in space; %s lies in a plane", request->from);
    else if (!settle_frames(request, (int64_t)count))
        complain("picture: %s has %zu frame%s, none of which is asked for", request->from, count,
                 count == 1 ? "" : "s");
    else if (request->series)
        code = draw_series(request, pictures);
    else
        code = draw_one(request, pictures, (size_t)request->first);
    talus_pictures_close(pictures);
    return code;
}

/* False after a message. */
static bool accept(struct request *request, int option, const char *value) {
    switch (option) {
    case OUTPUT: request->to = value; return true;
    case FRAME: request->one = true; return accept_frame(request, value);
    case FRAMES:
        request->series = true;
        return choose_frames("picture", value, &request->first, &request->stop, &request->step);
    case COLOR: request->color = value; return true;
    case RANGE: return accept_range(request, value);
    case MAP: request->map = value; return true;
    case FORCES: request->forces = 1; return true;
    case NO_FORCES: request->forces = 0; return true;
    case NO_GRAINS: request->no_grains = true; return true;
    case NO_WALLS: request->no_walls = true; return true;
    case NO_LEGEND: request->no_legend = true; return true;
    case SIZE: return accept_size(request, value);
    case VIEW: return accept_view(request, value);
    case TITLE: request->title = value; return true;
    case QUIET: request->quiet = true; return true;
    default: return false;
    }
}

int picture_command(int argc, char **argv) {
    struct request request = {.first = -1, .stop = INT64_MAX, .step = 1, .forces = -1};
    struct options options = options_start(
        argc, argv, defs, "picture DIR|FRAME [OPTIONS]",
        "Draws a stored state of a run (output: {frames: ...}), or its last one if it kept\n"
        "no frames, as the scene has its own pictures drawn (output: {picture: ...}).\n"
        "QUANTITY is what scenes colour by (speed, radius, height, pressure, coordination,\n"
        "spin, group, id), x, y, z, or any number of the frame: mass, type, shape, |v|, v.x,\n"
        "|omega|, |f|, |tq|, ... (talus list quantities). All pictures of a series have one\n"
        "view and one range of colours.");
    const char *value;
    for (;;) {
        int option = options_next(&options, &value);
        if (option == OPTION_END) return draw(&request);
        if (option == OPTION_HELP) return CLI_OK;
        if (option == OPTION_POSITIONAL) {
            if (request.from != NULL) return complain("picture: one directory or frame at a time");
            request.from = value;
        } else if (!accept(&request, option, value)) {
            return CLI_WRONG_INPUT;
        }
    }
}
