#include "cpp_model/bound/certificate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

constexpr int kIterations = 300;
constexpr std::uint64_t kMaxWork = std::uint64_t{1} << 23;  // nodes settled and links looked at

// Cheapest ways from one node, by Dijkstra's algorithm without a heap: the networks are small.
template <class Number>
class CheapestWays {
 public:
  explicit CheapestWays(const Wiring& wiring)
      : wiring_(wiring), cost(wiring.nodes()), settled_(wiring.nodes()) {}

  void search(NodeId source, const std::vector<Number>& link_price) {
    const NodeId n = wiring_.nodes();
    std::fill(settled_.begin(), settled_.end(), std::uint8_t{0});
    reached_.assign(n, 0);
    order.clear();
    frontier_.assign(1, source);
    cost[source] = 0;
    reached_[source] = 1;
    while (!frontier_.empty()) {
      std::size_t least = 0;
      for (std::size_t i = 1; i < frontier_.size(); ++i) {
        if (cost[frontier_[i]] < cost[frontier_[least]]) least = i;
      }
      const NodeId v = frontier_[least];
      frontier_[least] = frontier_.back();
      frontier_.pop_back();
      settled_[v] = 1;
      order.push_back(v);
      for (LinkId link = wiring_.first[v]; link < wiring_.first[v + 1]; ++link) {
        const NodeId u = wiring_.target[link];
        if (settled_[u] != 0) continue;
        const Number through = cost[v] + link_price[link];
        if (reached_[u] == 0) {
          reached_[u] = 1;
          frontier_.push_back(u);
          cost[u] = through;
        } else if (through < cost[u]) {
          cost[u] = through;
        }
      }
    }
  }

 private:
  const Wiring& wiring_;

 public:
  std::vector<Number> cost;   // by node
  std::vector<NodeId> order;  // by cost

 private:
  std::vector<std::uint8_t> settled_, reached_;
  std::vector<NodeId> frontier_;
};

// The resources that have a price, and which of them each link uses.
struct Resources {
  Resources(const Wiring& wiring, bool one_way, const Demand& demand, PortModel ports)
      : links(ports == PortModel::kAllPort),
        // If every pair of nodes exchanges as many packets in both directions, sending prices prove as much
        // as both kinds: a way costs by sending prices what the way back costs by receiving prices. With
        // one-way links that does not hold.
        receive(ports == PortModel::kOnePort && (one_way || !demand.symmetric())),
        nodes(wiring.nodes()),
        count(links ? wiring.links() : (receive ? 2 : 1) * std::uint64_t{nodes}) {
    for (NodeId v = 0; v < nodes; ++v) {
      for (LinkId link = wiring.first[v]; link < wiring.first[v + 1]; ++link) {
        first_of_link.push_back(links ? link : v);
        second_of_link.push_back(receive ? nodes + wiring.target[link] : kNoNode);
      }
    }
  }
  Prices prices(const std::vector<std::uint32_t>& price) const {
    if (links) return {price, {}, {}};
    return {{}, {price.begin(), price.begin() + nodes}, {price.begin() + nodes, price.end()}};
  }

  bool links, receive;
  NodeId nodes;
  std::uint64_t count;
  std::vector<std::uint32_t> first_of_link, second_of_link;
};

class CertificateSearch {
 public:
  CertificateSearch(const Graph& graph, const Demand& demand, PortModel ports)
      : graph_(graph),
        demand_(demand),
        wiring_(graph),
        resources_(wiring_, graph.has_one_way_links(), demand, ports),
        ways_(wiring_),
        link_price_(wiring_.links()),
        load_(resources_.count),
        share_(wiring_.nodes()),
        paths_(wiring_.nodes()) {}

  // Multiplicative weights: what is used most becomes dearer, until the loads are level. The mean of the
  // loads over all iterations is the load of a fractional routing, and no prices can prove more than that.
  LowerBound best(std::uint64_t known) {
    const std::size_t count = resources_.count;
    std::vector<double> price(count, 1.0), mean_load(count, 0.0), best_price = price, mean_price(count, 0.0);
    double best_ratio = 0, ratio_before = 0, mean_weight = 0;
    std::uint64_t work = 0;
    for (int i = 0; i < kIterations && work < kMaxWork; ++i) {
      const double ways = route(price);
      const double ratio = ways / std::accumulate(price.begin(), price.end(), 0.0);
      if (ratio > best_ratio) {
        best_ratio = ratio;
        best_price = price;
      }
      const double step = 2.0 / (1.0 + 0.1 * i);
      mean_weight += 1;
      const double largest = *std::max_element(load_.begin(), load_.end());
      double largest_mean = 0;
      for (std::size_t r = 0; r < count; ++r) {
        mean_load[r] += load_[r];
        largest_mean = std::max(largest_mean, mean_load[r] / mean_weight);
      }
      if (std::ceil(largest_mean - 1e-7) <= static_cast<double>(known)) break;
      double dearest = 0;
      for (std::size_t r = 0; r < count; ++r) {
        price[r] *= std::exp(step * (load_[r] / largest - 1));
        dearest = std::max(dearest, price[r]);
      }
      for (std::size_t r = 0; r < count; ++r) {
        price[r] = std::max(price[r] / dearest, 1e-9);
        mean_price[r] += price[r];
      }
      if (i == 2 || i == 10 || i == 40 || i == 120) round(best_price, known);
      if (found_.steps > known) known = found_.steps;
      if (i % 32 == 31) {  // no more progress
        if (best_ratio < 1.0001 * ratio_before) break;
        ratio_before = best_ratio;
      }
      work += std::uint64_t{wiring_.nodes()} * (3 * wiring_.links() + wiring_.nodes() * wiring_.nodes() / 4);
    }
    round(best_price, known);
    round(mean_price, known);
    return found_;
  }
  /// Those that prove what best() has found.
  const Prices& prices() const { return found_prices_; }

