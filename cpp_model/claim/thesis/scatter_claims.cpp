// Thesis chapter 3, scattering: what is run for each statement and what must come out.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <map>
#include <set>
#include <utility>

#include "cpp_model/algorithm/tree/named_tree.hpp"
#include "cpp_model/algorithm/tree/spanning_tree.hpp"
#include "cpp_model/claim/chapter.hpp"
#include "cpp_model/claim/claim_networks.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

Cases scatter_one_port_runs(bool full) {
  return over_trees(full, [](const Graph& graph, NodeId root, const std::string& tree) {
    const std::uint64_t steps = graph.node_count() - 1;
    return ClaimCase{graph.spelling(), kScatter, kOnePort, "furthest-first", root, tree, steps};
  });
}

Cases scatter_all_port_runs(bool full) {
  return over_trees(full, [](const Graph& graph, NodeId root, const std::string& tree) {
    const std::uint64_t steps = largest_part(make_tree(tree, graph, root), graph);
    return ClaimCase{graph.spelling(), kScatter, kAllPort, "furthest-first", root, tree, steps};
  });
}

ClaimCase scatter(const std::string& topology, const std::string& algorithm, std::uint64_t steps,
                  const std::string& tree = "") {
  return {topology, kScatter, kAllPort, algorithm, 0, tree, steps};
}

// Over a tree of Fig. 3.4(b) in which node 3 hangs on `parent`.
ClaimCase over_tree_through(NodeId parent, const std::string& topology, const std::string& tree) {
  ClaimCase entry = scatter(topology, "furthest-first", 4, tree);
  entry.inspect = [parent](const RunOutcome& o) {
    std::set<NodeId> senders;
    for (const Transfer& t : o.trace->transfers) {
      if (o.graph->peer(t.from, t.port).node == 3) senders.insert(t.from);
    }
    return unless(senders == std::set{parent}, "nodes {} send to node 3, expected {} alone",
                  fmt::join(senders, ", "), parent);
  };
  return entry;
}

// Fig. 3.4: v is 0, a 1, b 2, c 3, d 4, e 5.
Cases trees_not_enough_runs(bool) {
  const std::string a = "edges:0-1,0-2,2-3,3-4", b = "edges:0-1,0-2,1-3,2-3,3-4,3-5";
  return {scatter(a, "furthest-first", 3), scatter(a, "balanced-routes", 3),
          over_tree_through(1, b, "shortest-path"), over_tree_through(2, b, "random:4"),
          scatter(b, "balanced-routes", 3)};
}

void extended_rings_runs(bool full, Cases& cases) {
  for (const ExtendedRingSize& ring : extended_rings(full ? 48 : 16)) {
    const std::size_t children = ring.path_lengths().size();
    cases.push_back(scatter(ring.word(), "weight-rule-tree", divide_up(ring.n - 1, ring.degree())));
    cases.back().inspect = [children](const RunOutcome& o) {
      const std::size_t found = packets_per_root_port(o).size();
      return unless(found == children, "{} children at the root, expected {}", found, children);
    };
    if (ring.w() == 0 && 2 * ring.rho < ring.n)
      cases.back().printed = {{kExactly, 2 * ring.rho, "children of the root"},
                              [](const RunOutcome& o) { return packets_per_root_port(o).size(); }};
  }
}

void torus_regions_runs(bool full, Cases& cases) {
  const std::uint64_t most = full ? 16 : 8;
  for (std::uint64_t n = 4; n <= most; ++n) {
    for (std::uint64_t m = 4; m <= most; ++m) {
      const std::string torus = fmt::format("torus:{}x{}", n, m);
      const std::uint64_t bound = divide_up(n * m - 1, 4);
      cases.push_back(scatter(torus, "torus-regions", bound));
      if (n == 7 && m == 7) {
        cases.back().inspect = [](const RunOutcome& o) -> std::string {
          const auto per_port = packets_per_root_port(o);
          if (per_port.size() != 4) return fmt::format("{} ports of the root are used", per_port.size());
          return first_fault(per_port, [](const auto& port) {
            return unless(port.second == 12, "{} packets through port {}", port.second, port.first);
          });
        };
      }
      const bool fails = m == 4 && n % 2 == 0;
      cases.push_back(scatter(torus, "torus-regions-as-printed", fails ? bound + 1 : bound));
      if (fails) cases.back().printed = {{kExactly, bound}};
    }
  }
}

