#include "sim/machine/system.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

// What the machine has free; all of it if the system does not say.
double free_bytes() {
  std::ifstream meminfo("/proc/meminfo");
  for (std::string word; meminfo >> word;) {
    double kibibytes = 0;
    if (word == "MemAvailable:" && meminfo >> kibibytes) return kibibytes * 1024;
  }
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// The number in a file of the system; nothing if there is none.
std::optional<double> number_in(const char* path) {
  double number = 0;
  if (std::ifstream file(path); file >> number) return number;
  return std::nullopt;
}

// What the program can still get: the machine, its control group and its own limits allow it.
double available_bytes() {
  double bytes = free_bytes();
  const auto limit = [&bytes](std::optional<double> most, std::optional<double> used) {
    if (most && used) bytes = std::min(bytes, std::max(0.0, *most - *used));
  };
  limit(number_in("/sys/fs/cgroup/memory.max"), number_in("/sys/fs/cgroup/memory.current"));
  rlimit of_addresses{};
  if (getrlimit(RLIMIT_AS, &of_addresses) == 0 && of_addresses.rlim_cur != RLIM_INFINITY) {
    // Vectors that grow have addresses for more than they hold. An estimate: plans took up to 1.3 times the
    // bytes of memory_estimate.
    constexpr double kAddressesOfByte = 1.5;
    const auto page = static_cast<double>(sysconf(_SC_PAGESIZE));
    limit(static_cast<double>(of_addresses.rlim_cur) / kAddressesOfByte,
          number_in("/proc/self/statm").value_or(0) * page / kAddressesOfByte);
  }
  return bytes;
}

std::string size_text(double bytes) {
  return bytes < 1e8 ? fmt::format("{:.0f} MB", bytes / 1e6) : fmt::format("{:.1f} GB", bytes / 1e9);
}

}  // namespace

void require_memory(const std::string& network, const std::vector<MemoryPart>& parts) {
  const double available = available_bytes();
  double sum = 0;
  for (const MemoryPart& part : parts) sum += part.bytes;
  if (sum <= 0.85 * available) return;
  std::vector<MemoryPart> large = parts;
  std::erase_if(large, [sum](const MemoryPart& part) { return part.bytes < 0.1 * sum; });
  std::ranges::stable_sort(large, std::greater(), &MemoryPart::bytes);
  std::string what;
  std::vector<std::string> options;
  for (const MemoryPart& part : large) {
    what += fmt::format("{}{} {}", what.empty() ? "" : ", ", part.what, size_text(part.bytes));
    std::istringstream words(part.options);
    for (std::string option; words >> option;) {
      if (std::ranges::find(options, option) == options.end()) options.push_back(option);
    }
  }
  throw bad_input("{}: about {} of memory are needed ({}), {} are free; expected a smaller network{}{}",
                  one_line(network), size_text(sum), what, size_text(available),
                  options.empty() ? "" : " or less of ", fmt::join(options, ", "));
}

}  // namespace safnet
