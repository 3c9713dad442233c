// msccl_placement - which of MSCCL's collectives a schedule is, and where its packets start and end in the
// buffers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/interchange/msccl_collective.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// "schedule: WHAT: MSCCL files cannot hold it".
template <class... Args>
std::invalid_argument msccl_cannot_hold(fmt::format_string<Args...> what, Args&&... args) {
  return bad_input("schedule: {}: MSCCL files cannot hold it",
                   fmt::format(what, std::forward<Args>(args)...));
}

class MscclPlacement {
 public:
  /// `schedule` must outlive it. Throws msccl_cannot_hold() if its packets are none of the collectives.
  explicit MscclPlacement(const Schedule& schedule);

  MscclCollective collective;
  std::uint32_t input(PacketIndex p) const { return input_[p]; }    ///< of a plain packet, at its origin
  std::uint32_t output(PacketIndex p) const { return output_[p]; }  ///< at its destinations

 private:
  bool personal(const std::string& name);
  bool reduction();
  void set(MscclKind kind, std::uint32_t share, NodeId root);
  void place(PacketIndex p, std::uint32_t input, std::uint32_t output) {
    input_[p] = input;
    output_[p] = output;
  }
  NodeId destination(PacketIndex p) const { return packets_.destinations(p).front(); }
  // Numbers the packets of each key from 0. Returns how many packets a key has, if there are `keys` keys and
  // all have equally many.
  template <class Key>
  std::optional<std::uint32_t> number_by(std::size_t keys, Key key,
                                         std::vector<std::uint32_t>& numbers) const {
    std::map<std::pair<NodeId, NodeId>, std::uint32_t> counts;
    for (PacketIndex p = 0; p < packets_.size(); ++p) numbers[p] = counts[key(p)]++;
    for (const auto& [at, count] : counts) {
      if (count != counts.begin()->second) return std::nullopt;
    }
    return counts.size() == keys ? std::optional(counts.begin()->second) : std::nullopt;
  }

  const PacketList& packets_;
  NodeId n_;
  std::vector<std::uint32_t> input_, output_;
};

}  // namespace safnet
