// verify - `safnet verify`: every claim of the ledger over its sizes, on the hardware.
#pragma once

#include <string>

#include "sim/variant/variant_store.hpp"

namespace safnet {

struct VerifyOptions {
  std::string claim = "*";  ///< glob over claim ids
  bool full = false;
  std::string json_path, junit_path;  ///< empty: not written
};

/// Prints one line per claim. Exit code 0 if every claim came out as the ledger says, 1 otherwise. Throws
/// std::invalid_argument if no claim matches.
int verify_command(const VerifyOptions& options, VariantStore& store);

}  // namespace safnet
