#include "cpp_model/algorithm/partial/partial_broadcast_schedule.hpp"

#include <algorithm>
#include <utility>

#include "cpp_model/algorithm/partial/partial_schedule_writer.hpp"

namespace safnet {

Schedule schedule_of_plan(const DigitNetwork& network, const PartialBroadcastSettings& settings,
                          const PartialPlan& plan) {
  const std::uint32_t halves = pieces(network.shape(), settings);
  PartialScheduleWriter writer(network, settings.latency, halves == 2,
                               PartialScheduleWriter::Purpose::kCheck);
  std::vector<OwnedPacket> packets;
  for (const RankedPacket& packet : plan.packets) packets.push_back({packet});
  writer.begin(packets);
  for (const PartialTransfer& transfer : plan.transfers) writer.add(transfer);
  if (std::ranges::count(plan.transfers, PartialTransferKind::kAccumulation, &PartialTransfer::kind) != 0)
    writer.finish_results(broadcast_flits(network.shape(), settings), halves);
  return std::move(writer.take().schedule);
}

}  // namespace safnet
