// Files of schedules: what is written is read again, the schema and the documentation say how they look.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cpp_model/graph/topology.hpp"
#include "cpp_model/schedule/problem.hpp"
#include "cpp_model/schedule/schedule_reader.hpp"
#include "cpp_model/schedule/schedule_writer.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/random_network.hpp"
#include "testbench/support/schedule_texts.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

std::string repository_file(const std::string& name) {
  const char* moved = std::getenv("SAFNET_ROOT");
  return bytes_of(std::string(moved != nullptr ? moved : SAFNET_ROOT) + "/" + name);
}

std::string check_round_trip(const Schedule& schedule) {
  const Folder folder;
  const std::string plain = folder.file("a.json"), packed = folder.file("a.json.gz");
  write_schedule(schedule, plain);
  write_schedule(schedule, packed);
  CHECK(folder.entries() == 2);
  check_same(read_schedule(plain), schedule);
  check_same(read_schedule(packed), schedule);
  CHECK(bytes_of(packed).substr(0, 2) == "\x1f\x8b");
  return bytes_of(plain);
}

// A schedule that uses all that the format can hold; it need not make sense.
Schedule random_schedule(Dice& dice) {
  Schedule schedule(random_graph(dice, 12, 5));
  const NodeId nodes = schedule.network.node_count();
  schedule.ports = static_cast<PortModel>(dice.below(3));
  schedule.slot_cycles = dice.one_in(2) ? 1 : dice.between(1, kMaxFileCycles);
  schedule.link_latency = dice.one_in(2) ? 0 : dice.between(0, kMaxFileCycles);
  schedule.operation = static_cast<Operation>(dice.below(5));
  schedule.root = dice.below(nodes);
  if (dice.one_in(2)) schedule.collective = "reduction";
  if (dice.one_in(2)) schedule.algorithm = "dice \"with\" \\ quotes / and \xc3\xa4";
  if (dice.one_in(2)) schedule.description = std::string(dice.below(100), 'x');
  const std::uint32_t packets = dice.below(20);
  const bool one_length = dice.one_in(2);
  const bool combined = dice.one_in(2);
  for (PacketIndex p = 0; p < packets; ++p) {
    std::vector<NodeId> destinations(dice.below(4));
    for (NodeId& d : destinations) d = dice.below(nodes);
    std::vector<PacketIndex> parts(combined && p > 0 && dice.one_in(2) ? dice.between(1, 3) : 0);
    for (PacketIndex& part : parts) part = dice.below(p);
    schedule.packets.add(dice.below(nodes), dice.one_in(5) ? 0xffff'ffff : dice.below(100),
                         one_length ? 7 : dice.between(1, kMaxFileCycles), destinations, parts);
  }
  if (packets == 0) return schedule;
  const std::uint32_t sends = dice.below(40);
  const std::uint32_t slots = dice.one_in(3) ? 0xffff'ffff : dice.between(1, 20);
  for (std::uint32_t i = 0; i < sends; ++i) {
    schedule.sends.push_back({dice.between(1, slots == 0xffff'ffff ? slots - 1 : slots),
                              dice.below(static_cast<std::uint32_t>(schedule.network.link_count())),
                              dice.below(packets)});
  }
  if (!dice.one_in(4)) sort_sends(schedule);
  return schedule;
}

}  // namespace

TEST_CASE("a schedule file says what it holds", "[schedule_file]") {
  const Folder folder;
  const std::string path = folder.file("a.json");
  put_bytes(path, kGood);
  const Schedule schedule = read_schedule(path);
  CHECK(schedule.network.spelling() == "ring:4");
  CHECK(schedule.ports == PortModel::kAllPort);
  CHECK(schedule.operation == Operation::kMaximum);
  CHECK(schedule.collective == "partial-gather");
  CHECK(schedule.root == 1);
  CHECK(schedule.slot_cycles == 4);
  CHECK(schedule.link_latency == 2);
  REQUIRE(schedule.packets.size() == 3);
  CHECK(schedule.packets.id(1) == PacketId{1, 6});
  CHECK(schedule.packets.flits(2) == 3);
  CHECK(schedule.packets.destinations(1)[1] == 3);
  CHECK(schedule.packets.destinations(2).empty());
  CHECK(schedule.packets.parts(2)[1] == 1);
  CHECK((schedule.sends == std::vector<Send>{{1, 0, 0}, {1, 7, 1}, {3, 2, 2}}));

  put_bytes(path, kOfCollective);
  const Schedule partial = read_schedule(path);
  CHECK(partial.packets.size() == 6);
  CHECK(partial.packets.flits(5) == 2);
}

