#include "cpp_model/systemc/timetable_node.hpp"

#include <algorithm>

namespace safnet::reference {
namespace {

constexpr PortSet bit_of(std::size_t place) { return place < kMaxDegree ? PortSet{1} << place : 0; }
constexpr std::size_t kLateListed = 4;

}  // namespace

TimetableNode::TimetableNode(const sc_core::sc_module_name& name, const Graph& graph, NodeId id,
                             const ReferenceProgram& program, const TimetableParameters& parameters,
                             ReferenceHosts& hosts, RunLog& log)
    : Clocked(name),
      started("started"),
      in("in", graph.in_degree(id)),
      out("out", graph.degree(id)),
      credit_in("credit_in", graph.degree(id)),
      credit_out("credit_out", graph.in_degree(id)),
      id_(id),
      inputs_(graph.in_degree(id)),
      outputs_(graph.degree(id)),
      hosts_(hosts),
      log_(log),
      port_model_(parameters.ports),
      operation_(parameters.operation),
      slot_cycles_(parameters.slot_cycles),
      window_(parameters.window),
      buffers_(make_buffers(program)),
      lanes_(inputs_ + 1 + program.loopbacks.size()),
      sends_(outputs_ + program.loopbacks.size()),
      inside_(1 + program.loopbacks.size()),
      loopback_credit_(program.loopbacks.size()),
      loads_(program.loads) {
  for (const ReferenceLoad& load : loads_) load_receives_.push_back(load.receive);
  const auto give = [](auto& to, const auto& list) {
    to.program = list.data();
    to.length = list.size();
  };
  for (PortId q = 0; q < inputs_; ++q) give(lanes_[q], program.receives[q]);
  give(lanes_[host_lane()], load_receives_);
  for (PortId p = 0; p < outputs_; ++p) {
    give(sends_[p], program.sends[p]);
    sends_[p].cycles_per_flit = graph.timing(graph.link(id, p)).cycles_per_flit;
  }
  for (std::size_t k = 0; k < program.loopbacks.size(); ++k) {
    give(lanes_[host_lane() + 1 + k], program.loopbacks[k].receives);
    give(sends_[outputs_ + k], program.loopbacks[k].sends);
  }
  for (const Lane& lane : lanes_) log_.outstanding += lane.length;
  for (const Output& output : sends_) log_.outstanding += output.length;
  record_.counters.sent.resize(outputs_);
  record_.counters.received.resize(inputs_);
}

std::vector<TimetableNode::Buffer> TimetableNode::make_buffers(const ReferenceProgram& program) {
  std::size_t buffers = 0;
  const auto count = [&buffers](const auto& instructions) {
    for (const auto& instruction : instructions)
      buffers = std::max(buffers, std::size_t{instruction.buffer} + 1);
  };
  for (const auto& sends : program.sends) count(sends);
  for (const auto& receives : program.receives) count(receives);
  for (const ReferenceLoopback& loopback : program.loopbacks) {
    count(loopback.sends);
    count(loopback.receives);
  }
  for (const ReferenceLoad& load : program.loads)
    buffers = std::max(buffers, std::size_t{load.receive.buffer} + 1);
  return std::vector<Buffer>(buffers);
}

void TimetableNode::on_edge() {
  ++edge_;
  if (started.read()) ++cycle_;
  take_arrivals();
  free_buffers();
  take_credits();
  drive_credits();
  grant();
  start_sends();
  drive_flits();
  give_load();
}

// ---- what came in the cycle before ----

void TimetableNode::take_arrivals() {
  std::vector<std::pair<std::size_t, TimetableFlit>> arrived;
  for (PortId q = 0; q < inputs_; ++q) {
    if (in[q].read().valid) arrived.emplace_back(q, in[q].read());
  }
  if (arrived.size() > 1 && port_model_ == PortModel::kOnePort) {
    if (record_.counters.violations++ == 0) record_.counters.first_violation_cycle = cycle_before();
  }
  for (std::size_t k = 0; k < inside_.size(); ++k) {
    if (inside_[k].valid) arrived.emplace_back(host_lane() + k, inside_[k]);
    inside_[k] = {};
  }
  for (const auto& [lane, flit] : arrived) take_flit(lane, flit);
  // What is combined of the flits of this cycle is known only now.
  for (const auto& [lane, flit] : arrived) pass_to_host(lane, flit);
  for (const auto& [lane, flit] : arrived) {
    if (flit.index + 1 != flit.flits) continue;
    const ReferenceReceive& what = current(lanes_[lane]);
    if (!what.stores && !what.combines) continue;
    Buffer& buffer = buffers_[what.buffer];
    ++buffer.ended;
    if (buffer.used_up()) used_up_.push_back(what.buffer);
  }
}

void TimetableNode::take_flit(std::size_t number, const TimetableFlit& flit) {
  Lane& lane = lanes_[number];
  // It has been granted: its sender spent a credit on it.
  if (lane.flits == 0) begin_packet(number, lane.program[lane.begun++]);
  const ReferenceReceive& what = current(lane);
  if (!what.combines && flit.packet != what.packet) {
    log_.complain("node {}: packet {} came in cycle {}, expected was packet {}", id_, flit.packet,
                  cycle_before(), what.packet);
  }
  if (what.stores || what.combines) store(what, flit);
  ++log_.movements;
  if (++lane.flits < flit.flits) return;
  lane.flits = 0;
  --log_.outstanding;
  if (number < inputs_) ++record_.counters.received[number];
}

void TimetableNode::begin_packet(std::size_t number, const ReferenceReceive& what) {
  if (!what.stores && !what.combines) {
    lanes_[number].passing = std::make_shared<std::vector<ReferenceWords>>();
    return;
  }
  Buffer& buffer = buffers_[what.buffer];
  buffer.parts = what.parts;
  buffer.uses = what.uses;
  ++buffer.begun;
  if (buffer.last_began_at != edge_) buffer.last_lane = number;
  buffer.last_began_at = edge_;
  if (buffer.held) return;
  buffer.held = true;
  record_.peak_held = std::max(record_.peak_held, ++held_buffers_);
}

// The first part that brings a flit is stored as it is, the others are combined with what is there.
void TimetableNode::store(const ReferenceReceive& what, const TimetableFlit& flit) {
  std::vector<ReferenceWords>& words = *buffers_[what.buffer].words;
  if (flit.index >= words.size()) {
    words.push_back(flit.words);
    return;
  }
  ReferenceWords& there = words[flit.index];
  for (std::size_t w = flit.index == 0 ? 1 : 0; w < there.size(); ++w)
    there[w] = combine(operation_, there[w], flit.words[w]);
}

void TimetableNode::pass_to_host(std::size_t number, const TimetableFlit& flit) {
  Lane& lane = lanes_[number];
  const ReferenceReceive& what = current(lane);
  if (!what.delivers) return;
  const bool is_last = flit.index + 1 == flit.flits;
  if (what.stores || what.combines) {
    // The part that begins last brings the sum; of several in one cycle that of the lowest lane.
    const Buffer& buffer = buffers_[what.buffer];
    const bool brings_it = buffer.begun == buffer.parts && buffer.last_lane == number;
    if (brings_it && is_last) deliver(number, flit, what, buffer.words);
    return;
  }
  lane.passing->push_back(flit.words);
  if (is_last) deliver(number, flit, what, lane.passing);
}

void TimetableNode::deliver(std::size_t lane, const TimetableFlit& last, const ReferenceReceive& what,
                            const Words& words) {
  const std::uint32_t cycle = cycle_before(), step = step_of(cycle);
  // A packet keeps its name; a sum has that of the program.
  const PacketIndex packet = what.combines ? what.packet : last.packet;
  hosts_.on_packet({cycle, step, id_, static_cast<std::uint32_t>(lane), packet, last.flits, last.index},
                   *words);
  ReferenceCounters& counters = record_.counters;
  ++counters.delivered;
  counters.last_delivery_cycle = cycle;
  counters.last_delivery_step = step;
  counters.delay_sum += step;
}

// A buffer is in its next generation the cycle after its last send started, or its last flit came.
void TimetableNode::free_buffers() {
  for (const std::uint32_t number : used_up_) {
    Buffer& buffer = buffers_[number];
    granted_buffers_ -= buffer.granted ? 1 : 0;
    held_buffers_ -= buffer.held ? 1 : 0;
    const std::uint32_t next = buffer.generation + 1;
    buffer = {};
    buffer.generation = next;
  }
  used_up_.clear();
}

// ---- credits and grants ----

void TimetableNode::take_credits() {
  for (PortId p = 0; p < outputs_; ++p) {
    if (!credit_in[p].read()) continue;
    ++sends_[p].credits;
    ++log_.movements;
  }
  for (std::size_t k = 0; k < loopback_credit_.size(); ++k)
    sends_[outputs_ + k].credits += loopback_credit_[k] ? 1 : 0;
}

// The credit of a grant leaves one cycle after it.
void TimetableNode::drive_credits() {
  for (PortId q = 0; q < inputs_; ++q) credit_out[q].write(lanes_[q].just_granted);
  for (std::size_t k = 0; k < loopback_credit_.size(); ++k)
    loopback_credit_[k] = lanes_[host_lane() + 1 + k].just_granted;
  loads_allowed_ = lanes_[host_lane()].granted;
}

void TimetableNode::grant() {
  ReferenceCounters& counters = record_.counters;
  counters.peak_occupancy = std::max(counters.peak_occupancy, granted_buffers_);
  record_.wait_buffer = 0;
  for (std::size_t number = 0; number < lanes_.size(); ++number) {
    Lane& lane = lanes_[number];
    lane.just_granted = false;
    if (lane.granted == lane.length) continue;
    const ReferenceReceive& next = lane.program[lane.granted];
    const bool needs_buffer = next.stores || next.combines;
    if (needs_buffer && buffers_[next.buffer].generation != next.generation) {
      record_.wait_buffer |= bit_of(number);
      continue;
    }
    if (lane.granted - lane.begun >= window_) continue;
    if (needs_buffer) {
      Buffer& buffer = buffers_[next.buffer];
      granted_buffers_ += buffer.granted ? 0 : 1;
      buffer.granted = true;
    }
    ++lane.granted;
    lane.just_granted = true;
    ++log_.movements;
  }
}

// ---- sends ----

bool TimetableNode::is_ready(const ReferenceSend& send) const {
  if (send.own) return true;  // the host always has its next packet at hand
  const Buffer& buffer = buffers_[send.buffer];
  return buffer.generation == send.generation && buffer.complete();
}

// A packet is leaving, or still on a line that is slower than the node.
bool TimetableNode::is_busy(const Output& output) const {
  return output.sending != nullptr || cycle_ < output.line_free_from;
}

void TimetableNode::start_sends() {
  record_.wait_packet = record_.wait_credit = 0;
  if (cycle_ == 0) return;
  const auto is_a_link = [this](std::size_t number) { return number < outputs_; };
  bool link_is_busy = false;
  for (PortId p = 0; p < outputs_; ++p) link_is_busy = link_is_busy || is_busy(sends_[p]);
  for (std::size_t number = 0; number < sends_.size(); ++number) {
    Output& output = sends_[number];
    if (output.begun == output.length || output.program[output.begun].slot > step_of(cycle_)) continue;
    const bool may =
        slot_opens() && (port_model_ == PortModel::kAllPort || !is_a_link(number) || !link_is_busy);
    const bool starts =
        may && !is_busy(output) && output.credits != 0 && is_ready(output.program[output.begun]);
    if (starts) begin_send(output);
    if (!is_a_link(number)) continue;
    link_is_busy = link_is_busy || starts;
    if (starts)
      ++record_.counters.sent[number];
    else
      note_wait(static_cast<PortId>(number));
  }
}

void TimetableNode::begin_send(Output& output) {
  output.sending = &output.program[output.begun++];
  output.line_free_from = cycle_ + output.sending->flits * output.cycles_per_flit;
  output.flits_sent = 0;
  --output.credits;
  if (output.sending->own) return;
  const std::uint32_t number = output.sending->buffer;
  Buffer& buffer = buffers_[number];
  output.words = buffer.words;
  ++buffer.sends_begun;
  if (buffer.used_up()) used_up_.push_back(number);
}

// The next send of a link is due and does not start in this cycle. At the opening of a slot it is late.
void TimetableNode::note_wait(PortId port) {
  Output& output = sends_[port];
  // While the packet before it leaves, it waits for that alone.
  const bool next_to_go = !is_busy(output);
  const bool ready = !next_to_go || is_ready(output.program[output.begun]);
  const bool has_room = !next_to_go || output.credits != 0;
  if (!ready) record_.wait_packet |= bit_of(port);
  if (ready && !has_room) record_.wait_credit |= bit_of(port);
  if (!slot_opens() || output.noted_late == output.begun + 1) return;
  output.noted_late = output.begun + 1;
  ++record_.late;
  if (record_.first_late.size() == kLateListed) return;
  using Reason = ReferenceLateSend::Reason;
  record_.first_late.push_back({port, static_cast<std::uint32_t>(output.begun), cycle_,
                                !ready      ? Reason::kPacket
                                : !has_room ? Reason::kRoom
                                            : Reason::kPort});
}

void TimetableNode::drive_flits() {
  for (std::size_t number = 0; number < sends_.size(); ++number) {
    Output& output = sends_[number];
    const bool is_a_link = number < outputs_;
    const TimetableFlit flit = output.sending != nullptr ? next_flit(output) : TimetableFlit{};
    if (!is_a_link) {
      inside_[number - outputs_ + 1] = flit;
      continue;
    }
    out[number].write(flit);
    if (!flit.valid) continue;
    hosts_.on_link_flit({cycle_, step_of(cycle_), id_, static_cast<std::uint32_t>(number), flit.packet,
                         flit.flits, flit.index},
                        flit.words);
  }
}

TimetableFlit TimetableNode::next_flit(Output& output) {
  const ReferenceSend& send = *output.sending;
  const std::uint32_t index = output.flits_sent++;
  const ReferenceWords words = send.own ? hosts_.words_of(send.packet, index) : (*output.words)[index];
  ++log_.movements;
  if (output.flits_sent == send.flits) {
    output.sending = nullptr;
    --log_.outstanding;
  }
  return {true, send.packet, send.flits, index, words};
}

// The host gives its parts of sums one after the other, a flit a cycle, each when it has been granted.
void TimetableNode::give_load() {
  if (load_flits_ == 0) {
    if (loads_begun_ == loads_.size() || loads_begun_ == loads_allowed_) return;
    if (loads_[loads_begun_].slot > step_of(cycle_)) return;
    ++loads_begun_;
  }
  const ReferenceLoad& load = loads_[loads_begun_ - 1];
  inside_[0] = {true, load.part, load.flits, load_flits_, hosts_.words_of(load.part, load_flits_)};
  if (++load_flits_ == load.flits) load_flits_ = 0;
}

}  // namespace safnet::reference
