/* SPDX-License-Identifier: Apache-2.0 */
#include "measure/network.h"

#include <math.h>
#include <string.h>

static const double bearing_share = 1e-6; /* of the mean impulse */

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

static void sum_contacts(const struct detect *detect, struct network *network) {
    double overlap = 0.0, impulse = 0.0;
    for (size_t k = 0; k < detect->contact_count; k++) {
        double size = impulse_of(detect, k);
        double depth = fmax(0.0, -detect->contacts[k].gap);
        network->overlap_max = fmax(network->overlap_max, depth); /* with or without a force */
        if (size == 0.0) continue;
        network->closed++;
        overlap += depth;
        impulse += size;
    }
    if (network->closed == 0) return;
    network->overlap_mean = overlap / (double)network->closed;
    network->impulse_mean = impulse / (double)network->closed;
}

struct network measure_network(const struct world *world, const struct detect *detect,
                               int32_t *degree) {
    struct network network = {0};
    double sum = 0.0;
    sum_contacts(detect, &network);
    if (world->grain_count == 0) return network;
    count_degrees(world, detect, bearing_share * network.impulse_mean, degree);
    for (size_t i = 0; i < world->bodies.count; i++) {
        if (world->bodies.kind[i] != TALUS_BODY_GRAIN) continue;
        sum += degree[i];
        if (degree[i] == 0) network.rattlers++;
    }
    int64_t held = (int64_t)world->grain_count - network.rattlers;
    network.coordination = sum / (double)world->grain_count;
    network.coordination_no_rattlers = held > 0 ? sum / (double)held : 0.0;
    return network;
}
