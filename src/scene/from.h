/* SPDX-License-Identifier: Apache-2.0
 * Starting with the grains of another run. */
#ifndef SCENE_FROM_H
#define SCENE_FROM_H

#include "io/checkpoint_grains.h"
#include "scene/generate.h"

struct from {
    const talus_scene *scene;
    struct checkpoint_grains grains;
    talus_index *body_of; /* of each body of the file: in the simulation; -1: not there */
    int *material;        /* of each material of the file: in the scene; -1: no grain has it */
};

/* Free it in any case. */
talus_status from_read(struct from *from, const talus_scene *scene, talus_error *err);
/* With the boundaries in place; `all` gets them too, so that others keep their distance. */
talus_status from_add_grains(struct from *from, talus_sim *sim, struct grains *all,
                             talus_error *err);
/* With everything in place: forces and memories of contacts. */
talus_status from_start_contacts(struct from *from, talus_sim *sim, talus_error *err);
talus_status from_check_groups(const talus_scene *scene, const talus_sim *sim, talus_error *err);
void from_free(struct from *from);

#endif
