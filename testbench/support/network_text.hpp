// network_text - networks from the texts of files, for tests of their readers.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/graph/file/notes.hpp"
#include "cpp_model/graph/topology.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {

// A file that lives as long as the object.
class GraphFile {
 public:
  explicit GraphFile(const std::string& text, const std::string& extension = ".txt")
      : path_(std::filesystem::temp_directory_path() /
              ("safnet_test_" + std::to_string(::getpid()) + extension)) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~GraphFile() { std::filesystem::remove(path_); }
  GraphFile(const GraphFile&) = delete;
  GraphFile& operator=(const GraphFile&) = delete;
  std::string spelling() const { return "graph:" + path_.string(); }

 private:
  std::filesystem::path path_;
};

/// What readers note while the object lives.
class Notes {
 public:
  Notes() {
    note_taker() = [this](const std::string& text) { text_ += text + "\n"; };
  }
  ~Notes() { note_taker() = {}; }
  Notes(const Notes&) = delete;
  Notes& operator=(const Notes&) = delete;
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

inline Graph graph_of(const std::string& text, const std::string& extension = ".txt") {
  return make_topology(GraphFile(text, extension).spelling());
}

inline std::string error_of(const std::string& text, const std::string& extension = ".txt") {
  const GraphFile file(text, extension);
  try {
    make_topology(file.spelling());
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

// Each text with what its error must say.
inline void check_errors(const std::vector<std::pair<std::string, std::string>>& wrong,
                         const std::string& extension = ".txt") {
  for (const auto& [text, message] : wrong) {
    CAPTURE(text.substr(0, 200));
    const std::string error = error_of(text, extension);
    CHECK_THAT(error, Catch::Contains(message));
    CHECK_THAT(error, Catch::Contains("safnet_test_"));
    CHECK(error.find('\n') == std::string::npos);
    CHECK(error.size() < 400);
  }
}

// Nodes and where their ports lead, in one line.
inline std::string wiring(const Graph& graph) {
  std::string text;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    text += graph.node_name(v) + ":";
    for (PortId p = 0; p < graph.degree(v); ++p) text += " " + graph.node_name(graph.peer(v, p).node);
    text += v + 1 < graph.node_count() ? "; " : "";
  }
  return text;
}

inline std::string repeated(const std::string& text, std::size_t times) {
  std::string result;
  for (std::size_t i = 0; i < times; ++i) result += text;
  return result;
}

}  // namespace safnet::testbench
