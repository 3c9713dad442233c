// progress_line - one line on the terminal that is overwritten; nothing at all in a pipe.
#pragma once

#include <string>

namespace safnet {

class ProgressLine {
 public:
  ProgressLine();
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

}  // namespace safnet
