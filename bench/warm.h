/* SPDX-License-Identifier: Apache-2.0 */
#ifndef BENCH_WARM_H
#define BENCH_WARM_H

#include "bench/bench.h"

talus_status warm_measure(struct bench_run *run, talus_error *err);

#endif
