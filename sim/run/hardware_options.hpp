// hardware_options - how a machine is made and watched, whatever it runs.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sim/fabric/fabric.hpp"

namespace safnet {

struct HardwareOptions {
  unsigned threads = 1;        ///< the result does not depend on them
  bool skip_idle = true;       ///< off: evaluate every node in every cycle (slower, the same result)
  bool keep_trace = false;     ///< hand back every transfer and delivery
  bool whole_network = false;  ///< run the network elaborated in SystemVerilog instead of the fabric
  NodePool* pool = nullptr;    ///< keeps nodes between runs of one thread; see FabricOptions
  WaveRequest wave;
  std::vector<LinkFault> faults;  ///< active from the start to the end of cycle `fault_until`
  std::uint32_t fault_until = 0;
  /// Called now and then with (packets done so far, of how many, cycle).
  std::function<void(std::uint64_t, std::uint64_t, std::uint32_t)> on_progress;
  /// Called before hardware is built; true: nodes so large that it takes minutes.
  std::function<void(bool)> on_build;
};

}  // namespace safnet
