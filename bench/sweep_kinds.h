/* SPDX-License-Identifier: Apache-2.0
 * Part of the benchmark of the sweep: batches of contacts that are not plain. */
#ifndef BENCH_SWEEP_KINDS_H
#define BENCH_SWEEP_KINDS_H

#include "bench/bed.h"
#include "bench/bench.h"

talus_status sweep_kinds_measure(struct bench_run *run, const struct bed *bed, talus_error *err);

#endif
