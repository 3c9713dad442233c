// recorder - what was seen of a run, node by node: packets on links, packets at hosts, what was wrong with
// them. Each kind of node has a recorder of its own, which knows what is in its packets.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cpp_model/schedule/trace.hpp"
#include "sim/machine/machine.hpp"
#include "sim/machine/problems.hpp"

namespace safnet {

class Recorder : public MachineObserver {
 public:
  std::uint64_t transmissions() const { return sum(&Seen::transmissions); }  ///< packets that entered a link
  std::uint64_t delivered() const { return sum(&Seen::delivered); }    ///< expected ones that arrived intact
  std::uint64_t duplicated() const { return sum(&Seen::duplicated); }  ///< further copies of those
  std::uint64_t hosts_got() const { return sum(&Seen::hosts_got); }    ///< complete packets, right or wrong
  /// What was wrong with single packets, naming packet, node and cycle; the first kProblemsKept.
  std::vector<std::string> problems() const;
  /// Expected packets that never arrived, named; at most `limit`.
  virtual std::vector<std::string> missing(std::size_t limit) const = 0;
  /// All events that were kept, in order of cycle, node and port.
  Trace take_trace();

 protected:
  explicit Recorder(std::uint32_t nodes) : seen_(nodes) {}

  /// What was seen at one node; touched by the thread of that node alone.
  struct Seen {
    std::uint64_t transmissions = 0, delivered = 0, duplicated = 0, hosts_got = 0;
    Problems problems;
    std::vector<Transfer> transfers;
    std::vector<Delivery> deliveries;
  };
  std::uint64_t sum(std::uint64_t Seen::*count) const;
  Seen& seen(std::uint32_t node) { return seen_[node]; }

 private:
  std::vector<Seen> seen_;
};

}  // namespace safnet
