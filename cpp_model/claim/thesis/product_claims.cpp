// Thesis chapter 5, total exchange in products of networks, and what goes beyond it: what is run for each
// statement and what must come out.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "cpp_model/claim/chapter.hpp"
#include "cpp_model/claim/claim_networks.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/claim/thesis/brute_force.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

using Sizes = std::vector<std::uint64_t>;

// What a run must complain about if packets are stranded.
constexpr const char* kStranded = "never reached";

// Steps of the fastest total exchange in one dimension: by the formulas of chapter 4, or, where there is
// none, the bound by prices, which is met on all dimensions here.
std::uint64_t dimension_steps(const Graph& graph, PortModel ports) {
  const std::uint64_t n = graph.node_count();
  const bool all_port = ports == kAllPort;
  if (graph.family() == "linear") return all_port ? quarter_square(n) : n * n / 2 - (n % 2 == 0 ? 1 : 0);
  if (graph.family() == "ring") return all_port ? eighth_square(n) : quarter_square(n);
  if (graph.family() == "complete") return all_port ? 1 : n - 1;
  if (!all_port && graph.translations()) return searched_status(graph, 0);  // Theorem 4.11
  return searched_exchange_bound(graph, ports);
}

// n T_i / |V_i| of every dimension.
Sizes steps_of_dimensions(const Graph& graph, PortModel ports) {
  Sizes steps;
  for (const Graph& factor : graph.factors())
    steps.push_back(graph.node_count() / factor.node_count() * dimension_steps(factor, ports));
  return steps;
}
// Corollary 5.4: n times the sum of T_i / |V_i|.
std::uint64_t one_after_the_other(const Graph& graph, PortModel ports) {
  const Sizes steps = steps_of_dimensions(graph, ports);
  return std::accumulate(steps.begin(), steps.end(), std::uint64_t{0});
}
// Corollary 5.7, for powers; the largest n T_i / |V_i| for other products.
std::uint64_t all_at_once(const Graph& graph) {
  return std::ranges::max(steps_of_dimensions(graph, kAllPort));
}

// A run of an algorithm as it is printed, which strands so many packets.
ClaimCase stranding(const std::string& topology, PortModel ports, const std::string& algorithm,
                    std::uint64_t stranded) {
  const std::uint64_t n = make_topology(topology).node_count(), packets = n * (n - 1);
  const auto delivered = [](const RunOutcome& o) { return o.deliveries; };
  ClaimCase entry = printed(exchange_case(topology, ports, algorithm, 0),
                            {{kExactly, packets, "packets delivered"}, delivered});
  entry.expected_problem = kStranded;
  entry.inspect = [=](const RunOutcome& o) {
    return unless(o.deliveries + stranded == packets, "{} of {} packets delivered, expected all but {}",
                  o.deliveries, packets, stranded);
  };
  return entry;
}

// Theorem 5.1: n times the sum of s_i / |V_i|; the s_i by search in the dimensions.
std::uint64_t theorem_5_1(const Graph& graph, NodeId v) {
  const std::vector<NodeId> where = graph.coordinates(v);
  std::uint64_t status = 0;
  for (std::size_t i = 0; i < where.size(); ++i) {
    const Graph& factor = graph.factors()[i];
    status += graph.node_count() / factor.node_count() * searched_status(factor, where[i]);
  }
  return status;
}

// Theorem 5.1 at every node, against searches.
std::string check_statuses(const Graph& graph) {
  return first_fault(range<NodeId>(0, graph.node_count() - 1), [&](NodeId v) {
    const std::uint64_t status = theorem_5_1(graph, v), searched = searched_status(graph, v);
    return unless(status == searched, "node {}: status {}, by Theorem 5.1 {}", v, searched, status);
  });
}

// The average distance in a generalized hypercube, times n - 1: the status, n k - sum of n/m_i.
std::string check_average_distance(const Sizes& sizes) {
  const Graph graph = make_topology(with_sides("generalized-hypercube", sizes));
  std::uint64_t status = graph.node_count() * sizes.size();
  for (const std::uint64_t m : sizes) status -= graph.node_count() / m;
  const std::uint64_t searched = searched_status(graph, 0);
  return unless(searched == status, "status {}, not {}", searched, status);
}

