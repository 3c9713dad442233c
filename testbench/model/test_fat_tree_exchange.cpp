#include <algorithm>
#include <functional>
#include <set>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/algorithm/fat_tree/fat_tree_exchange_phases.hpp"
#include "cpp_model/algorithm/fat_tree/fat_tree_no_wait.hpp"
#include "cpp_model/algorithm/fat_tree/fat_tree_turning_levels.hpp"
#include "cpp_model/algorithm/product/factor_exchange.hpp"
#include "cpp_model/bound/fat_tree_exchange_bound.hpp"
#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/reference_stepper.hpp"

using namespace safnet;

namespace {

Problem exchange_on(const FatTree& tree) { return {fat_tree(tree), CollectiveKind::kTotalExchange}; }

// Plans and checks a timetable; returns its steps, which must be as promised.
std::uint32_t steps(const FatTree& tree, const std::string& name) {
  CAPTURE(tree.spelling(), name);
  const Problem problem = exchange_on(tree);
  const Algorithm& planner = find_planner(problem, name);
  const Schedule schedule = planner.plan(problem);
  const ScheduleReport report = check_schedule(schedule);
  CHECK((report.valid() ? why_not_packets_of(problem, schedule) : report.violations[0].text) == "");
  if (const auto promised = planner.closed_form(problem)) CHECK(last_step(schedule) == *promised);
  CHECK(last_step(schedule) >= fat_tree_exchange_mean_bound(tree));
  return last_step(schedule);
}

// Whether every packet, once sent, moves on in every step until its last hop.
bool nobody_waits(const Schedule& schedule, const FatTree& tree) {
  std::vector<std::uint32_t> first(schedule.packets.size(), 0), last(first);
  for (const Send& send : schedule.sends) {
    if (first[send.packet] == 0) first[send.packet] = send.start;
    last[send.packet] = send.start;
  }
  for (PacketIndex p = 0; p < schedule.packets.size(); ++p) {
    const std::uint32_t turn =
        tree.turning_level(schedule.packets.origin(p), schedule.packets.destinations(p)[0]);
    if (last[p] - first[p] + 1 != 2 * turn) return false;
  }
  return true;
}

using Numbers = std::vector<std::uint32_t>;

// Visits the fat trees of all capacities that the links below can fill, with one link per leaf.
void with_all_capacities(const Numbers& arities, Numbers capacities,
                         const std::function<void(const FatTree&)>& visit) {
  if (capacities.size() == arities.size()) return visit(FatTree(arities, capacities));
  const std::uint32_t most = capacities.empty() ? 1 : capacities.back() * arities[capacities.size() - 1];
  capacities.push_back(0);
  for (std::uint32_t c = 1; c <= most; ++c) {
    capacities.back() = c;
    with_all_capacities(arities, capacities, visit);
  }
}

std::string as_text(const std::vector<std::uint32_t>& levels) {
  std::string text;
  for (const std::uint32_t j : levels) text += j == 0 ? "." : std::to_string(j);
  return text;
}

}  // namespace

TEST_CASE("leaves are added digit by digit", "[fat_tree_exchange]") {
  const FatTree tree({2, 3}, {1, 1});
  CHECK(sum_of_digits(tree, 1, 1) == 0);
  CHECK(sum_of_digits(tree, 1, 2) == 3);
  CHECK(sum_of_digits(tree, 5, 3) == 0);
  CHECK(sum_of_digits(tree, 5, 5) == 2);
}

