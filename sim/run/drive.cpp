#include "sim/run/drive.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace safnet {
namespace {

// The waveform of a whole network; null: none is asked for.
std::unique_ptr<NetworkWave> wave_of_network(const Graph& graph, const Hardware& hardware,
                                             const HardwareOptions& options,
                                             const MachineObserver* observer) {
  if (options.wave.path.empty()) return nullptr;
  return std::make_unique<Wave>(options.wave, hardware.waved_network(graph, true), observer);
}

}  // namespace

ObservedMachine make_machine(const Graph& graph, const Hardware& hardware, const HardwareOptions& options,
                             MachineObserver* observer, VariantStore& store, Account& account) {
  const double built_before = store.build_seconds();
  const auto announce = [&] {
    if (options.on_build) options.on_build(hardware.quick_build);
  };
  Hardware wanted = hardware;
  wanted.waves = !options.wave.path.empty();
  const auto variant =
      options.whole_network ? store.load_network(wanted, graph, announce) : store.load(wanted, announce);
  account.build_seconds += store.build_seconds() - built_before;
  const auto make = [&](MachineObserver* told) -> std::unique_ptr<Machine> {
    if (options.whole_network)
      return variant->make_network(graph.node_count(), hardware.settings, told,
                                   wave_of_network(graph, hardware, options, told));
    return std::make_unique<Fabric>(graph, hardware, variant, told, options);
  };
  ObservedMachine machine(graph.node_count(), observer,
                          [&](MachineObserver* told) -> std::unique_ptr<Machine> {
                            if (options.machine_tap == nullptr) return make(told);
                            auto tapped = std::make_unique<TappedMachine>(*options.machine_tap, told);
                            tapped->hand_over(make(tapped.get()));
                            return tapped;
                          });
  machine->reset();
  return machine;
}

Drive::Drive(Machine& machine, std::uint32_t patience, std::vector<LinkFault> faults,
             std::uint32_t fault_until, std::uint32_t slot_cycles)
    : machine_(machine),
      patience_(patience),
      faults_(std::move(faults)),
      fault_until_(fault_until),
      slot_cycles_(slot_cycles) {}

void Drive::set_faults(bool active) {
  for (const LinkFault& fault : faults_)
    machine_.set_fault(active ? fault : LinkFault{fault.node, fault.port, false, false});
}

// A machine that does a whole run in one call, as the SystemC reference does, has no time; that of a network
// which is not started stands still.
void Drive::check_time(NetworkTime next) {
  if (next.cycle == 0 || !started_) return;
  if (now_.cycle == 0) first_cycle_ = next.cycle;
  const std::uint32_t cycle = now_.cycle == 0 ? next.cycle : now_.cycle + 1;
  const std::uint32_t step = slot_cycles_ == 0 ? next.step : (cycle - first_cycle_) / slot_cycles_ + 1;
  if (next.cycle != cycle || next.step != step)
    throw std::runtime_error(fmt::format("the network's timer says cycle {} and step {} in cycle {}, step {}",
                                         next.cycle, next.step, cycle, step));
}

NetworkTime Drive::cycle() {
  const NetworkTime next = machine_.clock();
  check_time(next);
  now_ = next;
  if (now_.cycle >= fault_until_ && !faults_.empty()) {
    set_faults(false);
    faults_.clear();
  }
  quiet_cycles_ = machine_.progress() != 0 ? 0 : quiet_cycles_ + 1;
  return now_;
}

void settle_before_start(Machine& machine, std::uint32_t cycles) {
  for (std::uint32_t quiet = 0; quiet < cycles;) {
    machine.clock();
    quiet = machine.progress() != 0 ? 0 : quiet + 1;
  }
}

}  // namespace safnet
