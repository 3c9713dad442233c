// network_module - a network of routers as a module of a SystemC platform: RTL by Verilator, or the
// reference.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <systemc>

#include "sim/library/topology.hpp"
#include "sim/systemc/network_packet.hpp"

namespace safnet {

/// What the network is made of. A word or number that there is not is a std::invalid_argument of the
/// constructor of NetworkModule.
struct NetworkOptions {
  std::string model = "rtl";  ///< the verilated routers; "systemc": the reference in their place
  std::string node = "pifo";  ///< or "fifo", or a folder with a router of one's own
  std::string ports = "all";  ///< or "one": a node sends and receives one packet at a time
  std::string routes = "";    ///< a policy for total exchange, of `safnet list algorithms`; "": the usual one
  std::uint32_t flits = 4;    ///< of the longest packet: a header, and one for each word
  std::uint32_t link_latency = 0;  ///< cycles
  std::uint32_t queue_depth = 16;  ///< packets per link, and credits of a link
  std::uint32_t host_depth = 16;   ///< packets of its host that a node has room for
};

/// A network of routers that carry single packets between the processors of a topology.
///
/// In the cycle that begins with an edge of the clock each node takes a packet from its `from_host`, if there
/// is one and all flits of the packet before are in the node; flits go into the node from that cycle on. A
/// packet is in `to_host` at the edge that ends the cycle in which its last flit came. What finds no room
/// there waits, in order, outside of the routers. So a packet is taken from a fifo at the edge after that at
/// which it was written.
///
/// Every packet is checked when it comes out: words, destination, that it was sent and comes once. What is
/// wrong, a packet for a node that there is not, and a network in which nothing moves any more are errors
/// (SC_REPORT_ERROR "/safnet/network"), which end the simulation unless the platform decides otherwise.
class NetworkModule : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clock;  ///< an edge begins a cycle; the falling edge is needed as well
  /// High at an edge: the network is empty, packets in it are forgotten, those in fifos stay. Not needed
  /// before the first cycle.
  sc_core::sc_in<bool> reset;
  sc_core::sc_vector<sc_core::sc_fifo_in<NetworkPacket>> from_host;  ///< per processor
  sc_core::sc_vector<sc_core::sc_fifo_out<NetworkPacket>> to_host;   ///< per processor

  /// Builds the nodes with Verilator if they never were, for some seconds. Throws std::invalid_argument for
  /// what cannot be.
  NetworkModule(const sc_core::sc_module_name& name, const lab::Topology& topology,
                const NetworkOptions& options = {});
  ~NetworkModule() override;

  std::uint32_t processors() const;  ///< fifos of each kind
  std::uint32_t most_words() const;  ///< that a packet can have
  std::uint32_t cycle() const;       ///< that the last edge began, as the network counts; 0 in reset
  std::uint64_t sent() const;        ///< packets taken from hosts since the reset
  std::uint64_t delivered() const;   ///< packets that are in `to_host`, or were
  std::uint64_t on_the_way() const { return sent() - delivered(); }  ///< the others
  /// Adds the cycle and the numbers of packets, as NAME.cycle, NAME.sent and NAME.delivered.
  void trace(sc_core::sc_trace_file* file) const override;

 private:
  class State;
  void on_clock();
  void deliver();
  std::unique_ptr<State> state_;
};

}  // namespace safnet
