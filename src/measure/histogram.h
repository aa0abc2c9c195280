/* SPDX-License-Identifier: Apache-2.0
 * Counts in bins, of equal width or of equal ratio. */
#ifndef MEASURE_HISTOGRAM_H
#define MEASURE_HISTOGRAM_H

#include "base/memory.h"
#include "talus/status.h"

struct histogram {
    struct memory *memory;
    size_t bins;
    double low, high;
    bool logarithmic;
    double *count;  /* of values in each bin */
    double *sum[3]; /* of what was put with them */
    double outside; /* values in no bin */
};

/* `low` of logarithmic bins is positive. */
talus_status histogram_open(struct histogram *histogram, talus_error *err);
void histogram_free(struct histogram *histogram);
/* The highest bin holds its upper end, too. */
void histogram_put(struct histogram *histogram, double value, const double more[3]);
double histogram_edge(const struct histogram *histogram, size_t bin); /* the lower one of `bin` */

#endif
