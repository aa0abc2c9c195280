/* SPDX-License-Identifier: Apache-2.0 */
#include "scene/fill_mask.h"

/* Cubes of half the smallest radius: 112 for each grain at a solid fraction of 0.3. */
static const double cube_over_radius = 0.5, cubes_for_each = 512.0, cubes_least = 65536.0,
                    cubes_most = 4e9; /* numbered by 32 bits */
/* Rounding must never mark a cube of which a corner is free. */
static const double safety = 1.0 - 1e-9;

static double extent(const struct region_space *space, int axis) {
    return vec3_component(space->high, axis) - vec3_component(space->low, axis);
}

bool fill_mask_open(struct fill_mask *mask, const struct region_space *space,
                    const struct fill_walls *walls, double radius, size_t grains,
                    struct memory *memory) {
    *mask = (struct fill_mask){.space = space, .walls = walls, .radius = radius};
    double measure = 1.0, most = fmin(cubes_for_each * (double)grains + cubes_least, cubes_most);
    for (int axis = 0; axis < space->dimension; axis++) measure *= extent(space, axis);
    double width = fmax(cube_over_radius * radius, pow(measure / most, 1.0 / space->dimension));
    for (int axis = 0; axis < 3; axis++) {
        bool used = axis < space->dimension;
        double size = used ? extent(space, axis) : 1.0;
        mask->cells[axis] = used && size > width ? (int64_t)(size / width) : 1;
        mask->width[axis] = size / (double)mask->cells[axis];
    }
    mask->row_words = (size_t)(mask->cells[0] + 63) / 64;
    mask->word_count = mask->row_words * (size_t)(mask->cells[1] * mask->cells[2]);
    mask->rows = memory_resize(memory, NULL, 0, mask->word_count, sizeof *mask->rows);
    return mask->rows != NULL;
}

void fill_mask_close(struct fill_mask *mask, struct memory *memory) {
    memory_free(memory, mask->rows, mask->word_count, sizeof *mask->rows);
}

/* Bits first .. last of a row; both inside it. */
static void set_bits(uint64_t *row, int64_t first, int64_t last) {
    for (int64_t word = first / 64; word <= last / 64; word++) {
        uint64_t bits = ~(uint64_t)0;
        if (word == first / 64) bits &= ~(uint64_t)0 << (first % 64);
        if (word == last / 64) bits &= ~(uint64_t)0 >> (63 - last % 64);
        row[word] |= bits;
    }
}

/* The same for places that may lie beyond the sides: cut off, or wrapped where the region
 * repeats. */
static void set_range(const struct fill_mask *mask, uint64_t *row, int64_t first, int64_t last) {
    const int64_t cells = mask->cells[0];
    if (last < first) return;
    if (!mask->space->spans[0]) {
        if (first < 0) first = 0;
        if (last >= cells) last = cells - 1;
        if (first <= last) set_bits(row, first, last);
        return;
    }
    if (last - first + 1 >= cells) {
        set_bits(row, 0, cells - 1);
        return;
    }
    int64_t start = (first % cells + cells) % cells, end = start + (last - first);
    if (end < cells) {
        set_bits(row, start, end);
    } else {
        set_bits(row, start, cells - 1);
        set_bits(row, 0, end - cells);
    }
}

/* Index of a row or layer, -1 if it lies outside. */
static int64_t wrap(const struct fill_mask *mask, int axis, int64_t index) {
    const int64_t cells = mask->cells[axis];
    if (mask->space->spans[axis]) return (index % cells + cells) % cells;
    return index >= 0 && index < cells ? index : -1;
}

/* The farthest that a point of cube `index` is from `at` along an axis; 0 along unused ones. */
static double farthest(const struct fill_mask *mask, int axis, int64_t index, vec3 at) {
    if (axis >= mask->space->dimension) return 0.0;
    double low = vec3_component(mask->space->low, axis) + (double)index * mask->width[axis];
    double away = low - vec3_component(at, axis);
    return fmax(fabs(away), fabs(away + mask->width[axis]));
}

static void mark_row(struct fill_mask *mask, vec3 at, double reach, int64_t j, int64_t k) {
    double dy = farthest(mask, 1, j, at), dz = farthest(mask, 2, k, at);
    double left = reach * reach - dy * dy - dz * dz;
    int64_t row = wrap(mask, 1, j), layer = wrap(mask, 2, k);
    if (left <= 0.0 || row < 0 || layer < 0) return;
    double half = sqrt(left) * safety, middle = at.x - mask->space->low.x;
    int64_t first = (int64_t)ceil((middle - half) / mask->width[0]);
    int64_t last = (int64_t)floor((middle + half) / mask->width[0]) - 1;
    set_range(mask, mask->rows + (size_t)(layer * mask->cells[1] + row) * mask->row_words, first,
              last);
}

