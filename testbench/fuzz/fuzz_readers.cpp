// fuzz_readers - libFuzzer on everything that reads what a user wrote: files of networks, schedules and
// traces, and words.
//
// The program has many names, links to one file: its name says which reader gets the bytes. What a reader may
// do with any bytes is to take them, or to throw std::invalid_argument with one line. A schedule that it
// takes is checked, written and read again, and must be the same.
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/graph/file/graph_file.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/interchange/any_schedule.hpp"
#include "cpp_model/interchange/chakra_trace.hpp"
#include "cpp_model/traffic/decimal.hpp"
#include "cpp_model/traffic/traffic_trace.hpp"
#include "sim/run/active_nodes.hpp"

using namespace safnet;

namespace {

using Bytes = std::string;

// A file of this process alone, in memory where the system has such a folder.
std::string path_of(const std::string& ending) {
  static const std::string folder = std::filesystem::exists("/dev/shm") ? "/dev/shm" : "/tmp";
  return fmt::format("{}/safnet_fuzz_{}{}", folder, ::getpid(), ending);
}

void write_file(const std::string& path, const Bytes& bytes) {
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

void write_compressed(const std::string& path, const Bytes& bytes) {
  gzFile file = gzopen(path.c_str(), "wb1");
  gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(file);
}

[[noreturn]] void fail(const std::string& what) {
  fmt::print(stderr, "fuzz: {}\n", what);
  std::abort();
}

void read_graph(const std::string& ending, const Bytes& bytes) {
  const std::string path = path_of(ending);
  write_file(path, bytes);
  read_graph_file(path, "graph:" + path);
}

// A few bytes may ask for a multinode broadcast among thousands of nodes, which is tens of millions of
// destinations: correct, but seconds for each input.
constexpr std::uint64_t kMostDestinations = 1U << 20;

void check_and_read_again(const ReadSchedule& read) {
  if (read.schedule.packets.destination_count() > kMostDestinations) return;
  check_schedule(read.schedule);
  const std::string path = path_of("_again.json");
  write_any_schedule(read.schedule, path);
  const ReadSchedule again = read_any_schedule(path, {});
  if (!(again.schedule.packets == read.schedule.packets)) fail("other packets after writing and reading");
  if (!(again.schedule.sends == read.schedule.sends)) fail("other sends after writing and reading");
}

void read_schedule(const std::string& ending, const Bytes& bytes, bool compress = false) {
  const std::string path = path_of(ending);
  compress ? write_compressed(path, bytes) : write_file(path, bytes);
  check_and_read_again(read_any_schedule(path, {.topology = "ring:4", .ports = PortModel::kOnePort}));
}

struct Reader {
  std::string name;
  std::function<void(const Bytes&)> read;
};

const std::vector<Reader>& readers() {
  const auto graph = [](const std::string& name, const std::string& ending) {
    return Reader{name, [ending](const Bytes& bytes) { read_graph(ending, bytes); }};
  };
  static const std::vector<Reader> list{
      {"topology", [](const Bytes& bytes) { make_topology(bytes); }},
      graph("edges", ".edges"),
      graph("dot", ".dot"),
      graph("gml", ".gml"),
      graph("graphml", ".graphml"),
      graph("network_json", ".json"),
      graph("anynet", ".anynet"),
      graph("astra", ".yml"),
      graph("nccl", ".xml"),
      graph("nvidia", ".txt"),
      graph("edgelist", ".edgelist"),
      graph("adjlist", ".adjlist"),
      {"schedule", [](const Bytes& bytes) { read_schedule(".json", bytes); }},
      {"schedule_gz", [](const Bytes& bytes) { read_schedule(".json.gz", bytes, true); }},
      {"damaged_gz", [](const Bytes& bytes) { read_schedule(".json.gz", bytes); }},
      {"sccl", [](const Bytes& bytes) { read_schedule(".msccl.json", bytes); }},
      {"msccl", [](const Bytes& bytes) { read_schedule(".xml", bytes); }},
      {"chakra_json", [](const Bytes& bytes) { parse_chakra_json(bytes, "trace.json"); }},
      {"chakra_protobuf", [](const Bytes& bytes) { parse_chakra_protobuf(bytes, "trace.et"); }},
      {"active_set",
       [](const Bytes& bytes) {
         static const Graph mesh = make_topology("mesh:4x5");
         parse_active_nodes("--active", bytes, mesh);
       }},
      {"traffic",
       [](const Bytes& bytes) {
         static const Graph ring = make_topology("ring:8");
         const std::string path = path_of(".trace");
         write_file(path, bytes);
         read_traffic_trace(path, ring);
       }},
      {"fractions", [](const Bytes& bytes) { parse_fractions("--sweep", bytes, 100); }},
  };
  return list;
}

const Reader* chosen = nullptr;

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  (void)count;
  const std::string name = std::filesystem::path((*words)[0]).filename().string();
  for (const Reader& reader : readers()) {
    if (reader.name == name) chosen = &reader;
  }
  if (chosen != nullptr) return 0;
  for (const Reader& reader : readers()) fmt::print("{}\n", reader.name);  // for scripts/fuzz
  std::exit(0);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    chosen->read({reinterpret_cast<const char*>(data), size});
  } catch (const std::invalid_argument& error) {
    if (std::string(error.what()).find('\n') != std::string::npos)
      fail(fmt::format("an error of several lines: {}", error.what()));
  } catch (const std::exception& error) {
    fail(fmt::format("another exception than std::invalid_argument: {}", error.what()));
  }
  return 0;
}
