/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "io/frame_writer.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "sim/quantities.h"
#include "sim/sim.h"
#include "talus/frames.h"

/* ---- names and shapes: once, or when there are more of them ---------------------------------- */

void frame_names_put(FILE *to, const talus_sim *sim) {
    const struct world *world = &sim->world;
    fputs("what\tnumber\tname\n", to);
    for (size_t i = 0; i < world->material_count; i++)
        fprintf(to, "type\t%zu\t%s\n", i + 1, world->materials[i].name.text);
    for (size_t i = 0; i < world->group_count; i++)
        fprintf(to, "group\t%zu\t%s\n", i, world->groups[i].text);
    for (size_t i = 0; i < world->form_count; i++)
        fprintf(to, "shape\t%zu\t%s\n", i + 1, world->forms[i].name.text);
    for (size_t i = 0; i < world->boundary_count; i++)
        fprintf(to, "wall\t%lld\t%s\n", (long long)world->bodies.gid[world->boundaries[i].body],
                world->boundaries[i].name.text);
    for (size_t i = 0; i < world->membrane_count; i++)
        fprintf(to, "membrane\t%zu\t%s\n", i, talus_sim_membrane(sim, i).name);
}

static talus_status write_names(const struct frame_writer *writer, const talus_sim *sim,
                                talus_error *err) {
    struct file file;
    TALUS_TRY(file_open(&file, writer->directory, "names.tsv", FILE_QUICK, err));
    frame_names_put(file.stream, sim);
    return file_close(&file, err);
}

static talus_status write_shapes(struct frame_writer *writer, const talus_sim *sim,
                                 talus_error *err) {
    struct frame_block block = {.present = false};
    struct memory memory = {0};
    if (talus_sim_shape_count(sim) == 0) return TALUS_OK;
    TALUS_TRY(frame_shapes_make(&writer->shapes, sim, err));
    talus_status status = frame_shapes_block(&writer->shapes, sim, &block, &memory, err);
    if (status >= 0) status = vtp_write(&block, writer->directory, "shapes.vtp", err);
    frame_block_free(&block, &memory);
    return status;
}

static talus_status write_once(struct frame_writer *writer, const talus_sim *sim,
                               talus_error *err) {
    const struct world *world = &sim->world;
    size_t named = 1 + world->material_count + world->group_count + world->form_count +
                   world->boundary_count + world->membrane_count;
    if (writer->named == named) return TALUS_OK;
    writer->named = named;
    TALUS_TRY(write_names(writer, sim, err));
    return write_shapes(writer, sim, err);
}

/* ---- writing, in the thread ------------------------------------------------------------------ */

static talus_status write_frame(struct frame_writer *writer, talus_error *err) {
    const struct frame *frame = &writer->frames[writer->taken];
    char name[FRAME_FILE];
    vtk_frame_name(name, writer->number);
    TALUS_TRY(vtk_frame_write(frame, writer->directory, writer->number, err));
    TALUS_TRY(vtk_list_add(&writer->list, frame->time, name, err));
    return vtk_list_write(&writer->list, writer->directory, err);
}

static void *write_in_thread(void *context) {
    struct frame_writer *writer = context;
    writer->status = write_frame(writer, &writer->error);
    atomic_store(&writer->written, true); /* the frame may be filled anew */
    return NULL;
}

/* Signals are for the thread of the run. Without threads the frame is written at once. */
static void start_writing(struct frame_writer *writer) {
    sigset_t all, before;
    atomic_store(&writer->written, false);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    writer->running = pthread_create(&writer->thread, NULL, write_in_thread, writer) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!writer->running) write_in_thread(writer);
}

static talus_status wait_for_it(struct frame_writer *writer, talus_error *err) {
    talus_status status = frame_writer_wait(writer, err);
    writer->status = TALUS_OK; /* told once */
    return status;
}

talus_status frame_writer_wait(struct frame_writer *writer, talus_error *err) {
    if (writer->running) pthread_join(writer->thread, NULL);
    writer->running = false;
    if (writer->status >= 0) return TALUS_OK;
    return error_set(err, writer->status, "%s", writer->error.text);
}

/* ---- the life of a writer -------------------------------------------------------------------- */

/* Half a rounding more: the time of a state that is read back is the same number. */
static talus_status find_earlier(struct frame_writer *writer, double time, talus_error *err) {
    char path[FILE_PATH];
    TALUS_TRY(file_path(path, writer->directory, VTK_LIST_NAME, err));
    if (access(path, F_OK) != 0) return TALUS_OK;
    TALUS_TRY(vtk_list_read(&writer->list, path, err));
    while (writer->list.count > 0 && writer->list.entries[writer->list.count - 1].time > time)
        writer->list.count--;
    return TALUS_OK;
}

talus_status frame_writer_start(struct frame_writer *writer, const char *run_directory,
                                const struct frame_choice *choice, double time, talus_error *err) {
    TALUS_TRY(file_path(writer->directory, run_directory, FRAME_DIRECTORY, err));
    if (mkdir(writer->directory, 0777) != 0 && errno != EEXIST)
        return error_set(err, TALUS_ERR_FILE, "%s: the directory cannot be created: %s",
                         writer->directory, strerror(errno));
    writer->choice = *choice;
    TALUS_TRY(find_earlier(writer, time, err));
    writer->number = (int64_t)writer->list.count - 1;
    writer->open = true;
    return TALUS_OK;
}

