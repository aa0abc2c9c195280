# SPDX-License-Identifier: Apache-2.0
# gnuplot figure.gp, in the directory with block.tsv, load.tsv, record.tsv, bridge.tsv: writes
# figure.png, figure.svg. Above: pulses that overturn a block; ground acceleration that moves an
# arch. Below: peaks of records that bring it down; a small bridge after the shaking.
# The lower two stay empty after a quick run, and gnuplot warns of tables without points.
p = sqrt(0.75*9.81/(0.5*sqrt(1.04)))
full = int(system("grep -c '^[-0-9]' bridge.tsv || true")) > 0
do for [kind in "png svg"] {
    if (kind eq "png") { set terminal pngcairo size 1500,1100 font "sans,12" } \
    else { set terminal svg size 1500,1100 font "sans,12" background "white" }
    set output "figure.".kind
    set multiplot layout 2,2
    set logscale x
    set xrange [0.08:0.8]; set yrange [0:0.8]; set xtics (0.1, 0.2, 0.4, 0.8)
    set xlabel "duration of the pulse  [s]"; set ylabel "a / g"
    set title "A block, w/h = 0.2, is overturned by a pulse"
    set key top right
    plot "block.tsv" using 1:3 with points pt 6 ps 1.9 lw 1.5 lc rgb "#2166ac" title "equation of motion", \
         "" using 1:2 with points pt 7 ps 0.8 lc rgb "#b2182b" title "simulated", \
         0.2/(1 - exp(-p*x)) with lines lc rgb "#2166ac" title "small angles", \
         0.2 with lines dt 2 lc rgb "black" title "begins to move"
    unset logscale; set xtics auto; set ytics auto
    set xrange [0.1:0.22]; set yrange [0:0.35]
    set xlabel "t / R"; set ylabel "a / g"
    set title "An arch on an accelerated ground begins to move"
    set key top left reverse Left
    plot "load.tsv" using 2:4 with points pt 6 ps 1.9 lw 1.5 lc rgb "#2166ac" title "limit analysis", \
         "" using 2:($1 == 11 ? $3 : NaN) with points pt 7 ps 0.8 lc rgb "#b2182b" title "simulated, 11 stones", \
         "" using 2:($1 == 21 ? $3 : NaN) with points pt 5 ps 0.8 lc rgb "#4d9221" title "21 stones"
    set logscale xy
    set xrange [0.7:6]; set yrange [0.8:6]; set xtics (1, 2, 4); set ytics (1, 2, 4)
    set xlabel "frequency of the record  [Hz]"; set ylabel "peak over static limit"
    set title "11 stones, t/R = 0.15: the peak at which it falls"
    if (full) {
        plot "record.tsv" using 1:3 with points pt 7 ps 1.1 lc rgb "#b2182b" title "three records each", \
             1 with lines dt 2 lc rgb "black" title "begins to move"
    } else {
        plot 1 with lines dt 2 lc rgb "black" title "begins to move"
    }
    unset logscale; set xtics auto; set ytics auto
    set xrange [-2.6:2.6]; set yrange [-0.1:2]
    set size ratio -1
    set xlabel "x  [m]"; set ylabel "y  [m]"
    set title "The bridge after a record of 2 Hz, peak six times the static limit of its arch"
    unset key
    if (full) {
        plot "bridge.tsv" using 1:2 with filledcurves closed fc rgb "#d9c8a9", \
             "" using 1:2 with lines lw 1.2 lc rgb "black", \
             0 with lines lc rgb "black"
    } else {
        plot 0 with lines lc rgb "black"
    }
    set size noratio
    unset multiplot
    unset output
}
