#include "cpp_model/optimum/sum_search.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "cpp_model/number/disjoint_sets.hpp"

namespace safnet {
namespace {

constexpr std::uint64_t kMostInclusions = 1'500'000;
constexpr std::uint32_t kMostTries = 40;

// A send may include these: the node's own contribution, what came over a link into it, what it has sent.
struct Item {
  bool own = false;
  std::uint32_t link = 0, step = 0;
  bool arrived = false;  // else sent by the node itself
};

// The question as clauses. Variables, for link l and step t:
//   used(l, t)            something crosses the link
//   carries(l, t, x)      node x's contribution is in it
//   forwards(l, t, i)     it is item i, as it is
//   repeats(l, t, k)      it is what crosses link k, of the same node, in the same step
//   sums(l, t)            it is a sum
//   takes(l, t, i)        item i is a part of that sum
//   stored(l, t)          the receiver stores it
//   gets(v, i)            item i is a part of node v's result
// Variables that a symmetry maps onto each other are one; clauses are written for one of each class.
class SumQuestion {
 public:
  SumQuestion(const Gossip& network, std::uint32_t steps, const std::vector<GossipSymmetry>& symmetries)
      : network_(network),
        n_(network.nodes),
        processors_(network.processors()),
        links_(static_cast<std::uint32_t>(network.links.size())),
        steps_(steps),
        hops_(hops_between(network)),
        into_(n_),
        out_of_(n_),
        node_class_(n_),
        link_class_(links_),
        content_class_(std::size_t{links_} * n_),
        pair_class_(std::size_t{links_} * links_) {
    for (std::uint32_t l = 0; l < links_; ++l) {
      into_[network.links[l].to].push_back(l);
      out_of_[network.links[l].from].push_back(l);
    }
    for (const GossipSymmetry& s : symmetries) merge(s);
    if (inclusions_of(network, steps) / (symmetries.size() + 1) > kMostInclusions) return;
    is_written_ = true;
    clauses_.prefer_false();
    for (std::uint32_t l = 0; l < links_; ++l) {
      for (std::uint32_t t = 1; t <= steps_ && link_class_.leads(l); ++t) write_send(l, t);
    }
    for (std::uint32_t l = 0; l < links_; ++l) {
      for (std::uint32_t t = 1; t <= steps_ && link_class_.leads(l); ++t) write_arrival(l, t);
    }
    for (NodeId v = 0; v < n_; ++v) {
      if (!node_class_.leads(v)) continue;
      if (v < processors_) write_result(v);
      for (std::uint32_t t = 1; t <= steps_; ++t) write_ports(v, t);
    }
  }

  SumSearchResult answer(std::uint32_t conflicts, const SumTest& is_usable) {
    SumSearchResult result;
    for (std::uint32_t tries = 0; is_written_ && tries < kMostTries; ++tries) {
      result = {};
      result.answer = clauses_.solve(conflicts);
      if (result.answer != SearchAnswer::kFound) return result;
      const auto again = read(result);
      if (is_usable(result)) return result;
      if (again.empty()) break;
      for (const auto& [first, second] : again) write_difference(first, second);
    }
    result.answer = SearchAnswer::kUnknown;
    return result;
  }

 private:
  static constexpr int kTrue = Clauses::kTrue, kFalse = Clauses::kFalse;

  void merge(const GossipSymmetry& s) {
    for (NodeId v = 0; v < n_; ++v) node_class_.join(v, s.node[v]);
    for (std::uint32_t l = 0; l < links_; ++l) {
      link_class_.join(l, s.link[l]);
      for (NodeId x = 0; x < n_; ++x) content_class_.join(l * n_ + x, s.link[l] * n_ + s.node[x]);
      for (std::uint32_t k = 0; k < links_; ++k) {
        if (meet(l, k)) pair_class_.join(l * links_ + k, s.link[l] * links_ + s.link[k]);
      }
    }
  }
  // Does link k lead to the node that link l leaves, or do both leave it?
  bool meet(std::uint32_t l, std::uint32_t k) const {
    return network_.links[k].to == network_.links[l].from || network_.links[k].from == network_.links[l].from;
  }

