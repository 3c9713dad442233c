#include "sim/fault/notice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <regex>
#include <stdexcept>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

// Words by which a line of problems tells which check it is from, the first that is found.
struct Sign {
  const char* words;
  Check check;
};
constexpr std::array kSigns{
    Sign{" delivered at node ", Check::kTrace},
    Sign{"never reached node", Check::kAccount},
    Sign{"delivered more than once", Check::kAccount},
    Sign{"some packet has no end", Check::kAccount},
    Sign{"has not arrived", Check::kAccount},
    Sign{"has not got part", Check::kAccount},
    Sign{"come back to it", Check::kAccount},
    Sign{" twice", Check::kAccount},
    Sign{"delivered to the wrong node", Check::kAddress},
    Sign{"differs from what was sent", Check::kPayload},
    Sign{"is not that of its parts combined", Check::kPayload},
    Sign{"flits arrived of", Check::kPayload},
    Sign{"of the packet of node", Check::kPayload},
    Sign{"of the sum for node", Check::kPayload},
    Sign{"flits of its sum", Check::kPayload},
    Sign{"which has none", Check::kAddress},
    Sign{"got the packet of node", Check::kAddress},
    Sign{"arrived at node", Check::kAddress},
    Sign{"wants none", Check::kAddress},
    Sign{"sent_o[", Check::kLinks},
    Sign{"received_o[", Check::kLinks},
    Sign{"the timetable has not ended", Check::kEndless},
    Sign{"stopped: hosts got", Check::kEndless},
    Sign{"breaks the one-port model", Check::kPortModel},
    Sign{"missed a flit of a scan", Check::kScan},
    Sign{"in its row and", Check::kScan},
    Sign{"was not told the sums", Check::kScan},
    Sign{"the scan took", Check::kScan},
    Sign{"in the largest class", Check::kScan},
    Sign{"has rank", Check::kScan},
    Sign{"packets in class", Check::kScan},
    Sign{"is in class", Check::kScan},
    Sign{"the model sends", Check::kModel},
    Sign{"the model has", Check::kModel},
    Sign{"not those that its program expected", Check::kProgram},
    Sign{"ran dry while instructions", Check::kProgram},
    Sign{"where", Check::kPlan},  // sent ... where ... was planned
    Sign{"were planned", Check::kPlan},
    Sign{"planned was", Check::kPlan},
    Sign{"later than planned", Check::kPlan},
    Sign{"late: ", Check::kPlan},
    Sign{"planned too early", Check::kPlan},
    Sign{" counts ", Check::kCounters},
    Sign{"the closed form has", Check::kClosedForm},
    Sign{"the lower bound", Check::kClosedForm},
    Sign{"the closed form", Check::kClosedForm},
    Sign{"cycles are not", Check::kClosedForm},
    Sign{"there is no such packet", Check::kTrace},
    Sign{", as before", Check::kTrace},
    Sign{"count from 1", Check::kTrace},
    Sign{"; expected", Check::kTrace},  // of the check of schedules
    Sign{"deliveries were made", Check::kTrace},
};

// The cycle that a line names: "in cycle 7", "cycle 7:", "(cycle 7)", and "slot 7:", as the trace of a run
// has slots of a cycle.
std::optional<std::uint32_t> cycle_in(const std::string& line, Check check) {
  // Counters are looked at after the run, and may name a cycle that was right.
  if (check == Check::kCounters || check == Check::kLinks) return std::nullopt;
  static const std::regex named(R"((?:in cycle|^cycle|\(cycle) (\d+))"), slot(R"(^slot (\d+):)");
  std::smatch match;
  if (std::regex_search(line, match, named) ||
      (check == Check::kTrace && std::regex_search(line, match, slot)))
    return static_cast<std::uint32_t>(std::stoul(match[1]));
  return std::nullopt;
}

// Where the line has these words, from a place on, with neither a letter, a digit nor '_' behind them.
std::size_t place_of(const std::string& words, const std::string& line, std::size_t from = 0) {
  for (std::size_t at = line.find(words, from); at != std::string::npos; at = line.find(words, at + 1)) {
    const std::size_t end = at + words.size();
    const auto c =
        end < line.size() ? static_cast<unsigned char>(line[end]) : static_cast<unsigned char>(' ');
    if (std::isalnum(c) == 0 && c != '_') return at;
  }
  return std::string::npos;
}

bool says(const std::string& line, const std::string& words) {
  return place_of(words, line) != std::string::npos;
}

}  // namespace

