/* SPDX-License-Identifier: Apache-2.0
 * The contact problem of one step, kept as FCLIB files beside the results. */
#include <inttypes.h>

#include "base/error.h"
#include "io/file.h"
#include "run/run.h"
#include "talus/problem.h"

static talus_status write_form(struct run *run, talus_problem *problem, bool global,
                               talus_error *err) {
    char name[64], path[FILE_PATH];
    snprintf(name, sizeof name, "problem_%" PRId64 "_%s.hdf5", run->config->dump_step,
             global ? "global" : "local");
    TALUS_TRY(file_path(path, run->config->directory, name, err));
    TALUS_TRY(talus_problem_write(problem, path, global, err));
    log_line(&run->log, "%s: the contact problem of this step", name);
    return TALUS_OK;
}

talus_status run_dump_problem(struct run *run, talus_error *err) {
    talus_problem *problem = NULL;
    talus_error why = {0};
    if (run->config->directory == NULL) return TALUS_OK;
    talus_status status = talus_problem_of_step(run->result->sim, &problem, &why);
    if (status < 0)
        return error_set(err, status, "the problem of step %" PRId64 ": %s", run->config->dump_step,
                         why.text);
    status = write_form(run, problem, false, err);
    if (status >= 0) status = write_form(run, problem, true, err);
    talus_problem_free(problem);
    run->dumped = status >= 0;
    return status;
}

talus_status run_check_dump(const struct run *run, talus_error *err) {
    if (run->config->dump_step == 0 || run->dumped || run->config->directory == NULL)
        return TALUS_OK;
    return error_set(err, TALUS_ERR_INPUT,
                     "the run ended after step %" PRId64 ": no contact problem of step %" PRId64
                     " was written; all other results are",
                     talus_sim_step_count(run->result->sim), run->config->dump_step);
}
