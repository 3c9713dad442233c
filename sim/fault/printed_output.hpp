// printed_output - what the program prints meanwhile, caught: Verilator prints the names of assertions.
#pragma once

#include <string>

namespace safnet {

/// Standard output goes to a file in memory as long as this lives. For one thread at a time.
class PrintedOutput {
 public:
  PrintedOutput();
  ~PrintedOutput();
  PrintedOutput(const PrintedOutput&) = delete;
  PrintedOutput& operator=(const PrintedOutput&) = delete;
  /// What was printed so far, its first 64 KiB.
  std::string text();

 private:
  int kept_ = -1, caught_ = -1;
};

}  // namespace safnet