TEST_CASE("every collective's packets are said, not listed", "[schedule_file]") {
  for (const CollectiveName& entry : collective_names()) {
    if (entry.kind == CollectiveKind::kMultipath || entry.scans) continue;
    CAPTURE(entry.name);
    Problem problem{.graph = make_topology("mesh:3x2"), .collective = entry.kind, .root = 4};
    if (entry.has_active) problem.active = {1, 2, 5};
    Schedule schedule = empty_schedule(problem, "nobody");
    schedule.packets.set_flits(9);
    const std::string text = check_round_trip(schedule);
    CHECK_THAT(text, Catch::Contains("\"of\": \"collective\"") && Catch::Contains("\"mesh:3x2\""));
    // With one packet more the list is not the collective's any more.
    schedule.packets.add(0, 77, 10, {});
    CHECK_THAT(check_round_trip(schedule), !Catch::Contains("\"of\""));
  }
}

TEST_CASE("networks that a spelling does not give are written port by port", "[schedule_file]") {
  const Folder folder;
  const std::string dot = folder.file("a.dot");
  put_bytes(dot, "graph { left -- middle; left -- middle; middle -- right; }");
  for (const std::string& spelling :
       {"graph:" + dot, "product(graph:" + dot + ",ring:3)", std::string("generalized-petersen:5,2"),
        std::string("edges:0-1,0-1,1-2"), std::string("random:12,20,7"),
        std::string("product(star:3,ring:4)")}) {
    CAPTURE(spelling);
    const Schedule schedule(make_topology(spelling));
    const bool of_file = spelling.find(dot) != std::string::npos;
    CHECK(nlohmann::json::parse(check_round_trip(schedule))["network"].is_object() == of_file);
  }
  // A spelling that belongs to another network, or to none.
  for (const char* spelling : {"ring:4", "ring:3x", "", "no such: \xe2\x9c\x93"}) {
    CAPTURE(spelling);
    const Schedule schedule(make_topology("linear:4").with_spelling(spelling));
    CHECK(nlohmann::json::parse(check_round_trip(schedule))["network"].is_object());
  }
  const Schedule alone(Graph("alone", {{}}));
  check_round_trip(alone);
}

TEST_CASE("what is written is read again, whatever it is", "[schedule_file]") {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    CAPTURE(seed);
    Dice dice(seed);
    check_round_trip(random_schedule(dice));
  }
}

TEST_CASE("long columns pass the buffers' ends", "[schedule_file]") {
  Dice dice(5);
  Schedule schedule = empty_schedule({.graph = make_topology("torus:16x16")}, "long");
  for (std::uint32_t slot = 1; schedule.sends.size() < 100'000; slot += dice.between(1, 3)) {
    for (LinkId link = dice.below(7); link < schedule.network.link_count(); link += dice.between(1, 3))
      schedule.sends.push_back({slot, link, dice.below(schedule.packets.size())});
  }
  check_round_trip(schedule);
}

TEST_CASE("keys in any order, and a reader that needs no header first", "[schedule_file]") {
  const nlohmann::json good = nlohmann::json::parse(kGood);
  std::vector<std::string> keys;
  for (const auto& item : good.items()) keys.push_back(item.key());
  const Folder folder;
  const std::string path = folder.file("a.json");
  put_bytes(path, kGood);
  const Schedule expected = read_schedule(path);
  Dice dice(3);
  for (int i = 0; i < 50; ++i) {
    dice.shuffle(keys);
    std::string text = "{";
    for (const std::string& key : keys)
      text += fmt::format("{}\"{}\": {}", text.size() > 1 ? "," : "", key, good[key].dump());
    put_bytes(path, text + "}");
    check_same(read_schedule(path), expected);
  }
}

TEST_CASE("texts are made fit to be written", "[schedule_file]") {
  const Folder folder;
  const std::string path = folder.file("a.json");
  const auto written = [&](const std::string& text) {
    Schedule schedule(make_topology("ring:3"));
    schedule.description = text;
    write_schedule(schedule, path);
    return read_schedule(path).description;
  };
  CHECK(written("two\nlines\x7f") == "two?lines?");
  CHECK(written("not UTF-8: \xff!") == "not UTF-8: ?!");
  CHECK(written(repeated("\xc3\xa4", 3000)) == repeated("\xc3\xa4", 2048));
  CHECK(written("x" + repeated("\xc3\xa4", 3000)) == "x" + repeated("\xc3\xa4", 2047));
}

TEST_CASE("the examples in the documentation can be read", "[schedule_file]") {
  const std::string page = repository_file("cpp_model/schedule/README.md");
  const Folder folder;
  int examples = 0;
  for (std::size_t at = 0; (at = page.find("```json\n", at)) != std::string::npos; ++examples) {
    at += 8;
    put_bytes(folder.file("a.json"), page.substr(at, page.find("```", at) - at));
    CHECK(answer(folder.file("a.json")) == "read");
  }
  CHECK(examples == 2);
}

