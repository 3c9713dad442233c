#include "cpp_model/schedule/schedule_keys.hpp"

#include <algorithm>

namespace safnet::schedule_format {

bool reads_a_file(const std::string& spelling) { return spelling.find("graph:") != std::string::npos; }

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

bool is_node_name(const std::string& name) {
  const auto legal = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && name.size() <= kLongestNodeName && std::all_of(name.begin(), name.end(), legal) &&
         name.find_first_not_of("0123456789") != std::string::npos;
}

}  // namespace safnet::schedule_format
