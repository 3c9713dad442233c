#include "cpp_model/check/findings.hpp"

#include <array>

namespace safnet {

ScheduleRule rule_of(Wrong wrong) {
  using enum ScheduleRule;
  // In the order of Wrong.
  static constexpr std::array kRules{
      kPacket, kPacket, kPacket,      kPacket,      kPacket,    kPacket,   kParts,
      kParts,  kParts,  kCollective,  kCollective,  kOrder,     kTime,     kPacket,
      kTime,   kLink,   kCausality,   kCausality,   kOccupancy, kSendPort, kReceivePort,
      kOnce,   kOnce,   kCombination, kCombination, kDelivery};
  static_assert(kRules.size() == static_cast<std::size_t>(Wrong::kNotDelivered) + 1);
  return kRules[static_cast<std::size_t>(wrong)];
}

}  // namespace safnet