const std::vector<CheckName>& check_names() {
  static const std::vector<CheckName> names{
      {Check::kAssertion, "assertion", "an assertion of the RTL failed"},
      {Check::kPayload, "payload", "a host got a packet that is not as it was sent"},
      {Check::kAddress, "address", "a host got a packet that is for another one"},
      {Check::kAccount, "account", "a packet was lost, or arrived twice"},
      {Check::kLinks, "links", "a node counts other packets than its links carried"},
      {Check::kCounters, "counters", "another counter of a node contradicts what was seen"},
      {Check::kPortModel, "port-model", "a one-port node received two packets at once"},
      {Check::kTrace, "trace", "the trace breaks causality, or the limits of links and ports"},
      {Check::kProgram, "program", "a tdm_node got another packet than its program expects"},
      {Check::kPlan, "plan", "a send or delivery was not in the cycle of the timetable"},
      {Check::kScan, "scan", "a node found out something wrong in a scan, or missed a flit of it"},
      {Check::kModel, "model", "a flit of a partial collective is not as its model has it"},
      {Check::kClosedForm, "closed-form",
       "steps and cycles are not those of the closed form, or break the bound"},
      {Check::kStuck, "stuck", "nothing moves any more; the report says who waits for whom"},
      {Check::kEndless, "endless", "more packets or cycles than any right run has"},
      {Check::kVerdict, "verdict", "the verdict is another one than without the fault"},
      {Check::kOther, "other", "another check of the program"},
  };
  return names;
}

std::string_view to_string(Check check) { return check_names().at(static_cast<std::size_t>(check)).word; }

std::string_view to_string(Named named) {
  static constexpr std::array<std::string_view, 3> kWords{"nothing", "an end", "the place"};
  return kWords.at(static_cast<std::size_t>(named));
}

std::vector<Check> parse_checks(const std::string& words) {
  std::vector<Check> checks;
  for (const std::string& word : split(words, ',')) {
    const auto found =
        std::ranges::find_if(check_names(), [&](const CheckName& name) { return word == name.word; });
    if (found == check_names().end()) {
      std::vector<std::string> known;
      for (const CheckName& name : check_names()) known.emplace_back(name.word);
      throw bad_input("--without-check {}: expected some of {}", in_quotes(word), fmt::join(known, ", "));
    }
    checks.push_back(found->check);
  }
  return checks;
}

Named named_in(const std::string& line, const Fault& fault, const Graph& graph) {
  const std::string node = "node " + graph.node_name(fault.node);
  const std::size_t source_at = place_of(node, line);
  const bool names_source = source_at != std::string::npos;
  if (name_of(fault.kind).of_node) {
    if (names_source) return Named::kPlace;
    const auto names = [&](Endpoint end) { return says(line, "node " + graph.node_name(end.node)); };
    for (PortId p = 0; p < graph.degree(fault.node); ++p) {
      if (names(graph.peer(fault.node, p))) return Named::kEnd;
    }
    for (PortId q = 0; q < graph.in_degree(fault.node); ++q) {
      if (names(graph.feeder(fault.node, q))) return Named::kEnd;
    }
    return Named::kNothing;
  }
  const Endpoint to = graph.peer(fault.node, fault.port);
  const bool names_target = says(line, "node " + graph.node_name(to.node));
  // A port that is named before the node is another one's: "node 1 waits on port 0 for a credit from node 2".
  const auto names_port_behind = [&] {
    return place_of(fmt::format("port {}", fault.port), line, source_at) != std::string::npos;
  };
  const bool names_port =
      (names_source &&
       (names_port_behind() || line.find(fmt::format("sent_o[{}]", fault.port)) != std::string::npos)) ||
      (names_target && (line.find(fmt::format("received_o[{}]", to.port)) != std::string::npos ||
                        line.find(fmt::format("u_receive_port[{}]", to.port)) != std::string::npos));
  if (names_port || (names_source && names_target)) return Named::kPlace;
  return names_source || names_target ? Named::kEnd : Named::kNothing;
}

Notice notice_in(const std::string& line, const Fault& fault, const Graph& graph, std::uint32_t end) {
  const auto sign = std::ranges::find_if(
      kSigns, [&](const Sign& each) { return line.find(each.words) != std::string::npos; });
  const Check check = line.starts_with("slot ") ? Check::kTrace
                      : sign == kSigns.end()    ? Check::kOther
                                                : sign->check;
  return {check, cycle_in(line, check).value_or(end), named_in(line, fault, graph), line};
}

std::vector<std::string> failed_assertions(const std::string& printed, const Graph& graph, bool numbers) {
  // "[7] %Error: packet_flits.sv:39: Assertion failed in node_1.pifo_node.u_frame.u_flits.a_row: 'assert'
  // failed."
  static const std::regex failure(R"(%Error: (\S+): Assertion failed in ([^.]+)\.(?:(\S+)\.)?(\w+):)");
  std::vector<std::string> failed;
  for (std::sregex_iterator each(printed.begin(), printed.end(), failure), end; each != end; ++each) {
    std::string node = (*each)[2];
    if (node.starts_with("node_")) node.erase(0, 5);
    const std::optional<std::uint64_t> number = numbers ? parse_decimal(node) : std::nullopt;
    if (number && *number < graph.node_count()) node = graph.node_name(static_cast<NodeId>(*number));
    const std::string text = fmt::format("assertion {} ({}) at node {}, in {}", (*each)[4].str(),
                                         (*each)[1].str(), node, (*each)[3].str());
    if (std::ranges::find(failed, text) == failed.end()) failed.push_back(text);
  }
  return failed;
}

}  // namespace safnet
