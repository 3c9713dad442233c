// matching - bipartite matchings that grow by augmenting paths: ports or windows that only one may have.
#pragma once

#include <cstdint>
#include <vector>

namespace safnet {

/// Numbered seekers get one of a number of places each. Who has a place keeps one, if not the same (Kuhn
/// 1955).
class Matching {
 public:
  static constexpr std::uint32_t kNobody = 0xffff'ffff;

  explicit Matching(std::uint32_t places) : seeker_(places, kNobody), seen_(places) {}

  /// Finds a place for another seeker; `places_of(seeker)` are those that one may have, the best first. What
  /// is free is taken before others have to move.
  template <class PlacesOf>
  bool add(std::uint32_t seeker, const PlacesOf& places_of) {
    seen_.assign(seen_.size(), false);
    return augment(seeker, places_of);
  }
  std::uint32_t seeker_at(std::uint32_t place) const { return seeker_[place]; }
  void clear() { seeker_.assign(seeker_.size(), kNobody); }

 private:
  template <class PlacesOf>
  bool augment(std::uint32_t seeker, const PlacesOf& places_of) {
    for (const std::uint32_t place : places_of(seeker)) {
      if (seeker_[place] != kNobody) continue;
      seeker_[place] = seeker;
      return true;
    }
    for (const std::uint32_t place : places_of(seeker)) {
      if (seen_[place]) continue;
      seen_[place] = true;
      if (!augment(seeker_[place], places_of)) continue;
      seeker_[place] = seeker;
      return true;
    }
    return false;
  }

  std::vector<std::uint32_t> seeker_;  // by place
  std::vector<bool> seen_;
};

}  // namespace safnet
