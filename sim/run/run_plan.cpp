#include "sim/run/run_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>
#include <stdexcept>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/optimum/tightest_bound.hpp"
#include "cpp_model/transform/free_running.hpp"
#include "cpp_model/transform/policy_of_schedule.hpp"
#include "rtl_constants.hpp"
#include "sim/machine/limits.hpp"
#include "sim/run/memory_estimate.hpp"

namespace safnet {
namespace {

constexpr int kFlitWidth = 64;
// Places of an injection port that is filled while the network runs: one packet leaves as the next comes in.
constexpr int kStreamDepth = 2;

// Bits of a header beside the tag.
int other_header_bits(const PifoParameters& p) {
  return std::max(1, static_cast<int>(std::bit_width(static_cast<unsigned>(p.label_depth - 1)))) +
         p.node_id_width + static_cast<int>(std::bit_width(static_cast<unsigned>(p.built_flits())));
}

// Bits for the tags of all messages: as many as fit beside the label, so that runs share their kinds of
// nodes.
int tag_width(const Problem& problem, const PifoParameters& p, bool fitted) {
  const std::uint64_t tags = std::uint64_t{problem.messages} * (problem.graph.node_count() + 1);
  const auto needed = static_cast<int>(std::bit_width(tags));
  constexpr int kUsual = 20, kMost = 24, kLeastCheckBits = 1;
  const int room = p.flit_width - other_header_bits(p) - kLeastCheckBits;
  if (needed > room || needed > kMost)
    throw bad_input(
        "--messages {}: {} bits of tags do not fit into a header beside {} others; expected fewer",
        problem.messages, needed, other_header_bits(p));
  if (fitted) return fitted_tag_width(needed, p);
  return std::min(room, needed <= kUsual ? kUsual : kMost);
}

// What the routers of a small network are built for beyond what a run needs.
RouterReserve reserve_of(const PifoParameters& p, const std::array<int, 4>& depths) {
  const PacketClass packets = packet_class(p.flits, p.link_latency);
  // Nodes that scan first are rare: one depth is enough.
  const std::uint64_t usual_depth = p.scans_first != 0 ? kMostQueued : 512;
  return {.flits = packets.flits,
          .link_latency = packets.latency,
          .queue_depth = size_class(std::max(usual_depth, static_cast<std::uint64_t>(p.queue_depth)), depths),
          .grants = true,
          .deals_links = p.scans_first == 0 && (p.inject_ports == 1 || p.inject_ports == p.radix)};
}

// Throws if plain routers lack what the policy or the request needs, beyond the order of packets.
void refuse_what_routers_lack(const RunRequest& request, const Policy& policy) {
  const RouterKind& router = *request.router;
  if (router.follows_orders) return;
  const auto refuse_if = [&router](bool lacking, const char* expected) {
    if (lacking) throw bad_input("--node {}: expected {}", one_line(router.name), expected);
  };
  refuse_if(policy.scan != nullptr, "an algorithm whose nodes do not scan first, or --node pifo");
  refuse_if(policy.deals_links,
            "a network without parallel links, to which packets are dealt in turn, or --node pifo");
  refuse_if(request.model == NetworkModel::kSystemC,
            "--node pifo beside --model systemc, which is a model of pifo_nodes");
  refuse_if(request.whole_network, "--node pifo or tdm beside --whole-network");
}

// Whether the request's routers serve packets, or the ports of a packet, in another order than the policy
// says, because they are plain.
bool ignores_order(const RunRequest& request, const Policy& policy) {
  if (request.router->follows_orders) return false;
  const NodeId nodes = request.problem.graph.node_count();
  // Plain routers keep to one rank for all packets in transit, and one not smaller for all those of hosts.
  std::optional<std::uint32_t> in_transit, of_hosts;
  for (NodeId v = 0; v < nodes; ++v) {
    for (Label label = 0; label < policy.label_count; ++label) {
      const TableEntry entry = policy.table(v, label);
      if (entry.output_mask == 0) continue;
      if (in_transit.value_or(entry.rank) != entry.rank) return true;
      in_transit = entry.rank;
      if (request.problem.ports == PortModel::kAllPort) continue;
      const bool keeps_rank = entry.rest_rank.value_or(entry.rank) == entry.rank;
      if (!keeps_rank || !std::ranges::is_sorted(entry.service_order)) return true;
    }
    for (const Injection& injection : policy.injections.round(v)) {
      if (of_hosts.value_or(injection.rank) != injection.rank) return true;
      of_hosts = injection.rank;
    }
  }
  return in_transit && of_hosts && *of_hosts < *in_transit;
}

bool needs_grants(const RunRequest& request, const Policy& policy) {
  if (request.problem.ports != PortModel::kOnePort) {
    if (request.grants == GrantMode::kOn) throw bad_input("--grants on: only --ports one has grants");
    return false;
  }
  return request.grants == GrantMode::kOn || (request.grants == GrantMode::kAutomatic &&
                                              (!policy.conflict_free || ignores_order(request, policy)));
}

// An algorithm, and why this one, if the program chose it.
struct Chosen {
  const Algorithm* algorithm = nullptr;
  std::string why = {};
};

Chosen adopt(Choice choice, RunRequest& request) {
  request.bound = std::move(choice.bound);
  request.closed_form = choice.promised;
  if (choice.plan && !request.steps)
    request.steps = std::make_shared<const Schedule>(std::move(*choice.plan));
  return {choice.algorithm, std::move(choice.reason)};
}

// Chooses an algorithm whose plan keeps to the limit on forwarding, or has that of the one that is named.
Chosen choose_forwarding(RunRequest& request) {
  const Problem& problem = request.problem;
  const std::uint32_t most = *request.forwarding;
  if (request.algorithm.empty() || request.algorithm == "auto") {
    const bool on_routers = request.algorithm.empty() && some_policy_applies(problem);
    const ChosenFor carrier = request.node == NodeChoice::kTdm ? ChosenFor::kPlans
                              : on_routers                     ? ChosenFor::kRouters
                                                               : ChosenFor::kAnyNode;
    return adopt(choose_within_forwarding(problem, carrier, most), request);
  }
  const Algorithm& algorithm = find_any_algorithm(problem, request.algorithm);
  require_memory_of_plan(problem);
  Schedule plan = plan_of(algorithm, problem);
  require_forwarding(plan, algorithm.name, most);
  request.steps = std::make_shared<const Schedule>(std::move(plan));
  return {&algorithm};
}

// Chooses an algorithm. Bound, closed form and schedule that are worked out for that are kept in the request.
Chosen choose(RunRequest& request) {
  const Problem& problem = request.problem;
  if (request.algorithm == kMessagesInTurn) {
    if (request.node == NodeChoice::kRouter)
      throw bad_input("--algorithm {}: expected --node tdm, as it is a timetable", kMessagesInTurn);
    request.node = NodeChoice::kTdm;
    Choice choice = choose_in_turn(problem);
    if (request.forwarding) require_forwarding(*choice.plan, choice.algorithm->name, *request.forwarding);
    return adopt(std::move(choice), request);
  }
  if (request.forwarding) return choose_forwarding(request);
  if (request.algorithm == "auto" || (request.algorithm.empty() && !some_policy_applies(problem))) {
    return adopt(choose_algorithm(problem, request.node == NodeChoice::kTdm, request.plan_seconds), request);
  }
  if (!request.algorithm.empty()) return {&find_any_algorithm(problem, request.algorithm)};
  const BestPolicy best = best_policy(problem);
  request.closed_form = best.promised;
  return {best.algorithm};
}

Schedule with_packets(Schedule steps, const RunRequest& request) {
  const auto flits = static_cast<std::uint32_t>(request.flits);
  const auto latency = static_cast<std::uint32_t>(request.link_latency);
  return request.slot == SlotMode::kLockstep ? with_packets_in_step(std::move(steps), flits, latency)
                                             : free_running(std::move(steps), flits, latency);
}

void check_packets(const RunRequest& request) {
  check_range("--flits", request.flits, 1, kMostFlits);
  check_range("--link-latency", request.link_latency, 0, kMostLatency);
}

void refuse_pifo_options(const RunRequest& request) {
  const auto refuse_if = [](bool given, const char* option) {
    if (given)
      throw bad_input("{}: expected an algorithm for pifo_nodes; a timetable runs on tdm_nodes", option);
  };
  refuse_if(request.queue_depth != 0, "--queue-depth");
  refuse_if(request.host_depth != 0, "--host-depth");
  refuse_if(request.window != 0, "--window");
  refuse_if(request.hosts == HostStart::kEmpty, "--hosts empty");
  refuse_if(request.inject_ports != 0, "--inject-ports");
  refuse_if(request.grants == GrantMode::kOn, "--grants on");
}

// Splits the request's packets into the pieces that the algorithm asks for.
void split_packets(RunRequest& request, const Algorithm& algorithm) {
  if (!algorithm.pieces) return;
  request.closed_form.reset();  // it was evaluated for whole packets
  request.problem.pieces = algorithm.pieces(request.problem);
  const int pieces = static_cast<int>(request.problem.pieces);
  request.flits = (request.flits + pieces - 1) / pieces;
}

RunPlan::Timetable timetable_plan(RunRequest& request, const Algorithm& algorithm) {
  refuse_pifo_options(request);
  check_packets(request);
  if (!request.steps) require_memory_of_plan(request.problem);
  Schedule schedule =
      with_packets(request.steps ? *request.steps : plan_of(algorithm, request.problem), request);
  request.steps.reset();
  if (const std::string wrong = why_not_packets_of(request.problem, schedule); !wrong.empty())
    throw std::logic_error(fmt::format("algorithm {}: {}", algorithm.name, wrong));
  require_memory_of_replay(schedule, request.keep_trace);
  RunPlan::Timetable timetable;
  timetable.program = std::make_shared<const TdmProgram>(compile_program(schedule));
  timetable.parameters = request.fitted ? fitted_tdm_parameters(schedule, *timetable.program)
                                        : tdm_parameters(schedule, *timetable.program);
  timetable.schedule = std::make_shared<const Schedule>(std::move(schedule));
  return timetable;
}

}  // namespace

void choose_node(const std::string& word, RunSettings& settings) {
  if (word == "auto") return;
  settings.node = word == "tdm" ? NodeChoice::kTdm : NodeChoice::kRouter;
  if (settings.node == NodeChoice::kRouter) settings.router = find_router_kind(word, "auto, tdm");
}

const std::string& to_string(NodeChoice choice) {
  static const std::array<std::string, 3> names{"auto", "pifo", "tdm"};
  return names.at(static_cast<std::size_t>(choice));
}

namespace {

// Whether a packet that a one-port node has sent in part has another rank there.
bool changes_ranks(const Policy& policy, NodeId nodes) {
  for (NodeId v = 0; v < nodes; ++v) {
    for (Label label = 0; label < policy.label_count; ++label) {
      const TableEntry entry = policy.table(v, label);
      if (entry.output_mask != 0 && entry.rest_rank.value_or(entry.rank) != entry.rank) return true;
    }
  }
  return false;
}

// Takes away what a run does not use of nodes that many runs could share.
void fit(const RunRequest& request, const Policy& policy, PifoParameters& p) {
  const Graph& graph = request.problem.graph;
  const std::uint32_t ranks = request.router->follows_orders ? policy.rank_levels : 1;
  p.radix = static_cast<int>(std::max<PortId>(1, graph.max_degree()));
  p.label_depth = static_cast<int>(std::max<std::uint32_t>(1, policy.label_count));
  p.rank_levels = static_cast<int>(std::max(1U, ranks));
  p.node_id_width = std::max(1, static_cast<int>(std::bit_width(graph.node_count() - 1)));
  if (request.queue_depth == 0)
    p.queue_depth = static_cast<int>(std::clamp<std::uint64_t>(policy.queue_bound, 1, kMostQueued));
  if (p.inject_ports != 1) p.inject_ports = std::min(p.inject_ports, p.radix);
  p.host_depth = request.host_depth != 0 ? request.host_depth : kStreamDepth;
  p.rest_ranks = p.rest_ranks != 0 && changes_ranks(policy, graph.node_count()) ? 1 : 0;
  p.reserve = {};
}

}  // namespace

int fitted_tag_width(int bits, const PifoParameters& parameters) {
  constexpr int kNarrowestFlit = 32;
  return field_width(bits, 8, kNarrowestFlit - other_header_bits(parameters));
}

PifoParameters choose_parameters(const RunRequest& request, const Policy& policy) {
  const Graph& graph = request.problem.graph;
  check_packets(request);
  refuse_what_routers_lack(request, policy);
  if (request.queue_depth != 0) check_range("--queue-depth", request.queue_depth, 1, kMostQueued);
  if (request.host_depth != 0) check_range("--host-depth", request.host_depth, 1, kMostQueued);
  check_ports(graph);
  PifoParameters p;
  p.radix = radix_class(graph);
  p.flit_width = kFlitWidth;
  p.flits = request.flits;
  p.link_latency = request.link_latency;
  p.port_model = static_cast<int>(request.problem.ports);
  p.grant_cycles = needs_grants(request, policy) ? 2 * p.link_latency + 2 : 0;
  p.slot_cycles = request.slot == SlotMode::kFree ? 1 : p.hop_cycles();
  p.label_depth = size_class(policy.label_count, std::array{4096, 65536, 131072});
  const std::uint32_t ranks = request.router->follows_orders ? policy.rank_levels : 1;
  if (ranks > kMostRanks)
    throw bad_input("{}: needs {} ranks; the hardware has at most {}", one_line(graph.spelling()), ranks,
                    kMostRanks);
  p.node_id_width = graph.node_count() <= 4096 ? 12 : 16;
  p.deals_links = policy.deals_links ? 1 : 0;
  p.scans_first = policy.scan ? 1 : 0;
  p.rest_ranks = p.port_model != rtl::safnet_pkg::kAllPort ? 1 : 0;
  // What is built and not used costs little time, so small networks get plenty of it and share their
  // variants; large ones get what they need.
  const bool small = p.radix <= 8 && graph.node_count() <= 1024;
  const std::uint64_t least_depth = small ? 512 : 1;
  const std::array depths{16, 64, 512, kMostQueued};
  p.rank_levels =
      size_class(std::max<std::uint64_t>(small ? 512 : 1, ranks), std::array{2, 64, 512, kMostRanks});
  p.queue_depth = request.queue_depth != 0 ? request.queue_depth
                                           : size_class(std::max(least_depth, policy.queue_bound), depths);
  // A node that may send through all its ports at once is given its host's packets as fast. Ports of their
  // own hold all packets of a host, or two each if they are filled while the network runs.
  const bool sends_at_once =
      p.port_model == rtl::safnet_pkg::kAllPort && p.scans_first == 0 && request.router->follows_orders;
  const bool streams =
      sends_at_once && (request.hosts == HostStart::kEmpty || policy.host_packets > kMostQueued);
  if (sends_at_once && (small || streams)) p.inject_ports = p.radix;
  if (request.inject_ports != 0) {
    check_range("--inject-ports", request.inject_ports, 1, sends_at_once ? p.radix : 1);
    if (policy.deals_links && request.inject_ports != 1 && request.inject_ports != p.radix)
      throw bad_input("--inject-ports {}: expected 1 or {} where packets are dealt to the links of a branch",
                      request.inject_ports, p.radix);
    p.inject_ports = request.inject_ports;
  }
  const bool all_at_start = !streams || p.inject_ports != p.radix;
  const std::uint64_t of_host = all_at_start ? policy.host_packets : kStreamDepth;
  if (request.host_depth != 0)
    p.host_depth = request.host_depth;
  else if (!all_at_start && !small)
    p.host_depth = kStreamDepth;
  else
    p.host_depth = size_class(std::max(least_depth, of_host), depths);
  if (small && request.router->follows_orders) p.reserve = reserve_of(p, depths);
  if (request.fitted) fit(request, policy, p);
  p.tag_width = tag_width(request.problem, p, request.fitted);
  return p;
}

RunPlan plan_policy(RunRequest request, const Algorithm& algorithm, Policy policy) {
  check_range("--window", request.window, 0, static_cast<int>(kMaxMessages));
  if (request.window != 0 && policy.injections.rounds == 1)
    throw bad_input("--window {}: expected more than one of --messages, and an algorithm that repeats them",
                    request.window);
  const PifoParameters parameters = choose_parameters(request, policy);
  // An estimate before anything is built; the fabric checks again, with the exact size of a node.
  require_memory_of_run(request, policy, parameters);
  const bool order_ignored = ignores_order(request, policy);
  Hardware hardware =
      parameters.scans_first != 0 ? exchange_hardware(parameters) : request.router->hardware(parameters);
  return {.request = std::move(request),
          .algorithm = &algorithm,
          .why = {},
          .what = RunPlan::Routers{std::move(policy), parameters},
          .order_ignored = order_ignored,
          .hardware = std::move(hardware)};
}

RunPlan plan_run(const RunRequest& wanted) {
  RunRequest request = wanted;
  Chosen chosen = choose(request);
  const Algorithm& algorithm = *chosen.algorithm;
  split_packets(request, algorithm);
  if (algorithm.searches && !request.bound)
    request.bound = tightest_bound(request.problem, std::numeric_limits<std::uint64_t>::max());
  const bool on_routers = algorithm.policy && request.problem.graph.max_degree() <= kMostPorts;
  const bool on_tdm_nodes =
      request.node == NodeChoice::kTdm || (request.node == NodeChoice::kAutomatic && !on_routers);
  if (on_tdm_nodes) {
    RunPlan::Timetable timetable = timetable_plan(request, algorithm);
    Hardware hardware = tdm_hardware(timetable.parameters);
    return {.request = std::move(request),
            .algorithm = &algorithm,
            .why = std::move(chosen.why),
            .what = std::move(timetable),
            .hardware = std::move(hardware)};
  }
  Policy policy = algorithm.policy ? algorithm.policy(request.problem)
                  : request.steps
                      ? policy_of_schedule(*request.steps, request.router->name)
                      : policy_of_schedule(plan_of(algorithm, request.problem), request.router->name);
  request.steps.reset();
  RunPlan plan = plan_policy(std::move(request), algorithm, std::move(policy));
  plan.why = std::move(chosen.why);
  return plan;
}

}  // namespace safnet
