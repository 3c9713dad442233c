#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/algorithm/tree/spanning_tree.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/check/validator.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/reference_stepper.hpp"

using namespace safnet;

namespace {

Problem problem_of(const std::string& topology, CollectiveKind collective, PortModel ports, NodeId root = 0,
                   const std::string& tree = "") {
  return {make_topology(topology), collective, ports, root, tree};
}

Problem exchange(const std::string& topology, PortModel ports = PortModel::kAllPort) {
  return problem_of(topology, CollectiveKind::kTotalExchange, ports);
}

// Runs the algorithm and checks all that must hold whatever the algorithm.
StepperResult run(const Problem& problem, const std::string& name) {
  const Algorithm& algorithm = find_algorithm(problem, name);
  CAPTURE(problem.graph.spelling(), algorithm.name, to_string(problem.ports), problem.root, problem.tree);
  const Policy policy = algorithm.policy(problem);
  const StepperResult result = ReferenceStepper(problem.graph, problem.ports, policy).run();
  const bool may_conflict = problem.ports == PortModel::kOnePort && !policy.conflict_free;
  const ValidationReport report =
      validate(problem.graph, collective_of(problem), may_conflict ? PortModel::kOnePortSend : problem.ports,
               result.trace, 0);
  CHECK_THAT(report.problems, Catch::Equals(std::vector<std::string>{}));
  CHECK(result.steps >= lower_bound(problem).steps);
  CHECK(result.peak_waiting <= policy.queue_bound);
  if (policy.conflict_free && problem.ports != PortModel::kAllPort) CHECK(result.conflicts == 0);
  return result;
}

// Runs the algorithm, which must take as many steps as its closed form promises, if it has one.
std::uint64_t steps(const Problem& problem, const std::string& name) {
  const StepperResult result = run(problem, name);
  const std::optional<std::uint64_t> promised = find_algorithm(problem, name).closed_form(problem);
  CAPTURE(problem.graph.spelling(), name, to_string(problem.ports), problem.root, problem.tree);
  if (promised) CHECK(result.steps == *promised);
  return result.steps;
}

std::string sized(const std::string& family, std::uint64_t n) { return family + ":" + std::to_string(n); }

std::uint64_t divide_up(std::uint64_t a, std::uint64_t b) { return (a + b - 1) / b; }

const std::vector<std::string>& mixed_topologies() {
  static const std::vector<std::string> spellings{"linear:2",
                                                  "linear:7",
                                                  "ring:2",
                                                  "ring:7",
                                                  "ring:8",
                                                  "mesh:3x3",
                                                  "mesh:4x3x2",
                                                  "torus:4x4",
                                                  "torus:3x5",
                                                  "torus:2x3",
                                                  "hypercube:1",
                                                  "hypercube:4",
                                                  "extended-ring:11,2",
                                                  "complete:5",
                                                  "generalized-petersen:5,2",
                                                  "cube-connected-cycles:3",
                                                  "star:4",
                                                  "folded-cube:3",
                                                  "tree:2,2",
                                                  "random:10,16,1"};
  return spellings;
}

constexpr PortModel kEveryPortModel[] = {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend};

}  // namespace

TEST_CASE("every algorithm delivers everything wherever it says that it applies", "[algorithm]") {
  for (const std::string& topology : mixed_topologies()) {
    for (const CollectiveName& collective : collective_names()) {
      for (const PortModel ports : kEveryPortModel) {
        const Problem problem = problem_of(topology, collective.kind, ports);
        int policies = 0;  // none for collectives that only have planned timetables
        for (const Algorithm& algorithm : algorithms()) {
          if (algorithm.collective != collective.kind || !algorithm.policy) continue;
          if (!algorithm.why_not(problem).empty()) continue;
          ++policies;
          if (algorithm.name == "weight-rule-as-printed") continue;  // it may never end
          steps(problem, algorithm.name);
        }
        if (policies != 0) CHECK_FALSE(find_algorithm(problem, "").name.empty());
      }
    }
  }
}

