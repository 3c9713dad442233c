// schedule_texts - files of schedules for tests: a folder for them, texts that can be read, ways to change
// these, and what is said of a file that is refused.
#pragma once

#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "cpp_model/schedule/schedule_reader.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {

/// A folder that lives as long as the object.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "safnet_schedules_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no folder for files");
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(path_), {}));
  }

 private:
  std::filesystem::path path_;
};

/// What is in a file.
inline std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Writes a file. An old one is removed first: some file systems wait for the disk when a file is
/// overwritten.
inline void put_bytes(const std::string& path, const std::string& bytes) {
  std::filesystem::remove(path);
  std::ofstream(path, std::ios::binary) << bytes;
}

/// The bytes compressed, as in a .gz file.
inline std::string gzipped(const std::string& bytes) {
  const Folder folder;
  const std::string path = folder.file("a.gz");
  gzFile file = ::gzopen(path.c_str(), "wb");
  ::gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  ::gzclose(file);
  return bytes_of(path);
}

inline std::string repeated(const std::string& text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

/// The text with the first occurrence of a part changed, which must be there.
inline std::string with(std::string text, const std::string& part, const std::string& other) {
  const std::size_t at = text.find(part);
  if (at == std::string::npos) throw std::logic_error("no such part: " + part);
  return text.replace(at, part.size(), other);
}

/// Both have the same nodes and links, with the same names.
inline void check_same_network(const Graph& a, const Graph& b) {
  CHECK(a.spelling() == b.spelling());
  REQUIRE(a.node_count() == b.node_count());
  for (NodeId v = 0; v < a.node_count(); ++v) {
    CHECK(a.node_name(v) == b.node_name(v));
    REQUIRE(a.degree(v) == b.degree(v));
    for (PortId p = 0; p < a.degree(v); ++p) REQUIRE(a.peer(v, p) == b.peer(v, p));
  }
}

/// Both are the same in all that a file holds.
inline void check_same(const Schedule& a, const Schedule& b) {
  check_same_network(a.network, b.network);
  CHECK(a.ports == b.ports);
  CHECK(a.slot_cycles == b.slot_cycles);
  CHECK(a.link_latency == b.link_latency);
  CHECK(a.operation == b.operation);
  CHECK(a.packets == b.packets);
  CHECK((a.sends == b.sends));
  CHECK(a.collective == b.collective);
  CHECK(a.root == b.root);
  CHECK(a.algorithm == b.algorithm);
  CHECK(a.description == b.description);
}

/// The message with which reading the file fails; "read" if it can be read.
inline std::string answer(const std::string& path) {
  try {
    read_schedule(path);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "read";
}

/// A message is one line of printable characters, not too long, with the file's name in it.
inline void check_one_line(const std::string& message, const std::string& name) {
  CHECK_THAT(message, Catch::Contains(name) && Catch::Contains(": "));
  CHECK(std::all_of(message.begin(), message.end(), [](char c) { return c >= ' ' && c <= '~'; }));
  CHECK(message.size() < 500);
}

/// A file with every key.
inline const std::string kGood = R"({
 "format": "safnet-schedule",
 "version": 1,
 "description": "d",
 "algorithm": "a",
 "collective": "partial-gather",
 "root": 1,
 "ports": "all",
 "slot_cycles": 4,
 "link_latency": 2,
 "operation": "max",
 "network": "ring:4",
 "packets": {
  "flits": 3,
  "origin": [0,1,2],
  "tag": [5,6,7],
  "destinations": [1,[2,3],[]],
  "parts": [[],[],[0,1]]
 },
 "sends": {
  "slot": [1,3],
  "count": [2,1],
  "link": [0,7,2],
  "packet": [0,1,2]
 }
}
)";
/// The same, its packets said in one word.
inline const std::string kOfCollective = with(
    kGood, kGood.substr(kGood.find("\"flits\""), kGood.find(" },\n \"sends\"") - kGood.find("\"flits\"")),
    "\"of\": \"collective\", \"flits\": 2, \"active\": [0,3]");
/// The same on a network that is given port by port.
inline const std::string kPortByPort =
    with(kGood, "\"ring:4\"", R"({"name": "n", "nodes": ["a","b"], "ports": [[[1,0],[1,1]],[[0,0],[0,1]]]})");

}  // namespace safnet::testbench
