// Nodes and batches are numbered from 0 here, from 1 in the thesis. Node (v_i, u_j) of A x B is i n2 + j.
#include "cpp_model/algorithm/product/product_exchange.hpp"

#include <numeric>

#include "cpp_model/algorithm/product/factor_exchange.hpp"
#include "cpp_model/algorithm/tools/dimensions.hpp"
#include "cpp_model/algorithm/tools/shortest_path_routes.hpp"

namespace safnet {
namespace {

Graph product_of(std::vector<Graph> factors) {
  return factors.size() == 1 ? factors[0] : cartesian_product(factors, "product");
}

// A schedule for A x B that is put together from sends in the copies of A and B.
class ProductSchedule {
 public:
  ProductSchedule(Graph network, const Graph& a, const Graph& b, PortModel ports, const std::string& name)
      : in_a{a, b.node_count(), {}},
        in_b{b, 1, {}},
        schedule_(empty_schedule({std::move(network), CollectiveKind::kTotalExchange, ports}, name)) {
    for (NodeId j = 0; j < b.node_count(); ++j) in_a.list.push_back({j, 0});
    for (NodeId i = 0; i < a.node_count(); ++i) in_b.list.push_back({i * b.node_count(), a.degree(i)});
  }

  DimensionCopies in_a;  ///< A_j, by j
  DimensionCopies in_b;  ///< B_i, by i

  /// The packet of (v_i, u_j) for (v_x, u_y).
  PacketIndex packet(NodeId i, NodeId j, NodeId x, NodeId y) const {
    const NodeId n2 = in_a.stride;
    return exchange_packet(i * n2 + j, x * n2 + y, schedule_.network.node_count());
  }
  /// A send in copy c, through a port of the factor's node `at`.
  void send(std::uint32_t step, const DimensionCopies& copies, NodeId c, NodeId at, PortId port,
            PacketIndex packet) {
    schedule_.sends.push_back({step, copies.link(schedule_.network, copies.list[c], at, port), packet});
  }
  /// A total exchange in every copy, after `before` steps: what node x of copy c has for its node y is
  /// packet(c, x, y). kNoPacket: it has none.
  template <class Packet>
  void exchange(const DimensionCopies& copies, const Schedule& exchange, std::uint32_t before,
                Packet packet) {
    for (const Send& one : exchange.sends) {
      const NodeId from = exchange.packets.origin(one.packet);
      const NodeId to = exchange.packets.destinations(one.packet)[0];
      const NodeId at = exchange.network.link_source(one.link);
      const PortId port = exchange.network.link_port(one.link);
      for (NodeId c = 0; c < copies.list.size(); ++c) {
        const PacketIndex which = packet(c, from, to);
        if (which != kNoPacket) send(before + one.start, copies, c, at, port, which);
      }
    }
  }

  Schedule finished() {
    sort_sends(schedule_);
    return std::move(schedule_);
  }

