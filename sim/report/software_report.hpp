// software_report - a collective done by the hosts' software, in words and as JSON.
#pragma once

#include <string>

#include "sim/report/report.hpp"
#include "sim/run/software_run.hpp"

namespace safnet {

Json to_json(const SoftwareRequest& request, const PacketRoutes& routes, const SoftwareResult& result);
std::string to_text(const SoftwareRequest& request, const PacketRoutes& routes, const SoftwareResult& result);

}  // namespace safnet
