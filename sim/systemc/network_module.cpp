#include "sim/systemc/network_module.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <stdexcept>
#include <utility>
#include <vector>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/schedule/problem.hpp"
#include "sim/library/task_problem.hpp"
#include "sim/machine/limits.hpp"
#include "sim/run/drive.hpp"
#include "sim/run/last_packets.hpp"
#include "sim/run/traffic.hpp"
#include "sim/systemc/reference_core.hpp"
#include "sim/systemc/rtl_core.hpp"

namespace safnet {
namespace {

// Tags, which tell the packets of a node apart, begin anew after so many.
constexpr std::uint32_t kTags = static_cast<std::uint32_t>(kMostPacketsOfSource);

RouterNetworkSettings router_settings(const NetworkOptions& options) {
  lab::require("flits", options.flits, 1, kMostFlits);
  lab::require("link_latency", options.link_latency, 0, kMostLatency);
  lab::require("queue_depth", options.queue_depth, 1, kMostQueued);
  lab::require("host_depth", options.host_depth, 1, kMostQueued);
  if (options.model != "rtl" && options.model != "systemc")
    throw bad_input("model {}: expected rtl or systemc", in_quotes(options.model));
  if (options.model == "systemc" && options.node != "pifo")
    throw bad_input("node {}: expected pifo with model systemc, whose routers are those",
                    in_quotes(options.node));
  RouterNetworkSettings settings;
  settings.router = find_router_kind(options.node);
  settings.flits = static_cast<int>(options.flits);
  settings.link_latency = static_cast<int>(options.link_latency);
  settings.queue_depth = static_cast<int>(options.queue_depth);
  settings.host_depth = static_cast<int>(options.host_depth);
  return settings;
}

[[noreturn]] void fail(const std::string& what) {
  SC_REPORT_ERROR("/safnet/network", what.c_str());
  throw std::runtime_error(what);  // a platform that goes on after errors cannot go on with this network
}

}  // namespace

class NetworkModule::State {
 public:
  State(const lab::Topology& topology, const NetworkOptions& options)
      : settings_(router_settings(options)),
        routes_(topology.graph(), parse_port_model(options.ports), options.routes),
        parameters_(traffic_parameters(settings_, routes_)),
        patience_(patience_of(parameters_, parameters_.hop_cycles())),
        next_tag_(processors()),
        arrived_(processors()) {
    const TellArrival tell = [this](const ArrivedPacket& packet) { check_arrival(packet); };
    core_ = options.model == "rtl" ? make_rtl_core(routes_, settings_.router, parameters_, tell)
                                   : make_reference_core(routes_, parameters_, tell);
  }

  std::uint32_t processors() const { return routes_.graph().processor_count(); }
  std::uint32_t most_words() const { return static_cast<std::uint32_t>(settings_.flits) - 1; }

  void reset() {
    core_->reset();
    on_the_way_.clear();
    arrived_.assign(processors(), {});
    next_tag_.assign(processors(), 0);
    sent = delivered = cycle = 0;
    quiet_cycles_ = 0;
  }
  bool is_free(NodeId node) const { return core_->is_free(node); }
  void offer(NodeId source, NetworkPacket packet) {
    packet.source = source;
    check_request(packet);
    const PacketId id{source, std::exchange(next_tag_[source], (next_tag_[source] + 1) % kTags)};
    const auto words = std::make_shared<const std::vector<std::uint64_t>>(packet.words);
    core_->offer(source, id, routes_.start(source, packet.destination), words);
    on_the_way_.emplace(id, std::move(packet));
    ++sent;
    quiet_cycles_ = 0;
  }
  void begin_cycle() {
    const bool is_quiet = core_->movements() == movements_ && !on_the_way_.empty();
    quiet_cycles_ = is_quiet ? quiet_cycles_ + 1 : 0;
    movements_ = core_->movements();
    try {
      core_->begin_cycle();
    } catch (const std::runtime_error& error) {  // an assertion of the RTL
      fail(error.what());
    }
    cycle = core_->cycle();
    const std::vector<std::string> problems = core_->problems();
    if (!problems.empty()) fail(problems.front());
    if (quiet_cycles_ > patience_) fail(waits());
  }
  void end_of_pulse() { core_->end_of_pulse(); }

  std::deque<NetworkPacket>& arrived(NodeId node) { return arrived_[node]; }

  sc_core::sc_event something_arrived;
  std::uint64_t sent = 0, delivered = 0;
  std::uint32_t cycle = 0;

