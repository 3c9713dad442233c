#include "cpp_model/interchange/transfer_table.hpp"

namespace safnet {

void write_transfer_table(const Recording&, const std::string&) {}

}  // namespace safnet
