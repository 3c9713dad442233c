// hardware_options - how a machine is made and watched, whatever it runs.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sim/fabric/fabric.hpp"
#include "sim/machine/machine_tap.hpp"

namespace safnet {

enum class NetworkModel : std::uint8_t {
  kRtl,
  kSystemC,  ///< the reference, cpp_model/systemc: same checks, no waveform, one thread
};
const char* to_string(NetworkModel model);  ///< "rtl", "systemc", as --model has them

struct HardwareOptions : FabricOptions {
  NetworkModel model = NetworkModel::kRtl;
  bool keep_trace = false;        ///< hand back every transfer and delivery
  bool whole_network = false;     ///< run the network elaborated in SystemVerilog instead of the fabric
  std::vector<LinkFault> faults;  ///< active from the start to the end of cycle `fault_until`
  std::uint32_t fault_until = 0;
  /// Called now and then with (packets done so far, number of packets, cycle).
  std::function<void(std::uint64_t, std::uint64_t, std::uint32_t)> on_progress;
  /// Called before hardware is built, with true if the nodes are so large that it takes minutes.
  std::function<void(bool)> on_build;
  MachineTap* machine_tap = nullptr;  ///< hears what the machine is told, and what its hosts get
};

}  // namespace safnet
