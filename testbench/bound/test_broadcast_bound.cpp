#include <boost/multiprecision/cpp_int.hpp>

#include "cpp_model/bound/broadcast_bound.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

TEST_CASE("distance degree sequences", "[broadcast_bound]") {
  using Sequence = std::vector<std::uint64_t>;
  CHECK(distance_degree_sequence(make_topology("hypercube:4"), 3) == Sequence{1, 4, 6, 4, 1});
  CHECK(distance_degree_sequence(make_topology("tree:2,3"), 0) == Sequence{1, 2, 4, 8});
  CHECK(nodes_at_least({1, 4, 6, 4, 1}) == Sequence{16, 15, 11, 5, 1});
}

TEST_CASE("Theorem 3.3 by hand", "[broadcast_bound]") {
  CHECK(steps_to_inform(0, 1) == 0);
  CHECK(steps_to_inform(0, 16) == 4);  // 2^t
  CHECK(steps_to_inform(0, 17) == 5);
  CHECK(steps_to_inform(5, 1) == 5);
  CHECK(steps_to_inform(5, 2) == 6);
  CHECK(steps_to_inform(2, 4) == 3);  // C(3,2) + C(3,3) = 4
  CHECK(steps_to_inform(2, 5) == 4);  // 6 + 4 + 1
  CHECK(steps_to_inform(100, 1) == 100);
  CHECK(steps_to_inform(100, 102) == 101);
  CHECK(steps_to_inform(100, 103) == 102);
}

TEST_CASE("Theorem 3.3 is exact at every distance", "[broadcast_bound]") {
  using boost::multiprecision::cpp_int;
  for (std::uint64_t d = 0; d <= 70; ++d) {
    for (const std::uint64_t nodes :
         {1ULL, 2ULL, 63ULL, 100ULL, 2017ULL, 2018ULL, 5000ULL, 60000ULL, 65536ULL}) {
      std::uint64_t t = d;
      for (;; ++t) {
        cpp_int sum = 0, binomial = 1;  // C(t, t), C(t, t - 1), ...
        for (std::uint64_t l = t; l + 1 > d; --l) {
          sum += binomial;
          if (l == 0) break;
          binomial = binomial * l / (t - l + 1);
        }
        if (sum >= nodes) break;
      }
      CAPTURE(d, nodes);
      REQUIRE(steps_to_inform(d, nodes) == t);
    }
  }
}

TEST_CASE("Corollary 3.4 by hand", "[broadcast_bound]") {
  CHECK(corollary_3_4(3, 16) == 5);  // R_d = 4^2: 2d - 1
  CHECK(corollary_3_4(2, 12) == 4);  // log2(4 + 12)
  CHECK(corollary_3_4(2, 13) == 5);  // log2(17), rounded up
  CHECK(corollary_3_4(3, 2) == 4);   // 3/2 + 6^(1/4), rounded up
  CHECK(corollary_3_4(0, 4) == 3);   // log2(4 + 1/4): not a bound, K_4 takes 2
  CHECK(corollary_3_4(4, 1) == 2);   // d/2
}

TEST_CASE("Corollary 3.5 by hand", "[broadcast_bound]") {
  CHECK(steps_to_inform_in_tree(3, 1) == 3);
  CHECK(steps_to_inform_in_tree(3, 4) == 4);
  CHECK(steps_to_inform_in_tree(3, 5) == 5);
  CHECK(steps_to_inform_in_tree(1, 7) == 7);
  CHECK(steps_to_inform_in_tree(0, 1) == 0);
}

TEST_CASE("a cut node has nothing more to send into a part of one node", "[broadcast_bound]") {
  // Node 2 of the triangle 0, 1, 2 has the leaves 3 and 4: informed in step 1, it informs one each in steps 2
  // and 3.
  CHECK(one_port_broadcast_bound(make_topology("edges:0-1,1-2,0-2,2-3,2-4"), 0).steps == 3);
  // With a third leaf it is step 4.
  CHECK(one_port_broadcast_bound(make_topology("edges:0-1,1-2,0-2,2-3,2-4,2-5"), 0).steps == 4);
}

