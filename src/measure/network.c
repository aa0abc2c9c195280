/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/network.h"

#include <math.h>
#include <string.h>

static const double bearing_share = 1e-6; /* of the mean impulse */
enum { RATTLER_DEGREE = 2, PASSES_MAX = 64 };

static double impulse_of(const struct detect *detect, size_t contact) {
    return vec3_norm(detect->candidates[detect->contacts[contact].candidate].impulse);
}

static void count_degrees(const struct world *world, const struct detect *detect, double threshold,
                          int32_t *degree) {
    memset(degree, 0, world->bodies.count * sizeof *degree);
    for (size_t k = 0; k < detect->contact_count; k++) {
        if (!(impulse_of(detect, k) > threshold)) continue;
        degree[detect->contacts[k].a]++;
        degree[detect->contacts[k].b]++;
    }
}

/* A grain held by fewer than two contacts holds nothing; without it others may hold nothing. Removed
 * grains get degree -1. */
static bool remove_rattlers(const struct world *world, int32_t *degree) {
    bool removed = false;
    for (size_t i = 0; i < world->bodies.count; i++) {
        if (world->bodies.kind[i] != TALUS_BODY_GRAIN || degree[i] < 0) continue;
        if (degree[i] >= RATTLER_DEGREE) continue;
        degree[i] = -1;
        removed = true;
    }
    return removed;
}

/* Degrees over the grains that are left. */
static void recount(const struct world *world, const struct detect *detect, double threshold,
                    int32_t *degree) {
    for (size_t i = 0; i < world->bodies.count; i++)
        if (degree[i] > 0) degree[i] = 0;
    for (size_t k = 0; k < detect->contact_count; k++) {
        talus_index a = detect->contacts[k].a, b = detect->contacts[k].b;
        if (degree[a] < 0 || degree[b] < 0 || !(impulse_of(detect, k) > threshold)) continue;
        degree[a]++;
        degree[b]++;
    }
}

static void sum_contacts(const struct detect *detect, struct network *network) {
    double overlap = 0.0, impulse = 0.0;
    for (size_t k = 0; k < detect->contact_count; k++) {
        double size = impulse_of(detect, k);
        if (size == 0.0) continue;
        double depth = fmax(0.0, -detect->contacts[k].gap);
        network->closed++;
        overlap += depth;
        impulse += size;
        network->overlap_max = fmax(network->overlap_max, depth);
    }
    if (network->closed == 0) return;
    network->overlap_mean = overlap / (double)network->closed;
    network->impulse_mean = impulse / (double)network->closed;
}

static double degree_sum(const struct world *world, const int32_t *degree, int64_t *grains) {
    double sum = 0.0;
    for (size_t i = 0; i < world->bodies.count; i++) {
        if (world->bodies.kind[i] != TALUS_BODY_GRAIN || degree[i] < 0) continue;
        sum += degree[i];
        (*grains)++;
    }
    return sum;
}

struct network measure_network(const struct world *world, const struct detect *detect,
                               int32_t *degree) {
    struct network network = {0};
    int64_t grains = 0, held = 0;
    sum_contacts(detect, &network);
    if (world->grain_count == 0) return network;
    double threshold = bearing_share * network.impulse_mean;
    count_degrees(world, detect, threshold, degree);
    network.coordination = degree_sum(world, degree, &grains) / (double)world->grain_count;
    for (int pass = 0; pass < PASSES_MAX && remove_rattlers(world, degree); pass++)
        recount(world, detect, threshold, degree);
    double sum = degree_sum(world, degree, &held);
    network.rattlers = (int64_t)world->grain_count - held;
    network.coordination_no_rattlers = held > 0 ? sum / (double)held : 0.0;
    return network;
}
