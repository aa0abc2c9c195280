/* SPDX-License-Identifier: Apache-2.0
 *
 * MercuryDPM's .data (grains) and .fstat (contacts), as MercuryCG and OVITO read them. Grains are numbered by their place
 * in the frame. In .fstat the first body is pushed along the normal: fn normal + ft tangent is the force on it. A contact
 * of two grains stands there twice, once for each of them. With walls, whose number is -1, -2, ..., both directions are
 * turned round, an old habit of the format that its readers expect.
 */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "io/export.h"
#include "io/number.h"
#include "math/vec3.h"

static talus_status start(struct export *export, talus_error *err) {
    TALUS_TRY(export_open(export, 0, ".data", err));
    return export_open(export, 1, ".fstat", err);
}

/* ---- grains ---------------------------------------------------------------------------------- */

static vec3 vector(const struct frame_array *array, size_t i) {
    return vec3_make(frame_real(array, i, 0), frame_real(array, i, 1), frame_real(array, i, 2));
}

static void put_vector(FILE *to, vec3 a) {
    export_number(to, a.x);
    export_number(to, a.y);
    export_number(to, a.z);
}

/* Angles about x, then y, then z. */
static vec3 angles(const struct frame_array *array, size_t i) {
    double w = frame_real(array, i, 0), x = frame_real(array, i, 1), y = frame_real(array, i, 2),
           z = frame_real(array, i, 3);
    double sine = fmin(fmax(2.0 * (w * y - z * x), -1.0), 1.0);
    return vec3_make(atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y)), asin(sine),
                     atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z)));
}

static void put_grains(FILE *to, const struct frame *frame) {
    const struct frame_block *block = &frame->blocks[FRAME_PARTICLES];
    const struct frame_array *v = frame_find(block, "v"), *omega = frame_find(block, "omega");
    const struct frame_array *turn = frame_find(block, "orientation");
    const struct frame_array *radius = frame_find(block, "radius"),
                             *type = frame_find(block, "type");
    struct export_box box = export_box(frame);
    fprintf(to, "%zu", block->points.count);
    export_number(to, frame->time);
    put_vector(to, vec3_make(box.low[0], box.low[1], box.low[2]));
    put_vector(to, vec3_make(box.high[0], box.high[1], box.high[2]));
    fputc('\n', to);
    for (size_t i = 0; i < block->points.count; i++) {
        char text[NUMBER_TEXT];
        fputs(number_text(frame_real(&block->points, i, 0), text), to);
        export_number(to, frame_real(&block->points, i, 1));
        export_number(to, frame_real(&block->points, i, 2));
        put_vector(to, vector(v, i));
        export_number(to, frame_real(radius, i, 0));
        put_vector(to, turn != NULL ? angles(turn, i) : vec3_zero());
        put_vector(to, vector(omega, i));
        fprintf(to, " %lld\n", type != NULL ? (long long)frame_integer(type, i, 0) - 1 : 0);
    }
}

/* ---- contacts -------------------------------------------------------------------------------- */

static int by_first(const void *a, const void *b) {
    const int64_t *x = a, *y = b;
    return (x[0] > y[0]) - (x[0] < y[0]);
}

/* Pairs of id and place, by id. */
static talus_status make_index(struct export *export, const struct frame_array *ids,
                               talus_error *err) {
    int64_t *index = memory_reserve(&export->memory, export->index, &export->index_capacity,
                                    2 * ids->count + 1, sizeof *index);
    if (index == NULL) return error_memory(err);
    export->index = index;
    for (size_t i = 0; i < ids->count; i++) {
        index[2 * i] = frame_integer(ids, i, 0);
        index[2 * i + 1] = (int64_t)i;
    }
    qsort(index, ids->count, 2 * sizeof *index, by_first);
    return TALUS_OK;
}

static int64_t place_of(const struct export *export, size_t count, int64_t id) {
    const int64_t *found = bsearch(&id, export->index, count, 2 * sizeof id, by_first);
    return found != NULL ? found[1] : -1;
}

static int64_t wall_number(const struct frame *frame, int64_t id) {
    const struct frame_array *ids = frame_find_fact(&frame->blocks[FRAME_WALLS], "wall_id");
    for (size_t i = 0; ids != NULL && i < ids->count; i++)
        if (frame_integer(ids, i, 0) == id) return -1 - (int64_t)i;
    return -1;
}

/* What all lines of a contact have in common. */
struct line {
    double time, overlap, fn, ft;
    vec3 point, normal, tangent;
};

