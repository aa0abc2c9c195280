/* SPDX-License-Identifier: Apache-2.0
 * The crew: every piece of every job is done once, and what was done is seen by the leader. */
#include "base/crew.h"
#include "support.h"

enum { JOBS = 20000 };

struct tally {
    size_t job, count, mistakes;
    int done[CREW_PIECES_MOST];     /* how often; by whoever had the piece, no atomics */
    size_t value[CREW_PIECES_MOST]; /* what came out of it */
};

static void do_piece(void *context, size_t piece) {
    struct tally *tally = context;
    tally->done[piece]++;
    tally->value[piece] = tally->job * CREW_PIECES_MOST + piece;
}

static void lead(struct crew *crew, void *context) {
    struct tally *tally = context;
    for (tally->job = 0; tally->job < JOBS; tally->job++) {
        tally->count = tally->job % (CREW_PIECES_MOST + 1);
        memset(tally->done, 0, sizeof tally->done);
        crew_do(crew, tally->count, do_piece, tally);
        for (size_t piece = 0; piece < CREW_PIECES_MOST; piece++) {
            bool asked = piece < tally->count;
            if (tally->done[piece] != (asked ? 1 : 0)) tally->mistakes++;
            if (asked && tally->value[piece] != tally->job * CREW_PIECES_MOST + piece)
                tally->mistakes++;
        }
    }
}

static void check(const struct tally *tally) {
    assert_int_equal(tally->job, JOBS);
    assert_int_equal(tally->mistakes, 0);
}

static void every_piece_once(void **state) {
    (void)state;
    static struct tally tally;
    for (int threads = 1; threads <= 4; threads++) {
        crew_work(threads, lead, &tally);
        check(&tally);
    }
}

static void nobody_needs_help(void **state) {
    (void)state;
    static struct tally tally;
    lead(NULL, &tally);
    check(&tally);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_piece_once),
        cmocka_unit_test(nobody_needs_help),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
