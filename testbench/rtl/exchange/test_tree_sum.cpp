// Sums over lines of nodes: the right sum at every node, in as many hops as twice the depth of the tree.
#include <algorithm>
#include <random>
#include <vector>

#include "Vrtl_tree_sum_bench.h"
#include "testbench/rtl/rtl_bench.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

constexpr int kNodes = 16, kWidth = 16, kRows = 2;  // of the bench; row g has links of latency g
constexpr unsigned kLeft = 1, kRight = 2;

using Values = std::vector<std::uint64_t>;

// Sums over the first nodes of both rows; the root is at place `root`.
class Lines {
 public:
  Lines(int nodes, int root) : nodes_(nodes) {
    auto& dut = bench_.dut();
    dut.start_i = 0;
    clear_port(dut.own_i);
    for (int v = 0; v < kNodes; ++v) {
      const unsigned left = v > 0 ? kLeft : 0, right = v + 1 < nodes ? kRight : 0;
      const bool used = v < nodes;
      set_field(dut.towards_i, v, 2, !used ? 0 : v < root ? right : v > root ? left : 0);
      set_field(dut.away_i, v, 2, !used ? 0 : (v <= root ? left : 0) | (v >= root ? right : 0));
    }
  }

  // Cycles until each row's nodes are all done. Checks the sums, and that each node that is done stays so.
  std::vector<int> run(const Values& values) {
    auto& dut = bench_.dut();
    bench_.reset();
    std::uint64_t sum = 0;
    for (int v = 0; v < nodes_; ++v) {
      set_field(dut.own_i, v, kWidth, values[static_cast<std::size_t>(v)]);
      sum += values[static_cast<std::size_t>(v)];
    }
    set_field(dut.start_i, 0, kNodes, (1U << nodes_) - 1);
    bench_.tick();
    dut.start_i = 0;
    std::vector<int> done(kRows, 0);
    flits = {0, 0};
    // What is done at the end of a cycle can be read in the next.
    for (int cycle = 1; cycle <= 4 * kNodes + 2; ++cycle) {
      bench_.settle();
      for (int g = 0; g < kRows; ++g) {
        bool all = true;
        for (int v = 0; v < nodes_; ++v) {
          const bool is_done = get_field(dut.done_o, g * kNodes + v, 1) != 0;
          all = all && is_done;
          if (is_done) REQUIRE(get_field(dut.sum_o, g * kNodes + v, kWidth) == sum);
          const std::uint64_t sent = get_field(dut.tx_valid_o, g * kNodes + v, 2);
          flits[static_cast<std::size_t>(g)] += (sent & 1) + (sent >> 1);
        }
        int& when = done[static_cast<std::size_t>(g)];
        if (all && when == 0) when = cycle - 1;
        REQUIRE((when == 0 || all));
      }
      bench_.tick();
    }
    return done;
  }

  std::vector<std::uint64_t> flits;  // that each row sent in the last run

 private:
  RtlBench<Vrtl_tree_sum_bench> bench_{10'000'000};
  int nodes_;
};

void check(Lines& lines, int nodes, int depth, const Values& values) {
  CAPTURE(nodes, values);
  const std::vector<int> cycles = lines.run(values);
  for (int g = 0; g < kRows; ++g) {
    CAPTURE(g);
    CHECK(cycles[static_cast<std::size_t>(g)] == 2 * depth * (1 + g));
    CHECK(lines.flits[static_cast<std::size_t>(g)] == 2 * (static_cast<std::uint64_t>(nodes) - 1));
  }
}

TEST_CASE("lines of nodes with a root in the middle know their sum in 2 floor(p/2) hops", "[rtl][tree_sum]") {
  for (int nodes = 2; nodes <= 4; ++nodes) {
    Lines lines(nodes, nodes / 2);
    for (unsigned set = 0; set < 1U << nodes; ++set) {
      Values active;
      for (int v = 0; v < nodes; ++v) active.push_back(set >> v & 1);
      check(lines, nodes, nodes / 2, active);
    }
  }
  std::mt19937_64 random(1);
  for (int nodes = 5; nodes <= kNodes; ++nodes) {
    Lines lines(nodes, nodes / 2);
    for (int repetition = 0; repetition < 20; ++repetition) {
      Values active;
      for (int v = 0; v < nodes; ++v) active.push_back(random() % 2);
      check(lines, nodes, nodes / 2, active);
    }
  }
}

TEST_CASE("sums of any values, whichever node is the root", "[rtl][tree_sum]") {
  std::mt19937_64 random(2);
  for (int nodes = 2; nodes <= 9; ++nodes) {
    for (int root = 0; root < nodes; ++root) {
      Lines lines(nodes, root);
      Values values;
      for (int v = 0; v < nodes; ++v) values.push_back(random() % 5000);
      check(lines, nodes, std::max(root, nodes - 1 - root), values);
    }
  }
}

TEST_CASE("a value from outside the tree is noticed", "[rtl][tree_sum]") {
  RtlBench<Vrtl_tree_sum_bench> bench;
  auto& dut = bench.dut();
  dut.start_i = 0;
  clear_port(dut.own_i);
  clear_port(dut.towards_i);
  clear_port(dut.away_i);
  bench.reset();
  set_field(dut.towards_i, 0, 2, kRight);  // node 1 knows nothing of a neighbour to its left
  dut.start_i = 1;
  bench.tick();
  dut.start_i = 0;
  CHECK_THROWS_AS(bench.tick(), BenchError);
}

}  // namespace
}  // namespace safnet::testbench