TEST_CASE("every algorithm says in a line which networks are too large for it", "[algorithm]") {
  std::map<std::string, std::set<std::string>> limited;  // algorithms by what they need
  for (const char* topology :
       {"ring:65536", "torus:256x256", "hypercube:16", "hypercube:10", "folded-cube:15", "fat-tree:4,7",
        "mesh:300x200", "linear:2000", "complete:129", "star:8", "tree:2,15", "random:50000,100000,1"}) {
    const Graph graph = make_topology(topology);
    for (const CollectiveName& collective : collective_names()) {
      for (const PortModel ports : kEveryPortModel) {
        for (const std::uint32_t messages : {1U, 8U, kMaxMessages}) {
          const Problem problem{
              .graph = graph, .collective = collective.kind, .ports = ports, .messages = messages};
          try {
            check_messages(problem);
          } catch (const std::invalid_argument&) {
            continue;  // there is no such problem
          }
          for (const Algorithm& algorithm : algorithms()) {
            if (algorithm.collective != collective.kind) continue;
            CAPTURE(topology, algorithm.name, to_string(ports), messages);
            const std::string reason = algorithm.why_not(problem);
            if (reason.find_first_of("\n\r") != std::string::npos) FAIL(reason);
            limited[reason].insert(algorithm.name);
          }
        }
      }
    }
  }
  const auto check = [&](const std::string& reason, const std::string& name) {
    CAPTURE(reason, name);
    CHECK(limited[reason].contains(name));
  };
  check("needs a Cayley graph of at most 4096 nodes", "node-invariant");
  check("needs packets of at most 20000000 hops in all", "node-invariant");
  check("needs a folded cube of at most 12 dimensions", "folded-cube-greedy");
  check("needs a fat tree whose total exchange takes at most 67108864 hops", "lock-step");
  check("needs a graph of at most 1024 nodes", "balanced-routes");
  check("needs a network of at most 1024 nodes", "hamiltonian-cycle");
  check("needs a network of at most 4096 nodes", "rarest-first");
  check("needs at most 5000000 sends", "recursive-doubling");
  check("needs at most 1048576 nodes squared times messages", "accumulate-everywhere");
  check("needs a network whose gather takes at most 16777216 sends", "translated-broadcast");
  check("needs at most 16384 packets of several messages", "max-flow");
  check("needs at most 2097152 links times steps", "max-flow");
  check("needs at most 16777216 packets", "list-scheduling");
  check("needs a side of at most 64", "row-column-classes");
  check("needs at most 256 leaves", "flooding-last-in-first-out");
}

TEST_CASE("the weight rule as printed never ends where a copy has weight 0, and only there", "[algorithm]") {
  for (const char* word : {"ring:2", "extended-ring:4,2", "extended-ring:6,2", "complete:6", "ring:3",
                           "ring:8", "extended-ring:14,2"}) {
    CAPTURE(word);
    const Problem problem = problem_of(word, CollectiveKind::kBroadcast, PortModel::kAllPort);
    const NodeId n = problem.graph.node_count(), rho = (problem.graph.max_degree() + 1) / 2;
    const Policy policy = find_algorithm(problem, "weight-rule-as-printed").policy(problem);
    ReferenceStepper stepper(problem.graph, problem.ports, policy);
    const bool ends = (n - 1) / rho != (n / 2 + rho - 1) / rho;
    if (ends) {
      CHECK(stepper.run(1000).steps == problem.graph.diameter());
    } else {
      CHECK_THROWS_WITH(stepper.run(1000), Catch::Contains("step limit"));
    }
  }
}

TEST_CASE("the table of collectives has the kinds of node that there are algorithms for", "[algorithm]") {
  for (const CollectiveName& collective : collective_names()) {
    CAPTURE(collective.name);
    bool policy = false, timetable = false;
    for (const Algorithm& algorithm : algorithms()) {
      if (algorithm.collective != collective.kind) continue;
      (algorithm.policy ? policy : timetable) = true;
    }
    CHECK((policy || timetable) != collective.scans);
    CHECK(policy == ((collective.traits & kOnPifo) != 0));
    if (timetable) CHECK((collective.traits & kOnTdm) != 0);
  }
}

TEST_CASE("what is kept as printed is never chosen by itself", "[algorithm]") {
  for (const char* word : {"ring:8", "torus:8x4", "extended-ring:6,2", "mesh:3x3"}) {
    for (const CollectiveName& collective : collective_names()) {
      for (const PortModel ports : kEveryPortModel) {
        Problem problem = problem_of(word, collective.kind, ports);
        if (collective.has_active) problem.active = {0, 2};
        if (collective.kind == CollectiveKind::kMultipath || collective.scans) continue;
        if (collective.kind == CollectiveKind::kConcurrentBroadcast) continue;  // for lines alone
        CHECK_FALSE(find_planner(problem, "").chosen_by_name_only);
      }
    }
  }
}

