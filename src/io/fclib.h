/* SPDX-License-Identifier: Apache-2.0
 *
 * FCLIB files: one frictional contact problem each, in HDF5. Two forms (docs/theory/fclib.md):
 *     fclib_local    u = W r + q
 *     fclib_global   M v = H r + G lambda + f,   u = H^T v + w,   G^T v + b = 0 (G, b only if there are any)
 * with `vectors/mu`, `spacedim` 2 or 3, and for each contact (normal, tangents). A global problem is reduced to
 * W = H^T M^-1 H when it is read. With rolling friction fclib_global_rolling, or fclib_local_rolling, with `vectors/mu_r`,
 * `spacedim` 3 or 5 and (normal, tangents, rolling).
 */
#ifndef IO_FCLIB_H
#define IO_FCLIB_H

#include "io/hdf5_file.h"
#include "solve/delassus.h"

struct fclib_bodies { /* of a global problem; the equations of G stand behind those of M */
    bool present;
    size_t freedoms, equations; /* of v, of G */
    size_t contact_rows;        /* dim times contacts */
    struct sparse m;            /* [M -G; G^T 0] */
    struct sparse h;            /* freedoms x contacts: H */
    double *f;                  /* [f; -b] */
    double *w;
};

struct fclib {
    struct memory memory;
    struct delassus problem;
    struct fclib_bodies bodies;
    char title[256], description[1024];
};

talus_status fclib_read(struct fclib *fclib, const char *path, talus_error *err);
void fclib_free(struct fclib *fclib);

/* fclib_global.c: make problem from bodies and coefficients; TALUS_ERR_INPUT if M cannot be inverted. */
talus_status fclib_reduce(struct fclib *fclib, const char *path, int dim, size_t count,
                          struct delassus_friction friction, talus_error *err);
/* v of an r: M v = H r + f (+ G lambda), and how well this balance is met: |M v - H r - f| over the largest of its
 * three norms. `v` has room for freedoms + equations. */
talus_status fclib_velocities(struct fclib *fclib, const double *r, double *v, double *balance,
                              talus_error *err);

struct fclib_solution {
    const double *r, *u, *v; /* v NULL: a local problem */
};

talus_status fclib_write_solution(const char *path, const struct fclib *fclib,
                                  const struct fclib_solution *solution, talus_error *err);
/* The problem as fclib_global, or as fclib_local, with a solution (NULL: none). Matrices as triplets. */
talus_status fclib_write(const char *path, struct fclib *fclib, bool global,
                         const struct fclib_solution *solution, talus_error *err);

#endif
