#include "sim/run/software_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <queue>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "sim/machine/system.hpp"
#include "sim/pifo/router_program.hpp"
#include "sim/run/drive.hpp"
#include "sim/run/last_packets.hpp"
#include "sim/run/memory_estimate.hpp"
#include "sim/run/run_plan.hpp"
#include "sim/run/traffic_sources.hpp"

namespace safnet {
namespace {

constexpr std::uint64_t kMostHostCycles = 100'000'000;

std::uint64_t packets_of_run(const SoftwareRequest& request) {
  return (request.tree.parent.size() - 1) * std::uint64_t{request.messages};
}

std::uint64_t most_packets_of_host(const SoftwareRequest& request) {
  if (request.collective == CollectiveKind::kReduction) return request.messages;
  std::size_t most = 1;
  for (const auto& children : request.tree.children) most = std::max(most, children.size());
  return most * std::uint64_t{request.messages};
}

// For how long hosts could be busy, one after the other: all of a batch on a way from the root, then the
// other batches at the busiest host.
std::uint64_t busy_cycles(const SoftwareRequest& request) {
  const HostTree& tree = request.tree;
  const bool reduces = request.collective == CollectiveKind::kReduction;
  const std::uint64_t of_action =
      request.host_overhead + (reduces ? std::uint64_t{request.combine_cycles} * request.batch : 0);
  std::uint64_t longest = 0, most = 0;
  std::vector<std::pair<NodeId, std::uint64_t>> open{{tree.root, 0}};  // host, actions of those before it
  while (!open.empty()) {
    const auto [host, before] = open.back();
    open.pop_back();
    const std::uint64_t actions = tree.children[host].size() + 1;
    longest = std::max(longest, before + actions);
    most = std::max(most, actions);
    for (const NodeId child : tree.children[host]) open.emplace_back(child, before + actions);
  }
  return (longest + (request.batches() - 1) * most) * of_action;
}

// The programs of all hosts, each where it stands. A branch of the tree is named by its child.
class HostPrograms {
 public:
  explicit HostPrograms(const SoftwareRequest& request)
      : request_(request),
        tree_(request.tree),
        reduces_(request.collective == CollectiveKind::kReduction),
        hosts_(tree_.parent.size()),
        arrived_(tree_.parent.size()) {
    for (NodeId v = 0; v < hosts_.size(); ++v) go_on(v, 1);
  }

  /// A packet for host `at`; its program goes on in the next cycle.
  void arrive(NodeId at, NodeId from) {
    ++arrived_[reduces_ ? from : at];
    got_.push_back(at);
  }
  /// What hosts hand over at the beginning of `cycle`, by send(from, to, packets).
  template <class Send>
  void run(std::uint32_t cycle, Send&& send) {
    for (const NodeId v : std::exchange(got_, {})) {
      if (hosts_[v].waits) go_on(v, cycle);
    }
    while (!busy_.empty() && busy_.top().first <= cycle) {
      const NodeId v = busy_.top().second;
      busy_.pop();
      Host& host = hosts_[v];
      if (host.sends_to != kNoNode) send(v, host.sends_to, packets_of(host.batch));
      finish_action(v);
      go_on(v, cycle);
    }
  }
  bool is_busy() const { return !busy_.empty() || !got_.empty(); }
  /// How many hosts still wait for packets.
  std::size_t waiting() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(hosts_, [](const Host& host) { return host.waits; }));
  }

 private:
  struct Host {
    std::uint32_t batch = 0;
    std::size_t place = 0;      // within the batch: 0 to get it from the parent, or a child
    NodeId sends_to = kNoNode;  // the action that is under way; none: it takes in what has come
    bool waits = false;         // for packets
  };

  std::uint32_t packets_of(std::uint32_t batch) const {
    return std::min(request_.batch, request_.messages - batch * request_.batch);
  }
  bool has_come(NodeId child, std::uint32_t batch) const {
    return arrived_[child] >= std::uint64_t{batch} * request_.batch + packets_of(batch);
  }
  // Actions of a batch: a broadcast takes it in, then sends it to each child; a reduction takes it in from
  // each child, then sends it to the parent. The root has no parent.
  std::size_t actions(NodeId v) const { return tree_.children[v].size() + 1; }
  bool takes_in(NodeId v, std::size_t place) const {
    return reduces_ ? place < tree_.children[v].size() : place == 0;
  }

  void finish_action(NodeId v) {
    Host& host = hosts_[v];
    if (++host.place < actions(v)) return;
    host.place = 0;
    ++host.batch;
  }

  // Begins the next action if it can; `cycle` is the first that the host is free in.
  void go_on(NodeId v, std::uint32_t cycle) {
    Host& host = hosts_[v];
    host.waits = false;
    for (; host.batch < request_.batches(); finish_action(v)) {
      const bool root = v == tree_.root;
      if (takes_in(v, host.place)) {
        if (!reduces_ && root) continue;
        if (!has_come(reduces_ ? tree_.children[v][host.place] : v, host.batch)) {
          host.waits = true;
          return;
        }
        host.sends_to = kNoNode;
        const std::uint32_t work = reduces_ ? request_.combine_cycles * packets_of(host.batch) : 0;
        busy_.push({cycle + request_.host_overhead + work, v});
        return;
      }
      if (reduces_ && root) continue;
      host.sends_to = reduces_ ? tree_.parent[v] : tree_.children[v][host.place - 1];
      busy_.push({cycle + request_.host_overhead, v});
      return;
    }
  }

