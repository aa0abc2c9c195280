/* SPDX-License-Identifier: Apache-2.0
 * Pictures of worlds of one and two dimensions: discs, figures, walls and bars seen along z. */
#include "io/picture.h"

static const struct color wall_line = {0.33, 0.35, 0.39};
static const struct color wall_body = {0.88, 0.89, 0.91};
static const struct color bar_color = {0.62, 0.10, 0.12};  /* pressure */
static const struct color weak_color = {0.86, 0.56, 0.30}; /* pressure below the mean */
static const struct color pull_color = {0.08, 0.30, 0.65}; /* tension */
static const struct color membrane_color = {0.80, 0.36, 0.10};
static const double membrane_width = 2.2; /* pixels */
static const struct color white = {1.0, 1.0, 1.0};
static const struct color black = {0.0, 0.0, 0.0};

/* Widest bar, in mean radii. */
static const double bar_widest = 0.9;

struct view {
    double scale; /* pixels per metre */
    double x, y;  /* page coordinates of the origin */
};

static struct view make_view(const struct picture *picture, const struct picture_frame *frame) {
    vec3 size = vec3_sub(picture->high, picture->low);
    vec3 middle = vec3_scale(0.5, vec3_add(picture->low, picture->high));
    double scale = fmin(frame->width / size.x, frame->height / size.y);
    return (struct view){scale, frame->left + 0.5 * frame->width - scale * middle.x,
                         frame->top + 0.5 * frame->height + scale * middle.y};
}

static struct point on_page(const struct view *view, vec3 a) {
    return (struct point){view->x + view->scale * a.x, view->y - view->scale * a.y};
}

static struct canvas_pen grain_pen(const struct picture_grain *grain, double radius, bool pale) {
    struct color fill = pale ? color_mix(grain->color, white, 0.55) : grain->color;
    return (struct canvas_pen){fill, color_mix(fill, black, pale ? 0.25 : 0.45),
                               fmin(1.5, 0.12 * radius)};
}

static void draw_disc(struct canvas *canvas, const struct view *view,
                      const struct picture_grain *grain, bool pale) {
    struct point center = on_page(view, grain->position);
    double radius = view->scale * grain->radius;
    struct canvas_pen pen = grain_pen(grain, radius, pale);
    canvas_disc(canvas, center, radius, pen.fill, 1.0);
    canvas_ring(canvas, center, radius - 0.5 * pen.width, pen.width, pen.line);
    if (radius < 5.0) return;
    vec3 mark = quat_rotate(grain->orientation, vec3_make(1.0, 0.0, 0.0));
    vec3 from = vec3_add_scaled(grain->position, 0.45 * grain->radius, mark);
    vec3 to = vec3_add_scaled(grain->position, 0.82 * grain->radius, mark);
    canvas_line(canvas, on_page(view, from), on_page(view, to), 0.10 * radius, pen.line);
}

/* Corners of all hulls of a grain on the page. Of more corners than there is room for, and than a page
 * could show, every second or third, ... is enough. */
static void place_hulls(struct canvas_hull *hulls, struct point *corners, size_t room,
                        const struct view *view, const struct picture_grain *grain) {
    const struct body_form *form = grain->form;
    size_t all = 0, used = 0;
    for (size_t part = 0; part < form->part_count; part++)
        all += (size_t)form->parts[part].hull.vertex_count;
    int32_t stride = (int32_t)(1 + all / (room - form->part_count));
    for (size_t part = 0; part < form->part_count; part++) {
        const struct convex *hull = &form->parts[part].hull;
        size_t first = used;
        for (int32_t v = 0; v < hull->vertex_count; v += stride) {
            vec3 arm = quat_rotate(grain->orientation, hull->vertices[v]);
            corners[used++] = on_page(view, vec3_add_scaled(grain->position, grain->scale, arm));
        }
        hulls[part] = (struct canvas_hull){corners + first, (int)(used - first),
                                           view->scale * grain->scale * hull->rounding};
    }
}

/* The line follows the outline of the whole grain; the corners show how it has turned. */
static void draw_figure(struct canvas *canvas, const struct view *view,
                        const struct picture_grain *grain, bool pale) {
    enum { ROOM = 1024 };
    struct point corners[ROOM];
    struct canvas_hull hulls[TALUS_SHAPE_PARTS_MAX];
    place_hulls(hulls, corners, ROOM, view, grain);
    struct canvas_pen pen = grain_pen(grain, view->scale * grain->radius, pale);
    canvas_figure(canvas, hulls, (int)grain->form->part_count, &pen);
}

static void draw_grain(struct canvas *canvas, const struct view *view,
                       const struct picture_grain *grain, bool pale) {
    if (grain->form == NULL)
        draw_disc(canvas, view, grain, pale);
    else
        draw_figure(canvas, view, grain, pale);
}