// n = 8 by hand: 16 packets over one link and 5 more steps; with four links 4 + 5. A leaf's 7 packets take
// 1, 3, 3, 5, 5, 5, 5 steps, 27/7 on average: 4 steps on top of 7, in which they go up one by one.
TEST_CASE("bounds of total exchange on fat trees", "[fat_tree_exchange]") {
  CHECK(fat_tree_exchange_cut_bound(FatTree::uniform(2, 3)) == 21);
  CHECK(fat_tree_exchange_mean_bound(FatTree::uniform(2, 3)) == 21);
  const FatTree thick({2, 2, 2}, {1, 2, 4});
  CHECK(fat_tree_exchange_cut_bound(thick) == 9);
  CHECK(fat_tree_exchange_mean_bound(thick) == 11);
  CHECK(fat_tree_exchange_cut_bound(FatTree({2, 2, 2}, {1, 1, 4})) == 15);  // level 2
  CHECK(fat_tree_exchange_cut_bound(FatTree({2, 2}, {1, 4})) == 5);         // two links of four can be filled
  CHECK(fat_tree_exchange_cut_bound(FatTree::uniform(2, 3), 10) == 165);
  CHECK(fat_tree_exchange_mean_bound(FatTree::uniform(3, 1)) == 3);
  CHECK(fat_tree_exchange_mean_bound(FatTree({3}, {2})) == 2);
}

TEST_CASE("constant capacities: three ways to the bound", "[fat_tree_exchange]") {
  for (const Numbers& arities : std::vector<Numbers>{{2},
                                                     {5},
                                                     {2, 2},
                                                     {2, 2, 2},
                                                     {2, 2, 2, 2},
                                                     {3, 3},
                                                     {3, 3, 3},
                                                     {4, 4},
                                                     {2, 3},
                                                     {3, 2},
                                                     {2, 3, 4},
                                                     {4, 3, 2},
                                                     {5, 2, 2}}) {
    const FatTree tree(arities, Numbers(arities.size(), 1));
    const std::uint64_t bound = fat_tree_exchange_cut_bound(tree);
    for (const char* name : {"lock-step", "no-wait", "digit-order"}) CHECK(steps(tree, name) == bound);
    CHECK(steps(tree, "ascending-order") >= bound);
  }
  CHECK(steps(FatTree::uniform(4, 2), "ascending-order") == 83);
  CHECK(steps(FatTree::uniform(4, 3), "ascending-order") == 1285);
}

TEST_CASE("phases take what they promise with any capacities, and nobody waits", "[fat_tree_exchange]") {
  std::uint32_t trees = 0;
  for (const Numbers& arities :
       std::vector<Numbers>{{4}, {2, 2}, {3, 4}, {5, 2}, {2, 2, 2}, {2, 3, 2}, {3, 2, 2}, {2, 2, 2, 2}}) {
    with_all_capacities(arities, {}, [&](const FatTree& tree) {
      ++trees;
      steps(tree, "fat-tree-phases");
      const Problem problem = exchange_on(tree);
      CHECK(nobody_waits(find_planner(problem, "fat-tree-phases").plan(problem), tree));
    });
  }
  CHECK(trees > 60);
  // Six links for the eight leaves of a child: what goes in each slot is found by flow.
  CHECK(steps(FatTree({2, 2, 2, 2}, {1, 2, 3, 6}), "fat-tree-phases") == 27);
  CHECK(steps(FatTree({2, 2, 2}, {1, 8, 8}), "fat-tree-phases") == 12);
  CHECK(steps(FatTree({3, 2}, {2, 3}), "fat-tree-phases") == 7);
}

