#include "cpp_model/interchange/any_schedule.hpp"

#include <cstdint>
#include <filesystem>
#include <utility>

#include "cpp_model/graph/file/bounded_json.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/interchange/msccl_read.hpp"
#include "cpp_model/interchange/msccl_write.hpp"
#include "cpp_model/interchange/sccl_read.hpp"
#include "cpp_model/interchange/sccl_write.hpp"
#include "cpp_model/schedule/schedule_reader.hpp"
#include "cpp_model/schedule/schedule_writer.hpp"
#include "cpp_model/schedule/streamed_file.hpp"
#include "cpp_model/schedule/sum_parts.hpp"
#include "cpp_model/transform/tighten.hpp"

namespace safnet {
namespace {

constexpr std::uintmax_t kMaxForeignBytes = std::uintmax_t{64} << 20;

enum class ScheduleFormat : std::uint8_t { kOurs, kSccl, kMsccl };

ScheduleFormat format_of(const std::string& path) {
  const std::string name = std::filesystem::path(path).filename().string();
  if (name.ends_with(".msccl.json")) return ScheduleFormat::kSccl;
  if (name.ends_with(".xml")) return ScheduleFormat::kMsccl;
  if (name.ends_with(".json") || name.ends_with(".json.gz")) return ScheduleFormat::kOurs;
  throw bad_input("file {}: expected a name that ends in .json, .json.gz, .msccl.json (SCCL) or .xml (MSCCL)",
                  in_quotes(path));
}

// Programs of others know no node that needs a step to go on with a sum.
ReadSchedule with_sums_in_time(ReadSchedule read) {
  Schedule& schedule = read.schedule;
  if (!schedule.is_of_steps() || first_late_sum(schedule).empty()) return read;
  const std::uint32_t before = schedule.last_start();
  std::vector<std::uint32_t> turn;
  for (const Send& send : schedule.sends) turn.push_back(send.start);
  place_in_turn(schedule, turn);
  read.remarks.push_back(
      fmt::format("parts that a node also sends on are in a sum a step later: {} steps, {} without that",
                  schedule.last_start(), before));
  return read;
}

void write_text(const std::string& text, const std::string& path) {
  StreamedOutput out(path);
  out.put(text);
  out.commit();
}

}  // namespace

ReadSchedule read_any_schedule(const std::string& path, const ScheduleReading& reading) {
  const ScheduleFormat format = format_of(path);
  const std::string shown = one_line(path);
  if (format == ScheduleFormat::kMsccl) {
    if (reading.topology.empty()) {
      throw bad_input("file {}: MSCCL programs hold no network; expected a topology to be named",
                      in_quotes(path));
    }
    const Graph network = make_topology(reading.topology);
    return with_sums_in_time(
        read_msccl(read_bounded_file(path, kMaxForeignBytes), shown, network, reading.ports, reading.msccl));
  }
  ReadSchedule result = format == ScheduleFormat::kSccl
                            ? with_sums_in_time(read_sccl(read_bounded_file(path, kMaxForeignBytes), shown))
                            : ReadSchedule{read_schedule(path), {}};
  if (!reading.topology.empty()) {
    result.remarks.push_back(
        fmt::format("the file holds its network; {} is not used", in_quotes(reading.topology)));
  }
  if (!reading.msccl.collective.empty()) {
    result.remarks.push_back(
        fmt::format("the file's own collective counts; {} is not used", in_quotes(reading.msccl.collective)));
  }
  return result;
}

void write_any_schedule(const Schedule& schedule, const std::string& path) {
  switch (format_of(path)) {
    case ScheduleFormat::kSccl:
      return write_text(sccl_text(schedule), path);
    case ScheduleFormat::kMsccl:
      return write_text(msccl_text(schedule), path);
    case ScheduleFormat::kOurs:
      return write_schedule(schedule, path);
  }
}

}  // namespace safnet
