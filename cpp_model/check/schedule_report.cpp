#include "cpp_model/check/schedule_report.hpp"

#include <array>

namespace safnet {

const std::string& to_string(ScheduleRule rule) {
  static const std::array<std::string, 14> names{
      "packet",    "parts",     "collective",   "order", "time",        "link",     "causality",
      "occupancy", "send port", "receive port", "once",  "combination", "delivery", "forwarding"};
  return names.at(static_cast<std::size_t>(rule));
}

}  // namespace safnet
