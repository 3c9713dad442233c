// bit_string - a word of any width, put together field by field, as $readmemh reads it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace safnet {

class BitString {
 public:
  /// Puts the `width` lowest bits of a value above what is there.
  BitString& put(std::uint64_t value, int width) {
    for (int i = 0; i < width; ++i) bits_.push_back(i < 64 && ((value >> i) & 1) != 0);
    return *this;
  }
  BitString& put(const BitString& other) {
    bits_.insert(bits_.end(), other.bits_.begin(), other.bits_.end());
    return *this;
  }
  int width() const { return static_cast<int>(bits_.size()); }
  /// Hexadecimal digits, highest first.
  std::string hex() const {
    std::string digits;
    for (std::size_t at = (bits_.size() + 3) / 4 * 4; at != 0; at -= 4) {
      unsigned digit = 0;
      for (std::size_t i = at; i-- > at - 4;) digit = 2 * digit + (i < bits_.size() && bits_[i] ? 1 : 0);
      digits += "0123456789abcdef"[digit];
    }
    return digits;
  }

 private:
  std::vector<bool> bits_;  // lowest first
};

}  // namespace safnet