TEST_CASE("trees span, and are as high as they should be", "[algorithm]") {
  for (const std::string& topology : mixed_topologies()) {
    const Graph graph = make_topology(topology);
    for (const NodeId root : {NodeId{0}, graph.node_count() / 2, graph.node_count() - 1}) {
      std::vector<std::pair<std::string, SpanningTree>> trees{
          {"shortest-path", shortest_path_tree(graph, root)},
          {"depth-first", depth_first_tree(graph, root)},
          {"random", random_tree(graph, root, 5)}};
      if (!graph.factors().empty()) trees.emplace_back("product", product_tree(graph, root));
      for (const auto& [name, tree] : trees) {
        CAPTURE(topology, root, name);
        CHECK(tree.root == root);
        std::uint32_t reached = 0;
        for (NodeId v = 0; v < graph.node_count(); ++v) {
          if (v == root) continue;
          CHECK(graph.port_to(tree.parent[v], v));
          CHECK(tree.depth[v] == tree.depth[tree.parent[v]] + 1);
          NodeId up = v;
          for (NodeId hop = 0; up != root && hop < graph.node_count(); ++hop) up = tree.parent[up];
          reached += up == root ? 1 : 0;
        }
        CHECK(reached == graph.node_count() - 1);
        CHECK(tree.height() >= graph.eccentricity(root));
        if (name == "shortest-path" || name == "product") CHECK(tree.height() == graph.eccentricity(root));
      }
    }
  }
}

TEST_CASE("a product tree moves in the lowest dimension where a node differs from the root", "[algorithm]") {
  const Graph graph = make_topology("mesh:3x4x2");
  const NodeId root = graph.node_at({1, 2, 0});
  const SpanningTree tree = product_tree(graph, root);
  CHECK(tree.height() == 4);
  CHECK(tree.parent[graph.node_at({0, 0, 1})] == graph.node_at({1, 0, 1}));
  CHECK(tree.parent[graph.node_at({1, 0, 1})] == graph.node_at({1, 1, 1}));
  CHECK(tree.parent[graph.node_at({1, 2, 1})] == root);
}

TEST_CASE("broadcast takes the eccentricity with all ports", "[algorithm]") {
  for (const std::string& topology : mixed_topologies()) {
    const Graph graph = make_topology(topology);
    for (NodeId root = 0; root < graph.node_count(); root += 3) {
      const Problem problem = problem_of(topology, CollectiveKind::kBroadcast, PortModel::kAllPort, root);
      CHECK(steps(problem, "shortest-path-tree") == graph.eccentricity(root));
      if (!graph.factors().empty()) CHECK(steps(problem, "product-tree") == graph.eccentricity(root));
    }
  }
}

TEST_CASE("broadcast on hypercubes takes one step per dimension under any port model", "[algorithm]") {
  for (std::uint64_t d = 1; d <= 8; ++d) {
    for (const PortModel ports : kEveryPortModel) {
      const Problem problem = problem_of(sized("hypercube", d), CollectiveKind::kBroadcast, ports, 1);
      CHECK(steps(problem, "product-tree") == d);
      CHECK(find_algorithm(problem, "").closed_form(problem) == d);
    }
  }
}

TEST_CASE("one-port broadcast over a tree by hand", "[algorithm]") {
  // From the middle of a row of five: one side first, the other a step later.
  CHECK(steps(problem_of("linear:5", CollectiveKind::kBroadcast, PortModel::kOnePort, 2),
              "shortest-path-tree") == 3);
  // From node 1 the longer side goes first: 2, 3, 4 in steps 1 to 3 and 0 in step 2.
  CHECK(steps(problem_of("linear:5", CollectiveKind::kBroadcast, PortModel::kOnePort, 1),
              "shortest-path-tree") == 3);
  CHECK(steps(problem_of("ring:6", CollectiveKind::kBroadcast, PortModel::kOnePort), "shortest-path-tree") ==
        3);
  CHECK(steps(problem_of("ring:5", CollectiveKind::kBroadcast, PortModel::kOnePort), "shortest-path-tree") ==
        3);
}

