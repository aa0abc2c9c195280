/* SPDX-License-Identifier: Apache-2.0
 * Qhull, whose headers are not free of warnings. Barber, Dobkin and Huhdanpaa, ACM Trans. Math. Softw. 22 (1996) 469. */
#ifndef GEOM_QHULL_H
#define GEOM_QHULL_H

#include <setjmp.h>
#include <stdio.h>

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#endif
#include <libqhull_r/qhull_ra.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#endif
