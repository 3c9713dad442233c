#include "cpp_model/interchange/sccl_document.hpp"

#include <optional>
#include <set>

#include "cpp_model/graph/file/formats.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"

namespace safnet {
namespace {

constexpr std::size_t kMaxNameTried = 256;

// Number of links from v to u, by (v, u).
std::map<std::pair<NodeId, NodeId>, std::uint32_t> multiplicities(const Graph& graph) {
  std::map<std::pair<NodeId, NodeId>, std::uint32_t> links;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    for (PortId p = 0; p < graph.degree(v); ++p) ++links[{v, graph.peer(v, p).node}];
  }
  return links;
}

}  // namespace

ScclDocument::ScclDocument(const Json& file, const std::string& shown)
    : file_(file), shown_(shown), wrong_(shown), graph_(read_topology()), n_(graph_.node_count()) {
  links_ = multiplicities(graph_);
  ports_ = read_ports();
  read_instance();
  read_chunks();
  for (const char* key : {"input_map", "output_map"}) check_map(key);
}

std::string ScclDocument::show(const Json& json) {
  if (json.is_structured()) return in_quotes(json.type_name());
  return in_quotes(json.is_string() ? json.get<std::string>() : json.dump());
}
const ScclDocument::Json& ScclDocument::member(const Json& object, const std::string& key,
                                               const std::string& where) const {
  if (!object.is_object()) throw wrong_("{}: expected an object", where);
  const auto found = object.find(key);
  if (found == object.end()) throw wrong_("{}: '{}' is missing", where, key);
  return *found;
}
const ScclDocument::Json& ScclDocument::array(const Json& object, const std::string& key,
                                              const std::string& where) const {
  const Json& found = member(object, key, where);
  if (!found.is_array()) throw wrong_("{}.{}: expected an array", where, key);
  return found;
}
std::uint64_t ScclDocument::number(const Json& json, std::uint64_t least, std::uint64_t most,
                                   const std::string& where) const {
  if (!json.is_number_unsigned() || json.get<std::uint64_t>() < least || json.get<std::uint64_t>() > most)
    throw wrong_("{}: {}; expected a number from {} to {}", where, show(json), least, most);
  return json.get<std::uint64_t>();
}
std::vector<NodeId> ScclDocument::nodes(const Json& json, const std::string& where) const {
  if (!json.is_array()) throw wrong_("{}: expected an array of nodes", where);
  std::set<NodeId> result;
  for (const Json& node : json) {
    if (!result.insert(static_cast<NodeId>(number(node, 0, n_ - 1, where))).second)
      throw wrong_("{}: node {} given twice", where, node.get<NodeId>());
  }
  return {result.begin(), result.end()};
}
std::string ScclDocument::word(const Json& object, const std::string& key) const {
  const auto found = object.is_object() ? object.find(key) : object.end();
  return object.is_object() && found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

Graph ScclDocument::read_topology() {
  if (!file_.is_object()) throw wrong_("expected an object, msccl_type 'algorithm'");
  const auto type = file_.find("msccl_type");
  if (type != file_.end() && *type != "algorithm")
    throw wrong_("msccl_type: {}; expected 'algorithm'", show(*type));
  const Json& topology = member(file_, "topology", "algorithm");
  NamedEdges edges = read_link_matrix(member(topology, "links", "topology"), shown_);
  std::string spelling = edges.directed ? "links:" : "edges:";
  for (const auto& [u, v] : edges.edges)
    spelling += fmt::format("{}{}-{}", spelling.size() > 6 ? "," : "", u, v);
  Graph graph = graph_of_named_edges(std::move(edges), shown_, spelling);
  // If the name spells one of our networks, that one has coordinates too. A name must never open a file.
  const std::string name = word(topology, "name");
  if (name.size() > kMaxNameTried || name.find("graph") != std::string::npos) return graph;
  try {
    const Graph named = make_topology(name);
    if (!named.has_routers() && named.node_count() == graph.node_count() &&
        multiplicities(named) == multiplicities(graph))
      return named;
  } catch (const std::invalid_argument&) {
    // Not a spelling of ours.
  }
  return graph;
}

PortModel ScclDocument::read_ports() {
  const Json& switches = array(file_["topology"], "switches", "topology");
  if (switches.empty()) return PortModel::kAllPort;
  std::vector<std::vector<NodeId>> successors(n_), predecessors(n_);
  for (const auto& [ends, links] : links_) {
    successors[ends.first].push_back(ends.second);
    predecessors[ends.second].push_back(ends.first);
  }
  std::set<NodeId> out, in;  // nodes that such a switch limits
  std::string an_out, an_in;
  for (std::size_t i = 0; i < switches.size(); ++i) {
    const Json& entry = switches[i];
    const std::string where = fmt::format("topology.switches[{}]", i);
    if (!entry.is_array() || entry.size() != 4 || !entry[3].is_string())
      throw wrong_("{}: expected [sources, destinations, limit, name]", where);
    const std::string name = fmt::format("switch {}", in_quotes(entry[3].get<std::string>()));
    const std::vector<NodeId> sources = nodes(entry[0], name), targets = nodes(entry[1], name);
    if (number(entry[2], 0, kMaxRounds, name) == 1) {
      if (sources.size() == 1 && targets == successors[sources[0]] && out.insert(sources[0]).second) {
        an_out = name;
        continue;
      }
      if (targets.size() == 1 && sources == predecessors[targets[0]] && in.insert(targets[0]).second) {
        an_in = name;
        continue;
      }
    }
    throw wrong_(
        "{}: cannot be mapped; expected one-port nodes, ([node], its neighbours, 1) and "
        "(its neighbours, [node], 1)",
        name);
  }
  if (out.size() != n_ || (!in.empty() && in.size() != n_)) {
    const bool lacks_out = out.size() != n_ && !out.empty();
    throw wrong_("{}: limits some nodes alone; expected such a switch at every node{}",
                 lacks_out ? an_out : an_in, out.empty() ? ", and one for what leaves it" : "");
  }
  return in.empty() ? PortModel::kOnePortSend : PortModel::kOnePort;
}

void ScclDocument::read_instance() {
  const auto instance = file_.find("instance");
  if (instance == file_.end()) return;
  if (!instance->is_object()) throw wrong_("instance: expected an object");
  const auto pipeline = instance->find("pipeline");
  if (pipeline != instance->end() && !pipeline->is_null())
    throw wrong_("instance.pipeline: {}; pipelined algorithms cannot be mapped, expected null",
                 show(*pipeline));
  const auto chunks = instance->find("chunks");
  if (chunks != instance->end() && !chunks->is_null())
    chunk_up_ = number(*chunks, 1, kMaxAddresses, "instance.chunks");
}

// The file's chunks are before chunk-up: each stands for chunk_up_ chunks with addresses of their own.
void ScclDocument::read_chunks() {
  const Json& collective = member(file_, "collective", "algorithm");
  if (number(member(collective, "nodes", "collective"), 0, kMaxNodes, "collective.nodes") != n_)
    throw wrong_("collective.nodes: {}; expected {} as in the topology", show(collective["nodes"]), n_);
  const auto triggers = collective.find("triggers");
  if (triggers != collective.end() && !triggers->is_null() && !triggers->empty())
    throw wrong_("collective.triggers: cannot be mapped; expected none");
  const Json& chunks = array(collective, "chunks", "collective");
  if (chunks.empty() || chunks.size() > kMaxAddresses / chunk_up_)
    throw wrong_("collective.chunks: {} chunks times {}; expected 1 to {}", chunks.size(), chunk_up_,
                 kMaxAddresses);
  std::map<std::uint64_t, std::vector<std::uint32_t>> by_address;
  pre_.resize(chunks.size());
  post_.resize(chunks.size());
  std::uint64_t copies = 0;
  for (std::uint32_t i = 0; i < chunks.size(); ++i) {
    const std::string where = fmt::format("collective.chunks[{}]", i);
    const std::uint64_t address =
        number(member(chunks[i], "addr", where), 0, kMaxAddresses / chunk_up_ - 1, where + ".addr");
    pre_[i] = nodes(member(chunks[i], "pre", where), where + ".pre");
    post_[i] = nodes(member(chunks[i], "post", where), where + ".post");
    if (pre_[i].empty()) throw wrong_("{}.pre: expected a node that has it", where);
    copies += (pre_[i].size() + post_[i].size()) * chunk_up_;
    by_address[address].push_back(i);
  }
  if (copies > PacketList::kMaxPackets)
    throw wrong_("collective.chunks: expected at most {} entries in 'pre' and 'post'",
                 PacketList::kMaxPackets);
  for (const auto& [address, of_it] : by_address) {
    for (std::uint64_t k = 0; k < chunk_up_; ++k) {
      index_of_[address * chunk_up_ + k] = static_cast<std::uint32_t>(addresses_.size());
      addresses_.push_back({address * chunk_up_ + k, of_it});
    }
  }
}

void ScclDocument::check_map(const std::string& key) {
  const auto map = file_.find(key);
  if (map == file_.end()) return;
  if (!map->is_object()) throw wrong_("{}: expected an object", key);
  std::set<std::uint64_t> expected, given;  // places
  for (std::uint32_t a = 0; a < addresses_.size(); ++a) {
    for (const std::uint32_t chunk : addresses_[a].chunks) {
      for (const NodeId v : key == "input_map" ? pre_[chunk] : post_[chunk]) expected.insert(place(a, v));
    }
  }
  for (const auto& [node, list] : map->items()) {
    const std::optional<std::uint64_t> v = parse_decimal(node);
    if (!v || *v >= n_) throw wrong_("{}: node {}; expected 0 to {}", key, in_quotes(node), n_ - 1);
    if (!list.is_array()) throw wrong_("{}['{}']: expected an array of addresses", key, *v);
    for (const Json& address : list) {
      const std::uint64_t a = number(address, 0, kMaxAddresses - 1, key);
      const auto index = index_of_.find(a);
      if (index == index_of_.end() || !expected.contains(place(index->second, static_cast<NodeId>(*v))))
        throw wrong_("{}['{}']: address {}; the chunks say otherwise", key, *v, a);
      given.insert(place(index->second, static_cast<NodeId>(*v)));
    }
  }
  for (const std::uint64_t at : expected) {
    if (!given.contains(at))
      throw wrong_("{}['{}']: address {} is missing, the chunks have it", key, at % n_,
                   addresses_[at / n_].number);
  }
}

}  // namespace safnet
