#include "cpp_model/traffic/traffic_trace.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <stdexcept>

#include "cpp_model/graph/file/bounded_json.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

constexpr std::size_t kLongestLine = 1000;
constexpr std::size_t kMostLines = 2 * kMostTracedPackets;  // comments and empty ones too

std::uint32_t number(const std::string& word, const char* what, std::uint64_t most) {
  const std::optional<std::uint64_t> value = parse_decimal(word);
  if (!value || *value < 1 || *value > most)
    throw bad_input("{} {}: expected 1 to {}", what, in_quotes(word), most);
  return static_cast<std::uint32_t>(*value);
}

NodeId processor(const std::string& word, const char* what, const Graph& graph) {
  const NodeId v = graph.parse_node(word);
  if (v >= graph.processor_count()) throw bad_input("{} {}: expected a processor", what, in_quotes(word));
  return v;
}

TracedPackets parse_line(const std::vector<std::string>& words, const Graph& graph) {
  if (words.size() < 3 || words.size() > 4)
    throw bad_input("{} words; expected: cycle source destination [messages]", words.size());
  TracedPackets packets;
  packets.cycle = number(words[0], "cycle", kLastTracedCycle);
  packets.source = processor(words[1], "source", graph);
  packets.destination = processor(words[2], "destination", graph);
  if (words.size() == 4) packets.messages = number(words[3], "messages", kMostTracedPackets);
  if (packets.source == packets.destination)
    throw bad_input("destination {}: expected another node than the source", in_quotes(words[2]));
  return packets;
}

// The next line, if there is one; of a longer one no more than that is read.
bool next_line(std::istream& file, std::string& line) {
  std::array<char, kLongestLine + 1> characters;
  file.getline(characters.data(), characters.size());
  if (file.fail() && !file.eof() && !file.bad())
    throw bad_input("expected a line of at most {} characters", kLongestLine);
  if (file.fail()) return false;
  const auto taken = static_cast<std::size_t>(file.gcount());  // the line's end too, if there is one
  line.assign(characters.data(), file.eof() ? taken : taken - 1);
  return true;
}

}  // namespace

std::vector<TracedPackets> read_traffic_trace(const std::string& path, const Graph& graph) {
  const auto cannot_use = [&](const char* expected) {
    return bad_input("trace:{}: expected {}", one_line(path), expected);
  };
  // Who names stdin says that it will end; any other pipe may keep the program waiting for ever.
  if (const std::string why = why_no_input(path); !why.empty() && path != "/dev/stdin")
    throw bad_input("trace:{}: {}", one_line(path), why);
  std::ifstream file(path);
  if (!file || std::filesystem::is_directory(path)) throw cannot_use("a file that can be read");
  std::vector<TracedPackets> all;
  std::uint64_t packets = 0;
  std::vector<std::uint64_t> of_source(graph.node_count());
  std::string line;
  for (std::size_t line_number = 1;; ++line_number) {
    try {
      if (!next_line(file, line)) break;
      if (line_number > kMostLines) throw bad_input("expected at most {} lines", kMostLines);
      const std::vector<std::string> words = words_of_line(line);
      if (words.empty()) continue;
      all.push_back(parse_line(words, graph));
      packets += all.back().messages;
      if (packets > kMostTracedPackets)
        throw bad_input("expected at most {} packets in all", kMostTracedPackets);
      if ((of_source[all.back().source] += all.back().messages) > kMostPacketsOfSource) {
        throw bad_input("source {}: expected at most {} packets of one node", in_quotes(words[1]),
                        kMostPacketsOfSource);
      }
    } catch (const std::invalid_argument& error) {
      throw bad_input("{}:{}: {}", one_line(path), line_number, error.what());
    }
  }
  if (file.bad()) throw cannot_use("a file that can be read");
  if (all.empty()) throw cannot_use("lines such as: 1 0 5, a cycle, a source and a destination");
  std::ranges::stable_sort(all, {}, &TracedPackets::cycle);
  return all;
}

NodeId sources_of(const std::vector<TracedPackets>& trace) {
  std::set<NodeId> sources;
  for (const TracedPackets& packets : trace) sources.insert(packets.source);
  return static_cast<NodeId>(sources.size());
}

}  // namespace safnet
