/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/warm.h"

talus_status warm_measure(struct bench_run *run, talus_error *err) {
    (void)run;
    (void)err;
    return TALUS_OK;
}
