# SPDX-License-Identifier: Apache-2.0
# gnuplot figure.gp, in the directory with curves.tsv, deposit.png, compacted.png: writes figure.png,
# figure.svg. Above: porosity against pressure, by kind of friction and by cohesion force. Below: a
# sample before and after.
f(x) = a*x**b
a = 0.55; b = -0.1
set fit quiet logfile "/dev/null"
fit [0.039:1.1] f(x) "curves.tsv" index 3 using 1:2 via a, b
do for [kind in "png svg"] {
    if (kind eq "png") { set terminal pngcairo size 1600,1150 font "sans,12" } \
    else { set terminal svg size 1600,1150 font "sans,12" background "white" }
    set output "figure.".kind
    set multiplot
    set border; set xtics auto; set ytics auto; set logscale x
    set origin 0,0.48; set size 0.5,0.52
    set xrange [0.0025:1.1]; set yrange [0.45:0.9]; set format x "%g"
    set xlabel "p d^2 / F_C"; set ylabel "porosity"
    set title "Rolling and torsion friction keep pores open"
    set key top right
    plot "curves.tsv" index 3 using 1:2:3 with yerrorlines pt 7 lc rgb "#2166ac" title "both, 0.1 r*", \
         "" index 1 using 1:2:3 with yerrorlines pt 9 lc rgb "#1b7837" title "rolling friction", \
         "" index 2 using 1:2:3 with yerrorlines pt 5 lc rgb "#e08214" title "torsion friction", \
         "" index 0 using 1:2:3 with yerrorlines pt 6 lc rgb "#b2182b" title "neither"
    set origin 0.5,0.48; set size 0.5,0.52
    set logscale y
    set xrange [0.00125:2.2]; set yrange [0.45:0.9]; set ytics (0.5, 0.6, 0.7, 0.8, 0.9)
    set title "Cohesion matters by F_C/(p d^2) only"
    plot "curves.tsv" index 5 using 1:2:3 with yerrorlines pt 9 lc rgb "#1b7837" title "F_C = 2", \
         "" index 3 using 1:2:3 with yerrorlines pt 7 lc rgb "#2166ac" title "F_C = 1", \
         "" index 4 using 1:2:3 with yerrorlines pt 5 lc rgb "#e08214" title "F_C = 1/2", \
         (x > 0.03 ? f(x) : 1/0) with lines lw 2 dt 2 lc rgb "black" title sprintf("p^{%.3f}", b)
    unset logscale
    unset border; unset xtics; unset ytics; unset xlabel; unset ylabel; unset key
    set xrange [*:*]; set yrange [*:*]
    set origin 0.05,0; set size 0.43,0.48
    set size ratio -1
    set title "deposit"
    plot "deposit.png" binary filetype=png with rgbimage
    set origin 0.53,0; set size 0.43,0.48
    set title "compacted"
    plot "compacted.png" binary filetype=png with rgbimage
    set size noratio
    unset multiplot
    unset output
}
