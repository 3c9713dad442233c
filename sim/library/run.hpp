// run - a collective on the hardware: verilated nodes, each packet checked, cycles counted by the nodes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/library/plan.hpp"
#include "sim/library/topology.hpp"
#include "sim/library/trace.hpp"
#include "sim/library/verdict.hpp"

namespace safnet::lab {

/// On what.
struct Nodes {
  std::string kind =
      "auto";  ///< "tdm", "pifo", "fifo", a folder with a router of one's own; "auto": by the algorithm
  std::uint32_t flits = 1;         ///< in a packet
  std::uint32_t link_latency = 0;  ///< cycles
  std::uint32_t queue_depth = 0;   ///< packets per link of routers; 0: as many as can ever wait
  bool fitted = false;             ///< nodes that have what this run uses and no more
  bool reference = false;          ///< the SystemC reference in place of the RTL
  bool trace = false;              ///< keep every crossing and arrival
  /// Called now and then while the network runs, with (packets delivered, packets to be delivered, cycle).
  /// What it throws ends the run and comes out of run().
  std::function<void(std::uint64_t, std::uint64_t, std::uint32_t)> on_progress = {};
};

/// What came of it. Counts are of the hardware.
struct Outcome {
  std::string algorithm;               ///< whose schedule or rule it was
  std::uint32_t steps = 0;             ///< in the last of which the last packet arrived
  std::uint32_t cycles = 0;            ///< until then
  std::uint64_t crossings = 0;         ///< of packets over links
  std::uint64_t delivered = 0;         ///< packets that hosts got, right ones
  std::uint64_t expected = 0;          ///< packets that they were to get
  std::uint64_t lost = 0;              ///< packets that they did not get
  std::uint64_t duplicated = 0;        ///< packets that they got once more
  std::uint64_t lower_bound = 0;       ///< steps
  Verdict verdict = Verdict::kFailed;  ///< all of this held against what was promised
  std::vector<std::string> problems;   ///< what is wrong, a line each; empty if all checks hold
  std::vector<std::string> waits;      ///< of a run that is stuck: who waits for whom
  RunTrace trace;                      ///< if it was asked for
};

/// Runs a collective. Nodes that were never built are built first, for some seconds, and kept in
/// ~/.cache/safnet or where SAFNET_BUILD says.
Outcome run(const Topology& topology, const Task& task, const Nodes& nodes = {});
/// Runs a plan, which may come from a file, on nodes that obey it. It is kOptimal if it took the cycles of
/// the plan and these are the plan's lower bound; otherwise kWithinBound, kFailed or kStuck.
Outcome run(const Plan& plan, const Nodes& nodes = {});

}  // namespace safnet::lab
