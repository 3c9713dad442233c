#include "sim/fault/fault_tap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "cpp_model/number/bits.hpp"

namespace safnet {
namespace {

std::uint64_t bit_of(std::uint32_t port) { return std::uint64_t{1} << port % 64; }
void put_bit(std::uint64_t& bits, std::uint32_t port, bool value) {
  bits = (bits & ~bit_of(port)) | (value ? bit_of(port) : 0);
}
void wake(FabricWires& wires, std::uint32_t node) {
  wires.now.wakes[0][node / 64] |= std::uint64_t{1} << node % 64;
}
std::size_t word_of(const FabricWires& wires, std::uint32_t node, std::uint32_t port) {
  return std::size_t{node} * wires.output_words() + port / 64;
}
std::size_t flit_words(const FabricWires& wires) { return wires.now.flits.size() / wires.feeders.size(); }
std::size_t flit_place(const FabricWires& wires, std::uint32_t node, std::uint32_t port) {
  return (std::size_t{node} * wires.radix + port) * flit_words(wires);
}
// One of the bits that are set, the same for the same number.
std::uint32_t one_of(std::uint64_t bits, std::uint64_t number) {
  const auto skipped = static_cast<int>(mixed_bits(number) % static_cast<unsigned>(std::popcount(bits)));
  for (int i = 0; i < skipped; ++i) bits &= bits - 1;
  return static_cast<std::uint32_t>(std::countr_zero(bits));
}

}  // namespace

FaultTap::FaultTap(const Graph& graph, const Fault& fault, const FlitFields& fields, std::uint32_t delay,
                   std::uint64_t most_cycles)
    : graph_(graph), fault_(fault), fields_(fields), delay_(delay), most_cycles_(most_cycles) {
  if (fault.kind != FaultKind::kNone && !name_of(fault.kind).of_node)
    target_ = graph.peer(fault.node, fault.port);
}

void FaultTap::strike() {
  if (!struck_) struck_ = now_.cycle;
}

std::uint32_t FaultTap::clocked_node() const {
  const bool clocked = fault_.kind == FaultKind::kStoppedNode || fault_.kind == FaultKind::kResetNode;
  return clocked ? fault_.node : Wire::kNowhere;
}

NodeClock FaultTap::clock_of_node() const {
  if (fault_.kind == FaultKind::kStoppedNode && is_active()) return NodeClock::kStands;
  if (fault_.kind == FaultKind::kResetNode && struck_ && *struck_ == now_.cycle && !done_)
    return NodeClock::kResets;
  return NodeClock::kRuns;
}

std::uint64_t FaultTap::kept_back() const {
  const auto late = std::ranges::count_if(late_, [](const Crossing& each) { return each.any(); });
  return static_cast<std::uint64_t>(late) + backlog_.size();
}

void FaultTap::before_sampling(NetworkTime now, FabricWires& wires) {
  // The network's time stands still in the cycle of the start: that is no further cycle.
  if (fault_.kind == FaultKind::kResetNode && struck_ && now.cycle != *struck_) done_ = true;
  now_ = now;
  if (++cycles_ > most_cycles_)
    throw EndlessRun(fmt::format("the run has not ended after {} cycles", most_cycles_));
  if (fault_.kind == FaultKind::kNone) return;
  if (name_of(fault_.kind).of_node) {
    if (!is_active()) return;
    strike();
    if (fault_.kind == FaultKind::kDeadNode) isolate(wires);
    return;
  }
  const Crossing seen = seen_on(wires);
  const Crossing given = changed(seen);
  if (given == seen) return;
  strike();
  put(wires, given);
}

void FaultTap::after_sampling(FabricWires& wires) {
  for (const auto& [word, outputs] : as_sent_) wires.now.outputs[word] = outputs;
  for (const auto& [place, word] : words_sent_) wires.now.flits[place] = word;
  as_sent_.clear();
  words_sent_.clear();
}

// Notes what a node's ports drive, before the first change of a cycle.
void FaultTap::keep(FabricWires& wires, std::size_t word) {
  const auto same = [&](const auto& kept) { return kept.first == word; };
  if (std::ranges::none_of(as_sent_, same)) as_sent_.emplace_back(word, wires.now.outputs[word]);
}

FaultTap::Crossing FaultTap::seen_on(const FabricWires& wires) const {
  const NodeOutputs& there = wires.now.outputs[word_of(wires, fault_.node, fault_.port)];
  const NodeOutputs& back = wires.now.outputs[word_of(wires, target_.node, target_.port)];
  Crossing seen;
  seen.valid = (there.valid & bit_of(fault_.port)) != 0;
  seen.request = (there.request & bit_of(fault_.port)) != 0;
  seen.credit = (back.credit & bit_of(target_.port)) != 0;
  seen.grant = (back.grant & bit_of(target_.port)) != 0;
  if (seen.valid) {
    const auto first =
        wires.now.flits.begin() + static_cast<std::ptrdiff_t>(flit_place(wires, fault_.node, fault_.port));
    seen.flit.assign(first, first + static_cast<std::ptrdiff_t>(flit_words(wires)));
  }
  return seen;
}

void FaultTap::put(FabricWires& wires, const Crossing& given) {
  const std::size_t there = word_of(wires, fault_.node, fault_.port),
                    back = word_of(wires, target_.node, target_.port);
  keep(wires, there);
  keep(wires, back);
  put_bit(wires.now.outputs[there].valid, fault_.port, given.valid);
  put_bit(wires.now.outputs[there].request, fault_.port, given.request);
  put_bit(wires.now.outputs[back].credit, target_.port, given.credit);
  put_bit(wires.now.outputs[back].grant, target_.port, given.grant);
  if (given.valid) {
    const std::size_t place = flit_place(wires, fault_.node, fault_.port);
    for (std::size_t w = 0; w < given.flit.size(); ++w) {
      words_sent_.emplace_back(place + w, wires.now.flits[place + w]);
      wires.now.flits[place + w] = given.flit[w];
    }
  }
  wake(wires, target_.node);
  wake(wires, fault_.node);
}

FaultTap::Crossing FaultTap::changed(const Crossing& seen) {
  using K = FaultKind;
  Crossing given = seen;
  if (!is_active()) {
    change_flits(seen, given);  // which counts them
    return given;
  }
  const auto once = [this](bool& wire, bool to) {
    if (done_ || wire == to) return;
    wire = to;
    done_ = true;
  };
  switch (fault_.kind) {
    case K::kDeadLink:
      return {};
    case K::kSlowLink:
      late_.push_back(seen);
      if (late_.size() <= delay_) return {};
      given = std::move(late_.front());
      late_.pop_front();
      return given;
    case K::kLostCredit:
      once(given.credit, false);
      break;
    case K::kNoCredits:
      given.credit = false;
      break;
    case K::kExtraCredit:
      once(given.credit, true);
      break;
    case K::kStuckCredit:
      given.credit = true;
      break;
    case K::kLostRequest:
      once(given.request, false);
      break;
    case K::kNoRequests:
      given.request = false;
      break;
    case K::kLostGrant:
      once(given.grant, false);
      break;
    case K::kNoGrants:
      given.grant = false;
      break;
    case K::kExtraGrant:
      once(given.grant, true);
      break;
    case K::kStuckGrant:
      given.grant = true;
      break;
    default:
      change_flits(seen, given);
      break;
  }
  return given;
}

// Faults of flits. A packet's flits cross in a row, and all packets are equally long.
void FaultTap::change_flits(const Crossing& seen, Crossing& given) {
  using K = FaultKind;
  std::uint32_t place = 0;
  if (seen.valid && now_.cycle >= fields_.first_cycle)
    place = static_cast<std::uint32_t>(flits_seen_++ % fields_.flits);
  switch (fault_.kind) {
    case K::kDropFlit:
      if (is_active() && seen.valid && !done_) {
        given.valid = false;
        done_ = true;
      }
      break;
    case K::kDropPacket:
      if (is_active() && seen.valid && !done_ && (struck_ || place == 0)) {
        given.valid = false;
        done_ = place + 1 == fields_.flits;
      }
      break;
    case K::kRepeatFlit:
    case K::kRepeatPacket:
      repeat(seen, given, place);
      break;
    case K::kCorruptLabel:
    case K::kCorruptHeader:
    case K::kCorruptPayload:
      if (is_active() && seen.valid && !done_) corrupt(given, place);
      break;
    default:
      break;
  }
  if (!given.valid) given.flit.clear();
}

void FaultTap::repeat(const Crossing& seen, Crossing& given, std::uint32_t place) {
  const bool whole = fault_.kind == FaultKind::kRepeatPacket;
  if (seen.valid && (done_ || !backlog_.empty())) backlog_.push_back(seen.flit);
  if (is_active() && seen.valid && !done_ && (!whole || place == 0 || !repeated_.empty())) {
    repeated_.push_back(seen.flit);
    if (!whole || place + 1 == fields_.flits) {
      backlog_.insert(backlog_.end(), repeated_.begin(), repeated_.end());
      done_ = true;
      strike();
      return;  // the flit itself crosses now
    }
  }
  if (backlog_.empty()) return;
  given.valid = true;
  given.flit = std::move(backlog_.front());
  backlog_.pop_front();
}

void FaultTap::corrupt(Crossing& given, std::uint32_t place) {
  const std::uint64_t all =
      fields_.flit_bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << fields_.flit_bits) - 1;
  std::uint64_t bits = 0;
  if (fault_.kind == FaultKind::kCorruptPayload) {
    const bool later = fields_.flits > 1 && now_.cycle >= fields_.first_cycle;
    if (later != (place != 0)) return;  // of packets of several flits, one that is not the first
    bits = later ? all : fields_.first_payload & ~fields_.label & ~fields_.header & all;
  } else if (place == 0) {
    bits = fault_.kind == FaultKind::kCorruptLabel ? fields_.label : fields_.header;
  }
  if (bits == 0) return;
  const std::uint64_t number =
      (std::uint64_t{fault_.node} << 40) ^ (std::uint64_t{fault_.port} << 32) ^ now_.cycle;
  const std::uint32_t bit = one_of(bits, number);
  given.flit.at(bit / 32) ^= 1U << bit % 32;
  done_ = true;
}

// Nothing that the node drives reaches a neighbour, and nothing that they drive reaches it.
void FaultTap::isolate(FabricWires& wires) {
  const auto silence = [&](std::uint32_t node, std::uint32_t port, bool flits) {
    const std::size_t word = word_of(wires, node, port);
    keep(wires, word);
    NodeOutputs& out = wires.now.outputs[word];
    put_bit(flits ? out.valid : out.credit, port, false);
    put_bit(flits ? out.request : out.grant, port, false);
  };
  for (PortId p = 0; p < graph_.degree(fault_.node); ++p) {
    const Endpoint to = graph_.peer(fault_.node, p);
    silence(fault_.node, p, true);
    silence(to.node, to.port, false);
  }
  for (PortId q = 0; q < graph_.in_degree(fault_.node); ++q) {
    const Endpoint from = graph_.feeder(fault_.node, q);
    silence(from.node, from.port, true);
    silence(fault_.node, q, false);
  }
}

}  // namespace safnet