std::vector<std::string> products() {
  return listed(
      "mesh:3x3 mesh:4x3x2 torus:3x4x5 hypercube:4 hypercycle:5/2x3/1 "
      "product(generalized-petersen:5,2,linear:3) product(star:3,tree:2,1) product(random:6,8,1,linear:4) "
      "product(edges:0-1,0-2,0-3,1-2,1-3,ring:5)");
}

// A status is what a scatter over shortest ways sends over links, the sum of all what a total exchange does.
void statuses_runs(bool full, Cases& cases) {
  for (const std::string& word : products()) {
    const Graph graph = make_topology(word);
    const std::uint64_t n = graph.node_count();
    for (const NodeId root : full ? range<NodeId>(0, graph.node_count() - 1) : claim_sources(graph)) {
      cases.push_back({word, kScatter, kOnePort, "furthest-first", root, "shortest-path", n - 1,
                       transfers_are(theorem_5_1(graph, root))});
    }
    std::uint64_t total = 0;  // Corollary 5.2, times n
    for (const Graph& factor : graph.factors())
      total += n / factor.node_count() * (n / factor.node_count()) * searched_total_status(factor);
    cases.push_back(
        at_least(exchange_case(word, kOnePort, "transit-first", divide_up(total, n), transfers_are(total))));
  }
  for (const Sizes& sizes : {Sizes{3, 4}, {2, 3, 4}, {5, 5}}) {
    std::uint64_t n = 1, status = 0;
    for (const std::uint64_t m : sizes) n *= m;
    for (const std::uint64_t m : sizes) status += n - n / m;
    cases.push_back({with_sides("generalized-hypercube", sizes), kScatter, kOnePort, "furthest-first", 0,
                     "shortest-path", n - 1, transfers_are(status)});
  }
}

Checks statuses_checks(bool) {
  return joined(check_each(products(), "{}: statuses of all nodes",
                           [](const std::string& word) { return check_statuses(make_topology(word)); }),
                check_each(
                    std::vector<Sizes>{{3, 4}, {2, 3, 4}, {5, 5}, {4, 4, 4}},
                    [](const Sizes& sizes) {
                      return fmt::format("average distance in a generalized hypercube {}",
                                         fmt::join(sizes, "x"));
                    },
                    check_average_distance));
}

// Fig. 5.2 with transfers that follow each other: n1 packets d hops away take d + n1 - 1 steps.
std::uint64_t forward_then_exchange(const Graph& a, const Graph& b) {
  const std::uint64_t n1 = a.node_count(), n2 = b.node_count();
  std::uint64_t steps = n2 * dimension_steps(a, kOnePort);
  for (NodeId j = 0; j < n2; ++j) steps += searched_status(b, j) + (n2 - 1) * (n1 - 1);
  return steps;
}

std::vector<std::string> a1_words(bool full) {
  return with_more(full, "torus:3x4 torus:4x3 torus:4x4 mesh:3x3 mesh:5x5 product(linear:4,complete:3)",
                   "torus:8x8 mesh:6x4 product(star:3,linear:5) torus:3x12");
}

// Packets stranded if k = i is excluded: none leave the nodes (v_i, u_j), j != i, for copy A_i.
std::uint64_t a1_stranded(const Graph& graph) {
  const std::uint64_t n2 = graph.factors().back().node_count(), n1 = graph.node_count() / n2;
  return std::min(n1, n2) * (n2 - 1) * n1;
}

Inspection more_steps_than(std::uint64_t others) {
  return [others](const RunOutcome& o) {
    return unless(o.steps > others, "{} steps, no more than the {} that are said to be fewer", o.steps,
                  others);
  };
}

void a1_runs(bool full, Cases& cases) {
  for (const std::string& word : a1_words(full)) {
    const Graph graph = make_topology(word);
    cases.push_back(exchange_case(word, kOnePort, "forward-then-exchange",
                                  forward_then_exchange(graph.factors()[0], graph.factors()[1]),
                                  more_steps_than(one_after_the_other(graph, kOnePort))));
    cases.push_back(stranding(word, kOnePort, "forward-then-exchange-as-printed", a1_stranded(graph)));
  }
}