  // ---- variables ----
  int known(std::vector<int>& table, std::size_t size, std::size_t index) {
    if (table.empty()) table.assign(size, 0);
    if (table[index] == 0) table[index] = clauses_.new_variable();
    return table[index];
  }
  std::size_t of_link(std::uint32_t l, std::uint32_t t) {
    return std::size_t{link_class_.of(l)} * (steps_ + 1) + t;
  }
  // Routers only send on, and in the first step there is nothing to add.
  bool may_sum(std::uint32_t l, std::uint32_t t) const {
    return t > 1 && network_.links[l].from < processors_;
  }
  int used(std::uint32_t l, std::uint32_t t) {
    return known(used_, std::size_t{links_} * (steps_ + 1), of_link(l, t));
  }
  int sums(std::uint32_t l, std::uint32_t t) {
    return !may_sum(l, t) ? kFalse : known(sums_, std::size_t{links_} * (steps_ + 1), of_link(l, t));
  }
  int stored(std::uint32_t l, std::uint32_t t) {
    return known(stored_, std::size_t{links_} * (steps_ + 1), of_link(l, t));
  }
  int carries(std::uint32_t l, std::uint32_t t, NodeId x) {
    if (hops_[x][network_.links[l].from] >= t) return kFalse;
    const std::size_t size = std::size_t{links_} * n_ * (steps_ + 1);
    return known(carries_, size, std::size_t{content_class_.of(l * n_ + x)} * (steps_ + 1) + t);
  }
  // An item of a send: by the pair of links, and both steps; the own contribution stands with the link
  // itself.
  std::size_t of_pair(std::uint32_t l, std::uint32_t t, const Item& item) {
    const std::uint32_t k = item.own ? l : item.link;
    const std::size_t pair = pair_class_.of(l * links_ + k);
    return (pair * (steps_ + 1) + t) * (steps_ + 1) + (item.own ? 0 : item.step);
  }
  std::size_t pairs() const { return std::size_t{links_} * links_ * (steps_ + 1) * (steps_ + 1); }
  int forwards(std::uint32_t l, std::uint32_t t, const Item& item) {
    return known(forwards_, pairs(), of_pair(l, t, item));
  }
  int takes(std::uint32_t l, std::uint32_t t, const Item& item) {
    return known(takes_, pairs(), of_pair(l, t, item));
  }
  int repeats(std::uint32_t l, std::uint32_t t, std::uint32_t k) {
    return known(repeats_, pairs(), of_pair(l, t, {false, k, t, false}));
  }
  int gets(NodeId v, const Item& item) {
    if (item.own) return known(gets_own_, n_, node_class_.of(v));
    std::vector<int>& table = item.arrived ? gets_arrived_ : gets_sent_;
    return known(table, std::size_t{links_} * (steps_ + 1), of_link(item.link, item.step));
  }
  int has(NodeId v, const Item& item, NodeId x) {
    return item.own ? (x == v ? kTrue : kFalse) : carries(item.link, item.step, x);
  }

  // What node v can use in step t: first what came, then what it has sent.
  std::vector<Item> items(NodeId v, std::uint32_t t) const {
    std::vector<Item> list;
    if (v < processors_) list.push_back({true});
    for (const std::uint32_t k : into_[v]) {
      for (std::uint32_t s = 1; s < t; ++s) list.push_back({false, k, s, true});
    }
    return list;
  }
  std::vector<Item> items_and_sums(NodeId v, std::uint32_t t) const {
    std::vector<Item> list = items(v, t);
    for (const std::uint32_t k : out_of_[v]) {
      for (std::uint32_t s = 2; s < t; ++s) list.push_back({false, k, s, false});
    }
    return list;
  }
  // Of two links of a node the one with the smaller class may be repeated by the other. On a symmetry that
  // moves all nodes no two links of a node are of one class.
  bool may_repeat(std::uint32_t l, std::uint32_t k) {
    return !network_.sends_one && l != k && link_class_.of(k) < link_class_.of(l);
  }

  // ---- clauses ----
  void if_both(int a, int b, int then) { clauses_.add({-a, -b, then}); }

  void write_send(std::uint32_t l, std::uint32_t t) {
    const NodeId v = network_.links[l].from;
    std::vector<int> ways{sums(l, t)};
    for (const Item& item : items(v, t)) {
      const int way = ways.emplace_back(forwards(l, t, item));
      for (NodeId x = 0; x < processors_; ++x) {
        if_both(way, has(v, item, x), carries(l, t, x));
        if_both(way, carries(l, t, x), has(v, item, x));
      }
      if (!item.own) clauses_.add({-way, used(item.link, item.step)});
    }
    for (const std::uint32_t k : out_of_[v]) {
      if (!may_repeat(l, k)) continue;
      const int way = ways.emplace_back(repeats(l, t, k));
      clauses_.add({-way, used(k, t)});
      for (NodeId x = 0; x < processors_; ++x) {
        if_both(way, carries(k, t, x), carries(l, t, x));
        if_both(way, carries(l, t, x), carries(k, t, x));
      }
    }
    for (const int way : ways) clauses_.add({-way, used(l, t)});
    std::vector<int> something{-used(l, t)};
    for (NodeId x = 0; x < processors_; ++x) {
      clauses_.add({-carries(l, t, x), used(l, t)});
      something.push_back(carries(l, t, x));
    }
    clauses_.add(something);
    clauses_.at_most_one(ways);
    ways.push_back(-used(l, t));
    clauses_.add(ways);
    if (may_sum(l, t)) write_sum(l, t);
  }

