/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/histogram.h"

#include <math.h>

#include "base/error.h"

talus_status histogram_open(struct histogram *histogram, talus_error *err) {
    double *block = memory_resize(histogram->memory, NULL, 0, 4 * histogram->bins, sizeof *block);
    if (block == NULL) return error_memory(err);
    histogram->count = block;
    for (size_t k = 0; k < 3; k++) histogram->sum[k] = block + (k + 1) * histogram->bins;
    return TALUS_OK;
}

void histogram_free(struct histogram *histogram) {
    memory_free(histogram->memory, histogram->count, 4 * histogram->bins, sizeof *histogram->count);
    histogram->count = NULL;
}

double histogram_edge(const struct histogram *histogram, size_t bin) {
    double share = (double)bin / (double)histogram->bins;
    if (bin == histogram->bins) return histogram->high;
    if (histogram->logarithmic)
        return histogram->low * pow(histogram->high / histogram->low, share);
    return histogram->low + share * (histogram->high - histogram->low);
}

void histogram_put(struct histogram *histogram, double value, const double more[3]) {
    double low = histogram->low, high = histogram->high;
    if (!(value >= low && value <= high)) {
        histogram->outside += 1.0;
        return;
    }
    double share =
        histogram->logarithmic ? log(value / low) / log(high / low) : (value - low) / (high - low);
    size_t bin = (size_t)(share * (double)histogram->bins);
    if (bin >= histogram->bins) bin = histogram->bins - 1;
    histogram->count[bin] += 1.0;
    for (int k = 0; k < 3; k++) histogram->sum[k][bin] += more[k];
}
