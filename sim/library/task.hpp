// task - a collective that is to be carried out: what the command line has as its words.
#pragma once

#include <cstdint>
#include <string>

namespace safnet::lab {

/// What is to be done.
struct Task {
  std::string collective;          ///< of `safnet list collectives`: "alltoall", "allreduce", ...
  std::string ports = "all";       ///< or "one", "one-send"
  std::uint32_t root = 0;          ///< of a collective that has one
  std::uint32_t messages = 1;      ///< packets where the collective has one
  std::string algorithm = "auto";  ///< of `safnet list algorithms`; "auto": the best that is known
};

}  // namespace safnet::lab
