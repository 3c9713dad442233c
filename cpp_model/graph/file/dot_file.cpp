// Boost.Graph parses DOT. What it is given is a summary of the file that a scanner makes: names as numbers,
// in the order of their appearance (Boost would sort them), without attributes, ports and comments. The
// summary keeps default attributes from being copied to every edge, takes labels of any size, and bounds the
// nesting before a recursive parser sees it. Edges between subgraphs are refused because Boost does not count
// nodes that stand in an edge of a subgraph as its members.
#include <algorithm>
#include <boost/graph/graphviz.hpp>
#include <set>
#include <vector>

#include "cpp_model/graph/file/formats.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

constexpr int kMaxNesting = 128;
constexpr std::size_t kMaxTokens = 6 * kMaxParsedEdges;

enum class TokenKind { kName, kKeyword, kEdge, kPunctuation, kEnd };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;  // names without quotes and escapes, keywords in small letters
  std::size_t line = 0;
  bool is(char c) const { return kind == TokenKind::kPunctuation && text.front() == c; }
  bool is_keyword(const char* word) const { return kind == TokenKind::kKeyword && text == word; }
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 128;
}

class Scanner {
 public:
  Scanner(std::string_view text, const BadFile& wrong) : text_(text), wrong_(wrong) {}

  Token next() {
    skip_blanks();
    Token token;
    token.line = line_;
    if (at_ == text_.size()) return token;
    const char c = text_[at_];
    if (c == '"') {
      token.kind = TokenKind::kName;
      token.text = quoted();
      for (;;) {  // "a" + "b"
        skip_blanks();
        if (!starts_with("+")) return token;
        ++at_;
        skip_blanks();
        if (!starts_with("\"")) throw wrong_.at(line_, "'+': expected strings in quotes on both sides");
        token.text += quoted();
      }
    }
    if (c == '<') {
      token.kind = TokenKind::kName;
      token.text = html();
    } else if (is_letter(c)) {
      std::size_t end = at_;
      while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
      token.text = text_.substr(at_, end - at_);
      at_ = end;
      token.kind = TokenKind::kName;
      std::string small = token.text;
      for (char& letter : small)
        letter = letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
      for (const char* keyword : {"strict", "graph", "digraph", "node", "edge", "subgraph"}) {
        if (small != keyword) continue;
        token.kind = TokenKind::kKeyword;
        token.text = small;
      }
    } else if (starts_with("--") || starts_with("->")) {
      token.kind = TokenKind::kEdge;
      token.text = text_.substr(at_, 2);
      at_ += 2;
    } else if (is_digit(c) || c == '-' || c == '.') {
      token.kind = TokenKind::kName;
      token.text = number();
    } else if (std::string_view("{}[];,=:").find(c) != std::string_view::npos) {
      token.kind = TokenKind::kPunctuation;
      token.text = c;
      ++at_;
    } else {
      throw wrong_.at(line_, "{}: expected a name, quoted if it is no word", in_quotes(text_.substr(at_, 1)));
    }
    return token;
  }

 private:
  bool starts_with(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  void advance() { line_ += text_[at_++] == '\n' ? 1 : 0; }
  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  void skip_blanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || (c >= '\t' && c <= '\r')) {
        advance();
      } else if (starts_with("//") || (c == '#' && (at_ == 0 || text_[at_ - 1] == '\n'))) {
        skip_line();
      } else if (starts_with("/*")) {
        const std::size_t begin = line_;
        at_ += 2;
        while (!starts_with("*/")) {
          if (at_ == text_.size()) throw wrong_.at(begin, "'/*': expected '*/' after it");
          advance();
        }
        at_ += 2;
      } else {
        return;
      }
    }
  }

  std::string quoted() {
    const std::size_t begin = line_;
    std::string value;
    for (++at_;; advance()) {
      if (at_ == text_.size()) throw wrong_.at(begin, "a string in quotes: expected '\"' at its end");
      if (text_[at_] == '"') break;
      if (starts_with("\\\r\n"))
        at_ += 2;  // a line that goes on
      else if (starts_with("\\\n"))
        ++at_;
      else if (starts_with("\\\""))
        value += text_[++at_];
      else if (starts_with("\\\\"))
        value += text_[++at_ - 1], value += text_[at_];
      else
        value += text_[at_];
    }
    ++at_;
    return value;
  }

  std::string html() {
    const std::size_t begin_line = line_, begin = at_;
    std::size_t depth = 0;
    do {
      if (at_ == text_.size()) throw wrong_.at(begin_line, "'<': expected '>' at the end of an HTML label");
      if (text_[at_] == '<') ++depth;
      if (text_[at_] == '>') --depth;
      advance();
    } while (depth > 0);
    return std::string(text_.substr(begin, at_ - begin));
  }

  // -?(.d+ | d+(.d*)?)
  std::string number() {
    std::size_t end = at_ + (text_[at_] == '-' ? 1 : 0);
    const auto digits = [&] {
      const std::size_t first = end;
      while (end < text_.size() && is_digit(text_[end])) ++end;
      return end > first;
    };
    bool good = digits();
    if (end < text_.size() && text_[end] == '.') {
      ++end;
      good = digits() || good;
    }
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) {
      ++end;
      good = false;  // 12ab: Graphviz takes it for two nodes, which nobody means
    }
    const std::string_view word = text_.substr(at_, std::max<std::size_t>(end - at_, 1));
    if (!good)
      throw wrong_.at(line_, "{}: expected a name, quoted if it is no word and no number", in_quotes(word));
    at_ = end;
    return std::string(word);
  }

  std::string_view text_;
  const BadFile& wrong_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

