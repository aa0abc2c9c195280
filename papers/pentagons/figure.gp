# SPDX-License-Identifier: Apache-2.0
# gnuplot figure.gp, in the directory with friction.tsv, fit.tsv, profile.tsv, slopes.tsv, layer.png:
# writes figure.png, figure.svg. Above: friction against inertial number with the fits, solid
# fraction. Below: profiles of the speed, and the layer. A quick run has no fits and no slopes.
fitted = int(system("grep -c '^[0-9]' fit.tsv")) > 1
mu(i, x) = m[i] + c[i]*x**a[i]
name(i) = sprintf("%.3f + %.2f I^{%.2f}", m[i], c[i], a[i])
if (fitted) {
    array m[4]; array c[4]; array a[4] # discs: exponent of spheres, free; pentagons the same
    do for [i=0:3] {
        stats "fit.tsv" index i/2 every ::(i%2)::(i%2) using (m[i+1] = $1, c[i+1] = $3, a[i+1] = $4) nooutput
    }
}
do for [kind in "png svg"] {
    if (kind eq "png") { set terminal pngcairo size 1500,1100 font "sans,12" } \
    else { set terminal svg size 1500,1100 font "sans,12" background "white" }
    set output "figure.".kind
    set multiplot
    set origin 0,0.5; set size 0.5,0.5
    set logscale x; set format x "10^{%L}"
    set xrange [3e-4:0.3]; set yrange [0.05:0.5]
    set xlabel "I = {/Symbol g}' d (ρ/P)^{1/2}"; set ylabel "μ = shear stress / normal stress"
    set title "Frictionless grains down a slope"
    set key top left
    set object 1 rectangle from 3e-4,0.175 to 0.3,0.191 fc rgb "#fddbc7" fs solid noborder behind
    if (fitted) {
        plot "friction.tsv" index 0 using 1:3:4 with yerrorbars pt 7 ps 1.2 lc rgb "#2166ac" title "discs", \
             "" index 1 using 1:3:4 with yerrorbars pt 6 ps 1.2 lc rgb "#2166ac" title "discs, taller layer", \
             mu(1, x) lc rgb "#2166ac" title name(1), mu(2, x) dt 2 lc rgb "#2166ac" title name(2), \
             "friction.tsv" index 2 using 1:3:4 with yerrorbars pt 5 ps 1.2 lc rgb "#b2182b" title "pentagons", \
             "" index 3 using 1:3:4 with yerrorbars pt 4 ps 1.2 lc rgb "#b2182b" title "pentagons, taller layer", \
             mu(3, x) lc rgb "#b2182b" title name(3), mu(4, x) dt 2 lc rgb "#b2182b" title name(4), \
             "slopes.tsv" index 0 using ($3 > 3e-4 ? $3 : 1/0):1 with points pt 2 lc rgb "#4d4d4d" title "given slopes", \
             NaN with filledcurves fc rgb "#fddbc7" title "0.183 ± 0.008 (pentagons, I → 0)"
    } else {
        plot "friction.tsv" index 0 using 1:3:4 with yerrorbars pt 7 ps 1.2 lc rgb "#2166ac" title "discs", \
             "" index 1 using 1:3:4 with yerrorbars pt 5 ps 1.2 lc rgb "#b2182b" title "pentagons"
    }
    unset object 1
    set origin 0.5,0.5; set size 0.5,0.5
    set yrange [0.76:0.88]
    set ylabel "solid fraction of the bulk"
    set title "No dilatancy: slow flow is as dense as rest (lines)"
    set key bottom left
    pentagons = fitted ? 2 : 1
    plot "friction.tsv" index 0 using 1:5 with points pt 7 ps 1.2 lc rgb "#2166ac" title "discs", \
         "" index 0 using 1:6 with lines dt 2 lc rgb "#2166ac" notitle, \
         "" index pentagons using 1:5 with points pt 5 ps 1.2 lc rgb "#b2182b" title "pentagons", \
         "" index pentagons using 1:6 with lines dt 2 lc rgb "#b2182b" notitle
    unset logscale x; set format x "%g"
    set origin 0,0; set size 0.5,0.5
    set xrange [*:*]; set yrange [0:*]
    set xlabel "v_x / v_x at the surface"; set ylabel "y / d"
    set title "Profiles of the flow"
    set key bottom right
    last = fitted ? 3 : 1
    array top[last + 1]
    do for [i=0:last] {
        stats "profile.tsv" index i using 2 nooutput
        top[i + 1] = STATS_max
    }
    plot for [i=0:last] "profile.tsv" index i using ($2/top[i + 1]):1 with linespoints pt 7 ps 0.5 lc i+1 \
        title sprintf("surface speed %.2g (gd)^{1/2}", top[i + 1])
    unset border; unset xtics; unset ytics; unset xlabel; unset ylabel; unset key
    set xrange [*:*]; set yrange [*:*]
    set origin 0.5,0; set size 0.5,0.5; set size ratio -1
    set title "The pentagons; bright: fast"
    plot "layer.png" binary filetype=png with rgbimage
    set size noratio; set border; set xtics; set ytics
    unset multiplot
    unset output
}