void a2_runs(bool full, Cases& cases) {
  for (const std::string& word :
       with_more(full,
                 "mesh:3x3 mesh:4x3 mesh:4x4 mesh:5x5 mesh:2x3x4 torus:3x4 torus:4x4 torus:3x4x5 hypercube:4 "
                 "hypercycle:8/2x6/1 product(generalized-petersen:5,2,linear:3) "
                 "product(linear:3,generalized-petersen:5,2) product(tree:2,2,ring:3) "
                 "product(random:8,12,4,linear:4) product(ring:3,edges:0-1,0-2,0-3,1-2,1-3)",
                 "torus:8x8 torus:16x16 mesh:16x16 hypercube:8 torus:4x4x4x4 mesh:3x3x3x3 "
                 "generalized-hypercube:3x4x4 mesh:8x8x4 "
                 "product(generalized-petersen:5,2,generalized-petersen:5,2) "
                 "product(star:4,linear:3) product(star:4,ring:5) product(tree:2,2,linear:4,linear:3)"))
    cases.push_back(exchange_case(word, kOnePort, "exchange-by-dimension",
                                  one_after_the_other(make_topology(word), kOnePort)));
}

void a2_optimal_runs(bool full, Cases& cases) {
  const auto add = [&](const std::string& word, std::uint64_t steps) {
    cases.push_back(exchange_case(word, kOnePort, "exchange-by-dimension", steps));
  };
  for (const std::string& word :
       with_more(full,
                 "torus:3x3 torus:3x4 torus:4x4 torus:5x4 torus:3x4x5 hypercube:4 hypercube:6 "
                 "hypercycle:8/2x6/1 generalized-hypercube:3x4 product(star:3,ring:4)",
                 "torus:8x8 torus:16x16 torus:4x4x4x4 hypercube:8 generalized-hypercube:3x4x4 "
                 "product(complete:4,ring:5) product(cube-connected-cycles:3,ring:3) "
                 "product(star:4,linear:2,ring:3)"))
    add(word, searched_status(make_topology(word), 0));
  // Four nodes, every edge but one: statuses 3, 3, 4, 4, and 4 steps, half a step above their average.
  const std::string almost = "edges:0-1,0-2,0-3,1-2,1-3";
  for (const auto& [other, steps] : {std::pair<std::string, std::uint64_t>{"linear:2", 4 * 1 + 2 * 4},
                                     {"ring:3", 4 * 2 + 3 * 4},
                                     {almost, 4 * 4 + 4 * 4},
                                     {"complete:4", 4 * 3 + 4 * 4}}) {
    add(fmt::format("product({},{})", almost, other), steps);
    cases.back().inspect = [](const RunOutcome& o) {
      return unless(o.steps * o.graph->node_count() > searched_total_status(*o.graph),
                    "{} steps are the average status", o.steps);
    };
  }
  for (const char* word : {"mesh:3x3", "mesh:4x3", "mesh:4x4", "mesh:5x5", "mesh:2x3x4"})
    add(word, one_after_the_other(make_topology(word), kOnePort));
  // 18 and 28 steps, where A2 takes 24 and 37.
  for (const char* word : {"mesh:3x3", "mesh:4x3"}) {
    cases.push_back(exchange_case(word, kOnePort, "list-scheduling",
                                  searched_exchange_bound(make_topology(word), kOnePort)));
  }
}

std::string power_of(const std::string& word, std::uint32_t d) {
  return fmt::format("product({})", fmt::join(std::vector<std::string>(d, word), ","));
}

std::vector<std::string> a3_words(bool full) {
  std::vector<std::string> list;
  for (int n = 3; n <= (full ? 10 : 6); ++n) list.push_back(fmt::format("linear:{}", n));
  for (int n = 3; n <= (full ? 10 : 8); ++n) list.push_back(fmt::format("ring:{}", n));
  return joined(list, with_more(full,
                                "complete:4 complete:5 generalized-petersen:5,2 star:3 tree:2,1 random:6,8,1 "
                                "edges:0-1,0-2,0-3,1-2,1-3 extended-ring:7,2",
                                "linear:16 ring:16"));
}

void a3_runs(bool full, Cases& cases) {
  for (const std::string& word : a3_words(full)) {
    const Graph h = make_topology(word);
    cases.push_back(exchange_case(power_of(word, 2), kAllPort, "exchange-both-halves",
                                  h.node_count() * dimension_steps(h, kAllPort)));
    const std::uint64_t n = h.node_count();
    cases.push_back(
        stranding(power_of(word, 2), kAllPort, "exchange-both-halves-as-printed", n * n * (n - 1)));
  }
}

