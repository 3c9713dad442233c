// Files of schedules that are refused: what cannot be read, in one line that says where and why, and what
// cannot be written, of which nothing is left behind.
#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <iterator>
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

// A file that is refused, and words of the line that says why.
struct Bad {
  std::string name, content, words;
};

std::vector<Bad> not_json() {
  return {
      {"empty", "", "empty"},
      {"blanks", "  \n ", "end of input"},
      {"no object", "[1,2]", "an array; expected an object"},
      {"a number", "17", "17; expected an object"},
      {"a text", "\"safnet-schedule\"", "expected an object"},
      {"null", "null", "null; expected an object"},
      {"truncated", kGood.substr(0, 300), "end of input"},
      {"truncated in a word", "{\"form", "line 1, column"},
      {"a second value", kGood + "{}", "expected end of input"},
      {"byte 0 behind", kGood + std::string(1, '\0'), fmt::format("byte {}: a byte 0", kGood.size())},
      {"byte 0 within", with(kGood, "[1,3]", std::string("[1\0,3]", 7)), "a byte 0"},
      {"escaped byte 0", with(kGood, "\"d\"", "\"d\\u0000\""), "description: 'd?': a control character"},
      {"two lines", with(kGood, "\"d\"", "\"d\\ne\""), "description: 'd?e': a control character"},
      {"not UTF-8", with(kGood, "\"d\"", "\"\xff\""), "UTF-8"},
      {"half a character", with(kGood, "\"d\"", "\"\\ud800\""), "surrogate"},
      {"binary",
       "\x7f"
       "ELF\x02\x01\x01",
       "line 1, column 1"},
      {"comment", with(kGood, "\"version\"", "/* c */ \"version\""), "expected string literal"},
      {"comma at the end", with(kGood, "[1,3]", "[1,3,]"), "unexpected ']'"},
      {"not a number", with(kGood, "[1,3]", "[1,NaN]"), "invalid literal"},
      {"octal", with(kGood, "[0,7,2]", "[0,07,2]"), "expected ']'"},
      {"hexadecimal", with(kGood, "[0,7,2]", "[0,0x7,2]"), "line 23, column 15"},
  };
}

