# SPDX-License-Identifier: Apache-2.0
# gnuplot figure.gp, in the directory with speeds.tsv and time_steps.tsv: writes figure.png, figure.svg.
# Left: speed after against speed before. Right: the speed needed to part them against the time step.
do for [kind in "png svg"] {
    if (kind eq "png") { set terminal pngcairo size 1400,560 font "sans,12" } \
    else { set terminal svg size 1400,560 font "sans,12" background "white" }
    set output "figure.".kind
    set multiplot layout 1,2
    unset logscale
    set samples 1000
    set xrange [0:0.4]; set yrange [-0.01:0.4]; set format x "%g"; set format y "%g"
    set xlabel "speed at which the grains are torn apart  [m/s]"
    set ylabel "speed with which they part  [m/s]"
    set title "m_n = 0.5 kg, F_C = 1 N, d_C = 0.01 m: E_C = 0.01 J"
    set key top left
    plot "speeds.tsv" index 0 using 1:2 with points pt 6 ps 1.4 lc rgb "#2166ac" title "dt = 10^{−2} s", \
         "" index 1 using 1:2 with points pt 2 ps 1.0 lc rgb "#1b7837" title "dt = 10^{−3} s", \
         "" index 2 using 1:2 with points pt 7 ps 0.5 lc rgb "#b2182b" title "dt = 10^{−4} s", \
         (x > 0.2 ? sqrt(x**2 - 0.04) : 0) with lines lc rgb "black" title "(v^2 − 2 E_C/m_n)^{1/2}", \
         "speeds.tsv" index 0 using 1:3 with lines dt 2 lc rgb "#2166ac" title "zero range, dt = 10^{−2} s", \
         "" index 2 using 1:3 with lines dt 3 lc rgb "#b2182b" title "zero range, dt = 10^{−4} s"
    set logscale xy
    set xrange [3e-6:3e-2]; set yrange [1e-5:1]; set format "10^{%L}"
    set xlabel "time step  [s]"; set ylabel "smallest speed that parts them  [m/s]"
    set title "Energy makes it independent of the time step"
    set key center left
    plot "time_steps.tsv" using 1:5 with points pt 7 ps 1.2 lc rgb "#2166ac" title "range d_C", \
         0.2 with lines lc rgb "#2166ac" title "(2 E_C/m_n)^{1/2}", \
         "time_steps.tsv" using 1:6 with points pt 5 ps 1.2 lc rgb "#b2182b" title "zero range", \
         2*x with lines lc rgb "#b2182b" title "F_C dt/m_n"
    unset multiplot
    unset output
}
