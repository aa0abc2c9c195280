/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* memmem */
#include "page/bundle.h"

#include <assert.h>
#include <string.h>

/* The assembler reads the file; no other tool is needed, and CMake knows that this file depends on it. */
__asm__(".section .rodata\n"
        ".balign 16\n"
        "page_bundle_begin:\n"
        ".incbin \"" PAGE_BUNDLE "\"\n"
        "page_bundle_end:\n"
        ".byte 0\n"
        ".global page_bundle_begin\n"
        ".global page_bundle_end\n"
        ".hidden page_bundle_begin\n"
        ".hidden page_bundle_end\n"
        ".text\n");
extern const char page_bundle_begin[] __attribute__((visibility("hidden")));
extern const char page_bundle_end[] __attribute__((visibility("hidden")));

static const char *behind(const struct bundle *bundle, const char *mark) {
    const char *place = memmem(bundle->html, bundle->size, mark, strlen(mark));
    assert(place != NULL); /* tests/unit/test_page_data.c: the bundle has its marks */
    return place + strlen(mark);
}

struct bundle bundle_get(void) {
    struct bundle bundle = {.html = page_bundle_begin,
                            .size = (size_t)(page_bundle_end - page_bundle_begin)};
    bundle.policy = behind(&bundle, "http-equiv=\"Content-Security-Policy\" content=\"");
    bundle.policy_size = (size_t)(strchr(bundle.policy, '"') - bundle.policy);
    bundle.data_place = (size_t)(behind(&bundle, "<!--data-->") - bundle.html);
    return bundle;
}
