#include "cpp_model/optimum/gossip_search.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "cpp_model/number/disjoint_sets.hpp"
#include "cpp_model/optimum/clauses.hpp"

namespace safnet {
namespace {

// The question as clauses. Variables, t = 1 ... steps:
//   has(p, v, t)      v has packet p after step t
//   crosses(p, l, t)  packet p crosses link l in step t
//   uses(l, t)        link l is used in step t; where nodes send or receive one packet per step
//   sends(p, v, t)    v sends packet p in step t; in place of crosses, where nodes send and receive one
// Of a router that passes copies on, there is no has(), but the copies that it has received and sent are
// counted. Variables that a symmetry maps onto each other are one; clauses are written for one of each class.
class Question {
 public:
  Question(const Gossip& gossip, std::uint32_t steps, const GossipShape& shape)
      : gossip_(gossip),
        n_(gossip.nodes),
        link_count_(static_cast<std::uint32_t>(gossip.links.size())),
        steps_(steps),
        period_(shape.period),
        any_shape_(shape.symmetries.empty() && shape.period == 0 && gossip.routers_copy),
        hops_(hops_between(gossip)),
        to_processor_(n_, 0),
        into_(n_),
        out_of_(n_),
        node_class_(n_),
        link_class_(link_count_),
        at_node_(std::size_t{gossip.packets()} * n_),
        on_link_(std::size_t{gossip.packets()} * link_count_) {
    for (std::uint32_t l = 0; l < link_count_; ++l) {
      into_[gossip.links[l].to].push_back(l);
      out_of_[gossip.links[l].from].push_back(l);
    }
    for (NodeId v = gossip.processors(); v < n_; ++v) {
      to_processor_[v] = *std::min_element(hops_[v].begin(), hops_[v].begin() + gossip.processors());
    }
    for (const GossipSymmetry& s : shape.symmetries) merge(s);
    std::map<NodeId, std::vector<std::uint32_t>> own;
    for (std::uint32_t p = 0; p < gossip.packets(); ++p) {
      std::vector<std::uint32_t>& packets = own[gossip.origin[p]];
      message_.push_back(static_cast<std::uint32_t>(packets.size()));
      messages_ = std::max(messages_, message_[p] + 1);
      packets.push_back(p);
      first_.push_back(packets.front());
    }
    const std::uint32_t p_n = gossip.packets() * n_, p_l = gossip.packets() * link_count_;
    has_.assign(std::size_t{p_n} * (steps + 1), 0);
    sends_.assign(factored() ? std::size_t{p_n} * (steps + 1) : 0, 0);
    crosses_.assign(factored() ? 0 : std::size_t{p_l} * (steps + 1), 0);
    uses_.assign(one_port() ? std::size_t{link_count_} * (steps + 1) : 0, 0);
    write();
  }

  GossipSearchResult answer(std::uint32_t conflicts) {
    GossipSearchResult result;
    result.answer = impossible_ ? SearchAnswer::kImpossible : clauses_.solve(conflicts);
    if (result.answer == SearchAnswer::kFound) result.sends = read();
    return result;
  }

 private:
  static constexpr int kTrue = Clauses::kTrue, kFalse = Clauses::kFalse;

  bool one_port() const { return gossip_.sends_one || gossip_.receives_one; }
  bool factored() const {
    return gossip_.sends_one && gossip_.receives_one && !gossip_.together && gossip_.routers_copy;
  }

  void merge(const GossipSymmetry& s) {
    for (NodeId v = 0; v < n_; ++v) node_class_.join(v, s.node[v]);
    for (std::uint32_t l = 0; l < link_count_; ++l) link_class_.join(l, s.link[l]);
    for (std::uint32_t p = 0; p < gossip_.packets(); ++p) {
      for (NodeId v = 0; v < n_; ++v) at_node_.join(p * n_ + v, s.packet[p] * n_ + s.node[v]);
      for (std::uint32_t l = 0; l < link_count_; ++l)
        on_link_.join(p * link_count_ + l, s.packet[p] * link_count_ + s.link[l]);
    }
  }

