/* SPDX-License-Identifier: Apache-2.0 */
#include "scene/yaml_tree.h"

#include <string.h>
#include <yaml.h>

enum {
    DEPTH_MAX = 64,
    KEYS_MAX = 256, /* of one map; every lookup is a walk */
    ANCHORS_MAX = 256,
    ALIAS_NODES_MAX = 100000 /* nodes made by unfolding aliases */
};

struct anchor {
    const char *name;
    struct node *node;
    bool complete;
};

struct builder {
    const struct yaml_source *source;
    struct problems *problems;
    struct pool *pool;
    struct node *root;
    struct node *open[DEPTH_MAX]; /* the maps and lists we are inside of */
    size_t depth;
    const char *key; /* read, its value still to come */
    struct place key_place;
    struct anchor anchors[ANCHORS_MAX];
    size_t anchor_count;
    size_t alias_nodes;
    bool failed; /* reading on makes no sense */
};

static struct place place_of(const struct builder *builder, const yaml_mark_t *mark) {
    struct place place = {.file = builder->source->name};
    if (!builder->source->numbered) return place;
    place.line = (int)mark->line + 1;
    place.column = (int)mark->column + 1;
    return place;
}

static void stop(struct builder *builder, struct place place, const char *message) {
    problem_at(builder->problems, place, "%s", message);
    builder->failed = true;
}

static void stop_memory(struct builder *builder) {
    problem_memory(builder->problems);
    builder->failed = true;
}

/* Hang a finished scalar or a just opened map or list into the tree. */
static void attach(struct builder *builder, struct node *node) {
    if (builder->depth == 0) {
        builder->root = node;
        return;
    }
    struct node *parent = builder->open[builder->depth - 1];
    if (parent->kind == NODE_MAP) {
        node->key = builder->key;
        node->key_place = builder->key_place;
        builder->key = NULL;
        if (tree_find(parent, node->key) != NULL) {
            problem_at(builder->problems, node->key_place, "key '%.80s' is given twice", node->key);
            return;
        }
        if (parent->count >= KEYS_MAX) {
            stop(builder, node->key_place, "a map with more than 256 keys");
            return;
        }
    }
    tree_append(parent, node);
}

static void remember_anchor(struct builder *builder, const yaml_char_t *name, struct node *node) {
    if (name == NULL) return;
    if (builder->anchor_count == ANCHORS_MAX) {
        stop(builder, node->place, "more than 256 anchors");
        return;
    }
    char *copy = pool_text(builder->pool, (const char *)name, strlen((const char *)name));
    if (copy == NULL) {
        stop_memory(builder);
        return;
    }
    builder->anchors[builder->anchor_count++] =
        (struct anchor){copy, node, node->kind == NODE_SCALAR};
}

static bool expects_key(const struct builder *builder) {
    return builder->depth > 0 && builder->open[builder->depth - 1]->kind == NODE_MAP &&
           builder->key == NULL;
}

static void on_scalar(struct builder *builder, const yaml_event_t *event) {
    struct place place = place_of(builder, &event->start_mark);
    const char *value = (const char *)event->data.scalar.value;
    if (strlen(value) != event->data.scalar.length) {
        stop(builder, place, "a text with a zero byte");
        return;
    }
    char *text = pool_text(builder->pool, value, event->data.scalar.length);
    if (text == NULL) {
        stop_memory(builder);
        return;
    }
    if (expects_key(builder)) {
        builder->key = text;
        builder->key_place = place;
        return;
    }
    struct node *node = tree_new(builder->pool, NODE_SCALAR, place);
    if (node == NULL) {
        stop_memory(builder);
        return;
    }
    node->text = text;
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    remember_anchor(builder, event->data.scalar.anchor, node);
    attach(builder, node);
}

static void on_open(struct builder *builder, const yaml_event_t *event, enum node_kind kind,
                    const yaml_char_t *anchor) {
    struct place place = place_of(builder, &event->start_mark);
    if (expects_key(builder)) {
        stop(builder, place, "a key must be a single word");
        return;
    }
    if (builder->depth == DEPTH_MAX) {
        stop(builder, place, "nested more than 64 deep");
        return;
    }
    struct node *node = tree_new(builder->pool, kind, place);
    if (node == NULL) {
        stop_memory(builder);
        return;
    }
    remember_anchor(builder, anchor, node);
    attach(builder, node);
    builder->open[builder->depth++] = node;
}

static void on_close(struct builder *builder) {
    const struct node *node = builder->open[--builder->depth];
    for (size_t i = 0; i < builder->anchor_count; i++) {
        if (builder->anchors[i].node == node) builder->anchors[i].complete = true;
    }
}

/* A copy of its own for every alias, so that an override changes one place only. */
static struct node *copy_node(struct builder *builder, const struct node *node, size_t depth) {
    if (depth > DEPTH_MAX || ++builder->alias_nodes > ALIAS_NODES_MAX) {
        stop(builder, node->place,
             "aliases unfold to too much (more than 100000 nodes or 64 deep)");
        return NULL;
    }
    struct node *copy = tree_new(builder->pool, node->kind, node->place);
    if (copy == NULL) {
        stop_memory(builder);
        return NULL;
    }
    copy->text = node->text;
    copy->quoted = node->quoted;
    copy->key = node->key;
    copy->key_place = node->key_place;
    for (const struct node *child = node->first; child != NULL; child = child->next) {
        struct node *copied = copy_node(builder, child, depth + 1);
        if (copied == NULL) return NULL;
        tree_append(copy, copied);
    }
    return copy;
}

