# SPDX-License-Identifier: Apache-2.0
# gnuplot figure.gp, in the directory with paths.tsv: writes figure.png, figure.svg.
# The slow run as points, the fast one as lines, on axes scaled by the powers of a = 4.
do for [kind in "png svg"] {
    if (kind eq "png") { set terminal pngcairo size 1400,560 font "sans,12" } \
    else { set terminal svg size 1400,560 font "sans,12" background "white" }
    set output "figure.".kind
    set multiplot layout 1,2
    set key top right
    set xlabel "t √a  [s]"; set ylabel "height of the marked disc  [m]"
    set title "The path is the same"
    plot "paths.tsv" using 1:3 every 6 with points pt 6 ps 0.9 lc rgb "#2166ac" title "a = 1", \
         "" using ($5*2):7 with lines lw 2 lc rgb "#b2182b" title "a = 4: forces ×4, dt/2, velocities ×2"
    set ylabel "force on the floor / a  [N]"
    set title "Forces are a times as large"
    plot "paths.tsv" using 1:(-$4) every 6 with points pt 6 ps 0.9 lc rgb "#2166ac" title "a = 1", \
         "" using ($5*2):(-$8/4) with lines lw 1.5 lc rgb "#b2182b" title "a = 4"
    unset multiplot
    unset output
}
