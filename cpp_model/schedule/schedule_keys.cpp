#include "cpp_model/schedule/schedule_keys.hpp"

namespace safnet::schedule_format {

bool reads_a_file(const std::string& spelling) { return spelling.find("graph:") != std::string::npos; }

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

}  // namespace safnet::schedule_format
