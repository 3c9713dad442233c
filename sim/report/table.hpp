// table - rows of words under named columns: printed in line, or as CSV.
#pragma once

#include <string>
#include <vector>

namespace safnet {

struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  ///< each as long as `columns`
};

/// Columns two spaces apart, numbers to the right; nothing hangs over at the end of a line.
std::string to_text(const Table& table);

/// RFC 4180: fields with a comma or quote are quoted; lines end with "\n".
std::string to_csv(const Table& table);

}  // namespace safnet
