// Which labels come to which nodes of a large network: those on the ways of packets, and no others.
#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/graph/topology.hpp"
#include "sim/pifo/label_use.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

Policy policy_of(const Problem& problem) { return best_policy(problem).algorithm->policy(problem); }

}  // namespace

TEST_CASE("the labels of a scatter are those of the nodes behind a node", "[label_use]") {
  const Problem problem{.graph = make_topology("hypercube:14"), .collective = CollectiveKind::kScatter};
  const Policy policy = policy_of(problem);
  const std::optional<LabelUse> use = LabelUse::if_sparse(problem.graph, policy);
  REQUIRE(use);
  // Each packet comes to as many nodes as its way has hops, and starts at the root: with all destinations but
  // the root, 14/2 hops on average, that makes 2^14 (7 + 1) - 1.
  std::size_t entries = 0;
  for (NodeId v = 0; v < problem.graph.node_count(); ++v) {
    entries += use->at(v).size();
    for (const Label label : use->at(v)) {
      const TableEntry entry = policy.table(v, label);
      if (entry.output_mask == 0 && !entry.deliver) FAIL("label " << label << " does not come to node " << v);
    }
  }
  CHECK(entries == (std::size_t{1} << 14) * 8 - 1);
  // At least a page of a node's table is touched, at most one for each entry.
  CHECK(use->pages(4) >= problem.graph.node_count());
  CHECK(use->pages(4) <= entries);
}

TEST_CASE("tables are filled as a policy says where they are small, or all labels come everywhere",
          "[label_use]") {
  const Problem small{.graph = make_topology("hypercube:6"), .collective = CollectiveKind::kScatter};
  CHECK_FALSE(LabelUse::if_sparse(small.graph, policy_of(small)));
  const Problem dense{.graph = make_topology("linear:16384"), .collective = CollectiveKind::kScatter};
  CHECK_FALSE(LabelUse::if_sparse(dense.graph, policy_of(dense)));
}
