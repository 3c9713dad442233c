// scan_hosts - the hosts of a network of scan_nodes during an interval: they give the active nodes' packets,
// and check and count what arrives.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cpp_model/algorithm/partial/partial_schedule_writer.hpp"
#include "cpp_model/graph/family/digit_network.hpp"
#include "sim/machine/recorder.hpp"
#include "sim/scan/scan_packets.hpp"
#include "sim/scan/scan_parameters.hpp"

namespace safnet {

/// A flit that crossed a link.
struct ScanTransfer {
  std::uint32_t cycle = 0;
  NodeId node = 0;  ///< the sender
  PortId port = 0;
  std::uint64_t flit = 0;
  friend bool operator==(const ScanTransfer&, const ScanTransfer&) = default;
};

/// The ranks that the nodes must find, by definition: an active node's rank in a class is the number of
/// active nodes of the class that come before it in the order of the class.
struct ScanRanks {
  static constexpr std::uint64_t kNone = ~std::uint64_t{0};
  std::vector<std::uint32_t> class_of;           ///< per node: of its packet; 0 without classes
  std::vector<std::vector<std::uint64_t>> rank;  ///< [class][node]; kNone if it has no packet there
  std::vector<std::uint64_t> total;              ///< per class
  std::uint64_t group = 0;                       ///< total of the largest class
};
/// `active` ascending. Packets are dealt to classes in the order of class 0 or, if ranks are known, of nodes.
ScanRanks ranks_of(const DigitNetwork& network, const ScanSettings& settings,
                   const std::vector<NodeId>& active);

/// What the nodes have to do in an interval.
struct ScanWork {
  std::vector<NodeId> active;                 ///< ascending
  std::vector<NodeId> destinations = {};      ///< monotone routing: whose packet goes where
  std::vector<std::uint32_t> numbers = {};    ///< of each packet among those of its node; empty: all 0
  std::vector<std::uint32_t> generated = {};  ///< cycle from which on its node has it; empty: all 1
};

/// Packets that entered links in an interval, in order of time. Which way a scan goes is not said, nor is the
/// class of a sum on its way.
struct SeenInterval {
  static constexpr std::uint32_t kUnknownClass = ~std::uint32_t{0};
  std::vector<OwnedPacket> packets;  ///< of the active nodes
  std::vector<PartialTransfer> transfers;
};

/// Deliveries are counted in packets or, where they travel in parts and pieces, in those; transmissions in
/// flits. For machines of one thread.
class ScanHosts : public ScanSource, public Recorder {
 public:
  /// What crosses links and is written down: flit by flit, packet by packet.
  struct Keep {
    bool flits = false, packets = false;
  };
  /// `network` and `settings` must outlive the hosts.
  ScanHosts(const DigitNetwork& network, const ScanSettings& settings, const ScanParameters& parameters,
            Keep keep);

  void begin_interval(ScanWork work);
  const ScanRanks& ranks() const { return ranks_; }
  const std::vector<NodeId>& active() const { return active_; }
  /// Deliveries of the packet (of a sum: to the node) active()[place]: expected, so far, cycle of the last.
  std::uint64_t expected_of_each() const;
  std::uint64_t deliveries_of(std::size_t place) const { return deliveries_[place]; }
  std::uint32_t last_delivery_of(std::size_t place) const { return last_delivery_[place]; }
  /// Forgets packets whose last flit has not arrived; returns how many there were.
  std::size_t drop_unfinished();
  /// A node's own packets that came back to it, intact, which is part of the algorithm.
  std::uint64_t returned() const { return returned_; }
  /// Adds a line for every part of an active node's packet that should have come back in this interval and
  /// has not, or has and should not: it comes from the node to which it was packed, if that is another one.
  void check_returned(Problems& problems) const;
  std::vector<ScanTransfer> take_transfers() { return std::move(transfers_); }
  /// One for every call of begin_interval().
  std::vector<SeenInterval> take_intervals() { return std::move(intervals_); }

