// protobuf_fields - the fields of a message in the wire format of Protocol Buffers, one after the other. The
// opposite of protobuf_message, which says why no library does it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace safnet {

struct ProtobufField {
  enum class Kind : std::uint8_t { kVarint, kFixed64, kBytes, kFixed32 };
  std::uint64_t number = 0;
  Kind kind = Kind::kVarint;
  std::uint64_t value = 0;      ///< of all kinds but kBytes
  std::string_view bytes = {};  ///< a string, a message or packed numbers
};

/// Reads fields from bytes, which must outlive it and what it gives.
class ProtobufFields {
 public:
  explicit ProtobufFields(std::string_view bytes) : rest_(bytes) {}
  /// The next field; nothing at the end. Throws std::invalid_argument if bytes are missing, a number has more
  /// than 64 bits, or the field is of a group, which proto3 does not have.
  std::optional<ProtobufField> next();
  /// The next number of packed ones, or the length before a message of a file of many. Nothing at the end.
  /// Throws the same.
  std::optional<std::uint64_t> next_varint();
  /// The next bytes. Throws std::invalid_argument if there are fewer.
  std::string_view take(std::uint64_t count);

 private:
  std::string_view rest_;
};

}  // namespace safnet
