#include "sim/tdm/tdm_waits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <utility>

#include "cpp_model/graph/input.hpp"

namespace safnet {
namespace {

constexpr std::uint64_t kMostInstructions = 100'000'000;
constexpr std::uint32_t kNothing = std::numeric_limits<std::uint32_t>::max();

using Index = std::uint32_t;  // of an instruction

// All instructions in a row: of each node the sends of each lane, then the receives of each lane.
class Instructions {
 public:
  Instructions(const Graph& graph, const TdmProgram& program) : graph_(graph) {
    std::uint64_t count = 0;
    const auto add = [&](NodeId v, bool is_send, std::size_t lane, std::size_t size) {
      lanes_.push_back({static_cast<Index>(count), {v, is_send, static_cast<std::uint32_t>(lane), 0}});
      count += size;
      if (count > kMostInstructions)
        throw bad_input("{}: more than {} instructions; expected fewer", graph.spelling(), kMostInstructions);
    };
    for (NodeId v = 0; v < program.nodes.size(); ++v) {
      const TdmNodeProgram& node = program.nodes[v];
      first_.push_back(lanes_.size());
      for (std::size_t p = 0; p < graph.degree(v); ++p)
        add(v, true, p, p < node.sends.size() ? node.sends[p].size() : 0);
      for (std::size_t i = 0; i < node.loopbacks.size(); ++i)
        add(v, true, graph.degree(v) + i, node.loopbacks[i].sends.size());
      for (std::size_t p = 0; p < graph.in_degree(v); ++p)
        add(v, false, p, p < node.receives.size() ? node.receives[p].size() : 0);
      add(v, false, graph.in_degree(v), node.loads.size());
      for (std::size_t i = 0; i < node.loopbacks.size(); ++i)
        add(v, false, graph.in_degree(v) + 1 + i, node.loopbacks[i].receives.size());
      loopbacks_.push_back(static_cast<std::uint32_t>(node.loopbacks.size()));
    }
    count_ = static_cast<Index>(count);
  }

  Index count() const { return count_; }
  Index send(NodeId v, std::size_t lane, std::size_t number) const {
    return lanes_[first_[v] + lane].begin + static_cast<Index>(number);
  }
  Index receive(NodeId v, std::size_t lane, std::size_t number) const {
    return lanes_[first_[v] + graph_.degree(v) + loopbacks_[v] + lane].begin + static_cast<Index>(number);
  }
  TdmInstruction at(Index index) const {
    const auto after =
        std::ranges::upper_bound(lanes_, index, {}, [](const Lane& lane) { return lane.begin; });
    const Lane& lane = *std::prev(after);
    TdmInstruction instruction = lane.what;
    instruction.number = index - lane.begin;
    return instruction;
  }

 private:
  struct Lane {
    Index begin;
    TdmInstruction what;
  };
  const Graph& graph_;
  std::vector<Lane> lanes_;
  std::vector<std::size_t> first_;        // lane of each node
  std::vector<std::uint32_t> loopbacks_;  // of each node
  Index count_ = 0;
};

// What happens to one packet of a buffer.
struct Stay {
  std::vector<Index>
      arrivals;  // what it waits for to be complete: sends of its parts, or grants of the host's
  std::vector<Index> sends;
  std::uint32_t parts = 1, uses = 0;
};

class WaitGraph {
 public:
  WaitGraph(const Graph& graph, const TdmProgram& program)
      : all(graph, program), unfed(all.count()), graph_(graph), program_(program) {
    for (NodeId v = 0; v < program.nodes.size(); ++v) add_node(v);
  }

  const Instructions all;
  std::vector<std::pair<Index, Index>> waits;  // (who, for what)
  std::vector<bool> unfed;                     // waits for something that nothing does

 private:
  using Stays = std::map<std::pair<std::uint32_t, std::uint32_t>, Stay>;  // by buffer and generation

  void wait(Index who, Index what) { waits.emplace_back(who, what); }

  static bool keeps(const TdmReceive& r) { return (r.actions & (kTdmStore | kTdmCombine)) != 0; }