talus_status frame_writer_take(struct frame_writer *writer, const talus_sim *sim,
                               talus_error *err) {
    /* The second frame only where the disk is slow: new memory costs as much as writing it. */
    bool busy = writer->running && !atomic_load(&writer->written);
    int next = busy ? 1 - writer->taken : writer->taken;
    writer->room.shapes = &writer->shapes;
    talus_status status =
        frame_gather(&writer->frames[next], sim, &writer->choice, &writer->room, err);
    if (status >= 0) status = write_once(writer, sim, err);
    if (status < 0) return status;
    TALUS_TRY(wait_for_it(writer, err));
    writer->taken = next;
    writer->number++;
    start_writing(writer);
    return TALUS_OK;
}

talus_status frame_writer_finish(struct frame_writer *writer, talus_error *err) {
    return writer->open ? wait_for_it(writer, err) : TALUS_OK;
}

void frame_writer_free(struct frame_writer *writer) {
    if (writer->running) pthread_join(writer->thread, NULL);
    writer->running = writer->open = false;
    frame_free(&writer->frames[0]);
    frame_free(&writer->frames[1]);
    frame_shapes_free(&writer->shapes);
    frame_room_free(&writer->room);
    vtk_list_free(&writer->list);
}

/* ---- for everybody --------------------------------------------------------------------------- */

struct talus_frames {
    struct memory memory; /* of this struct */
    struct frame_writer writer;
};

talus_frames_config talus_frames_config_default(void) {
    return (talus_frames_config){.contacts = true, .walls = true, .surfaces = true};
}

static talus_status check_quantities(const talus_frames_config *config, talus_error *err) {
    for (size_t i = 0; i < config->quantity_count; i++)
        if (quantity_find(config->quantities[i]) < 0)
            return error_set(err, TALUS_ERR_UNKNOWN_NAME,
                             "there is no quantity \"%s\" (talus list quantities)",
                             config->quantities[i]);
    return TALUS_OK;
}

/* The names live as long as the program: those of the catalog, not the caller's. */
static talus_status keep_names(struct talus_frames *frames, const talus_frames_config *config,
                               struct frame_choice *choice, talus_error *err) {
    const char **names =
        memory_resize(&frames->memory, NULL, 0, config->quantity_count, sizeof *names);
    if (names == NULL) return error_memory(err);
    for (size_t i = 0; i < config->quantity_count; i++)
        names[i] = quantity_get(quantity_find(config->quantities[i]))->entry.name;
    *choice = (struct frame_choice){names,         config->quantity_count, config->contacts,
                                    config->walls, config->surfaces,       config->float32};
    return TALUS_OK;
}

static void free_frames(struct talus_frames *frames) {
    struct memory memory = frames->memory;
    const struct frame_choice *choice = &frames->writer.choice;
    memory_free(&memory, (void *)choice->quantities, choice->quantity_count, sizeof(char *));
    frame_writer_free(&frames->writer);
    memory_free(&memory, frames, 1, sizeof *frames);
}

talus_status talus_frames_open(const char *directory, const talus_frames_config *config,
                               talus_frames **out, talus_error *err) {
    const talus_frames_config standard = talus_frames_config_default();
    struct memory memory = {0};
    if (config == NULL) config = &standard;
    TALUS_TRY(check_quantities(config, err));
    struct talus_frames *frames = memory_resize(&memory, NULL, 0, 1, sizeof *frames);
    if (frames == NULL) return error_memory(err);
    frames->memory = memory;
    struct frame_choice choice;
    talus_status status = keep_names(frames, config, &choice, err);
    if (status >= 0) {
        frames->writer.choice = choice;
        status = frame_writer_start(&frames->writer, directory, &choice, -HUGE_VAL, err);
    }
    if (status < 0)
        free_frames(frames);
    else
        *out = frames;
    return status;
}

talus_status talus_frames_take(talus_frames *frames, const talus_sim *sim, talus_error *err) {
    return frame_writer_take(&frames->writer, sim, err);
}

talus_status talus_frames_close(talus_frames *frames, talus_error *err) {
    if (frames == NULL) return TALUS_OK;
    talus_status status = frame_writer_finish(&frames->writer, err);
    free_frames(frames);
    return status;
}

/* ---- clearing -------------------------------------------------------------------------------- */

static talus_status remove_frame(const char *directory, const char *name, talus_error *err) {
    char path[FILE_PATH];
    TALUS_TRY(file_path(path, directory, name, err));
    if (remove(path) == 0 || errno == ENOENT) return TALUS_OK;
    return error_set(err, TALUS_ERR_FILE, "%s: the old file cannot be removed: %s", path,
                     strerror(errno));
}

talus_status frame_directory_clear(const char *run_directory, talus_error *err) {
    char path[FILE_PATH];
    TALUS_TRY(file_path(path, run_directory, FRAME_DIRECTORY, err));
    DIR *directory = opendir(path);
    if (directory == NULL) return TALUS_OK;
    talus_status status = remove_frame(path, VTK_LIST_NAME, err); /* first: no list of what goes */
    for (struct dirent *entry = readdir(directory); entry != NULL && status >= 0;
         entry = readdir(directory))
        if (vtk_is_frame_file(entry->d_name)) status = remove_frame(path, entry->d_name, err);
    closedir(directory);
    if (status >= 0) (void)rmdir(path); /* stays if there is more in it */
    return status;
}