std::vector<Bad> bombs() {
  return {
      {"arrays in arrays", std::string(1'000'000, '['), "an array; expected an object"},
      {"deep columns", with(kGood, "[1,3]", std::string(1'000'000, '[')),
       "sends.slot[0]: an array; expected an integer"},
      {"deep destinations", with(kGood, "[2,3]", "[[2],3]"),
       "packets.destinations[1][0]: an array; expected an integer"},
      {"objects in objects", repeated("{\"network\":", 100'000), "network: key 'network': unknown"},
      {"long text", with(kGood, "\"d\"", "\"" + std::string(4097, 'x') + "\""),
       "a text of 4097 bytes; expected at most 4096"},
      {"very long text", with(kGood, "\"d\"", "\"" + std::string(1'000'000, 'x') + "\""),
       "more than 65536 bytes"},
      {"long number", with(kGood, "[1,3]", "[1," + std::string(1'000'000, '3') + "]"),
       "more than 65536 bytes"},
      {"long blank", with(kGood, "[1,3]", "[1," + std::string(1'000'000, ' ') + "3]"),
       "more than 65536 bytes"},
      {"long key", "{\"" + std::string(5000, 'x') + "\": 1}", "unknown; expected format"},
      {"billions of packets", with(with(kOfCollective, "partial-gather", "alltoall"), "ring:4", "ring:65536"),
       "packets.active: not expected"},
      {"billions of packets of the collective",
       with(with(with(kOfCollective, "partial-gather", "alltoall"), "ring:4", "ring:65536"),
            ", \"active\": [0,3]", ""),
       "packets.of: 4294901760 packets; expected at most 16777216"},
      {"billions of sends", with(kGood, "[2,1]", "[134217728,134217728]"),
       "268435456 sends start in all; expected 3"},
  };
}

std::vector<Bad> bad_keys() {
  return {
      {"no keys", "{}", "no key format"},
      {"unknown key", with(kGood, "\"root\"", "\"rot\""), "key 'rot': unknown; expected format, version"},
      {"unknown key with an end of line", with(kGood, "\"root\"", "\"ro\\not\""), "key 'ro?ot': unknown"},
      {"unknown key of packets", with(kGood, "\"tag\"", "\"tags\""),
       "packets: key 'tags': unknown; expected of, active, flits"},
      {"unknown key of sends", with(kGood, "\"slot\"", "\"start\""),
       "sends: key 'start': unknown; expected slot, count"},
      {"unknown key of the network", with(kPortByPort, "\"nodes\"", "\"names\""),
       "network: key 'names': unknown"},
      {"key of a section outside", with(kGood, "\"root\"", "\"sends.slot\""), "key 'sends.slot': unknown"},
      {"key twice", with(kGood, "\"root\": 1", "\"root\": 1, \"root\": 1"), "root: a second time"},
      {"column twice", with(kGood, "\"tag\": [5,6,7]", "\"tag\": [], \"tag\": []"),
       "packets.tag: a second time"},
      {"section twice", with(kGood, "\"sends\"", "\"sends\": {}, \"sends\""), "sends: a second time"},
      {"no format", with(kGood, "\"format\": \"safnet-schedule\",", ""), "no key format"},
      {"no version", with(kGood, "\"version\": 1,", ""), "no key version"},
      {"no network", with(kGood, "\"network\": \"ring:4\",", ""), "no key network"},
      {"no ports", with(kGood, "\"ports\": \"all\",", ""), "no key ports"},
      {"no packets",
       "{\"format\": \"safnet-schedule\", \"version\": 1, \"network\": \"ring:4\", \"ports\": \"all\"}",
       "no key packets"},
      {"no links", with(kGood, "\"link\": [0,7,2],", ""), "no key sends.link"},
      {"no slots", with(kGood, "\"slot\": [1,3],", ""), "no key sends.slot"},
      {"no origins", with(kGood, "\"origin\": [0,1,2],", ""), "no key packets.origin"},
      {"no flits", with(kGood, "\"flits\": 3,", ""), "no key packets.flits"},
  };
}

std::vector<Bad> bad_headers() {
  return {
      {"other format", with(kGood, "safnet-schedule", "sccl"), "format: 'sccl'; expected 'safnet-schedule'"},
      {"other version", with(kGood, "\"version\": 1", "\"version\": 2"),
       "version: 2; expected an integer, 1"},
      {"version as text", with(kGood, "\"version\": 1", "\"version\": \"1\""),
       "version: '1'; expected an integer, 1"},
      {"other ports", with(kGood, "\"all\"", "\"two\""),
       "ports: port model 'two': expected all, one, one-send"},
      {"other operation", with(kGood, "\"max\"", "\"xor\""), "operation 'xor': expected one of sum"},
      {"other collective", with(kGood, "partial-gather", "gossip"),
       "collective 'gossip': expected broadcast"},
      {"root too large", with(kGood, "\"root\": 1", "\"root\": 4"), "root: 4; expected node 0 to 3"},
      {"root null", with(kGood, "\"root\": 1", "\"root\": null"),
       "root: null; expected an integer, 0 to 65535"},
      {"root true", with(kGood, "\"root\": 1", "\"root\": true"), "root: true; expected an integer"},
      {"root in an array", with(kGood, "\"root\": 1", "\"root\": [1]"),
       "root: an array; expected an integer"},
      {"slots of no cycles", with(kGood, "\"slot_cycles\": 4", "\"slot_cycles\": 0"),
       "slot_cycles: 0; expected an integer, 1 to 2147483647"},
      {"slots too long", with(kGood, "\"slot_cycles\": 4", "\"slot_cycles\": 2147483648"),
       "slot_cycles: 2147483648; expected"},
      {"negative latency", with(kGood, "\"link_latency\": 2", "\"link_latency\": -2"),
       "link_latency: -2; expected an integer, 0 to"},
      {"fraction", with(kGood, "\"link_latency\": 2", "\"link_latency\": 2.5"),
       "link_latency: 2.5; expected an integer"},
      {"exponent", with(kGood, "\"link_latency\": 2", "\"link_latency\": 2e0"),
       "link_latency: 2e0; expected an integer"},
      {"description as object", with(kGood, "\"d\"", "{}"), "description: an object; expected a text"},
  };
}

std::vector<Bad> bad_networks() {
  const std::string many_ports = [] {
    std::string hub, leaves;
    for (int i = 0; i < 129; ++i) {
      hub += fmt::format("{}[{},0]", i > 0 ? "," : "", i + 1);
      leaves += fmt::format(",[[0,{}]]", i);
    }
    return "\"ports\": [[" + hub + "]" + leaves + "]";
  }();
  return {
      {"number for a network", with(kGood, "\"ring:4\"", "4"), "network: 4; expected a text or an object"},
      {"unknown family", with(kGood, "ring:4", "rong:4"), "network: topology 'rong:4'"},
      {"network too large", with(kGood, "ring:4", "ring:65537"), "network: ring:65537"},
      {"network from a file", with(kGood, "ring:4", "graph:/etc/passwd"),
       "read from another file; expected its ports"},
      {"factor from a file", with(kGood, "ring:4", "product(ring:3,graph:/etc/passwd)"),
       "read from another file"},
      {"nested products", with(kGood, "ring:4", repeated("product(", 400)), "network: 'product("},
      {"empty spelling", with(kGood, "ring:4", ""), "network: nothing in it; expected a spelling"},
      {"empty network", with(kGood, "\"ring:4\"", "{}"), "network: nothing in it"},
      {"no ports in it", with(kGood, "\"ring:4\"", "{\"name\": \"n\"}"), "no key network.ports"},
      {"no nodes in it", with(kGood, "\"ring:4\"", "{\"ports\": []}"),
       "network.ports: 0 nodes; expected 1 to 65536"},
      {"port to nowhere", with(kPortByPort, "[1,1]", "[1,2]"), "which does not exist"},
      {"port to no node", with(kPortByPort, "[1,1]", "[2,0]"), "which does not exist"},
      {"two ports to one", with(kPortByPort, "[1,1]", "[1,0]"), "which another link leads to"},
      {"port to itself", with(kPortByPort, "[[1,0],", "[[0,0],"), "is connected to itself"},
      {"not connected", with(kPortByPort, "[[[1,0],[1,1]],[[0,0],[0,1]]]", "[[],[]]"),
       "node 1 cannot be reached"},
      {"port of one number", with(kPortByPort, "[1,1]", "[1]"), "network.ports[0][1]: 1 numbers; expected 2"},
      {"port of three numbers", with(kPortByPort, "[1,1]", "[1,1,1]"),
       "network.ports[0][1]: 3 numbers; expected 2, the node and the port it leads to, or 4"},
      {"port of five numbers", with(kPortByPort, "[1,1]", "[1,1,0,1,0]"),
       "network.ports[0][1][4]: one too many; expected at most 4"},
      {"link of no width", with(kPortByPort, "[1,1]", "[1,1,0,0]"), "0 cycles per flit; expected 1 to 64"},
      {"link of too large a latency", with(kPortByPort, "[1,1]", "[1,1,1025,1]"),
       "a link's own latency of 1025; expected 0 to 1024 cycles"},
      {"port as a number", with(kPortByPort, "[1,1]", "1"), "network.ports[0][1]: 1; expected an array"},
      {"node too large", with(kPortByPort, "[1,1]", "[65536,1]"),
       "network.ports[0][1][0]: 65536; expected an integer, 0 to 65535"},
      {"too many ports", with(kPortByPort, "\"ports\": [[[1,0],[1,1]],[[0,0],[0,1]]]", many_ports),
       "network.ports[0][128]: one too many; expected at most 128"},
      {"too many nodes", with(kPortByPort, "\"ports\": [", "\"ports\": [" + repeated("[],", 65536)),
       "network.ports[65536]: one too many"},
      {"too few names", with(kPortByPort, "[\"a\",\"b\"]", "[\"a\"]"), "network.nodes: 1 items; expected 2"},
      {"equal names", with(kPortByPort, "\"b\"", "\"a\""), "network.nodes: 'a' twice"},
      {"name that is a number", with(kPortByPort, "\"b\"", "\"7\""),
       "network.nodes[1]: '7'; expected letters"},
      {"name with a blank", with(kPortByPort, "\"b\"", "\"b c\""),
       "network.nodes[1]: 'b c'; expected letters"},
      {"number for a name", with(kPortByPort, "\"b\"", "3"), "network.nodes[1]: 3; expected a text"},
  };
}

std::vector<Bad> bad_packets() {
  return {
      {"packets as an array", with(kGood, "\"packets\": {", "\"packets\": [{"),
       "packets: an array; expected an object"},
      {"origin too large", with(kGood, "[0,1,2]", "[0,4,2]"), "packets.origin[1]: 4; expected node 0 to 3"},
      {"origin negative", with(kGood, "[0,1,2]", "[0,-1,2]"), "packets.origin[1]: -1; expected an integer"},
      {"tag too large", with(kGood, "[5,6,7]", "[5,6,4294967296]"),
       "packets.tag[2]: 4294967296; expected an integer, 0 to 4294967295"},
      {"too few tags", with(kGood, "[5,6,7]", "[5,6]"),
       "packets.tag: 2 items; expected 3, as in packets.origin"},
      {"too few flits", with(kGood, "\"flits\": 3", "\"flits\": [3]"), "packets.flits: 1 items; expected 3"},
      {"no flit", with(kGood, "\"flits\": 3", "\"flits\": 0"), "packets.flits: 0; expected an integer, 1 to"},
      {"too many destinations", with(kGood, "[2,3],[]", "[2,3],[],1"),
       "packets.destinations: 4 items; expected 3"},
      {"destination too large", with(kGood, "[2,3]", "[2,4]"),
       "packets.destinations[1]: 4; expected node 0 to 3"},
      {"destination as text", with(kGood, "[2,3]", "\"2\""),
       "packets.destinations[1]: '2'; expected an integer, 0 to 65535 or an array"},
      {"part that does not exist", with(kGood, "[[],[],[0,1]]", "[[],[],[0,3]]"),
       "packets.parts[2]: 3; expected packet 0 to 2"},
      {"part as a number", with(kGood, "[[],[],[0,1]]", "[[],[],1]"),
       "packets.parts[2]: 1; expected an array"},
      {"too few parts", with(kGood, "[[],[],[0,1]]", "[[],[]]"), "packets.parts: 2 items; expected 3"},
      {"of what", with(kOfCollective, "\"of\": \"collective\"", "\"of\": \"course\""),
       "packets.of: 'course'; expected 'collective'"},
      {"of no collective", with(kOfCollective, "\"collective\": \"partial-gather\",", ""),
       "packets.of: no collective"},
      {"of a transfer", with(with(kOfCollective, "partial-gather", "multipath"), ", \"active\": [0,3]", ""),
       "packets.of: multipath: expected another collective"},
      {"of it and columns", with(kOfCollective, "\"of\"", "\"tag\": [], \"of\""),
       "packets.tag: not expected beside packets.of"},
      {"of it with many lengths", with(kOfCollective, "\"flits\": 2", "\"flits\": [2,2,2,2,2,2]"),
       "packets.flits: an array; expected one number"},
      {"no active nodes", with(kOfCollective, ", \"active\": [0,3]", ""), "no key packets.active"},
      {"empty active nodes", with(kOfCollective, "[0,3]", "[]"), "packets.active: nothing in it"},
      {"active node too large", with(kOfCollective, "[0,3]", "[0,4]"),
       "packets.active[1]: 4; expected node 0 to 3"},
      {"active nodes in disorder", with(kOfCollective, "[0,3]", "[3,0]"),
       "packets.active[1]: 0; expected ascending nodes"},
      {"an active node twice", with(kOfCollective, "[0,3]", "[0,3,3]"),
       "packets.active[2]: 3; expected ascending nodes"},
      {"active nodes of columns", with(kGood, "\"flits\"", "\"active\": [0], \"flits\""),
       "packets.active: not expected"},
  };
}

std::vector<Bad> bad_sends() {
  const auto sends = [](const std::string& part, const std::string& other) {
    return with(kGood, part, other);
  };
  return {
      {"sends as text", with(kGood, kGood.substr(kGood.find("{\n  \"slot\"")), "\"none\"}"),
       "sends: 'none'; expected an object"},
      {"slot 0", sends("[1,3]", "[0,3]"), "sends.slot[0]: 0; expected an integer, 1 to 4294967295"},
      {"slot 2^32", sends("[1,3]", "[1,4294967296]"), "sends.slot[1]: 4294967296; expected"},
      {"slot 2^64", sends("[1,3]", "[1,18446744073709551616]"),
       "sends.slot[1]: 18446744073709551616; expected an integer"},
      {"slot 1e300", sends("[1,3]", "[1,1e300]"), "sends.slot[1]: 1e300; expected an integer"},
      {"slot 1e999", sends("[1,3]", "[1,1e999]"), "sends.slot[1]: 1e999; expected an integer"},
      {"slot 1.0", sends("[1,3]", "[1.0,3]"), "sends.slot[0]: 1.0; expected an integer"},
      {"slot null", sends("[1,3]", "[1,null]"), "sends.slot[1]: null; expected an integer"},
      {"slot of text", sends("[1,3]", "[1,\"3\"]"), "sends.slot[1]: '3'; expected an integer"},
      {"slots as a number", sends("[1,3]", "1"), "sends.slot: 1; expected an array"},
      {"slots as an object", sends("[1,3]", "{\"a\": 1}"), "sends.slot: an object; expected an array"},
      {"object in a column", sends("[1,3]", "[{}]"), "sends.slot[0]: an object; expected an integer"},
      {"count 0", sends("[2,1]", "[3,0]"), "sends.count[1]: 0; expected an integer, 1 to 134217728"},
      {"too few counts", sends("[2,1]", "[3]"), "sends.count: 1 items; expected 2, as in sends.slot"},
      {"counts too small", sends("[2,1]", "[1,1]"),
       "sends.slot: 2 sends start in all; expected 3, as in sends.link"},
      {"no counts", sends("\"count\": [2,1],", ""), "sends.slot: 2 sends start in all; expected 3"},
      {"too few packets", sends("\"packet\": [0,1,2]", "\"packet\": [0,1]"),
       "sends.packet: 2 items; expected 3, as in sends.link"},
      {"too many packets", sends("\"packet\": [0,1,2]", "\"packet\": [0,1,2,2]"),
       "sends.packet: 4 items; expected 3"},
      {"link too large", sends("[0,7,2]", "[0,8,2]"), "sends.link[1]: 8; expected link 0 to 7"},
      {"link far too large", sends("[0,7,2]", "[0,8388608,2]"),
       "sends.link[1]: 8388608; expected an integer, 0 to 8388607"},
      {"link negative", sends("[0,7,2]", "[0,7,-9223372036854775808]"),
       "sends.link[2]: -9223372036854775808; expected"},
      {"packet too large", sends("\"packet\": [0,1,2]", "\"packet\": [0,1,3]"),
       "sends.packet[2]: 3; expected packet 0 to 2"},
      {"packets of none",
       with(with(with(with(kGood, "[0,1,2]", "[]"), "[5,6,7]", "[]"), "[1,[2,3],[]]", "[]"), "[[],[],[0,1]]",
            "[]"),
       "sends.packet[0]: 0; expected no packet, there is none"},
  };
}

std::vector<Bad> bad_compression() {
  const std::string good_gz = gzipped(kGood);
  std::string corrupt_gz = good_gz;
  corrupt_gz[good_gz.size() - 6] ^= 1;  // in the checksum
  return {
      {"not compressed.gz", kGood, "not compressed; expected gzip"},
      {"nothing.gz", "", "empty"},
      {"compressed nothing.gz", gzipped(""), "empty"},
      {"truncated.gz", good_gz.substr(0, good_gz.size() / 2), "cannot be read"},
      {"no checksum.gz", good_gz.substr(0, good_gz.size() - 8), "cannot be read"},
      {"wrong checksum.gz", corrupt_gz, "incorrect data check"},
      {"bomb.gz", gzipped("{\"description\": \"" + std::string(50'000'000, 'x')), "more than 65536 bytes"},
      {"blank bomb.gz", gzipped(std::string(50'000'000, ' ')), "more than 65536 bytes"},
      {"zeros.gz", gzipped(std::string(50'000'000, '\0')), "byte 0: a byte 0"},
      {"depth bomb.gz", gzipped("{\"packets\": {\"parts\": " + std::string(50'000'000, '[')),
       "packets.parts[0][0]: an array; expected an integer"},
  };
}

}  // namespace

TEST_CASE("bad schedule files are refused in one line", "[schedule_file]") {
  std::vector<Bad> table;
  for (const auto rows :
       {not_json, bombs, bad_keys, bad_headers, bad_networks, bad_packets, bad_sends, bad_compression})
    std::ranges::copy(rows(), std::back_inserter(table));
  CHECK(table.size() >= 60);
  const Folder folder;
  for (const Bad& bad : table) {
    CAPTURE(bad.name);
    const std::string name = bad.name.ends_with(".gz") ? "bad.json.gz" : "bad.json";
    put_bytes(folder.file(name), bad.content);
    const std::string message = answer(folder.file(name));
    CHECK_THAT(message, Catch::Contains(bad.words));
    if (message.find("expected an integer") != std::string::npos)
      CHECK_THAT(message, !Catch::Contains("or an object"));
    check_one_line(message, name);
  }
  // The files that these were made from can be read.
  for (const std::string& good : {kGood, kOfCollective}) {
    put_bytes(folder.file("good.json"), good);
    CHECK(answer(folder.file("good.json")) == "read");
    put_bytes(folder.file("good.json.gz"), gzipped(good));
    CHECK(answer(folder.file("good.json.gz")) == "read");
  }
}

TEST_CASE("what the parser and zlib say is told without their own decoration", "[schedule_file]") {
  const Folder folder;
  put_bytes(folder.file("bad.json"), "[1,");
  CHECK_THAT(answer(folder.file("bad.json")), Catch::Contains("bad.json: an array"));
  put_bytes(folder.file("bad.json"), "x");
  CHECK_THAT(answer(folder.file("bad.json")), Catch::Contains("bad.json: parse error at line 1, column 1"));
  // Without its checksum the file ends after all of its bytes.
  const std::string compressed = gzipped(kGood);
  put_bytes(folder.file("bad.json.gz"), compressed.substr(0, compressed.size() - 8));
  CHECK_THAT(answer(folder.file("bad.json.gz")),
             Catch::Contains(fmt::format("byte {}: cannot be read", kGood.size())));
}

TEST_CASE("files that are none", "[schedule_file]") {
  const Folder folder;
  check_one_line(answer(folder.file("missing.json")), "missing.json: not found");
  std::filesystem::create_directory(folder.file("a.json"));
  check_one_line(answer(folder.file("a.json")), "a.json: expected a regular file");
  check_one_line(answer("/dev/zero"), "/dev/zero: expected a regular file");
  check_one_line(answer(""), "not found");
  check_one_line(answer("no\nsuch\x1b file"), "no?such? file: not found");
  check_one_line(answer(std::string("a\0b", 3)), "a byte 0 in the name");
  check_one_line(answer(std::string(100'000, 'x')), "not found");
}

TEST_CASE("a file with a few bytes changed is read or refused, nothing else", "[schedule_file]") {
  const Folder folder;
  const std::string packed = gzipped(kGood);
  const std::string bytes = "0123456789-+.eE,:[]{}\"\\ \n\x01\x7f\xc3\xff" + std::string(1, '\0');
  Dice dice(11);
  int read = 0, refused = 0;
  for (int i = 0; i < 6000; ++i) {
    const bool is_packed = i % 6 == 0;
    std::string text = is_packed ? packed : i % 3 == 1 ? kGood : i % 3 == 2 ? kPortByPort : kOfCollective;
    for (std::uint32_t changes = dice.between(1, 3); changes > 0 && !text.empty(); --changes) {
      const std::size_t at = dice.below(static_cast<std::uint32_t>(text.size()));
      const char other = dice.one_in(4) ? static_cast<char>(dice.below(256))
                                        : bytes[dice.below(static_cast<std::uint32_t>(bytes.size()))];
      switch (dice.below(5)) {
        case 0:
          text.insert(at, 1, other);
          break;
        case 1:
          text.erase(at, dice.between(1, 4));
          break;
        case 2:
          text.resize(dice.one_in(4) ? at : text.size());
          break;
        case 3:
          text.insert(at, text.substr(at, dice.between(1, 20)));
          break;
        default:
          text[at] = other;
      }
    }
    const std::string path = folder.file(is_packed ? "a.json.gz" : "a.json");
    put_bytes(path, text);
    const std::string message = answer(path);  // any other exception fails the test
    if (message == "read") {
      ++read;
      // What can be read can be written, and is the same again.
      const Schedule schedule = read_schedule(path);
      write_schedule(schedule, folder.file("b.json"));
      check_same(read_schedule(folder.file("b.json")), schedule);
      std::filesystem::remove(folder.file("b.json"));
      continue;
    }
    ++refused;
    if (message.find(is_packed ? "a.json.gz: " : "a.json: ") == std::string::npos ||
        message.find('\n') != std::string::npos || message.size() > 500) {
      FAIL(message);
    }
  }
  CHECK(read > 100);
  CHECK(refused > 1000);
}

TEST_CASE("what cannot be written leaves nothing behind", "[schedule_file]") {
  const Folder folder;
  const Schedule schedule = empty_schedule({.graph = make_topology("ring:5")}, "nobody");
  using Catch::Contains;
  const auto check_refused = [&](const Schedule& tried, const std::string& path, const std::string& words) {
    CHECK_THROWS_WITH(write_schedule(tried, path), Contains(words));
  };
  CHECK_THROWS_AS(write_schedule(schedule, folder.file("no/such/a.json")), std::runtime_error);
  check_refused(schedule, folder.file("no/such/a.json"), "no/such/a.json: cannot be written: No such file");
  put_bytes(folder.file("file"), "x");
  check_refused(schedule, folder.file("file/a.json"), "cannot be written: Not a directory");
  std::filesystem::create_directory(folder.file("folder"));
  check_refused(schedule, folder.file("folder"), "this is a folder");
  check_refused(schedule, "/proc/a.json", "cannot be written");
  check_refused(schedule, "", "cannot be written");
  check_refused(schedule, folder.file(std::string(300, 'x')), "cannot be written: File name too long");
  check_refused(schedule, "/dev/full", "cannot be written: No space left on device");
  CHECK(folder.entries() == 2);

  // A disk that is full in the middle, and at the end: what was there before stays.
  Schedule large = schedule;
  for (std::uint32_t slot = 1; slot <= 200'000; ++slot) large.sends.push_back({slot, slot * 7919 % 10, 3});
  for (const char* name : {"a.json", "a.json.gz"}) {
    for (const rlim_t limit : {rlim_t{0}, rlim_t{100'000}}) {
      CAPTURE(name, limit);
      put_bytes(folder.file(name), "before");
      rlimit before{};
      REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
      const auto handler = std::signal(SIGXFSZ, SIG_IGN);
      const rlimit small{limit, before.rlim_max};
      REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
      std::string message;
      try {
        write_schedule(limit == 0 ? schedule : large, folder.file(name));
      } catch (const std::runtime_error& error) {
        message = error.what();
      }
      ::setrlimit(RLIMIT_FSIZE, &before);
      std::signal(SIGXFSZ, handler);
      CHECK_THAT(message, Contains(std::string(name) + ": cannot be written: File too large"));
      CHECK(bytes_of(folder.file(name)) == "before");
    }
  }
  CHECK(folder.entries() == 4);
}

TEST_CASE("what the format cannot hold is not written", "[schedule_file]") {
  const Folder folder;
  const auto check_refused = [&](const std::string& words, auto change) {
    Schedule schedule = empty_schedule({.graph = make_topology("ring:5")}, "nobody");
    change(schedule);
    CHECK_THROWS_AS(write_schedule(schedule, folder.file("a.json")), std::invalid_argument);
    CHECK_THROWS_WITH(write_schedule(schedule, folder.file("a.json")), Catch::Contains(words));
    CHECK(folder.entries() == 0);
  };
  check_refused("start 0; expected 1 to", [](Schedule& s) { s.sends.push_back({0, 0, 0}); });
  check_refused("link 10; expected 0 to 9", [](Schedule& s) { s.sends.push_back({1, 10, 0}); });
  check_refused("packet 20; expected one of 20", [](Schedule& s) { s.sends.push_back({1, 0, 20}); });
  check_refused("root 5; expected 0 to 4", [](Schedule& s) { s.root = 5; });
  check_refused("slot cycles 0; expected 1 to", [](Schedule& s) { s.slot_cycles = 0; });
  check_refused("link latency 2147483648; expected", [](Schedule& s) { s.link_latency = 1U << 31U; });
  check_refused("collective 'gossip'", [](Schedule& s) { s.collective = "gossip"; });
  check_refused("flits 0; expected 1 to", [](Schedule& s) { s.packets.set_flits(0); });
  check_refused("origin 5; expected 0 to 4", [](Schedule& s) { s.packets.add(5, 0, 1, {}); });
  check_refused("destination 5; expected 0 to 4", [](Schedule& s) {
    const NodeId nobody = 5;
    s.packets.add(0, 0, 1, std::span(&nobody, 1));
  });
  check_refused("part 21; expected 0 to 20", [](Schedule& s) {
    const PacketIndex none = 21;
    s.packets.add(0, 0, 1, {}, std::span(&none, 1));
  });
}