TEST_CASE("an existing file is replaced, and is as readable as others", "[schedule_file]") {
  const Folder folder;
  const std::string path = folder.file("a.json");
  put_bytes(path, repeated("old ", 100'000));
  std::filesystem::permissions(path, std::filesystem::perms::owner_read);
  const Schedule schedule = empty_schedule({.graph = make_topology("ring:5")}, "nobody");
  write_schedule(schedule, path);
  check_same(read_schedule(path), schedule);
  put_bytes(folder.file("other"), "");
  CHECK(std::filesystem::status(path).permissions() ==
        std::filesystem::status(folder.file("other")).permissions());
}

namespace {

// Whether a value has all keys that the schema requires and no other, in the form that fits it if there are
// several.
void check_keys(const nlohmann::json& schema, const nlohmann::json& value, const std::string& where) {
  CAPTURE(where);
  if (!value.is_object()) return;
  if (schema.contains("oneOf")) {
    int fitting = 0;
    for (const nlohmann::json& form : schema["oneOf"]) {
      if (!form.contains("properties")) continue;
      const auto required = form.value("required", std::vector<std::string>{});
      if (!std::all_of(required.begin(), required.end(),
                       [&](const auto& key) { return value.contains(key); }))
        continue;
      ++fitting;
      check_keys(form, value, where);
    }
    CHECK(fitting == 1);
    return;
  }
  REQUIRE(schema.contains("properties"));
  CHECK(schema["additionalProperties"] == false);
  for (const auto& key : schema["required"]) CHECK(value.contains(key.get<std::string>()));
  for (const auto& item : value.items()) {
    CAPTURE(item.key());
    REQUIRE(schema["properties"].contains(item.key()));
    check_keys(schema["properties"][item.key()], item.value(), where + "." + item.key());
  }
}

// The paths of all keys of a schema, such as sends.slot.
void collect_keys(const nlohmann::json& schema, const std::string& where, std::vector<std::string>& keys) {
  if (schema.contains("oneOf")) {
    for (const nlohmann::json& form : schema["oneOf"]) collect_keys(form, where, keys);
  }
  if (!schema.contains("properties")) return;
  for (const auto& item : schema["properties"].items()) {
    const std::string path = where.empty() ? item.key() : where + "." + item.key();
    keys.push_back(path);
    collect_keys(item.value(), path, keys);
  }
}

}  // namespace

TEST_CASE("the schema names what is written and requires nothing else", "[schedule_file]") {
  const nlohmann::json schema =
      nlohmann::json::parse(repository_file("cpp_model/schedule/schedule.schema.json"));
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    Dice dice(seed);
    check_keys(schema, nlohmann::json::parse(check_round_trip(random_schedule(dice))), "");
  }
  Problem problem{.graph = make_topology("ring:4"), .collective = CollectiveKind::kPartialGather};
  problem.active = {2};
  check_keys(schema, nlohmann::json::parse(check_round_trip(empty_schedule(problem, "a"))), "");
  for (const std::string& text : {kGood, kOfCollective, kPortByPort})
    check_keys(schema, nlohmann::json::parse(text), "");

  // The reader knows all keys of the schema: with the value `false` each is refused for its value.
  std::vector<std::string> keys;
  collect_keys(schema, "", keys);
  CHECK(keys.size() > 25);
  const Folder folder;
  for (const std::string& key : keys) {
    CAPTURE(key);
    const std::size_t dot = key.find('.');
    put_bytes(folder.file("a.json"),
              dot == std::string::npos
                  ? fmt::format("{{\"{}\": false}}", key)
                  : fmt::format("{{\"{}\": {{\"{}\": false}}}}", key.substr(0, dot), key.substr(dot + 1)));
    CHECK_THAT(answer(folder.file("a.json")), Catch::Contains(key + ": false; expected"));
  }
  CHECK(schema["properties"]["sends"]["properties"]["link"]["items"]["maximum"] ==
        kMaxNodes * kMaxDegree - 1);
  CHECK(schema["$defs"]["send_column"]["maxItems"] == kMaxFileSends);
  CHECK(schema["$defs"]["packet_column"]["maxItems"] == PacketList::kMaxPackets);
  CHECK(schema["$defs"]["flits"]["maximum"] == kMaxFileCycles);
  std::vector<std::string> collectives = schema["properties"]["collective"]["enum"];
  for (const CollectiveName& entry : collective_names()) {
    const int times = entry.scans ? 0 : 1;
    CHECK(std::count(collectives.begin(), collectives.end(), entry.name) == times);
    CHECK(std::count(collectives.begin(), collectives.end(), entry.mpi_name) == times);
  }
}
