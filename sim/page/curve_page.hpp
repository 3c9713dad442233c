// curve_page - a page with curves over the load, and a table of the runs that they are drawn from.
#pragma once

#include <string>
#include <vector>

#include "sim/page/line_plot.hpp"

namespace safnet {

struct CurvePage {
  /// A run: a row of the table, and the points of the marked curves at the same x.
  struct Row {
    double x = 0;
    std::vector<std::string> cells;
    bool bad = false;  ///< its checks failed, or it got stuck: the last cell is coloured
  };
  LinePlot plot;                       ///< its title is that of the page
  std::string headline;                ///< what was run
  std::vector<std::string> sentences;  ///< what is known beforehand, and what was measured
  std::vector<std::string> problems;   ///< what went wrong, a line each
  std::string command;                 ///< that makes the page again
  std::vector<std::string> columns;
  std::vector<Row> rows;
};

/// `with_index`: the page leads to index.html beside it.
std::string curve_page(const CurvePage& curves, bool with_index);

}  // namespace safnet
