// account - what happened in a run: what was seen on the links, what reached the hosts, what the nodes'
// counters say, and where these disagree.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/trace.hpp"
#include "sim/machine/machine.hpp"
#include "sim/machine/recorder.hpp"

namespace safnet {

struct Account {
  std::uint32_t steps = 0;   ///< slot in which the last delivery completed, counted from 1; from the hardware
  std::uint32_t cycles = 0;  ///< clock cycles until then, those of a scan included; from the hardware
  std::uint64_t transmissions = 0;  ///< packets that crossed a link, by the nodes' counters
  std::uint64_t delivered = 0;
  std::uint64_t expected_deliveries = 0;
  std::uint64_t lost = 0;
  std::uint64_t duplicated = 0;
  std::uint64_t delay_sum = 0;   ///< of the steps of all deliveries; mean_delay = delay_sum / delivered
  std::uint64_t late = 0;        ///< sends of a timetable that missed their slot, by the nodes' status
  std::uint32_t first_late = 0;  ///< cycle in which the first of them was to start; 0: there was none
  std::uint32_t peak_queue = 0;  ///< largest occupancy of any queue, the host's own packets included
  std::uint32_t peak_transit_queue = 0;  ///< the same without them
  std::vector<QueuePeak> queue_peaks;    ///< per link; pifo_nodes under all-port only
  std::uint64_t node_evaluations = 0;
  bool stuck = false;  ///< nothing moved any more, although packets were left
  double build_seconds = 0, run_seconds = 0;
  std::vector<std::string> problems;  ///< what is wrong, one line each; empty if all checks hold
  std::vector<std::string> waits;     ///< stuck: who waits for whom
  Trace trace;                        ///< if it was asked for

  template <class... Arguments>
  void complain(fmt::format_string<Arguments...> problem, Arguments&&... arguments) {
    problems.push_back(fmt::format(problem, std::forward<Arguments>(arguments)...));
  }
  /// Exit code of the command line: 0 all checks hold, 1 a check failed, 3 stuck.
  int exit_code() const { return stuck ? 3 : problems.empty() ? 0 : 1; }
};

/// Fills in what the counters of all nodes say and what the recorder saw, and adds a line to the problems for
/// every counter that says otherwise than links and hosts, and for every violation that a node counted. The
/// caller has set `expected_deliveries`, and `queue_peaks` to the number of links if the nodes have a queue
/// for each. `of_the_kind`: problems found by the kind of node, listed between those of the nodes and those
/// of packets. `last_latched`: of a network that still runs, the last cycle whose deliveries the counters
/// show.
void take_account(Account& account, const Graph& graph, const Machine& machine, const Recorder& recorder,
                  const std::vector<std::string>& of_the_kind = {},
                  std::uint32_t last_latched = std::numeric_limits<std::uint32_t>::max());

}  // namespace safnet
