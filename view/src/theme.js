// SPDX-License-Identifier: Apache-2.0
// Colours of the scene for light and dark screens; those of the panels are in page.css.
import { Color } from "three";

const rgb = (hex) => new Color().setRGB(...[1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255));
const themes = {
    light: { back: "#ffffff", ink: "#1d2733", paper: "#f1f3f5", wall: "#5d6f82", membrane: "#8a5a9e", cell: "#8b97a3",
        strong: "#b3202c", weak: "#6f9fc4", pull: "#2f8f4e", accent: "#e0115f" },
    dark: { back: "#12161b", ink: "#05070a", paper: "#2a323b", wall: "#93a7ba", membrane: "#c79bd9", cell: "#6f7d8b",
        strong: "#ff7a5c", weak: "#4a7ba6", pull: "#5fd08a", accent: "#ff5c9a" },
};

const query = window.matchMedia("(prefers-color-scheme: dark)");
/** The same Color objects for the whole life of the page: uniforms hold on to them. */
export const theme = Object.fromEntries(Object.keys(themes.light).map((key) => [key, new Color()]));
const apply = () => { for (const [key, hex] of Object.entries(themes[query.matches ? "dark" : "light"])) theme[key].copy(rgb(hex)); };
apply();
export const onTheme = (call) => query.addEventListener("change", () => { apply(); call(); });
