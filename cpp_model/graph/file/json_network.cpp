// Networks in JSON: networkx's node-link data, SCCL's matrix of links, and which of them a file is.
#include <algorithm>

#include "cpp_model/graph/file/bounded_json.hpp"
#include "cpp_model/graph/file/formats.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

using Json = nlohmann::json;

class NodeLinkReader {
 public:
  NodeLinkReader(const Json& file, const std::string& shown) : file_(file), wrong_(shown) {}

  NamedEdges read() {
    NamedEdges result;
    result.directed = flag("directed");
    result.strict = !flag("multigraph");
    const auto nodes = file_.find("nodes");
    if (nodes == file_.end() || !nodes->is_array())
      throw wrong_("nodes: expected an array of nodes with an 'id'");
    for (std::size_t i = 0; i < nodes->size(); ++i) {
      const std::string where = fmt::format("nodes[{}]", i);
      const std::string name = name_of((*nodes)[i], "id", where);
      if (names_.contains(name)) throw wrong_("{}.id: {}: given twice", where, in_quotes(name));
      const std::optional<NodeId> number = names_.number_of(name);
      if (!number) throw wrong_("expected at most {} nodes", kMaxNodes);
      const auto type = (*nodes)[i].find(kTypeOfNode);
      if (type != (*nodes)[i].end() && type->is_string() && is_router_type(type->get<std::string>()))
        result.routers.insert(*number);
    }
    const std::string key = file_.contains("links") ? "links" : "edges";  // the older name, and the newer
    const auto links = file_.find(key);
    if (links == file_.end() || !links->is_array())
      throw wrong_("links: expected an array of links with 'source' and 'target', or edges");
    if (links->size() > kMaxLinks) throw wrong_("{}: expected at most {}", key, kMaxLinks);
    for (std::size_t i = 0; i < links->size(); ++i) {
      const std::string where = fmt::format("{}[{}]", key, i);
      const Json& link = (*links)[i];
      const NodeId u = known(link, "source", where), v = known(link, "target", where);
      const std::uint64_t latency = latency_of(link, where);
      result.latencies.push_back({latency, latency});
      for (const auto& [attribute, value] : link.items()) {
        if (is_link_speed(attribute) && attribute != "latency") result.unused.insert(attribute);
      }
      result.edges.emplace_back(u, v);
    }
    result.names = names_.names();
    return result;
  }

 private:
  static constexpr std::size_t kMaxLinks = std::size_t{kMaxNodes} * kMaxDegree;

  bool flag(const std::string& key) const {
    const auto found = file_.find(key);
    if (found == file_.end()) return false;
    if (!found->is_boolean()) throw wrong_("{}: expected true or false", key);
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
    throw wrong_("{}.{}: expected a number, a word or an array of these", where, key);
  }
  NodeId known(const Json& link, const std::string& key, const std::string& where) {
    const std::string name = name_of(link, key, where);
    if (!names_.contains(name)) throw wrong_("{}.{}: {} is none of the nodes", where, key, in_quotes(name));
    return *names_.number_of(name);
  }
  std::uint64_t latency_of(const Json& link, const std::string& where) const {
    const auto latency = link.find("latency");
    const bool given = latency != link.end();
    if (given && !latency->is_number_unsigned())
      throw wrong_("{}.latency: expected a number of cycles", where);
    return given ? latency->get<std::uint64_t>() : 1;
  }

  const Json& file_;
  const BadFile wrong_;
  NameTable names_;
};

}  // namespace

NamedEdges read_link_matrix(const nlohmann::json& links, const std::string& shown) {
  const BadFile wrong(shown);
  if (!links.is_array() || links.size() < 2 || links.size() > kMaxNodes)
    throw wrong("links: expected a square matrix of 2 to {} rows", kMaxNodes);
  const auto n = static_cast<NodeId>(links.size());
  for (NodeId v = 0; v < n; ++v) {
    if (!links[v].is_array() || links[v].size() != n)
      throw wrong("links[{}]: expected a row of {} numbers", v, n);
    std::uint64_t degree = 0;
    for (NodeId u = 0; u < n; ++u) {
      const nlohmann::json& count = links[v][u];
      if (!count.is_number_unsigned() || count.get<std::uint64_t>() > kMaxDegree) {
        throw wrong("links[{}][{}]: {}; expected a number of links, 0 to {}", v, u,
                    in_quotes(count.is_structured() ? count.type_name() : count.dump(-1, ' ', true)),
                    kMaxDegree);
      }
      degree += count.get<std::uint64_t>();
    }
    if (degree > kMaxDegree)
      throw wrong("links[{}]: {} links; expected at most {} at a node", v, degree, kMaxDegree);
    if (links[v][v] != 0) throw wrong("links[{0}][{0}]: a node cannot be connected to itself", v);
  }
  NamedEdges result;
  for (NodeId v = 0; v < n; ++v) {
    for (NodeId u = v + 1; u < n; ++u) result.directed = result.directed || links[u][v] != links[v][u];
  }
  for (NodeId v = 0; v < n; ++v) {
    result.names.push_back(std::to_string(v));
    for (NodeId u = result.directed ? 0 : v + 1; u < n; ++u)
      result.edges.insert(result.edges.end(), links[u][v].get<std::uint32_t>(), {v, u});
  }
  return result;
}

NamedEdges read_json_network(std::string_view text, const std::string& shown) {
  const BadFile wrong(shown);
  const Json file = parse_bounded_json(text, shown);
  const auto is_matrix = [](const Json& json) {
    return json.is_object() && json.contains("links") && json["links"].is_array() && !json["links"].empty() &&
           json["links"][0].is_array();
  };
  const auto refuse_switches = [&](const Json& topology) {
    const auto switches = topology.find("switches");
    if (switches != topology.end() && !(switches->is_array() && switches->empty()))
      throw wrong("switches: a network has links alone; expected none");
  };
  if (is_matrix(file)) {
    refuse_switches(file);
    NamedEdges network = read_link_matrix(file["links"], shown);
    for (const char* costs : {"betas", "invbws"}) {  // of TACCL
      if (file.contains(costs)) network.unused.insert(costs);
    }
    return network;
  }
  if (file.is_object() && file.contains("gpus_per_node")) {
    throw wrong(
        "links: none, as in TACCL's profiles of topologies that it knows; expected those of a custom one, "
        "with a "
        "matrix 'links'");
  }
  if (file.is_object() && file.contains("topology") && is_matrix(file["topology"]))
    return read_link_matrix(file["topology"]["links"], shown);  // its switches are the schedule's port model
  if (file.is_object() && file.contains("nodes")) return NodeLinkReader(file, shown).read();
  throw wrong("expected node-link JSON (nodes, links) or a matrix 'links'");
}

}  // namespace safnet
