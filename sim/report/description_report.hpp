// description_report - what is known of a network, in words and as JSON.
#pragma once

#include "cpp_model/graph/description.hpp"
#include "sim/report/report.hpp"

namespace safnet {

Json to_json(const NetworkDescription& description);
std::string to_text(const NetworkDescription& description);

}  // namespace safnet
