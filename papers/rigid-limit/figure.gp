# SPDX-License-Identifier: Apache-2.0
# gnuplot figure.gp, in the directory with curves.tsv and laws.gp: writes figure.png, figure.svg.
# Left: sweeps of one step from no forces. Right: its time, beside the papers' laws.
load "laws.gp"
do for [kind in "png svg"] {
    if (kind eq "png") { set terminal pngcairo size 1500,620 font "sans,12" } \
    else { set terminal svg size 1500,620 font "sans,12" background "white" }
    set output "figure.".kind
    set multiplot layout 1,2
    set logscale xy
    set format x "10^{%L}"; set format y "10^{%L}"
    set xrange [100:50000]; set autoscale y
    set key top left Left reverse samplen 2
    set xlabel "grains n"; set ylabel "sweeps until no level is wrong by more than 1 %"
    set title "Sweeps: diffusion (L/d)^2, waves L/d"
    plot "curves.tsv" index 0 using 1:2 with points pt 7 ps 1.2 lc rgb "#b2182b" title "2D, nsgs: ".sweeps_nsgs_2_is, \
         sweeps_nsgs_2(x) lc rgb "#b2182b" notitle, \
         "" index 2 using 1:2 with points pt 5 ps 1.2 lc rgb "#ef8a62" title "3D, nsgs: ".sweeps_nsgs_3_is, \
         sweeps_nsgs_3(x) lc rgb "#ef8a62" notitle, \
         "" index 1 using 1:2 with points pt 7 ps 1.2 lc rgb "#2166ac" title "2D, nnsgs: ".sweeps_nnsgs_2_is, \
         sweeps_nnsgs_2(x) lc rgb "#2166ac" notitle, \
         "" index 3 using 1:2 with points pt 5 ps 1.2 lc rgb "#67a9cf" title "3D, nnsgs: ".sweeps_nnsgs_3_is, \
         sweeps_nnsgs_3(x) lc rgb "#67a9cf" notitle
    set ylabel "seconds of the step"
    set title "Time"
    a = 1.6*seconds_nsgs_2(1000)/1000.**2; b = 0.6*seconds_nsgs_3(1000)/1000.**(5./3)
    plot "curves.tsv" index 0 using 1:3 with points pt 7 ps 1.2 lc rgb "#b2182b" title "2D, nsgs: ".seconds_nsgs_2_is, \
         a*x**2 dt 2 lc rgb "#b2182b" title "n^2 [Unger2003]", \
         "" index 2 using 1:3 with points pt 5 ps 1.2 lc rgb "#ef8a62" title "3D, nsgs: ".seconds_nsgs_3_is, \
         b*x**(5./3) dt 2 lc rgb "#ef8a62" title "n^{5/3} [Unger2003]", \
         "" index 1 using 1:3 with points pt 7 ps 1.2 lc rgb "#2166ac" title "2D, nnsgs: ".seconds_nnsgs_2_is, \
         seconds_nnsgs_2(x) lc rgb "#2166ac" notitle, \
         "" index 3 using 1:3 with points pt 5 ps 1.2 lc rgb "#67a9cf" title "3D, nnsgs: ".seconds_nnsgs_3_is, \
         seconds_nnsgs_3(x) lc rgb "#67a9cf" notitle
    unset multiplot
    unset output
}
