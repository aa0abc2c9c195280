# SPDX-License-Identifier: Apache-2.0
# gnuplot figure.gp, in the directory with braking.tsv: writes figure.png, figure.svg.
# Change of the velocity along itself in an oblique collision; lines: theory of slow and of fast collisions.
do for [kind in "png svg"] {
    if (kind eq "png") { set terminal pngcairo size 900,640 font "sans,13" } \
    else { set terminal svg size 900,640 font "sans,13" background "white" }
    set output "figure.".kind
    set logscale xy
    set format x "10^{%T}"; set format y "10^{%T}"
    set xrange [0.008:130]; set yrange [5e-7:3]
    set xlabel "relative velocity  V/V_c  [1]"
    set ylabel "braking  ΔV_z/V_c  [1]"
    set title "Two soft spheres at 45°: faster than V_c = 4 R cos ψ/τ they do not brake each other"
    set key bottom left reverse Left spacing 1.2
    set arrow 1 from 1, 5e-7 to 1, 3 nohead dt 3 lc rgb "#999999"
    set label 1 "V_c" at 1.12, 1.5e-6 tc rgb "#777777"
    plot "braking.tsv" index 0 using 1:2 with points pt 7 ps 0.8 lc rgb "#2166ac" title "elastic, no friction", \
         "" index 1 using 1:2 with points pt 5 ps 0.8 lc rgb "#b2182b" title "friction μ = 0.5", \
         "" index 0 using ($1 < 1.2 ? $1 : NaN):3 with lines lw 1.5 lc rgb "#2166ac" title "reflection: slope 1", \
         "" index 1 using ($1 < 1.2 ? $1 : NaN):3 with lines lw 1.5 lc rgb "#b2182b" notitle, \
         "" index 0 using ($1 > 0.9 ? $1 : NaN):4 with lines dt 2 lw 1.5 lc rgb "#2166ac" title "passage: slope −3", \
         "" index 1 using ($1 > 0.9 ? $1 : NaN):4 with lines dt 2 lw 1.5 lc rgb "#b2182b" title "passage with friction: slope −1"
    unset output
}
