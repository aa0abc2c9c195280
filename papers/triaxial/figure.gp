# SPDX-License-Identifier: Apache-2.0
# gnuplot figure.gp, in the directory with cd.tsv, md.tsv, cd_cut.tsv, md_cut.tsv: writes figure.png, figure.svg.
# Left: stress and volume against strain. Right: a cut through the cylinder, grains coloured by how far they turned
# during the last five per cent of strain, rigid and soft.
do for [kind in "png svg"] {
    if (kind eq "png") { set terminal pngcairo size 1600,900 font "sans,12" } \
    else { set terminal svg size 1600,900 font "sans,12" background "white" }
    set output "figure.".kind
    set multiplot
    set border; set tics; unset colorbox; set size noratio
    set xrange [0:*]; set yrange [1:*]
    set origin 0,0.5; set size 0.38,0.5
    set xlabel "axial strain"; set ylabel "axial stress / p"
    set title "Stress"
    set key bottom right
    plot "cd.tsv" using 1:2 with linespoints pt 7 ps 0.8 lw 1.8 lc rgb "#b2182b" title "rigid (Contact Dynamics)", \
         "md.tsv" using 1:2 with linespoints pt 5 ps 0.8 lw 1.8 lc rgb "#2166ac" title "soft (molecular dynamics)"
    set origin 0,0; set size 0.38,0.5
    set yrange [*:*]
    set ylabel "volumetric strain"
    set title "Volume between membrane and plates"
    plot "cd.tsv" using 1:3 with linespoints pt 7 ps 0.8 lw 1.8 lc rgb "#b2182b" title "rigid", \
         "md.tsv" using 1:3 with linespoints pt 5 ps 0.8 lw 1.8 lc rgb "#2166ac" title "soft", \
         0 with lines dt 2 lc rgb "black" notitle
    unset key
    set style fill solid 1.0 border lc rgb "#404040"
    set palette defined (0 "#2d2a80", 0.35 "#1b87a8", 0.7 "#8fd05a", 1 "#fbe723")
    stats "cd_cut.tsv" using 5 nooutput
    set cbrange [0:STATS_up_quartile*2.0]
    set colorbox; set cblabel "rotation  [rad]"
    set size ratio -1
    stats "cd_cut.tsv" using 2 name "Z" nooutput
    stats "cd_cut.tsv" using 1 name "X" nooutput
    set xrange [X_min - 1.2:X_max + 1.2]; set yrange [Z_min - 0.7:Z_max + 0.7]
    do for [i=0:1] {
        set origin 0.38 + 0.31*i, 0.0; set size 0.31,1.0
        set xlabel "along the slide  x / d"; set ylabel "z / d"
        set title i == 0 ? "rigid" : "soft"
        plot (i == 0 ? "cd_cut.tsv" : "md_cut.tsv") using 1:2:3:5 with circles lc palette
    }
    unset multiplot
}
