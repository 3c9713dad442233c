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
  void load(TimetableProgram program, std::uint32_t radix, std::uint32_t loopbacks) {
    program_ = std::move(program);
    radix_ = radix;
    ports_.assign(radix + loopbacks, {});
    loads_ = {};
    if (program_.instructions == nullptr) return;
    const TdmNodeProgram& of_node = *program_.instructions;
    for (std::uint32_t p = 0; p < radix; ++p) {
      if (p < of_node.sends.size()) ports_[p].sends = Stream(of_node.sends[p]);
      if (p < of_node.receives.size()) ports_[p].receives = Stream(of_node.receives[p]);
    }
    for (std::uint32_t k = 0; k < of_node.loopbacks.size(); ++k) {
      ports_.at(radix + k) = {Stream(of_node.loopbacks[k].sends), Stream(of_node.loopbacks[k].receives)};
    }
    loads_ = Stream(of_node.loads);
  }

  /// Drives the node's inputs in cycle now.cycle, before the edge that ends it. Returns how many instructions
  /// and flits the node takes at that edge.
  template <class Access>
  std::uint32_t offer(Access& node, NetworkTime now, int name_width) {
    std::uint32_t taken = 0;
    if (program_.instructions == nullptr) return taken;
    const bool feeds =
        now.cycle == 0 || program_.feed_interval == 1 || now.cycle % program_.feed_interval == 0;
    const auto outputs = static_cast<std::uint32_t>(ports_.size());
    for (std::uint32_t p = 0; p < outputs; ++p) {
      taken += offer_sends(node, p, feeds, name_width);
      const std::uint32_t lane = p < radix_ ? p : p + 1;  // the host's lane lies between links and loopbacks
      taken += offer_next(ports_[p].receives, feeds && node.receive_ready(lane),
                          [&](const TdmReceive* what, bool more) { node.receive(lane, what, more); });
    }
    return taken + offer_loads(node, radix_, feeds, now, name_width);
  }

  /// Fetches into the cache what is to be offered next.
  void prefetch_next() const {
    for (const Port& port : ports_) {
      __builtin_prefetch(port.sends.next);
      __builtin_prefetch(port.receives.next);
    }
  }

  /// Instructions or flits are left that the node has not been given.
  bool has_more() const {
    for (const Port& port : ports_) {
      if (port.sends.has_more() || port.receives.next != port.receives.end) return true;
    }
    return loads_.has_more();
  }

 private:
  // What is left of one program. A port has its streams side by side, as a host goes through all of them in
  // every cycle.
  template <class Instruction>
  struct Stream {
    const Instruction* next = nullptr;  // instruction to be offered
    const Instruction* own = nullptr;   // instruction whose own packet is being given
    const Instruction* end = nullptr;
    std::uint32_t flit = 0;  // the next flit of that packet

    Stream() = default;
    explicit Stream(const std::vector<Instruction>& program)
        : next(program.data()), own(next), end(next + program.size()) {}
    bool has_more() const { return next != end || own != end; }
  };
  struct Port {
    Stream<TdmSend> sends;
    Stream<TdmReceive> receives;
  };

  // Offers the next instruction of a program, if there is one and the node is ready for it.
  template <class Instruction, class Offer>
  static std::uint32_t offer_next(Stream<Instruction>& program, bool ready, Offer offer) {
    const bool more = program.next != program.end;
    const bool takes = more && ready;
    offer(takes ? program.next : nullptr, more);
    if (!takes) return 0;
    ++program.next;
    return 1;
  }
  // Offers the next flit of an own packet, if it is due and the node is ready for it.
  template <class Access, class Instruction>
  std::uint32_t offer_own(Access& node, std::uint32_t lane, Stream<Instruction>& at, bool due,
                          std::uint32_t name, std::uint32_t flits, int name_width) {
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
    Stream<TdmSend>& at = ports_[p].sends;
    const std::uint32_t taken = offer_next(at, feeds && node.send_ready(p),
                                           [&](const TdmSend* what, bool more) { node.send(p, what, more); });
    while (at.own != at.end && !at.own->own) ++at.own;
    if (p >= radix_) return taken;
    const bool has_own = at.own != at.end;
    return taken + offer_own(node, p, at, has_own, has_own ? at.own->name : 0, has_own ? at.own->flits : 1,
                             name_width);
  }
  template <class Access>
  std::uint32_t offer_loads(Access& node, std::uint32_t lane, bool feeds, NetworkTime now, int name_width) {
    const std::uint32_t taken = offer_next(
        loads_, feeds && node.receive_ready(lane),
        [&](const TdmLoad* what, bool more) { node.receive(lane, what ? &what->receive : nullptr, more); });
    const bool has_own = loads_.own != loads_.end;
    // A load begins in its slot or later; its further flits follow as the node is ready.
    const bool due = has_own && (loads_.flit != 0 || now.step >= loads_.own->slot);
    return taken + offer_own(node, lane, loads_, due, due ? loads_.own->part : 0, due ? loads_.own->flits : 1,
                             name_width);
  }

  TimetableProgram program_;
  std::uint32_t radix_ = 0;
  std::vector<Port> ports_;  ///< links, then loopbacks
  Stream<TdmLoad> loads_;
};

}  // namespace safnet
