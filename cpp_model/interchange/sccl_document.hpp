// sccl_document - what an SCCL file says before its steps: network, port model, chunks and where they must
// get to.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// Reads and checks all but the steps. Throws std::invalid_argument with one line that names the file.
class ScclDocument {
 public:
  using Json = nlohmann::json;
  static constexpr std::uint64_t kMaxAddresses = std::uint64_t{1} << 24;
  static constexpr std::uint64_t kMaxRounds = std::uint64_t{1} << 31;

  /// Both must outlive it.
  ScclDocument(const Json& file, const std::string& shown);

 protected:
  struct Address {
    std::uint64_t number = 0;
    std::vector<std::uint32_t> chunks;  // indices into the file's
  };

  const Json& member(const Json& object, const std::string& key, const std::string& where) const;
  const Json& array(const Json& object, const std::string& key, const std::string& where) const;
  std::uint64_t number(const Json& json, std::uint64_t least, std::uint64_t most,
                       const std::string& where) const;
  /// A word, or nothing if there is none.
  std::string word(const Json& object, const std::string& key) const;
  /// A number for an address at a node.
  std::uint64_t place(std::uint32_t address, NodeId v) const { return std::uint64_t{address} * n_ + v; }

  const Json& file_;
  const std::string& shown_;
  const BadFile wrong_;
  Graph graph_;
  NodeId n_ = 0;
  PortModel ports_ = PortModel::kAllPort;
  std::map<std::pair<NodeId, NodeId>, std::uint32_t> links_;   // how many, by source and target
  std::vector<std::vector<NodeId>> pre_, post_;                // by chunk of the file
  std::vector<Address> addresses_;                             // ascending
  std::unordered_map<std::uint64_t, std::uint32_t> index_of_;  // of an address's number

 private:
  static std::string show(const Json& json);
  std::vector<NodeId> nodes(const Json& json, const std::string& where) const;
  Graph read_topology();
  PortModel read_ports();
  void read_instance();
  void read_chunks();
  void check_map(const std::string& key);

  std::uint64_t chunk_up_ = 1;
};

}  // namespace safnet