static void index_range(const struct fill_mask *mask, int axis, vec3 at, double reach,
                        int64_t *first, int64_t *last) {
    *first = *last = 0;
    if (axis >= mask->space->dimension) return;
    double middle = vec3_component(at, axis) - vec3_component(mask->space->low, axis);
    *first = (int64_t)floor((middle - reach) / mask->width[axis]);
    *last = (int64_t)floor((middle + reach) / mask->width[axis]);
    if (mask->space->spans[axis]) return;
    if (*first < 0) *first = 0;
    if (*last >= mask->cells[axis]) *last = mask->cells[axis] - 1;
}

void fill_mask_add(struct fill_mask *mask, vec3 at, double radius) {
    double reach = (radius + mask->radius) * safety;
    int64_t rows[2], layers[2];
    index_range(mask, 1, at, reach, &rows[0], &rows[1]);
    index_range(mask, 2, at, reach, &layers[0], &layers[1]);
    for (int64_t k = layers[0]; k <= layers[1]; k++) {
        for (int64_t j = rows[0]; j <= rows[1]; j++) mark_row(mask, at, reach, j, k);
    }
}

bool fill_mask_covers(const struct fill_mask *mask, vec3 at) {
    int64_t index[3] = {0, 0, 0};
    for (int axis = 0; axis < mask->space->dimension; axis++) {
        double away = vec3_component(at, axis) - vec3_component(mask->space->low, axis);
        int64_t cell = (int64_t)(away / mask->width[axis]), last = mask->cells[axis] - 1;
        index[axis] = cell < 0 ? 0 : cell > last ? last : cell;
    }
    const uint64_t *row =
        mask->rows + (size_t)(index[2] * mask->cells[1] + index[1]) * mask->row_words;
    return (row[index[0] / 64] >> (index[0] % 64) & 1) != 0;
}

/* Is there any place in the cube where the smallest grain lies inside the region and clear of the
 * boundaries? Never wrongly no. */
static bool is_inside(const struct fill_mask *mask, size_t cube) {
    vec3 middle = vec3_zero(), half = vec3_zero();
    for (int axis = 0; axis < mask->space->dimension; axis++) {
        size_t cells = (size_t)mask->cells[axis];
        double shift = ((double)(cube % cells) + 0.5) * mask->width[axis];
        vec3_set_component(&middle, axis, vec3_component(mask->space->low, axis) + shift);
        vec3_set_component(&half, axis, 0.5 * mask->width[axis]);
        cube /= cells;
    }
    double radius = mask->radius - vec3_norm(half);
    return region_holds(mask->space, middle, radius) &&
           !fill_walls_overlap(mask->walls, middle, radius);
}

size_t fill_mask_count_open(const struct fill_mask *mask) {
    size_t set = 0;
    for (size_t i = 0; i < mask->word_count; i++) {
        for (uint64_t word = mask->rows[i]; word != 0; word &= word - 1) set++;
    }
    return (size_t)(mask->cells[0] * mask->cells[1] * mask->cells[2]) - set;
}

size_t fill_mask_list_open(const struct fill_mask *mask, uint32_t *cubes) {
    const int64_t rows = mask->cells[1] * mask->cells[2];
    size_t count = 0;
    for (int64_t row = 0; row < rows; row++) {
        const uint64_t *words = mask->rows + (size_t)row * mask->row_words;
        for (int64_t i = 0; i < mask->cells[0]; i++) {
            if (words[i / 64] >> (i % 64) & 1) continue;
            size_t cube = (size_t)(row * mask->cells[0] + i);
            if (is_inside(mask, cube)) cubes[count++] = (uint32_t)cube;
        }
    }
    return count;
}

bool fill_mask_is_set(const struct fill_mask *mask, size_t cube) {
    size_t row = cube / (size_t)mask->cells[0], column = cube % (size_t)mask->cells[0];
    return (mask->rows[row * mask->row_words + column / 64] >> (column % 64) & 1) != 0;
}

vec3 fill_mask_place(const struct fill_mask *mask, size_t cube, struct random *random) {
    vec3 at = vec3_zero();
    for (int axis = 0; axis < mask->space->dimension; axis++) {
        size_t cells = (size_t)mask->cells[axis];
        double shift = ((double)(cube % cells) + random_uniform(random)) * mask->width[axis];
        vec3_set_component(&at, axis, vec3_component(mask->space->low, axis) + shift);
        cube /= cells;
    }
    return at;
}
