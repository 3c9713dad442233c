#include "cpp_model/graph/file/node_link_file.hpp"

// JSON networks: networkx's node-link data, and which of the formats a file is.
#include <fmt/format.h>

#include <stdexcept>

#include "cpp_model/graph/file/bounded_json.hpp"
#include "cpp_model/graph/file/link_matrix_file.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

using Json = nlohmann::json;

class NodeLinkReader {
 public:
  NodeLinkReader(const Json& file, const std::string& shown) : file_(file), shown_(shown) {}

  NamedEdges read() {
    NamedEdges result;
    result.directed = flag("directed");
    result.strict = !flag("multigraph");
    const auto nodes = file_.find("nodes");
    if (nodes == file_.end() || !nodes->is_array())
      throw wrong("nodes: expected an array of nodes with an 'id'");
    try {
      for (std::size_t i = 0; i < nodes->size(); ++i) {
        const std::string where = fmt::format("nodes[{}]", i);
        const std::string name = name_of((*nodes)[i], "id", where);
        if (names_.contains(name)) throw wrong(fmt::format("{}.id: {}: given twice", where, in_quotes(name)));
        names_.number_of(name);
      }
    } catch (const std::length_error&) {
      throw wrong(fmt::format("expected at most {} nodes", kMaxNodes));
    }
    const std::string key = file_.contains("links") ? "links" : "edges";  // the older name, and the newer
    const auto links = file_.find(key);
    if (links == file_.end() || !links->is_array())
      throw wrong("links: expected an array of links with 'source' and 'target', or edges");
    if (links->size() > kMaxLinks) throw wrong(fmt::format("{}: expected at most {}", key, kMaxLinks));
    for (std::size_t i = 0; i < links->size(); ++i) {
      const std::string where = fmt::format("{}[{}]", key, i);
      const Json& link = (*links)[i];
      const NodeId u = known(link, "source", where), v = known(link, "target", where);
      check_latency(link, where);
      result.edges.emplace_back(u, v);
    }
    result.names = names_.names();
    return result;
  }

 private:
  static constexpr std::size_t kMaxLinks = std::size_t{kMaxNodes} * kMaxDegree;

  std::invalid_argument wrong(const std::string& what) const {
    return std::invalid_argument(fmt::format("file '{}': {}", shown_, what));
  }
  bool flag(const std::string& key) const {
    const auto found = file_.find(key);
    if (found == file_.end()) return false;
    if (!found->is_boolean()) throw wrong(fmt::format("{}: expected true or false", key));
    return found->get<bool>();
  }
  // A number, a word, or the coordinates of a grid's node.
  std::string name_of(const Json& object, const std::string& key, const std::string& where) const {
    const auto value = object.is_object() ? object.find(key) : object.end();
    const auto simple = [](const Json& id) { return id.is_number_integer() || id.is_string(); };
    const auto text = [](const Json& id) { return id.is_string() ? id.get<std::string>() : id.dump(); };
    if (object.is_object() && value != object.end()) {
      if (simple(*value)) return text(*value);
      if (value->is_array() && !value->empty() && std::all_of(value->begin(), value->end(), simple)) {
        std::string joined;
        for (const Json& part : *value) joined += (joined.empty() ? "" : "_") + text(part);
        return joined;
      }
    }
    throw wrong(fmt::format("{}.{}: expected a number, a word or an array of these", where, key));
  }
  NodeId known(const Json& link, const std::string& key, const std::string& where) {
    const std::string name = name_of(link, key, where);
    if (!names_.contains(name)) {
      throw wrong(fmt::format("{}.{}: {} is none of the nodes", where, key, in_quotes(name)));
    }
    return names_.number_of(name);
  }
  void check_latency(const Json& link, const std::string& where) {
    const auto latency = link.find("latency");
    const bool given = latency != link.end();
    if (given && !latency->is_number_unsigned())
      throw wrong(fmt::format("{}.latency: expected a number of cycles", where));
    const std::uint64_t cycles = given ? latency->get<std::uint64_t>() : 1;
    if (latencies_.agrees(cycles)) return;
    throw wrong(fmt::format("{}.latency: {}, others {}; links of different latency are not supported", where,
                            cycles, latencies_.value()));
  }

  const Json& file_;
  const std::string& shown_;
  NameTable names_;
  CommonLatency latencies_;
};

}  // namespace

NamedEdges read_json_network(std::string_view text, const std::string& shown) {
  const Json file = parse_bounded_json(text, shown);
  const auto is_matrix = [](const Json& json) {
    return json.is_object() && json.contains("links") && json["links"].is_array() && !json["links"].empty() &&
           json["links"][0].is_array();
  };
  const auto refuse_switches = [&](const Json& topology) {
    const auto switches = topology.find("switches");
    if (switches != topology.end() && !(switches->is_array() && switches->empty())) {
      throw std::invalid_argument(
          fmt::format("file '{}': switches: a network has links alone; expected none", shown));
    }
  };
  if (is_matrix(file)) {
    refuse_switches(file);
    return read_link_matrix(file["links"], shown);
  }
  if (file.is_object() && file.contains("topology") && is_matrix(file["topology"]))
    return read_link_matrix(file["topology"]["links"], shown);  // its switches are the schedule's port model
  if (file.is_object() && file.contains("nodes")) return NodeLinkReader(file, shown).read();
  throw std::invalid_argument(
      fmt::format("file '{}': expected node-link JSON (nodes, links) or a matrix 'links'", shown));
}

}  // namespace safnet
