/* SPDX-License-Identifier: Apache-2.0
 * What a benchmark was measured on and with. */
#ifndef CLI_MACHINE_H
#define CLI_MACHINE_H

struct machine {
    char processor[128];
    int cores;
    char compiler[128];
    char commit[64];
};

struct machine machine_look(void);

#endif
