// report - what the reports on all kinds of runs share: how they begin, their lines, how they end.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cpp_model/bound/largest_bound.hpp"
#include "cpp_model/graph/graph.hpp"
#include "cpp_model/number/rational.hpp"
#include "sim/run/account.hpp"
#include "sim/variant/node_kind.hpp"

namespace safnet {

using Json = nlohmann::ordered_json;

/// "torus:4x4 (16 nodes, 64 links)", in one line.
std::string in_words(const Graph& graph);
/// An object of `topology nodes links`.
Json network_json(const Graph& graph);
/// Nodes as one would synthesise them: module, folders of rtl/ and further sources, parameters, and what the
/// nodes are told at run time; and how many nodes of the network have how many ports.
Json hardware_json(const Hardware& hardware, const Graph& graph);
/// The value, or null.
template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}
/// Adds members of `object` to a JSON object, each under its own name: ADD_MEMBERS(json, result, lost, late).
#define ADD_MEMBERS(json, object, ...)                                       \
  [](Json& nlohmann_json_j, const auto& nlohmann_json_t) {                   \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, __VA_ARGS__)) \
  }(json, object)
/// An array of what `each` makes of every item.
template <class Items, class Each>
Json json_array(const Items& items, Each each) {
  Json array = Json::array();
  for (const auto& item : items) array.push_back(each(item));
  return array;
}
/// Adds `known_as`, the name of the network that one from a file was found to be, if it was.
void add_known(Json& json, const Graph& graph);
/// Adds `lower_bound`, `lower_bound_reason` and, if there is a bound, `lower_bound_witness`.
void add_bound(Json& json, const LowerBound& bound);
/// What a collective takes on the whole of a network, of which a remaining one is a part.
struct WholeFigures {
  std::string topology;
  std::uint64_t steps = 0, bound = 0;
};
/// Adds `whole_network`, an object of topology, steps and lower_bound, if there is one.
void add_whole(Json& json, const std::optional<WholeFigures>& whole);
/// A quotient for reports; 0 where there is nothing to divide by.
inline double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
}
inline double as_double(const Rational& value) { return value.convert_to<double>(); }

/// "4", "2 to 4".
std::string degrees_in_words(const Graph& graph);
/// "4 of 5 delivered, 1 lost, 0 duplicated".
std::string deliveries_in_words(const Account& account);

/// A title, then lines: a name, padded to `name_width` columns, and text.
class TextReport {
 public:
  explicit TextReport(const std::string& title, int name_width = 15)
      : text_(title + "\n"), name_width_(name_width) {}

  template <class... Args>
  void line(std::string_view name, fmt::format_string<Args...> words, Args&&... args) {
    text_ += fmt::format("  {:<{}}{}\n", name, name_width_, fmt::format(words, std::forward<Args>(args)...));
  }
  /// A line with the same name for each string.
  void lines(std::string_view name, const std::vector<std::string>& all) {
    for (const std::string& each : all) line(name, "{}", each);
  }
  /// A line without a name, indented.
  void sentence(const std::string& words) { text_ += "  " + words + "\n"; }
  /// How long the run took, its problems, and if it got stuck, who waits for whom.
  void outcome(const Account& account);
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  int name_width_;
};
/// The same, in words.
void add_known(TextReport& text, const Graph& graph);
/// "whole network  5 steps, lower bound 4, on torus:4x4".
void add_whole(TextReport& text, const std::optional<WholeFigures>& whole);

/// Prints a run by to_json() or to_text(), whichever overload takes these arguments.
template <class... Run>
void print_report(bool as_json, const Run&... run) {
  fmt::print("{}", as_json ? to_json(run...).dump() + "\n" : to_text(run...));
}

}  // namespace safnet
