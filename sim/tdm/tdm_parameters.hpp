// tdm_parameters - the parameters of tdm_nodes.
#pragma once

#include <compare>

#include "sim/variant/node_kind.hpp"

namespace safnet {

/// What tdm_nodes are built for beyond what a run uses, so that runs share their builds; what is less than
/// the run uses counts as that.
struct TdmReserve {
  int flits = 1;
  int link_latency = 0;
  int window = 1;
  bool combining = false;
  friend auto operator<=>(const TdmReserve&, const TdmReserve&) = default;
};

/// How tdm_nodes run, and with what: parameters and settings of rtl/tdm/tdm_node.sv (rtl/tdm/README.md).
struct TdmParameters {
  int radix = 4;
  int flit_width = 64;   ///< bits, a multiple of 32
  int flits = 1;         ///< flits in the longest packet
  int link_latency = 0;  ///< cycles
  /// 0: all links are alike. Otherwise each has its latency and width, as nodes are told, and this is the
  /// longest time from a flit's entering a link to its leaving, in cycles.
  int longest_delay = 0;
  int slot_cycles = 1;
  int buffers = 8;            ///< packets that the node can hold
  int program_depth = 4;      ///< instructions waiting in each program
  int window = 4;             ///< credits of a link: packets granted ahead
  int port_model = 0;         ///< of PortModel: 0 all-port, 1 one-port, 2 one-port-send
  int name_width = 24;        ///< bits of a packet's name
  int generation_width = 16;  ///< bits that number the packets of one buffer
  int count_width = 4;        ///< bits of TdmReceive::parts and uses
  int combining = 0;          ///< 1: with combine units
  int loopbacks = 0;          ///< links from a node to itself
  TdmReserve reserve = {};
  friend auto operator<=>(const TdmParameters&, const TdmParameters&) = default;
};

/// The kind "tdm".
Hardware tdm_hardware(const TdmParameters& parameters);

}  // namespace safnet
