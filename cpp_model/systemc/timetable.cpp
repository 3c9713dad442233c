#include "cpp_model/systemc/timetable.hpp"

#include <unordered_map>

#include "cpp_model/graph/input.hpp"

namespace safnet {
namespace {

// What one node does with one packet.
struct PacketAtNode {
  std::uint32_t sends = 0;  // over links
  bool is_delivered = false;
  bool has_arrived = false;            // used while the sends are gone through
  std::vector<PacketIndex> wholes;     // sums at this node of which it is a part
  std::uint32_t buffer = 0;            // from 1; 0: none yet
  std::uint32_t parts = 0, loops = 0;  // what meets in its buffer; times that it goes over a loopback

  // Needed for nothing but one sum: it never rests at the node by itself.
  bool only_a_part() const { return sends == 0 && !is_delivered && wholes.size() == 1; }
};

class ProgramWriter {
 public:
  explicit ProgramWriter(const Schedule& schedule)
      : schedule_(schedule), graph_(schedule.network), packets_(schedule.packets) {}

  std::vector<ReferenceProgram> run() {
    programs_.resize(graph_.node_count());
    buffers_.resize(graph_.node_count());
    at_.resize(graph_.node_count());
    for (NodeId v = 0; v < graph_.node_count(); ++v) {
      programs_[v].sends.resize(graph_.degree(v));
      programs_[v].receives.resize(graph_.in_degree(v));
    }
    find_uses();
    write_sums();
    for (const Send& s : schedule_.sends) {
      write_send(s);
      write_receive(s);
    }
    return std::move(programs_);
  }

 private:
  bool is_sum(PacketIndex p) const { return !packets_.parts(p).empty(); }
  bool is_hosts_own(PacketIndex p, NodeId v) const { return packets_.origin(p) == v && !is_sum(p); }
  PacketAtNode& at(NodeId v, PacketIndex p) { return at_[v][p]; }

  void find_uses() {
    for (PacketIndex z = 0; z < packets_.size(); ++z) {
      for (const PacketIndex part : packets_.parts(z)) {
        if (part >= z) throw bad_input("{}: expected parts of smaller numbers", packet_name(schedule_, z));
        if (!is_hosts_own(part, packets_.origin(z))) at(packets_.origin(z), part).wholes.push_back(z);
      }
      for (const NodeId v : packets_.destinations(z)) at(v, z).is_delivered = true;
    }
    for (const Send& s : schedule_.sends) ++at(graph_.link_source(s.link), s.packet).sends;
  }

  // A sum that is only a part of one other at its node: its parts go straight there.
  bool is_step(PacketIndex z) { return is_sum(z) && at(packets_.origin(z), z).only_a_part(); }
  PacketIndex sum_that_takes(PacketIndex z) {
    while (is_step(z)) z = at(packets_.origin(z), z).wholes.front();
    return z;
  }

  std::uint32_t buffer_of(NodeId v, PacketAtNode& packet) {
    if (packet.buffer == 0) packet.buffer = ++buffers_[v];
    return packet.buffer - 1;
  }

  // First the parts of every sum are counted and its loopbacks listed, then it is known what each of the
  // instructions says.
  void write_sums() {
    struct Loop {
      NodeId node;
      PacketIndex part, whole;
    };
    std::vector<Loop> loops, loads;
    for (PacketIndex z = 0; z < packets_.size(); ++z) {
      const NodeId v = packets_.origin(z);
      for (const PacketIndex part : packets_.parts(z)) {
        const PacketIndex whole = sum_that_takes(z);
        if (is_hosts_own(part, v)) {
          loads.push_back({v, part, whole});
        } else if (is_sum(part) && packets_.origin(part) == v && is_step(part)) {
          continue;  // its parts are counted instead
        } else if (!at(v, part).only_a_part()) {
          loops.push_back({v, part, whole});
          ++at(v, part).loops;
        }
        ++at(v, whole).parts;
      }
    }
    for (const auto& [v, part, whole] : loads)
      programs_[v].loads.push_back({into_sum(v, whole), part, packets_.flits(part), 0});
    for (const auto& [v, part, whole] : loops) {
      const ReferenceSend send{
          .packet = part, .flits = packets_.flits(part), .buffer = buffer_of(v, at(v, part))};
      programs_[v].loopbacks.push_back({{send}, {into_sum(v, whole)}});
    }
  }

  ReferenceReceive into_sum(NodeId v, PacketIndex whole) {
    PacketAtNode& sum = at(v, whole);
    return {.packet = whole,
            .buffer = buffer_of(v, sum),
            .parts = sum.parts,
            .uses = sum.sends + sum.loops,
            .combines = true,
            .delivers = sum.is_delivered};
  }

  void write_send(const Send& s) {
    const NodeId v = graph_.link_source(s.link);
    ReferenceSend send{.slot = s.start, .packet = s.packet, .flits = packets_.flits(s.packet)};
    if (is_hosts_own(s.packet, v))
      send.own = true;
    else
      send.buffer = buffer_of(v, at(v, s.packet));  // into which nothing comes if the node never gets it
    programs_[v].sends[graph_.link_port(s.link)].push_back(send);
  }

  void write_receive(const Send& s) {
    const NodeId v = graph_.link_target(s.link);
    PacketAtNode& packet = at(v, s.packet);
    ReferenceReceive receive{.packet = s.packet};
    if (packet.only_a_part() && packets_.origin(s.packet) != v) {
      receive = into_sum(v, sum_that_takes(packet.wholes.front()));
    } else {
      receive.delivers = packet.is_delivered;
      // A second copy of a packet, or one that comes back to where it is from, is not stored.
      const bool is_new = packets_.origin(s.packet) != v && !packet.has_arrived;
      packet.has_arrived = true;
      receive.uses = packet.sends + packet.loops;
      receive.stores = is_new && receive.uses != 0;
      if (receive.stores) receive.buffer = buffer_of(v, packet);
    }
    programs_[v].receives[graph_.link_target_port(s.link)].push_back(receive);
  }

  const Schedule& schedule_;
  const Graph& graph_;
  const PacketList& packets_;
  std::vector<std::unordered_map<PacketIndex, PacketAtNode>> at_;  // per node
  std::vector<std::uint32_t> buffers_;                             // per node: how many
  std::vector<ReferenceProgram> programs_;
};

}  // namespace

std::vector<ReferenceProgram> reference_programs(const Schedule& schedule) {
  return ProgramWriter(schedule).run();
}

}  // namespace safnet
