// report - what the reports on all kinds of runs share: how they begin, their lines, how they end.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "sim/run/account.hpp"

namespace safnet {

using Json = nlohmann::ordered_json;

/// "torus:4x4 (16 nodes, 64 links)", in one line.
std::string in_words(const Graph& graph);
/// An object of `topology nodes links`.
Json network_json(const Graph& graph);
/// The value, or null.
template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}
/// A quotient for reports; 0 where there is nothing to divide by.
inline double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}
/// "1 flit", "3 flits".
std::string counted(std::uint64_t count, std::string_view what);

/// A title, then lines of a name and what there is to say.
class TextReport {
 public:
  explicit TextReport(const std::string& title) : text_(title + "\n") {}

  template <class... Args>
  void line(std::string_view name, fmt::format_string<Args...> words, Args&&... args) {
    text_ += fmt::format("  {:<15}{}\n", name, fmt::format(words, std::forward<Args>(args)...));
  }
  /// A line of its own for each of them.
  void lines(std::string_view name, const std::vector<std::string>& all) {
    for (const std::string& each : all) line(name, "{}", each);
  }
  /// Indented alone, for sentences.
  void sentence(const std::string& words) { text_ += "  " + words + "\n"; }
  /// How long it took, what is wrong with it, and if it got stuck, who waits for whom.
  void outcome(const Account& account);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// Prints what a run came to, by the to_json() or the to_text() that there is for it.
template <class... Run>
void print_report(bool as_json, const Run&... run) {
  fmt::print("{}", as_json ? to_json(run...).dump() + "\n" : to_text(run...));
}

}  // namespace safnet