static void draw_bar(struct canvas *canvas, const struct view *view, const struct picture *picture,
                     const struct picture_bar *bar) {
    double width =
        view->scale * bar_widest * picture->mean_radius * bar->force / picture->force_max;
    if (width < 0.02) return;
    canvas_line(canvas, on_page(view, bar->from), on_page(view, bar->to), width,
                bar->pulls  ? pull_color
                : bar->weak ? weak_color
                            : bar_color);
}

/* The two ends of a wall that stands upright on the plane of the picture. */
static bool wall_ends(const struct picture_wall *wall, vec3 *a, vec3 *b) {
    vec3 along = vec3_make(-wall->normal.y, wall->normal.x, 0.0);
    if (wall->corner_count < 2 || vec3_norm(along) < 0.5) return false;
    *a = *b = wall->corners[0];
    for (int k = 1; k < wall->corner_count; k++) {
        if (vec3_dot(along, vec3_sub(wall->corners[k], *a)) < 0.0) *a = wall->corners[k];
        if (vec3_dot(along, vec3_sub(wall->corners[k], *b)) > 0.0) *b = wall->corners[k];
    }
    return true;
}

/* How thick the body of a wall is drawn, pixels. */
static double wall_depth(const struct view *view, const struct picture *picture) {
    return fmin(fmax(0.4 * view->scale * picture->mean_radius, 3.0), 12.0);
}

static void draw_plane_body(struct canvas *canvas, const struct view *view,
                            const struct picture *picture, const struct picture_wall *wall) {
    vec3 a, b;
    if (!wall_ends(wall, &a, &b)) return;
    double depth = wall_depth(view, picture) / view->scale;
    vec3 along = vec3_sub(b, a);
    double length = vec3_norm(along);
    if (length > 0.0) { /* to meet the body of the next wall at a corner */
        a = vec3_add_scaled(a, -depth / length, along);
        b = vec3_add_scaled(b, depth / length, along);
    }
    const struct point corners[4] = {on_page(view, a), on_page(view, b),
                                     on_page(view, vec3_add_scaled(b, -depth, wall->normal)),
                                     on_page(view, vec3_add_scaled(a, -depth, wall->normal))};
    canvas_polygon(canvas, corners, 4, wall_body, 1.0);
}

static void draw_straight(struct canvas *canvas, const struct view *view,
                          const struct picture_wall *wall) {
    vec3 a, b;
    if (!wall_ends(wall, &a, &b)) return;
    double width = wall->shape == TALUS_RECTANGLE ? 3.0 : 1.8;
    canvas_line(canvas, on_page(view, a), on_page(view, b), width, wall_line);
}

/* Seen along its axis a cylinder is a circle, seen from the side two lines. */
static void draw_cylinder(struct canvas *canvas, const struct view *view,
                          const struct picture *picture, const struct picture_wall *wall) {
    if (fabs(wall->normal.z) > 0.5) {
        struct point center = on_page(view, wall->point);
        double radius = view->scale * wall->radius, depth = wall_depth(view, picture);
        if (wall->shape == TALUS_CYLINDER_INSIDE)
            canvas_ring(canvas, center, radius + 0.5 * depth, depth, wall_body);
        else
            canvas_disc(canvas, center, radius, wall_body, 1.0);
        canvas_ring(canvas, center, radius, 1.8, wall_line);
        return;
    }
    vec3 half = vec3_scale(0.5 * wall->length, wall->normal);
    vec3 out = vec3_make(-wall->normal.y * wall->radius, wall->normal.x * wall->radius, 0.0);
    for (int side = -1; side <= 1; side += 2) {
        vec3 middle = vec3_add_scaled(wall->point, (double)side, out);
        canvas_line(canvas, on_page(view, vec3_sub(middle, half)),
                    on_page(view, vec3_add(middle, half)), 1.8, wall_line);
    }
}

void picture_flat(struct canvas *canvas, const struct picture *picture,
                  const struct picture_frame *frame) {
    struct view view = make_view(picture, frame);
    for (size_t w = 0; w < picture->wall_count; w++)
        if (picture->walls[w].shape == TALUS_PLANE)
            draw_plane_body(canvas, &view, picture, &picture->walls[w]);
    for (size_t w = 0; w < picture->wall_count; w++) {
        const struct picture_wall *wall = &picture->walls[w];
        if (wall->shape == TALUS_PLANE || wall->shape == TALUS_RECTANGLE)
            draw_straight(canvas, &view, wall);
        else if (wall->shape != TALUS_MESH) /* meshes are of space only */
            draw_cylinder(canvas, &view, picture, wall);
    }
    for (size_t i = 0; i < picture->grain_count && !picture->grains_hidden; i++)
        draw_grain(canvas, &view, &picture->grains[i], picture->bar_count > 0);
    for (size_t k = 0; k < picture->crease_count; k++)
        canvas_line(canvas, on_page(&view, picture->creases[k].a),
                    on_page(&view, picture->creases[k].b), membrane_width, membrane_color);
    for (size_t k = 0; k < picture->bar_count; k++)
        draw_bar(canvas, &view, picture, &picture->bars[k]);
}
