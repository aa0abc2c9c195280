/* SPDX-License-Identifier: Apache-2.0 */
#include "world/signal.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

static double table_value(const talus_signal *signal, double time) {
    size_t last = signal->count - 1;
    if (time <= signal->times[0]) return signal->values[0];
    if (time >= signal->times[last]) return signal->values[last];
    size_t low = 0, high = last; /* times[low] <= time < times[high] */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (signal->times[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    double share = (time - signal->times[low]) / (signal->times[high] - signal->times[low]);
    return signal->values[low] + share * (signal->values[high] - signal->values[low]);
}

double signal_value(const talus_signal *signal, double time) {
    const double two_pi = 6.283185307179586;
    switch (signal->kind) {
    case TALUS_SIGNAL_CONSTANT: return signal->mean;
    case TALUS_SIGNAL_SINE:
        return signal->mean +
               signal->amplitude * sin(two_pi * signal->frequency * time + signal->phase);
    case TALUS_SIGNAL_TABLE: break;
    }
    return table_value(signal, time);
}

double signal_largest(const talus_signal *signal) {
    double largest = fabs(signal->mean) + fabs(signal->amplitude);
    for (size_t k = 0; k < signal->count && signal->kind == TALUS_SIGNAL_TABLE; k++)
        largest = fmax(largest, fabs(signal->values[k]));
    return largest;
}

double signal_steepest(const talus_signal *signal) {
    const double two_pi = 6.283185307179586;
    double steepest = 0.0;
    if (signal->kind == TALUS_SIGNAL_SINE)
        return two_pi * fabs(signal->frequency * signal->amplitude);
    for (size_t k = 1; k < signal->count && signal->kind == TALUS_SIGNAL_TABLE; k++) {
        double step = signal->times[k] - signal->times[k - 1];
        steepest = fmax(steepest, fabs(signal->values[k] - signal->values[k - 1]) / step);
    }
    return steepest;
}

static talus_status check(const talus_signal *signal, const char *what, talus_error *err) {
    if (!isfinite(signal->mean) || !isfinite(signal->amplitude) || !isfinite(signal->frequency) ||
        !isfinite(signal->phase))
        return error_set(err, TALUS_ERR_INPUT, "%s: every number must be finite", what);
    if (signal->kind != TALUS_SIGNAL_TABLE) return TALUS_OK;
    if (signal->count == 0 || signal->times == NULL || signal->values == NULL)
        return error_set(err, TALUS_ERR_INPUT, "%s: a table needs at least one point", what);
    for (size_t i = 0; i < signal->count; i++) {
        if (!isfinite(signal->times[i]) || !isfinite(signal->values[i]))
            return error_set(err, TALUS_ERR_INPUT, "%s: point %zu is not finite", what, i);
        if (i > 0 && signal->times[i] <= signal->times[i - 1])
            return error_set(err, TALUS_ERR_INPUT,
                             "%s: times must increase, but point %zu has %g after %g", what, i,
                             signal->times[i], signal->times[i - 1]);
    }
    return TALUS_OK;
}

talus_status signal_copy(struct memory *memory, const talus_signal *from, const char *what,
                         talus_signal *to, talus_error *err) {
    TALUS_TRY(check(from, what, err));
    talus_signal copy = *from;
    copy.times = copy.values = NULL;
    if (from->kind == TALUS_SIGNAL_TABLE) {
        double *block = memory_resize(memory, NULL, 0, 2 * from->count, sizeof *block);
        if (block == NULL) return error_memory(err);
        memcpy(block, from->times, from->count * sizeof *block);
        memcpy(block + from->count, from->values, from->count * sizeof *block);
        copy.times = block;
        copy.values = block + from->count;
    }
    *to = copy;
    return TALUS_OK;
}

void signal_free(struct memory *memory, talus_signal *signal) {
    if (signal->kind == TALUS_SIGNAL_TABLE)
        memory_free(memory, (void *)signal->times, 2 * signal->count, sizeof *signal->times);
    *signal = (talus_signal){.kind = TALUS_SIGNAL_CONSTANT};
}
