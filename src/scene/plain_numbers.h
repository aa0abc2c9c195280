/* SPDX-License-Identifier: Apache-2.0
 *
 * Files have a decimal point, whatever the locale of the calling program: between begin and end
 * this thread reads and prints numbers so.
 */
#ifndef SCENE_PLAIN_NUMBERS_H
#define SCENE_PLAIN_NUMBERS_H

struct plain_numbers {
    void *plain, *before; /* locale_t */
};

struct plain_numbers plain_numbers_begin(void);
void plain_numbers_end(struct plain_numbers *numbers);

#endif
