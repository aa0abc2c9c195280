/* SPDX-License-Identifier: Apache-2.0
 *
 * Not kept: the problem and the work of the solver, which every step makes anew; memory and threads, which belong to
 * the process; the seed and the method, which are the scene's.
 */
#include "sim/sim_archive.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "detect/detect_archive.h"
#include "world/world_archive.h"

ARCHIVE_KNOWS(talus_sim, 6624);
ARCHIVE_KNOWS(struct ledger, 88);
ARCHIVE_KNOWS(struct run_record, 136);
ARCHIVE_KNOWS(struct step_sums, 40);
ARCHIVE_KNOWS(talus_step_report, 224);
ARCHIVE_KNOWS(talus_solver_config, 88);

enum { NAME = 64 };

/* The name is a pointer into the catalog. */
static void archive_solver(talus_sim *sim, struct archive *archive) {
    char name[NAME] = "";
    talus_solver_config solver = sim->solver;
    snprintf(name, sizeof name, "%s", sim->solver.name);
    solver.name = NULL;
    ARCHIVE(archive, "solver/name", "", &name, 1);
    ARCHIVE(archive, "solver/config", "", &solver, 1);
    if (!archive->reading || !archive_is_well(archive)) return;
    name[NAME - 1] = '\0';
    const struct solver_type *found = solver_find(name);
    if (found == NULL) archive_fail(archive, TALUS_ERR_INPUT, "its solver is unknown");
    if (found == NULL) return;
    sim->solver = solver;
    sim->solver.name = found->entry.name;
}

static const struct archive_member ledger_members[] = {
    ARCHIVE_MEMBER(struct ledger, input, ARCHIVE_DOUBLE, 1),
    ARCHIVE_MEMBER(struct ledger, work_force, ARCHIVE_DOUBLE, 1),
    ARCHIVE_MEMBER(struct ledger, work_boundary, ARCHIVE_DOUBLE, 1),
    ARCHIVE_MEMBER(struct ledger, work_projection, ARCHIVE_DOUBLE, 1),
    ARCHIVE_MEMBER(struct ledger, step_loss, ARCHIVE_DOUBLE, 1),
    ARCHIVE_MEMBER(struct ledger, impact, ARCHIVE_DOUBLE, 1),
    ARCHIVE_MEMBER(struct ledger, sliding, ARCHIVE_DOUBLE, 1),
    ARCHIVE_MEMBER(struct ledger, rolling, ARCHIVE_DOUBLE, 1),
    ARCHIVE_MEMBER(struct ledger, torsion, ARCHIVE_DOUBLE, 1),
    ARCHIVE_MEMBER(struct ledger, bonds, ARCHIVE_DOUBLE, 1),
    ARCHIVE_MEMBER(struct ledger, turnover, ARCHIVE_DOUBLE, 1)};

void sim_archive(talus_sim *sim, struct archive *archive) {
    sim_soft_publish(sim); /* contacts of soft grains, for those who read the file */
    sim_soft_keep(sim);    /* and their springs */
    world_archive(&sim->world, archive);
    detect_archive(&sim->detect, &sim->world, archive);
    archive_solver(sim, archive);
    ARCHIVE(archive, "world/dt", "s", &sim->dt, 1);
    ARCHIVE(archive, "world/step_dt", "s", &sim->step_dt, 1);
    ARCHIVE(archive, "world/step", "", &sim->step, 1);
    ARCHIVE(archive, "world/solved", "", &sim->solved, 1);
    ARCHIVE_RECORDS(archive, "ledger", &sim->ledger, 1, ledger_members);
    ARCHIVE(archive, "record/run", "", &sim->record, 1);
    ARCHIVE(archive, "record/sums", "", &sim->sums, 1);
    ARCHIVE(archive, "record/report", "", &sim->report, 1);
    if (sim->method == TALUS_METHOD_MD && archive_is_well(archive)) sim_soft_archive(sim, archive);
}
