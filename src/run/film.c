/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbered pictures in the course of a run. All show the same part of space, so that what moves in the
 * film moves in the world: what the first picture needs, and the regions of the sources, unless the
 * scene gives it.
 */
#include <math.h>

#include "io/directory.h"
#include "io/picture.h"
#include "run/run.h"
#include "scene/generate.h"

/* The box around the places where sources pour; empty if there are none. */
static void sources_box(const talus_scene *scene, talus_vec3 *low, talus_vec3 *high) {
    *low = vec3_make(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    *high = vec3_make(-HUGE_VAL, -HUGE_VAL, -HUGE_VAL);
    for (size_t s = 0; s < scene->source_count; s++) {
        struct region_space space = region_space(&scene->sources[s].region, &scene->config);
        *low = vec3_make(fmin(low->x, space.low.x), fmin(low->y, space.low.y),
                         fmin(low->z, space.low.z));
        *high = vec3_make(fmax(high->x, space.high.x), fmax(high->y, space.high.y),
                          fmax(high->z, space.high.z));
    }
}

static talus_status begin(struct run *run, talus_error *err) {
    talus_picture_config *config = &run->film.config;
    talus_vec3 low, high;
    *config = run->scene->output.picture_config;
    sources_box(run->scene, &low, &high);
    TALUS_TRY(picture_film_view(run->result->sim, config, &low, &high, err));
    config->low = low;
    config->high = high;
    return TALUS_OK;
}

static bool due(const struct run *run) {
    const struct scene_output *output = &run->scene->output;
    const talus_sim *sim = run->result->sim;
    if (run->config->directory == NULL || !run->config->picture || !output->picture) return false;
    return output->film > 0.0 && talus_sim_time(sim) + 0.5 * talus_sim_dt(sim) >= run->film.next;
}

talus_status run_film(struct run *run, talus_error *err) {
    char path[FILE_PATH], name[DIRECTORY_FILM_NAME];
    if (!due(run)) return TALUS_OK;
    if (run->film.count == 0) TALUS_TRY(begin(run, err));
    directory_film_name(name, run->film.count++);
    run->film.next = run_next_time(run->result->sim, run->scene->output.film);
    TALUS_TRY(file_path(path, run->config->directory, name, err));
    return talus_picture_write(run->result->sim, &run->film.config, path, err);
}
