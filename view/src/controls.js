// SPDX-License-Identifier: Apache-2.0
// Panels, keys, clicks into the scene.

const $ = (id) => document.getElementById(id);
const STILL = 4; // pixels: a press that moves less is a click

export function connectControls(app) {
    $("scalar").addEventListener("change", () => app.setScalar($("scalar").value));
    $("map").addEventListener("change", () => { app.map = $("map").value; app.applyColors(); });
    $("range").addEventListener("change", (event) => setRange(app, event.target.type === "number"));
    for (const id of ["mode", "walls", "marks"]) $(id).addEventListener("change", () => app.applyShow());
    $("widen").addEventListener("input", () => app.applyShow());
    for (const id of ["cut", "cut-axis", "cut-flip"]) $(id).addEventListener("change", () => app.applyCut());
    $("cut-at").addEventListener("input", () => { $("cut").checked = true; app.applyCut(); });
    $("column").addEventListener("change", () => app.applyColumn());
    for (const button of document.querySelectorAll("[data-view]")) button.addEventListener("click", () => app.view?.view(button.dataset.view));
    $("help-open").addEventListener("click", () => $("help").showModal());
    document.addEventListener("keydown", (event) => key(app, event));
    connectClicks(app);
    // On a small screen panels begin folded: the scene comes first.
    if (window.matchMedia("(max-width: 900px)").matches)
        for (const panel of document.querySelectorAll("details[data-fold]")) panel.open = false;
}

function setRange(app, typed) {
    if (typed) document.querySelector("input[name=range][value=hand]").checked = true;
    app.rangeMode = document.querySelector("input[name=range]:checked").value;
    if (app.rangeMode === "hand") app.hand = ["low", "high"].map((id) => (Number.isFinite($(id).valueAsNumber) ? $(id).valueAsNumber : null));
    if (app.rangeMode === "hand" && app.hand.every((end) => end === null)) { // nothing is said: automatic
        app.rangeMode = "frame";
        document.querySelector("input[name=range][value=frame]").checked = true;
    }
    $("range-note").textContent = "";
    app.applyColors();
    if (app.rangeMode === "run") app.readRanges();
}

function connectClicks(app) {
    const canvas = $("canvas");
    let down = null;
    canvas.addEventListener("pointerdown", (event) => { down = event.isPrimary && event.button === 0 ? [event.offsetX, event.offsetY] : null; });
    canvas.addEventListener("pointermove", (event) => {
        if (down && Math.hypot(event.offsetX - down[0], event.offsetY - down[1]) > STILL) { down = null; moved(app); }
    });
    canvas.addEventListener("wheel", () => moved(app), { passive: true });
    canvas.addEventListener("pointerup", (event) => {
        if (down && app.view) app.selectPlace(app.view.pick(event.offsetX, event.offsetY));
        down = null;
    });
}

/** A view that the user chose is left alone when the window changes its size. */
function moved(app) { if (app.view) app.view.stage.fitted = false; }

function check(id, app, apply) {
    $(id).checked = !$(id).checked;
    apply.call(app);
}
function setMode(app, mode) {
    document.querySelector(`input[name=mode][value=${mode}]`).checked = true;
    app.applyShow();
}
function moveCut(app, by) {
    $("cut").checked = true;
    $("cut-at").value = $("cut-at").valueAsNumber + by;
    app.applyCut();
}

const NEXT = { grains: "both", both: "forces", forces: "grains" };
const KEYS = {
    " ": (app) => app.player.toggle(),
    ArrowLeft: (app, event) => { app.player.pause(); app.player.go(app.wanted - (event.shiftKey ? 10 : 1)); },
    ArrowRight: (app, event) => { app.player.pause(); app.player.go(app.wanted + (event.shiftKey ? 10 : 1)); },
    Home: (app) => { app.player.pause(); app.player.go(0); },
    End: (app) => { app.player.pause(); app.player.go(Infinity); },
    1: (app) => app.view.view(app.flat ? "default" : "front"),
    2: (app) => app.view.view(app.flat ? "default" : "side"),
    3: (app) => app.view.view(app.flat ? "default" : "top"),
    r: (app) => app.view.view("default"),
    f: (app) => setMode(app, NEXT[app.view.show.mode]),
    g: (app) => setMode(app, app.view.show.mode === "forces" ? app.withGrains : "forces"),
    w: (app) => check("walls", app, app.applyShow),
    m: (app) => check("marks", app, app.applyShow),
    c: (app) => { if (!app.flat) check("cut", app, app.applyCut); },
    "[": (app) => { if (!app.flat) moveCut(app, -0.02); },
    "]": (app) => { if (!app.flat) moveCut(app, 0.02); },
    Escape: (app) => app.selectPlace(-1),
};

function key(app, event) {
    if (event.ctrlKey || event.altKey || event.metaKey || $("help").open) return;
    if (event.key === "?") { event.preventDefault(); return $("help").showModal(); }
    const target = event.target instanceof Element ? event.target : document.body;
    // Fields keep the keys they need: all of them where one types, those that move or press elsewhere.
    if (target.matches("input[type=number]")) return;
    if (target.matches("select, input, button, summary") && (event.key === " " || (event.key.startsWith("Arrow") && target.id !== "time"))) return;
    const action = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || !app.view) return;
    event.preventDefault();
    action(app, event);
}
