/* SPDX-License-Identifier: Apache-2.0
 * Texts of figures: strings of gnuplot, units with prefixes, patterns. */
#include <math.h>
#include <string.h>

#include "plot/figure.h"

/* Between single quotes gnuplot changes nothing; a quote is written twice. */
void gnuplot_text(FILE *to, const char *text) {
    fputc('\'', to);
    for (const char *at = text; *at != '\0'; at++) {
        unsigned char letter = (unsigned char)*at;
        if (letter == '\'')
            fputs("''", to);
        else
            fputc(letter < 0x20 || letter == 0x7f ? '?' : letter, to);
    }
    fputc('\'', to);
}

/* ---- units ----------------------------------------------------------------------------------- */

static void append(char text[FIGURE_TEXT], const char *more) {
    size_t used = strlen(text);
    snprintf(text + used, FIGURE_TEXT - used, "%s", more);
}

static const char *raised(char letter) {
    static const char *const digits[10] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    if (letter == '-') return "⁻";
    return letter >= '0' && letter <= '9' ? digits[letter - '0'] : NULL;
}

/* "m^2" becomes "m²": gnuplot's own raised letters would make other letters of a name special, too. */
static void append_raised(char text[FIGURE_TEXT], const char *unit) {
    for (const char *at = unit; *at != '\0'; at++) {
        if (*at == '^' && raised(at[1]) != NULL) {
            for (at++; raised(*at) != NULL; at++) append(text, raised(*at));
            at--;
        } else {
            append(text, (const char[]){*at, '\0'});
        }
    }
}

/* Does the unit begin with a symbol that takes a prefix, not raised to a power? */
static bool takes_prefix(const char *unit) {
    static const char *const symbols[] = {"m", "s", "N", "J", "Pa", "W", "Hz"};
    for (size_t k = 0; k < sizeof symbols / sizeof symbols[0]; k++) {
        size_t length = strlen(symbols[k]);
        if (strncmp(unit, symbols[k], length) == 0 && strchr(" /", unit[length]) != NULL)
            return true;
    }
    return false;
}

double unit_scale(double largest, const char *unit, char scaled[FIGURE_TEXT]) {
    static const char *const prefixes[] = {"p", "n", "µ", "m", "", "k", "M", "G", "T"};
    int power = 0;
    scaled[0] = '\0';
    if (isfinite(largest) && largest > 0.0 && (largest < 0.1 || largest >= 1e4))
        power = (int)fmax(floor(log10(largest) / 3.0), -102.0); /* 1e309 is no number */
    if (power != 0 && power >= -4 && power <= 4 && takes_prefix(unit)) {
        append(scaled, prefixes[power + 4]);
    } else if (power != 0) {
        char text[32];
        snprintf(text, sizeof text, "10^%d%s", 3 * power, unit[0] != '\0' ? " " : "");
        append_raised(scaled, text);
    }
    append_raised(scaled, unit);
    return pow(10.0, -3.0 * power);
}

void axis_label(char label[FIGURE_TEXT], const char *name, const char *unit) {
    if (unit[0] == '\0')
        snprintf(label, FIGURE_TEXT, "%s", name);
    else if (name[0] == '\0')
        snprintf(label, FIGURE_TEXT, "%s", unit);
    else
        snprintf(label, FIGURE_TEXT, "%s (%s)", name, unit);
}

/* ---- patterns and widths --------------------------------------------------------------------- */

bool pattern_fits(const char *pattern, const char *name) {
    const char *star = NULL, *retry = NULL; /* the last *, and where what it stands for ended */
    while (*name != '\0') {
        if (*pattern == '*') {
            star = pattern++;
            retry = name;
        } else if (*pattern == '?' || *pattern == *name) {
            pattern++;
            name++;
        } else if (star != NULL) {
            pattern = star + 1;
            name = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*') pattern++;
    return *pattern == '\0';
}

double text_width(const char *text, double size) {
    double letters = 0.0;
    for (const char *at = text; *at != '\0'; at++)
        letters += ((unsigned char)*at & 0xc0) != 0x80; /* not the rest of a longer letter */
    return 0.53 * size * letters;
}
