# SPDX-License-Identifier: Apache-2.0
# gnuplot figure.gp, in the directory with acceleration.tsv, rolling.tsv, torsion.tsv: writes
# figure.png, figure.svg. Left: down an incline. Middle: rolling to a stop. Right: spinning to a stop.
a(theta, c, beta) = (t = theta*pi/180, s = sin(t) - c*cos(t), s > 0 ? 9.81*s/(1 + beta) : 0)
line(t, start, slope) = (t < start/slope ? start - slope*t : 0)
do for [kind in "png svg"] {
    if (kind eq "png") { set terminal pngcairo size 1700,520 font "sans,12" } \
    else { set terminal svg size 1700,520 font "sans,12" background "white" }
    set output "figure.".kind
    set multiplot layout 1,3
    set samples 800
    set xrange [0:40]; set yrange [0:6]
    set xlabel "angle of the incline  [deg]"; set ylabel "acceleration  [m/s^2]"
    set title "Down an incline: at rest up to tan θ = μ_t/r"
    set key top left reverse Left
    plot "acceleration.tsv" index 0 using 1:2 with points pt 7 ps 0.9 lc rgb "#2166ac" title "sphere, μ_t/r = 0.1", \
         "" index 0 using 1:4 with points pt 6 ps 0.9 lc rgb "#2166ac" title "disc", \
         "" index 1 using 1:2 with points pt 7 ps 0.9 lc rgb "#b2182b" title "sphere, μ_t/r = 0.3", \
         "" index 1 using 1:4 with points pt 6 ps 0.9 lc rgb "#b2182b" title "disc", \
         a(x, 0.1, 0.4) with lines lc rgb "#2166ac" title "g (sin θ − (μ_t/r) cos θ)/(1 + β)", \
         a(x, 0.1, 0.5) with lines lc rgb "#2166ac" notitle, \
         a(x, 0.3, 0.4) with lines lc rgb "#b2182b" notitle, \
         a(x, 0.3, 0.5) with lines lc rgb "#b2182b" notitle
    set xrange [0:6]; set yrange [-0.02:1.05]
    set xlabel "t  [s]"; set ylabel "speed  [m/s]"
    set title "A rolling sphere stops, and stays"
    set key top right noreverse Right
    plot for [i=0:2] "rolling.tsv" index i using 1:2 every 2 with points pt 7 ps 0.7 lc i+1 \
            title sprintf("μ_t/r = %g", 0.025*2**i), \
         for [i=0:2] line(x, 1, 0.025*2**i*9.81/1.4) with lines lc i+1 \
            title (i == 0 ? "v − (μ_t/r) g t/(1 + β)" : "")
    set ylabel "spin about the vertical  [rad/s]"
    set title "Torsion friction stops a spinning sphere, μ_n/r = 0.01"
    plot "torsion.tsv" using 1:3 every 2 with points pt 7 ps 0.7 lc rgb "#2166ac" title "sphere", \
         line(x, 1, 0.01*9.81/0.4) with lines lc rgb "#b2182b" title "ω − μ_n g t/(β r^2)"
    unset multiplot
    unset output
}
