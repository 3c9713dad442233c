// node - the router of rtl/pifo/README.md with its host: one clocked process that takes in what its
// neighbours drove in the cycle before and decides what it drives in this one.
#pragma once

#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "cpp_model/systemc/clocked.hpp"
#include "cpp_model/systemc/flit.hpp"
#include "cpp_model/systemc/packet_queue.hpp"
#include "cpp_model/systemc/reference_run.hpp"
#include "cpp_model/systemc/run_log.hpp"

namespace safnet::reference {

class Node : public Clocked {
 public:
  sc_core::sc_vector<sc_core::sc_in<Drive>> in;
  sc_core::sc_vector<sc_core::sc_out<Drive>> out;

  /// `policy` and `log` must outlive the node. The host's packets are in the queues as far as they fit.
  Node(const sc_core::sc_module_name& name, const Graph& graph, NodeId id, const Policy& policy,
       const ReferenceParameters& parameters, RunLog& log);

  /// A further packet for the host to inject, of one injection port, from the next edge on.
  void offer(const Packet& packet, std::uint32_t rank) {
    injection_.front().packets.push_back({packet, rank, 0});
    ++log_.outstanding;
  }
  /// All flits of the packets that were offered are in the node.
  bool host_is_free() const;

  const ReferenceCounters& counters() const { return counters_; }
  /// What the node waited for at the start of the last cycle.
  const ReferenceWait& wait() const { return wait_; }
  /// Per output, of the packet that left by it last.
  const std::vector<Label>& last_labels() const { return last_labels_; }

 private:
  struct HostPacket {
    Packet packet;
    std::uint32_t rank;
    std::uint64_t links;  ///< ports it leaves by; 0: dealt when its header comes
  };
  /// Where the host injects, a flit in a cycle.
  struct InjectionPort {
    std::deque<HostPacket> packets;
    std::uint64_t queued = 0;  ///< packets that have joined the queues
    std::uint32_t flits = 0;   ///< of the first packet that are in the node
    bool header = false;       ///< its header came in the cycle before
  };
  /// Neighbouring ports that lead to the same node.
  struct Branch {
    PortId first, links;
    PortId turn = 0;  ///< which of them gets the next packet
  };
  /// Sends the packets of one queue, one after the other.
  struct Transmitter {
    std::optional<PacketQueue::Copy> copy;
    bool asking = false;           // the copy has no grant yet
    std::uint32_t flits_sent = 0;  // of the copy
  };

  void on_edge() override;
  void reset();
  void decide_grant();
  void take_arrivals();
  void take_credits();
  void measure();
  void return_credits();
  void inject();
  void transmit();

  void flit_arrived(PortId port, const Flit& flit);
  void packet_arrived(PortId port, const Flit& last);
  void take_injection(std::size_t number);
  void host_packet_complete(std::size_t number);
  void list_host_packets(const ReferenceParameters& parameters);
  void find_branches(const Graph& graph);
  std::uint64_t deal(const TableEntry& entry, std::vector<Branch>& branches);
  std::size_t enqueue(const QueueKey& key, std::size_t input, const Packet& packet, const TableEntry& entry,
                      std::uint64_t links);
  bool host_has_room(std::size_t number) const { return held_[degree_ + number] < host_depth_; }
  void send_flit(Transmitter& transmitter);
  bool slot_opens() const { return slot_cycles_ == 1 || (cycle_ - 1) % slot_cycles_ == 0; }
  std::uint32_t step_of(std::uint32_t cycle) const { return (cycle - 1) / slot_cycles_ + 1; }
  const TableEntry& table(Label label);

  NodeId id_;
  PortId degree_;
  const Policy& policy_;
  RunLog& log_;
  PortModel port_model_;
  std::uint32_t slot_cycles_;
  std::uint32_t queue_depth_;
  std::size_t host_depth_;
  bool asks_;

  std::uint32_t cycle_ = 0;
  std::unordered_map<Label, TableEntry> table_;    // entries that were needed
  std::vector<PacketQueue> queues_;                // all-port: one per output; else one
  std::vector<Transmitter> transmitters_;          // one per queue
  std::vector<std::uint32_t> credits_;             // per output
  std::vector<std::size_t> held_;                  // per input, the host's last: packets in their places
  std::vector<std::size_t> uncredited_;            // per input: packets whose place was not reported free
  std::vector<std::uint32_t> flits_arrived_;       // per input: of the packet under way
  std::vector<std::uint64_t> links_;               // per input, the host's last: ports their packet leaves by
  std::vector<std::vector<std::uint64_t>> words_;  // per input: of the packet under way, if hosts give words
  std::vector<Branch> branches_;                   // if links are dealt
  // Receiver's side of the grants.
  bool receiving_ = false;  // granted, and not all of the packet is here
  PortId last_granted_ = 0;
  // The host.
  std::vector<InjectionPort> injection_;
  std::vector<Drive> drive_;  // per output, in this cycle
  ReferenceCounters counters_;
  ReferenceWait wait_;
  std::vector<Label> last_labels_;
};

}  // namespace safnet::reference
