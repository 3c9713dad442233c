// system - what the operating system is asked for: memory, time.
#pragma once

#include <chrono>
#include <string>

namespace safnet {

/// Throws std::invalid_argument, naming the network, if `bytes` are more than 85 % of the memory that
/// programs can still get.
void require_memory(const std::string& network, double bytes);

/// Seconds since it was made.
class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace safnet
