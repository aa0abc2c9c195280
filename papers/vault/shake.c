/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "papers/vault/vault.h"

static const double pi = 3.141592653589793;
static const double rise = 0.5, last = 2.0, fade = 1.5, rest = 2.0; /* s, of a record */

enum { SINES = 6 };

static size_t points_until(double end) {
    size_t count = (size_t)(end / shake_dt + 0.5) + 1;
    return count < SHAKE_POINTS ? count : SHAKE_POINTS;
}

void shake_pulse(struct shake *out, double acceleration, double duration, double end) {
    double speed = 0.0, place = 0.0;
    size_t pushed = (size_t)(duration / shake_dt + 0.5);
    out->count = points_until(end);
    out->peak = acceleration;
    for (size_t k = 0; k < out->count; k++) {
        out->time[k] = (double)k * shake_dt;
        out->place[k] = place;
        if (k < pushed) speed += acceleration * shake_dt;
        place += speed * shake_dt;
    }
}

/* Smooth at both ends, so that the sines neither begin nor end with a jolt. */
static double envelope(double t) {
    if (t < rise) return pow(sin(0.5 * pi * t / rise), 2);
    if (t < rise + last) return 1.0;
    if (t < rise + last + fade) return pow(cos(0.5 * pi * (t - rise - last) / fade), 2);
    return 0.0;
}

static double largest_acceleration(const struct shake *shake) {
    double largest = fabs(shake->place[1] - shake->place[0]);
    for (size_t k = 1; k + 1 < shake->count; k++)
        largest =
            fmax(largest, fabs(shake->place[k + 1] - 2.0 * shake->place[k] + shake->place[k - 1]));
    return largest / (shake_dt * shake_dt);
}

void shake_record(struct shake *out, double peak, double frequency, uint64_t lot) {
    double rate[SINES], size[SINES], phase[SINES];
    for (int i = 0; i < SINES; i++) {
        rate[i] = 2.0 * pi * frequency * pow(2.0, 2.0 * (i + paper_random(&lot)) / SINES - 1.0);
        size[i] = (0.5 + 0.5 * paper_random(&lot)) / (rate[i] * rate[i]);
        phase[i] = 2.0 * pi * paper_random(&lot);
    }
    out->count = points_until(rise + last + fade + rest);
    for (size_t k = 0; k < out->count; k++) {
        double t = (double)k * shake_dt, sum = 0.0;
        for (int i = 0; i < SINES; i++) sum += size[i] * sin(rate[i] * t + phase[i]);
        out->time[k] = t;
        out->place[k] = envelope(t) * sum;
    }
    double factor = peak / largest_acceleration(out);
    for (size_t k = 0; k < out->count; k++) out->place[k] *= factor;
    out->peak = peak;
}

talus_motion shake_motion(const struct shake *shake) {
    return (talus_motion){.direction = {1, 0, 0},
                          .displacement = {.kind = TALUS_SIGNAL_TABLE,
                                           .times = shake->time,
                                           .values = shake->place,
                                           .count = shake->count}};
}
