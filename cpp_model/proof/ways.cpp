#include "cpp_model/proof/ways.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "cpp_model/bound/certificate.hpp"
#include "cpp_model/proof/cut_prices.hpp"

namespace safnet {
namespace {

// Sizes up to which every packet's way is looked at, and prices that rise and fall are tried.
constexpr std::uint64_t kMostWays = std::uint64_t{1} << 26, kMostRampWork = std::uint64_t{1} << 22;
// Prices of links that differ are kept small.
constexpr std::uint64_t kMostCommon = 1'000'000;

class WaysArgument {
 public:
  // What goes to one node is read backwards: then there is one node to start from.
  WaysArgument(const Task& task, const ProofHint& hint)
      : backwards_(task.destinations.size() == 1 && task.origins.size() > 1),
        task_(backwards_ ? turned_round(task) : task),
        witness_(backwards_ ? turned_round(BoundWitness(hint.witness), task.nodes) : hint.witness),
        problem_(hint.problem) {}

  std::optional<Proof> find() {
    if (proves({})) return proof_;
    if (task_.origins.size() == 1) {
      if (at_witness() || proves(prices_of_smallest_cut(task_)) || (!task_.alike && proves_equal()))
        return proof_;
      return std::nullopt;
    }
    if (at_witness() || proves_equal() || proves_found() || proves_ramps()) return proof_;
    return std::nullopt;
  }

 private:
  // Keeps the first prices that prove it.
  bool proves(const SlotPrices& prices) {
    if (task_.steps == 0 && !prices.empty()) return false;
    if (!ways_cost_more(task_, prices)) return false;
    proof_.emplace();
    proof_->kind = ProofKind::kWays;
    proof_->backwards = backwards_;
    proof_->prices = prices;
    return true;
  }

  SlotPrices all(SlotKind kind, std::uint32_t count) const {
    SlotPrices prices;
    for (std::uint32_t i = 0; i < count; ++i) prices.push_back({kind, i, 1, task_.steps, 1});
    return prices;
  }
  std::uint32_t link_count() const { return static_cast<std::uint32_t>(task_.links.size()); }

  bool proves_equal() {
    if (!task_.sends_one) return proves(all(SlotKind::kLink, link_count())) || proves_equal_crossings();
    return proves(all(SlotKind::kSend, task_.nodes)) ||
           (task_.receives_one && proves(all(SlotKind::kReceive, task_.nodes)));
  }

  // Every crossing costs the same: a cycle of a link costs as much more as packets keep it busy for fewer.
  bool proves_equal_crossings() {
    std::uint64_t common = 1;
    for (const std::uint32_t busy : task_.busy) {
      common = std::lcm(common, std::uint64_t{busy});
      if (common > kMostCommon) return false;
    }
    if (common == 1) return false;
    SlotPrices prices = all(SlotKind::kLink, link_count());
    for (SlotPrice& price : prices) price.price = common / task_.busy[price.index];
    return proves(prices);
  }

  // Slots of the witness, each in the steps in which a packet can have reached it and still get on in time.
  bool at_witness() {
    const BoundWitness& witness = witness_;
    std::vector<std::uint8_t> inside(task_.nodes, 0);
    for (const NodeId v : witness.nodes) inside[v] = 1;
    const bool cut = witness.kind == WitnessKind::kCut;
    if (witness.kind == WitnessKind::kSending && witness.nodes.size() == 1 && task_.sends_one)
      return proves(windows(SlotKind::kSend, {witness.nodes[0]}));
    if (witness.kind == WitnessKind::kReceiving && witness.nodes.size() == 1 && task_.receives_one)
      return proves(windows(SlotKind::kReceive, {witness.nodes[0]}));
    if (witness.kind == WitnessKind::kReceiving) {
      for (std::uint8_t& mark : inside) mark ^= 1;
    } else if (!cut && witness.kind != WitnessKind::kSending) {
      return false;
    }
    return proves(across(inside, SlotKind::kLink)) ||
           (task_.sends_one && proves(across(inside, SlotKind::kSend))) ||
           (task_.receives_one && proves(across(inside, SlotKind::kReceive)));
  }
  SlotPrices windows(SlotKind kind, const std::vector<NodeId>& nodes) const {
    SlotPrices prices;
    if (witness_.before + 1 + witness_.after > task_.steps) return prices;
    for (const NodeId v : nodes)
      prices.push_back({kind, v, witness_.before + 1, task_.steps - witness_.after, 1});
    return prices;
  }
  SlotPrices across(const std::vector<std::uint8_t>& inside, SlotKind kind) const {
    return prices_across(task_, inside, kind, witness_.before, witness_.after);
  }

  bool proves_found() {
    if (!task_.alike) return false;
    Demand demand(task_.nodes, task_.origins, task_.destinations);
    demand.messages = task_.messages;
    const std::optional<Prices> found = find_prices(problem_.graph, demand, problem_.ports, task_.steps);
    if (!found) return false;
    SlotPrices prices;
    const auto add_all = [&](SlotKind kind, const std::vector<std::uint32_t>& list) {
      for (std::uint32_t i = 0; i < list.size(); ++i) {
        if (list[i] != 0) prices.push_back({kind, i, 1, task_.steps, list[i]});
      }
    };
    add_all(SlotKind::kLink, found->link);
    add_all(SlotKind::kSend, found->send);
    add_all(SlotKind::kReceive, found->receive);
    return proves(prices);
  }

  // All-port, where some nodes only route: links out of processors are dear at first, and links into them in
  // the end. Packets that go far enter the network early and leave it late; not all can do both.
  bool proves_ramps() {
    if (task_.sends_one || task_.processors == task_.nodes || !task_.alike) return false;
    const std::uint64_t steps = task_.steps;
    if (steps * steps * task_.links.size() * task_.origins.size() > kMostRampWork) return false;
    for (std::uint64_t height = 1; height < steps; ++height) {
      SlotPrices prices;
      for (std::uint32_t l = 0; l < link_count(); ++l) {
        for (std::uint64_t step = 1; step <= height; ++step) {
          const std::uint64_t price = height + 1 - step, last = steps + 1 - step;
          if (task_.links[l].from < task_.processors)
            prices.push_back({SlotKind::kLink, l, step, step, price});
          if (task_.links[l].to < task_.processors) prices.push_back({SlotKind::kLink, l, last, last, price});
        }
      }
      if (proves(prices)) return true;
    }
    return false;
  }

  bool backwards_;
  Task task_;
  BoundWitness witness_;
  const Problem& problem_;
  std::optional<Proof> proof_;
};

}  // namespace

std::optional<Proof> prove_by_ways(const Task& task, const ProofHint& hint) {
  if (task.origins.size() * task.destinations.size() > kMostWays) return std::nullopt;
  return WaysArgument(task, hint).find();
}

}  // namespace safnet
