// tdm_format - a packet's flits on a network of tdm_nodes, as hosts write and check them.
//
// Header, lowest bits first: name (the packet's number in its schedule), length; the upper half of the flit
// is data, as both words of all further flits are. A packet of f flits has 2f-1 words of data. Plain packets
// (not combined) hold hashes of their name and the number of the word. In a sum a part that is missing or
// counted twice shows in the result. Under the other operations a missing part need not show, and counting
// one twice changes nothing; words for "or" have one bit set, for "and" one clear, so that most missing parts
// do show. That each part counts once is then left to the check of the schedule.
#pragma once

#include <bit>
#include <cstdint>

#include "cpp_model/number/bits.hpp"
#include "sim/machine/machine.hpp"

namespace safnet {

/// Words of data in a packet of so many flits.
inline std::uint32_t tdm_words(std::uint32_t flits) { return 2 * flits - 1; }

/// Word `index` of the plain packet `name`. `operation`: what combines it, numbered as in tdm_pkg.
inline std::uint32_t tdm_word(std::uint32_t name, std::uint32_t index, std::uint32_t operation) {
  const auto hash = static_cast<std::uint32_t>(
      mixed_bits((std::uint64_t{name} << 16) ^ (index + 1) ^ 0x9e3779b97f4a7c15ULL));
  if (operation == rtl::tdm_pkg::kCombineOr) return std::uint32_t{1} << (hash % 32);
  if (operation == rtl::tdm_pkg::kCombineAnd) return ~(std::uint32_t{1} << (hash % 32));
  return hash;
}

/// The lower half of a header.
inline std::uint32_t tdm_header(std::uint32_t name, std::uint32_t flits, int name_width) {
  return name | flits << name_width;
}
inline std::uint32_t tdm_header_name(std::uint32_t header, int name_width) {
  return header & ((std::uint32_t{1} << name_width) - 1);
}
inline std::uint32_t tdm_header_flits(std::uint32_t header, int name_width, int longest) {
  const int width = std::bit_width(static_cast<unsigned>(longest));
  return (header >> name_width) & ((std::uint32_t{1} << width) - 1);
}

/// Flit `index` of a plain packet, as two words.
inline void tdm_flit(std::uint32_t name, std::uint32_t flits, std::uint32_t index, std::uint32_t operation,
                     int name_width, std::uint32_t* words) {
  words[0] = index == 0 ? tdm_header(name, flits, name_width) : tdm_word(name, 2 * index - 1, operation);
  words[1] = tdm_word(name, 2 * index, operation);
}

}  // namespace safnet
