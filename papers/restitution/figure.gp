# SPDX-License-Identifier: Apache-2.0
# gnuplot figure.gp, in the directory with restitution.tsv, duration.tsv: writes figure.png, figure.svg.
# Left: e(V). Middle: 1 - e, whose slope is 1/5 for viscoelastic spheres. Right: t_c(V). Units: reduced mass and
# stiffness 1.
blue = "#2166ac"; red = "#b2182b"; green = "#1b7837"; grey = "#555555"
do for [kind in "png svg"] {
    if (kind eq "png") { set terminal pngcairo size 1750,560 font "sans,12" } \
    else { set terminal svg size 1750,560 font "sans,12" background "white" }
    set output "figure.".kind
    set multiplot layout 1,3
    set logscale x; unset logscale y
    set format x "10^{%T}"; set format y "%g"
    set xrange [5e-7:2]; set yrange [0.55:1.0]
    set xlabel "velocity  V  [m/s], with k = 1 N/m^{α}, m = 1 kg"; set ylabel "restitution  e  [1]"
    set title "Linear: the same e at every velocity; Hertz: it falls"
    set key bottom left reverse Left spacing 1.15
    plot "restitution.tsv" index 0 using 1:2 with linespoints pt 7 ps 0.8 lc rgb blue title "linear, γ = 0.2, pushes only", \
         "" index 1 using 1:2 with linespoints pt 6 ps 0.8 lc rgb blue title "the same with attraction", \
         "" index 2 using 1:2 with points pt 5 ps 0.8 lc rgb green title "viscoelastic, γ = 0.075", \
         "" index 3 using 1:2 with points pt 7 ps 0.8 lc rgb red title "viscoelastic, γ = 0.3, pushes only", \
         "" index 4 using 1:2 with points pt 6 ps 0.8 lc rgb red title "the same with attraction", \
         "" index 2 using 1:4 with lines dt 2 lc rgb green title "series in γ V^{1/5}", \
         "" index 3 using 1:4 with lines dt 2 lc rgb red notitle
    set logscale xy
    set format y "10^{%T}"
    set yrange [3e-3:0.6]
    set ylabel "1 − e  [1]"
    set title "Viscoelastic spheres: 1 − e ∝ V^{1/5}"
    set key top left
    plot "restitution.tsv" index 2 using 1:3 with points pt 5 ps 0.8 lc rgb green title "γ = 0.075", \
         "" index 3 using 1:3 with points pt 7 ps 0.8 lc rgb red title "γ = 0.3", \
         "" index 2 using 1:(1 - $4) with lines dt 2 lc rgb green title "series", \
         "" index 3 using 1:(1 - $4) with lines dt 2 lc rgb red notitle, \
         0.0475*x**0.2 with lines lc rgb grey title "slope 1/5"
    set xrange [5e-5:2]; set yrange [2:90]
    set format y "%g"
    set ytics (2, 3, 5, 10, 20, 30, 50)
    set ylabel "duration  t_c  [s]"
    set title "Without damping: t_c ∝ V^{−(α − 1)/(α + 1)}"
    set key top right noreverse Right
    names = "1 1.25 1.5 2"; colors = blue." ".green." ".red." ".grey
    plot for [i=0:3] "duration.tsv" index i using 1:2 with points pt 7 ps 0.8 lc rgb word(colors, i+1) \
            title "α = ".word(names, i+1), \
         for [i=0:3] "" index i using 1:3 with lines lc rgb word(colors, i+1) title (i == 0 ? "theory" : "")
    set ytics autofreq
    unset multiplot
    unset output
}
