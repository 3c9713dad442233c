// Files of schedules of any format, which their names tell.
#include <unistd.h>

#include <filesystem>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/interchange/any_schedule.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/interchange_schedules.hpp"

using namespace safnet;
using namespace safnet::testbench;

TEST_CASE("a schedule file's name says its format", "[interchange]") {
  const std::string base =
      (std::filesystem::temp_directory_path() / ("safnet_interchange_" + std::to_string(::getpid())))
          .string();
  const Schedule schedule = planned("ring:5", CollectiveKind::kTotalExchange, PortModel::kOnePort, 0, 11);
  const ScheduleReading onto{"ring:5", PortModel::kOnePort};
  for (const std::string ending : {".msccl.json", ".xml", ".json", ".json.gz"}) {
    CAPTURE(ending);
    write_any_schedule(schedule, base + ending);
    const ReadSchedule again = read_any_schedule(base + ending, onto);
    CHECK(again.schedule.packets == schedule.packets);
    CHECK(again.schedule.ports == PortModel::kOnePort);
    CHECK(steps_of(again.schedule) <= steps_of(schedule));
    if (ending != ".xml") CHECK(again.remarks.back() == "the file holds its network; 'ring:5' is not used");
    for (const std::string& remark : again.remarks) CHECK_THAT(remark, !Catch::Contains("a step later"));
    CHECK_FALSE(std::filesystem::exists(base + ending + ".part"));
    if (ending == ".xml") {
      CHECK_THAT(error_of([&] { read_any_schedule(base + ending, {}); }),
                 Catch::Contains("expected a topology to be named"));
    }
    std::filesystem::remove(base + ending);
  }
  for (const char* name : {"schedule", "schedule.txt", "schedule.xml.gz", "schedule\n.yaml"}) {
    const std::string error = error_of([&] { read_any_schedule(name, onto); });
    CHECK_THAT(error,
               Catch::Contains("expected a name that ends in .json, .json.gz, .msccl.json (SCCL) or .xml"));
    check_one_line(error);
    CHECK(error_of([&] { write_any_schedule(schedule, name); }) == error);
  }
  CHECK_THAT(error_of([&] { read_any_schedule(base + ".xml", onto); }), Catch::Contains("not found"));
  CHECK_THAT(error_of([&] { read_any_schedule(base + ".msccl.json", onto); }), Catch::Contains("not found"));
}