  int variable(std::vector<int>& table, std::uint32_t index, std::uint32_t t) {
    int& known = table[std::size_t{index} * (steps_ + 1) + t];
    if (known == 0) known = clauses_.new_variable();
    return known;
  }
  // With a period each message counts its own steps: local() is step t by that count, span() how many it has.
  std::int64_t local(std::uint32_t p, std::uint32_t t) const {
    return std::int64_t{t} - std::int64_t{period_} * message_[p];
  }
  std::int64_t span() const { return std::int64_t{steps_} - std::int64_t{period_} * (messages_ - 1); }
  std::uint32_t shared(std::uint32_t p) const { return period_ == 0 ? p : first_[p]; }

  int has(std::uint32_t p, NodeId v, std::uint32_t t) {
    const std::int64_t at = local(p, t);
    if (gossip_.origin[p] == v || (at >= span() && v < gossip_.processors())) return kTrue;
    if (hops_[gossip_.origin[p]][v] > at) return kFalse;
    return variable(has_, at_node_.of(shared(p) * n_ + v), static_cast<std::uint32_t>(at));
  }
  // A packet does not leave v before it can have reached v, nor after all nodes have it.
  bool no_time_to_send(std::uint32_t p, NodeId v, std::uint32_t t) const {
    const std::int64_t at = local(p, t);
    return hops_[gossip_.origin[p]][v] + std::int64_t{1} > at || at > span();
  }
  int sends(std::uint32_t p, NodeId v, std::uint32_t t) {
    if (no_time_to_send(p, v, t)) return kFalse;
    return variable(sends_, at_node_.of(shared(p) * n_ + v), static_cast<std::uint32_t>(local(p, t)));
  }
  int uses(std::uint32_t l, std::uint32_t t) { return variable(uses_, link_class_.of(l), t); }
  int crosses(std::uint32_t p, std::uint32_t l, std::uint32_t t) {
    const auto [from, to] = gossip_.links[l];
    if (to == gossip_.origin[p] || no_time_to_send(p, from, t)) return kFalse;
    if (local(p, t) + to_processor_[to] > span()) return kFalse;
    const auto at = static_cast<std::uint32_t>(local(p, t));
    return variable(crosses_, on_link_.of(shared(p) * link_count_ + l), at);
  }

  void clause(const std::vector<int>& literals) { clauses_.add(literals); }
  static int opposite(int literal) { return -literal; }

  void write() {
    for (const NodeId o : gossip_.origin) {
      const auto end = hops_[o].begin() + gossip_.processors();
      impossible_ = impossible_ || *std::max_element(hops_[o].begin(), end) > span();
    }
    for (std::uint32_t t = 1; t <= steps_ && !impossible_; ++t) {
      for (std::uint32_t p = 0; p < gossip_.packets(); ++p) {
        for (NodeId v = 0; v < n_; ++v) {
          if (!at_node_.leads(p * n_ + v)) continue;
          if (gossip_.passes_copies_on(v)) {
            write_entry(p, v, t);
          } else {
            write_arrival(p, v, t);
          }
        }
      }
      if (factored()) {
        write_one_port(t);
      } else {
        write_links(t);
      }
      write_busy(t);
    }
    for (std::uint32_t p = 0; p < gossip_.packets() && !impossible_; ++p) {
      for (NodeId v = 0; v < n_; ++v) {
        if (gossip_.passes_copies_on(v) && at_node_.leads(p * n_ + v)) write_passing(p, v);
      }
    }
    if (any_shape_ && !impossible_) write_order();
  }

  // What enters a router that passes copies on comes from a node that has it, or from another such router.
  void write_entry(std::uint32_t p, NodeId v, std::uint32_t t) {
    for (const std::uint32_t l : into_[v]) write_source(p, l, t);
  }
  void write_source(std::uint32_t p, std::uint32_t l, std::uint32_t t) {
    const NodeId from = gossip_.links[l].from;
    if (!gossip_.passes_copies_on(from)) clause({opposite(crosses(p, l, t)), has(p, from, t - 1)});
  }

