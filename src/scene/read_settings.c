/* SPDX-License-Identifier: Apache-2.0
 * What concerns the whole scene: dimension, gravity, time step, cell, solver, limits, output. */
#include <string.h>

#include "scene/read.h"

/* A number of sweeps asks for just so many. */
static void read_stop(struct reader *reader, struct node *map, talus_solver_config *solver) {
    static const char words[] =
        "fixed local global residual balance siconos penetration unbalanced";
    talus_stop before = solver->stop;
    const char *stop = get_text(map, "stop", NULL);
    if (stop != NULL) {
        solver->stop = (talus_stop)read_word(stop, words);
    } else if (get_has(map, "sweeps")) {
        solver->stop = TALUS_STOP_FIXED;
        read_default_text(reader, map, "stop", "fixed");
    }
    double usual = solver->stop == TALUS_STOP_BALANCE ? 1e-2 : 1e-6;
    if (solver->stop == before) usual = solver->tolerance;
    solver->tolerance = get_number(map, "tolerance", usual);
}

/* For scene.yaml: what the rule was, and how strict. */
static void tell_stop(struct reader *reader, struct node *map) {
    const talus_solver_config *solver = &reader->scene->config.solver;
    bool balance = solver->stop == TALUS_STOP_BALANCE; /* all others are named */
    if (map == NULL) return;                           /* no map at all: a mistake told already */
    if (balance && !get_has(map, "stop")) read_default_text(reader, map, "stop", "balance");
    if (solver->stop == TALUS_STOP_FIXED && !get_has(map, "sweeps"))
        read_default_number(reader, map, "sweeps", solver->sweeps);
    if (!get_has(map, "tolerance"))
        read_default_number(reader, map, "tolerance", solver->tolerance);
}

talus_solver_config read_solver(struct reader *reader, struct node *map, talus_solver_config base) {
    talus_solver_config solver = base;
    const char *sweep = get_text(map, "sweep", NULL), *gap = get_text(map, "gap", NULL);
    solver.name = get_text(map, "name", base.name);
    if (sweep != NULL) {
        solver.sweep = (talus_sweep)read_word(
            sweep, "random windowed sequential symmetric parallel batched auto");
    }
    read_stop(reader, map, &solver);
    solver.sweeps = (int)get_integer(map, "sweeps", base.sweeps);
    solver.max_sweeps = (int)get_integer(map, "max_sweeps", base.max_sweeps);
    solver.check_every = (int)get_integer(map, "check_every", base.check_every);
    solver.window = (int)get_integer(map, "window", base.window);
    solver.cutoff = get_number(map, "cutoff", base.cutoff);
    solver.momentum_cap = get_number(map, "momentum_cap", base.momentum_cap);
    solver.warm_start = get_boolean(map, "warm_start", base.warm_start);
    solver.carry = get_number(map, "carry", base.carry);
    solver.islands = get_boolean(map, "islands", base.islands);
    solver.audit = get_number(map, "audit", base.audit);
    solver.substeps = (int)get_integer(map, "substeps", base.substeps);
    if (gap != NULL) solver.gap = (talus_gap)read_word(gap, "positive signed projected");
    return solver;
}

static void read_cell(struct reader *reader, const struct node *map) {
    talus_cell_config *cell = &reader->scene->config.cell;
    static const char *const axes[3] = {"x", "y", "z"};
    cell->origin = get_vector(map, "origin");
    cell->size = get_vector(map, "size");
    for (int axis = 0; axis < 3; axis++) {
        cell->periodic[axis] = get_contains(map, "periodic", axes[axis]);
        if (!cell->periodic[axis]) continue;
        const struct node *size = get(map, "size"), *periodic = get(map, "periodic");
        if (axis >= reader->dimension) {
            problem_at(reader->problems, periodic->place,
                       "cell.periodic: there is no %s in a %d-dimensional world", axes[axis],
                       reader->dimension);
        } else if (size != NULL && !(vec3_component(cell->size, axis) > 0.0)) {
            problem_at(reader->problems, size->place,
                       "cell.size is %g along %s, but must be greater than 0: the cell is periodic "
                       "there",
                       vec3_component(cell->size, axis), axes[axis]);
        }
    }
}

static void read_time(struct reader *reader, const struct node *map) {
    const struct node *dt = get(map, "dt");
    struct talus_scene *scene = reader->scene;
    scene->dt_auto = dt == NULL || dt->value == VALUE_TEXT;
    if (!scene->dt_auto) scene->config.dt = dt->number;
    scene->config.integrator = get_text(map, "integrator", scene->config.integrator);
}

void read_settings(struct reader *reader) {
    struct talus_scene *scene = reader->scene;
    const struct node *root = reader->root, *method = get(root, "method");
    scene->config = talus_config_default();
    scene->title = get_text(root, "title", "");
    scene->config.dim = reader->dimension = (int)get_integer(root, "dimension", 3);
    scene->config.seed = (uint64_t)get_integer(root, "seed", 1);
    scene->config.gravity = read_world_vector(reader, root, "gravity");
    if (method != NULL) scene->config.method = (talus_method)read_word(method->text, "cd md");
    read_time(reader, get(root, "time"));
    read_cell(reader, get(root, "cell"));
    scene->config.solver = read_solver(reader, get(root, "solver"), scene->config.solver);
    tell_stop(reader, get(root, "solver"));
    scene->overlap_limit = get_number(get(root, "limits"), "overlap", 0.01);
}

