// system - what the operating system is asked for: memory, time.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace safnet {

/// Something that will be held in memory: "queues of nodes", and the options that make it less.
struct MemoryPart {
  std::string what;
  double bytes = 0;
  std::string options = {};
};

/// Throws std::invalid_argument, naming the network, the largest parts and their options, if all parts
/// together are more than 85 % of the memory that the program can still get.
void require_memory(const std::string& network, const std::vector<MemoryPart>& parts);

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
