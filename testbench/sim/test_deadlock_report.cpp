// test_deadlock_report - how a timetable that gets stuck is told: no plan of safnet's own has such a circle,
// so these waits are written by hand.
#include <string>
#include <variant>

#include "cpp_model/graph/topology.hpp"
#include "sim/report/deadlock_report.hpp"
#include "sim/tdm/tdm_waits.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

const Graph& ring() {
  static const Graph graph = make_topology("ring:4");
  return graph;
}

DeadlockStudy stuck_study() {
  return {.title = "a timetable",
          .graph = ring(),
          .analysis = TdmWaits{.instructions = 9,
                               .waits = 7,
                               .never = 4,
                               .longest = 2,
                               .circle = {{.node = 1, .is_send = true, .lane = 0, .number = 2},
                                          {.node = 2, .is_send = false, .lane = 1, .number = 0},
                                          {.node = 2, .is_send = true, .lane = 2, .number = 5}},
                               .unfed = TdmInstruction{.node = 3, .is_send = false, .lane = 2, .number = 1}}};
}

}  // namespace

TEST_CASE("an instruction is named by its node, its lane and its place there", "[deadlock_report]") {
  // A node of ring:4 has two ports; then come loopbacks for sends, the host and loopbacks for receives.
  CHECK(in_words(ring(), {1, true, 0, 2}) == "node 1, port 0, send 2");
  CHECK(in_words(ring(), {1, true, 2, 0}) == "node 1, loopback 0, send 0");
  CHECK(in_words(ring(), {1, true, 3, 0}) == "node 1, loopback 1, send 0");
  CHECK(in_words(ring(), {3, false, 1, 4}) == "node 3, port 1, receive 4");
  CHECK(in_words(ring(), {3, false, 2, 0}) == "node 3, host, receive 0");
  CHECK(in_words(ring(), {3, false, 3, 0}) == "node 3, loopback 0, receive 0");
}

TEST_CASE("a circle of instructions is told one by one, and what never comes", "[deadlock_report]") {
  const DeadlockStudy study = stuck_study();
  CHECK_FALSE(study.is_free());
  const std::string text = to_text(study);
  const auto says = [&text](const std::string& words) {
    CAPTURE(text, words);
    CHECK(text.find(words) != std::string::npos);
  };
  says("9 of sends and receives; 7 waits of one for another");
  says("node 1, port 0, send 2 waits for the next\n");
  says("node 2, port 1, receive 0 waits for the next\n");
  says("node 2, loopback 0, send 5 waits for the next, the first\n");
  says("node 3, host, receive 1 waits for what never comes");
  says("certain: 4 instructions never begin");
  const Json json = to_json(study);
  CHECK(json["deadlock_free"] == false);
  CHECK(json["analysis"]["never"] == 4);
  CHECK(json["circle"].size() == 3);
  CHECK(json["circle"][2] == "node 2, loopback 0, send 5");
  CHECK(json["unfed"] == "node 3, host, receive 1");
}

TEST_CASE("a long circle is cut, and says so", "[deadlock_report]") {
  DeadlockStudy study = stuck_study();
  std::get<TdmWaits>(study.analysis).circle.assign(11, {.node = 1, .is_send = true, .lane = 0, .number = 2});
  CHECK(to_text(study).find("... and 3 more") != std::string::npos);
  CHECK(to_text(study).find("the first") == std::string::npos);
  CHECK(to_json(study)["circle"].size() == 11);
}

TEST_CASE("a timetable without a circle says so", "[deadlock_report]") {
  DeadlockStudy study = stuck_study();
  study.analysis = TdmWaits{.instructions = 9, .waits = 7, .longest = 2, .circle = {}, .unfed = {}};
  CHECK(study.is_free());
  CHECK(to_text(study).find("none: the longest chain of waits has 2 instructions") != std::string::npos);
  CHECK(to_json(study)["deadlock_free"] == true);
  CHECK(to_json(study)["unfed"].is_null());
}
