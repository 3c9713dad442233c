// forwarding - over how many links in a row data are passed on in a schedule, from node to node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// Chains of forwardings: a send goes on with what the sender got by another send, the same packet or a part
/// of a combined one. An algorithm of SCCL's (C, S, R) in S steps has no chain of more than S links, since
/// what comes in a step goes on in a later one at the earliest. Packets of a host begin chains; a combined
/// packet goes on with the longest of those that brought its parts. 4 bytes a send; linear in sends and
/// parts.
class Forwarding {
 public:
  /// The schedule must be valid. Throws std::invalid_argument for 2^32 sends.
  explicit Forwarding(const Schedule& schedule);
  /// Links of the longest chain that ends with this send, its own included.
  std::uint32_t links(std::size_t send) const { return links_[send]; }
  /// The longest chain of the schedule; 0 if nothing is sent.
  std::uint32_t longest() const { return longest_; }

 private:
  std::vector<std::uint32_t> links_;
  std::uint32_t longest_ = 0;
};

}  // namespace safnet
