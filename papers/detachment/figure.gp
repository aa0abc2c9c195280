# SPDX-License-Identifier: Apache-2.0
# gnuplot figure.gp, in the directory with energy.tsv: writes figure.png, figure.svg.
# Energy left after a row of N grains hit a wall, against their distance; dashed: collisions of two, one by one.
colors = "#555555 #2166ac #1b7837 #b2182b"
names = "1 2 5 10"
do for [kind in "png svg"] {
    if (kind eq "png") { set terminal pngcairo size 900,620 font "sans,13" } \
    else { set terminal svg size 900,620 font "sans,13" background "white" }
    set output "figure.".kind
    set logscale x
    set format x "10^{%T}"
    set xrange [0.0008:120]; set yrange [0:1.02]
    set xlabel "distance of the grains  s_0/(v τ)  [1]"
    set ylabel "energy left  E_{final}/E_0  [1]"
    set title "N soft grains hit a wall: close together they lose no more than one alone"
    set key bottom left reverse Left spacing 1.2
    set arrow 1 from 1, 0 to 1, 1.02 nohead dt 3 lc rgb "#999999"
    set label 1 "s_0 = v τ" at 1.15, 0.97 tc rgb "#777777"
    plot for [i=0:3] "energy.tsv" index i using 1:2 with linespoints pt 7 ps 0.8 lw 1.5 lc rgb word(colors, i+1) \
            title "N = ".word(names, i+1), \
         for [i=0:3] "" index i using ($1 > 0.2 ? $1 : NaN):3 with lines dt 2 lw 1.2 lc rgb word(colors, i+1) \
            title (i == 3 ? "dashed: collisions of two, one by one" : "")
    unset output
}
