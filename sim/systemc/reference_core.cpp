#include "sim/systemc/reference_core.hpp"

#include <utility>

#include "cpp_model/systemc/router_modules.hpp"
#include "sim/run/reference.hpp"

namespace safnet {
namespace {

/// Reference routers on a clock of their own, which rises a delta cycle after that of the platform: by then
/// the hosts have given their packets.
class ReferenceCore final : public NetworkCore {
 public:
  ReferenceCore(const PacketRoutes& routes, const PifoParameters& parameters, TellArrival tell)
      : policy_(without_injections(routes.policy())),
        clock_("node_clock"),
        modules_(routes.graph(), policy_, reference_parameters(parameters), clock_, log_) {
    log_.on_delivery = [tell = std::move(tell)](const Delivery& delivery,
                                                const std::vector<std::uint64_t>& words) {
      tell({delivery.node, delivery.packet, words});
    };
  }

  bool is_free(NodeId node) const override { return modules_.node(node).host_is_free(); }
  void offer(NodeId node, PacketId packet, PacketRoutes::Start start, reference::Words words) override {
    const auto length = static_cast<std::uint32_t>(words->size()) + 1;
    modules_.node(node).offer({packet, start.label, length, std::move(words)}, start.rank);
  }
  void reset() override {
    modules_.hold_in_reset(true);
    cycle_ = 0;
    clock_.write(true);
  }
  void begin_cycle() override {
    modules_.hold_in_reset(false);
    ++cycle_;
    clock_.write(true);
  }
  void end_of_pulse() override { clock_.write(false); }
  std::uint32_t cycle() const override { return cycle_; }
  std::uint64_t movements() const override { return log_.movements; }
  NodeStatus status(NodeId node) const override { return status_of(modules_.node(node).wait()); }
  Label last_label(NodeId node, PortId port) const override {
    return modules_.node(node).last_labels()[port];
  }
  std::vector<std::string> problems() const override { return log_.problems; }

 private:
  static Policy without_injections(Policy policy) {
    policy.injections = [](NodeId) { return std::vector<Injection>(); };
    return policy;
  }

  Policy policy_;
  reference::RunLog log_;
  sc_core::sc_signal<bool> clock_;
  reference::RouterModules modules_;
  std::uint32_t cycle_ = 0;
};

}  // namespace

std::unique_ptr<NetworkCore> make_reference_core(const PacketRoutes& routes, const PifoParameters& parameters,
                                                 TellArrival tell) {
  return std::make_unique<ReferenceCore>(routes, parameters, std::move(tell));
}

}  // namespace safnet
