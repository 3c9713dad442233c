#include "cpp_model/interchange/protobuf_message.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

TEST_CASE("messages in the wire format of Protocol Buffers", "[protobuf]") {
  // The bytes of the examples in https://protobuf.dev/programming-guides/encoding/.
  ProtobufMessage message;
  message.add_number(1, 150);
  CHECK(message.bytes() == "\x08\x96\x01");
  ProtobufMessage outer;
  outer.add_message(3, message);
  CHECK(outer.bytes() == "\x1a\x03\x08\x96\x01");
  message.clear();
  message.add_text(2, "testing");
  CHECK(message.bytes() == "\x12\x07testing");
  message.clear();
  message.add_fixed64(47, 0x0102030405060708);
  CHECK(message.bytes() == "\xf9\x02\x08\x07\x06\x05\x04\x03\x02\x01");
  message.clear();
  message.add_number(1, ~std::uint64_t{0});
  CHECK(message.bytes() == "\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
}
