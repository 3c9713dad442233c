#include "sim/systemc/rtl_core.hpp"

#include <utility>

#include "sim/pifo/packet_format.hpp"
#include "sim/pifo/router_program.hpp"
#include "sim/run/drive.hpp"

namespace safnet {
namespace {

/// Puts the flits that come through each delivery lane of each node together, and knows of each output which
/// packet left by it last.
class PacketAssembly final : public MachineObserver {
 public:
  PacketAssembly(NodeId nodes, const PifoParameters& parameters)
      : radix_(static_cast<std::uint32_t>(parameters.radix)),
        format_(parameters),
        under_way_(std::size_t{nodes} * radix_),
        leaving_(std::size_t{nodes} * radix_) {}

  void on_link_flit(const FlitEvent& flit) override {
    Leaving& leaving = leaving_[std::size_t{flit.node} * radix_ + flit.port];
    if (leaving.flits_left == 0) {
      const PacketFormat::Header header = format_.fields(flit.value());
      leaving = {header.label, header.length};
    }
    --leaving.flits_left;
  }
  void on_delivered_flit(const FlitEvent& flit) override {
    Lane& lane = under_way_[std::size_t{flit.node} * radix_ + flit.port];
    if (lane.flits++ == 0) {
      lane.packet = {flit.node, format_.fields(flit.value()).packet, {}};
    } else {
      lane.packet.words.push_back(flit.value());
    }
    if (!flit.last) return;
    arrived_.push_back(std::move(lane.packet));
    lane = {};
  }
  std::vector<ArrivedPacket> take() { return std::exchange(arrived_, {}); }
  Label last_label(NodeId node, PortId port) const {
    return leaving_[std::size_t{node} * radix_ + port].label;
  }
  void clear() {
    leaving_.assign(leaving_.size(), {});
    under_way_.assign(under_way_.size(), {});
    arrived_.clear();
  }

 private:
  struct Lane {
    ArrivedPacket packet;
    std::uint32_t flits = 0;
  };
  struct Leaving {
    Label label = 0;
    std::uint32_t flits_left = 0;
  };
  std::uint32_t radix_;
  PacketFormat format_;
  std::vector<Lane> under_way_;   // [node][lane]
  std::vector<Leaving> leaving_;  // [node][output]
  std::vector<ArrivedPacket> arrived_;
};

class RtlCore final : public NetworkCore {
 public:
  RtlCore(const PacketRoutes& routes, const SharedRouterKind& kind, const PifoParameters& parameters,
          TellArrival tell)
      : routes_(routes),
        parameters_(parameters),
        format_(parameters),
        tell_(std::move(tell)),
        assembly_(routes.graph().node_count(), parameters),
        machine_(make_machine(routes.graph(), kind->hardware(parameters), {}, &assembly_,
                              VariantStore::standard(), build_)) {
    load();
  }

  bool is_free(NodeId node) const override { return machine_->packets_with_host(node) == 0; }
  void offer(NodeId node, PacketId packet, PacketRoutes::Start start, reference::Words words) override {
    const auto length = static_cast<std::uint32_t>(words->size()) + 1;
    HostPacket given;
    given.rank = start.rank;
    const auto add = [&given](std::uint64_t flit) {
      given.words.push_back(static_cast<std::uint32_t>(flit));
      given.words.push_back(static_cast<std::uint32_t>(flit >> 32));
    };
    add(format_.header(start.label, packet, length));
    for (const std::uint64_t word : *words) add(word);
    machine_->offer(node, std::move(given));
  }
  void reset() override {
    if (now_.cycle == 0) return;
    machine_->reset();
    load();
  }
  // The machine simulates a cycle up to its end, where the platform sees what came.
  void begin_cycle() override {
    for (const ArrivedPacket& packet : assembly_.take()) tell_(packet);
    now_ = machine_->clock();
    movements_ += machine_->progress();
  }
  std::uint32_t cycle() const override { return now_.cycle; }
  std::uint64_t movements() const override { return movements_; }
  NodeStatus status(NodeId node) const override { return machine_->status(node); }
  Label last_label(NodeId node, PortId port) const override { return assembly_.last_label(node, port); }
  std::vector<std::string> problems() const override { return machine_->problems(); }

 private:
  void load() {
    assembly_.clear();
    now_ = {};
    const Graph& graph = routes_.graph();
    load_program(*machine_, graph.node_count(),
                 [&](NodeId v) { return router_table(graph, routes_.policy(), parameters_, v); });
    machine_->start();  // the next clock is cycle 1, whose packets the hosts are not given before
  }

  const PacketRoutes& routes_;
  PifoParameters parameters_;
  PacketFormat format_;
  TellArrival tell_;
  PacketAssembly assembly_;
  Account build_;
  ObservedMachine machine_;
  NetworkTime now_;
  std::uint64_t movements_ = 0;
};

}  // namespace

std::unique_ptr<NetworkCore> make_rtl_core(const PacketRoutes& routes, const SharedRouterKind& kind,
                                           const PifoParameters& parameters, TellArrival tell) {
  return std::make_unique<RtlCore>(routes, kind, parameters, std::move(tell));
}

}  // namespace safnet
