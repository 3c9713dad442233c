// small_machine_claims - beyond the papers: the fewest steps on machines of up to 16 nodes, one-way links
// included, proved by bounds and exhaustive search.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cpp_model/claim/chapter.hpp"
#include "cpp_model/claim/claim_networks.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/number/exact.hpp"
#include "cpp_model/optimum/proved_optimum.hpp"

namespace safnet {
namespace {

constexpr std::uint32_t kMostMessages = 3;

// Empty if `steps` are proved to be the fewest.
std::string check_optimum(const Problem& problem, std::uint64_t steps) {
  const auto proved = proved_optimum(problem);
  if (proved && proved->steps == steps) return {};
  return fmt::format(
      "{} of {} messages on {}, {}: {}, {} are claimed", to_string(problem.collective), problem.messages,
      problem.graph.spelling(), in_words(problem.ports),
      proved ? fmt::format("{} steps ({})", proved->steps, proved->reason) : std::string("not proved"),
      steps);
}

Problem of(const Graph& graph, CollectiveKind collective, PortModel ports, std::uint32_t messages) {
  Problem problem{graph, collective, ports};
  problem.messages = messages;
  return problem;
}

// The fewest steps are `steps(graph, M)`, for every M.
template <class Steps>
std::string check_optima(const std::string& word, CollectiveKind collective, PortModel ports,
                         const Steps& steps) {
  const Graph graph = make_topology(word);
  return first_fault(range<std::uint32_t>(1, kMostMessages), [&](std::uint32_t m) {
    return check_optimum(of(graph, collective, ports, m), steps(graph, m));
  });
}
std::string none_fewer(const std::string& word) {
  return fmt::format("{}, 1 to {} packets: as many steps, and none fewer", word, kMostMessages);
}

ClaimCase planned(const std::string& word, CollectiveKind collective, PortModel ports, std::uint32_t count,
                  std::uint64_t steps) {
  return messages({word, collective, ports, "optimal", 0, "", steps}, count);
}

PortId smallest_in_degree(const Graph& graph) {
  PortId least = graph.in_degree(0);
  for (NodeId v = 1; v < graph.node_count(); ++v) least = std::min(least, graph.in_degree(v));
  return least;
}

// The larger of diameter and ceil(M (n - 1) / d), d the smallest in-degree.
std::uint64_t all_port_steps(const Graph& graph, std::uint64_t messages) {
  const std::uint64_t packets = messages * (graph.node_count() - 1);
  return std::max<std::uint64_t>(graph.diameter(), divide_up(packets, smallest_in_degree(graph)));
}

constexpr const char* kTrianglesWithSharedNode = "edges:0-1,0-2,0-3,0-4,1-4,2-3";
constexpr const char* kJoinedTriangles = "edges:0-1,0-2,0-5,1-5,2-3,2-4,3-4";

std::uint64_t joined_triangles_steps(const Graph&, std::uint64_t m) { return 3 * m + 1; }
std::uint64_t triangles_with_shared_node_steps(const Graph& graph, std::uint64_t m) {
  return m == 1 ? 3 : all_port_steps(graph, m);
}

std::string check_small_graphs() {
  std::vector<std::string> above;
  for (const std::string& word : small_connected_graphs(6)) {
    const Graph graph = make_topology(word);
    bool more = false;
    for (std::uint32_t m = 1; m <= kMostMessages; ++m) {
      const auto proved = proved_optimum(of(graph, kMultinodeBroadcast, kAllPort, m));
      if (!proved) return word + ": not proved";
      more = more || proved->steps > all_port_steps(graph, m);
    }
    if (more) above.push_back(word);
  }
  const std::vector<std::string> expected{kTrianglesWithSharedNode, kJoinedTriangles};
  return unless(above == expected, "above it: {}", fmt::join(above, " "));
}

void all_port_multinode_broadcast_runs(bool full, Cases& cases) {
  for (const std::string& word :
       with_more(full, "petersen dgx-1 kautz:2,2 mesh:3x3",
                 "kautz:2,3 kautz:3,2 de-bruijn:2,3 de-bruijn:3,2 hypercube:4 torus:4x4 mesh:4x4 tree:2,3")) {
    const Graph graph = make_topology(word);
    for (std::uint32_t m = 1; m <= kMostMessages; ++m) {
      cases.push_back(planned(word, kMultinodeBroadcast, kAllPort, m, all_port_steps(graph, m)));
      cases.push_back(
          planned(word, kMultinodeAccumulation, kAllPort, m, all_port_steps(graph.transposed(), m)));
    }
  }
  for (std::uint32_t m = 1; m <= kMostMessages; ++m)
    cases.push_back(planned(kJoinedTriangles, kMultinodeBroadcast, kAllPort, m, 3 * m + 1));
  cases.push_back(planned(kTrianglesWithSharedNode, kMultinodeBroadcast, kAllPort, 1, 3));
}

Checks all_port_multinode_broadcast_checks(bool) {
  Checks checks = check_each(
      listed("petersen dgx-1 kautz:2,2 kautz:2,3 kautz:3,2 de-bruijn:2,2 de-bruijn:2,3 de-bruijn:2,4 "
             "de-bruijn:3,2 ring:15 hypercube:3 hypercube:4 mesh:2x3 mesh:3x3 mesh:4x4 torus:3x3 torus:4x4 "
             "tree:2,3"),
      none_fewer, [](const std::string& word) {
        return check_optima(word, kMultinodeBroadcast, kAllPort, all_port_steps);
      });
  for (const auto& [word, steps] : {std::pair{kJoinedTriangles, &joined_triangles_steps},
                                    std::pair{kTrianglesWithSharedNode, &triangles_with_shared_node_steps}}) {
    checks.push_back({none_fewer(word),
                      [word, steps] { return check_optima(word, kMultinodeBroadcast, kAllPort, steps); }});
  }
  checks.push_back(
      {fmt::format("connected graphs of 2 to 6 nodes, 1 to {} packets: the optimum is proved, on two "
                   "above the formula",
                   kMostMessages),
       check_small_graphs});
  return checks;
}

// One-port multinode broadcast on a linear array of three nodes or more.
std::uint64_t array_steps(NodeId nodes, std::uint64_t messages) {
  return (nodes + 1) * messages + (nodes - 3) / 2;
}

void one_port_multinode_broadcast_runs(bool full, Cases& cases) {
  const auto add = [&cases](const std::string& word, std::uint32_t messages, std::uint64_t steps) {
    for (const CollectiveKind collective : {kMultinodeBroadcast, kMultinodeAccumulation})
      cases.push_back(planned(word, collective, kOnePort, messages, steps));
  };
  const auto full_speed = with_more(full, "dgx-1 kautz:2,2", "petersen kautz:2,3 hypercube:4 mesh:4x4");
  for (std::uint32_t m = 1; m <= kMostMessages; ++m) {
    for (const std::string& word : full_speed) add(word, m, m * (make_topology(word).node_count() - 1));
    add("mesh:3x3", m, 10 * m);
    add("edges:0-1,0-2,0-3,0-4", m, 16 * m);
    add("linear:5", m, array_steps(5, m));
    if (full) add("linear:16", m, array_steps(16, m));
  }
}

void one_port_multinode_broadcast_checks(bool, Checks& checks) {
  const auto add = [&checks](const std::vector<std::string>& words, auto steps) {
    checks = joined(checks, check_each(words, none_fewer, [steps](const std::string& word) {
                      return check_optima(word, kMultinodeBroadcast, kOnePort, steps);
                    }));
  };
  add(listed("petersen dgx-1 kautz:2,2 kautz:2,3 kautz:3,2 de-bruijn:2,2 de-bruijn:2,3 de-bruijn:2,4 "
             "de-bruijn:3,2 ring:15 hypercube:3 hypercube:4 torus:3x3 torus:4x4 mesh:2x3 mesh:4x4"),
      [](const Graph& graph, std::uint32_t m) { return m * (graph.node_count() - 1); });
  add({"mesh:3x3"}, [](const Graph&, std::uint32_t m) { return 10 * m; });
  add({"mesh:3x5"}, [](const Graph&, std::uint32_t m) { return 16 * m; });
  add({"tree:8,1"}, [](const Graph&, std::uint32_t m) { return 64 * m; });
  for (NodeId n = 3; n <= 16; ++n)
    add({linear_word(n)}, [n](const Graph&, std::uint32_t m) { return array_steps(n, m); });
}

struct BroadcastSteps {
  const char* word;
  std::uint64_t all_port[kMostMessages], one_port[kMostMessages];
};

// From node 0, of 1, 2 and 3 packets.
const std::vector<BroadcastSteps>& broadcast_steps() {
  static const std::vector<BroadcastSteps> list{
      {"dgx-1", {2, 2, 3}, {3, 4, 5}},         {"petersen", {2, 3, 3}, {4, 5, 6}},
      {"kautz:2,2", {2, 3, 3}, {3, 4, 5}},     {"kautz:2,3", {3, 4, 4}, {5, 6, 7}},
      {"kautz:3,2", {2, 3, 3}, {4, 5, 6}},     {"de-bruijn:2,3", {3, 4, 5}, {4, 6, 7}},
      {"de-bruijn:2,4", {4, 5, 6}, {6, 7, 9}}, {"de-bruijn:3,2", {2, 3, 3}, {4, 5, 6}},
      {"hypercube:4", {4, 4, 4}, {4, 5, 6}},   {"mesh:3x3", {4, 4, 5}, {4, 5, 6}},
      {"mesh:4x4", {6, 6, 7}, {6, 7, 8}},      {"torus:3x5", {3, 3, 4}, {4, 5, 7}},
      {"torus:4x4", {4, 4, 4}, {4, 5, 6}},     {"tree:2,3", {3, 4, 5}, {6, 8, 10}}};
  return list;
}

void broadcasts_of_messages_runs(bool full, Cases& cases) {
  for (const BroadcastSteps& known : broadcast_steps()) {
    if (!full && cases.size() >= 4 * 2 * kMostMessages) break;
    for (std::uint32_t m = 1; m <= kMostMessages; ++m) {
      cases.push_back(planned(known.word, kBroadcast, kAllPort, m, known.all_port[m - 1]));
      cases.push_back(planned(known.word, kBroadcast, kOnePort, m, known.one_port[m - 1]));
    }
  }
}

std::string check_broadcasts(const BroadcastSteps& known) {
  const auto check = [&](PortModel ports, const std::uint64_t* steps) {
    return check_optima(known.word, kBroadcast, ports,
                        [=](const Graph&, std::uint32_t m) { return steps[m - 1]; });
  };
  const std::string wrong = check(kAllPort, known.all_port);
  return wrong.empty() ? check(kOnePort, known.one_port) : wrong;
}

Checks broadcasts_of_messages_checks(bool) {
  return check_each(
      broadcast_steps(), [](const BroadcastSteps& known) { return none_fewer(known.word); },
      check_broadcasts);
}

std::vector<std::string> one_way_networks() {
  return listed(
      "kautz:2,2 links:0-1,1-2,2-3,3-4,4-0,0-2,0-2 de-bruijn:2,2 de-bruijn:2,3 kautz:2,3 kautz:3,2 "
      "de-bruijn:3,2");
}

// From and to every root; the first networks only if not `full`.
void one_way_scatter_runs(bool full, Cases& cases) {
  for (const std::string& word : one_way_networks()) {
    if (!full && cases.size() > 100) break;
    const NodeId nodes = make_topology(word).node_count();
    for (const CollectiveKind collective : {kScatter, kGather}) {
      for (std::uint32_t m = 1; m <= kMostMessages; ++m) {
        for (NodeId root = 0; root < nodes; ++root) {
          cases.push_back(messages(
              {word, collective, kOnePort, "furthest-first-tree", root, "", std::uint64_t{m} * (nodes - 1)},
              m));
        }
      }
    }
  }
}

std::string check_one_port_scatter(const std::string& word) {
  const Graph graph = make_topology(word);
  for (const CollectiveKind collective : {kScatter, kGather}) {
    for (std::uint32_t m = 1; m <= kMostMessages; ++m) {
      Problem problem = of(graph, collective, kOnePort, m);
      for (problem.root = 0; problem.root < graph.node_count(); ++problem.root) {
        const std::string wrong = check_optimum(problem, m * (graph.node_count() - 1));
        if (!wrong.empty()) return wrong;
      }
    }
  }
  return {};
}

Checks one_way_scatter_checks(bool) {
  return check_each(
      one_way_networks(), [](const std::string& word) { return none_fewer(word) + ", every root"; },
      check_one_port_scatter);
}

}  // namespace

std::vector<Claim> small_machine_claims() {
  return {
      claim("optimum.G1", "beyond the papers", kBeyond,
            "all-port multinode broadcast of 1, 2 or 3 packets per node takes max(diameter, ceil(M (n - "
            "1)/d)) steps, d the smallest in-degree, on the DGX-1 (2, 3, 4), Petersen, Kautz and de Bruijn "
            "networks, tori, meshes and hypercubes that are tried, of up to 16 nodes, and multinode "
            "accumulation as many; none takes fewer. So do all connected graphs of 2 to 6 nodes but two: two "
            "triangles that share a node (M = 1: 3 steps) or are joined by an edge (4, 7, 10)",
            all_port_multinode_broadcast_runs, all_port_multinode_broadcast_checks),
      claim("optimum.G2", "beyond the papers", kBeyond,
            "one-port multinode broadcast of M = 1, 2, 3 packets per node takes M (n - 1) steps on the "
            "DGX-1, Petersen, Kautz and de Bruijn networks, tori and hypercubes that are tried, of up to 16 "
            "nodes, on a ring of 15, on the 4 x 4 and 2 x 3 meshes too; but 10 M on the 3 x 3 and 16 M on "
            "the 3 x 5 mesh, M (n - 1)^2 on a star, (n + 1) M + floor((n - 3)/2) on arrays of 3 to 16 nodes; "
            "none takes fewer",
            one_port_multinode_broadcast_runs, one_port_multinode_broadcast_checks),
      claim("optimum.B1", "beyond the papers", kBeyond,
            "broadcast of 1, 2, 3 packets from node 0 takes, all-port and one-port: DGX-1 2, 2, 3 and 3, 4, "
            "5; Petersen 2, 3, 3 and 4, 5, 6; Kautz K(2,3) 3, 4, 4 and 5, 6, 7; de Bruijn B(2,4) 4, 5, 6 and "
            "6, 7, 9; 3 x 5 torus 3, 3, 4 and 4, 5, 7; 4 x 4 mesh 6, 6, 7 and 6, 7, 8; none takes fewer. One "
            "more packet is one more step with one port on most networks, not on all",
            broadcasts_of_messages_runs, broadcasts_of_messages_checks),
      claim("optimum.S1", "beyond the papers", kBeyond,
            "one-port scatter and gather of M packets per node take M (n - 1) steps on networks with one-way "
            "links too, from and to every node",
            one_way_scatter_runs, one_way_scatter_checks)};
}

}  // namespace safnet
