# SPDX-License-Identifier: Apache-2.0
# gnuplot figure.gp, in the directory with repose.tsv, heaps.tsv, spheres.tsv, heap.png: writes
# figure.png, figure.svg. Above: angles of repose and three of the heaps. Below: 200 spheres on a
# smooth plane with and without rolling friction.
do for [kind in "png svg"] {
    if (kind eq "png") { set terminal pngcairo size 1600,1100 font "sans,12" } \
    else { set terminal svg size 1600,1100 font "sans,12" background "white" }
    set output "figure.".kind
    set multiplot
    set origin 0,0.5; set size 0.42,0.5
    set xrange [-0.01:0.21]; set yrange [20:42]; set xtics auto; set ytics auto; set border
    set xlabel "coefficient of rolling friction  μ_t/r*"; set ylabel "angle of repose  [deg]"
    set title "Discs poured on rough ground"
    set key bottom right
    plot for [i=0:2] "repose.tsv" index i using 2:3:4 with yerrorlines pt 7 ps 1.1 lw 1.5 lc i+1 \
        title sprintf("μ = %g", 0.2*2**i)
    set origin 0.42,0.5; set size 0.58,0.5
    set xrange [-30:30]; set yrange [-2:40]
    set xlabel "x / d"; set ylabel "y / d"
    set title "μ = 0.4, rolling friction 0, 0.05, 0.2 from below"
    unset key
    set size ratio -1
    set style fill solid 0.5 border lc rgb "black"
    plot for [i=0:2] "heaps.tsv" index 3+i using 1:($2 + 13*i):3 with circles lc i+1, \
         for [i=0:2] 13*i with lines lc rgb "black"
    set origin 0,0; set size noratio; set size 0.55,0.5
    set logscale x
    set xrange [0.1:200]; set yrange [0:4]
    set xlabel "distance from the middle  / d"; set ylabel "height  / d"
    set title "200 spheres poured on a smooth plane, μ = 0.5"
    set key top right
    plot "spheres.tsv" index 0 using ($1/9e-3):($2/9e-3) with points pt 7 lc rgb "#2166ac" \
            title "rolling friction 0.2", \
         "" index 1 using ($1/9e-3):($2/9e-3) with points pt 6 lc rgb "#b2182b" title "none"
    unset logscale
    unset border; unset xtics; unset ytics; unset xlabel; unset ylabel
    set xrange [*:*]; set yrange [*:*]
    set origin 0.55,0; set size 0.45,0.5; set size ratio -1
    set title "the heap with rolling friction 0.2"
    plot "heap.png" binary filetype=png with rgbimage
    set size noratio
    unset multiplot
    unset output
}
