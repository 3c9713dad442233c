// step_matching - who sends to whom in a step, where a node sends one packet and receives one.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "cpp_model/algorithm/tools/occupancy.hpp"

namespace safnet {

/// The senders and receivers of a step. Those with the most hops to come are served first: each gets a
/// partner by an augmenting path, which never leaves one out that was served before. Both sides at once are
/// served as well as each alone (Mendelsohn and Dulmage).
class StepMatching {
 public:
  /// `occupancy` has a receiving resource for each link, and must outlive this.
  StepMatching(const Occupancy& occupancy, std::uint64_t seed);

  /// `active`: links over which a hop waits. `rank`: by link, of the hop that would go first; the smaller
  /// goes first. `to_come`: hops per resource. Returns the links of the matching.
  const std::vector<LinkId>& match(std::span<const LinkId> active, const std::vector<std::uint32_t>& rank,
                                   const std::vector<std::uint32_t>& to_come);

 private:
  std::uint32_t across(std::uint32_t r, LinkId link) const {
    return occupancy_.sending[link] == r ? occupancy_.receiving[link] : occupancy_.sending[link];
  }
  bool serve(std::uint32_t r);
  bool join(std::uint32_t r, std::uint32_t other, LinkId link);

  const Occupancy& occupancy_;
  std::vector<std::vector<LinkId>> links_;  // that wait, by resource, the best first
  std::vector<LinkId> partner_;             // link of the matching, by resource
  std::vector<bool> served_;
  std::vector<std::uint32_t> visited_;
  std::vector<std::uint32_t> chance_;
  std::uint32_t round_ = 0;
  std::mt19937_64 random_;
  std::vector<std::uint32_t> vertices_;
  std::vector<LinkId> chosen_;
};

}  // namespace safnet
