#include "cpp_model/interchange/sccl_write.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/interchange/chunk_set.hpp"
#include "cpp_model/interchange/recognise.hpp"
#include "cpp_model/interchange/sccl_read.hpp"
#include "cpp_model/interchange/step_timetable.hpp"
#include "cpp_model/number/disjoint_sets.hpp"
#include "cpp_model/schedule/collective.hpp"

namespace safnet {
namespace {

using Json = nlohmann::json;

// Writes, reads what it wrote, and compares: what nodes hold at an address is known only after all sends.
class ScclWriter {
 public:
  explicit ScclWriter(const Schedule& schedule) : schedule_(schedule), packets_(schedule.packets) {}

  std::string run() {
    check();
    assign_addresses();
    const std::string text = write();
    compare(text);
    return text;
  }

 private:
  template <class... Args>
  static std::invalid_argument cannot(fmt::format_string<Args...> what, Args&&... args) {
    return bad_input("schedule: {}: SCCL files cannot hold it",
                     fmt::format(what, std::forward<Args>(args)...));
  }
  std::string name(PacketIndex p) const { return packet_name(packets_, p); }

  void check() const {
    if (packets_.size() == 0) throw cannot("no packets");
    if (schedule_.network.has_routers()) throw cannot("nodes that only route");
    if (const std::string what = what_steps_cannot_say(schedule_); !what.empty()) throw cannot("{}", what);
    if (schedule_.network.node_count() > kMaxWrittenNodes)
      throw cannot("a link matrix of more than {} nodes", kMaxWrittenNodes);
    for (const Send& send : schedule_.sends) {
      if (send.start == 0 || send.link >= schedule_.network.link_count() || send.packet >= packets_.size())
        throw cannot("a send without slot, link or packet");
    }
  }

