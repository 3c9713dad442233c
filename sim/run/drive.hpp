// drive - the loop that takes a machine from its start to its end: faults, patience, and nothing else.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "sim/machine/event_digest.hpp"
#include "sim/machine/machine.hpp"
#include "sim/pifo/pifo_parameters.hpp"
#include "sim/run/account.hpp"
#include "sim/run/hardware_options.hpp"
#include "sim/variant/variant_store.hpp"

namespace safnet {

/// A machine and, if SAFNET_DIGESTS is set, the digest that stands between it and its observer.
class ObservedMachine {
 public:
  /// `make(observer)` makes the machine, whose observer must outlive this.
  template <class Make>
  ObservedMachine(std::uint32_t nodes, MachineObserver* observer, Make make)
      : digest_(EventDigest::if_wanted(nodes, observer)),
        machine_(make(digest_ ? digest_.get() : observer)) {}
  Machine& operator*() const { return *machine_; }
  Machine* operator->() const { return machine_.get(); }

 private:
  std::unique_ptr<EventDigest> digest_;
  std::unique_ptr<Machine> machine_;
};

/// The fabric or whole network that the options ask for, after a reset. Builds its variant if that is
/// missing, and adds the seconds of building to the account.
ObservedMachine make_machine(const Graph& graph, const Hardware& hardware, const HardwareOptions& options,
                             MachineObserver* observer, VariantStore& store, Account& account);

/// A patience for routers, in cycles. Every wait is for a credit or a grant, and both take at most the time
/// of a packet, `packet_cycles`, and two crossings of a link; the result is a generous multiple of that.
inline std::uint32_t patience_of(const PifoParameters& parameters, int packet_cycles) {
  return static_cast<std::uint32_t>(16 * packet_cycles + 8 * parameters.link_latency + 64);
}

/// A patience, or a cycle, that no run reaches.
inline constexpr std::uint32_t kForEver = 0xffff'ffff;

/// Drives a machine that has been given its program. Nothing moving for longer than its patience means that
/// nothing will move again: nodes are deterministic, and every wait is for a credit, a grant or a slot.
class Drive {
 public:
  /// `patience`: cycles. Faults are active from the start to the end of cycle `fault_until`. `slot_cycles`:
  /// of the network's timer; 0: nobody uses its steps.
  Drive(Machine& machine, std::uint32_t patience, std::vector<LinkFault> faults, std::uint32_t fault_until,
        std::uint32_t slot_cycles = 0);

  /// Sets the faults, calls `before`, and starts the machine if that returns true.
  void start(const std::function<bool()>& before = [] { return true; }) {
    set_faults(true);
    started_ = before();
    if (started_) machine_.start();
  }
  /// One cycle. Throws std::runtime_error if the network's timer, which all counters go by, numbers it other
  /// than by the one before, or its step other than by the cycles since the first.
  NetworkTime cycle();
  NetworkTime now() const { return now_; }
  /// Runs until the machine has finished, nothing moves any more, or `after(now)`, called after each cycle,
  /// returns false. Returns true if the machine is stuck.
  template <class After>
  bool run(After after) {
    while (!machine_.finished()) {
      cycle();
      if (!after(now_)) return false;
      if (is_quiet()) return true;
    }
    return false;
  }
  /// Nothing has moved for longer than the patience.
  bool is_quiet() const { return quiet_cycles_ > patience_; }
  /// Starts the patience anew: something moves outside of the network, or a later slot is waited for.
  void stir() { quiet_cycles_ = 0; }

 private:
  void set_faults(bool active);
  void check_time(NetworkTime next);

  Machine& machine_;
  std::uint32_t patience_;
  std::vector<LinkFault> faults_;
  std::uint32_t fault_until_;
  bool started_ = false;
  std::uint32_t slot_cycles_;
  std::uint32_t quiet_cycles_ = 0;
  std::uint32_t first_cycle_ = 0;  // that was driven
  NetworkTime now_;
};

/// Clocks a machine that has not been started until nothing has moved for `cycles` cycles: programs stream
/// into their queues, credits cross the links.
void settle_before_start(Machine& machine, std::uint32_t cycles);

}  // namespace safnet
