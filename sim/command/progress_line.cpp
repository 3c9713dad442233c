#include "sim/command/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "sim/variant/variant_store.hpp"

namespace safnet {

constexpr const char* kBuilding = "building the hardware for these parameters (once)...";

ProgressLine::ProgressLine() : terminal_(::isatty(STDERR_FILENO) != 0) {}
ProgressLine::ProgressLine(HardwareOptions& options) : ProgressLine() {
  options.on_build = [this](bool large) {
    show(large ? "building nodes of many ports (once; takes minutes)..." : kBuilding, true);
  };
  options.on_progress = [this](std::uint64_t done, std::uint64_t all, std::uint32_t cycle) {
    show(fmt::format("cycle {}: {} of {} delivered", cycle, done, all));
  };
}

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

void build_hardware(const Hardware& hardware) {
  ProgressLine line;
  VariantStore::standard().load(hardware, [&] { line.show(kBuilding, true); });
}

void build_all_hardware(std::vector<Hardware> wanted) {
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  VariantStore& store = VariantStore::standard();
  ProgressLine line;
  const double built_before = store.build_seconds();
  const std::size_t built =
      store.build_missing(wanted, [&](std::size_t done, std::size_t total, const std::string& name) {
        line.show(fmt::format("building hardware variants: {} of {} ({})", done, total, name), true);
      });
  line.clear();
  if (built != 0)
    fmt::print("built {} hardware variants in {:.1f} s\n", built, store.build_seconds() - built_before);
}

}  // namespace safnet