/* A picture of the line or the plane has x and y. */
static void read_view(struct reader *reader, const struct node *map) {
    talus_picture_config *picture = &reader->scene->output.picture_config;
    picture->low = get_vector(map, "low");
    picture->high = get_vector(map, "high");
    if (!get_has(map, "low") || !get_has(map, "high")) return;
    for (int axis = 0; axis < (reader->dimension == 3 ? 3 : 2); axis++) {
        double low = vec3_component(picture->low, axis), high = vec3_component(picture->high, axis);
        if (!(high > low))
            problem_at(reader->problems, get(map, "high")->place,
                       "view: high is %g along %c, but must be greater than low, %g", high,
                       "xyz"[axis], low);
    }
}

static void read_picture(struct reader *reader, const struct node *node) {
    struct scene_output *output = &reader->scene->output;
    talus_picture_config *picture = &output->picture_config;
    *picture = talus_picture_config_default();
    output->picture = node == NULL || node->kind == NODE_MAP || node->integer != 0;
    if (node == NULL || node->kind != NODE_MAP) return;
    picture->color = get_text(node, "color", picture->color);
    picture->forces = get_boolean(node, "forces", picture->forces);
    picture->boundaries = get_boolean(node, "boundaries", picture->boundaries);
    picture->legend = get_boolean(node, "legend", picture->legend);
    picture->width = (int)get_integer(node, "width", picture->width);
    picture->height = (int)get_integer(node, "height", picture->height);
    picture->azimuth = get_number(node, "azimuth", picture->azimuth);
    picture->elevation = get_number(node, "elevation", picture->elevation);
    if (get_has(node, "view")) read_view(reader, get(node, "view"));
}

/* After the interval of the rows. */
static void read_frames(struct reader *reader, struct node *node) {
    struct scene_output *output = &reader->scene->output;
    struct scene_frames *frames = &output->frames;
    frames->contacts = frames->surfaces = true;
    frames->wanted = node != NULL && (node->kind == NODE_MAP || node->integer != 0);
    if (!frames->wanted) return;
    bool given = node->kind == NODE_MAP;
    if (given) {
        static const char *const events[] = {"start", "phase", "end"};
        const struct node *quantities = get(node, "quantities");
        frames->every = get_number(node, "every", 0.0);
        frames->steps = get_integer(node, "steps", 0);
        for (unsigned i = 0; i < 3; i++)
            if (get_contains(node, "events", events[i])) frames->events |= 1u << i;
        frames->quantities = quantities != NULL ? read_names(reader, quantities) : NULL;
        frames->quantity_count = quantities != NULL ? quantities->count : 0;
        frames->contacts = get_boolean(node, "contacts", true);
        frames->surfaces = get_boolean(node, "surfaces", true);
        frames->vtkhdf = strcmp(get_text(node, "format", "vtp"), "vtkhdf") == 0;
        frames->float32 = get_boolean(node, "float32", false);
    }
    if (frames->every > 0.0 || frames->steps > 0 || frames->events != 0) return;
    frames->every = output->every;
    frames->steps = output->every > 0.0 ? 0 : 1;
    if (!given) return;
    if (frames->steps > 0)
        read_default_number(reader, node, "steps", 1.0);
    else
        read_default_number(reader, node, "every", frames->every);
}

/* A hundredth of the run, if its length is known. */
static double default_interval(const struct talus_scene *scene) {
    double duration = 0.0;
    for (size_t i = 0; i < scene->phase_count; i++) {
        if (scene->phases[i].steps > 0) return 0.0;
        duration += scene->phases[i].duration;
    }
    return duration / 100.0;
}

static void read_checkpoint(const struct node *node, struct scene_checkpoint *checkpoint) {
    checkpoint->wanted = node == NULL || node->kind == NODE_MAP || node->integer != 0;
    checkpoint->every = get_number(node, "every", 600.0);
    checkpoint->steps = get_integer(node, "steps", 0);
    checkpoint->end = get_boolean(node, "end", true);
}

void read_output(struct reader *reader) {
    struct node *map = get(reader->root, "output");
    struct scene_output *output = &reader->scene->output;
    if (map == NULL) return;
    output->every = get_number(map, "every", 0.0);
    if (!get_has(map, "every")) {
        output->every = default_interval(reader->scene);
        read_default_number(reader, map, "every", output->every);
    }
    output->boundaries = get_boolean(map, "boundaries", true);
    const struct node *track = get(map, "track");
    if (track != NULL) {
        output->track = read_names(reader, track);
        output->track_count = track->count;
        for (const struct node *name = track->first; name != NULL; name = name->next) {
            check_group(reader, name);
        }
    }
    read_picture(reader, get(map, "picture"));
    output->film = get_number(map, "film", 0.0);
    read_checkpoint(get(map, "checkpoint"), &output->checkpoint);
    read_frames(reader, get(map, "frames"));
    read_measures(reader, get(map, "measures"));
}