 private:
  void set_link_prices(const std::vector<double>& price) {
    for (std::size_t link = 0; link < link_price_.size(); ++link) {
      link_price_[link] = price[resources_.first_of_link[link]];
      if (resources_.receive) link_price_[link] += price[resources_.second_of_link[link]];
    }
  }

  // Sends all packets the cheapest ways, shared evenly where there are several; sums what they cost and what
  // they use.
  double route(const std::vector<double>& price) {
    set_link_prices(price);
    std::fill(load_.begin(), load_.end(), 0.0);
    double sum = 0;
    for (NodeId v = 0; v < wiring_.nodes(); ++v) {
      if (demand_.is_origin[v] == 0) continue;
      ways_.search(v, link_price_);
      const double slack = 1e-9 * ways_.cost[ways_.order.back()] + 1e-15;
      std::fill(paths_.begin(), paths_.end(), 0.0);
      paths_[v] = 1;
      std::fill(position_.begin(), position_.end(), 0U);
      position_.resize(wiring_.nodes());
      for (std::uint32_t i = 0; i < ways_.order.size(); ++i) position_[ways_.order[i]] = i;
      const auto on_cheapest_way = [&](NodeId at, LinkId link) {
        const NodeId u = wiring_.target[link];
        return position_[u] > position_[at] && ways_.cost[at] + link_price_[link] <= ways_.cost[u] + slack;
      };
      for (const NodeId at : ways_.order) {
        for (LinkId link = wiring_.first[at]; link < wiring_.first[at + 1]; ++link) {
          if (on_cheapest_way(at, link)) paths_[wiring_.target[link]] += paths_[at];
        }
      }
      for (NodeId u = 0; u < wiring_.nodes(); ++u) {
        const bool wanted = u != v && demand_.is_destination[u] != 0;
        share_[u] = wanted ? static_cast<double>(demand_.messages) : 0.0;
        sum += share_[u] * ways_.cost[u];
      }
      for (std::size_t i = ways_.order.size(); i-- > 0;) {
        const NodeId at = ways_.order[i];
        for (LinkId link = wiring_.first[at]; link < wiring_.first[at + 1]; ++link) {
          if (!on_cheapest_way(at, link)) continue;
          const NodeId u = wiring_.target[link];
          const double through = share_[u] * paths_[at] / paths_[u];
          share_[at] += through;
          load_[resources_.first_of_link[link]] += through;
          if (resources_.receive) load_[resources_.second_of_link[link]] += through;
        }
      }
    }
    return sum;
  }

  // Rounds the prices to integers: first finely, to see what they prove, then as coarsely as proves the same.
  void round(const std::vector<double>& price, std::uint64_t known) {
    known = std::max(known, found_.steps);
    const double largest = *std::max_element(price.begin(), price.end());
    if (largest <= 0) return;  // no iteration, no mean
    const auto rounded = [&](std::uint32_t scale) {
      std::vector<std::uint32_t> result(price.size());
      for (std::size_t r = 0; r < price.size(); ++r)
        result[r] = static_cast<std::uint32_t>(std::lround(price[r] / largest * scale));
      return resources_.prices(result);
    };
    constexpr std::uint32_t kFine = 1000;
    std::uint64_t most = known;
    Prices chosen;
    for (const std::uint32_t scale : {kFine, 1U, 2U, 3U, 4U, 5U, 6U, 8U, 10U, 12U, 16U, 20U, 24U, 30U, 40U}) {
      const Prices prices = rounded(scale);
      const std::uint64_t steps = evaluate(graph_, demand_, prices).steps();
      // A coarse one that does as well as the fine one is easier to check.
      if (steps > most || (steps == most && steps > known && chosen_scale_ == kFine)) {
        most = steps;
        chosen = prices;
        chosen_scale_ = scale;
      }
    }
    chosen_scale_ = 0;
    if (most > known) describe(chosen);
  }

