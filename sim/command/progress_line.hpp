// progress_line - what a command is doing, on one line of the terminal that is overwritten; nothing at all in
// a pipe.
#pragma once

#include <string>
#include <vector>

#include "sim/run/hardware_options.hpp"

namespace safnet {

class ProgressLine {
 public:
  ProgressLine();
  /// Lets a run say that hardware is built for it, and how far it is. The line must outlive the run.
  explicit ProgressLine(HardwareOptions& options);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  /// Shows `text`, at most ten times a second unless `now`.
  void show(const std::string& text, bool now = false);
  void clear();

 private:
  bool terminal_;
  bool shown_ = false;
  long long last_milliseconds_ = 0;
};

/// Builds the hardware of a run if it is missing, and says so on the terminal.
void build_hardware(const Hardware& hardware);

/// Builds the hardware of many runs, as far as it is missing, in parallel. Prints one line if any was built.
void build_all_hardware(std::vector<Hardware> wanted);

}  // namespace safnet
