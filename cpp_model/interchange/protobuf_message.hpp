// protobuf_message - a message in the wire format of Protocol Buffers: fields one after the other, each with
// its number. What is needed of the format is a page of code, and the library with its compiler would be one
// more dependency of `make run`, so it is written here.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace safnet {

class ProtobufMessage {
 public:
  /// A field of an unsigned type, an enumeration, a bool, or a signed type whose value is not negative.
  void add_number(std::uint32_t field, std::uint64_t value) {
    put_varint(std::uint64_t{field} << 3 | kVarint);
    put_varint(value);
  }
  /// A field of type fixed64.
  void add_fixed64(std::uint32_t field, std::uint64_t value) {
    put_varint(std::uint64_t{field} << 3 | kFixed64);
    for (int i = 0; i < 8; ++i) bytes_ += static_cast<char>(value >> 8 * i & 0xff);
  }
  /// A field of type string. The text must be UTF-8.
  void add_text(std::uint32_t field, std::string_view text) {
    put_varint(std::uint64_t{field} << 3 | kBytes);
    put_varint(text.size());
    bytes_ += text;
  }
  void add_message(std::uint32_t field, const ProtobufMessage& message) { add_text(field, message.bytes()); }

  /// All fields so far.
  std::string_view bytes() const { return bytes_; }
  /// Removes all fields, to begin another message in the same memory.
  void clear() { bytes_.clear(); }

 private:
  // What kind of value follows the number of a field.
  enum WireType : std::uint64_t { kVarint = 0, kFixed64 = 1, kBytes = 2 };

  // Seven bits a byte, the lowest first; the highest bit of a byte says that more follow.
  void put_varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }

  std::string bytes_;
};

}  // namespace safnet