  void describe(const Prices& prices) {
    const PriceOfDemand price = evaluate(graph_, demand_, prices);
    found_.steps = price.steps();
    found_.reason = fmt::format("with prices on {} all packets pay {} or more and a step at most {}",
                                resources_.links     ? "links"
                                : resources_.receive ? "sending and receiving nodes"
                                                     : "sending nodes",
                                price.cheapest_ways, price.per_step);
    found_.certificate = resources_.links ? fmt::format("links {}", fmt::join(prices.link, " "))
                         : resources_.receive
                             ? fmt::format("sending nodes {}; receiving nodes {}",
                                           fmt::join(prices.send, " "), fmt::join(prices.receive, " "))
                             : fmt::format("sending nodes {}", fmt::join(prices.send, " "));
    found_.witness = witness_of(prices, price);
    found_prices_ = prices;
  }

  // What has a price, and how often all packets together must use it.
  BoundWitness witness_of(const Prices& prices, const PriceOfDemand& price) const {
    BoundWitness witness = stated_witness(WitnessKind::kPrices, {});
    std::uint32_t cheapest = 0, dearest = 0;
    for (const auto* list : {&prices.link, &prices.send, &prices.receive}) {
      for (const std::uint32_t each : *list) {
        if (each == 0) continue;
        cheapest = cheapest == 0 ? each : std::min(cheapest, each);
        dearest = std::max(dearest, each);
      }
    }
    for (LinkId link = 0; link < prices.link.size(); ++link) {
      if (prices.link[link] != 0) witness.links.push_back(link);
    }
    for (NodeId v = 0; v < prices.send.size(); ++v) {
      if (prices.send[v] != 0 || (resources_.receive && prices.receive[v] != 0)) witness.nodes.push_back(v);
    }
    const std::string where = resources_.links ? "over " + these(witness.links.size(), "link")
                                               : (resources_.receive ? "out of or into " : "out of ") +
                                                     these(witness.nodes.size(), "node");
    // Equal prices only count.
    const std::uint64_t unit = cheapest == dearest ? cheapest : 1;
    witness.count = fmt::format("all packets together must go {} {} times{}, and a step has room for {}",
                                where, price.cheapest_ways / unit,
                                cheapest == dearest ? "" : ", counted by prices", price.per_step / unit);
    return witness;
  }
  static std::string these(std::size_t number, const char* noun) {
    return number == 1 ? fmt::format("this {}", noun) : fmt::format("these {} {}s", number, noun);
  }

  const Graph& graph_;
  const Demand& demand_;
  Wiring wiring_;
  Resources resources_;
  CheapestWays<double> ways_;
  std::vector<double> link_price_, load_, share_, paths_;
  std::vector<std::uint32_t> position_;
  std::uint32_t chosen_scale_ = 0;
  LowerBound found_;
  Prices found_prices_;
};

}  // namespace

std::uint64_t PriceOfDemand::steps() const { return divide_up(cheapest_ways, per_step); }

PriceOfDemand evaluate(const Graph& graph, const Demand& demand, const Prices& prices) {
  const Wiring wiring(graph);
  const NodeId n = wiring.nodes();
  const bool by_link = !prices.link.empty();
  const bool fits =
      by_link ? prices.link.size() == wiring.links() && prices.send.empty() && prices.receive.empty()
              : prices.send.size() == n && (prices.receive.empty() || prices.receive.size() == n);
  if (!fits) {
    throw bad_input(
        "{} prices of links, {} of sending and {} of receiving nodes: expected {} of links or {} "
        "of nodes",
        prices.link.size(), prices.send.size(), prices.receive.size(), wiring.links(), n);
  }
  PriceOfDemand result;
  result.per_step = 0;
  for (const auto* list : {&prices.link, &prices.send, &prices.receive})
    result.per_step = std::accumulate(list->begin(), list->end(), result.per_step);
  if (result.per_step == 0) throw std::invalid_argument("prices: expected one that is not 0");
  std::vector<std::uint64_t> link_price(wiring.links());
  for (NodeId v = 0; v < n; ++v) {
    for (LinkId link = wiring.first[v]; link < wiring.first[v + 1]; ++link) {
      link_price[link] = by_link ? prices.link[link] : prices.send[v];
      if (!prices.receive.empty()) link_price[link] += prices.receive[wiring.target[link]];
    }
  }
  CheapestWays<std::uint64_t> ways(wiring);
  for (NodeId v = 0; v < n; ++v) {
    if (demand.is_origin[v] == 0) continue;
    ways.search(v, link_price);
    for (NodeId u = 0; u < n; ++u) {
      if (demand.is_destination[u] != 0) result.cheapest_ways += demand.messages * ways.cost[u];
    }
  }
  return result;
}

LowerBound certificate_bound(const Graph& graph, const Demand& demand, PortModel ports, std::uint64_t known) {
  if (graph.node_count() > kMaxNodesForCertificate || demand.packets() == 0) return {};
  return CertificateSearch(graph, demand, ports).best(known);
}

std::optional<Prices> find_prices(const Graph& graph, const Demand& demand, PortModel ports,
                                  std::uint64_t known) {
  if (graph.node_count() > kMaxNodesForCertificate || demand.packets() == 0) return std::nullopt;
  CertificateSearch search(graph, demand, ports);
  if (search.best(known).steps <= known) return std::nullopt;
  return search.prices();
}

}  // namespace safnet
