// host_feed - the packets of a policy's hosts, made as the nodes take them: never more than a few of each
// host exist at once, however many it has.
//
// A node has an injection port for all its outputs, one for each, or some between. What is injected through
// a port is a stream: the packets of all rounds for the outputs of that port. A packet for outputs of several
// ports is in the stream of each. Where the hosts' packets are all in the queues before the start
// (HostStart::kFull) a stream is in the order of the policy's list, and the queues put it in order of rank.
// Hosts that start with empty queues (HostStart::kEmpty), or have more packets for one of several ports than
// it has places, inject in order of rank themselves: at any time, of the packets that they have, first the
// one that would leave the queue first.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/policy.hpp"
#include "sim/machine/machine.hpp"
#include "sim/pifo/host_start.hpp"
#include "sim/pifo/packet_format.hpp"

namespace safnet {

class HostFeed {
 public:
  /// `rounds_got(v)`: of how many rounds, from the first on, host v has got all packets that it expects.
  /// With a `window`, a host begins a round only once it has got the one so many before; 0: it need not wait.
  HostFeed(InjectionRounds injections, const PifoParameters& parameters, NodeId nodes, HostStart start,
           std::uint32_t window, std::function<std::uint32_t(NodeId)> rounds_got);

  /// Before the start: gives node v its program, and as many of its host's packets as it takes (kFull).
  /// Throws std::invalid_argument if a packet is longer than the hardware allows.
  void load(Machine& machine, NodeId v, RouterProgram program);
  /// After the start and between two cycles: gives further packets to the injection ports of hosts that have
  /// injected all they were given there. A host can inject in every cycle, as if it had all its packets from
  /// the start.
  void feed(Machine& machine);
  /// Packets that are still to be given to their hosts, for each port that they go through.
  std::uint64_t left() const { return left_; }

  /// Packets that a host is given at a time, for all its ports.
  static constexpr std::size_t kAtOnce = 64;

 private:
  /// A packet of a round; `number`: which of those of the round it is, in the order of the list.
  struct Entry {
    std::uint32_t packet, number;
  };
  /// Packets that are injected in the order of the list, round after round.
  struct Sequence {
    std::vector<Entry> entries;
    std::size_t next = 0;
    std::uint32_t round = 0;
  };
  /// What goes through one port, the most urgent sequence first. Where a branch has several links, which
  /// have a port each, its packets are dealt to them in turn: this stream has those of link `link`.
  struct Stream {
    std::vector<Sequence> sequences;
    std::uint64_t left = 0;      // packets of all rounds
    std::uint32_t in_round = 0;  // packets of a round, for all links of the branch
    std::uint32_t links = 1, link = 0;
  };
  struct Host {
    std::vector<Injection> round;  // the packets of one
    std::vector<Stream> streams;   // per port
  };

  Host host_of(NodeId v, const RouterProgram& program) const;
  std::uint64_t join_branch(Stream& stream, std::size_t port, std::uint64_t branch_first) const;
  void list_packets(Host& host, Stream& stream, const std::vector<bool>& wanted) const;
  bool has_more(const Host& host) const;
  // The next packets for each of these ports; none while the host waits for a round.
  std::vector<HostPacket> take(NodeId v, std::uint64_t ports);
  std::optional<HostPacket> next_packet(NodeId v, std::uint32_t port, std::uint32_t rounds);

  InjectionRounds injections_;
  PacketFormat format_;
  PifoParameters parameters_;
  HostStart start_;
  std::uint32_t window_;
  std::function<std::uint32_t(NodeId)> rounds_got_;
  std::vector<Host> hosts_;
  std::vector<NodeId> feeding_;  // hosts that have more
  std::uint64_t left_ = 0;
};

/// Loads a policy into all routers of a machine; returns what feeds their hosts while they run.
HostFeed load_routers(Machine& machine, const Graph& graph, const Policy& policy,
                      const PifoParameters& parameters, HostStart start = HostStart::kFull);

}  // namespace safnet
