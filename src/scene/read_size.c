/* SPDX-License-Identifier: Apache-2.0
 * Size distributions and regions. */
#include <math.h>
#include <string.h>

#include "scene/read.h"

/* A cut that keeps less of a distribution than this would make drawing from it endless. */
static const double share_least = 1e-3;

static void check_order(struct reader *reader, const struct node *map, double low, double high) {
    if (low <= high) return;
    problem_at(reader->problems, map->place, "%s: the lower bound %g is above the upper bound %g",
               map->key, low, high);
}

/* Fill in a bound that was not given. */
static double bound(struct reader *reader, struct node *map, const char *key, double otherwise) {
    if (get_has(map, key)) return get_number(map, key, otherwise);
    if (!(otherwise > 0.0)) {
        problem_at(reader->problems, map->place,
                   "%s: '%s' would be %g by default, but a radius is greater than 0; give '%s'",
                   map->key, key, otherwise, key);
        return otherwise;
    }
    read_default_number(reader, map, key, otherwise);
    return otherwise;
}

/* low, high in standard deviations from the middle. */
static void check_share(struct reader *reader, const struct node *map, double low, double high) {
    double share = 0.5 * (erf(high / sqrt(2.0)) - erf(low / sqrt(2.0)));
    if (share >= share_least || low > high) return;
    problem_at(reader->problems, map->place,
               "%s: only %.1e of the distribution lies between low and high; at least %g is wanted",
               map->key, share, share_least);
}

static struct scene_size read_normal(struct reader *reader, struct node *map) {
    struct scene_size size = {.kind = SCENE_SIZE_NORMAL};
    size.a = get_number(map, "mean", 1.0);
    size.b = get_number(map, "deviation", 1.0);
    size.low = bound(reader, map, "low", size.a - 3.0 * size.b);
    size.high = bound(reader, map, "high", size.a + 3.0 * size.b);
    check_order(reader, map, size.low, size.high);
    check_share(reader, map, (size.low - size.a) / size.b, (size.high - size.a) / size.b);
    return size;
}

static struct scene_size read_lognormal(struct reader *reader, struct node *map) {
    struct scene_size size = {.kind = SCENE_SIZE_LOGNORMAL};
    size.a = get_number(map, "median", 1.0);
    size.b = get_number(map, "sigma", 1.0);
    size.low = bound(reader, map, "low", size.a * exp(-3.0 * size.b));
    size.high = bound(reader, map, "high", size.a * exp(3.0 * size.b));
    check_order(reader, map, size.low, size.high);
    check_share(reader, map, log(size.low / size.a) / size.b, log(size.high / size.a) / size.b);
    return size;
}

static struct scene_size read_table(struct reader *reader, struct node *map) {
    struct scene_size size = {.kind = SCENE_SIZE_TABLE};
    const struct node *radii = get(map, "radii"), *weights = get(map, "weights");
    if (radii == NULL || weights == NULL) return size;
    if (radii->count != weights->count) {
        problem_at(reader->problems, weights->place, "table: %zu weights for %zu radii",
                   weights->count, radii->count);
        return size;
    }
    size.values = read_numbers(reader, radii);
    size.weights = read_numbers(reader, weights);
    if (size.values == NULL || size.weights == NULL) return size;
    size.count = radii->count;
    double sum = 0.0;
    for (size_t i = 0; i < size.count; i++) sum += size.weights[i];
    if (!(sum > 0.0) || !isfinite(sum)) {
        problem_at(reader->problems, weights->place, "table: the weights add up to %g", sum);
    }
    return size;
}

