# SPDX-License-Identifier: Apache-2.0
# gnuplot figure.gp, in the directory with decay.tsv, times.tsv, parameters.tsv: writes figure.png, figure.svg;
# polygons.tsv makes polygons.png, polygons.svg.
# Above: decay of the kinetic energy, its time against the time step, held and turning. Below: against the parameters.
blue = "#2166ac"; red = "#b2182b"; green = "#1b7837"; grey = "#777777"
stats "decay.tsv" using 1:2 nooutput
runs = STATS_blocks/2
do for [kind in "png svg"] {
    if (kind eq "png") { set terminal pngcairo size 1800,1080 font "sans,12" } \
    else { set terminal svg size 1800,1080 font "sans,12" background "white" }
    set output "figure.".kind
    set multiplot layout 2,3
    names = "0.1 0.02 0.01 0.001"
    colors = red." #ef8a62 ".green." ".blue
    unset logscale; set logscale y
    set format x "%g"; set format y "10^{%T}"
    set xrange [0:350]; set yrange [0.03:1.2]
    set xlabel "t/t_c  [1]"; set ylabel "kinetic energy at its peaks  E_k/E_{first}  [1]"
    set title "Decay, held from turning: lines plain spring, circles improved spring"
    set key default; set key inside top right noreverse Right
    plot for [i=0:runs-1] "decay.tsv" index i using 1:2 with lines lw 2 lc rgb word(colors, i+1) \
            title "plain, dt/t_c = ".word(names, i+1), \
         for [i=0:runs-1] "" index runs+i using 1:2 every 12::3*i with points pt 6 ps 1.1 lc rgb word(colors, i+1) \
            title (i == 0 ? "improved, all of them" : "")
    set logscale x; unset logscale y
    set format x "10^{%T}"; set format y "%g"
    set xrange [7e-5:0.14]
    set xlabel "time step  dt/t_c  [1]"; set ylabel "relaxation time  t_R/t_c  [1]"
    set key bottom left reverse Left
    set yrange [0:175]
    set title "Held from turning"
    plot 119.248/(1 + 49.04*x) with lines lw 1.2 lc rgb blue title "119.25/(1 + k_t dt/2(c_n + c_t))", \
         "times.tsv" index 0 using 1:2 with points pt 7 ps 1.2 lc rgb blue title "plain, Gear, k_n = 400 N/m", \
         "" index 2 using 1:2 with points pt 8 ps 1.6 lc rgb blue title "k_n = 1 N/m", \
         "" index 3 using 1:2 with points pt 4 ps 1.6 lc rgb blue title "k_n = 4·10^8 N/m", \
         "" index 1 using 1:2 with points pt 2 ps 1.3 lc rgb "#000000" title "plain, leapfrog", \
         119.248 with lines lw 1.2 lc rgb red notitle, \
         "" index 4 using 1:2 with points pt 7 ps 1.2 lc rgb red title "improved, Gear", \
         "" index 5 using 1:2 with points pt 6 ps 1.8 lc rgb red title "improved, leapfrog", \
         "" index 6 using 1:2 with points pt 1 ps 1.8 lc rgb "#000000" title "factor a_i/(a_i + a_j), rests 14 % off", \
         158.997 with lines lw 1.2 lc rgb green notitle, \
         "" index 7 using 1:2 with points pt 5 ps 1.1 lc rgb green title "no friction"
    set yrange [0:300]
    set title "Turning"
    plot 238.497/(1 + 49.04*x) with lines lw 1.2 lc rgb blue title "238.5/(1 + k_t dt/2(c_n + c_t))", \
         "times.tsv" index 8 using 1:2 with points pt 7 ps 1.2 lc rgb blue title "plain, Gear, k_n = 400 N/m", \
         "" index 10 using 1:2 with points pt 8 ps 1.6 lc rgb blue title "k_n = 1 N/m", \
         "" index 11 using 1:2 with points pt 4 ps 1.6 lc rgb blue title "k_n = 4·10^8 N/m", \
         "" index 9 using 1:2 with points pt 2 ps 1.3 lc rgb "#000000" title "plain, leapfrog", \
         238.497 with lines lw 1.2 lc rgb red notitle, \
         "" index 12 using 1:2 with points pt 7 ps 1.2 lc rgb red title "improved, Gear", \
         "" index 13 using 1:2 with points pt 6 ps 1.8 lc rgb red title "improved, leapfrog"
    set format x "%g"
    set xrange [0.025:2.4]; set yrange [0:450]
    set xlabel "stiffness ratio  k_t/k_n  [1]"
    set title "e_t/e_n = 1.0053: stiffer springs, shorter times"
    set key top right noreverse Right
    plot "parameters.tsv" index 0 using 1:2 with points pt 7 ps 1.1 lc rgb blue title "held", \
         "" index 0 using 1:3 with lines lc rgb blue notitle, \
         "" index 1 using 1:2 with points pt 7 ps 1.1 lc rgb red title "turning", \
         "" index 1 using 1:3 with lines lc rgb red title "lines: slowest mode of the linear theory"
    set format x "10^{%T}"
    set xrange [5e-6:2e3]; set yrange [0:175]
    set xlabel "friction coefficient  μ  [1]"
    set title "Held: below μ = k_t/k_n it slips, and slipping brakes"
    set key at graph 0.98, 0.5 right noreverse Right samplen 1.5
    set arrow 1 from 1./3, 0 to 1./3, 175 nohead dt 3 lc rgb grey
    set label 1 "μ = k_t/k_n" at 0.5, 20 tc rgb grey
    plot 158.997 with lines dt 2 lc rgb green title "theory, no friction", \
         119.248 with lines dt 2 lc rgb red title "theory, no slip", \
         "parameters.tsv" index 4 using 1:2 with linespoints pt 7 ps 1.1 lc rgb blue title "measured"
    unset arrow 1; unset label 1
    unset logscale; set logscale y
    set format x "%g"; set format y "%g"
    set xrange [0.89:1.02]; set yrange [20:400]; set ytics (20, 50, 100, 200, 400)
    set xlabel "restitution ratio  e_t/e_n  [1]"
    set title "k_t/k_n = 1/3: less tangential damping, longer times"
    set key default; set key inside top left reverse Left
    plot "parameters.tsv" index 2 using 1:2 with points pt 7 ps 1.1 lc rgb blue title "held", \
         "" index 2 using 1:3 with lines lc rgb blue notitle, \
         "" index 3 using 1:2 with points pt 7 ps 1.1 lc rgb red title "turning", \
         "" index 3 using 1:3 with lines lc rgb red title "lines: slowest mode of the linear theory"
    set ytics autofreq
    unset multiplot
    unset output
}
# Two polygons: held from turning; turning, each of the two modes by itself.
do for [kind in "png svg"] {
    if (kind eq "png") { set terminal pngcairo size 1200,540 font "sans,12" } \
    else { set terminal svg size 1200,540 font "sans,12" background "white" }
    set output "polygons.".kind
    set multiplot layout 1,2
    unset logscale; set logscale x
    set format x "10^{%T}"; set format y "%g"
    set xrange [7e-5:0.14]
    set xlabel "time step  dt/t_c  [1]"; set ylabel "relaxation time  t_R/t_c  [1]"
    set key default; set key inside bottom left reverse Left
    set yrange [0:130]
    set title "Two polygons, held from turning"
    plot 108.260/(1 + 63.843*x) with lines lw 1.2 lc rgb blue title "108.26/(1 + 63.8 dt/t_c)", \
         "polygons.tsv" index 0 using 1:2 with points pt 7 ps 1.2 lc rgb blue title "plain spring", \
         "" index 1 using 1:3 with lines lw 1.2 lc rgb red notitle, \
         "" index 1 using 1:2 with points pt 7 ps 1.2 lc rgb red title "improved spring"
    set yrange [0:250]
    set title "Turning: the corner shears, or the grain rolls on it"
    set key at graph 0.02, 0.68 left top reverse Left
    plot "polygons.tsv" index 4 using 1:3 with lines lw 1.2 lc rgb blue notitle, \
         "" index 4 using 1:2 with points pt 8 ps 2.0 lc rgb blue title "rolls, plain spring", \
         "" index 5 using 1:2 with points pt 9 ps 1.0 lc rgb red title "rolls, improved spring", \
         "" index 2 using 1:3 with lines lw 1.2 lc rgb blue title "lines: linear theory", \
         "" index 2 using 1:2 with points pt 7 ps 1.2 lc rgb blue title "shears, plain spring", \
         "" index 3 using 1:3 with lines lw 1.2 lc rgb red notitle, \
         "" index 3 using 1:2 with points pt 7 ps 1.2 lc rgb red title "shears, improved spring"
    unset multiplot
    unset output
}
