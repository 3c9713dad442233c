// Execution traces of Chakra: the wire format, both encodings of a trace, what is refused, and the runs that
// move as many bytes. Traces of the library itself are read in testbench/program/test_workload.py.
#include <random>

#include "cpp_model/interchange/chakra_trace.hpp"
#include "cpp_model/interchange/protobuf_fields.hpp"
#include "cpp_model/interchange/protobuf_message.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/interchange_schedules.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

ProtobufMessage named(const std::string& name) {
  ProtobufMessage attribute;
  attribute.add_text(1, name);
  return attribute;
}
ProtobufMessage number_attribute(const std::string& name, std::uint32_t field, std::uint64_t value) {
  ProtobufMessage attribute = named(name);
  attribute.add_number(field, value);
  return attribute;
}
ProtobufMessage node(std::uint64_t id, std::uint64_t type, const std::vector<ProtobufMessage>& attributes) {
  ProtobufMessage message;
  message.add_number(1, id);
  message.add_text(2, "a node");
  message.add_number(3, type);
  for (const ProtobufMessage& attribute : attributes) message.add_message(10, attribute);
  return message;
}
std::string trace_of(const std::vector<ProtobufMessage>& nodes) {
  std::string file(
      "\x07\x0a\x05"
      "0.0.4");
  for (const ProtobufMessage& message : nodes) {
    // The length goes before as it does before a text; the number of the field is one byte, which goes.
    ProtobufMessage framed;
    framed.add_message(1, message);
    file += framed.bytes().substr(1);
  }
  return file;
}
std::string et_error(const std::string& bytes) {
  const std::string error = error_of([&] { parse_chakra_protobuf(bytes, "file.et"); });
  check_one_line(error);
  return error;
}
std::string json_error(const std::string& text) {
  const std::string error = error_of([&] { parse_chakra_json(text, "file.json"); });
  check_one_line(error);
  return error;
}

}  // namespace

TEST_CASE("fields in the wire format of Protocol Buffers", "[protobuf]") {
  // The bytes of the examples in https://protobuf.dev/programming-guides/encoding/.
  ProtobufFields fields("\x08\x96\x01\x12\x07testing");
  const auto number = fields.next();
  REQUIRE(number);
  CHECK((number->number == 1 && number->value == 150));
  const auto text = fields.next();
  REQUIRE(text);
  CHECK((text->number == 2 && text->bytes == "testing"));
  CHECK_FALSE(fields.next());
  ProtobufMessage message;
  message.add_fixed64(47, 0x0102030405060708);
  message.add_number(1, ~std::uint64_t{0});
  ProtobufFields large(message.bytes());
  CHECK(large.next()->value == 0x0102030405060708);
  CHECK(large.next()->value == ~std::uint64_t{0});
  using namespace std::string_literals;
  CHECK(ProtobufFields("\x0d\x01\x02\x03\x84"s).next()->value == 0x84030201);
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"\x08"s, "expected a value of field 1"},
      {"\x08\x96"s, "expected a byte more"},
      {"\x12\x07test"s, "expected 7 bytes more, there are 4"},
      {"\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s, "there are 0"},
      {"\x09\x01"s, "expected 8 bytes more, there is one"},
      {"\x0d\x01\x02"s, "expected 4 bytes more, there are 2"},
      {"\x0b"s, "field 1: wire type 3; expected 0, 1, 2 or 5"},
      {"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"s, "at most 64 bits"},
      {"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"s, "at most 64 bits"}};
  for (const auto& [bytes, what] : wrong) {
    CHECK_THAT(error_of([&] {
                 ProtobufFields each(bytes);
                 while (each.next()) {
                 }
               }),
               Catch::Contains(what));
  }
}