  // Calls visit(lane, number, receive, what its packet's arrival waits for, or kNothing if nothing brings
  // it).
  template <class Visit>
  void for_each_receive(NodeId v, const Visit& visit) const {
    const TdmNodeProgram& node = program_.nodes[v];
    const PortId inputs = graph_.in_degree(v);
    for (PortId p = 0; p < std::min<std::size_t>(inputs, node.receives.size()); ++p) {
      const Endpoint from = graph_.feeder(v, p);
      const auto& sends = program_.nodes[from.node].sends;
      const std::size_t sent = from.port < sends.size() ? sends[from.port].size() : 0;
      for (std::size_t k = 0; k < node.receives[p].size(); ++k)
        visit(p, k, node.receives[p][k], k < sent ? all.send(from.node, from.port, k) : kNothing);
    }
    for (std::size_t k = 0; k < node.loads.size(); ++k)
      visit(inputs, k, node.loads[k].receive, all.receive(v, inputs, k));
    for (std::size_t i = 0; i < node.loopbacks.size(); ++i) {
      const TdmLoopback& loopback = node.loopbacks[i];
      for (std::size_t k = 0; k < loopback.receives.size(); ++k)
        visit(inputs + 1 + static_cast<PortId>(i), k, loopback.receives[k],
              k < loopback.sends.size() ? all.send(v, graph_.degree(v) + i, k) : kNothing);
    }
  }

  // Calls visit(lane, number, send, the grant that it waits for, or kNothing).
  template <class Visit>
  void for_each_send(NodeId v, const Visit& visit) const {
    const TdmNodeProgram& node = program_.nodes[v];
    const PortId outputs = graph_.degree(v);
    for (PortId p = 0; p < std::min<std::size_t>(outputs, node.sends.size()); ++p) {
      const Endpoint to = graph_.peer(v, p);
      const auto& receives = program_.nodes[to.node].receives;
      const std::size_t granted = to.port < receives.size() ? receives[to.port].size() : 0;
      for (std::size_t k = 0; k < node.sends[p].size(); ++k)
        visit(p, k, node.sends[p][k], k < granted ? all.receive(to.node, to.port, k) : kNothing);
    }
    for (std::size_t i = 0; i < node.loopbacks.size(); ++i) {
      const TdmLoopback& loopback = node.loopbacks[i];
      for (std::size_t k = 0; k < loopback.sends.size(); ++k)
        visit(outputs + static_cast<PortId>(i), k, loopback.sends[k],
              k < loopback.receives.size() ? all.receive(v, graph_.in_degree(v) + 1 + i, k) : kNothing);
    }
  }

  void add_node(NodeId v) {
    Stays stays;
    for_each_receive(v, [&](PortId, std::size_t, const TdmReceive& r, Index arrival) {
      if (!keeps(r)) return;
      Stay& stay = stays[{r.buffer, r.generation}];
      stay.arrivals.push_back(arrival);
      stay.parts = r.parts;
      stay.uses = r.uses;
    });
    for_each_send(v, [&](PortId lane, std::size_t k, const TdmSend& s, Index) {
      if (!s.own) stays[{s.buffer, s.generation}].sends.push_back(all.send(v, lane, k));
    });
    for_each_send(v, [&](PortId lane, std::size_t k, const TdmSend& s, Index grant) {
      const Index self = all.send(v, lane, k);
      if (k > 0) wait(self, self - 1);
      wait_or_starve(self, grant);
      if (!s.own) wait_until_complete(self, stays[{s.buffer, s.generation}]);
    });
    for_each_receive(v, [&](PortId lane, std::size_t k, const TdmReceive& r, Index) {
      const Index self = all.receive(v, lane, k);
      if (k > 0) wait(self, self - 1);
      if (keeps(r) && r.generation > 0) wait_until_free(self, stays, {r.buffer, r.generation - 1});
    });
  }

  void wait_or_starve(Index self, Index what) {
    if (what == kNothing)
      unfed[self] = true;
    else
      wait(self, what);
  }

  void wait_until_complete(Index self, const Stay& stay) {
    if (stay.arrivals.size() < stay.parts) unfed[self] = true;
    for (const Index arrival : stay.arrivals) wait_or_starve(self, arrival);
  }