  // The router never has sent more copies than it had received one step before.
  void write_passing(std::uint32_t p, NodeId v) {
    // No more are needed than there are other processors, since no copy need come to a router twice.
    TrueCounter received(clauses_, gossip_.processors() - 1), sent(clauses_, gossip_.processors());
    for (std::uint32_t t = 1; t <= steps_; ++t) {
      for (const std::uint32_t l : out_of_[v]) sent.add_at_least(crosses(p, l, t));
      sent.is_at_most(received);
      for (const std::uint32_t l : into_[v]) received.add_at_most(crosses(p, l, t));
    }
  }

  // A packet that is new at v came over a link, from a node that had it.
  void write_arrival(std::uint32_t p, NodeId v, std::uint32_t t) {
    if (gossip_.origin[p] != v) {
      const int before = has(p, v, t - 1), after = has(p, v, t);
      clause({opposite(before), after});
      std::vector<int> ways{opposite(after), before};
      for (const std::uint32_t l : into_[v]) ways.push_back(factored() ? uses(l, t) : crosses(p, l, t));
      clause(ways);
      for (const std::uint32_t l : into_[v]) {
        const NodeId from = gossip_.links[l].from;
        if (factored()) {
          clause({opposite(after), before, opposite(uses(l, t)), sends(p, from, t)});
          clause({opposite(uses(l, t)), opposite(sends(p, from, t)), after});
          clause({opposite(uses(l, t)), opposite(sends(p, from, t)), opposite(before)});
        } else {
          clause({opposite(crosses(p, l, t)), after});
          clause({opposite(crosses(p, l, t)), opposite(before)});
          write_source(p, l, t);
        }
      }
      if (!gossip_.routers_copy) {  // a second copy would be of no use
        ways.erase(ways.begin(), ways.begin() + 2);
        clauses_.at_most_one(ways);
      }
    }
    if (!factored()) return;
    clause({opposite(sends(p, v, t)), has(p, v, t - 1)});
    if (gossip_.origin[p] != v) return;
    for (const std::uint32_t l : into_[v])
      clause({opposite(uses(l, t)), opposite(sends(p, gossip_.links[l].from, t))});
  }

  // What a node sends, to whom, and whom it receives from.
  void write_one_port(std::uint32_t t) {
    for (NodeId v = 0; v < n_; ++v) {
      if (!node_class_.leads(v)) continue;
      std::vector<int> packets;
      for (std::uint32_t p = 0; p < gossip_.packets(); ++p) packets.push_back(sends(p, v, t));
      clauses_.at_most_one(packets);
      for (const std::uint32_t l : out_of_[v]) {
        std::vector<int> some = packets;
        some.push_back(opposite(uses(l, t)));
        clause(some);
      }
      write_ports(v, t);
    }
  }
  void write_ports(NodeId v, std::uint32_t t) {
    std::vector<int> in, out;
    for (const std::uint32_t l : into_[v]) in.push_back(uses(l, t));
    for (const std::uint32_t l : out_of_[v]) out.push_back(uses(l, t));
    if (gossip_.receives_one) clauses_.at_most_one(in);
    if (gossip_.sends_one) clauses_.at_most_one(out);
  }
  void write_links(std::uint32_t t) {
    for (std::uint32_t l = 0; l < link_count_; ++l) {
      if (!link_class_.leads(l)) continue;
      std::vector<int> packets;
      for (std::uint32_t p = 0; p < gossip_.packets(); ++p) packets.push_back(crosses(p, l, t));
      if (!gossip_.together) clauses_.at_most_one(packets);
      if (!one_port()) continue;
      for (const int packet : packets) clause({opposite(packet), uses(l, t)});
    }
    if (!one_port()) return;
    for (NodeId v = 0; v < n_; ++v) {
      if (node_class_.leads(v)) write_ports(v, t);
    }
  }

