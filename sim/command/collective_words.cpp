#include "sim/command/collective_words.hpp"

#include <fmt/format.h>

#include <utility>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "sim/machine/limits.hpp"
#include "sim/run/active_nodes.hpp"

namespace safnet {

void CollectiveWords::declare(CLI::App& command) {
  problem.declare(command, uses);
  add_number(command, "--flits", settings.flits, 1, kMostScanFlits,
             fmt::format("flits in a packet; on routers and in timetables at most {}", kMostFlits));
  add_number(command, "--link-latency", settings.link_latency, 0, kMostLatency, "cycles of a link");
  declare_schedule_options(command);
  declare_scan_options(command);
}

const CollectiveName& CollectiveWords::collective() const {
  const CollectiveName& collective = problem.collective(kOnAnyNode);
  uses.refuse_unused(collective);
  if (collective.scans && node != "auto" && node != "scan")
    throw bad_input("--node {}: {} runs on scan_nodes; expected auto or scan", in_quotes(node),
                    collective.name);
  if (!collective.scans && node == "scan")
    throw bad_input("--node 'scan': {} has no use for it; expected a partial collective, or other nodes",
                    collective.name);
  return collective;
}

// Options that only routers have.
bool CollectiveWords::asks_for_routers() const {
  return (node != "auto" && node != "tdm") || settings.queue_depth != 0 || settings.host_depth != 0 ||
         settings.window != 0 || settings.inject_ports != 0 || hosts == "empty" || grants != "auto";
}

// Whether the best of all algorithms is to be taken, not the best one for routers: none is named, no option
// is given that only routers have, nodes need not find out who is active, and plans are not too large, unless
// the user says how long they may take.
bool CollectiveWords::takes_the_best(const Problem& asked) const {
  return settings.algorithm.empty() && !asks_for_routers() && asked.active.empty() &&
         (seconds || least_sends(asked) <= kMostFollowedSends);
}

RunRequest CollectiveWords::run_request(Problem asked) const {
  RunRequest request(std::move(asked), settings);
  request.slot = slot == "free" ? SlotMode::kFree : SlotMode::kLockstep;
  request.grants = grants == "on"    ? GrantMode::kOn
                   : grants == "off" ? GrantMode::kOff
                                     : GrantMode::kAutomatic;
  request.hosts = hosts == "empty" ? HostStart::kEmpty : HostStart::kFull;
  choose_node(node, request);
  if (takes_the_best(request.problem)) request.algorithm = "auto";
  request.plan_seconds = plan_seconds(seconds, request.algorithm == "auto", request.forwarding.has_value());
  return request;
}

ScanRequest CollectiveWords::scan_request(const Problem& asked) const {
  ScanRequest request(digit_network(to_string(asked.collective), asked.graph), manner);
  request.collective = asked.collective;
  request.active = asked.active;
  if (!destinations.empty())
    request.destinations = parse_active_nodes("--destinations", destinations, asked.graph);
  request.flits = settings.flits;
  request.link_latency = settings.link_latency;
  check_request(request);
  return request;
}

// Options that are used only on routers, or by a timetable.
void CollectiveWords::declare_schedule_options(CLI::App& command) {
  const auto add = [&](CLI::Option* option) { uses.add(option, kOnSchedules); };
  add(command.add_option(
      "--algorithm", settings.algorithm,
      "see `safnet list algorithms`; auto: the best of all; in-turn: a timetable with few "
      "packets in a node, message after message; without it auto, or with options of routers the "
      "best for nodes that decide for themselves"));
  add(declare_plan_seconds(command, seconds));
  add(declare_forwarding(command, settings.forwarding));
  command.add_option(
      "--node", node,
      "pifo: routers that decide for themselves; fifo: the plainest, without ranks; a folder with a "
      "router of your own; tdm: nodes that obey a timetable; scan: nodes that find out who is active, of "
      "partial collectives; auto: as the algorithm is");
  add(command.add_option("--slot", slot, "lockstep: packets start on slot boundaries; free: in any cycle")
          ->check(CLI::IsMember({"lockstep", "free"})));
  add(command.add_option("--grants", grants, "one-port: whether a sender asks the receiver first")
          ->check(CLI::IsMember({"auto", "on", "off"})));
  add(add_number(command, "--queue-depth", settings.queue_depth, 0, kMostQueued,
                 "packets per link; 0: as many as can ever wait"));
  add(add_number(command, "--host-depth", settings.host_depth, 0, kMostQueued,
                 "packets of its own that a node takes, for each injection port; 0: all. The host keeps the "
                 "rest"));
  add(command
          .add_option(
              "--hosts", hosts,
              "full: queues hold the hosts' packets before cycle 1, as the papers assume; empty: hosts "
              "begin to inject in cycle 1")
          ->check(CLI::IsMember({"full", "empty"})));
  add(add_number(command, "--inject-ports", settings.inject_ports, 0, kMostPorts,
                 "all-port: ports of a node that its host injects through at once; 0: enough"));
  add(add_number(command, "--window", settings.window, 0, kMaxMessages,
                 "messages of a host on their way at once: it begins one when it has got all of the message "
                 "so many before; 0: all, or as many as queues hold if more get stuck"));
  add(declare_fitted(command, settings.fitted));
}

// Options that are used only on scan_nodes.
void CollectiveWords::declare_scan_options(CLI::App& command) {
  const auto add = [&](CLI::Option* option) {
    uses.add(option, kOnScan)->group("Collectives that find out on-line who is active");
  };
  add(command.add_option("--destinations", destinations, "of monotone routing: as many nodes as are active"));
  add(add_number(command, "--header-flits", manner.header_flits, 0, 1,
                 "1: packets have a further flit for their header; 0: it is in the first flit"));
  add(command.add_flag("--split", manner.split, "a part of each packet in every class; else whole packets"));
  add(command.add_flag("--single-class", manner.single_class,
                       "one class alone, which uses one dimension at a time"));
  add(command.add_flag(
      "--alternating", manner.alternating,
      "tori: packing goes the short way round; in broadcasts both ways take the longer part in turn"));
  add(command.add_flag("--pass-on-first", manner.pass_on_first,
                       "a node's own packets go into the first empty slots, not with their batch"));
  add(command.add_flag("--known-ranks", manner.known_ranks, "ranks are known beforehand: no scans"));
}

}  // namespace safnet
