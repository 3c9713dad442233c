#include "cpp_model/proof/entries.hpp"

#include <algorithm>
#include <utility>

#include "cpp_model/proof/cut_prices.hpp"
#include "cpp_model/proof/ways.hpp"

namespace safnet {
namespace {

// Sizes up to which smallest cuts are looked for, up to which every node is tried as the one that sends, and
// up to which sets of all nodes are.
constexpr std::uint64_t kMostCutWork = std::uint64_t{1} << 23;
constexpr NodeId kMostNodesTried = 64, kMostNodesEntered = 1024;

class EntriesArgument {
 public:
  EntriesArgument(const Task& task, const ProofHint& hint)
      : task_(task), hint_(hint), wiring_(wiring_of(task)), back_(wiring_.reversed()) {}

  std::optional<Proof> find() {
    if (too_far() || to_one_node(hint_.witness.nodes) || every_node() || nodes_of_witness() || rest_of_cut())
      return proof_;
    if (sent_by(hint_.witness.nodes)) return proof_;
    if (task_.nodes <= kMostNodesTried && task_.sends_one && task_.origins.size() > 1) {
      for (NodeId v = 0; v < task_.nodes; ++v) {
        if (sent_by({v})) return proof_;
      }
    }
    if (to_one_node(task_.destinations)) return proof_;
    return std::nullopt;
  }

 private:
  // The packet of an origin cannot be at a destination in time.
  bool too_far() {
    for (const NodeId origin : task_.origins) {
      const std::vector<std::uint64_t> there = soonest(task_, {origin});
      for (const NodeId v : task_.destinations) {
        if (there[v] <= task_.steps) continue;
        proof_.emplace();
        proof_->kind = ProofKind::kWays;
        proof_->destination = v;
        return true;
      }
    }
    return false;
  }

  // The packets for one node alone: they are personal packets.
  bool to_one_node(const std::vector<NodeId>& nodes) {
    std::uint64_t work = 0;
    for (const NodeId v : nodes) {
      if (v >= task_.processors || (task_.origins.size() == 1 && task_.origins[0] == v)) continue;
      work += (task_.steps + 1) * (task_.links.size() + task_.nodes);
      if (work > kMostCutWork) return false;
      Task personal = task_;
      personal.copied = false;
      personal.destinations = {v};
      if (auto proof = prove_by_ways(personal, hint_)) {
        proof_ = std::move(proof);
        proof_->destination = v;
        return true;
      }
    }
    return false;
  }

  bool proves(const std::vector<std::vector<NodeId>>& sets, const SlotPrices& prices) {
    if (task_.steps == 0 || !entries_cost_more(task_, sets, prices)) return false;
    proof_.emplace();
    proof_->kind = ProofKind::kEntries;
    proof_->sets = sets;
    proof_->prices = prices;
    return true;
  }
  SlotPrice always(SlotKind kind, std::uint32_t index) const { return {kind, index, 1, task_.steps, 1}; }

  // Nodes that each get every packet, and the links or ports that bring them.
  bool each_of(const std::vector<NodeId>& nodes) {
    std::vector<std::vector<NodeId>> sets;
    std::vector<std::uint8_t> wanted(task_.nodes, 0), feeds(task_.nodes, 0);
    for (const NodeId v : nodes) {
      sets.push_back({v});
      wanted[v] = 1;
    }
    SlotPrices links, senders, receivers;
    for (std::uint32_t l = 0; l < task_.links.size(); ++l) {
      const auto [from, to] = task_.links[l];
      if (wanted[to] == 0) continue;
      links.push_back(always(SlotKind::kLink, l));
      if (std::exchange(feeds[from], std::uint8_t{1}) == 0) senders.push_back(always(SlotKind::kSend, from));
    }
    for (const NodeId v : nodes) receivers.push_back(always(SlotKind::kReceive, v));
    return (task_.sends_one && proves(sets, senders)) || (task_.receives_one && proves(sets, receivers)) ||
           proves(sets, links);
  }
  bool every_node() { return task_.nodes <= kMostNodesEntered && each_of(task_.destinations); }
  bool nodes_of_witness() {
    const std::vector<NodeId>& nodes = hint_.witness.nodes;
    return nodes.size() > 1 && nodes.size() <= kMostNodesEntered && each_of(nodes);
  }

