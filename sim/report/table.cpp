#include "sim/report/table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace safnet {
namespace {

bool is_number(const std::string& word) {
  return !word.empty() && word.find_first_not_of("0123456789./-") == std::string::npos;
}

std::string csv_field(const std::string& word) {
  if (word.find_first_of(",\"\n") == std::string::npos) return word;
  std::string quoted = "\"";
  for (const char c : word) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

template <class Row, class Field>
void add_line(std::string& text, const Row& row, const char* separator, Field field) {
  std::string line;
  for (std::size_t i = 0; i < row.size(); ++i) line += (i == 0 ? "" : separator) + field(row[i], i);
  text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
}

}  // namespace

std::string to_text(const Table& table, const CellStyle& style) {
  const std::size_t columns = table.rows.empty() ? table.columns.size() : table.rows.front().size();
  std::vector<std::size_t> width(columns);
  std::vector<bool> right(columns, true);
  for (std::size_t i = 0; i < table.columns.size(); ++i) width[i] = table.columns[i].size();
  for (const auto& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      width[i] = std::max(width[i], row[i].size());
      if (!is_number(row[i])) right[i] = false;
    }
  }
  std::string text;
  const auto padded = [&](const std::string& word, std::size_t i) {
    return right[i] ? fmt::format("{:>{}}", word, width[i]) : fmt::format("{:<{}}", word, width[i]);
  };
  if (!table.columns.empty()) add_line(text, table.columns, "  ", padded);
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    add_line(text, table.rows[r], "  ", [&](const std::string& word, std::size_t i) {
      return style ? style(r, i, padded(word, i)) : padded(word, i);
    });
  }
  return text;
}

std::string to_csv(const Table& table) {
  std::string text;
  const auto field = [](const std::string& word, std::size_t) { return csv_field(word); };
  add_line(text, table.columns, ",", field);
  for (const auto& row : table.rows) add_line(text, row, ",", field);
  return text;
}

}  // namespace safnet
