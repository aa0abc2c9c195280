/* SPDX-License-Identifier: Apache-2.0
 * Plain value types shared by the whole public interface. */
#ifndef TALUS_TYPES_H
#define TALUS_TYPES_H

#include <stdint.h>

typedef int32_t talus_index; /* local: position in an array of this process */
typedef int64_t talus_gid;   /* global: names a body for its whole life */

typedef struct talus_vec3 {
    double x, y, z;
} talus_vec3;

typedef struct talus_quat { /* unit quaternion, body frame to world frame */
    double w, x, y, z;
} talus_quat;

#endif
