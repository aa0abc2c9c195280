/* SPDX-License-Identifier: Apache-2.0
 * Numbers as text that reads back to the same bits, with as few digits as that takes. */
#ifndef IO_NUMBER_H
#define IO_NUMBER_H

enum { NUMBER_TEXT = 32 };

/* 0.1 becomes "0.1", not "0.10000000000000001"; not-a-number and infinity become "nan", "inf". */
const char *number_text(double value, char text[NUMBER_TEXT]);

#endif
