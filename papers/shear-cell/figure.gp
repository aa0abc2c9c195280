# SPDX-License-Identifier: Apache-2.0
# gnuplot figure.gp, in the directory with energy.tsv, cell.png: writes figure.png, figure.svg. E_k(t) for both time
# steps without friction, with the standard and with the improved spring; the summed differences, also of a control with one
# step and grains changed a little; the cell.
blue = "#2166ac"; red = "#b2182b"
array total[4]
do for [i=0:3] { stats "energy.tsv" using (column(2 + 3*i)) nooutput; total[i + 1] = STATS_sum }
do for [kind in "png svg"] {
    if (kind eq "png") { set terminal pngcairo size 1700,1000 font "sans,12" } \
    else { set terminal svg size 1700,1000 font "sans,12" background "white" }
    set output "figure.".kind
    set multiplot
    stats "energy.tsv" using 1 nooutput
    last = STATS_max
    stats "energy.tsv" using 2 nooutput
    top = 1.1*STATS_max*1e6
    array title[3] = ["No friction", "μ = 0.5, spring by velocity times dt", "μ = 0.5, spring by the way gone"]
    set xrange [0:last]; set yrange [0:top]
    set xlabel "t / t_c"; set ylabel "E_k / 10^{-6} J"
    do for [i=0:2] {
        set origin i/3.0,0.5; set size 1/3.0,0.5
        set title title[i + 1]
        set key top right
        plot "energy.tsv" using 1:(1e6*column(2 + 3*i)) with lines lw 2 lc rgb blue title "Δt / t_c = 13/2500", \
             "" using 1:(1e6*column(3 + 3*i)) with lines lw 1 lc rgb red title "13/500"
    }
    set origin 0,0; set size 0.5,0.5
    set yrange [1e-8:1]; set logscale y; set format y "10^{%L}"
    set ylabel "Σ |ΔE_k| / Σ E_k of the whole run"
    set title "Summed difference of the two time steps"
    set key bottom right
    plot "energy.tsv" using 1:($4/total[1]) with lines lw 2 lc rgb "black" title "no friction", \
         "" using 1:($7/total[2]) with lines lw 2 lc rgb red title "μ = 0.5, velocity times dt", \
         "" using 1:($10/total[3]) with lines lw 2 lc rgb blue title "μ = 0.5, way gone", \
         "" using 1:($13/total[4]) with lines lw 1 dt 2 lc rgb "gray40" title "way gone, one Δt, grains changed by 10^{-8}"
    unset logscale y; set format y "%g"
    unset border; unset xtics; unset ytics; unset xlabel; unset ylabel; unset key
    set xrange [*:*]; set yrange [*:*]
    set origin 0.55,0; set size 0.4,0.5; set size ratio -1
    set title "The cell at the end, by pressure"
    plot "cell.png" binary filetype=png with rgbimage
    set size noratio; set border; set xtics; set ytics
    unset multiplot
    unset output
}
