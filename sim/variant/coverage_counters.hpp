// coverage_counters - where a verilated model that is built for `make coverage` counts: one file for each set
// of points, mapped into the memory of every process that runs such a model. So all processes count together,
// also those that are killed, and nothing has to be written when one ends. count_coverage.sh puts the model's
// counters here.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace safnet {

using CoverageCounter = std::uint32_t;

/// `count` counters, shared with all processes by `file`, which is made if it is not there. Ends the process
/// with a line if that cannot be done: counts that are lost would be taken for code that never ran.
inline CoverageCounter* coverage_counters(const char* file, std::size_t count) {
  const std::size_t bytes = count * sizeof(CoverageCounter);
  const int descriptor = ::open(file, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  void* memory = MAP_FAILED;
  if (descriptor >= 0 && ::ftruncate(descriptor, static_cast<off_t>(bytes)) == 0)
    memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) {
    std::perror(file);
    std::abort();
  }
  ::close(descriptor);
  return static_cast<CoverageCounter*>(memory);
}

}  // namespace safnet