// (+) and (-) of the thesis, on numbers from 1 to n.
std::uint64_t plus(std::uint64_t x, std::uint64_t y, std::uint64_t n) { return (x + y - 1) % n + 1; }
std::uint64_t minus(std::uint64_t x, std::uint64_t y, std::uint64_t n) { return (x + n - y % n - 1) % n + 1; }

// The packets that (v_i, u_j) receives in round r by (5.4), as printed or corrected; node (v_i, u_j) is
// number (i - 1) n + j - 1.
std::set<PacketId> stated_packets(std::uint64_t n, std::uint64_t r, std::uint64_t i, std::uint64_t j,
                                  bool as_printed) {
  const auto packet = [n](std::uint64_t from_i, std::uint64_t from_j, std::uint64_t to_i,
                          std::uint64_t to_j) {
    return PacketId{static_cast<NodeId>((from_i - 1) * n + from_j - 1),
                    static_cast<std::uint32_t>((to_i - 1) * n + to_j - 1)};
  };
  std::set<PacketId> packets;
  for (std::uint64_t l = 1; l < n; ++l) {
    const std::uint64_t turned = plus(r - 1, l, n - 1);
    packets.insert(as_printed ? packet(i, j, plus(i, l, n), plus(j, turned, n))
                              : packet(i, minus(j, l, n), plus(i, turned, n), j));
  }
  return packets;
}

// Of A3 on the square of a complete graph of n nodes, where round r is step r: for how many (r, i, j), r < n,
// the packets that come to (v_i, u_j) within the second dimension are those of (5.4).
std::uint64_t sets_as_stated(const RunOutcome& outcome, std::uint64_t n, bool as_printed) {
  std::map<std::pair<std::uint64_t, NodeId>, std::set<PacketId>> received;
  for (const Transfer& t : outcome.trace->transfers) {
    const NodeId to = outcome.graph->peer(t.from, t.port).node;
    if (t.from / n == to / n) received[{t.step, to}].insert(t.packet);
  }
  std::uint64_t count = 0;
  for (std::uint64_t r = 1; r < n; ++r) {
    for (std::uint64_t i = 1; i <= n; ++i) {
      for (std::uint64_t j = 1; j <= n; ++j) {
        const auto node = static_cast<NodeId>((i - 1) * n + j - 1);
        count += received[{r, node}] == stated_packets(n, r, i, j, as_printed) ? 1 : 0;
      }
    }
  }
  return count;
}

void a3_sets_runs(bool, Cases& cases) {
  for (const std::uint64_t n : {3U, 4U, 5U}) {
    const std::uint64_t sets = (n - 1) * n * n;
    const auto corrected = [=](const RunOutcome& o) {
      const std::uint64_t found = sets_as_stated(o, n, false);
      return unless(found == sets, "{} of {} sets are received", found, sets);
    };
    const auto as_printed = [=](const RunOutcome& o) { return sets_as_stated(o, n, true); };
    cases.push_back(printed(exchange_case(power_of(fmt::format("complete:{}", n), 2), kAllPort,
                                          "exchange-both-halves", n, corrected),
                            {{kExactly, sets, "sets of packets received in a round", "(5.4)"}, as_printed}));
  }
}

void a3_powers_runs(bool full, Cases& cases) {
  for (const std::string& word : with_more(full, "linear:2 linear:3 ring:3 complete:3", "linear:4 ring:4")) {
    const Graph h = make_topology(word);
    for (const std::uint32_t d : {2U, 4U, 8U}) {
      if (d == 8 && h.node_count() > 2) continue;
      cases.push_back(exchange_case(power_of(word, d), kAllPort, "exchange-both-halves",
                                    power(h.node_count(), d - 1) * dimension_steps(h, kAllPort)));
    }
  }
}

void a3_optimal_runs(bool full, Cases& cases) {
  for (std::uint64_t n = 3; n <= (full ? 12U : 8U); ++n) {
    cases.push_back(
        exchange_case(square("mesh", n), kAllPort, "exchange-both-halves", n * quarter_square(n)));
  }
  for (std::uint64_t n = 3; n <= (full ? 12U : 10U); ++n) {
    const std::string torus = square("torus", n);
    const std::uint64_t bound = n % 2 == 0 ? n * n * n / 8 : n * (n * n - 1) / 8;  // (4.1)
    cases.push_back(exchange_case(torus, kAllPort, "exchange-both-halves", n * eighth_square(n)));
    if (n % 4 != 2) continue;
    cases.back().printed = {{kExactly, bound, "", "(4.1), which it is said to reach"}};
    cases.push_back(exchange_case(torus, kAllPort, "generator-colouring", bound));
  }
}

