#include "cpp_model/interchange/perfetto.hpp"

namespace safnet {

void write_perfetto(const Recording&, const CycleRange&, const std::string&) {}

}  // namespace safnet
