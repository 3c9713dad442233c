#!/bin/sh
# Prints a C++ header with the parts of pages for browsers as texts: styles, markup, scripts, and Debian's Chart.js.
#
# Usage: page_assets.sh CHART_JS
set -eu
cd "$(dirname "$0")/.."

# $1: the constant's name; then the files that it is made of, in order
text() {
    printf 'inline constexpr std::string_view %s = R"safnet_page(' "$1"
    shift
    cat "$@"
    printf ')safnet_page";\n'
}

cat <<'END'
// Made by scripts/page_assets.sh of the files in sim/page.
#pragma once

#include <string_view>

namespace safnet::page_assets {

END
text kChartJs "$1"
cd sim/page
text kStyle page.css
text kRunPage run_head.html play_controls.html run_main.html
text kBlockScript block.js
text kTablePage table_page.html
text kTableScript table_page.js
text kCurvePage curve_page.html
text kCurveScript curve_page.js
text kComparePage compare_head.html play_controls.html compare_main.html
text kCompareScript compare_page.js
# What shows recordings: on the page of a run, and twice on that of two.
text kRecordingScript recording.js clock.js palette.js look.js canvas_view.js network_view.js space_time_view.js \
    detail_panel.js play_controls.js
text kRunScript charts.js run_page.js
printf '\n}  // namespace safnet::page_assets\n'
