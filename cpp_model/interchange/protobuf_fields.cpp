#include "cpp_model/interchange/protobuf_fields.hpp"

#include "cpp_model/graph/input.hpp"

namespace safnet {

std::optional<std::uint64_t> ProtobufFields::next_varint() {
  if (rest_.empty()) return std::nullopt;
  std::uint64_t value = 0;
  // Seven bits a byte, the lowest first; the tenth byte has one bit left of 64.
  for (unsigned i = 0; i < 10; ++i) {
    const auto byte = static_cast<unsigned char>(take(1).front());
    const std::uint64_t bits = byte & 0x7fU;
    if (i == 9 && bits > 1) break;
    value |= bits << 7 * i;
    if (byte < 0x80) return value;
  }
  throw bad_input("expected a number of at most 64 bits");
}

std::string_view ProtobufFields::take(std::uint64_t count) {
  if (count > rest_.size())
    throw bad_input("expected {} more, there {}", count == 1 ? "a byte" : fmt::format("{} bytes", count),
                    rest_.size() == 1 ? "is one" : fmt::format("are {}", rest_.size()));
  const std::string_view bytes = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return bytes;
}

std::optional<ProtobufField> ProtobufFields::next() {
  const std::optional<std::uint64_t> key = next_varint();
  if (!key) return std::nullopt;
  ProtobufField field;
  field.number = *key >> 3;
  const auto fixed = [&](unsigned bytes) {
    std::uint64_t value = 0;
    const std::string_view data = take(bytes);
    for (unsigned i = 0; i < bytes; ++i) value |= std::uint64_t{static_cast<unsigned char>(data[i])} << 8 * i;
    return value;
  };
  // A number that must follow.
  const auto varint = [&] {
    if (const std::optional<std::uint64_t> value = next_varint()) return *value;
    throw bad_input("expected a value of field {}", field.number);
  };
  switch (*key & 7) {
    case 0:
      field.value = varint();
      return field;
    case 1:
      field.kind = ProtobufField::Kind::kFixed64;
      field.value = fixed(8);
      return field;
    case 2:
      field.kind = ProtobufField::Kind::kBytes;
      field.bytes = take(varint());
      return field;
    case 5:
      field.kind = ProtobufField::Kind::kFixed32;
      field.value = fixed(4);
      return field;
    default:
      throw bad_input("field {}: wire type {}; expected 0, 1, 2 or 5", field.number, *key & 7);
  }
}

}  // namespace safnet