  // A sum has what its parts have, no contribution twice.
  void write_sum(std::uint32_t l, std::uint32_t t) {
    const NodeId v = network_.links[l].from;
    const std::vector<Item> list = items_and_sums(v, t);
    for (const Item& item : list) {
      clauses_.add({-takes(l, t, item), sums(l, t)});
      if (!item.own) clauses_.add({-takes(l, t, item), used(item.link, item.step)});
    }
    for (NodeId x = 0; x < processors_; ++x) {
      std::vector<int> through;
      for (const Item& item : list) through.push_back(clauses_.both(takes(l, t, item), has(v, item, x)));
      for (const int one : through) clauses_.add({-one, carries(l, t, x)});
      clauses_.at_most_one(through);
      through.push_back(-carries(l, t, x));
      through.push_back(-sums(l, t));
      clauses_.add(through);
    }
  }

  // What arrives goes into one sum at once, or is stored for all that comes later.
  void write_arrival(std::uint32_t l, std::uint32_t t) {
    const Item item{false, l, t, true};
    const NodeId v = network_.links[l].to;
    std::vector<int> at_once{stored(l, t)};
    if (v < processors_) clauses_.add({-gets(v, item), stored(l, t)});
    for (const std::uint32_t out : out_of_[v]) {
      for (std::uint32_t s = t + 1; s <= steps_; ++s) {
        clauses_.add({-forwards(out, s, item), stored(l, t)});
        if (!may_sum(out, s)) continue;
        if (s == t + 1) {
          at_once.push_back(takes(out, s, item));
        } else {
          clauses_.add({-takes(out, s, item), stored(l, t)});
        }
      }
    }
    clauses_.at_most_one(at_once);
  }

  void write_result(NodeId v) {
    const std::vector<Item> list = items_and_sums(v, steps_ + 1);
    for (const Item& item : list) {
      if (!item.own) clauses_.add({-gets(v, item), used(item.link, item.step)});
    }
    for (NodeId x = 0; x < processors_; ++x) {
      std::vector<int> through;
      for (const Item& item : list) through.push_back(clauses_.both(gets(v, item), has(v, item, x)));
      clauses_.add(through);
      clauses_.at_most_one(through);
    }
  }

  // Two sends do not have the same contributions.
  void write_difference(std::uint32_t a, std::uint32_t b) {
    const auto link = [this](std::uint32_t k) { return k % links_; };
    const auto step = [this](std::uint32_t k) { return k / links_ + 1; };
    std::vector<int> some{-used(link(a), step(a)), -used(link(b), step(b))};
    for (NodeId x = 0; x < processors_; ++x) {
      const int in_a = carries(link(a), step(a), x), in_b = carries(link(b), step(b), x);
      const int differs = some.emplace_back(clauses_.new_variable());
      clauses_.add({-differs, in_a, in_b});
      clauses_.add({-differs, -in_a, -in_b});
    }
    clauses_.add(some);
  }

  void write_ports(NodeId v, std::uint32_t t) {
    std::vector<int> in, out;
    for (const std::uint32_t l : into_[v]) in.push_back(used(l, t));
    for (const std::uint32_t l : out_of_[v]) out.push_back(used(l, t));
    if (network_.receives_one) clauses_.at_most_one(in);
    if (network_.sends_one) clauses_.at_most_one(out);
  }

  // ---- the answer ----

  // The send over a link in a step, by way of what it repeats; all sends are numbered by step and link.
  std::uint32_t number(std::uint32_t l, std::uint32_t t) const { return (t - 1) * links_ + l; }