  // What must get out of the set of the witness, into the rest of the network.
  bool rest_of_cut() {
    if (hint_.witness.kind != WitnessKind::kCut) return false;
    std::vector<std::uint8_t> inside(task_.nodes, 0);
    for (const NodeId v : hint_.witness.nodes) inside[v] = 1;
    std::vector<NodeId> rest;
    for (NodeId v = 0; v < task_.nodes; ++v) {
      if (inside[v] == 0) rest.push_back(v);
    }
    return proves({rest}, prices_across(task_, inside, SlotKind::kLink)) ||
           (task_.sends_one && proves({rest}, prices_across(task_, inside, SlotKind::kSend))) ||
           (task_.receives_one && proves({rest}, prices_across(task_, inside, SlotKind::kReceive)));
  }

  // What these nodes must send, one packet per step each, into the parts that only they lead to.
  bool sent_by(const std::vector<NodeId>& senders) {
    if (!task_.sends_one || senders.empty() || task_.nodes > kMostNodesEntered) return false;
    const std::vector<std::vector<NodeId>> parts = parts_fed_by(senders);
    if (parts.empty()) return false;
    std::vector<std::uint8_t> origins(task_.nodes, 0);
    for (const NodeId v : task_.origins) origins[v] = 1;
    const std::vector<std::uint32_t> there_after = wiring_.distance_from_nearest(origins);
    std::uint64_t longest = 0;
    for (const NodeId v : senders) {
      for (const std::uint32_t hops : wiring_.distances_from(v))
        longest = std::max<std::uint64_t>(longest, hops);
    }
    longest = std::min(longest, task_.steps);
    for (std::uint64_t before = 0; before <= longest; ++before) {
      for (std::uint64_t after = 0; after <= longest; ++after) {
        SlotPrices prices;
        for (const NodeId v : senders) {
          const std::uint64_t first = std::max<std::uint64_t>(before, there_after[v]) + 1;
          if (first + after <= task_.steps)
            prices.push_back({SlotKind::kSend, v, first, task_.steps - after, 1});
        }
        if (proves(parts, prices)) return true;
      }
    }
    return false;
  }

  // Without the links that leave the senders the network falls into parts: those that no other leads to.
  std::vector<std::vector<NodeId>> parts_fed_by(const std::vector<NodeId>& senders) const {
    std::vector<std::uint8_t> sends(task_.nodes, 0), done(task_.nodes, 0);
    for (const NodeId v : senders) sends[v] = 1;
    const auto reached = [&](NodeId start, bool backwards) {
      std::vector<std::uint8_t> marks(task_.nodes, 0);
      std::vector<NodeId> order{start};
      marks[start] = 1;
      for (std::size_t i = 0; i < order.size(); ++i) {
        if (!backwards && sends[order[i]] != 0) continue;
        for (const NodeId u : (backwards ? back_ : wiring_).targets_of(order[i])) {
          if (marks[u] != 0 || (backwards && sends[u] != 0)) continue;
          marks[u] = 1;
          order.push_back(u);
        }
      }
      return marks;
    };
    std::vector<std::vector<NodeId>> parts;
    for (NodeId v = 0; v < task_.nodes; ++v) {
      if (done[v] != 0) continue;
      const std::vector<std::uint8_t> leads_to_v = reached(v, true), led_to = reached(v, false);
      std::vector<NodeId> part;
      bool closed = true;
      for (NodeId u = 0; u < task_.nodes; ++u) {
        if (leads_to_v[u] == 0) continue;
        part.push_back(u);
        closed = closed && led_to[u] != 0;
      }
      if (!closed) continue;
      for (const NodeId u : part) done[u] = 1;
      parts.push_back(std::move(part));
    }
    return parts;
  }

  const Task& task_;
  const ProofHint& hint_;
  Wiring wiring_, back_;
  std::optional<Proof> proof_;
};

}  // namespace

std::optional<Proof> prove_by_entries(const Task& task, const ProofHint& hint) {
  return EntriesArgument(task, hint).find();
}

}  // namespace safnet
