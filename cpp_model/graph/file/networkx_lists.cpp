// The plain lists of networkx: edges (write_edgelist) and neighbours (write_adjlist), a line each.
#include <functional>
#include <sstream>

#include "cpp_model/graph/file/formats.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

// Nodes and edges by name. Neither list says whether the graph is directed: like networkx, both are read as a
// graph of edges both ways without parallel ones.
class ListReader {
 public:
  explicit ListReader(const std::string& shown) : wrong_(shown) { result_.strict = true; }

  NamedEdges read(std::string_view text, void (ListReader::*take)(const std::string&)) {
    std::istringstream stream{std::string(text)};
    for (std::string line; std::getline(stream, line);) {
      ++line_;
      (this->*take)(line.substr(0, line.find('#')));
    }
    result_.names = names_.names();
    return std::move(result_);
  }

  // "u v", "u v 3.5" or "u v {'weight': 3.5}".
  void take_edge(const std::string& line) {
    const std::size_t brace = line.find('{');
    const std::vector<std::string> words = words_of_line(line.substr(0, brace), 4);
    if (words.empty() && brace == std::string::npos) return;
    const bool has_number = words.size() == 3 && brace == std::string::npos;
    if (words.size() != 2 && !has_number)
      throw wrong_.at(line_, "{}: expected 'u v', with a number or {{...}} behind it", in_quotes(line));
    if (has_number) {
      const std::string& number = words[2];
      if (number.find_first_not_of("+-.0123456789eE") != std::string::npos)
        throw wrong_.at(line_, "{}: expected a number or {{...}}", in_quotes(number));
      result_.unused.insert("weight");
    }
    if (brace != std::string::npos) take_data(line.substr(brace));
    connect(words[0], words[1]);
  }

  // "u v w x": u and its neighbours.
  void take_neighbours(const std::string& line) {
    const std::vector<std::string> words = words_of_line(line);
    if (!words.empty()) number_of(words[0]);
    for (std::size_t i = 1; i < words.size(); ++i) connect(words[0], words[i]);
  }

 private:
  // A Python dictionary, of which only the keys matter.
  void take_data(const std::string& data) {
    if (data.find('}') == std::string::npos)
      throw wrong_.at(line_, "{}: expected '}}' after it", in_quotes(data));
    for (std::size_t at = data.find_first_of("'\""); at != std::string::npos;) {
      const std::size_t end = data.find(data[at], at + 1);
      if (end == std::string::npos)
        throw wrong_.at(line_, "{}: expected a quote at the end of a word", in_quotes(data.substr(at)));
      const std::string word = data.substr(at + 1, end - at - 1);
      const std::size_t next = data.find_first_not_of(' ', end + 1);
      if (next != std::string::npos && data[next] == ':' && is_link_speed(word)) result_.unused.insert(word);
      at = data.find_first_of("'\"", end + 1);
    }
  }

  NodeId number_of(const std::string& name) {
    const std::optional<NodeId> number = names_.number_of(name);
    if (!number) throw wrong_.at(line_, "node {}: expected at most {} nodes", in_quotes(name), kMaxNodes);
    return *number;
  }
  void connect(const std::string& from, const std::string& to) {
    if (from == to)
      throw wrong_.at(line_, "edge {0} {0}: a node cannot be connected to itself", in_quotes(from));
    if (result_.edges.size() == std::size_t{kMaxNodes} * kMaxDegree) throw wrong_.at(line_, "too many edges");
    const NodeId u = number_of(from);
    result_.edges.emplace_back(u, number_of(to));
  }

  const BadFile wrong_;
  std::size_t line_ = 0;
  NameTable names_;
  NamedEdges result_;
};

}  // namespace

NamedEdges read_networkx_edges(std::string_view text, const std::string& shown) {
  return ListReader(shown).read(text, &ListReader::take_edge);
}

NamedEdges read_networkx_neighbours(std::string_view text, const std::string& shown) {
  return ListReader(shown).read(text, &ListReader::take_neighbours);
}

}  // namespace safnet