  /// A number below p^(d+1) as the hardware has it, digit by digit; and back.
  std::uint64_t digits_of(std::uint64_t number) const { return code_.encode(number); }
  std::uint64_t number_of(std::uint64_t digits) const { return code_.decode(digits); }
  /// Where a node is in every class, and what a node that knows its rank is told.
  ScanPlace place_of(NodeId node) const;
  /// What a node contributes to the sums of all ranks of an accumulation.
  std::vector<ScanOperand> operands_of(NodeId node) const;

  bool is_pending(NetworkTime, std::uint32_t node) override { return place_[node] != kNowhere; }
  void on_taken(NetworkTime, std::uint32_t) override {}
  std::uint64_t own_flit(std::uint32_t node, std::uint32_t class_number, std::uint32_t index) override;
  void on_link_flit(const FlitEvent& flit) override;
  void on_delivered_flit(const FlitEvent& flit) override;
  /// Needs to know the machine (follow()), since the same bits mean one thing in a scan and another later.
  PacketInWords packet_in_words(const FlitEvent& first) const override;
  void follow(const Machine& machine) { machine_ = &machine; }
  std::vector<std::string> missing(std::size_t limit) const override;
  std::string violation() const override {
    return "missed a flit of a scan, or got one, or the header of a sum, damaged";
  }

 protected:
  NodeId nodes() const { return network_.graph().node_count(); }

 private:
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};
  using Flits = std::vector<std::uint64_t>;
  bool is_broadcast() const { return settings_.operation == ScanOperation::kBroadcast; }
  std::uint32_t part_of(std::uint32_t class_number) const { return settings_.classed ? 0 : class_number; }
  std::uint32_t name_of(std::size_t place, std::uint32_t class_number) const;
  std::uint64_t destination_digits(std::size_t place) const;
  std::vector<OwnedPacket> owned_packets() const;
  PartialTransfer packet_on_link(const FlitEvent& first) const;
  void find_part(std::uint64_t flit, PartialTransfer& packet) const;
  void find_result(std::uint64_t flit, PartialTransfer& packet) const;
  std::uint64_t expected_flit(NodeId node, std::uint32_t class_number, std::uint32_t k) const;
  void receive_packet(NetworkTime now, NodeId node, std::uint32_t class_number, std::uint32_t lane,
                      const Flits& flits);
  void receive_sum(NetworkTime now, NodeId node, std::uint32_t class_number, const Flits& flits);
  bool is_intact(NetworkTime now, NodeId node, NodeId source, std::uint32_t class_number, bool whole,
                 std::uint32_t piece, const Flits& flits);
  void count(NetworkTime now, NodeId node, std::size_t place, std::uint32_t part, std::uint32_t piece);
  std::uint64_t& got(NodeId node, std::size_t place);

  const DigitNetwork& network_;
  const ScanSettings& settings_;
  const Machine* machine_ = nullptr;
  DigitCode code_;
  ScanPackets packets_;
  Keep keep_;
  std::uint32_t parts_, pieces_;
  ScanRanks ranks_;
  std::vector<NodeId> active_, destinations_;
  std::vector<std::uint32_t> numbers_, generated_;
  std::vector<std::uint32_t> place_;  // of a node in the list of active nodes
  std::vector<Flits> lanes_;          // flits so far, per node and lane
  std::vector<std::uint64_t> got_;    // a bit per part and piece: [node][place] of broadcasts, else [place]
  std::vector<std::uint64_t> deliveries_;     // per place
  std::vector<std::uint32_t> last_delivery_;  // per place
  std::vector<ScanTransfer> transfers_;
  std::vector<SeenInterval> intervals_;
  std::vector<std::uint32_t> flits_left_;  // by output: of the packet on its link, if packets are kept
  std::uint64_t packets_seen_ = 0;         // on links
  std::uint64_t returned_ = 0;
};

}  // namespace safnet