// What Boost is given of a file: names are numbers of 8 digits, which sort in the order of their appearance.
struct Summary {
  std::string text;
  NameTable names;
  bool directed = false;
  bool strict = false;
  std::set<NodeId> routers;
  std::set<std::string> unused;  // see NamedEdges
};

class Summarizer {
 public:
  Summarizer(std::string_view text, const BadFile& wrong) : wrong_(wrong), scanner_(text, wrong) {}

  Summary run() {
    next_ = scanner_.next();
    for (advance(); now_.kind != TokenKind::kEnd; advance()) {
      if (++tokens_ > kMaxTokens) {
        throw wrong_.at(now_.line, "more than {} words; expected a smaller file, edge lists may be larger",
                        kMaxTokens);
      }
      take();
    }
    return std::move(summary_);
  }

 private:
  void advance() {
    before_ = std::move(now_);
    now_ = std::move(next_);
    next_ = now_.kind == TokenKind::kEnd ? Token{} : scanner_.next();
  }
  template <class... Args>
  std::invalid_argument wrong(fmt::format_string<Args...> what, Args&&... args) const {
    return wrong_.at(now_.line, "{}: {}", in_quotes(now_.text),
                     fmt::format(what, std::forward<Args>(args)...));
  }

  void take() {
    switch (now_.kind) {
      case TokenKind::kName:
        take_name();
        break;
      case TokenKind::kEdge:
        take_edge();
        break;
      case TokenKind::kKeyword:
        if (now_.text == "strict" && depth_ == 0) {
          summary_.strict = true;  // Boost would take a--b and b--a for two edges
          break;
        }
        if (depth_ == 0 && now_.text == "digraph") summary_.directed = true;
        summary_.text += now_.text + ' ';
        break;
      default:
        take_punctuation();
    }
  }

  void take_name() {
    const bool names_graph =
        before_.is_keyword("graph") || before_.is_keyword("digraph") || before_.is_keyword("subgraph");
    names_subgraph_ = before_.is_keyword("subgraph");
    if (names_graph || before_.is('=') || next_.is('=')) {
      summary_.text += "x ";
      return;
    }
    const bool is_new = !summary_.names.contains(now_.text);
    const std::optional<NodeId> number = summary_.names.number_of(now_.text);
    if (!number) throw wrong("expected at most {} nodes", kMaxNodes);
    if (is_new && new_nodes_route_.back()) summary_.routers.insert(*number);
    last_node_ = *number;
    of_edge_ = before_.kind == TokenKind::kEdge;
    summary_.text += fmt::format("{:08} ", *number);
  }

  void take_edge() {
    if (before_.is('}') || names_subgraph_ || next_.is('{') || next_.is_keyword("subgraph")) {
      throw wrong("edges of a subgraph are not supported; expected edges between single nodes");
    }
    if (now_.text != (summary_.directed ? "->" : "--")) {
      throw wrong("expected '{}' in a {}", summary_.directed ? "->" : "--",
                  summary_.directed ? "digraph" : "graph");
    }
    if (++edges_ > kMaxParsedEdges)
      throw wrong("expected at most {} edges; edge lists may have more", kMaxParsedEdges);
    summary_.text += now_.text;
  }

  void take_punctuation() {
    switch (now_.text.front()) {
      case '[':
        skip_attributes();
        summary_.text += "[]";
        break;
      case ':':
        if (before_.kind != TokenKind::kName || next_.kind != TokenKind::kName)
          throw wrong("expected a node before it and a port behind it");
        advance();
        break;
      case '{':
        if (++depth_ > kMaxNesting) throw wrong("nested too deeply; expected at most {} levels", kMaxNesting);
        new_nodes_route_.push_back(new_nodes_route_.back());
        // Boost 1.74 takes no group without a name, and copies the members of a group into every new group
        // within it, but not into one whose name it knows.
        if (depth_ > 1 && !names_group()) summary_.text += "subgraph x ";
        summary_.text += '{';
        break;
      case '}':
        --depth_;
        if (new_nodes_route_.size() > 1) new_nodes_route_.pop_back();
        summary_.text += '}';
        break;
      default:
        summary_.text += now_.text;
    }
  }

