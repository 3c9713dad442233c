// module_interface - what Verilator finds in the RTL of a module: its ports and parameters.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace safnet {

struct ModulePort {
  bool is_input = false;
  std::uint32_t bits = 0;  ///< 0: the port is not a plain vector
};

struct ModuleInterface {
  std::map<std::string, ModulePort> ports;
  /// Parameters and localparams with their values; no value if it is not a whole number.
  std::map<std::string, std::optional<std::int64_t>> parameters;
  std::vector<std::string> settable;  ///< the parameters among them
};

/// How to ask Verilator. `folder` is for its output and its log, check.log; `includes` has the folders
/// common/, pifo/ ... that sources may include from.
struct ModuleQuery {
  std::string top;
  std::vector<std::string> sources;
  std::vector<std::pair<std::string, int>> parameters;  ///< values; must be settable
  std::string folder, includes;
};

/// Elaborates the module. Throws std::invalid_argument with Verilator's first error and the path of the log.
ModuleInterface module_interface(const ModuleQuery& query);

}  // namespace safnet
