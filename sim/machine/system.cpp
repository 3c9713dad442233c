#include "sim/machine/system.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

// Memory that is free; all of the machine's if the system does not say.
double available_bytes() {
  std::ifstream meminfo("/proc/meminfo");
  for (std::string word; meminfo >> word;) {
    double kibibytes = 0;
    if (word == "MemAvailable:" && meminfo >> kibibytes) return kibibytes * 1024;
  }
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace

void require_memory(const std::string& network, double bytes) {
  const double free = available_bytes();
  if (bytes <= 0.85 * free) return;
  throw bad_input(
      "{}: the network would take about {:.1f} GB of memory (estimate), {:.1f} GB are free; "
      "expected a smaller network or a smaller --queue-depth",
      one_line(network), bytes / 1e9, free / 1e9);
}

}  // namespace safnet