static void on_alias(struct builder *builder, const yaml_event_t *event) {
    struct place place = place_of(builder, &event->start_mark);
    const char *name = (const char *)event->data.alias.anchor;
    if (expects_key(builder)) {
        stop(builder, place, "a key must be a single word");
        return;
    }
    const struct anchor *anchor = NULL; /* the last of that name counts */
    for (size_t i = 0; i < builder->anchor_count; i++) {
        if (strcmp(builder->anchors[i].name, name) == 0) anchor = &builder->anchors[i];
    }
    if (anchor == NULL || !anchor->complete) {
        problem_at(builder->problems, place, "alias '*%.80s' %s", name,
                   anchor == NULL ? "names no anchor" : "stands inside its own anchor");
        builder->failed = true;
        return;
    }
    struct node *copy = copy_node(builder, anchor->node, builder->depth + 1);
    if (copy == NULL) return;
    copy->place = place;
    attach(builder, copy);
}

static const yaml_char_t *tag_of(const yaml_event_t *event) {
    switch (event->type) {
    case YAML_SCALAR_EVENT: return event->data.scalar.tag;
    case YAML_SEQUENCE_START_EVENT: return event->data.sequence_start.tag;
    case YAML_MAPPING_START_EVENT: return event->data.mapping_start.tag;
    default: return NULL;
    }
}

static void on_event(struct builder *builder, const yaml_event_t *event) {
    if (tag_of(event) != NULL) {
        problem_at(builder->problems, place_of(builder, &event->start_mark),
                   "tag '%.80s': scenes use no tags", (const char *)tag_of(event));
    }
    switch (event->type) {
    case YAML_SCALAR_EVENT: on_scalar(builder, event); break;
    case YAML_ALIAS_EVENT: on_alias(builder, event); break;
    case YAML_SEQUENCE_START_EVENT:
        on_open(builder, event, NODE_LIST, event->data.sequence_start.anchor);
        break;
    case YAML_MAPPING_START_EVENT:
        on_open(builder, event, NODE_MAP, event->data.mapping_start.anchor);
        break;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: on_close(builder); break;
    case YAML_DOCUMENT_START_EVENT:
        if (builder->root != NULL) {
            stop(builder, place_of(builder, &event->start_mark),
                 "a second document begins here; a scene is one document");
        }
        break;
    default: break;
    }
}

/* Is there a tab in the blanks at the beginning of this line (from 0)? */
static bool tab_indents(const struct yaml_source *source, size_t line) {
    const char *at = source->text, *end = source->text + source->length;
    while (line > 0 && at < end) line -= *at++ == '\n';
    while (at < end && *at == ' ') at++;
    return at < end && *at == '\t';
}

static struct place place_of_byte(const struct builder *builder, size_t offset) {
    yaml_mark_t mark = {0, 0, 0};
    for (size_t i = 0; i < offset && i < builder->source->length; i++) {
        bool end = builder->source->text[i] == '\n';
        mark.line += end;
        mark.column = end ? 0 : mark.column + 1;
    }
    return place_of(builder, &mark);
}

static void on_parser_error(struct builder *builder, const yaml_parser_t *parser) {
    struct problems *problems = builder->problems;
    const char *problem = parser->problem != NULL ? parser->problem : "unknown cause";
    builder->failed = true;
    if (parser->error == YAML_MEMORY_ERROR) {
        problem_memory(problems);
    } else if (parser->error == YAML_READER_ERROR) {
        problem_at(problems, place_of_byte(builder, parser->problem_offset), "not a UTF-8 text: %s",
                   problem);
    } else {
        const char *advice = tab_indents(builder->source, parser->problem_mark.line)
                                 ? " (a tab indents this line: use blanks)"
                                 : "";
        problem_at(problems, place_of(builder, &parser->problem_mark), "not YAML: %s%s%s%s",
                   problem, parser->context != NULL ? ", " : "",
                   parser->context != NULL ? parser->context : "", advice);
    }
}

static void read_events(struct builder *builder, yaml_parser_t *parser) {
    bool done = false;
    while (!done && !builder->failed) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event)) {
            on_parser_error(builder, parser);
            return;
        }
        done = event.type == YAML_STREAM_END_EVENT;
        on_event(builder, &event);
        yaml_event_delete(&event);
    }
}

struct node *yaml_tree(const struct yaml_source *source, struct problems *problems) {
    /* In the pool for its size: the anchors alone would fill a small stack. */
    struct builder *builder = pool_alloc(problems->pool, 1, sizeof *builder);
    yaml_parser_t parser;
    if (builder == NULL || !yaml_parser_initialize(&parser)) {
        problem_memory(problems);
        return NULL;
    }
    builder->source = source;
    builder->problems = problems;
    builder->pool = problems->pool;
    yaml_parser_set_input_string(&parser, (const unsigned char *)source->text, source->length);
    read_events(builder, &parser);
    yaml_parser_delete(&parser);
    return builder->failed ? NULL : builder->root;
}