TEST_CASE("broadcast and scatter follow the tree that is asked for", "[algorithm]") {
  for (const std::string& topology : mixed_topologies()) {
    const Graph graph = make_topology(topology);
    for (const std::string tree : {"shortest-path", "depth-first", "random:1", "random:99", "product"}) {
      if (tree == "product" && graph.factors().empty()) continue;
      for (const PortModel ports : kEveryPortModel) {
        const NodeId root = graph.node_count() / 3;
        const Problem broadcast = problem_of(topology, CollectiveKind::kBroadcast, ports, root, tree);
        steps(broadcast, "");
        steps(broadcast, "spanning-tree");
        const Problem scatter = problem_of(topology, CollectiveKind::kScatter, ports, root, tree);
        const std::uint64_t taken = steps(scatter, "furthest-first");
        if (ports != PortModel::kAllPort) CHECK(taken == graph.node_count() - 1);
      }
    }
  }
  const Problem line =
      problem_of("linear:6", CollectiveKind::kBroadcast, PortModel::kAllPort, 0, "depth-first");
  CHECK(steps(line, "") == 5);
  const Problem ring =
      problem_of("ring:6", CollectiveKind::kBroadcast, PortModel::kAllPort, 0, "depth-first");
  CHECK(steps(ring, "") == 5);  // the tree goes all the way round
}

TEST_CASE("scatter by hand", "[algorithm]") {
  // All-port from the middle of a row: two nodes on each side. From the end: one packet per step.
  CHECK(steps(problem_of("linear:5", CollectiveKind::kScatter, PortModel::kAllPort, 2), "") == 2);
  CHECK(steps(problem_of("linear:5", CollectiveKind::kScatter, PortModel::kAllPort, 0), "") == 4);
  CHECK(steps(problem_of("linear:5", CollectiveKind::kScatter, PortModel::kOnePort, 2), "") == 4);
}

TEST_CASE("total exchange on linear arrays, thesis Theorem 4.3", "[algorithm]") {
  for (std::uint64_t n = 2; n <= 30; ++n) {
    const std::uint64_t optimum = divide_up(n * n - 1, 4);
    CHECK(steps(exchange(sized("linear", n)), "furthest-first") == optimum);
    CHECK(steps(exchange(sized("linear", n)), "message-shift") == optimum);
    const std::uint64_t closest = steps(exchange(sized("linear", n)), "closest-first");
    if (n == 4 || n == 8 || n == 16 || n == 30) CHECK(closest == optimum + n / 2 - 1);
  }
  CHECK(steps(exchange("mesh:9"), "furthest-first") == 20);  // a mesh of one dimension is a linear array
}

TEST_CASE("the six-node linear array step by step, thesis Figure 4.2", "[algorithm]") {
  const StepperResult result = run(exchange("linear:6"), "furthest-first");
  CHECK(result.steps == 9);
  const std::uint32_t last[] = {5, 8, 9, 8, 5};  // of the rightward packets
  for (NodeId v = 0; v < 5; ++v) {
    std::vector<std::uint32_t> sent;
    for (const Transfer& t : result.trace.transfers) {
      if (t.from == v && t.port == 0) sent.push_back(t.step);
    }
    CAPTURE(v);
    CHECK(sent.back() == last[v]);
    CHECK(sent.size() == last[v]);  // in every step until then
  }
}

TEST_CASE("total exchange on rings by node-invariant rules, thesis Theorem 4.5 and 4.3.2", "[algorithm]") {
  for (std::uint64_t n = 2; n <= 25; ++n) {
    const std::uint64_t expected = n % 2 == 1 ? (n * n - 1) / 8 : n * (n + 2) / 8;
    for (const std::string rule : {"furthest-first", "closest-first", "message-shift"}) {
      CHECK(steps(exchange(sized("ring", n)), rule) == expected);
    }
  }
}

TEST_CASE("mean delays on odd rings, thesis 4.3.1", "[algorithm]") {
  for (std::uint64_t n = 3; n <= 21; n += 2) {
    // With m = (n-1)/2: (m+1)(m+2)/6, (m+1)(2m+1)/6 and m(m+1)/2 - (m-1)/2, times 6.
    const std::uint64_t m = (n - 1) / 2;
    const std::uint64_t deliveries = n * (n - 1);
    CAPTURE(n);
    CHECK(6 * run(exchange(sized("ring", n)), "closest-first").delay_sum == deliveries * (m + 1) * (m + 2));
    CHECK(6 * run(exchange(sized("ring", n)), "message-shift").delay_sum ==
          deliveries * (m + 1) * (2 * m + 1));
    CHECK(2 * run(exchange(sized("ring", n)), "furthest-first").delay_sum == deliveries * (m * m + 1));
  }
}

