// recorded_run - what the hosts of a run gave to their nodes, and what they got: enough to do it again
// without them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/machine/machine_tap.hpp"

namespace safnet {

struct DeliveredFlit {
  std::uint32_t cycle = 0;
  std::uint32_t lane = 0;  ///< of the node's ports deliver_*_o
  bool last = false;
  std::uint64_t value = 0;
};

/// What one host gave and got. Of the three programs one is used.
struct RecordedHost {
  RouterProgram router;  ///< with all packets, in the order of injection
  TimetableProgram timetable;
  std::optional<ScanProgram> scan;
  std::vector<std::vector<std::uint64_t>> own_flits;  ///< of a scan_node's host, by class and number
  bool pending = false;                               ///< a scan_node's host has a packet
  std::vector<DeliveredFlit> deliveries;              ///< in the order of cycles, then of lanes
};

class RecordedRun final : public MachineTap {
 public:
  explicit RecordedRun(std::uint32_t nodes) : hosts_(nodes) {}
  const std::vector<RecordedHost>& hosts() const { return hosts_; }
  std::uint64_t flits() const;  ///< that all hosts got

  void on_reset() override { hosts_.assign(hosts_.size(), {}); }
  void on_load(std::uint32_t node, const NodeProgram& program) override;
  void on_offer(std::uint32_t node, const HostPacket& packet) override {
    hosts_.at(node).router.packets.push_back(packet);
  }
  void on_delivered_flit(const FlitEvent& flit) override;

 private:
  std::vector<RecordedHost> hosts_;
};

}  // namespace safnet
