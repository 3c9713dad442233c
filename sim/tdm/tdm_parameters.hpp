// tdm_parameters - the parameters of tdm_nodes.
#pragma once

#include <compare>

#include "sim/variant/node_kind.hpp"

namespace safnet {

/// Parameters of rtl/tdm/tdm_node.sv; a change of any of them needs a build of its own.
struct TdmParameters {
  int radix = 4;
  int flit_width = 64;  ///< bits, a multiple of 32
  int flits = 1;        ///< flits in the longest packet
  int link_latency = 0;
  int slot_cycles = 1;
  int buffers = 8;
  int program_depth = 4;
  int window = 4;
  int port_model = 0;
  int name_width = 24;
  int generation_width = 16;
  int count_width = 4;
  int combining = 0;
  friend auto operator<=>(const TdmParameters&, const TdmParameters&) = default;
};

/// The kind "tdm".
Hardware tdm_hardware(const TdmParameters& parameters);

}  // namespace safnet
