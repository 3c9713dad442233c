// progress_line - what a command is doing, on one line of the terminal that is overwritten; nothing at all in
// a pipe.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/variant/variant.hpp"

namespace safnet {

class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  /// Shows `text`, at most ten times a second unless `now`.
  void show(const std::string& text, bool now = false);
  /// Hardware is being built; `large`: nodes of many ports.
  void show_building(bool large = false);
  void clear();

  /// Lets a request of a run say how far it is, and that hardware is built, as far as it can.
  template <class Request>
  void follow(Request& request) {
    request.on_progress = [this](std::uint64_t done, std::uint64_t all, std::uint32_t cycle) {
      show_delivered(done, all, cycle);
    };
    if constexpr (requires { request.on_build; })
      request.on_build = [this](bool large) { show_building(large); };
  }

 private:
  void show_delivered(std::uint64_t done, std::uint64_t all, std::uint32_t cycle);

  bool terminal_;
  bool shown_ = false;
  long long last_milliseconds_ = 0;
};

/// Builds the hardware of a run that is missing, and says so on the terminal.
void build_hardware(const AnyParameters& parameters, VariantStore& store);

/// Builds what many runs need and is missing, in parallel. Prints one line if there was any.
void build_all_hardware(std::vector<AnyParameters> wanted, VariantStore& store);

}  // namespace safnet