// Nodes of an n x m torus that (3.4) maps points to: (r - j mod n, c - i mod m), from the node in row and
// column 0, for i and j of the ranges as printed, with floors at both ends, or with ceilings at the upper
// ends.
std::uint64_t mapped_nodes(std::int64_t n, std::int64_t m, bool as_printed) {
  const auto upper = [&](std::int64_t side) { return (side - (as_printed ? 1 : 0)) / 2; };
  std::set<std::pair<std::int64_t, std::int64_t>> nodes;
  for (std::int64_t i = -((m - 1) / 2); i <= upper(m); ++i) {
    for (std::int64_t j = -((n - 1) / 2); j <= upper(n); ++j) nodes.insert({(n - j) % n, (m - i) % m});
  }
  return nodes.size();
}

void torus_ranges_runs(bool full, Cases& cases) {
  for (std::uint64_t other = 3; other <= (full ? 16U : 8U); ++other) {
    const std::uint64_t bound = divide_up(3 * other - 1, 4) + (other % 4 == 0 ? 1 : 0);
    cases.push_back(scatter(fmt::format("torus:3x{}", other), "torus-regions", bound));
    if (other != 3) cases.push_back(scatter(fmt::format("torus:{}x3", other), "torus-regions", bound));
  }
}

Checks torus_ranges_checks(bool) {
  Checks checks;
  for (const auto& [n, m, reached] : {std::array{6, 6, 25}, {6, 7, 35}}) {
    const auto as_printed = [n, m] { return mapped_nodes(n, m, true); };
    checks.push_back(
        {.name = fmt::format("torus:{}x{}: the printed ranges reach {} nodes, with ceilings all {}", n, m,
                             reached, n * m),
         .check =
             [=] {
               const std::uint64_t found = as_printed(), all = mapped_nodes(n, m, false);
               return unless(std::cmp_equal(found, reached) && std::cmp_equal(all, n * m), "{} and {}", found,
                             all);
             },
         .printed = Printed<>{{kExactly, n * m, "nodes that points are mapped to"}, as_printed}});
  }
  return checks;
}

}  // namespace

std::vector<Claim> scatter_claims() {
  return {claim("thesis.S1", "3.3, Theorem 3.6", kHolds,
                "one-port scatter, furthest first over any spanning tree, takes n - 1 steps",
                scatter_one_port_runs),
          claim("thesis.S2", "3.4, Theorem 3.7", kHolds,
                "all-port scatter over a tree takes as many steps as the root's largest subtree has nodes",
                scatter_all_port_runs),
          claim("thesis.S3", "3.4, Fig. 3.4", kHolds,
                "ceil((n - 1)/d) is not always reached (a path and a leaf: 3, not 2); and where it is, trees "
                "may not do (4 steps over both trees, 3 without)",
                trees_not_enough_runs),
          claim("thesis.S4", "3.4.1, Theorem 3.8", kCorrected,
                "the weight rule's tree scatters on an extended ring in ceil((n - 1)/degree) steps; its root "
                "has rho + k children if w = 0",
                extended_rings_runs),
          claim("thesis.S5", "3.4.2, Fig. 3.7", kCorrected,
                "four regions around the root scatter on an n x m torus, n, m >= 4, in ceil((nm - 1)/4) "
                "steps; for m = 4 and even n two points go over wrap-around links instead",
                torus_regions_runs),
          claim("thesis.S6", "3.4.2, (3.4)", kMisprint,
                "upper ends of the ranges are ceil((n - 1)/2), ceil((m - 1)/2); on 3 x m and n x 3 tori the "
                "regions reach the bound except where the other side is a multiple of 4",
                torus_ranges_runs, torus_ranges_checks)};
}

}  // namespace safnet