 private:
  Schedule schedule_;
};

// Fig. 5.3. For one factor: the best there is.
Schedule plan_a2(const Graph& network, const std::vector<Graph>& factors, PortModel ports,
                 const std::string& name) {
  if (factors.size() == 1) return shortest_exchange(factors[0], ports);
  const std::vector<Graph> first(factors.begin(), factors.end() - 1);
  const Graph a = product_of(first);
  const Graph& b = factors.back();
  const NodeId n1 = a.node_count(), n2 = b.node_count();
  const Schedule in_a = plan_a2(a, first, ports, name), in_b = shortest_exchange(b, ports);
  const std::uint32_t t_a = last_step(in_a), t_b = last_step(in_b);
  ProductSchedule product(network, a, b, ports, name);
  for (NodeId r = 0; r < n1; ++r) {  // lines 1-3
    product.exchange(product.in_b, in_b, r * t_b,
                     [&](NodeId i, NodeId j, NodeId y) { return product.packet(i, j, r, y); });
  }
  for (NodeId k = 0; k < n2; ++k) {  // lines 4-6
    product.exchange(product.in_a, in_a, n1 * t_b + k * t_a,
                     [&](NodeId j, NodeId i, NodeId x) { return product.packet(i, k, x, j); });
  }
  return product.finished();
}

// Fig. 5.2 with lines 1-4 in parallel for all i, as in the text below it: a transfer of n1 packets follows
// one path in B_i, one packet behind the other, and the next transfer begins when the last packet has
// arrived. The figure leaves out the transfer to u_k if k = i, the text, rightly, if k = j.
Schedule plan_a1(const Problem& problem, const std::string& name, bool as_printed) {
  const std::vector<Graph>& factors = problem.graph.factors();
  const std::vector<Graph> first(factors.begin(), factors.end() - 1);
  const Graph a = product_of(first);
  const Graph& b = factors.back();
  const NodeId n1 = a.node_count(), n2 = b.node_count();
  const Schedule in_a = plan_a2(a, first, problem.ports, name);
  const ShortestPathRoutes routes(b);
  ProductSchedule product(problem.graph, a, b, problem.ports, name);
  const auto transferred = [&](NodeId i, NodeId j, NodeId k) { return j != k && !(as_printed && k == i); };
  std::uint32_t before = 0;
  for (NodeId j = 0; j < n2; ++j) {
    for (NodeId k = 0; k < n2; ++k) {
      if (j == k) continue;
      std::uint32_t hop = 0;
      for (NodeId at = j; at != k; ++hop) {
        const PortId port = routes.next_port(at, k);
        for (NodeId i = 0; i < n1; ++i) {
          if (!transferred(i, j, k)) continue;
          for (NodeId x = 0; x < n1; ++x) {
            product.send(before + hop + x + 1, product.in_b, i, at, port, product.packet(i, j, x, k));
          }
        }
        at = b.peer(at, port).node;
      }
      before += hop + n1 - 1;
    }
  }
  for (NodeId k = 0; k < n2; ++k) {  // lines 5-7
    product.exchange(product.in_a, in_a, before + k * last_step(in_a), [&](NodeId j, NodeId i, NodeId x) {
      return j == k || transferred(i, k, j) ? product.packet(i, k, x, j) : kNoPacket;
    });
  }
  return product.finished();
}

// Fig. 5.5. There must be n exchanges in A; line 11 of the figure ends at n - 1.
Schedule plan_a3(const Graph& network, const std::vector<Graph>& factors, const std::string& name,
                 bool as_printed) {
  if (factors.size() == 1) return shortest_exchange(factors[0], PortModel::kAllPort);
  const std::vector<Graph> half(factors.begin(),
                                factors.begin() + static_cast<std::ptrdiff_t>(factors.size() / 2));
  const Graph h = product_of(half);
  const NodeId n = h.node_count();
  const Schedule exchange = plan_a3(h, half, name, false);
  const std::uint32_t steps = last_step(exchange);
  ProductSchedule product(network, h, h, PortModel::kAllPort, name);
  // (r - 1) (+)_{n-1} l of (5.3), for r, l = 1 ... n - 1.
  const auto shifted = [&](NodeId r, NodeId l) { return (r - 1 + l - 1) % (n - 1) + 1; };
  for (NodeId r = 1; r < n; ++r) {  // lines 4-6
    product.exchange(product.in_b, exchange, (r - 1) * steps, [&](NodeId i, NodeId j, NodeId y) {
      return product.packet(i, j, (i + shifted(r, (y + n - j) % n)) % n, y);
    });
  }
  product.exchange(product.in_b, exchange, (n - 1) * steps,  // lines 7-8
                   [&](NodeId i, NodeId j, NodeId y) { return product.packet(i, j, i, y); });
  product.exchange(product.in_a, exchange, 0,  // lines 9-10
                   [&](NodeId j, NodeId i, NodeId x) { return product.packet(i, j, x, j); });
  for (NodeId r = 2; r <= (as_printed ? n - 1 : n); ++r) {  // lines 11-13
    product.exchange(product.in_a, exchange, (r - 1) * steps, [&](NodeId j, NodeId i, NodeId x) {
      // What came in exchange r - 1 from u_(j - l) is for v_(i + shifted(r - 1, l)): the one for v_x.
      const NodeId away = (x + n - i) % n;
      const NodeId l = (away - 1 + n - 1 - (r - 2)) % (n - 1) + 1;
      return product.packet(i, (j + n - l) % n, x, j);
    });
  }
  return product.finished();
}

std::string why_not_product(const Problem& problem) {
  const Graph& graph = problem.graph;
  if (!problem.tree.empty()) return "has no use for --tree";
  if (graph.factors().size() < 2) return "needs a product of two or more networks, such as a mesh or torus";
  return why_exchange_too_large(graph);
}

std::string why_not_power(const Problem& problem) {
  if (problem.ports != PortModel::kAllPort) return "needs --ports all";
  if (const std::string reason = why_not_product(problem); !reason.empty()) return reason;
  const std::vector<Graph>& factors = problem.graph.factors();
  if (!all_same(factors) || (factors.size() & (factors.size() - 1)) != 0 || factors[0].node_count() < 2)
    return "needs a product of 2, 4, 8, ... equal networks";
  return {};
}

// Theorem 5.3, Corollary 5.4: n times the sum of T_i / |V_i|.
std::optional<std::uint64_t> steps_of_a2(const std::vector<Graph>& factors, PortModel ports) {
  const auto rounds = promised_rounds(factors, ports);
  return rounds ? std::optional(std::accumulate(rounds->begin(), rounds->end(), std::uint64_t{0}))
                : std::nullopt;
}

Algorithm product_algorithm(std::string name, std::string source, std::string description,
                            std::string domain) {
  return {.name = std::move(name),
          .collective = CollectiveKind::kTotalExchange,
          .source = std::move(source),
          .description = std::move(description),
          .domain = std::move(domain),
          .why_not = why_not_product};
}

Algorithm a1(bool as_printed) {
  Algorithm algorithm = product_algorithm(
      as_printed ? "forward-then-exchange-as-printed" : "forward-then-exchange",
      "thesis 5.3, Fig. 5.2, algorithm A1",
      as_printed
          ? "A1 with line 3 as printed, k != i: packets for the nodes (v_x, u_i) never leave (v_i, u_j)"
          : "A1: packets cross the last dimension one origin and destination copy at a time, then the others",
      "products of two or more networks");
  algorithm.chosen_by_name_only = true;  // slow even where it is right
  algorithm.plan = [name = algorithm.name, as_printed](const Problem& p) {
    return plan_a1(p, name, as_printed);
  };
  // Its transfers take d + n1 - 1 steps each, d hops between two nodes of the last dimension.
  algorithm.closed_form = [as_printed](const Problem& p) -> std::optional<std::uint64_t> {
    if (as_printed) return std::nullopt;
    const std::vector<Graph>& factors = p.graph.factors();
    const std::uint64_t n2 = factors.back().node_count(), n1 = p.graph.node_count() / n2;
    const auto t_a = steps_of_a2({factors.begin(), factors.end() - 1}, p.ports);
    if (!t_a) return std::nullopt;
    return factors.back().total_status() + n2 * (n2 - 1) * (n1 - 1) + n2 * *t_a;
  };
  return algorithm;
}

Algorithm a2() {
  Algorithm algorithm = product_algorithm(
      "exchange-by-dimension", "thesis 5.3, Fig. 5.3, Theorem 5.3, algorithm A2",
      "A2: all total exchanges of the last dimension, one after the other, then those of the others",
      "products of two or more networks");
  algorithm.plan = [name = algorithm.name](const Problem& p) {
    return plan_a2(p.graph, p.graph.factors(), p.ports, name);
  };
  algorithm.closed_form = [](const Problem& p) { return steps_of_a2(p.graph.factors(), p.ports); };
  return algorithm;
}

Algorithm a3(bool as_printed) {
  Algorithm algorithm = product_algorithm(
      as_printed ? "exchange-both-halves-as-printed" : "exchange-both-halves",
      "thesis 5.4, Fig. 5.5, Theorem 5.6, algorithm A3",
      as_printed ? "A3 with line 11 as printed, r = 2, ..., n - 1: the last exchange in A is missing"
                 : "A3: total exchanges of both halves of the dimensions at once, each feeding the other",
      "products of 2, 4, 8, ... equal networks, all-port");
  algorithm.why_not = why_not_power;
  algorithm.chosen_by_name_only = as_printed;
  algorithm.plan = [name = algorithm.name, as_printed](const Problem& p) {
    return plan_a3(p.graph, p.graph.factors(), name, as_printed);
  };
  algorithm.closed_form = [as_printed](const Problem& p) -> std::optional<std::uint64_t> {
    const auto rounds = promised_rounds(p.graph.factors(), p.ports);
    return rounds && !as_printed ? std::optional(rounds->front()) : std::nullopt;
  };
  return algorithm;
}

}  // namespace

std::vector<Algorithm> product_exchange_algorithms() {
  return {a2(), a3(false), a1(false), a1(true), a3(true)};
}

}  // namespace safnet
