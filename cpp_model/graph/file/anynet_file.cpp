// BookSim's anynet, as its reader (src/networks/anynet.cpp there) understands it.
#include <algorithm>
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
    const bool hosts_apart =
        std::ranges::any_of(nodes_of_, [](const auto& at) { return at.second.size() > 1; });
    if (edges_.empty() && !hosts_apart) throw wrong_("no routers connected");
    NamedEdges result;
    std::map<NodeId, NodeId> number;  // of routers, in `names`
    const bool all_process =
        std::ranges::none_of(nodes_of_, [](const auto& at) { return at.second.empty(); });
    // A router with one node is the processor itself, if no router has several.
    if (hosts_apart) {
      for (const auto& [node, router] : router_of_) result.names.push_back(fmt::format("node_{}", node));
    }
    for (const auto& [router, nodes] : nodes_of_) {
      const auto next = static_cast<NodeId>(result.names.size());
      number.emplace(router, next);
      if (hosts_apart || nodes.empty()) result.routers.insert(next);
      const bool is_named = hosts_apart || !all_process;
      result.names.push_back(is_named ? fmt::format("router_{}", router) : std::to_string(router));
    }
    if (result.names.size() > kMaxNodes)
      throw wrong_("{} nodes and routers; expected at most {}", result.names.size(), kMaxNodes);
    if (hosts_apart) {
      for (NodeId host = 0; const auto& [node, router] : router_of_) {
        result.edges.emplace_back(host++, number.at(router));
        const auto channel = channel_latencies_.find(node);
        const std::uint64_t cycles = channel == channel_latencies_.end() ? 1 : channel->second;
        result.latencies.push_back({cycles, cycles});
      }
    }
    const std::size_t first = result.edges.size();
    result.edges.resize(first + edges_.size());
    result.latencies.resize(result.edges.size());
    for (const auto& [ends, i] : edges_) {
      result.edges[first + i] = {number.at(ends.first), number.at(ends.second)};
      result.latencies[first + i] = {latency(ends.first, ends.second), latency(ends.second, ends.first)};
    }
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

  // A direction for which the file gives no latency has 1.
  std::uint64_t latency(NodeId from, NodeId to) const {
    const auto found = latencies_.find({from, to});
    return found == latencies_.end() ? 1 : found->second;
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
    const NodeId router = head.router ? head.id : body.id, node = head.router ? body.id : head.id;
    const auto [at, is_new] = router_of_.try_emplace(node, router);
    if (!is_new && at->second != router) {
      throw wrong_.at(line_, "node {}: connected to router {} and router {}; expected one", node, at->second,
                      router);
    }
    nodes_of_[router].insert(node);
    if (latency != 1) channel_latencies_[node] = latency;
  }

  const BadFile wrong_;
  std::size_t line_ = 0;
  std::map<NodeId, std::set<NodeId>> nodes_of_;  // by router
  std::map<NodeId, NodeId> router_of_;
  std::map<std::pair<NodeId, NodeId>, std::size_t> edges_;  // in the order of their first mention
  std::map<std::pair<NodeId, NodeId>, std::uint64_t> latencies_;
  std::map<NodeId, std::uint64_t> channel_latencies_;  // by node
};

}  // namespace

NamedEdges read_anynet(std::string_view text, const std::string& shown) {
  AnynetReader reader(shown);
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);) reader.read_line(line);
  return reader.network();
}

}  // namespace safnet