TEST_CASE("of what a cut node leads to every node counts, the first one too", "[broadcast_bound]") {
  // Node 2, a hop from root 1, leads to three chains of two nodes; node 0 ends one of them.
  CHECK(one_port_broadcast_bound(make_topology("edges:1-4,4-2,1-2,2-3,3-0,2-5,5-6,2-7,7-8"), 1).steps == 5);
}

TEST_CASE("further messages of a broadcast leave the root one by one", "[broadcast_bound]") {
  Problem problem{.graph = make_topology("ring:5"), .collective = CollectiveKind::kBroadcast};
  problem.ports = PortModel::kOnePort;
  const LowerBound one = lower_bound(problem);
  problem.messages = 3;
  const LowerBound three = lower_bound(problem);
  CHECK(three.steps == one.steps + 2);
  CHECK(three.reason.starts_with("2 messages before the last"));
  CHECK(three.witness.remark == ", and 2 messages before");
}

TEST_CASE("a bound by distance names the nodes at that distance", "[broadcast_bound]") {
  const BoundWitness leaves = one_port_broadcast_bound(make_topology("edges:0-1,0-2,0-3,0-4,0-5"), 0).witness;
  CHECK(leaves.kind == WitnessKind::kReceiving);
  CHECK(leaves.nodes == std::vector<NodeId>{1, 2, 3, 4, 5});
}

TEST_CASE("nodes of few neighbours inform fewer", "[broadcast_bound]") {
  // A ring: at most two nodes are informed per step, whatever their distance. By 2^t 8 nodes take 3 steps.
  CHECK(steps_to_inform_by_degree({8}, 2, 2, 0) == 4);
  CHECK(steps_to_inform_by_degree({9}, 2, 2, 0) == 5);
  CHECK(steps_to_inform_by_degree({9}, 2, 2, 7) == 7);
  // Degree 3: 1, 2, 4, 8, then 14 (the root and the first one informed have no neighbours left), not 16.
  CHECK(steps_to_inform_by_degree({8}, 3, 3, 0) == 3);
  CHECK(steps_to_inform_by_degree({14}, 3, 3, 0) == 4);
  CHECK(steps_to_inform_by_degree({15}, 3, 3, 0) == 5);
  // With neighbours in plenty it is Theorem 3.3.
  for (std::uint64_t d = 0; d < 6; ++d) {
    for (std::uint64_t nodes = 1; nodes < 60; ++nodes) {
      std::vector<std::uint64_t> at_least(d + 1, 0);
      at_least[0] = at_least[d] = nodes;
      CHECK(steps_to_inform_by_degree(at_least, 99, 99, 0) ==
            std::max(steps_to_inform(0, nodes), steps_to_inform(d, nodes)));
    }
  }
}

TEST_CASE("one-port broadcast in trees, exactly", "[broadcast_bound]") {
  const auto steps = [](const std::string& topology, NodeId root) {
    return tree_broadcast_steps(Wiring(make_topology(topology)), root);
  };
  CHECK(steps("linear:9", 4) == 5);
  CHECK(steps("tree:7,1", 0) == 7);
  CHECK(steps("tree:7,1", 3) == 7);  // to the hub, then six
  CHECK(steps("tree:2,3", 0) == 6);
  CHECK(steps("tree:3,2", 0) == 6);
  // The long branch first, although the other is bushier.
  CHECK(steps("edges:0-1,1-2,2-3,3-4,0-5,5-6,5-7", 0) == 4);
}

TEST_CASE("one-port broadcast through cut nodes", "[broadcast_bound]") {
  // A triangle 0 1 2, and four leaves at node 2: one step to node 2, four more for its leaves.
  const Graph graph = make_topology("edges:0-1,1-2,0-2,2-3,2-4,2-5,2-6");
  const LowerBound bound = one_port_broadcast_bound(graph, 0);
  CHECK(bound.steps == 5);
  CHECK(bound.reason == "node 2, 1 hops away, sends one by one into 4 parts that it alone joins");
  // From node 2 itself: one step for each leaf, and one for the rest of the triangle, if that comes first.
  CHECK(one_port_broadcast_bound(graph, 2).steps == 5);
}
