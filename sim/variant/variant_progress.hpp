// variant_progress - builds what a command needs before it runs, with a progress line and a word on the time
// it took.
#pragma once

#include <vector>

#include "sim/variant/variant_store.hpp"

namespace safnet {

/// Builds the variants that are missing, in parallel. Prints one line if there were any.
void build_with_progress(VariantStore& store, const std::vector<Hardware>& wanted);

}  // namespace safnet
