#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "cpp_model/graph/topology.hpp"
#include "cpp_model/schedule/schedule_metrics.hpp"
#include "sim/page/load_picture.hpp"
#include "sim/page/network_picture.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/small_schedules.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

std::string picture(const std::string& topology, const std::vector<std::uint64_t>& load,
                    const std::string& caption = "") {
  const Graph graph = make_topology(topology);
  return load_to_dot(graph, layout_for_page(graph), load, caption);
}

std::size_t lines_with(const std::string& text, const std::string& words) {
  std::size_t found = 0;
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("both directions of an edge are drawn side by side", "[load_picture]") {
  const std::string dot = picture("linear:2", {7, 0});
  // Nodes are 70 points apart and 24 wide; the way there is below, the way back above. Arrows are 6 long and
  // stay 2 away from the node.
  CHECK_THAT(dot, Catch::Contains("\"0\" -> \"1\" [pos=\"e,56.0,-3.6 12.0,-3.6 26.7,-3.6 41.3,-3.6 "
                                  "50.0,-3.6\", color=\"#00224e\", penwidth=4.8,"));
  CHECK_THAT(dot, Catch::Contains("\"1\" -> \"0\" [pos=\"e,14.0,3.6 58.0,3.6 43.3,3.6 28.7,3.6 20.0,3.6\", "
                                  "color=\"#b8b8b8\", penwidth=0.8, style=dashed,"));
  CHECK_THAT(dot, Catch::Contains("0 to 1, port 0: 7 flits"));
}

TEST_CASE("a legend has as many lines as there are loads to tell apart", "[load_picture]") {
  CHECK(lines_with(picture("linear:2", {0, 0}), "BGCOLOR") == 1);
  CHECK(lines_with(picture("linear:2", {1, 0}), "BGCOLOR") == 2);
  const std::string dot = picture("linear:2", {100, 3}, "a <b> & c\n");
  CHECK(lines_with(dot, "BGCOLOR") == 5);
  for (const char* value : {"<TD>0<", "<TD>25<", "<TD>50<", "<TD>75<", "<TD>100<"})
    CHECK_THAT(dot, Catch::Contains(value));
  CHECK_THAT(dot, Catch::Contains("a &lt;b&gt; &amp; c"));
  const std::uint64_t most = ~std::uint64_t{0};
  CHECK_THAT(picture("linear:2", {most, 1}), Catch::Contains(std::to_string(most)));
}

TEST_CASE("a picture of loads has a line per link", "[load_picture]") {
  for (const char* topology : {"torus:4x4", "torus:4x4x4", "fat-tree:2,3,exponential", "de-bruijn:2,3",
                               "hypercube:5", "butterfly:3"}) {
    CAPTURE(topology);
    const Graph graph = make_topology(topology);
    const std::string dot = picture(topology, std::vector<std::uint64_t>(graph.link_count(), 2));
    CHECK(lines_with(dot, " -> ") == graph.link_count());
    CHECK(lines_with(dot, "nan") + lines_with(dot, "inf") + lines_with(dot, "dashed") == 0);
  }
  CHECK_THROWS_AS(picture("hypercube:11", std::vector<std::uint64_t>(11 * 2048)), std::invalid_argument);
}

TEST_CASE("flits by link", "[load_picture]") {
  const Schedule schedule = pipelined_broadcast(3, 2);
  const Graph& row = schedule.network;
  std::vector<std::uint64_t> expected(row.link_count());
  for (const Send& send : schedule.sends) expected[send.link] += schedule.packets.flits(send.packet);
  const std::vector<std::uint64_t> load = flits_by_link(schedule);
  CHECK(load == expected);
  CHECK(load[row.link(0, 0)] == 2 * schedule.packets.flits(0));
  CHECK(std::ranges::max(load) == measure(schedule).busiest_link_flits);
  Schedule wrong = schedule;
  wrong.sends.front().link = static_cast<LinkId>(row.link_count());
  CHECK_THROWS_AS(flits_by_link(wrong), std::invalid_argument);
}
