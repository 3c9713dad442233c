#include "cpp_model/algorithm/tools/step_matching.hpp"

#include <algorithm>
#include <limits>

namespace safnet {
namespace {

constexpr std::uint32_t kNoPartner = std::numeric_limits<std::uint32_t>::max();

}  // namespace

StepMatching::StepMatching(const Occupancy& occupancy, std::uint64_t seed)
    : occupancy_(occupancy),
      links_(occupancy.count),
      partner_(occupancy.count, kNoPartner),
      served_(occupancy.count, false),
      visited_(occupancy.count, 0),
      chance_(occupancy.count),
      random_(seed) {}

const std::vector<LinkId>& StepMatching::match(std::span<const LinkId> active,
                                               const std::vector<std::uint32_t>& rank,
                                               const std::vector<std::uint32_t>& to_come) {
  for (const std::uint32_t r : vertices_) {
    links_[r].clear();
    partner_[r] = kNoPartner;
    served_[r] = false;
  }
  vertices_.clear();
  for (const LinkId link : active) {
    occupancy_.for_each(link, [&](std::uint32_t r) {
      if (links_[r].empty()) vertices_.push_back(r);
      links_[r].push_back(link);
    });
  }
  for (const std::uint32_t r : vertices_) {
    std::sort(links_[r].begin(), links_[r].end(),
              [&](LinkId a, LinkId b) { return rank[a] != rank[b] ? rank[a] < rank[b] : a < b; });
    chance_[r] = static_cast<std::uint32_t>(random_());
  }
  std::sort(vertices_.begin(), vertices_.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (to_come[a] != to_come[b]) return to_come[a] > to_come[b];
    return chance_[a] != chance_[b] ? chance_[a] < chance_[b] : a < b;
  });
  for (const std::uint32_t r : vertices_) {
    if (partner_[r] == kNoPartner) {
      ++round_;
      serve(r);
    }
    served_[r] = partner_[r] != kNoPartner;
  }
  chosen_.clear();
  for (const std::uint32_t r : vertices_) {
    if (partner_[r] != kNoPartner && occupancy_.sending[partner_[r]] == r) chosen_.push_back(partner_[r]);
  }
  return chosen_;
}

// Finds r a partner: one that is free, or whose own finds another, or need not be served.
bool StepMatching::serve(std::uint32_t r) {
  for (const LinkId link : links_[r]) {
    const std::uint32_t other = across(r, link);
    if (partner_[other] == kNoPartner) return join(r, other, link);
  }
  for (const LinkId link : links_[r]) {
    const std::uint32_t other = across(r, link);
    if (visited_[other] == round_) continue;
    visited_[other] = round_;
    const std::uint32_t rival = across(other, partner_[other]);
    if (rival == r) continue;
    if (serve(rival)) return join(r, other, link);
    if (!served_[rival]) {
      partner_[rival] = kNoPartner;
      return join(r, other, link);
    }
  }
  return false;
}

bool StepMatching::join(std::uint32_t r, std::uint32_t other, LinkId link) {
  partner_[r] = partner_[other] = link;
  return true;
}

}  // namespace safnet
