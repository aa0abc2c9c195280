/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of candidates is kept as it is, with the skins and ways that decide when it is made anew: a list made anew
 * at a restart would have another order, and so other bits. Not kept is what each step makes for itself: walls, contacts,
 * rotations, corners, and the scratch of the grid and of the sort.
 */
#include "detect/detect_archive.h"

#include "base/error.h"

ARCHIVE_KNOWS(struct detect, 3288);
ARCHIVE_KNOWS(struct candidate, 32);
ARCHIVE_KNOWS(struct contact_memory, 184);
ARCHIVE_KNOWS(struct slot, 128);

static const struct archive_member candidate_members[] = {
    ARCHIVE_MEMBER(struct candidate, a, ARCHIVE_INT32, 1),
    ARCHIVE_MEMBER(struct candidate, b, ARCHIVE_INT32, 1),
    ARCHIVE_MEMBER(struct candidate, impulse, ARCHIVE_DOUBLE, 3)};

static const struct archive_member memory_members[] = {
    ARCHIVE_MEMBER(struct contact_memory, torque, ARCHIVE_DOUBLE, 3),
    ARCHIVE_MEMBER(struct contact_memory, older, ARCHIVE_DOUBLE, 3),
    ARCHIVE_MEMBER(struct contact_memory, stretch, ARCHIVE_DOUBLE, 3),
    ARCHIVE_MEMBER(struct contact_memory, normal, ARCHIVE_DOUBLE, 3),
    ARCHIVE_MEMBER(struct contact_memory, angle, ARCHIVE_DOUBLE, 3),
    ARCHIVE_MEMBER(struct contact_memory, slip_stiffness, ARCHIVE_DOUBLE, 1),
    ARCHIVE_MEMBER(struct contact_memory, roll_stiffness, ARCHIVE_DOUBLE, 1),
    ARCHIVE_MEMBER(struct contact_memory, twist_stiffness, ARCHIVE_DOUBLE, 1),
    ARCHIVE_MEMBER(struct contact_memory, opening, ARCHIVE_DOUBLE, 1),
    ARCHIVE_MEMBER(struct contact_memory, held, ARCHIVE_DOUBLE, 1),
    ARCHIVE_MEMBER(struct contact_memory, pressed, ARCHIVE_DOUBLE, 1),
    ARCHIVE_MEMBER(struct contact_memory, tension, ARCHIVE_DOUBLE, 1),
    ARCHIVE_MEMBER(struct contact_memory, bonded, ARCHIVE_UINT8, 1),
    ARCHIVE_MEMBER(struct contact_memory, broken, ARCHIVE_UINT8, 1),
    ARCHIVE_MEMBER(struct contact_memory, friction, ARCHIVE_UINT8, 1),
    ARCHIVE_MEMBER(struct contact_memory, softened, ARCHIVE_UINT8, 1),
    ARCHIVE_MEMBER(struct contact_memory, softened_slip, ARCHIVE_UINT8, 1),
    ARCHIVE_MEMBER(struct contact_memory, impact, ARCHIVE_UINT8, 1),
    ARCHIVE_MEMBER(struct contact_memory, rebounded, ARCHIVE_UINT8, 1),
    ARCHIVE_MEMBER(struct contact_memory, waits, ARCHIVE_UINT8, 1)};

void detect_archive_pairs(struct archive *archive, struct candidate *pairs,
                          struct contact_memory *memories, size_t count) {
    ARCHIVE_RECORDS(archive, "contacts/pair", pairs, count, candidate_members);
    if (memories != NULL)
        ARCHIVE_RECORDS(archive, "contacts/memory", memories, count, memory_members);
}

static void archive_candidates(struct detect *detect, struct archive *archive) {
    ARCHIVE(archive, "contacts/count", "", &detect->candidate_count, 1);
    const size_t pairs[2] = {detect->candidate_count, sizeof *detect->candidates};
    const size_t memories[2] = {detect->candidate_count, sizeof *detect->memories};
    void *room = detect->candidates;
    if (archive_room(archive, detect->memory, &room, &detect->candidate_capacity, pairs))
        detect->candidates = room;
    room = detect->memories;
    if (detect->remembered &&
        archive_room(archive, detect->memory, &room, &detect->memory_capacity, memories))
        detect->memories = room;
    detect_archive_pairs(archive, detect->candidates, detect->remembered ? detect->memories : NULL,
                         detect->candidate_count);
    if (detect->had_forms)
        ARCHIVE_LIST(archive, detect->memory, "contacts/slots", "", detect->slots,
                     detect->slot_capacity, detect->candidate_count);
    /* Empty between steps: room for it. */
    void *activated = detect->activated;
    if (archive_room(archive, detect->memory, &activated, &detect->activated_capacity,
                     (const size_t[2]){detect->candidate_count, 1}))
        detect->activated = activated;
}

static void archive_flags(struct detect *detect, struct archive *archive) {
    int32_t sorts[2] = {(int32_t)detect->sorted, (int32_t)detect->sort};
    ARCHIVE(archive, "contacts/valid", "", &detect->valid, 1);
    ARCHIVE(archive, "contacts/sorts", "", &sorts[0], 2);
    ARCHIVE(archive, "contacts/remembers", "", &detect->remembers, 1);
    ARCHIVE(archive, "contacts/remembered", "", &detect->remembered, 1);
    ARCHIVE(archive, "contacts/has_forms", "", &detect->has_forms, 1);
    ARCHIVE(archive, "contacts/had_forms", "", &detect->had_forms, 1);
    ARCHIVE(archive, "contacts/range", "m", &detect->range, 1);
    ARCHIVE(archive, "contacts/skin_steps", "", &detect->skin_steps, 1);
    ARCHIVE(archive, "contacts/listed_bodies", "", &detect->listed_bodies, 1);
    if (!archive_is_well(archive) || !archive->reading) return;
    detect->sorted = (enum detect_sort)sorts[0];
    detect->sort = (enum detect_sort)sorts[1];
}

/* Of the bodies that the list knows. */
static void archive_listed(struct detect *detect, const struct world *world,
                           struct archive *archive) {
    size_t listed = detect->listed_bodies, walls = listed > 0 ? world->boundary_count : 0;
    ARCHIVE(archive, "contacts/first", "", detect->first, listed);
    ARCHIVE(archive, "contacts/number", "", detect->count, listed);
    ARCHIVE(archive, "contacts/order", "", detect->order, listed);
    ARCHIVE(archive, "contacts/reference", "m", detect->reference, listed);
    ARCHIVE(archive, "contacts/skin", "m", detect->skin, listed);
    ARCHIVE(archive, "contacts/reach", "m", detect->reach, listed);
    ARCHIVE(archive, "contacts/turned", "m", detect->turned, listed);
    ARCHIVE(archive, "contacts/way", "m", detect->way, walls);
}

void detect_archive(struct detect *detect, const struct world *world, struct archive *archive) {
    archive_flags(detect, archive);
    if (archive_is_well(archive) && archive->reading) {
        talus_status status = detect_reserve(detect, world, archive->err);
        if (status < 0) archive->status = status;
    }
    archive_candidates(detect, archive);
    archive_listed(detect, world, archive);
    if (archive_is_well(archive)) detect_forms_archive(detect, world, archive);
}