TEST_CASE("collectives of a trace in Protocol Buffers", "[chakra]") {
  ProtobufMessage packed = named("involved_dim"), unpacked = named("involved_dim"), flags, one_by_one;
  flags.add_text(1, std::string_view("\x01\x00\x01", 3));
  packed.add_message(28, flags);
  one_by_one.add_number(1, 0);
  one_by_one.add_number(1, 1);
  unpacked.add_message(28, one_by_one);
  ProtobufMessage group = named("pg_name");
  group.add_text(29, "17");
  const ChakraTrace trace = parse_chakra_protobuf(
      trace_of({node(0, 4, {}),
                node(1, 7,
                     {number_attribute("comm_type", 9, 6), number_attribute("comm_size", 13, 1 << 20), group,
                      packed}),
                node(2, 7, {number_attribute("comm_type", 17, 4), unpacked}),  // zigzag: 2
                node(3, 5, {number_attribute("comm_type", 9, 6)})}),
      "file.et");
  CHECK(trace.version == "0.0.4");
  CHECK(trace.nodes == 4);
  REQUIRE(trace.collectives.size() == 2);
  const ChakraCollective& exchange = trace.collectives[0];
  CHECK(exchange.node == 1);
  CHECK(exchange.name == "a node");
  CHECK(exchange.type_name() == "ALL_TO_ALL");
  CHECK(exchange.kind() == CollectiveKind::kTotalExchange);
  CHECK(exchange.comm_size == 1 << 20);
  CHECK(exchange.group == "17");
  CHECK(exchange.involved_dim == std::vector<bool>{true, false, true});
  CHECK(exchange.is_partial());
  CHECK(trace.collectives[1].type_name() == "ALL_GATHER");
  CHECK_FALSE(trace.collectives[1].comm_size);
  CHECK(trace.collectives[1].involved_dim == std::vector<bool>{false, true});

  CHECK_THAT(et_error(""), Catch::Contains("is empty"));
  CHECK_THAT(et_error(trace_of({node(5, 7, {})})),
             Catch::Contains("node 5: attribute 'comm_type' is missing"));
  CHECK_THAT(et_error(trace_of({node(5, 7, {number_attribute("comm_type", 9, 10)})})),
             Catch::Contains("node 5: comm_type=10; expected a number from 0 to 9"));
  const ProtobufMessage type = number_attribute("comm_type", 9, 0);
  CHECK_THAT(et_error(trace_of({node(5, 7, {type, number_attribute("comm_size", 9, ~std::uint64_t{0})})})),
             Catch::Contains("comm_size is negative"));
  CHECK_THAT(et_error(trace_of({node(5, 7, {type, number_attribute("comm_size", 17, 3)})})),
             Catch::Contains("comm_size is negative"));
  CHECK_THAT(et_error(trace_of({node(5, 7, {type, named("comm_size")})})),
             Catch::Contains("comm_size is none"));
  CHECK_THAT(et_error(trace_of({node(5, 7, {type, named("pg_name")})})), Catch::Contains("expected a text"));
  CHECK_THAT(et_error(trace_of({node(5, 7, {type, named("involved_dim")})})),
             Catch::Contains("involved_dim"));
  CHECK_THAT(et_error("PK\x03\x04"), Catch::Contains("is none of a Chakra trace"));
}

