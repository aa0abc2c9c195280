/* SPDX-License-Identifier: Apache-2.0 */
#include "solve/delassus_rolling.h"

#include <math.h>

void delassus_rolling_prepare(struct delassus *problem) {
    int dim = problem->dim, width = (dim - 1) / 2;
    for (size_t i = 0; i < problem->count; i++) {
        const double *block = &problem->block[problem->diagonal[i] * (size_t)(dim * dim)];
        struct delassus_own *own = &problem->own[i];
        double slides = 0.0, turns = 0.0;
        for (int a = 0; a < dim; a++) {
            for (int c = 0; c < dim; c++)
                own->w[a * dim + c] = 0.5 * (block[a * dim + c] + block[c * dim + a]);
            double moves = own->w[a * (dim + 1)];
            if (a > width)
                turns += moves;
            else if (a > 0)
                slides += moves;
        }
        own->length = slides > 0.0 && turns > 0.0 ? sqrt(slides / turns) : 1.0;
    }
}

void delassus_rolling_row(const struct delassus *problem, size_t i, const double *r, double *u) {
    size_t dim = (size_t)problem->dim;
    for (size_t a = 0; a < dim; a++) u[a] = problem->q[dim * i + a];
    for (size_t k = problem->start[i]; k < problem->start[i + 1]; k++) {
        const double *block = &problem->block[dim * dim * k];
        const double *p = &r[dim * (size_t)problem->column[k]];
        for (size_t a = 0; a < dim; a++)
            for (size_t c = 0; c < dim; c++) u[a] += block[a * dim + c] * p[c];
    }
}

void delassus_rolling_contact(const struct delassus *problem, double *r, size_t i) {
    int dim = problem->dim;
    const double *w = problem->own[i].w;
    double *own = &r[(size_t)dim * i], without[ROLLING_CONE_MOST];
    struct rolling_cone cone = delassus_rolling_cone(problem, i);
    delassus_rolling_row(problem, i, r, without);
    for (int a = 0; a < dim; a++)
        for (int c = 0; c < dim; c++) without[a] -= w[a * dim + c] * own[c];
    rolling_cone_solve(&cone, w, without, own);
}

void delassus_rolling_project(const struct delassus *problem, size_t i, const double *from,
                              const double *u, double step, double slip, double *to) {
    int dim = problem->dim, width = (dim - 1) / 2;
    double length = problem->own[i].length;
    struct rolling_cone cone = delassus_rolling_cone(problem, i);
    cone.mu_r /= length;
    for (int a = 0; a < dim; a++)
        to[a] = a <= width ? from[a] - step * u[a] : from[a] / length - step * length * u[a];
    to[0] -= step * slip;
    rolling_cone_project(&cone, to);
    for (int a = 1 + width; a < dim; a++) to[a] *= length;
}
