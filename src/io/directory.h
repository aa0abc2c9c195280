/* SPDX-License-Identifier: Apache-2.0
 * The directory that receives the results of one run. */
#ifndef IO_DIRECTORY_H
#define IO_DIRECTORY_H

#include <stdbool.h>

#include "talus/status.h"

/* Make `path` and its parents where missing. A directory that holds files of an earlier run is
 * refused, or, with `overwrite`, cleared of those files; files that no run writes stay. */
talus_status directory_prepare(const char *path, bool overwrite, talus_error *err);

/* The same tests without touching anything: refuses what directory_prepare would refuse, as far as
 * that can be known beforehand. */
talus_status directory_check(const char *path, bool overwrite, talus_error *err);

/* One run at a time in a directory: two would write each other's files. The lock goes with the process. A directory that is
 * not there, or cannot be locked, gives *lock = -1 and no error. */
talus_status directory_lock(const char *path, int *lock, talus_error *err);
void directory_unlock(int *lock);

/* Is this a name that a run gives to a file in its directory? */
bool directory_is_result(const char *name);

/* Before a run goes on: it is not complete any more. */
talus_status directory_remove_summary(const char *path, talus_error *err);

/* Of a run that can be resumed. */
#define DIRECTORY_CHECKPOINT "checkpoint.h5"

/* Where the tables of measures are. */
#define DIRECTORY_MEASURES "measures"
talus_status directory_make_measures(const char *path, talus_error *err);

/* Of picture `number` of a film, from 0 on: film_0000.png. */
enum { DIRECTORY_FILM_NAME = 32 };
void directory_film_name(char name[DIRECTORY_FILM_NAME], int number);

#endif