TEST_CASE("the JSON of a trace, as chakra_jsonizer writes it", "[chakra]") {
  const std::string head = R"({ "version": "0.0.4" })";
  const auto coll = [](const std::string& attributes, const std::string& type = R"("COMM_COLL_NODE")") {
    return R"({"id": "7", "name": "}\"]", "type": )" + type + R"(, "attr": [)" + attributes + "]}";
  };
  const ChakraTrace trace = parse_chakra_json(
      head + R"({"type": "COMP_NODE", "id": "1"})" +
          coll(R"({"name": "comm_type", "int64Val": "7"}, {"name": "comm_size", "uint64Val": "4096"},
                  {"name": "pg_name", "stringVal": "a"}, {"name": "involved_dim", "boolList": {"values": [true]}})") +
          "\n" + coll(R"({"name": "comm_type", "int64_val": 0}, {"name": "comm_size", "int32_val": 5})", "7"),
      "file.json");
  CHECK(trace.version == "0.0.4");
  CHECK(trace.nodes == 3);
  REQUIRE(trace.collectives.size() == 2);
  CHECK(trace.collectives[0].node == 7);
  CHECK(trace.collectives[0].name == "}\"]");
  CHECK(trace.collectives[0].kind() == CollectiveKind::kMultinodeAccumulation);
  CHECK(trace.collectives[0].comm_size == 4096);
  CHECK(trace.collectives[0].group == "a");
  CHECK_FALSE(trace.collectives[0].is_partial());
  CHECK(trace.collectives[1].kind() == CollectiveKind::kAllreduce);
  CHECK(trace.collectives[1].comm_size == 5);
  const std::string type = R"({"name": "comm_type", "int64Val": "0"},)";
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"", "is empty"},
      {"[]", "expected objects, one after the other"},
      {head + "x", "expected objects"},
      {head + "{", "the last object does not end"},
      {head + "{]", "expected JSON"},
      {head + coll(""), "node 7: attribute 'comm_type' is missing"},
      {head + coll(type + R"({"name": "comm_size", "int64Val": "-5"})"), "comm_size is negative"},
      {head + coll(type + R"({"name": "comm_size", "int64Val": -5})"), "comm_size is negative"},
      {head + coll(type + R"({"name": "comm_size", "int64Val": "99999999999999999999"})"),
       "comm_size is none"},
      {head + coll(type + R"({"name": "comm_size", "doubleVal": 1.5})"), "comm_size is none"},
      {head + R"({"type": "COMM_COLL_NODE", "id": "x"})", "id: expected a number"},
      {head + std::string(100000, '{'), "does not end"}};
  for (const auto& [text, what] : wrong) {
    CAPTURE(text.substr(0, 200));
    CHECK_THAT(json_error(text), Catch::Contains(what));
  }
}

TEST_CASE("a run moves the bytes of a collective", "[chakra]") {
  ChakraCollective collective;
  const auto run = [&](std::uint64_t type, std::uint64_t bytes, std::uint64_t members) {
    collective.comm_type = type;
    collective.comm_size = bytes;
    const std::optional<ChakraRun> found = chakra_run(collective, members, 8, 64);
    return found ? std::pair(found->messages, found->flits) : std::pair(std::uint64_t{0}, std::uint64_t{0});
  };
  using Packets = std::pair<std::uint64_t, std::uint64_t>;
  CHECK(run(0, 1, 4) == Packets{1, 1});
  CHECK(run(0, 512, 4) == Packets{1, 64});
  CHECK(run(0, 513, 4) == Packets{2, 33});
  CHECK(run(2, 8192, 4) == Packets{16, 64});
  for (const std::uint64_t shared : {4u, 6u, 7u, 8u}) CHECK(run(shared, 8193, 4) == Packets{5, 52});
  CHECK(run(9, 8192, 4) == Packets{0, 0});
  CHECK(run(0, 0, 4) == Packets{0, 0});
  CHECK(run(0, ~std::uint64_t{0} >> 1, 1) == Packets{std::uint64_t{1} << 54, 64});
  collective.comm_size.reset();
  CHECK_FALSE(chakra_run(collective, 4, 8, 64));
}

TEST_CASE("mutated traces are read or refused in one line", "[chakra]") {
  const std::string et = trace_of(
      {node(0, 4, {}),
       node(1, 7, {number_attribute("comm_type", 9, 6), number_attribute("comm_size", 13, 1 << 20)})});
  const std::string json =
      R"({"version": "1"}{"id": "7", "type": "COMM_COLL_NODE", "attr": [{"name": "comm_type",
    "int64Val": "7"}, {"name": "involved_dim", "boolList": {"values": [true, false]}}]})";
  std::mt19937 random(3);
  std::size_t accepted = 0, refused = 0;
  for (int i = 0; i < 4000; ++i) {
    std::string bytes = mutated(i % 2 == 0 ? et : json, random);
    if (i % 2 == 0) bytes[random() % bytes.size()] = static_cast<char>(random() % 256);
    const std::string error = error_of([&] {
      i % 2 == 0 ? parse_chakra_protobuf(bytes, "file.et") : parse_chakra_json(bytes, "file.json");
    });
    CAPTURE(bytes);
    if (error.find('\n') != std::string::npos || error.size() > 500) FAIL(error);
    (error == "accepted" ? accepted : refused) += 1;
  }
  CHECK(accepted > 200);
  CHECK(refused > 200);
}
