/* SPDX-License-Identifier: Apache-2.0 */
#include "scene/problems.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    PROBLEMS_KEPT = 500,  /* stored and sorted */
    PROBLEMS_SHOWN = 50,  /* put into the message */
    PROBLEM_LENGTH = 900, /* of one line; longer ones are cut */
    TAIL_LENGTH = 40      /* room for "... and N more" */
};

struct problem {
    struct problem *next;
    struct place place;
    int file_rank; /* order in which the files first had a mistake */
    const char *text;
};

struct problems problems_start(struct pool *pool) {
    return (struct problems){.pool = pool};
}

void problem_memory(struct problems *problems) {
    problems->out_of_memory = true;
}

static int file_rank(const struct problems *problems, const char *file) {
    int rank = 0;
    for (const struct problem *p = problems->first; p != NULL; p = p->next) {
        if (strcmp(p->place.file, file) == 0) return p->file_rank;
        if (p->file_rank >= rank) rank = p->file_rank + 1;
    }
    return rank;
}

static bool comes_after(const struct problem *a, const struct problem *b) {
    if (a->file_rank != b->file_rank) return a->file_rank > b->file_rank;
    if (a->place.line != b->place.line) return a->place.line > b->place.line;
    return a->place.column > b->place.column;
}

/* Keep the list sorted; mistakes at one place stay in the order of their finding. */
static void insert(struct problems *problems, struct problem *problem) {
    struct problem **link = &problems->first;
    while (*link != NULL && !comes_after(*link, problem)) link = &(*link)->next;
    problem->next = *link;
    *link = problem;
    problems->kept++;
}

static void add(struct problems *problems, talus_status status, struct place place,
                const char *format, va_list arguments) {
    problems->count++;
    if (problems->status == TALUS_OK) problems->status = status;
    if (problems->kept >= PROBLEMS_KEPT) return;
    char text[PROBLEM_LENGTH];
    vsnprintf(text, sizeof text, format, arguments);
    struct problem *problem = pool_alloc(problems->pool, 1, sizeof *problem);
    char *copy = pool_text(problems->pool, text, strlen(text));
    if (problem == NULL || copy == NULL) {
        problem_memory(problems);
        return;
    }
    problem->place = place;
    if (problem->place.file == NULL) problem->place.file = "scene";
    problem->text = copy;
    problem->file_rank = file_rank(problems, problem->place.file);
    insert(problems, problem);
}

void problem_at(struct problems *problems, struct place place, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(problems, TALUS_ERR_INPUT, place, format, arguments);
    va_end(arguments);
}

void problem_file(struct problems *problems, struct place place, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add(problems, TALUS_ERR_FILE, place, format, arguments);
    va_end(arguments);
}

/* One line of the report into `to`; the length it needs. */
static size_t print_problem(const struct problem *problem, char *to, size_t room) {
    const struct place *place = &problem->place;
    int length = place->line > 0 ? snprintf(to, room, "%s:%d:%d: %s", place->file, place->line,
                                            place->column, problem->text)
                                 : snprintf(to, room, "%s: %s", place->file, problem->text);
    return length > 0 ? (size_t)length : 0;
}

talus_status problems_report(const struct problems *problems, talus_error *err) {
    if (problems->out_of_memory) return error_memory(err);
    if (problems->count == 0) return TALUS_OK;
    if (err == NULL) return problems->status;
    size_t used = 0, shown = 0;
    const size_t room = sizeof err->text - TAIL_LENGTH;
    for (const struct problem *p = problems->first; p != NULL && shown < PROBLEMS_SHOWN;
         p = p->next) {
        size_t needed = print_problem(p, err->text + used, room - used) + 1;
        if (used + needed >= room && shown > 0) break;
        used += needed < room - used ? needed : room - used - 1;
        err->text[used - 1] = '\n';
        shown++;
    }
    err->text[used > 0 ? used - 1 : 0] = '\0';
    if (shown < problems->count) {
        snprintf(err->text + used - 1, TAIL_LENGTH, "\n... and %zu more", problems->count - shown);
    }
    err->status = problems->status;
    return problems->status;
}

void line_add(struct line *line, const char *format, ...) {
    size_t room = sizeof line->text - line->length;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line->text + line->length, room, format, arguments);
    va_end(arguments);
    if (length < 0) return;
    if ((size_t)length < room) {
        line->length += (size_t)length;
    } else {
        line->length = sizeof line->text - 1;
        memcpy(line->text + sizeof line->text - 4, "...", 4);
    }
}