TEST_CASE("total exchange on even rings by parity, thesis Theorem 4.6", "[algorithm]") {
  for (std::uint64_t n = 2; n <= 40; n += 2) {
    const std::uint64_t optimum = divide_up(n * n - 1, 8);
    CAPTURE(n);
    CHECK(steps(exchange(sized("ring", n)), "parity-message-shift") == optimum);
    CHECK(steps(exchange(sized("ring", n)), "parity-furthest-first") == optimum);
    CHECK(run(exchange(sized("ring", n)), "parity-closest-first").steps == optimum + n / 4);
    CHECK(find_algorithm(exchange(sized("ring", n)), "").closed_form(exchange(sized("ring", n))) == optimum);
  }
}

TEST_CASE("one-port total exchange on Cayley graphs takes the status, thesis Theorem 4.11", "[algorithm]") {
  for (const std::string topology :
       {"ring:2", "ring:5", "ring:8", "ring:13", "torus:4x4", "torus:5x3", "torus:2x3x2", "torus:4x2x3",
        "mesh:2x2x2", "hypercube:1", "hypercube:3", "hypercube:5"}) {
    for (const PortModel ports : {PortModel::kOnePort, PortModel::kOnePortSend}) {
      const Problem problem = exchange(topology, ports);
      for (const std::string rule : {"message-shift", "furthest-first", "closest-first", "transit-first"}) {
        CHECK(steps(problem, rule) == problem.graph.status(0));
      }
      CHECK(find_algorithm(problem, "").policy(problem).conflict_free);
    }
  }
  for (std::uint64_t d = 1; d <= 6; ++d) {
    CHECK(steps(exchange(sized("hypercube", d), PortModel::kOnePort), "message-shift") == (d << (d - 1)));
  }
}

TEST_CASE("hypercubes are crossed from the leftmost differing bit, thesis 4.4.5", "[algorithm]") {
  const Problem problem = exchange("hypercube:4", PortModel::kOnePort);
  const Policy policy = find_algorithm(problem, "message-shift").policy(problem);
  CHECK(policy.table(0b0110, 0b0011).output_mask == 0b0010);  // coordinates 1 and 3 differ: port 1
  CHECK(policy.table(0b0000, 0b1111).output_mask == 0b0001);
  CHECK(policy.table(0b0010, 0b0011).output_mask == 0b1000);
  CHECK(policy.table(0b0011, 0b0011).deliver);
}

TEST_CASE("what does not apply gets one line that names it", "[algorithm]") {
  CHECK_THROWS_WITH(find_algorithm(exchange("ring:7"), "parity-message-shift"),
                    Catch::Contains("parity-message-shift") && Catch::Contains("even"));
  CHECK_THROWS_WITH(find_algorithm(exchange("ring:7"), "psychic"),
                    Catch::Contains("psychic") && Catch::Contains("furthest-first"));
  CHECK_THROWS_AS(
      find_algorithm(problem_of("linear:5", CollectiveKind::kBroadcast, PortModel::kAllPort), "product-tree"),
      std::invalid_argument);
  for (const std::string tree :
       {"oak", "random:", "random:x", "random:-1", "random:99999999999999999999", "product"}) {
    CAPTURE(tree);
    CHECK_THROWS_AS(
        find_algorithm(problem_of("linear:5", CollectiveKind::kBroadcast, PortModel::kAllPort, 0, tree), ""),
        std::invalid_argument);
    CHECK_THROWS_AS(
        find_algorithm(problem_of("linear:5", CollectiveKind::kScatter, PortModel::kAllPort, 0, tree), ""),
        std::invalid_argument);
  }
  Problem with_tree = exchange("ring:7");
  with_tree.tree = "product";
  CHECK_THROWS_WITH(find_algorithm(with_tree, ""), Catch::Contains("tree"));
  CHECK_THROWS_AS(find_algorithm(problem_of("ring:4", CollectiveKind::kScatter, PortModel::kOnePort, 4), ""),
                  std::invalid_argument);
  CHECK_THROWS_AS(find_algorithm(exchange("linear:65536"), "").policy(exchange("linear:65536")),
                  std::invalid_argument);
}
