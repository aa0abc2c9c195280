# SPDX-License-Identifier: Apache-2.0
# gnuplot figure.gp, in the directory with curves.tsv and laws.gp: writes figure.png, figure.svg.
# Left: sweeps of one step from no forces. Right: its time, beside the papers' laws. Lines are fits.
load "laws.gp"
do for [kind in "png svg"] {
    if (kind eq "png") { set terminal pngcairo size 1500,640 font "sans,12" } \
    else { set terminal svg size 1500,640 font "sans,12" background "white" }
    set output "figure.".kind
    set multiplot layout 1,2
    set logscale xy
    set format x "10^{%L}"; set format y "10^{%L}"
    set samples 400
    set xrange [100:40000]; set yrange [10:1e6]
    set key top left Left reverse samplen 2 spacing 1.25
    set xlabel "grains n"; set ylabel "sweeps"
    set title "One step from no forces, until no level is wrong by more than 1 % of the weight"
    plot sweeps_nsgs_2d(x) lw 1.5 lc rgb "#b2182b" notitle, \
         sweeps_nsgs_3d(x) lw 1.5 lc rgb "#e08214" notitle, \
         sweeps_nnsgs_2d(x) lw 1.5 lc rgb "#2166ac" notitle, \
         sweeps_nnsgs_3d(x) lw 1.5 lc rgb "#35978f" notitle, \
         "curves.tsv" index 0 using 1:2 with points pt 7 ps 1.3 lc rgb "#b2182b" \
             title "2D, nsgs: ".sweeps_nsgs_2d_is.",  diffusion n", \
         "" index 2 using 1:2 with points pt 5 ps 1.3 lc rgb "#e08214" \
             title "3D, nsgs: ".sweeps_nsgs_3d_is.",  diffusion n^{2/3}", \
         "" index 1 using 1:2 with points pt 6 ps 1.3 lw 1.5 lc rgb "#2166ac" \
             title "2D, nnsgs: ".sweeps_nnsgs_2d_is.",  waves n^{1/2}", \
         "" index 3 using 1:2 with points pt 4 ps 1.3 lw 1.5 lc rgb "#35978f" \
             title "3D, nnsgs: ".sweeps_nnsgs_3d_is.",  waves n^{1/3}"
    set yrange [1e-4:1e4]
    set ylabel "seconds, one core"
    set title "Its time; dashed: slopes of [Unger2003, eqs. 47-50]"
    a = 3.0*seconds_nsgs_2d(1000)/1000.**2; b = 0.25*seconds_nsgs_3d(1000)/1000.**(5./3)
    plot seconds_nsgs_2d(x) lw 1.5 lc rgb "#b2182b" notitle, \
         seconds_nsgs_3d(x) lw 1.5 lc rgb "#e08214" notitle, \
         seconds_nnsgs_2d(x) lw 1.5 lc rgb "#2166ac" notitle, \
         seconds_nnsgs_3d(x) lw 1.5 lc rgb "#35978f" notitle, \
         "curves.tsv" index 0 using 1:3 with points pt 7 ps 1.3 lc rgb "#b2182b" \
             title "2D, nsgs: ".seconds_nsgs_2d_is, \
         "" index 2 using 1:3 with points pt 5 ps 1.3 lc rgb "#e08214" \
             title "3D, nsgs: ".seconds_nsgs_3d_is, \
         "" index 1 using 1:3 with points pt 6 ps 1.3 lw 1.5 lc rgb "#2166ac" \
             title "2D, nnsgs: ".seconds_nnsgs_2d_is, \
         "" index 3 using 1:3 with points pt 4 ps 1.3 lw 1.5 lc rgb "#35978f" \
             title "3D, nnsgs: ".seconds_nnsgs_3d_is, \
         a*x**2 dt 2 lc rgb "#b2182b" title "slope n^2, 2D", \
         b*x**(5./3) dt 2 lc rgb "#e08214" title "slope n^{5/3}, 3D"
    unset multiplot
    unset output
}