  const SoftwareRequest& request_;
  const HostTree& tree_;
  bool reduces_;
  std::vector<Host> hosts_;
  std::vector<std::uint64_t> arrived_;             // by branch: packets that have come over it
  std::vector<NodeId> got_;                        // hosts that got packets in the last cycle
  using Ready = std::pair<std::uint32_t, NodeId>;  // the cycle in which an action is done
  std::priority_queue<Ready, std::vector<Ready>, std::greater<>> busy_;
};

class SoftwareRun {
 public:
  SoftwareRun(const SoftwareRequest& request, const PacketRoutes& routes, VariantStore& store)
      : request_(request),
        graph_(routes.graph()),
        routes_(routes),
        result_(sized(request, routes)),
        recorder_(graph_, result_.parameters, {}, request.keep_trace),
        machine_(make_machine(graph_, request.router->hardware(result_.parameters), request, &recorder_,
                              store, result_)),
        sources_(routes, result_.parameters, *machine_, recorder_),
        programs_(request),
        drive_(*machine_, patience_of(result_.parameters, result_.parameters.hop_cycles()), request.faults,
               request.fault_until, static_cast<std::uint32_t>(result_.parameters.slot_cycles)) {
    const Policy policy = routes.policy();
    load_program(*machine_, graph_.node_count(),
                 [&](NodeId v) { return router_table(graph_, policy, result_.parameters, v); });
    recorder_.on_arrival([this](NodeId at, NodeId from) { programs_.arrive(at, from); });
  }

  SoftwareResult run() {
    drive_.start();
    for (std::uint32_t cycle = 1; !ended(); ++cycle) {
      programs_.run(cycle, [&](NodeId from, NodeId to, std::uint32_t packets) {
        for (std::uint32_t i = 0; i < packets; ++i) sources_.generate(from, to, cycle);
      });
      if (sources_.hand_over() || programs_.is_busy()) drive_.stir();
      result_.end_cycle = drive_.cycle().cycle;
      if (request_.on_progress && (result_.end_cycle & 0xff) == 0)
        request_.on_progress(recorder_.delivered(), packets_of_run(request_), result_.end_cycle);
    }
    take_account();
    result_.run_seconds = watch_.seconds();
    return std::move(result_);
  }

 private:
  static SoftwareResult sized(const SoftwareRequest& request, const PacketRoutes& routes) {
    SoftwareResult result;
    result.parameters = software_parameters(request, routes);
    return result;
  }

  // All is done, or nothing moves any more: neither in the network nor at hosts.
  bool ended() const {
    if (programs_.is_busy() || sources_.backlog() != 0) return drive_.is_quiet();
    return machine_->finished() || drive_.is_quiet();
  }

  void take_account() {
    result_.stuck = !machine_->finished() || sources_.backlog() != 0;
    result_.expected_deliveries = packets_of_run(request_);
    std::vector<std::string> lines;
    if (const std::size_t waiting = programs_.waiting(); waiting != 0 && !result_.stuck)
      lines.push_back(fmt::format("{} wait for packets that never come", counted(waiting, "host")));
    safnet::take_account(result_, graph_, *machine_, recorder_, lines);
    if (request_.keep_trace) {
      result_.recording = std::make_shared<const Recording>(
          recorder_.take_recording(routes_.ports(), request_.flits, request_.link_latency));
    }
    if (result_.stuck)
      result_.waits = explain_stuck_routers(graph_, *machine_, result_.parameters,
                                            *request_.router->hardware(result_.parameters).kind, recorder_,
                                            routes_.policy());
  }

  const SoftwareRequest& request_;
  const Graph& graph_;
  const PacketRoutes& routes_;
  SoftwareResult result_;
  TrafficRecorder recorder_;
  ObservedMachine machine_;
  TrafficSources sources_;
  HostPrograms programs_;
  Drive drive_;
  Stopwatch watch_;
};

}  // namespace

PifoParameters software_parameters(const SoftwareRequest& request, const PacketRoutes& routes) {
  PifoParameters parameters = traffic_parameters(request, routes);
  if (request.fitted) {
    const int bits = std::max(1, static_cast<int>(std::bit_width(most_packets_of_host(request) - 1)));
    parameters.tag_width = std::min(parameters.tag_width, fitted_tag_width(bits, parameters));
  }
  return parameters;
}

void check_software(const SoftwareRequest& request, const PacketRoutes& routes) {
  const PifoParameters parameters = software_parameters(request, routes);
  if (const std::uint64_t packets = most_packets_of_host(request); packets > kMostPacketsOfSource)
    throw bad_input("--messages {}: {} packets of one host; expected at most {}", request.messages, packets,
                    kMostPacketsOfSource);
  const std::uint64_t most = request.keep_trace ? PacketList::kMaxPackets : kMostTrafficPackets;
  if (const std::uint64_t packets = packets_of_run(request); packets > most)
    throw bad_input("--messages {}: {} packets; expected at most {}", request.messages, packets, most);
  if (const std::uint64_t busy = busy_cycles(request); busy > kMostHostCycles) {
    const bool combining = request.combine_cycles * std::uint64_t{request.batch} > request.host_overhead;
    throw bad_input("{}: hosts could be busy for {} cycles; expected at most {}",
                    combining ? fmt::format("--combine-cycles {}", request.combine_cycles)
                              : fmt::format("--host-overhead {}", request.host_overhead),
                    busy, kMostHostCycles);
  }
  require_memory_of_traffic(routes.graph(), parameters, static_cast<double>(packets_of_run(request)),
                            request.keep_trace, "--messages");
}

SoftwareResult run_software(const SoftwareRequest& request, const PacketRoutes& routes, VariantStore& store) {
  check_software(request, routes);
  if (request.threads != 1) throw std::logic_error("collectives by software run on one thread");
  return SoftwareRun(request, routes, store).run();
}

}  // namespace safnet
