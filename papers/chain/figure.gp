# SPDX-License-Identifier: Apache-2.0
# gnuplot figure.gp, in the directory with series.tsv and scaling.tsv: writes figure.png, figure.svg.
# Left: the last disc of the chain. Middle: its last oscillations and the fitted damped sine. Right:
# omega and tau against N_I.
do for [kind in "png svg"] {
    if (kind eq "png") { set terminal pngcairo size 1700,520 font "sans,12" } \
    else { set terminal svg size 1700,520 font "sans,12" background "white" }
    set output "figure.".kind
    set multiplot layout 1,3
    unset logscale
    set xrange [0:460]; set yrange [49.1:50.6]; set xtics auto; set ytics auto
    set xlabel "t / dt"; set ylabel "x_{50} / d"
    set title "Fifty rigid discs pressed against a wall, N_I = 40"
    set key top right
    plot "series.tsv" using 1:2 with points pt 7 ps 0.4 lc rgb "#2166ac" title "last disc"
    set xrange [270:460]; set autoscale y
    set title "When only the longest wave is left"
    plot "series.tsv" using 1:2 with points pt 7 ps 0.5 lc rgb "#2166ac" title "last disc", \
         "" using 1:3 with lines lw 2 lc rgb "#b2182b" title "x_0 + A e^{−t/τ} sin(ωt + φ)"
    set logscale xy
    set xrange [8:100]; set yrange [0.05:500]; set xtics (10, 20, 40, 80)
    set xlabel "sweeps per step N_I"; set ylabel ""
    set title "The law of the waves"
    set key center right
    plot "scaling.tsv" using 1:2 with points pt 7 ps 1.3 lc rgb "#2166ac" title "ω dt", \
         "" using 1:4 with lines lc rgb "#2166ac" title "theory", \
         "" using 1:3 with points pt 5 ps 1.3 lc rgb "#b2182b" title "τ / dt", \
         "" using 1:5 with lines lc rgb "#b2182b" title "theory"
    unset multiplot
    unset output
}
