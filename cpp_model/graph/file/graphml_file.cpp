// Nodes and edges are taken from the tags of the file, and all else, such as the drawings that editors store
// in GraphML, is passed over without being kept.
#include <algorithm>
#include <boost/locale/utf.hpp>
#include <charconv>
#include <iterator>
#include <map>
#include <optional>

#include "cpp_model/graph/file/formats.hpp"
#include "cpp_model/graph/file/xml_tags.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

// Appends the character that "#65" or "#x41" stands for, in UTF-8.
bool append_character(std::string_view entity, std::string& text) {
  const bool hexadecimal = entity.starts_with("#x");
  const std::string_view digits = entity.substr(std::min<std::size_t>(hexadecimal ? 2 : 1, entity.size()));
  std::uint32_t code = 0;
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), code, hexadecimal ? 16 : 10);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  if (!entity.starts_with('#') || !whole || code < ' ' || code > 0x10ffff) return false;
  boost::locale::utf::utf_traits<char>::encode(code, std::back_inserter(text));
  return true;
}

// The characters that a value with entities such as &amp; or &#65; stands for.
std::optional<std::string> without_entities(std::string_view value) {
  std::string result;
  while (!value.empty()) {
    const std::size_t and_sign = std::min(value.find('&'), value.size());
    result += value.substr(0, and_sign);
    value.remove_prefix(and_sign);
    if (value.empty()) break;
    const std::size_t end = value.find(';');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view entity = value.substr(1, end - 1);
    value.remove_prefix(end + 1);
    constexpr std::pair<std::string_view, char> kKnown[] = {
        {"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
    const auto* known = std::find_if(std::begin(kKnown), std::end(kKnown),
                                     [&](const auto& entry) { return entry.first == entity; });
    if (known != std::end(kKnown)) {
      result += known->second;
    } else if (!append_character(entity, result)) {
      return std::nullopt;
    }
  }
  return result;
}

class GraphmlReader {
 public:
  GraphmlReader(std::string_view text, const std::string& shown) : wrong_(shown), scanner_(text, wrong_) {}

  NamedEdges run() {
    XmlTag tag;
    while (scanner_.next(tag)) {
      if (tag.closes) {
        close(tag);
      } else {
        open(tag);
      }
    }
    if (!open_.empty()) {
      throw wrong_.at(scanner_.line(), "the end of the file: expected </{}> before it",
                      one_line(open_.back()));
    }
    if (!has_graph_) throw wrong_("expected GraphML with a <graph>");
    // Edges may come before the nodes that they join, so they are known to exist only now.
    if (names_.names().size() > declared_)
      throw wrong_("edge to node {}: expected a <node> with this id", in_quotes(undeclared()));
    result_.names = names_.names();
    return std::move(result_);
  }

 private:
  template <class... Args>
  std::invalid_argument wrong(const XmlTag& tag, fmt::format_string<Args...> what, Args&&... args) const {
    return wrong_.at(tag.line, "<{}>: {}", one_line(tag.name),
                     fmt::format(what, std::forward<Args>(args)...));
  }

  void open(const XmlTag& tag) {
    if (open_.empty()) {
      if (has_root_ || tag.name != "graphml") throw wrong(tag, "expected one element <graphml> around all");
      has_root_ = true;
    }
    if (open_.size() == kMostOpenTags)
      throw wrong(tag, "nested too deeply; expected at most {} levels", kMostOpenTags);
    const std::string_view parent = open_.empty() ? "" : open_.back();
    const bool in_graph = open_.size() == 2 && parent == "graph";
    if (open_.size() == 1 && tag.name == "graph") {
      open_graph(tag);
    } else if (in_graph && tag.name == "node") {
      take_node(tag);
    } else if (in_graph && tag.name == "edge") {
      take_edge(tag);
    } else if (in_graph && tag.name == "hyperedge") {
      throw wrong(tag, "hyperedges are not supported; expected edges between two nodes");
    } else if (open_.size() == 3 && (tag.name == "graph" || tag.name == "port")) {
      throw wrong(tag, "{}",
                  tag.name == "graph" ? "nested graphs are not supported; expected one <graph>"
                                      : "ports are not supported; expected edges between nodes");
    }
    if (tag.name == "key" && open_.size() == 1) take_key(tag);
    if (tag.name == "data" && open_.size() == 3) take_data_key(tag, parent);
    if (!tag.empty) open_.push_back(tag.name);
  }

  // <key id="d0" for="node" attr.name="type">: what <data key="d0"> in a <node> stands for.
  void take_key(const XmlTag& tag) {
    const std::string_view* id = tag.attribute("id");
    const std::string_view* name = tag.attribute("attr.name");
    const std::string_view* whose = tag.attribute("for");
    key_ = id == nullptr ? std::string_view() : *id;
    if (id == nullptr || name == nullptr) return;
    const bool of_all = whose == nullptr || *whose == "all";
    if (*name == kTypeOfNode && (of_all || *whose == "node")) type_key_ = *id;
    if (is_link_speed(*name) && (of_all || *whose == "edge")) speed_keys_.emplace(*id, *name);
  }

  void take_data_key(const XmlTag& tag, std::string_view parent) {
    const std::string_view* id = tag.attribute("key");
    key_ = id == nullptr ? std::string_view() : *id;
    const auto speed = parent == "edge" ? speed_keys_.find(key_) : speed_keys_.end();
    if (speed != speed_keys_.end()) result_.unused.emplace(speed->second);
  }

  // The text before </data> or </default>.
  void take_value(std::string_view element) {
    if (!type_key_ || key_ != *type_key_) return;
    std::string_view text = scanner_.text_before();
    while (!text.empty() && is_xml_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_xml_blank(text.back())) text.remove_suffix(1);
    if (element == "default" && open_.size() == 3 && open_[1] == "key")
      new_nodes_route_ = is_router_type(text);
    if (element != "data" || open_.size() != 4 || open_[2] != "node") return;
    if (is_router_type(text)) {
      result_.routers.insert(node_);
    } else {
      result_.routers.erase(node_);
    }
  }

  void close(const XmlTag& tag) {
    if (open_.empty() || open_.back() != tag.name) {
      throw wrong_.at(tag.line, "</{}>: expected {}", one_line(tag.name),
                      open_.empty() ? "nothing after </graphml>" : "</" + one_line(open_.back()) + ">");
    }
    take_value(tag.name);
    open_.pop_back();
  }

  void open_graph(const XmlTag& tag) {
    if (has_graph_) throw wrong(tag, "a second graph; expected one in a file");
    has_graph_ = true;
    const std::string_view* direction = tag.attribute("edgedefault");
    if (direction == nullptr || (*direction != "directed" && *direction != "undirected")) {
      throw wrong(tag, "expected edgedefault=\"undirected\" or \"directed\"");
    }
    result_.directed = *direction == "directed";
  }

  void take_node(const XmlTag& tag) {
    const NodeId number = number_of(tag, "id");
    if (number >= is_declared_.size()) is_declared_.resize(number + 1);
    if (is_declared_[number]) throw wrong(tag, "node {} is given twice", in_quotes(value_of(tag, "id")));
    is_declared_[number] = true;
    ++declared_;
    node_ = number;
    if (new_nodes_route_) result_.routers.insert(number);
  }

  void take_edge(const XmlTag& tag) {
    if (tag.attribute("sourceport") != nullptr || tag.attribute("targetport") != nullptr)
      throw wrong(tag, "ports are not supported; expected edges between nodes");
    const std::string_view* directed = tag.attribute("directed");
    if (directed != nullptr && *directed != (result_.directed ? "true" : "false")) {
      throw wrong(tag, "directed={}: expected all edges to be as the <graph> says, {}", in_quotes(*directed),
                  result_.directed ? "directed" : "undirected");
    }
    if (result_.edges.size() == kMaxParsedEdges)
      throw wrong(tag, "expected at most {} edges; edge lists may have more", kMaxParsedEdges);
    const NodeId source = number_of(tag, "source");
    result_.edges.emplace_back(source, number_of(tag, "target"));
  }

  std::string value_of(const XmlTag& tag, const char* key) const {
    const std::string_view* value = tag.attribute(key);
    if (value == nullptr) throw wrong(tag, "expected an attribute '{}'", key);
    const std::optional<std::string> name = without_entities(*value);
    if (!name) throw wrong(tag, "{}={}: expected characters", key, in_quotes(*value));
    return *name;
  }

  NodeId number_of(const XmlTag& tag, const char* key) {
    const std::optional<NodeId> number = names_.number_of(value_of(tag, key));
    if (!number) throw wrong(tag, "expected at most {} nodes", kMaxNodes);
    return *number;
  }

  const std::string& undeclared() const {
    std::size_t i = 0;
    while (i < is_declared_.size() && is_declared_[i]) ++i;
    return names_.names()[i];
  }

  const BadFile wrong_;
  XmlTagScanner scanner_;
  NamedEdges result_;
  NameTable names_;
  std::vector<std::string_view> open_;                       // elements that are not closed yet
  std::vector<bool> is_declared_;                            // by name: there is a <node> of it
  std::size_t declared_ = 0;                                 // how many
  std::optional<std::string_view> type_key_;                 // id of the <key> of nodes called "type"
  std::map<std::string_view, std::string_view> speed_keys_;  // names of <key>s of edges; see is_link_speed()
  std::string_view key_;                                     // of the <key> or <data> read last
  NodeId node_ = 0;                                          // of the <node> read last
  bool new_nodes_route_ = false;                             // nodes without such data
  bool has_root_ = false;
  bool has_graph_ = false;
};

}  // namespace

NamedEdges read_graphml(std::string_view text, const std::string& shown) {
  return GraphmlReader(text, shown).run();
}

}  // namespace safnet