TEST_CASE("what to send when every leaf can always send", "[fat_tree_exchange]") {
  const auto levels = [](const Numbers& arities) {
    return as_text(turning_levels_by_step({arities, FatTree::exponential_capacities(arities)}));
  };
  CHECK(levels({2, 2}) == "22..1");
  CHECK(levels({2, 2, 2}) == "333132.2");
  CHECK(levels({2, 2, 2, 2}) == "4444414442.3333..2");
  CHECK(levels({2, 2, 2, 2, 2}) == "555555515555525555.244444444..3333");
  // One step above the bound where the root has two children and nodes below it many.
  std::uint32_t trees = 0;
  std::vector<std::string> above;
  for (std::uint32_t a = 2; a <= 16; ++a) {
    for (std::uint32_t b = 1; a * b <= 32; ++b) {
      for (std::uint32_t c = 1; a * b * c <= 32; ++c) {
        if (b == 1 && c > 1) continue;
        Numbers arities{a};
        if (b > 1) arities.push_back(b);
        if (c > 1) arities.push_back(c);
        const FatTree tree(arities, FatTree::exponential_capacities(arities));
        const std::uint64_t excess = steps(tree, "full-capacity") - fat_tree_exchange_mean_bound(tree);
        CHECK(excess <= 1);
        if (excess != 0) {
          CHECK(c == 2);
          above.push_back(tree.spelling());
        }
        ++trees;
      }
    }
  }
  CHECK(trees > 100);
  CHECK(above.size() == 11);
  const FatTree largest({2, 2, 2, 2, 2, 2}, {1, 2, 4, 8, 16, 32});
  CHECK(steps(largest, "full-capacity") == 73);
}

TEST_CASE("a search where first fit is not enough", "[fat_tree_exchange]") {
  for (const Numbers& capacities :
       std::vector<Numbers>{{1, 2, 3}, {1, 2, 4}, {1, 1, 3}, {1, 1, 2}, {1, 2, 2}}) {
    const FatTree tree({2, 2, 2}, capacities);
    CHECK(steps(tree, "no-wait") == fat_tree_exchange_mean_bound(tree));
    const Problem problem = exchange_on(tree);
    CHECK(nobody_waits(find_planner(problem, "no-wait").plan(problem), tree));
  }
  CHECK(exchange_by_ejection(FatTree::uniform(2, 2), exchange_in_phases(FatTree::uniform(2, 2)), 6, 500, 1)
            .empty());
}

TEST_CASE("queues of routers in digit order", "[fat_tree_exchange]") {
  for (const char* word :
       {"fat-tree:2,3", "fat-tree:3,2", "fat-tree:4,2", "fat-tree:2,4", "fat-tree:2x3x2"}) {
    CAPTURE(word);
    const Problem problem{make_topology(word), CollectiveKind::kTotalExchange};
    const FatTree tree = *fat_tree_shape(problem.graph);
    const Policy policy = find_algorithm(problem, "digit-order").policy(problem);
    const StepperResult result = ReferenceStepper(problem.graph, PortModel::kAllPort, policy).run();
    CHECK(result.steps == fat_tree_exchange_cut_bound(tree));
    CHECK(result.peak_transit <= policy.queue_bound);
    if (!tree.is_uniform()) continue;
    const std::uint64_t k = tree.arity(1), n = tree.leaves();
    CHECK(result.peak_transit == n * n * (k - 1) * (k - 1) / (k * k * k) + 1);
  }
}

TEST_CASE("where the exchanges of fat trees apply", "[fat_tree_exchange]") {
  const auto why_not = [](const std::string& word, const std::string& name) {
    const Problem problem{make_topology(word), CollectiveKind::kTotalExchange};
    const auto found = std::ranges::find_if(algorithms(), [&](const Algorithm& a) {
      return a.name == name && a.collective == CollectiveKind::kTotalExchange;
    });
    REQUIRE(found != algorithms().end());
    return found->why_not(problem);
  };
  CHECK(why_not("tree:2,3", "digit-order") == "needs a fat tree");
  CHECK(why_not("fat-tree:2,2,1,2", "lock-step") == "needs capacities 1");
  CHECK(why_not("fat-tree:2,2", "full-capacity") ==
        "needs branches of as many usable links as there are leaves below, 1 at the leaves");
  CHECK(why_not("fat-tree:2,9,1,2,3,1,1,1,1,1,1", "fat-tree-phases") ==
        "needs at most 256 leaves, or usable capacities that divide the leaves below");
  CHECK(why_not("fat-tree:2,8", "no-wait") == "needs at most 128 leaves");
  CHECK(why_not("fat-tree:2,15", "lock-step") ==
        "needs a fat tree whose total exchange takes at most 67108864 hops");
}
