/* SPDX-License-Identifier: Apache-2.0
 *
 * What the programs in this folder have in common: the pile as bench/pile.h writes it, the clock, the
 * iterations that fit into a given time per step.
 */
#ifndef PEERS_PILE_FILE_H
#define PEERS_PILE_FILE_H

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

struct box {
    double x[3], q[4]; /* q: w x y z */
};

struct pile {
    int dim;
    double width[2], dt, mu, gravity;
    std::vector<box> boxes;
};

inline bool pile_read(const char *path, pile &out) {
    FILE *from = fopen(path, "r");
    if (from == nullptr) return false;
    size_t count = 0;
    bool good = fscanf(from, "%d %zu %lf %lf %lf %lf %lf", &out.dim, &count, &out.width[0],
                       &out.width[1], &out.dt, &out.mu, &out.gravity) == 7;
    for (size_t i = 0; i < count && good; i++) {
        box b;
        good = fscanf(from, "%lf %lf %lf %lf %lf %lf %lf", &b.x[0], &b.x[1], &b.x[2], &b.q[0],
                      &b.q[1], &b.q[2], &b.q[3]) == 7;
        out.boxes.push_back(b);
    }
    fclose(from);
    return good;
}

inline bool pile_write(const char *path, const std::vector<box> &boxes) {
    FILE *to = fopen(path, "w");
    if (to == nullptr) return false;
    for (const box &b : boxes)
        fprintf(to, "%.17g %.17g %.17g %.17g %.17g %.17g %.17g\n", b.x[0], b.x[1], b.x[2], b.q[0],
                b.q[1], b.q[2], b.q[3]);
    return fclose(to) == 0;
}

/* Of this process on a processor: what others run at the same time does not count. */
inline double seconds() {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The time of a step grows linearly with the iterations: those that fill `wanted`, at least `few`.
 * `step_time(iterations, steps)` does steps and returns the best time of one. */
template <class stepper> int iterations_for(double wanted, int few, stepper step_time) {
    const int many = 5 * few, trial = 20;
    double time_few = step_time(few, trial), time_many = step_time(many, trial);
    double each = std::max((time_many - time_few) / (many - few), 1e-9);
    return few + std::max(0, std::min(100000, (int)((wanted - time_few) / each)));
}

/* All the steps but those for the timing afterwards. The number of iterations is chosen twice, because their
 * cost is that of the pile as it then lies. Returns it. */
template <class stepper> int run_steps(int steps, int few, double wanted, stepper step_time) {
    if (wanted <= 0.0) {
        step_time(few, steps);
        return few;
    }
    step_time(few, steps / 2);
    int iterations = iterations_for(wanted, few, step_time);
    step_time(iterations, steps / 4);
    iterations = iterations_for(wanted, few, step_time);
    step_time(iterations, steps / 4);
    return iterations;
}

#endif
