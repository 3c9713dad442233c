// model_bits - reads and writes bit fields of verilated ports, whatever C++ type the port's width has given
// them.
#pragma once

#include <verilated.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace safnet {

constexpr std::uint64_t low_mask(std::size_t width) { return width >= 64 ? ~0ULL : (1ULL << width) - 1; }

/// Bits [lsb, lsb + width) of a port; width <= 64.
template <class Port>
std::uint64_t get_bits(const Port& port, std::size_t lsb, std::size_t width) {
  if constexpr (std::is_integral_v<Port>) {
    return (static_cast<std::uint64_t>(port) >> lsb) & low_mask(width);
  } else {
    std::uint64_t value = 0;
    for (std::size_t got = 0; got < width;) {
      const std::size_t bit = lsb + got;
      const std::size_t offset = bit % 32;
      value |= (static_cast<std::uint64_t>(port[bit / 32]) >> offset) << got;
      got += 32 - offset;
    }
    return value & low_mask(width);
  }
}

/// Sets bits [lsb, lsb + width) of a port; width <= 64.
template <class Port>
void set_bits(Port& port, std::size_t lsb, std::size_t width, std::uint64_t value) {
  if constexpr (std::is_integral_v<Port>) {
    const std::uint64_t mask = low_mask(width) << lsb;
    port = static_cast<Port>((static_cast<std::uint64_t>(port) & ~mask) | ((value << lsb) & mask));
  } else {
    for (std::size_t done = 0; done < width;) {
      const std::size_t bit = lsb + done;
      const std::size_t offset = bit % 32;
      const std::size_t take = width - done < 32 - offset ? width - done : 32 - offset;
      const auto mask = static_cast<std::uint32_t>(low_mask(take) << offset);
      const auto bits = static_cast<std::uint32_t>((value >> done) << offset);
      port[bit / 32] = (port[bit / 32] & ~mask) | (bits & mask);
      done += take;
    }
  }
}

/// Reads or writes word `index` of a port that is a multiple of 32 bits wide.
template <class Port>
std::uint32_t get_word(const Port& port, std::size_t index) {
  if constexpr (std::is_integral_v<Port>) {
    return static_cast<std::uint32_t>(get_bits(port, index * 32, 32));
  } else {
    return port[index];
  }
}
template <class Port>
void set_word(Port& port, std::size_t index, std::uint32_t value) {
  if constexpr (std::is_integral_v<Port>) {
    set_bits(port, index * 32, 32, value);
  } else {
    port[index] = value;
  }
}

}  // namespace safnet