// (4.1) across each dimension of a torus, and the diameter.
std::uint64_t torus_bound(const Sizes& sizes) {
  std::uint64_t nodes = 1, bound = 0, diameter = 0;
  for (const std::uint64_t n : sizes) nodes *= n;
  for (const std::uint64_t n : sizes) {
    if (n == 2) {
      bound = std::max(bound, nodes / 2);  // an edge, not a ring with two
      ++diameter;
      continue;
    }
    bound = std::max(bound, n % 2 == 1 ? nodes / n * ((n * n - 1) / 8) : divide_up(nodes * n, 8));
    diameter += n / 2;
  }
  return std::max(bound, diameter);
}

void generator_colouring_runs(bool full, Cases& cases) {
  const auto run = [&](const std::string& word, std::uint64_t steps) {
    cases.push_back(exchange_case(word, kAllPort, "generator-colouring", steps));
  };
  std::vector<Sizes> tori = {{3, 3, 3},    {4, 4, 4}, {5, 5, 5}, {3, 4, 5}, {4, 3, 3},    {6, 3, 3},
                             {3, 3, 3, 3}, {5, 4, 3}, {6, 4, 2}, {5, 2, 3}, {4, 4, 4, 4}, {6, 5, 3}};
  if (full) tori.push_back({16, 16});
  for (std::uint64_t a = 2; a <= (full ? 12U : 8U); ++a) {
    for (std::uint64_t b = 2; b <= a; ++b) tori.push_back({a, b});
  }
  for (const Sizes& sizes : tori) run(with_sides("torus", sizes), torus_bound(sizes));
  for (std::uint64_t d = 3; d <= 6; ++d) run(fmt::format("hypercube:{}", d), std::uint64_t{1} << (d - 1));
  run("generalized-hypercube:3x4", 12 / 3);
  run("generalized-hypercube:2x3x4", 24 / 2);
  run("product(complete:4,ring:5)", 20 / 5 * 3);
  for (std::uint64_t n = 11; n <= (full ? 14U : 12U); ++n)  // 6 links cross the middle of a ring
    run(fmt::format("hypercycle:{}/2x{}/2", n, n), divide_up(n * (n / 2) * (n - n / 2), 6));
  for (const std::uint64_t n : {11U, 12U, 13U, 14U}) {  // one step more where there is a half-way packet
    const std::string word = fmt::format("extended-ring:{},2", n);
    run(word, searched_exchange_bound(make_topology(word), kAllPort) + (n % 2 == 0 ? 1 : 0));
  }
}

void colouring_of_rounds_runs(bool full, Cases& cases) {
  const auto add = [&](const std::string& words, std::uint32_t d) {
    for (const std::string& word : listed(words)) {
      const Graph h = make_topology(word);
      cases.push_back(exchange_case(power_of(word, d), kAllPort, "colouring-of-rounds",
                                    power(h.node_count(), d - 1) * dimension_steps(h, kAllPort)));
    }
  };
  add("linear:2", 3);
  add("linear:2", 5);
  add("linear:3", 2);
  add("linear:3 linear:4 ring:3 ring:4 ring:5", 3);
  add("ring:6 complete:4", 2);
  add("star:3 tree:2,1", 3);
  add("generalized-petersen:5,2 random:6,8,1 edges:0-1,0-2,0-3,1-2,1-3", 2);
  if (!full) return;
  add("linear:2", 7);
  add("linear:3 ring:3", 4);
  add("linear:6 ring:6", 3);
  add("linear:16", 2);
}