  // Whether the '{' at hand has "subgraph" or "subgraph NAME" before it, which the summary then ends with.
  bool names_group() {
    if (before_.is_keyword("subgraph")) summary_.text += "x ";
    return summary_.text.ends_with("subgraph x ");
  }

  void skip_attributes() {
    const std::size_t begin = now_.line;
    if (before_.kind == TokenKind::kKeyword)
      whose_ = before_.is_keyword("node")   ? Whose::kNewNodes
               : before_.is_keyword("edge") ? Whose::kEdge
                                            : Whose::kGraph;
    else if (before_.kind == TokenKind::kName)
      whose_ = names_subgraph_ ? Whose::kGraph : of_edge_ ? Whose::kEdge : Whose::kNode;
    for (advance(); !now_.is(']'); advance()) {
      if (now_.kind == TokenKind::kEnd) throw wrong_.at(begin, "'[': expected ']' after it");
      const bool known = now_.kind == TokenKind::kName || now_.is(',') || now_.is(';') || now_.is('=');
      if (!known || (now_.is('=') && (before_.kind != TokenKind::kName || next_.kind != TokenKind::kName)))
        throw wrong("expected attributes NAME=VALUE up to ']'");
      if (now_.is('=')) take_attribute(before_.text, next_.text);
    }
  }

  void take_attribute(const std::string& name, const std::string& value) {
    // Graphviz itself has a `weight` of edges, which is how short it draws them.
    if (whose_ == Whose::kEdge && is_link_speed(name) && name != "weight") summary_.unused.insert(name);
    if (name != kTypeOfNode) return;
    if (whose_ == Whose::kNewNodes) new_nodes_route_.back() = is_router_type(value);
    if (whose_ != Whose::kNode) return;
    if (is_router_type(value)) {
      summary_.routers.insert(last_node_);
    } else {
      summary_.routers.erase(last_node_);
    }
  }

  const BadFile& wrong_;
  Scanner scanner_;
  Token before_, now_, next_;
  Summary summary_;
  int depth_ = 0;
  bool names_subgraph_ = false;  // the last name was that of a subgraph
  enum class Whose { kGraph, kNewNodes, kNode, kEdge };
  Whose whose_ = Whose::kGraph;                  // attributes in brackets are that of
  NodeId last_node_ = 0;                         // named last
  bool of_edge_ = false;                         // and it is the end of an edge
  std::vector<bool> new_nodes_route_ = {false};  // by the defaults of the groups around
  std::size_t tokens_ = 0;
  std::size_t edges_ = 0;
};

NodeId number_in(const std::string& name) { return static_cast<NodeId>(parse_decimal(name).value()); }

// Receives what Boost has parsed.
class EdgeCollector : public boost::detail::graph::mutate_graph {
 public:
  explicit EdgeCollector(NamedEdges& result) : result_(result) {}
  bool is_directed() const override { return result_.directed; }
  void do_add_vertex(const std::string&) override {}
  void do_add_edge(const boost::detail::graph::edge_t&, const std::string& source,
                   const std::string& target) override {
    result_.edges.emplace_back(number_in(source), number_in(target));
  }
  void set_node_property(const std::string&, const std::string&, const std::string&) override {}
  void set_edge_property(const std::string&, const boost::detail::graph::edge_t&,
                         const std::string&) override {}
  void set_graph_property(const std::string&, const std::string&) override {}
  void finish_building_graph() override {}

 private:
  NamedEdges& result_;
};

// Boost shows a token as <kind> 'word'; the words are numbers of names here.
std::string with_names(std::string message, const NameTable& names) {
  const std::string_view mark = "<identifier> '";
  const std::size_t at = message.find(mark);
  if (at == std::string::npos) return message;
  const std::size_t begin = at + mark.size();
  const std::optional<std::uint64_t> number = parse_decimal(std::string_view(message).substr(begin, 8));
  if (number && *number < names.names().size())
    message.replace(begin, 8, one_line(names.names()[static_cast<std::size_t>(*number)]));
  return message;
}

}  // namespace

NamedEdges read_dot(std::string_view text, const std::string& shown) {
  const BadFile wrong(shown);
  Summary summary = Summarizer(text, wrong).run();
  NamedEdges result;
  result.directed = summary.directed;
  result.strict = summary.strict;
  EdgeCollector collector(result);
  try {
    boost::detail::graph::read_graphviz_new(summary.text, &collector);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw wrong("expected DOT; {}", printable(with_names(error.what(), summary.names)));
  }
  result.names = summary.names.names();
  result.routers = std::move(summary.routers);
  result.unused = std::move(summary.unused);
  return result;
}

}  // namespace safnet
