# SPDX-License-Identifier: Apache-2.0
# gnuplot figure.gp, in the directory with map.tsv: writes figure.png, figure.svg.
# The map of [Wolf2006, fig. 6] with measured points, for discs with and without momentum; sweeps for an e-fold of
# accuracy against N; the ratio against the stiffness.
blue = "#2166ac"; red = "#b2182b"; green = "#1b7837"; grey = "#777777"
stats "map.tsv" using 1:2 nooutput
blocks = STATS_blocks        # 2D nsgs, 2D nnsgs, (3D nsgs, 3D nnsgs,) stiffness
# The factor of T_CD/T_MD = C N^p softness, as the mean of the logarithms.
array C[4]
array power[4]
array level[4]
do for [b=0:blocks-2] {
    power[b+1] = (b % 2 == 0 ? 2. : 1.)/(b < 2 ? 2. : 3.)
    stats "map.tsv" index b using (log($4/($1**power[b+1]*$2))) nooutput
    C[b+1] = exp(STATS_mean)
    stats "map.tsv" index b using (log($6/$1**power[b+1])) nooutput
    level[b+1] = exp(STATS_mean)
}
stats "map.tsv" index blocks-1 using 2:3 every ::0::0 nooutput
x0 = STATS_max_x; y0 = STATS_max_y
do for [kind in "png svg"] {
    if (kind eq "png") { set terminal pngcairo size 1500,1160 font "sans,13" } \
    else { set terminal svg size 1500,1160 font "sans,13" background "white" }
    set output "figure.".kind
    set multiplot layout 2,2
    set logscale xy
    set format x "10^{%T}"; set format y "10^{%T}"
    set xrange [10:2e4]; set yrange [1e-4:1]
    set xlabel "number of discs  N  [1]"; set ylabel "softness  √(m v²/(K r²))  [1]"
    set palette defined (-1.5 blue, 0 "#dddddd", 1.5 red)
    set cbrange [-1.5:1.5]; set cblabel "log_{10}(T_{CD}/T_{MD})"
    set key top right
    do for [b=0:1] {
        set title b == 0 ? "Discs, plain sweeps (nsgs)" : "Discs, sweeps with momentum (nnsgs)"
        set label 1 "md is faster" at 4e3, 0.1 center tc rgb red
        set label 2 "cd is faster" at 60, 4e-4 center tc rgb blue
        plot 1/(C[b+1]*x**power[b+1]) with lines lw 2 lc rgb "#000000" \
                title sprintf("T_{CD} = T_{MD}: %.2g N^{%s} √(m v²/(K r²)) = 1", C[b+1], b == 0 ? "2/d" : "1/d"), \
             "map.tsv" index b using 1:2 with points pt 6 ps 2.7 lc rgb "#000000" notitle, \
             "" index b using 1:2:(log10($4)) with points pt 7 ps 2.4 lc palette title "measured", \
             "" index blocks-1 using (b == 0 ? 300 : NaN):2:(log10($3)) with points pt 7 ps 2.4 lc palette notitle, \
             "" index b using 1:2:(sprintf("%.2g", $4)) with labels offset 0,1.1 font ",10" tc rgb grey notitle
    }
    unset label 1; unset label 2; unset colorbox
    set yrange [5:1e4]
    set title "Sweeps that make a force error e times smaller"
    set xlabel "number of grains  N  [1]"; set ylabel "sweeps  [1]"
    set key top left reverse Left
    slope(b) = sprintf("N^{%s}", word("1 1/2 2/3 1/3", b+1))
    names = "discs discs,_momentum spheres spheres,_momentum"
    colors = red." ".blue." #ef8a62 #67a9cf"
    tidy(text) = system("echo ".text." | tr _ ' '")
    plot for [b=0:blocks-2] "map.tsv" index b using 1:6 with points pt (b % 2 == 0 ? 7 : 5) ps 1.7 \
            lc rgb word(colors, b+1) title tidy(word(names, b+1)), \
         for [b=0:blocks-2] level[b+1]*x**power[b+1] with lines lw 1.4 lc rgb word(colors, b+1) title slope(b)
    set xrange [1e-4:1]; set yrange [0.1:100]
    set title "300 discs, plain sweeps, against the stiffness"
    set xlabel "softness  √(m v²/(K r²)), as K^{−1/2}  [1]"; set ylabel "T_{CD}/T_{MD}  [1]"
    set key bottom right noreverse Right
    plot "map.tsv" index blocks-1 using 2:3 with linespoints pt 7 ps 1.7 lw 1.4 lc rgb green title "both as accurate as overlap/d", \
         y0*x/x0 with lines dt 2 lw 1.4 lc rgb grey title "cd as accurate as for overlap/d = 10^{−2}: slope 1, K^{−1/2}", \
         1 with lines lw 1 lc rgb "#000000" notitle
    unset multiplot
    unset output
    set colorbox
}
