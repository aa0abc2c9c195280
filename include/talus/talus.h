/* SPDX-License-Identifier: Apache-2.0
 * Everything public. */
#ifndef TALUS_TALUS_H
#define TALUS_TALUS_H

#include "talus/catalog.h"
#include "talus/compare.h"
#include "talus/fit.h"
#include "talus/frames.h"
#include "talus/measure.h"
#include "talus/page.h"
#include "talus/picture.h"
#include "talus/plot.h"
#include "talus/problem.h"
#include "talus/run.h"
#include "talus/scene.h"
#include "talus/sim.h"
#include "talus/status.h"
#include "talus/table.h"
#include "talus/types.h"

#endif
