#include "cpp_model/schedule/policy.hpp"

namespace safnet {

std::vector<Injection> InjectionRounds::operator()(NodeId v) const {
  const std::vector<Injection> packets = round(v);
  std::vector<Injection> all;
  all.reserve(packets.size() * rounds);
  for (std::uint32_t r = 0; r < rounds; ++r) {
    for (Injection packet : packets) {
      packet.tag += r * tag_stride;
      all.push_back(packet);
    }
  }
  return all;
}

}  // namespace safnet