static void put_line(FILE *to, const struct line *line, int64_t i, int64_t j, double sign) {
    char text[NUMBER_TEXT];
    fprintf(to, "%s %lld %lld", number_text(line->time, text), (long long)i, (long long)j);
    put_vector(to, line->point);
    export_number(to, line->overlap);
    export_number(to, 0.0); /* its tangential spring: rigid grains have none */
    export_number(to, line->fn);
    export_number(to, line->ft);
    put_vector(to, vec3_scale(sign, line->normal));
    put_vector(to, vec3_scale(sign, line->tangent));
    fputc('\n', to);
}

static talus_status put_contacts(const struct export *export, const struct frame *frame,
                                 enum frame_kind kind, talus_error *err) {
    const struct frame_block *block = &frame->blocks[kind];
    const struct frame_array *id1 = frame_find(block, "id1"), *id2 = frame_find(block, "id2");
    const struct frame_array *point = frame_find(block, "point"), *gap = frame_find(block, "gap");
    const struct frame_array *normal = frame_find(block, "normal"),
                             *force = frame_find(block, "force");
    if (!block->present) return TALUS_OK;
    if (id1 == NULL || id2 == NULL || point == NULL || gap == NULL || normal == NULL ||
        force == NULL)
        return error_set(err, TALUS_ERR_INPUT,
                         "the contacts of the frame at %g s lack one of point, normal, force, gap, "
                         "which mercury needs (output: {frames: {quantities: ...}})",
                         frame->time);
    size_t grains = frame->blocks[FRAME_PARTICLES].points.count;
    FILE *to = export->files[1].stream;
    for (size_t c = 0; c < block->offsets.count; c++) {
        vec3 n = vector(normal, c), f = vector(force, c), t = vec3_tangential(f, n);
        double size = vec3_norm(t);
        struct line line = {frame->time,
                            0.0 - frame_real(gap, c, 0),
                            vec3_dot(f, n),
                            size,
                            vector(point, c),
                            n,
                            size > 0.0 ? vec3_scale(1.0 / size, t) : vec3_zero()};
        int64_t i = place_of(export, grains, frame_integer(id1, c, 0));
        if (kind == FRAME_WALL_CONTACTS) {
            put_line(to, &line, i, wall_number(frame, frame_integer(id2, c, 0)), 1.0);
            continue;
        }
        int64_t j = place_of(export, grains, frame_integer(id2, c, 0));
        put_line(to, &line, i, j, -1.0);
        put_line(to, &line, j, i, 1.0);
    }
    return TALUS_OK;
}

static void put_contact_head(FILE *to, const struct frame *frame) {
    const struct frame_block *block = &frame->blocks[FRAME_PARTICLES];
    const struct frame_array *radius = frame_find(block, "radius");
    struct export_box box = export_box(frame);
    double low = HUGE_VAL, high = 0.0;
    for (size_t i = 0; i < block->points.count; i++) {
        low = fmin(low, frame_real(radius, i, 0));
        high = fmax(high, frame_real(radius, i, 0));
    }
    fputs("#", to);
    export_number(to, frame->time);
    fputs(" 1\n#", to); /* 1: places are contact points */
    put_vector(to, vec3_make(box.low[0], box.low[1], box.low[2]));
    put_vector(to, vec3_make(box.high[0], box.high[1], box.high[2]));
    fputs("\n#", to);
    export_number(to, low <= high ? low : 0.0);
    export_number(to, high);
    fputs(" 0 0 0 0\n", to);
}

static talus_status add(struct export *export, const struct frame *frame, talus_error *err) {
    const struct frame_block *block = &frame->blocks[FRAME_PARTICLES];
    const struct frame_array *id = frame_find(block, "id"), *radius = frame_find(block, "radius");
    if (id == NULL || radius == NULL || frame_find(block, "v") == NULL ||
        frame_find(block, "omega") == NULL)
        return error_set(
            err, TALUS_ERR_INPUT,
            "the frame at %g s lacks v or omega, which mercury needs (output: {frames: "
            "{quantities: ...}})",
            frame->time);
    TALUS_TRY(make_index(export, id, err));
    put_grains(export->files[0].stream, frame);
    put_contact_head(export->files[1].stream, frame);
    TALUS_TRY(put_contacts(export, frame, FRAME_CONTACTS, err));
    TALUS_TRY(put_contacts(export, frame, FRAME_WALL_CONTACTS, err));
    TALUS_TRY(file_flush(&export->files[0], err));
    return file_flush(&export->files[1], err);
}

const struct export_format export_mercury = {
    "mercury", "MercuryDPM: NAME.data, contacts in NAME.fstat", start, add, export_close};
