// tdm_feeder - the host of one tdm_node: streams its programs and its own packets into the node's ports.
//
// The ports are reached through an access object, since a node verilated alone and one within a whole network
// have them in different places. It has: bool receive_ready(lane), send_ready(port), own_ready(lane);
// receive(lane, const TdmReceive*, more), send(port, const TdmSend*, more), own(lane, const std::uint32_t*
// words). A null pointer: nothing is offered; `more`: the program has further instructions.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/machine/machine.hpp"
#include "sim/tdm/tdm_format.hpp"

namespace safnet {

class TdmFeeder {
 public:
  void load(TimetableProgram program, std::uint32_t radix) {
    program_ = std::move(program);
    sends_.assign(radix, {});
    receives_.assign(radix, {});
    loads_ = {};
  }

  /// Drives the node's inputs in cycle now.cycle, before the edge that ends it. Returns how many instructions
  /// and flits the node takes at that edge.
  template <class Access>
  std::uint32_t offer(Access& node, NetworkTime now, int name_width) {
    std::uint32_t taken = 0;
    if (program_.instructions == nullptr) return taken;
    const bool feeds = now.cycle == 0 || now.cycle % program_.feed_interval == 0;
    const auto radix = static_cast<std::uint32_t>(sends_.size());
    for (std::uint32_t p = 0; p < radix; ++p) {
      taken += offer_sends(node, p, feeds, name_width);
      taken += offer_next(receives_of(p), receives_[p].next, feeds && node.receive_ready(p),
                          [&](const TdmReceive* what, bool more) { node.receive(p, what, more); });
    }
    return taken + offer_loads(node, radix, feeds, now, name_width);
  }

  /// Instructions or flits are left that the node has not been given.
  bool has_more() const {
    if (program_.instructions == nullptr) return false;
    for (std::size_t p = 0; p < sends_.size(); ++p) {
      if (sends_[p].next < sends_of(p).size() || sends_[p].own < sends_of(p).size()) return true;
      if (receives_[p].next < receives_of(p).size()) return true;
    }
    return loads_.next < program_.instructions->loads.size() ||
           loads_.own < program_.instructions->loads.size();
  }

 private:
  struct Cursor {
    std::size_t next = 0;    // instruction to be offered
    std::size_t own = 0;     // instruction whose own packet is being given
    std::uint32_t flit = 0;  // the next flit of that packet
  };
  // A port's program; empty if it has none.
  template <class Instruction>
  static const std::vector<Instruction>& of_port(const std::vector<std::vector<Instruction>>& programs,
                                                 std::size_t p) {
    static const std::vector<Instruction> none;
    return p < programs.size() ? programs[p] : none;
  }
  const std::vector<TdmSend>& sends_of(std::size_t p) const {
    return of_port(program_.instructions->sends, p);
  }
  const std::vector<TdmReceive>& receives_of(std::size_t p) const {
    return of_port(program_.instructions->receives, p);
  }

  // Offers the next instruction of a program, if there is one and the node is ready for it.
  template <class Instruction, class Offer>
  static std::uint32_t offer_next(const std::vector<Instruction>& program, std::size_t& next, bool ready,
                                  Offer offer) {
    const bool more = next < program.size();
    const bool takes = more && ready;
    offer(takes ? &program[next++] : nullptr, more);
    return takes ? 1 : 0;
  }
  // Offers the next flit of an own packet, if it is due and the node is ready for it.
  template <class Access>
  std::uint32_t offer_own(Access& node, std::uint32_t lane, Cursor& at, bool due, std::uint32_t name,
                          std::uint32_t flits, int name_width) {
    if (!due || !node.own_ready(lane)) {
      node.own(lane, nullptr);
      return 0;
    }
    std::uint32_t words[2];
    tdm_flit(name, flits, at.flit, program_.operation, name_width, words);
    node.own(lane, words);
    if (++at.flit == flits) {
      at.flit = 0;
      ++at.own;
    }
    return 1;
  }

  template <class Access>
  std::uint32_t offer_sends(Access& node, std::uint32_t p, bool feeds, int name_width) {
    const std::vector<TdmSend>& sends = sends_of(p);
    Cursor& at = sends_[p];
    const std::uint32_t taken = offer_next(sends, at.next, feeds && node.send_ready(p),
                                           [&](const TdmSend* what, bool more) { node.send(p, what, more); });
    while (at.own < sends.size() && !sends[at.own].own) ++at.own;
    const bool has_own = at.own < sends.size();
    const TdmSend send = has_own ? sends[at.own] : TdmSend{};
    return taken + offer_own(node, p, at, has_own, send.name, send.flits, name_width);
  }
  template <class Access>
  std::uint32_t offer_loads(Access& node, std::uint32_t lane, bool feeds, NetworkTime now, int name_width) {
    const std::vector<TdmLoad>& loads = program_.instructions->loads;
    const std::uint32_t taken = offer_next(
        loads, loads_.next, feeds && node.receive_ready(lane),
        [&](const TdmLoad* what, bool more) { node.receive(lane, what ? &what->receive : nullptr, more); });
    const TdmLoad load = loads_.own < loads.size() ? loads[loads_.own] : TdmLoad{};
    // A load begins in its slot or later; its further flits follow as the node is ready.
    const bool due = loads_.own < loads.size() && (loads_.flit != 0 || now.step >= load.slot);
    return taken + offer_own(node, lane, loads_, due, load.part, load.flits, name_width);
  }

  TimetableProgram program_;
  std::vector<Cursor> sends_, receives_;
  Cursor loads_;
};

}  // namespace safnet
