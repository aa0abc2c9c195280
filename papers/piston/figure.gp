# SPDX-License-Identifier: Apache-2.0
# gnuplot figure.gp, in the directory with rings.tsv and scaling.tsv: writes figure.png, figure.svg.
# Left: the piston after a rise of its force. Right: omega and tau against N_I.
stats "scaling.tsv" using (log($2) - 0.5*log($1)) name "W" nooutput
stats "scaling.tsv" using (log($3) + log($1)) name "T" nooutput
do for [kind in "png svg"] {
    if (kind eq "png") { set terminal pngcairo size 1400,560 font "sans,12" } \
    else { set terminal svg size 1400,560 font "sans,12" background "white" }
    set output "figure.".kind
    set multiplot layout 1,2
    unset logscale
    set xrange [0:6*exp(T_mean)/20]; set autoscale y; set xtics auto
    set xlabel "t / dt after the rise"; set ylabel "height above rest / 10^{−6} r"
    set title "The force on the piston is raised by 1 %, N_I = 20"
    set key top right
    plot "rings.tsv" index 1 using 1:(1e6*$2) with points pt 7 ps 0.5 lc rgb "#2166ac" title "piston", \
         "" index 1 using ($1 > exp(T_mean)/20 ? $1 : NaN):(1e6*$3) with lines lw 2 lc rgb "#b2182b" \
            title "damped sine, fitted from 2.5 τ on"
    set logscale xy
    set xrange [8:100]; set autoscale y; set xtics (10, 20, 40, 80)
    set xlabel "sweeps per step N_I"; set ylabel ""
    set title "ω ∝ N_I^{1/2},  τ ∝ 1/N_I"
    set key center right
    plot "scaling.tsv" using 1:2 with points pt 7 ps 1.3 lc rgb "#2166ac" title "ω dt", \
         exp(W_mean)*sqrt(x) with lines lc rgb "#2166ac" title "slope 1/2", \
         "scaling.tsv" using 1:3 with points pt 5 ps 1.3 lc rgb "#b2182b" title "τ / dt", \
         exp(T_mean)/x with lines lc rgb "#b2182b" title "slope −1"
    unset multiplot
    unset output
}
