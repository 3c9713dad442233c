// convert - `safnet convert`: translate a schedule into another format.
#include <fmt/format.h>

#include <memory>

#include "cpp_model/graph/text.hpp"
#include "sim/command/commands.hpp"
#include "sim/command/options.hpp"

namespace safnet {
namespace {

int convert(const ScheduleSource& source, const std::string& output) {
  require_schedule_file("output", output);
  const ReadSchedule file = source.read();
  write_any_schedule(file.schedule, output);
  for (const std::string& remark : file.remarks) fmt::print("read     {}\n", remark);
  fmt::print("written  {}: {} packets, {} sends\n", one_line(output), file.schedule.packets.size(),
             file.schedule.sends.size());
  return 0;
}

}  // namespace

Action declare_convert(CLI::App& command) {
  command.description("translate a schedule into another format");
  auto source = std::make_shared<ScheduleSource>();
  auto output = std::make_shared<std::string>();
  source->declare(command);
  command.add_option("output", *output, "FILE.json, .json.gz, .msccl.json or .xml")->required();
  return [source, output] { return convert(*source, *output); };
}

}  // namespace safnet
