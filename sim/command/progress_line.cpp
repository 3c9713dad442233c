#include "sim/command/progress_line.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace safnet {

ProgressLine::ProgressLine() : terminal_(::isatty(STDERR_FILENO) != 0) {}
ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::show(const std::string& text, bool now) {
  if (!terminal_) return;
  const auto time = std::chrono::steady_clock::now().time_since_epoch();
  const long long milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
  if (!now && shown_ && milliseconds - last_milliseconds_ < 100) return;
  last_milliseconds_ = milliseconds;
  shown_ = true;
  std::fprintf(stderr, "\r\033[K%.100s", text.c_str());
  std::fflush(stderr);
}

void ProgressLine::clear() {
  if (!terminal_ || !shown_) return;
  std::fputs("\r\033[K", stderr);
  shown_ = false;
}

}  // namespace safnet