  SumOf read_sum(std::uint32_t l, std::uint32_t t) {
    const NodeId v = network_.links[l].from;
    for (const std::uint32_t k : out_of_[v]) {
      if (may_repeat(l, k) && clauses_.holds(repeats(l, t, k))) return read_sum(k, t);
    }
    const bool sum = clauses_.holds(sums(l, t));
    return read_parts(sum ? items_and_sums(v, t) : items(v, t), [&](const Item& item) {
      return clauses_.holds(sum ? takes(l, t, item) : forwards(l, t, item));
    });
  }
  template <class Test>
  SumOf read_parts(const std::vector<Item>& list, Test test) {
    SumOf sum;
    for (const Item& item : list) {
      if (!test(item)) continue;
      if (item.own) {
        sum.own = true;
      } else {
        sum.sends.push_back(number(item.link, item.step));
      }
    }
    std::ranges::sort(sum.sends);
    return sum;
  }

  // Returns pairs of sends by which a packet comes to a node that had it before.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> read(SumSearchResult& result) {
    const std::uint32_t count = links_ * steps_;
    std::vector<SumSend> all(count);
    std::vector<bool> needed(count, false);
    const auto need = [&](const SumOf& sum) {
      for (const std::uint32_t k : sum.sends) needed[k] = true;
    };
    for (NodeId v = 0; v < processors_; ++v) {
      result.results.push_back(read_parts(items_and_sums(v, steps_ + 1),
                                          [&](const Item& item) { return clauses_.holds(gets(v, item)); }));
      need(result.results.back());
    }
    for (std::uint32_t k = count; k-- > 0;) {
      if (!needed[k]) continue;
      all[k] = {k / links_ + 1, k % links_, read_sum(k % links_, k / links_ + 1)};
      need(all[k].sum);
    }
    const auto again = sent_again(all, needed);
    std::vector<std::uint32_t> becomes(count);
    for (std::uint32_t k = 0; k < count; ++k) {
      if (!needed[k]) continue;
      becomes[k] = static_cast<std::uint32_t>(result.sends.size());
      result.sends.push_back(std::move(all[k]));
    }
    const auto renumber = [&](SumOf& sum) {
      for (std::uint32_t& k : sum.sends) k = becomes[k];
    };
    for (SumSend& send : result.sends) renumber(send.sum);
    for (SumOf& sum : result.results) renumber(sum);
    return again;
  }

  std::vector<std::pair<std::uint32_t, std::uint32_t>> sent_again(const std::vector<SumSend>& all,
                                                                  const std::vector<bool>& needed) const {
    using Parts = std::pair<NodeId, std::vector<std::uint32_t>>;
    std::map<Parts, std::uint32_t> sums;  // packets: contributions by node, then sums
    std::map<std::pair<std::uint32_t, NodeId>, std::uint32_t> had;  // by packet and node: the first send
    std::vector<std::uint32_t> packet(all.size());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> again;
    for (std::uint32_t k = 0; k < all.size(); ++k) {
      if (!needed[k]) continue;
      const auto [from, to] = network_.links[all[k].link];
      Parts parts{from, {}};
      if (all[k].sum.own) parts.second.push_back(from);
      for (const std::uint32_t part : all[k].sum.sends) parts.second.push_back(packet[part]);
      std::ranges::sort(parts.second);
      packet[k] = parts.second.size() == 1
                      ? parts.second.front()
                      : sums.try_emplace(parts, n_ + static_cast<std::uint32_t>(sums.size())).first->second;
      if (parts.second.size() > 1) had.try_emplace({packet[k], from}, k);
      const auto [first, is_new] = had.try_emplace({packet[k], to}, k);
      if (!is_new) again.emplace_back(first->second, k);
    }
    return again;
  }

  const Gossip& network_;
  NodeId n_, processors_;
  std::uint32_t links_, steps_;
  std::vector<std::vector<std::uint32_t>> hops_, into_, out_of_;
  DisjointSets node_class_, link_class_, content_class_, pair_class_;
  std::vector<int> used_, sums_, stored_, carries_, forwards_, takes_, repeats_, gets_own_, gets_arrived_,
      gets_sent_;
  Clauses clauses_;
  bool is_written_ = false;
};

}  // namespace

std::uint64_t inclusions_of(const Gossip& network, std::uint32_t steps) {
  std::vector<std::uint64_t> items(network.nodes);  // of a step, by node
  for (const DirectedLink& link : network.links) {
    ++items[link.from];
    ++items[link.to];
  }
  std::uint64_t count = 0;
  for (const DirectedLink& link : network.links)
    count += items[link.from] * steps * (steps - 1) / 2 * network.nodes;
  return count;
}

SumSearchResult search_sums(const Gossip& network, std::uint32_t steps, std::uint32_t conflicts,
                            const std::vector<GossipSymmetry>& symmetries, const SumTest& is_usable) {
  return SumQuestion(network, steps, symmetries).answer(conflicts, is_usable);
}

}  // namespace safnet
