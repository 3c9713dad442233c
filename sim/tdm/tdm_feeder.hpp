// tdm_feeder - the host of one tdm_node: streams its programs and its own packets into the node's ports.
//
// The ports are reached through an access object, since a node verilated alone and one within a whole network
// have them in different places. It has: bool receive_ready(lane), send_ready(port), own_ready(lane);
// receive(lane, const TdmReceive*, more), send(port, const TdmSend*, more), own(lane, const std::uint32_t*
// words); a null pointer means that nothing is offered.
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

  /// Before the edge that ends the cycle before `cycle + 1`: offers what there is. Returns how much was
  /// taken.
  template <class Access>
  std::uint32_t offer(Access& node, NetworkTime now, int name_width) {
    std::uint32_t taken = 0;
    if (program_.instructions == nullptr) return taken;
    const bool feeds = now.cycle == 0 || now.cycle % program_.feed_interval == 0;
    const auto radix = static_cast<std::uint32_t>(sends_.size());
    for (std::uint32_t p = 0; p < radix; ++p) {
      taken += offer_sends(node, p, feeds, name_width);
      taken += offer_receives(node, p, feeds);
    }
    return taken + offer_loads(node, radix, feeds, now, name_width);
  }

  /// Something is left that the node has not been given.
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
    std::uint32_t flit = 0;  // and how far
  };
  static const std::vector<TdmSend>& none() {
    static const std::vector<TdmSend> empty;
    return empty;
  }
  const std::vector<TdmSend>& sends_of(std::size_t p) const {
    return p < program_.instructions->sends.size() ? program_.instructions->sends[p] : none();
  }
  const std::vector<TdmReceive>& receives_of(std::size_t p) const {
    static const std::vector<TdmReceive> empty;
    return p < program_.instructions->receives.size() ? program_.instructions->receives[p] : empty;
  }

  template <class Access>
  std::uint32_t offer_sends(Access& node, std::uint32_t p, bool feeds, int name_width) {
    const std::vector<TdmSend>& sends = sends_of(p);
    Cursor& at = sends_[p];
    std::uint32_t taken = 0;
    const bool more = at.next < sends.size();
    if (more && feeds && node.send_ready(p)) {
      node.send(p, &sends[at.next++], true);
      ++taken;
    } else {
      node.send(p, nullptr, more);
    }
    while (at.own < sends.size() && !sends[at.own].own) ++at.own;
    if (at.own < sends.size() && node.own_ready(p)) {
      const TdmSend& send = sends[at.own];
      std::uint32_t words[2];
      tdm_flit(send.name, send.flits, at.flit, program_.operation, name_width, words);
      node.own(p, words);
      if (++at.flit == send.flits) {
        at.flit = 0;
        ++at.own;
      }
      ++taken;
    } else {
      node.own(p, nullptr);
    }
    return taken;
  }
  template <class Access>
  std::uint32_t offer_receives(Access& node, std::uint32_t p, bool feeds) {
    const std::vector<TdmReceive>& receives = receives_of(p);
    Cursor& at = receives_[p];
    const bool more = at.next < receives.size();
    if (!(more && feeds && node.receive_ready(p))) {
      node.receive(p, nullptr, more);
      return 0;
    }
    node.receive(p, &receives[at.next++], true);
    return 1;
  }
  template <class Access>
  std::uint32_t offer_loads(Access& node, std::uint32_t lane, bool feeds, NetworkTime now, int name_width) {
    const std::vector<TdmLoad>& loads = program_.instructions->loads;
    std::uint32_t taken = 0;
    const bool more = loads_.next < loads.size();
    if (more && feeds && node.receive_ready(lane)) {
      node.receive(lane, &loads[loads_.next++].receive, true);
      ++taken;
    } else {
      node.receive(lane, nullptr, more);
    }
    // A packet begins in its slot; now.step is that of the cycle that is being offered to.
    if (loads_.own < loads.size() && node.own_ready(lane) &&
        (loads_.flit != 0 || now.step >= loads[loads_.own].slot)) {
      const TdmLoad& load = loads[loads_.own];
      std::uint32_t words[2];
      tdm_flit(load.part, load.flits, loads_.flit, program_.operation, name_width, words);
      node.own(lane, words);
      if (++loads_.flit == load.flits) {
        loads_.flit = 0;
        ++loads_.own;
      }
      ++taken;
    } else {
      node.own(lane, nullptr);
    }
    return taken;
  }

  TimetableProgram program_;
  std::vector<Cursor> sends_, receives_;
  Cursor loads_;
};

}  // namespace safnet