void windows_runs(bool full, Cases& cases) {
  const auto run = [&](const std::string& word) {
    cases.push_back(exchange_case(word, kAllPort, "windows", all_at_once(make_topology(word))));
  };
  const int most = full ? 9 : 6;
  for (int a = 2; a <= most; ++a) {
    for (int b = 2; b <= a; ++b) run(fmt::format("mesh:{}x{}", a, b));
  }
  for (int a = 3; a <= most; ++a) {
    for (int b = 3; b <= a; ++b) run(fmt::format("torus:{}x{}", a, b));
    for (int b = 2; b <= most; ++b) run(fmt::format("product(ring:{},linear:{})", a, b));
  }
  for (const std::string& word :
       with_more(full,
                 "mesh:5x4x3 mesh:2x3x4x5 torus:4x3x3 product(generalized-petersen:5,2,linear:3) "
                 "product(star:4,linear:3) product(tree:2,2,ring:5) product(complete:4,linear:3,ring:5) "
                 "product(random:8,12,4,linear:4) hypercycle:7/2x5/1",
                 "mesh:16x4 torus:16x12 mesh:8x6x5 product(linear:16,ring:16) "
                 "product(star:4,ring:5,linear:2)"))
    run(word);
}

}  // namespace

std::vector<Claim> product_claims() {
  return {
      claim("thesis.M1", "5.2, Theorem 5.1, Corollary 5.2", kHolds,
            "the status of a node of a product is n times the sum of s_i/|V_i|; average statuses alike; "
            "average distance n/(n-1) (k - sum of 1/m_i) in generalized hypercubes",
            statuses_runs, statuses_checks),
      claim("thesis.M2", "5.3, Fig. 5.2", kMisprint,
            "A1 delivers everything if line 3 leaves out k = j, as the text does, and not k = i; it takes "
            "longer than A2",
            a1_runs),
      claim("thesis.M3", "5.3.1, Theorem 5.3, Corollary 5.4", kHolds,
            "A2: one-port total exchange takes n1 T_B + n2 T_A steps on A x B, n times the sum of T_i/|V_i| "
            "on products of more dimensions",
            a2_runs),
      claim("thesis.M4", "5.3.1, Theorem 5.5", kHolds,
            "A2 takes the average status of the product, which is optimal, if every dimension takes its own "
            "average status. It must be equal, as in the proof: where it is rounded up A2 takes more, and on "
            "meshes, whose linear arrays of 3 or more nodes take more, A2 is not optimal",
            a2_optimal_runs),
      claim("thesis.M5", "5.4, Fig. 5.5, Theorem 5.6", kCorrected,
            "A3: all-port total exchange takes n T_H steps on H x H if line 11 is for r = 2, ..., n; as "
            "printed, to n - 1, it strands n^2 (n - 1) packets",
            a3_runs),
      claim("thesis.M6", "5.4, (5.3), (5.4)", kMisprint,
            "in round r of A3 node (v_i, u_j) receives the packets of (v_i, u_(j-l)) for (v_(i+((r-1)+l)), "
            "u_j), l = 1, ..., n - 1, not packets of its own",
            a3_sets_runs),
      claim("thesis.M7", "5.4.1, Corollary 5.7", kHolds,
            "A3 applied to halves: n^(d-1) T_H steps on H^d, d = 2, 4, 8, ...", a3_powers_runs),
      claim("thesis.M8", "5.4.1, Theorem 5.8 and after", kCorrected,
            "A3 is optimal on H x H if T_H equals a cut's |V1| |V2| / C, so on linear arrays and rings "
            "squared, but not on rings of n = 2 mod 4 nodes, where T_H is that rounded up: 6x6 takes 30 "
            "steps, 27 are enough",
            a3_optimal_runs),
      claim(
          "thesis.X5", "beyond chapter 5", kBeyond,
          "colouring relative destinations x generators: all-port total exchange meets the cut bound on all "
          "tori that are tried, on cubes and generalized hypercubes, on squares of extended rings; on "
          "extended rings of 12 and 14 nodes, rho 2, it takes one step more than the bounds, 6 and 9",
          generator_colouring_runs),
      claim("thesis.X6", "beyond chapter 5, Corollary 5.7", kBeyond,
            "n^(d-1) T_H steps all-port on H^d for every d, not powers of two alone, by colouring types of "
            "packets x rounds: a theorem (Koenig), whatever H",
            colouring_of_rounds_runs),
      claim("thesis.X7", "beyond chapter 5", kBeyond,
            "max (n/n_i) T_i steps all-port on every product G_1 x ... x G_k, by matching packets to windows "
            "in which the dimensions repeat their own total exchange; observed on all that were tried, not "
            "proved",
            windows_runs)};
}

}  // namespace safnet