  // Packets that are combined with each other share an address.
  void assign_addresses() {
    DisjointSets together(packets_.size());
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      for (const PacketIndex part : packets_.parts(p)) {
        if (part >= p) throw cannot("{} has a part that comes later", name(p));
        together.join(part, p);
      }
    }
    std::vector<std::uint32_t> chunks;  // by address
    address_.resize(packets_.size());
    chunk_.resize(packets_.size());
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      if (together.leads(p)) {
        address_[p] = static_cast<std::uint32_t>(chunks.size());
        chunks.push_back(0);
      }
      address_[p] = address_[together.of(p)];
      if (packets_.parts(p).empty()) chunk_[p] = chunks[address_[p]]++;
    }
    std::uint64_t words = 0;
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      Identity identity{address_[p], packets_.origin(p), Bits(chunks[address_[p]])};
      if ((words += identity.chunks.num_blocks()) > kMaxSetWords) throw cannot("too many combinations");
      if (packets_.parts(p).empty()) identity.chunks.set(chunk_[p]);
      for (const PacketIndex part : packets_.parts(p)) {
        if (identity.chunks.intersects(identities_[part].chunks))
          throw cannot("{} counts a part twice", name(p));
        identity.chunks |= identities_[part].chunks;
      }
      identities_.push_back(std::move(identity));
    }
  }

  // Nodes that must have a chunk in the end: the destinations of all packets that it is in.
  std::vector<std::vector<NodeId>> posts() const {
    std::vector<std::vector<PacketIndex>> chunks(packets_.size());  // plain packets by address
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      if (packets_.parts(p).empty()) chunks[address_[p]].push_back(p);
    }
    std::vector<std::vector<NodeId>> post(packets_.size());
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      if (packets_.destinations(p).empty()) continue;
      for (const PacketIndex c : chunks[address_[p]]) {
        if (identities_[p].chunks[chunk_[c]])
          post[c].insert(post[c].end(), packets_.destinations(p).begin(), packets_.destinations(p).end());
      }
    }
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      std::sort(post[p].begin(), post[p].end());
      if (std::adjacent_find(post[p].begin(), post[p].end()) != post[p].end())
        throw cannot("{} reaches a node in two results", name(p));
    }
    return post;
  }

  std::string collective_name() const {
    const NodeId n = schedule_.network.node_count();
    for (const auto& [theirs, ours] : sccl_collectives()) {
      if (ours != schedule_.collective) continue;
      return ours == "total-exchange" ? fmt::format("{}(n={})", theirs, n)
                                      : fmt::format("{}(n={},root={})", theirs, n, schedule_.root);
    }
    return fmt::format("Custom(n={})", n);
  }

  std::string write() const {
    const Graph& graph = schedule_.network;
    const NodeId n = graph.node_count();
    const std::vector<std::vector<NodeId>> post = posts();
    Json chunks = Json::array();
    std::vector<std::set<std::uint32_t>> input(n), output(n);
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      if (!packets_.parts(p).empty()) continue;
      const NodeId origin = packets_.origin(p);
      chunks.push_back(
          {{"msccl_type", "chunk"}, {"pre", {origin}}, {"post", post[p]}, {"addr", address_[p]}});
      input[origin].insert(address_[p]);
      for (const NodeId v : post[p]) output[v].insert(address_[p]);
    }
    Json steps = Json::array();
    std::uint32_t slot = 0;
    for (const Send& send : schedule_.sends) {
      if (send.start < slot) throw cannot("sends that are not in order");
      if (send.start > slot + 1) steps.push_back(step(send.start - slot - 1));
      if (send.start > slot) steps.push_back(step(1));
      slot = send.start;
      steps.back()["sends"].push_back(
          {address_[send.packet], graph.link_source(send.link), graph.link_target(send.link)});
    }
    Json links = Json::array();
    for (NodeId v = 0; v < n; ++v) links.push_back(std::vector<std::uint32_t>(n));
    Json switches = Json::array();
    for (NodeId v = 0; v < n; ++v) {
      std::set<NodeId> successors, predecessors;
      for (PortId p = 0; p < graph.degree(v); ++p) {
        const NodeId u = graph.peer(v, p).node;
        links[u][v] = links[u][v].get<std::uint32_t>() + 1;
        successors.insert(u);
      }
      for (PortId q = 0; q < graph.in_degree(v); ++q) predecessors.insert(graph.feeder(v, q).node);
      const Json self = Json::array({v});
      if (schedule_.ports != PortModel::kAllPort)
        switches.push_back({self, Json(successors), 1, fmt::format("node_{}_out", v)});
      if (schedule_.ports == PortModel::kOnePort)
        switches.push_back({Json(predecessors), self, 1, fmt::format("node_{}_in", v)});
    }
    Json input_map = Json::object(), output_map = Json::object();
    for (NodeId v = 0; v < n; ++v) {
      if (!input[v].empty()) input_map[std::to_string(v)] = input[v];
      if (!output[v].empty()) output_map[std::to_string(v)] = output[v];
    }
    const Json instance{{"msccl_type", "instance"},
                        {"steps", steps.size()},
                        {"extra_rounds", extra_rounds(steps)},
                        {"chunks", 1},
                        {"pipeline", nullptr},
                        {"extra_memory", nullptr},
                        {"allow_exchange", false}};
    const Json collective{
        {"msccl_type", "collective"},  {"name", collective_name()},  {"nodes", n},
        {"chunks", std::move(chunks)}, {"triggers", Json::object()}, {"runtime_name", "custom"}};
    const Json topology{{"msccl_type", "topology"},
                        {"name", printable(graph.spelling())},
                        {"switches", std::move(switches)},
                        {"links", std::move(links)}};
    const Json algorithm{{"msccl_type", "algorithm"},
                         {"name", printable(schedule_.algorithm)},
                         {"instance", instance},
                         {"input_map", std::move(input_map)},
                         {"output_map", std::move(output_map)},
                         {"steps", std::move(steps)},
                         {"collective", collective},
                         {"topology", topology}};
    return algorithm.dump() + "\n";
  }

  static Json step(std::uint32_t rounds) {
    return {{"msccl_type", "step"}, {"rounds", rounds}, {"sends", Json::array()}};
  }
  static std::uint64_t extra_rounds(const Json& steps) {
    std::uint64_t rounds = 0;
    for (const Json& one : steps) rounds += one["rounds"].get<std::uint64_t>();
    return rounds - steps.size();
  }

  // What must be the same when read again, by packets' identities: destinations, and sends over any of
  // parallel links.
  using Delivered = std::map<Identity, std::vector<NodeId>>;
  using Sent = std::vector<std::tuple<std::uint32_t, NodeId, NodeId, std::uint32_t>>;

  Delivered delivered() const {
    Delivered result;
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      if (!result.emplace(identities_[p], sorted_destinations(packets_, p)).second)
        throw cannot("{} is made of the same as another packet", name(p));
    }
    return result;
  }
  static Sent sent(const Schedule& schedule, const std::vector<Identity>& identities, const Delivered& all) {
    std::vector<std::uint32_t> rank(identities.size());
    std::map<Identity, std::uint32_t> ranks;
    for (const auto& [identity, nodes] : all)
      ranks.emplace(identity, static_cast<std::uint32_t>(ranks.size()));
    for (std::size_t p = 0; p < rank.size(); ++p) rank[p] = ranks.at(identities[p]);
    Sent result;
    for (const Send& send : schedule.sends)
      result.emplace_back(send.start, schedule.network.link_source(send.link),
                          schedule.network.link_target(send.link), rank[send.packet]);
    std::sort(result.begin(), result.end());
    return result;
  }

  void compare(const std::string& text) const {
    const Delivered mine = delivered();
    const ScclImport read = [&] {
      try {
        return import_sccl(text, "what would be written");
      } catch (const std::invalid_argument& error) {
        throw cannot("{}", error.what());
      }
    }();
    const Schedule& other = read.read.schedule;
    Delivered theirs;
    for (PacketIndex p = 0; p < other.packets.size(); ++p)
      theirs.emplace(read.identities[p], sorted_destinations(other.packets, p));
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      const auto found = theirs.find(identities_[p]);
      if (found == theirs.end() || found->second != mine.at(identities_[p]))
        throw cannot("{}, which shared addresses do not express", name(p));
    }
    if (theirs.size() != mine.size()) throw cannot("combinations that shared addresses do not express");
    if (sent(schedule_, identities_, mine) != sent(other, read.identities, theirs))
      throw cannot("sends that bring a node what it has, or that shared addresses do not express");
  }

  static constexpr NodeId kMaxWrittenNodes = 2048;

  const Schedule& schedule_;
  const PacketList& packets_;
  std::vector<std::uint32_t> address_, chunk_;  // by packet; the chunk's number within its address
  std::vector<Identity> identities_;
};

}  // namespace

std::string sccl_text(const Schedule& schedule) { return ScclWriter(schedule).run(); }

}  // namespace safnet
