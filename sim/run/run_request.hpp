// run_request - what can be asked of a run of a collective.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/bound/lower_bound.hpp"
#include "cpp_model/schedule/schedule.hpp"
#include "sim/pifo/host_start.hpp"
#include "sim/run/hardware_options.hpp"
#include "sim/run/router_kinds.hpp"

namespace safnet {

enum class SlotMode : std::uint8_t {
  kLockstep,  ///< a step lasts flits + link latency (+ grant) cycles; packets start on slot boundaries
  kFree,      ///< a packet may start in any cycle; steps are cycles
};
enum class GrantMode : std::uint8_t { kAutomatic, kOn, kOff };

enum class NodeChoice : std::uint8_t {
  kAutomatic,  ///< routers for a policy, tdm_nodes for a timetable
  kRouter,     ///< nodes that decide for themselves; a timetable becomes labels and ranks
  kTdm,        ///< nodes that obey a timetable; a policy is written down beforehand
};
const std::string& to_string(NodeChoice choice);  ///< "auto", "pifo" (what routers are by default), "tdm"

/// How a collective is to be run.
struct RunSettings {
  std::string algorithm;  ///< empty: the best policy that applies; "auto", "in-turn": see choose.hpp
  /// By estimate, that "auto" may have a planner take on a large collective.
  std::uint32_t plan_seconds = kPlanSeconds;
  /// Links in a row that data may be passed on over; nothing: any number.
  std::optional<std::uint32_t> forwarding = {};
  NodeChoice node = NodeChoice::kAutomatic;
  SharedRouterKind router = pifo_router();  ///< the kind of routers
  int flits = 1;
  int link_latency = 0;  ///< cycles
  SlotMode slot = SlotMode::kLockstep;
  int queue_depth = 0;  ///< packets per link; 0: as many as can ever wait, up to 4096
  /// Packets of its own that a node takes, for each injection port; the host keeps the rest. 0: all, up to
  /// 4096; of hosts that start with empty queues at least two.
  int host_depth = 0;
  HostStart hosts = HostStart::kFull;
  /// Through which a host injects at once. 0: as many as its node may send packets at once, if it starts with
  /// empty queues or as cheaply has so many.
  int inject_ports = 0;
  /// Messages of a host that may be on their way at once: it begins one only when it has got all packets of
  /// the message so many before it. 0: all, unless the run would get stuck for want of queues; see run().
  int window = 0;
  GrantMode grants = GrantMode::kAutomatic;
  /// Nodes with the ports, labels, ranks and depths that this run uses and no more, as one would make them;
  /// else runs share larger nodes, of which they leave a part idle. A host's own packets get two places an
  /// injection port unless `host_depth` says otherwise.
  bool fitted = false;
};

struct RunRequest : HardwareOptions, RunSettings {
  explicit RunRequest(Problem wanted, RunSettings settings = {})
      : RunSettings(std::move(settings)), problem(std::move(wanted)) {}
  Problem problem;
  /// The algorithm's schedule of steps, if it has been planned already.
  std::shared_ptr<const Schedule> steps;
  /// Steps that no algorithm can beat, if more is known than lower_bound() finds.
  std::optional<LowerBound> bound;
  /// What the algorithm's closed form says of the problem, if it has been evaluated already.
  std::optional<ClosedForm> closed_form;
};

}  // namespace safnet