static struct scene_size read_distribution(struct reader *reader, const struct node *map) {
    struct scene_size size = {.kind = SCENE_SIZE_ONE};
    struct node *node = map->first; /* the one key there is */
    for (; node != NULL; node = node->next) {
        if (node->bad) continue;
        if (strcmp(node->key, "normal") == 0) return read_normal(reader, node);
        if (strcmp(node->key, "lognormal") == 0) return read_lognormal(reader, node);
        if (strcmp(node->key, "table") == 0) return read_table(reader, node);
        if (strcmp(node->key, "uniform") == 0) {
            size.kind = SCENE_SIZE_UNIFORM;
            size.a = node->first->number;
            size.b = node->last->number;
            check_order(reader, node, size.a, size.b);
        } else if (strcmp(node->key, "power") == 0) {
            size.kind = SCENE_SIZE_POWER;
            size.a = get_number(node, "low", 1.0);
            size.b = get_number(node, "high", 1.0);
            size.exponent = get_number(node, "exponent", 0.0);
            check_order(reader, node, size.a, size.b);
        } else if (strcmp(node->key, "two") == 0) {
            size.kind = SCENE_SIZE_TWO;
            size.a = get_number(node, "small", 1.0);
            size.b = get_number(node, "large", 1.0);
            size.share = get_number(node, "share", 0.5);
        }
    }
    return size;
}

struct scene_size read_size(struct reader *reader, struct node *map) {
    const struct node *node = get(map, "radius");
    if (node != NULL && node->kind == NODE_MAP) return read_distribution(reader, node);
    return (struct scene_size){.kind = SCENE_SIZE_ONE, .a = node != NULL ? node->number : 0.0};
}

/* ---- regions --------------------------------------------------------------------------------- */

static void read_region_box(struct reader *reader, const struct node *map, double largest,
                            struct scene_region *region) {
    const talus_cell_config *cell = &reader->scene->config.cell;
    region->kind = SCENE_REGION_BOX;
    region->low = get_vector(map, "low");
    region->high = get_vector(map, "high");
    if (get(map, "low") == NULL || get(map, "high") == NULL) return;
    for (int axis = 0; axis < reader->dimension; axis++) {
        double low = vec3_component(region->low, axis), high = vec3_component(region->high, axis);
        bool spans =
            cell->periodic[axis] && high - low >= vec3_component(cell->size, axis) * (1.0 - 1e-9);
        if (!(high > low)) {
            problem_at(reader->problems, map->place,
                       "box: high must be above low along %c, but %g <= %g", "xyz"[axis], high,
                       low);
        } else if (!spans && high - low < 2.0 * largest) {
            problem_at(reader->problems, map->place,
                       "box: %g wide along %c, but the largest grain has the diameter %g",
                       high - low, "xyz"[axis], 2.0 * largest);
        }
    }
}

static void read_region_cylinder(struct reader *reader, const struct node *map, double largest,
                                 struct scene_region *region) {
    region->kind = SCENE_REGION_CYLINDER;
    region->point = read_world_vector(reader, map, "point");
    region->axis = read_axis(reader, map, "axis");
    region->radius = get_number(map, "radius", 0.0);
    region->length = get_number(map, "length", 0.0);
    if (reader->dimension == 1) {
        problem_at(reader->problems, map->place, "cylinder: there are none in one dimension");
    } else if (reader->dimension == 3 && !get_has(map, "length")) {
        problem_at(reader->problems, map->place, "'length' is missing in cylinder");
    } else if (get(map, "radius") != NULL && region->radius < largest) {
        problem_at(reader->problems, map->place,
                   "cylinder: radius %g, but the largest grain has the radius %g", region->radius,
                   largest);
    } else if (reader->dimension == 3 && get(map, "length") != NULL &&
               region->length < 2.0 * largest) {
        problem_at(reader->problems, map->place,
                   "cylinder: length %g, but the largest grain has the diameter %g", region->length,
                   2.0 * largest);
    }
}

struct scene_region read_region(struct reader *reader, const struct node *map, double largest) {
    struct scene_region region = {.kind = SCENE_REGION_BOX};
    const struct node *box = get(map, "box"), *cylinder = get(map, "cylinder");
    if (box != NULL)
        read_region_box(reader, box, largest, &region);
    else if (cylinder != NULL)
        read_region_cylinder(reader, cylinder, largest, &region);
    return region;
}
