// BookSim's anynet, as its reader (src/networks/anynet.cpp there) understands it.
#include <map>
#include <set>
#include <sstream>

#include "cpp_model/graph/file/formats.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

class AnynetReader {
 public:
  explicit AnynetReader(const std::string& shown) : wrong_(shown) {}

  void read_line(const std::string& line) {
    ++line_;
    std::istringstream stream(line.substr(0, line.find('#')));
    std::string word;
    if (!(stream >> word)) return;
    const End head{is_router(word), read_number(stream)};
    for (bool have_word = static_cast<bool>(stream >> word); have_word;) {
      const End body{is_router(word), read_number(stream)};
      have_word = static_cast<bool>(stream >> word);
      std::uint64_t latency = 1;
      if (have_word && word != "router" && word != "node") {
        const std::optional<std::uint64_t> value = parse_decimal(word);
        if (!value) throw wrong_.at(line_, "{}: expected 'router', 'node' or a latency", in_quotes(word));
        latency = *value;
        have_word = static_cast<bool>(stream >> word);
      }
      connect(head, body, latency);
    }
  }

  NamedEdges network() const {
    if (edges_.empty()) throw wrong_("no routers connected");
    CommonLatency latencies;
    for (const auto& [ends, in_order] : edges_) {
      for (const auto& [from, to] : {ends, std::pair(ends.second, ends.first)}) {
        // Where a direction's latency is not given, it is 1.
        const auto given = latencies_.find({from, to});
        const std::uint64_t latency = given == latencies_.end() ? 1 : given->second;
        if (latencies.agrees(latency)) continue;
        throw wrong_(
            "link from router {} to router {}: latency {}, others {}; links of "
            "different latency are not supported",
            from, to, latency, latencies.value());
      }
    }
    NamedEdges result;
    std::map<NodeId, NodeId> number;
    for (const auto& [router, nodes] : nodes_of_) {
      if (nodes.size() != 1)
        throw wrong_("router {} has {} nodes; expected one, its host", router, nodes.size());
      number.emplace(router, static_cast<NodeId>(number.size()));
      result.names.push_back(std::to_string(router));
    }
    result.edges.resize(edges_.size());
    for (const auto& [ends, i] : edges_) result.edges[i] = {number.at(ends.first), number.at(ends.second)};
    return result;
  }

 private:
  struct End {
    bool router = false;
    NodeId id = 0;
  };

  bool is_router(const std::string& word) const {
    if (word != "router" && word != "node")
      throw wrong_.at(line_, "{}: expected 'router' or 'node'", in_quotes(word));
    return word == "router";
  }
  NodeId read_number(std::istringstream& stream) const {
    std::string word;
    stream >> word;
    const std::optional<std::uint64_t> value = parse_decimal(word);
    if (!value || *value >= kMaxNodes)
      throw wrong_.at(line_, "number {}: expected 0 to {}", in_quotes(word), kMaxNodes - 1);
    return static_cast<NodeId>(*value);
  }

  void connect(const End& head, const End& body, std::uint64_t latency) {
    if (!head.router && !body.router)
      throw wrong_.at(line_, "node {} and node {}: nodes are connected to routers only", head.id, body.id);
    for (const End* end : {&head, &body}) {
      if (end->router) nodes_of_[end->id];
    }
    if (head.router && body.router) {
      if (head.id == body.id)
        throw wrong_.at(line_, "router {}: a router cannot be connected to itself", head.id);
      edges_.try_emplace(std::minmax(head.id, body.id), edges_.size());
      if (edges_.size() > std::size_t{kMaxNodes} * kMaxDegree) throw wrong_.at(line_, "too many connections");
      if (latency != 1) latencies_[{head.id, body.id}] = latency;
      return;
    }
    // The channel between a node and its router is no link of the network: its latency does not count.
    const NodeId router = head.router ? head.id : body.id, node = head.router ? body.id : head.id;
    const auto [at, is_new] = router_of_.try_emplace(node, router);
    if (!is_new && at->second != router) {
      throw wrong_.at(line_, "node {}: connected to router {} and router {}; expected one", node, at->second,
                      router);
    }
    nodes_of_[router].insert(node);
  }

  const BadFile wrong_;
  std::size_t line_ = 0;
  std::map<NodeId, std::set<NodeId>> nodes_of_;  // by router
  std::map<NodeId, NodeId> router_of_;
  std::map<std::pair<NodeId, NodeId>, std::size_t> edges_;  // in the order of their first mention
  std::map<std::pair<NodeId, NodeId>, std::uint64_t> latencies_;
};

}  // namespace

NamedEdges read_anynet(std::string_view text, const std::string& shown) {
  AnynetReader reader(shown);
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);) reader.read_line(line);
  return reader.network();
}

}  // namespace safnet