  // A node that lacks as many packets as its links can bring in all steps gets a new one over each every
  // time.
  void write_busy(std::uint32_t t) {
    if (gossip_.together) return;
    for (NodeId v = 0; v < gossip_.processors(); ++v) {
      if (!node_class_.leads(v)) continue;
      const auto own = std::count(gossip_.origin.begin(), gossip_.origin.end(), v);
      const auto needed = std::uint64_t{gossip_.packets()} - static_cast<std::uint64_t>(own);
      const std::uint64_t at_once = gossip_.receives_one ? 1 : into_[v].size();
      if (needed != at_once * steps_) continue;
      if (factored()) {
        std::vector<int> some;
        for (const std::uint32_t l : into_[v]) some.push_back(uses(l, t));
        clause(some);
      } else if (!gossip_.receives_one) {
        for (const std::uint32_t l : into_[v]) {
          std::vector<int> some;
          for (std::uint32_t p = 0; p < gossip_.packets(); ++p) some.push_back(crosses(p, l, t));
          clause(some);
        }
      }
    }
  }

  // Packets of one origin are interchangeable: the first is to leave no later than the second, and so on.
  void write_order() {
    std::map<NodeId, std::uint32_t> before;
    std::vector<int> left_before;
    for (std::uint32_t p = 0; p < gossip_.packets(); ++p) {
      const NodeId o = gossip_.origin[p];
      const auto [known, is_first] = before.try_emplace(o, p);
      if (!is_first) {
        for (std::uint32_t t = 1; t < steps_; ++t) clause({opposite(left(p, t)), left(known->second, t)});
        known->second = p;
      }
    }
  }
  // Packet p has left its origin by the end of step t: some neighbour has it.
  int left(std::uint32_t p, std::uint32_t t) {
    int& known = left_[{p, t}];
    if (known != 0) return known;
    known = clauses_.new_variable();
    std::vector<int> some{opposite(known)};
    for (const std::uint32_t l : out_of_[gossip_.origin[p]]) {
      const int there = has(p, gossip_.links[l].to, t);
      some.push_back(there);
      clause({opposite(there), known});
    }
    clause(some);
    return known;
  }

  std::vector<GossipSend> read() {
    std::vector<GossipSend> result;
    if (!gossip_.routers_copy) return read_crossings();
    for (std::uint32_t t = 1; t <= steps_; ++t) {
      for (std::uint32_t p = 0; p < gossip_.packets(); ++p) {
        for (NodeId v = 0; v < n_; ++v) {
          if (!clauses_.holds(has(p, v, t)) || clauses_.holds(has(p, v, t - 1))) continue;
          for (const std::uint32_t l : into_[v]) {
            const bool here =
                factored() ? clauses_.holds(uses(l, t)) && clauses_.holds(sends(p, gossip_.links[l].from, t))
                           : clauses_.holds(crosses(p, l, t));
            if (!here) continue;
            result.push_back({t, l, p});
            break;
          }
        }
      }
    }
    std::sort(result.begin(), result.end());
    return result;
  }
  std::vector<GossipSend> read_crossings() {
    std::vector<GossipSend> result;
    for (std::uint32_t t = 1; t <= steps_; ++t) {
      for (std::uint32_t l = 0; l < link_count_; ++l) {
        for (std::uint32_t p = 0; p < gossip_.packets(); ++p) {
          if (clauses_.holds(crosses(p, l, t))) result.push_back({t, l, p});
        }
      }
    }
    return result;
  }

  const Gossip& gossip_;
  NodeId n_;
  std::uint32_t link_count_, steps_;
  std::uint32_t period_, messages_ = 1;
  bool any_shape_;
  std::vector<std::uint32_t> message_, first_;  // by packet: its number at its origin; the first one there
  std::vector<std::vector<std::uint32_t>> hops_;
  std::vector<std::uint32_t> to_processor_;  // by node: hops to the nearest
  std::vector<std::vector<std::uint32_t>> into_, out_of_;
  DisjointSets node_class_, link_class_, at_node_, on_link_;
  std::vector<int> has_, sends_, crosses_, uses_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> left_;
  Clauses clauses_;
  bool impossible_ = false;
};

}  // namespace

GossipSearchResult search_gossip(const Gossip& gossip, std::uint32_t steps, std::uint32_t conflicts,
                                 const GossipShape& shape) {
  return Question(gossip, steps, shape).answer(conflicts);
}

}  // namespace safnet
