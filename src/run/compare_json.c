/* SPDX-License-Identifier: Apache-2.0
 * Two runs of one scene side by side, for programs. */
#include "io/json.h"
#include "run/compare.h"

static void put_vector(struct json *json, const char *key, talus_vec3 v) {
    json_array(json, key);
    json_number(json, NULL, v.x);
    json_number(json, NULL, v.y);
    json_number(json, NULL, v.z);
    json_array_end(json);
}

static void put_energy(struct json *json, const talus_energy *energy) {
    json_object(json, "energy");
    json_number(json, "kinetic", energy->kinetic_translation + energy->kinetic_rotation);
    json_number(json, "potential", energy->potential);
    json_number(json, "elastic", energy->elastic);
    json_number(json, "work_boundary", energy->work_boundary);
    run_json_losses(json, energy);
    json_object_end(json);
}

static void put_stress(struct json *json, const talus_stress *stress) {
    json_number(json, "pressure", stress->pressure);
    json_array(json, "stress");
    for (int i = 0; i < 3; i++)
        put_vector(json, NULL,
                   (talus_vec3){stress->tensor[i][0], stress->tensor[i][1], stress->tensor[i][2]});
    json_array_end(json);
}

static void put_side(struct json *json, const char *name, const talus_comparison *all,
                     const talus_compare_side *side) {
    json_object(json, name);
    json_text(json, "status", run_status_text(side->status));
    json_number(json, "wall_seconds", side->wall_seconds);
    json_integer(json, "steps", side->last.step);
    json_number(json, "dt", side->dt);
    json_number(json, "time", side->last.time);
    json_number(json, "work", side->work);
    put_energy(json, &side->last.energy);
    json_number(json, "kinetic_mean", side->kinetic);
    put_stress(json, &side->stress);
    json_number(json, "force_mean", side->force);
    json_number(json, "coordination", side->coordination);
    json_number(json, "packing_fraction", side->last.packing_fraction);
    json_number(json, "overlap_mean", side->overlap);
    json_number(json, "overlap_worst", side->overlap_worst);
    json_number(json, "overlap_max", side->overlap_max);
    json_number(json, "long_wave_error", side->trust.long_wave_error);
    json_number(json, "sweeps_mean", side->sweeps_mean);
    json_number(json, "rigidity", side->trust.rigidity);
    json_object(json, "boundary_forces");
    for (size_t b = 0; b < all->boundary_count && b < TALUS_COMPARE_BOUNDARIES; b++)
        put_vector(json, all->boundary_name[b], side->boundary_force[b]);
    json_object_end(json);
    json_text(json, "verdict", side->trust.verdict);
    json_object_end(json);
}

talus_status talus_comparison_json(const talus_comparison *all, FILE *to) {
    struct json json = json_start(to);
    json_object(&json, NULL);
    json_text(&json, "title", all->title);
    json_text(&json, "scene_method", all->scene_method == TALUS_METHOD_CD ? "cd" : "md");
    json_number(&json, "error", all->error);
    json_number(&json, "tolerance", all->tolerance);
    json_number(&json, "stiffness", all->stiffness);
    json_text(&json, "notes", all->notes);
    json_object(&json, "map");
    json_integer(&json, "dimension", all->dim);
    json_integer(&json, "grains", all->grains);
    json_number(&json, "mass", all->mass);
    json_number(&json, "radius", all->radius);
    json_number(&json, "speed", all->speed);
    json_number(&json, "value", all->map);
    json_number(&json, "time_ratio", all->ratio);
    json_object_end(&json);
    put_side(&json, "cd", all, &all->cd);
    put_side(&json, "md", all, &all->md);
    json_object_end(&json);
    return ferror(to) ? TALUS_ERR_FILE : TALUS_OK;
}
