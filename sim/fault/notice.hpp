// notice - what a run said when something was wrong: which check it was, when, and what it named.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "sim/fault/fault.hpp"

namespace safnet {

/// The checks of a run. Each line that a run says of a problem is said by one of them.
enum class Check : std::uint8_t {
  kAssertion,   ///< of the RTL
  kPayload,     ///< a packet that a host got is not as it was sent
  kAddress,     ///< a packet that a host got is for another one
  kAccount,     ///< a packet got lost, or arrived twice
  kLinks,       ///< counters of packets sent and received, against the links
  kCounters,    ///< all other counters of nodes
  kPortModel,   ///< two packets at once
  kTrace,       ///< the trace as a schedule: causality, links and ports
  kProgram,     ///< packets other than a tdm_node's program expects
  kPlan,        ///< cycles and packets other than those of a timetable
  kScan,        ///< what nodes found out in a scan
  kModel,       ///< flits other than the model of a partial collective has
  kClosedForm,  ///< more steps than the closed form, fewer than the bound, or a step of another length
  kStuck,       ///< nothing moves any more
  kEndless,     ///< more packets, or more cycles, than any right run can have
  kVerdict,     ///< all is right and later, and the verdict is a worse one
  kOther,
};
inline constexpr std::size_t kChecks = 17;

struct CheckName {
  Check check;
  const char* word;
  const char* meaning;
};
/// In the order of the enumeration.
const std::vector<CheckName>& check_names();
std::string_view to_string(Check check);
/// The checks that words between commas name. Throws std::invalid_argument.
std::vector<Check> parse_checks(const std::string& words);

/// How near to a fault a message led.
enum class Named : std::uint8_t {
  kNothing,
  kEnd,    ///< a node at one end of the link; of a faulty node a neighbour
  kPlace,  ///< the link, by both ends or by a node and its port; of a faulty node the node
};
std::string_view to_string(Named named);  ///< "nothing", "an end", "the place"

struct Notice {
  Check check = Check::kOther;
  std::uint32_t cycle = 0;  ///< that it names, otherwise the last of the run
  Named named = Named::kNothing;
  std::string text;
};

/// The notice in a line of problems. `end`: the last cycle of the run.
Notice notice_in(const std::string& line, const Fault& fault, const Graph& graph, std::uint32_t end);
/// What a line names of the fault.
Named named_in(const std::string& line, const Fault& fault, const Graph& graph);

/// The assertions that failed, each once, from what Verilator printed: "assertion NAME in MODULE at node N".
/// `numbers`: nodes are called by their numbers there, otherwise by their names.
std::vector<std::string> failed_assertions(const std::string& printed, const Graph& graph, bool numbers);

}  // namespace safnet
