// table - rows of words under named columns: printed in line, or as CSV.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace safnet {

struct Table {
  std::vector<std::string> columns = {};            ///< their headings; empty: none
  std::vector<std::vector<std::string>> rows = {};  ///< of the same number of words
  /// A row of these values as fmt shows them.
  template <class... Values>
  void add(const Values&... values) {
    rows.push_back({fmt::format("{}", values)...});
  }
};

/// `value` with `places` digits behind the point.
inline std::string fixed(double value, int places) { return fmt::format("{:.{}f}", value, places); }

/// Makes the printed cell, for example in colour, from a padded one.
using CellStyle = std::function<std::string(std::size_t row, std::size_t column, const std::string& padded)>;

/// Columns two spaces apart, numbers aligned to the right, no spaces at the end of a line.
std::string to_text(const Table& table, const CellStyle& style = {});

/// RFC 4180: fields with a comma or quote are quoted; lines end with "\n".
std::string to_csv(const Table& table);

}  // namespace safnet
