# SPDX-License-Identifier: Apache-2.0
# gnuplot figure.gp, in the directory with thickness.tsv, fall.tsv, friction.tsv: writes figure.png,
# figure.svg. Left: the thinnest arch of n stones. Middle: one 5 % thinner falls. Right: friction.
do for [kind in "png svg"] {
    if (kind eq "png") { set terminal pngcairo size 1700,560 font "sans,12" } \
    else { set terminal svg size 1700,560 font "sans,12" background "white" }
    set output "figure.".kind
    set multiplot layout 1,3
    set xrange [0:45]; set yrange [0.093:0.109]
    set xlabel "stones  n"; set ylabel "t / R"
    set title "The thinnest semicircular arch that stands"
    set key bottom right
    plot "thickness.tsv" using 1:3 with points pt 6 ps 1.9 lw 1.5 lc rgb "#2166ac" title "limit analysis", \
         "" using 1:2 with points pt 7 ps 0.8 lc rgb "#b2182b" title "simulated, bisected", \
         0.10746 with lines dt 2 lc rgb "black" title "Milankovitch, n → ∞"
    set xrange [-1.25:1.25]; set yrange [-0.1:2.9]
    set size ratio -1
    set xlabel "x / R"; set ylabel "y / R"
    set title "5 % too thin: 11 stones (above), 10 stones, after 0.5 s"
    unset key
    plot "fall.tsv" index 0 using 1:2 with filledcurves closed fc rgb "#d9c8a9" notitle, \
         "" index 0 using 1:2 with lines lw 1.2 lc rgb "black", \
         "" index 1 using 1:($2 + 1.4) with filledcurves closed fc rgb "#d9c8a9" notitle, \
         "" index 1 using 1:($2 + 1.4) with lines lw 1.2 lc rgb "black", \
         0 with lines lc rgb "black", 1.4 with lines lc rgb "black"
    set size noratio
    set xrange [0.1:0.22]; set yrange [0.29:0.4]
    set xlabel "t / R"; set ylabel "μ"
    set title "The least friction with which an arch stands"
    set key top right
    plot "friction.tsv" using 2:4 with points pt 6 ps 1.9 lw 1.5 lc rgb "#2166ac" title "linear programme", \
         "" using 2:($1 == 11 ? $3 : NaN) with points pt 7 ps 0.8 lc rgb "#b2182b" title "simulated, 11 stones", \
         "" using 2:($1 == 21 ? $3 : NaN) with points pt 5 ps 0.8 lc rgb "#4d9221" title "21 stones"
    unset multiplot
    unset output
}