  void wait_until_free(Index self, const Stays& stays, std::pair<std::uint32_t, std::uint32_t> place) {
    const auto found = stays.find(place);
    if (found == stays.end() || found->second.arrivals.empty() ||
        found->second.sends.size() < found->second.uses) {
      unfed[self] = true;
      return;
    }
    const Stay& stay = found->second;
    if (stay.uses == 0) wait_until_complete(self, stay);
    for (const Index send : stay.sends) wait(self, send);
  }

  const Graph& graph_;
  const TdmProgram& program_;
};

// The waits of each instruction in a row, or those who wait for it.
struct Neighbours {
  std::vector<std::uint64_t> begin;
  std::vector<Index> list;
  template <class From, class To>
  Neighbours(Index count, const std::vector<std::pair<Index, Index>>& waits, From from, To to)
      : begin(std::size_t{count} + 1), list(waits.size()) {
    for (const auto& wait : waits) ++begin[from(wait) + std::size_t{1}];
    for (std::size_t i = 1; i < begin.size(); ++i) begin[i] += begin[i - 1];
    std::vector<std::uint64_t> next(begin.begin(), begin.end() - 1);
    for (const auto& wait : waits) list[next[from(wait)]++] = to(wait);
  }
  std::span<const Index> of(Index i) const {
    return std::span(list).subspan(begin[i], begin[i + std::size_t{1}] - begin[i]);
  }
};

Index who(const std::pair<Index, Index>& wait) { return wait.first; }
Index what(const std::pair<Index, Index>& wait) { return wait.second; }

// Goes from one that is never carried out to another that it waits for, until one comes again or one is
// unfed.
void find_reason(TdmWaits& result, const WaitGraph& graph, const Neighbours& waits_of,
                 const std::vector<bool>& done) {
  std::vector<std::uint32_t> seen(graph.all.count(), kNothing);
  Index at = 0;
  while (done[at]) ++at;
  std::vector<Index> way;
  while (seen[at] == kNothing) {
    if (graph.unfed[at]) {
      result.unfed = graph.all.at(at);
      return;
    }
    seen[at] = static_cast<std::uint32_t>(way.size());
    way.push_back(at);
    at = *std::ranges::find_if(waits_of.of(at), [&](Index other) { return !done[other]; });
  }
  for (std::size_t i = seen[at]; i < way.size(); ++i) result.circle.push_back(graph.all.at(way[i]));
}

}  // namespace

TdmWaits find_waits(const Graph& graph, const TdmProgram& program) {
  const WaitGraph all(graph, program);
  const Index count = all.all.count();
  TdmWaits result{.instructions = count, .waits = all.waits.size(), .circle = {}, .unfed = {}};
  const Neighbours waits_of(count, all.waits, who, what), waited_for_by(count, all.waits, what, who);
  std::vector<std::uint32_t> open(count), chain(count, 1);
  std::vector<bool> done(count);
  std::vector<Index> ready;
  for (Index i = 0; i < count; ++i) {
    open[i] = static_cast<std::uint32_t>(waits_of.of(i).size());
    if (open[i] == 0 && !all.unfed[i]) ready.push_back(i);
  }
  std::uint64_t carried_out = 0;
  while (!ready.empty()) {
    const Index i = ready.back();
    ready.pop_back();
    done[i] = true;
    ++carried_out;
    result.longest = std::max(result.longest, chain[i]);
    for (const Index other : waited_for_by.of(i)) {
      chain[other] = std::max(chain[other], chain[i] + 1);
      if (--open[other] == 0 && !all.unfed[other]) ready.push_back(other);
    }
  }
  result.never = count - carried_out;
  if (result.never != 0) find_reason(result, all, waits_of, done);
  return result;
}

std::string in_words(const Graph& graph, const TdmInstruction& instruction) {
  const PortId ports =
      instruction.is_send ? graph.degree(instruction.node) : graph.in_degree(instruction.node);
  const std::uint32_t inner = instruction.lane - std::min(instruction.lane, ports);
  std::string lane = fmt::format("port {}", instruction.lane);
  if (instruction.lane >= ports) {
    if (instruction.is_send)
      lane = fmt::format("loopback {}", inner);
    else
      lane = inner == 0 ? "host" : fmt::format("loopback {}", inner - 1);
  }
  return fmt::format("node {}, {}, {} {}", graph.node_name(instruction.node), lane,
                     instruction.is_send ? "send" : "receive", instruction.number);
}

}  // namespace safnet
