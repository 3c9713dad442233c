#include "cpp_model/graph/file/named_edges.hpp"

#include <stdexcept>

#include "cpp_model/graph/topology.hpp"

namespace safnet {

NodeId NameTable::number_of(std::string_view name) {
  const auto known = numbers_.find(name);
  if (known != numbers_.end()) return known->second;
  if (names_.size() == kMaxNodes) throw std::length_error("too many names");
  const auto number = static_cast<NodeId>(names_.size());
  names_.emplace_back(name);
  numbers_.emplace(names_.back(), number);
  return number;
}

}  // namespace safnet
