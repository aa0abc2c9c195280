/* SPDX-License-Identifier: Apache-2.0
 *
 * Soft grains: rows, near list and springs as they are. The near list decides in which order forces are added up, and
 * rows are not wrapped into the cell while it lasts, so both are kept, not made anew. The wave is planned anew, for
 * the threads there are; sums are scratch.
 */
#include "base/error.h"
#include "sim/sim_archive.h"

ARCHIVE_KNOWS(struct soft, 992);
ARCHIVE_KNOWS(struct soft_near, 288);
ARCHIVE_KNOWS(struct soft_wave, 160);
ARCHIVE_KNOWS(struct soft_published, 48);
ARCHIVE_KNOWS(struct soft_watch, 120);

static void archive_bodies(talus_sim *sim, struct archive *archive) {
    struct soft *soft = &sim->soft;
    size_t count = soft->row_count;
    if (archive->reading) {
        talus_status status = sim_soft_reserve(sim, archive->err);
        if (status < 0) archive->status = status;
        if (status < 0) return;
    }
    ARCHIVE(archive, "soft/bodies", "", soft->state.bodies, count);
    if (soft->integrator->needs_more) ARCHIVE(archive, "soft/more", "", soft->state.more, count);
    ARCHIVE(archive, "soft/outside", "", soft->outside, count);
    ARCHIVE(archive, "soft/order", "", soft->order, count);
    ARCHIVE(archive, "soft/rows", "", soft->rows, count > 0 ? count + 1 : 0);
    ARCHIVE(archive, "soft/images", "", soft->images, count);
    ARCHIVE(archive, "soft/row_of", "", soft->row_of, count);
    ARCHIVE(archive, "soft/wall_of", "", soft->wall_of, count > 0 ? count + 1 : 0);
}

static void archive_near(talus_sim *sim, struct archive *archive) {
    struct soft_near *near = &sim->soft.near;
    ARCHIVE(archive, "soft/near/left", "m", &near->left, 1);
    ARCHIVE(archive, "soft/near/first", "", &near->first[0], SOFT_CLASSES + 1);
    ARCHIVE(archive, "soft/near/first_chunk", "", &near->first_chunk[0], SOFT_GENERAL + 1);
    ARCHIVE(archive, "soft/near/law_count", "", &near->law_count, 1);
    if (archive->reading && archive_is_well(archive)) {
        talus_status status = sim_soft_reserve_near(sim, archive->err);
        if (status < 0) archive->status = status;
    }
    if (!archive_is_well(archive)) return;
    size_t blocks = near->first[SOFT_CLASSES], slots = blocks * SOFT_LANES;
    size_t general = (blocks - near->first[SOFT_GENERAL]) * SOFT_LANES;
    size_t rows = sim->soft.row_count;
    ARCHIVE(archive, "soft/near/blocks", "", near->blocks, blocks);
    ARCHIVE(archive, "soft/near/laws", "", near->laws, near->law_count);
    ARCHIVE(archive, "soft/near/laws_of", "", near->laws_of, blocks);
    ARCHIVE(archive, "soft/near/entries", "", near->entries, slots + 1);
    ARCHIVE(archive, "soft/near/candidate", "", near->candidate, slots);
    ARCHIVE(archive, "soft/near/slip_stiffness", "N/m", near->slip_stiffness, slots);
    ARCHIVE(archive, "soft/near/general", "", near->general, general);
    ARCHIVE(archive, "soft/near/incident_first", "", near->incident_first, rows + 2);
    if (!archive_is_well(archive)) return;
    ARCHIVE(archive, "soft/near/incident", "", near->incident, near->incident_first[rows + 1]);
}

/* All that is not an array. */
struct soft_numbers_kept {
    double stored, kinetic, fastest, acceleration, start_speed, deepest;
    struct soft_losses cut;
    struct soft_pass pass;
    struct soft_watch watch;
    struct soft_power power;
    struct soft_published published;
    int64_t starts;
    uint64_t row_count, contact_count;
    uint8_t plain, ready, near_valid, has_published, unused[4];
};

static struct soft_numbers_kept numbers_of(const talus_sim *sim) {
    const struct soft *soft = &sim->soft;
    struct soft_numbers_kept kept = {.stored = soft->stored,
                                     .kinetic = soft->kinetic,
                                     .fastest = soft->fastest,
                                     .acceleration = soft->acceleration,
                                     .start_speed = soft->start_speed,
                                     .deepest = soft->deepest,
                                     .cut = soft->cut,
                                     .pass = soft->pass,
                                     .watch = soft->watch,
                                     .power = soft->power,
                                     .starts = soft->starts,
                                     .row_count = soft->row_count,
                                     .contact_count = sim->problem.contact_count,
                                     .plain = soft->plain,
                                     .ready = soft->ready,
                                     .near_valid = soft->near.valid,
                                     .has_published = soft->published != NULL};
    if (soft->published != NULL) kept.published = *soft->published;
    return kept;
}

static void set_numbers(struct soft *soft, const struct soft_numbers_kept *kept) {
    soft->stored = kept->stored;
    soft->kinetic = kept->kinetic;
    soft->fastest = kept->fastest;
    soft->acceleration = kept->acceleration;
    soft->start_speed = kept->start_speed;
    soft->deepest = kept->deepest;
    soft->cut = kept->cut;
    soft->pass = kept->pass;
    soft->watch = kept->watch;
    soft->power = kept->power;
    soft->starts = kept->starts;
    soft->row_count = (size_t)kept->row_count;
    soft->plain = kept->plain != 0;
    soft->ready = kept->ready != 0;
    soft->near.valid = false; /* until it is there */
}

void sim_soft_archive(talus_sim *sim, struct archive *archive) {
    struct soft *soft = &sim->soft;
    struct soft_numbers_kept kept = numbers_of(sim);
    ARCHIVE(archive, "soft/numbers", "", &kept, 1);
    if (!archive_is_well(archive)) return;
    if (archive->reading) set_numbers(soft, &kept);
    if (!kept.has_published) return; /* before the first step */
    archive_bodies(sim, archive);
    if (kept.near_valid && archive_is_well(archive)) archive_near(sim, archive);
    if (!archive->reading || !archive_is_well(archive)) return;
    *soft->published = kept.published;
    soft->published->current = false; /* the contacts are to be found again by who looks */
    soft->near.valid = kept.near_valid != 0;
    if (soft->near.valid)
        sim->detect.contact_count = sim->problem.contact_count = (size_t)kept.contact_count;
}
