// traffic - packets that nodes generate while the network runs: how long they take, and how many it carries.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cpp_model/schedule/recording.hpp"
#include "cpp_model/traffic/packet_routes.hpp"
#include "cpp_model/traffic/traffic_pattern.hpp"
#include "cpp_model/traffic/traffic_trace.hpp"
#include "sim/run/account.hpp"
#include "sim/run/delay_statistics.hpp"
#include "sim/run/hardware_options.hpp"
#include "sim/run/router_kinds.hpp"
#include "sim/run/traffic_recorder.hpp"

namespace safnet {

/// Packets that one run may generate: each is followed, in 16 bytes.
inline constexpr std::uint64_t kMostTrafficPackets = 50'000'000;

/// Phases of a run, in cycles. Packets are generated in all three. Those of the second are measured; the
/// third lasts until they are delivered, at most `drain_limit` cycles.
struct TrafficPhases {
  std::uint32_t warm_up = 2000;
  std::uint32_t measure = 10'000;
  std::uint32_t drain_limit = 20'000;
};

/// A network of routers whose packets come while it runs.
struct RouterNetworkSettings : HardwareOptions {
  SharedRouterKind router = pifo_router();
  int flits = 1;
  int link_latency = 0;  ///< cycles
  int queue_depth = 16;  ///< packets per link, and credits per link
  int host_depth = 16;   ///< packets of a node's own that each of its queues takes; its host keeps the rest
  bool fitted = false;   ///< as in RunSettings
};

/// Faults are active to the end of the first cycle of the window, whatever `fault_until` says.
struct TrafficRequest : RouterNetworkSettings {
  /// In each cycle each sending node generates a packet with probability rate / flits; more than 0, at
  /// most 1.
  Rational rate = 0;
  std::uint64_t seed = 1;
  TrafficPhases phases;
};

/// Steps and delays of the account mean nothing here, as nodes run freely. `lost`: neither delivered nor in
/// any queue when nothing moves. generated = delivered + lost + at_sources + in_network.
struct TrafficResult : Account {
  PifoParameters parameters;
  std::uint64_t generated = 0;
  std::uint64_t at_sources = 0;  ///< withdrawn at the end, as no flit of them had been handed to the node yet
  std::uint64_t in_network = 0;  ///< still there when the run got stuck
  // Of the window.
  CycleWindow window;
  std::uint64_t measured = 0;            ///< packets generated in it
  std::uint64_t measured_delivered = 0;  ///< of these, those delivered, also after the drain's limit
  std::uint64_t offered_flits = 0, accepted_flits = 0;  ///< generated and delivered in the window
  DelayStatistics latency;          ///< cycles from generation to the last flit's arrival, both included
  DelayStatistics network_latency;  ///< the same from the header's cycle on the first link
  std::uint64_t measured_hops = 0;  ///< sum over the measured packets that were delivered
  std::uint64_t busiest_link_flits = 0, link_flits = 0;  ///< on the busiest link, on all links
  LinkId busiest_link = 0;
  /// Packets at their sources' hosts when the window opens, and when it closes or the run is stuck.
  std::uint64_t backlog_before = 0, backlog_after = 0;
  std::uint64_t on_the_way_before = 0,
                on_the_way_after = 0;  ///< generated and not delivered, hosts' included
  std::uint32_t end_cycle = 0;         ///< of the whole run
  bool drain_limit_reached = false;
  /// The measured packets were not delivered within the limit, or the packets on their way grew in the window
  /// by more than one per sending node and by more than a fiftieth of those generated; of a trace that ends
  /// with the window or before, only the former.
  bool saturated = false;
  /// Every packet that was generated and every transfer, if a trace was asked for.
  std::shared_ptr<const Recording> recording;
  /// False if the run was stuck before: there is nothing to say of the window then.
  bool window_opened() const { return end_cycle >= window.first; }
};

/// RTL parameters of a run. Throws std::invalid_argument if no hardware can run it.
PifoParameters traffic_parameters(const RouterNetworkSettings& settings, const PacketRoutes& routes);

/// Cycles of a packet over `hops` hops of an idle network: its flits go from the host to its node, then over
/// each link, after a request and a grant under one-port.
Rational zero_load_latency(const PifoParameters& parameters, const Rational& hops);

/// Cycles per flit for which a packet occupies the port of a one-port node; with grants it does so from its
/// request on.
Rational port_cycles_per_flit(const PifoParameters& parameters);

/// Throws std::invalid_argument, which begins with `option`, if no run can be asked for such a rate.
void check_rate(const Rational& rate, std::string_view option);

/// Throws std::invalid_argument if no hardware can run it or its rate or phases are out of range.
void check_traffic(const TrafficRequest& request, const PacketRoutes& routes, const TrafficPattern& pattern);

/// Random traffic by a pattern. Throws std::invalid_argument for what the user got wrong.
TrafficResult run_traffic(const TrafficRequest& request, const PacketRoutes& routes,
                          const TrafficPattern& pattern, VariantStore& store);

/// Packets of a trace, in order of cycle; `rate` and `seed` are ignored. Packets after the window are
/// generated too; if the drain limit ends the run before the last of them, that is a problem.
TrafficResult run_traffic(const TrafficRequest& request, const PacketRoutes& routes,
                          const std::vector<TracedPackets>& trace, VariantStore& store);

}  // namespace safnet
