// host_feed - the packets of a policy's hosts, made as the nodes take them: never more than a few of each
// host exist at once, however many it has.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "cpp_model/schedule/policy.hpp"
#include "sim/machine/machine.hpp"
#include "sim/pifo/packet_format.hpp"

namespace safnet {

class HostFeed {
 public:
  /// `rounds_got(v)`: of how many rounds, from the first on, host v has got all packets that it expects.
  /// With a `window`, a host begins a round only once it has got the one so many before; 0: it need not wait.
  HostFeed(InjectionRounds injections, const PifoParameters& parameters, NodeId nodes, std::uint32_t window,
           std::function<std::uint32_t(NodeId)> rounds_got);

  /// Before the start: gives node v its program, and as many of its host's packets as it takes. Throws
  /// std::invalid_argument if a packet is longer than the hardware allows.
  void load(Machine& machine, NodeId v, RouterProgram program);
  /// Between two cycles: gives further packets to the hosts that have injected all they were given. A host
  /// can inject in every cycle, as if it had all its packets from the start.
  void feed(Machine& machine);
  /// Packets that are still to be given to their hosts.
  std::uint64_t left() const;

  /// Packets that a host is given at a time.
  static constexpr std::size_t kAtOnce = 64;

 private:
  struct Host {
    std::vector<Injection> round;  // the packets of one
    std::size_t next = 0;          // of these
    std::uint32_t rounds_begun = 0;
  };
  bool has_more(const Host& host) const {
    return host.next < host.round.size() || (host.rounds_begun < injections_.rounds && !host.round.empty());
  }
  // The next packets of a host; none while it waits for a round.
  std::vector<HostPacket> take(NodeId v);

  InjectionRounds injections_;
  PacketFormat format_;
  int flits_;
  std::uint32_t window_;
  std::function<std::uint32_t(NodeId)> rounds_got_;
  std::vector<Host> hosts_;
  std::vector<NodeId> feeding_;  // hosts that have more
};

}  // namespace safnet
