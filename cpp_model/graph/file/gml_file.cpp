// GML, as networkx, igraph and the Internet Topology Zoo write it: a list of keys, each with a number, a text
// in quotes or a list in brackets behind it. igraph's reader was not taken: it brings a library of graph
// algorithms with it, and keeps everything that drawings say about nodes.
#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "cpp_model/graph/file/formats.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

constexpr std::size_t kMostGmlLevels = 64;

class GmlReader {
 public:
  GmlReader(std::string_view text, const std::string& shown) : text_(text), wrong_(shown) {}

  NamedEdges run() {
    for (;;) {
      skip_blanks();
      if (at_ == text_.size()) break;
      const std::size_t line = line_;
      if (text_[at_] == ']') {
        if (open_.empty()) throw wrong_.at(line, "']': expected a key such as 'graph'");
        ++at_;
        close(line);
        continue;
      }
      const std::string key(read_key());
      skip_blanks();
      if (starts_with('[')) {
        ++at_;
        open(key, line);
      } else {
        take(key, read_value(key), line);
      }
    }
    if (!open_.empty())
      throw wrong_.at(line_, "the end of the file: expected ']' for {}", in_quotes(open_.back()));
    if (!has_graph_) throw wrong_("expected GML with a 'graph [ ... ]'");
    return finished();
  }

 private:
  struct Element {
    std::optional<std::string> id, label, source, target;
    bool routes = false;
  };

  bool starts_with(char c) const { return at_ < text_.size() && text_[at_] == c; }
  void skip_blanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == ' ' || (c >= '\t' && c <= '\r')) {
        line_ += c == '\n' ? 1 : 0;
        ++at_;
      } else {
        return;
      }
    }
  }
  std::string_view read_word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() &&
           std::string_view(" \t\n\v\f\r[]\"#").find(text_[at_]) == std::string_view::npos)
      ++at_;
    return text_.substr(begin, at_ - begin);
  }
  std::string_view read_key() {
    const std::size_t begin = at_;
    const std::string_view word = read_word();
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    if (word.empty() || !letter(word.front())) {
      throw wrong_.at(line_, "{}: expected a key, a word that begins with a letter",
                      in_quotes(word.empty() ? text_.substr(begin, 1) : word));
    }
    return word;
  }
  std::string read_value(const std::string& key) {
    if (!starts_with('"')) {
      const std::string_view word = read_word();
      const bool number =
          !word.empty() && std::string_view("+-.0123456789").find(word.front()) != std::string_view::npos;
      // networkx writes NAN and INF beside numbers.
      if (!number && word != "NAN" && word != "INF")
        throw wrong_.at(line_, "{} {}: expected a number, a text in quotes or '['", one_line(key),
                        in_quotes(word));
      return std::string(word);
    }
    const std::size_t begin = line_, end = text_.find('"', at_ + 1);
    if (end == std::string_view::npos)
      throw wrong_.at(begin, "{}: expected '\"' at the end of a text", one_line(key));
    std::string value(text_.substr(at_ + 1, end - at_ - 1));
    line_ += static_cast<std::size_t>(std::count(value.begin(), value.end(), '\n'));
    at_ = end + 1;
    return value;
  }

  void open(const std::string& key, std::size_t line) {
    if (open_.size() == kMostGmlLevels)
      throw wrong_.at(line, "{}: nested too deeply; expected at most {} levels", in_quotes(key),
                      kMostGmlLevels);
    if (open_.empty() && key == "graph") {
      if (has_graph_) throw wrong_.at(line, "'graph': a second one; expected one in a file");
      has_graph_ = true;
    }
    open_.push_back(key);
    if (open_.size() == 2) element_ = {};
  }

  void close(std::size_t line) {
    if (open_.size() == 2 && open_.front() == "graph") {
      if (open_.back() == "node") take_node(line);
      if (open_.back() == "edge") take_edge(line);
    }
    open_.pop_back();
  }

  void take(const std::string& key, std::string value, std::size_t line) {
    if (open_.size() == 1 && open_.front() == "graph" && key == "directed") {
      if (value != "0" && value != "1")
        throw wrong_.at(line, "directed {}: expected 0 or 1", in_quotes(value));
      result_.directed = value == "1";
    }
    if (open_.size() != 2 || open_.front() != "graph") return;
    const bool of_node = open_.back() == "node", of_edge = open_.back() == "edge";
    if (of_node && key == "id") element_.id = value;
    if (of_node && key == "label") element_.label = value;
    if (of_node && key == kTypeOfNode) element_.routes = is_router_type(value);
    if (of_edge && key == "source") element_.source = value;
    if (of_edge && key == "target") element_.target = value;
    if (of_edge && is_link_speed(key)) result_.unused.insert(key);
  }

  void take_node(std::size_t line) {
    if (!element_.id) throw wrong_.at(line, "node: expected an 'id' in it");
    if (ids_.contains(*element_.id))
      throw wrong_.at(line, "node id {}: given twice", in_quotes(*element_.id));
    const std::optional<NodeId> number = ids_.number_of(*element_.id);
    if (!number) throw wrong_.at(line, "expected at most {} nodes", kMaxNodes);
    labels_.push_back(element_.label.value_or(*element_.id));
    if (element_.routes) result_.routers.insert(*number);
  }

  void take_edge(std::size_t line) {
    if (result_.edges.size() == kMaxParsedEdges)
      throw wrong_.at(line, "expected at most {} edges; edge lists may have more", kMaxParsedEdges);
    if (!element_.source || !element_.target)
      throw wrong_.at(line, "edge: expected 'source' and 'target' in it");
    edges_.push_back({*element_.source, *element_.target, line});
    result_.edges.emplace_back(0, 0);  // known when all nodes are
  }

  NamedEdges finished() {
    const auto number = [&](const std::string& id, std::size_t line) {
      if (!ids_.contains(id)) throw wrong_.at(line, "edge to {}: expected the id of a node", in_quotes(id));
      return *ids_.number_of(id);
    };
    for (std::size_t i = 0; i < edges_.size(); ++i)
      result_.edges[i] = {number(edges_[i].source, edges_[i].line), number(edges_[i].target, edges_[i].line)};
    std::vector<std::string> sorted = labels_;
    std::ranges::sort(sorted);
    const bool all_differ = std::ranges::adjacent_find(sorted) == sorted.end();
    result_.names = all_differ ? labels_ : ids_.names();
    return std::move(result_);
  }

  struct Edge {
    std::string source, target;
    std::size_t line;
  };

  std::string_view text_;
  const BadFile wrong_;
  std::size_t at_ = 0, line_ = 1;
  std::vector<std::string> open_;  // keys whose lists are not closed yet
  Element element_;                // the node or edge that is open
  NameTable ids_;
  std::vector<std::string> labels_;  // by node
  std::vector<Edge> edges_;
  NamedEdges result_;
  bool has_graph_ = false;
};

}  // namespace

NamedEdges read_gml(std::string_view text, const std::string& shown) { return GmlReader(text, shown).run(); }

}  // namespace safnet
