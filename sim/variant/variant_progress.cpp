#include "sim/variant/variant_progress.hpp"

#include <fmt/format.h>

#include "sim/command/progress_line.hpp"

namespace safnet {

void build_with_progress(VariantStore& store, const std::vector<Hardware>& wanted) {
  ProgressLine line;
  const double built_before = store.build_seconds();
  const std::size_t built =
      store.build_missing(wanted, [&](std::size_t done, std::size_t total, const std::string& name) {
        line.show(fmt::format("building hardware variants: {} of {} ({})", done, total, name), true);
      });
  line.clear();
  if (built != 0) {
    fmt::print("built {} hardware variants in {:.1f} s\n", built, store.build_seconds() - built_before);
  }
}

}  // namespace safnet
