#include "sim/run/scan_recording.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "cpp_model/algorithm/partial/partial_broadcast_plan.hpp"
#include "cpp_model/algorithm/partial/partial_schedule_writer.hpp"
#include "sim/run/scan_check.hpp"

namespace safnet {
namespace {

// Gives sums on their way the class and the piece that the model has on the same link in the same cycle.
void find_classes(const ScanRequest& request, std::vector<PartialTransfer>& transfers) {
  const PartialPlan plan =
      plan_partial_accumulation(request.network, broadcast_settings(request), request.active);
  std::map<std::pair<std::uint64_t, LinkId>, const PartialTransfer*> planned;
  for (const PartialTransfer& t : plan.transfers) planned[{t.cycle, t.link}] = &t;
  for (PartialTransfer& t : transfers) {
    if (t.kind != PartialTransferKind::kAccumulation) continue;
    const auto found = planned.find({t.cycle, t.link});
    if (found == planned.end() || found->second->kind != t.kind || found->second->rank != t.rank) continue;
    t.packet_class = found->second->packet_class;
    t.piece = found->second->piece;
  }
}

}  // namespace

Recording recording_of(const ScanRequest& request, const ScanSettings& settings, ScanTrace trace) {
  const bool accumulates = settings.operation == ScanOperation::kAccumulate;
  PartialScheduleWriter writer(request.network, static_cast<std::uint32_t>(request.link_latency),
                               settings.two_pieces, PartialScheduleWriter::Purpose::kView);
  for (SeenInterval& interval : trace.intervals) {
    if (accumulates) find_classes(request, interval.transfers);
    writer.begin(interval.packets);
    for (const PartialTransfer& transfer : interval.transfers) writer.add(transfer);
    if (accumulates) writer.finish_results(settings.cast_flits, settings.two_pieces ? 2 : 1);
    interval = {};
  }
  Recording recording = writer.take();
  recording.schedule.collective = to_string(request.collective);
  recording.schedule.description = "what the hardware did";
  for (const auto& [first_cycle, interval, phase] : trace.phases) {
    const char* words = kScanPhaseWords.at(static_cast<std::size_t>(phase));
    recording.phases.push_back(
        {first_cycle, settings.repeat ? fmt::format("interval {}, {}", interval, words) : words});
  }
  return recording;
}

}  // namespace safnet