 private:
  void check_request(const NetworkPacket& packet) const {
    if (packet.destination >= processors() || packet.destination == packet.source)
      fail(fmt::format("packet of node {} for node {}: expected another node from 0 to {}", packet.source,
                       packet.destination, processors() - 1));
    if (packet.words.size() > most_words())
      fail(fmt::format("packet of node {} for node {}: {} words; expected at most {}, one less than flits",
                       packet.source, packet.destination, packet.words.size(), most_words()));
  }

  void check_arrival(const ArrivedPacket& came) {
    const auto found = on_the_way_.find(came.packet);
    if (found == on_the_way_.end())
      fail(fmt::format("packet {} of node {} came to node {}, and is not on its way", came.packet.tag,
                       came.packet.source, came.node));
    NetworkPacket& packet = found->second;
    if (packet.destination != came.node)
      fail(fmt::format("packet {} of node {} for node {} came to node {}", came.packet.tag, packet.source,
                       packet.destination, came.node));
    if (packet.words != came.words)
      fail(fmt::format("packet {} of node {} for node {} came with other words than it was sent with",
                       came.packet.tag, packet.source, packet.destination));
    arrived_[came.node].push_back(std::move(packet));
    on_the_way_.erase(found);
    something_arrived.notify(sc_core::SC_ZERO_TIME);
  }

  std::string waits() const {
    const std::vector<std::string> lines = explain_stuck_routers(
        routes_.graph(), parameters_, *settings_.router->hardware(parameters_).kind, routes_.policy(),
        [this](NodeId v) { return core_->status(v); },
        [this](NodeId v, PortId p) { return core_->last_label(v, p); });
    return fmt::format("stuck in cycle {} with {} packets on their way: {}", cycle, on_the_way_.size(),
                       lines.empty() ? "no node waits, they are lost" : lines.front());
  }

  RouterNetworkSettings settings_;
  PacketRoutes routes_;
  PifoParameters parameters_;
  std::uint32_t patience_;
  std::uint64_t movements_ = 0;     // up to the last cycle
  std::uint32_t quiet_cycles_ = 0;  // in which nothing moved
  std::unique_ptr<NetworkCore> core_;
  std::vector<std::uint32_t> next_tag_;             // per node
  std::map<PacketId, NetworkPacket> on_the_way_;    // in the network
  std::vector<std::deque<NetworkPacket>> arrived_;  // per node: not in its fifo yet
};

NetworkModule::NetworkModule(const sc_core::sc_module_name& name, const lab::Topology& topology,
                             const NetworkOptions& options)
    : sc_module(name),
      clock("clock"),
      reset("reset"),
      from_host("from_host", topology.processors()),
      to_host("to_host", topology.processors()),
      state_(std::make_unique<State>(topology, options)) {
  SC_HAS_PROCESS(NetworkModule);
  SC_METHOD(on_clock);
  sensitive << clock;
  dont_initialize();
  SC_METHOD(deliver);
  sensitive << state_->something_arrived;
  dont_initialize();
}

NetworkModule::~NetworkModule() = default;

void NetworkModule::on_clock() {
  if (!clock.read()) return state_->end_of_pulse();
  if (reset.read()) return state_->reset();
  for (NodeId v = 0; v < processors(); ++v) {
    NetworkPacket packet;
    if (state_->is_free(v) && from_host[v].nb_read(packet)) state_->offer(v, std::move(packet));
    if (!state_->arrived(v).empty()) state_->something_arrived.notify(sc_core::SC_ZERO_TIME);
  }
  state_->begin_cycle();
}

void NetworkModule::deliver() {
  for (NodeId v = 0; v < processors(); ++v) {
    std::deque<NetworkPacket>& arrived = state_->arrived(v);
    while (!arrived.empty() && to_host[v].nb_write(arrived.front())) {
      arrived.pop_front();
      ++state_->delivered;
    }
  }
}

std::uint32_t NetworkModule::processors() const { return state_->processors(); }
std::uint32_t NetworkModule::most_words() const { return state_->most_words(); }
std::uint32_t NetworkModule::cycle() const { return state_->cycle; }
std::uint64_t NetworkModule::sent() const { return state_->sent; }
std::uint64_t NetworkModule::delivered() const { return state_->delivered; }

void NetworkModule::trace(sc_core::sc_trace_file* file) const {
  const auto add = [&](const auto& value, const char* what) {
    sc_core::sc_trace(file, value, fmt::format("{}.{}", name(), what));
  };
  add(state_->cycle, "cycle");
  add(state_->sent, "sent");
  add(state_->delivered, "delivered");
}

}  // namespace safnet
