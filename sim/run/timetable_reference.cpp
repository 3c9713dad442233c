#include "sim/run/timetable_reference.hpp"

#include <algorithm>

#include "sim/tdm/tdm_format.hpp"

namespace safnet {

ReferenceWords TimetableHosts::words_of(PacketIndex packet, std::uint32_t index) {
  const auto operation = static_cast<std::uint32_t>(operation_);
  return {index == 0 ? 0 : tdm_word(packet, 2 * index - 1, operation),
          tdm_word(packet, 2 * index, operation)};
}

ReferenceWords TimetableHosts::with_header(const ReferenceFlit& flit, ReferenceWords words) const {
  if (flit.index == 0) words[0] = tdm_header(flit.packet, flit.flits, parameters_.name_width);
  return words;
}

// The hardware's lanes are numbered by the ports that a node is built with; the reference may have more
// loopbacks than the hardware.
std::uint32_t TimetableHosts::lane_of(const ReferenceFlit& flit) const {
  const PortId inputs = graph_.in_degree(flit.node);
  if (flit.port < inputs) return flit.port;
  const std::uint32_t inside =
      std::min(flit.port - inputs, static_cast<std::uint32_t>(parameters_.loopbacks));
  return static_cast<std::uint32_t>(parameters_.radix) + inside;
}

void TimetableHosts::on_link_flit(const ReferenceFlit& flit, const ReferenceWords& words) {
  const ReferenceWords whole = with_header(flit, words);
  observer_.on_link_flit(
      {{flit.cycle, flit.step}, flit.node, flit.port, whole.data(), flit.index + 1 == flit.flits});
}

void TimetableHosts::on_packet(const ReferenceFlit& last, const std::vector<ReferenceWords>& words) {
  ReferenceFlit flit = last;
  for (flit.index = 0; flit.index < words.size(); ++flit.index) {
    const ReferenceWords whole = with_header(flit, words[flit.index]);
    observer_.on_delivered_flit(
        {{last.cycle, last.step}, last.node, lane_of(last), whole.data(), flit.index + 1 == words.size()});
  }
}

TimetableReference::TimetableReference(const Schedule& schedule, const TdmParameters& parameters,
                                       MachineObserver* observer)
    : schedule_(schedule), parameters_(parameters), observer_(observer) {}

NetworkTime TimetableReference::clock() {
  if (!started_ || ran_) return {};
  ran_ = true;
  TimetableHosts hosts(schedule_.network, schedule_.operation, parameters_, *observer_);
  run_ = run_reference_timetable(
      schedule_, timetable_parameters(schedule_, static_cast<std::uint32_t>(parameters_.window)), hosts);
  return {};
}

NodeCounters TimetableReference::counters(std::uint32_t node) const {
  const TimetableNodeRecord& record = run_.nodes[node];
  NodeCounters counters;
  counters.sent = record.counters.sent;
  counters.received = record.counters.received;
  counters.delivered = record.counters.delivered;
  counters.last_delivery_cycle = record.counters.last_delivery_cycle;
  counters.last_delivery_step = record.counters.last_delivery_step;
  counters.delay_sum = record.counters.delay_sum;
  counters.violations = record.counters.violations;
  counters.first_violation_cycle = record.counters.first_violation_cycle;
  counters.peak_occupancy = record.peak_held;
  counters.late = record.late;
  return counters;
}

NodeStatus TimetableReference::status(std::uint32_t node) const {
  const TimetableNodeRecord& record = run_.nodes[node];
  NodeStatus status;
  status.idle = !run_.stuck;
  // No packet waits for a buffer, as each has its own.
  status.wait_packet = record.wait_packet;
  status.wait_credit = record.wait_credit;
  status.sent = record.counters.sent;
  status.received = record.counters.received;
  for (const ReferenceLateSend& late : record.first_late)
    status.first_late.push_back(
        {late.port, late.number, late.cycle, static_cast<LateSend::Reason>(late.reason)});
  return status;
}

}  // namespace safnet
