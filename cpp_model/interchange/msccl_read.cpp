#include "cpp_model/interchange/msccl_read.hpp"

#include <algorithm>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>
#include <unordered_set>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/interchange/msccl_program.hpp"
#include "cpp_model/interchange/recognise.hpp"
#include "cpp_model/interchange/stray_sends.hpp"
#include "cpp_model/interchange/xml_guard.hpp"
#include "cpp_model/schedule/collective.hpp"

namespace safnet {
namespace {

constexpr std::uint64_t kMostSummandsRead = std::uint64_t{1} << 27;  // of all combined packets together
constexpr std::size_t kMaxNamedBlocks = 4;

// Runs a program on a network: list scheduling, slot by slot.
class MscclReader : private MscclProgram {
 public:
  MscclReader(const Tree& file, const std::string& shown, const Graph& network, PortModel ports,
              const MscclReading& reading)
      : MscclProgram(file, shown, network, reading.collective),
        ports_(ports),
        depth_(reading.channel_depth),
        schedule_(graph_) {
    schedule_.ports = ports;
  }

  ReadSchedule run() {
    simulate();
    deliver();
    fill();
    return finish();
  }

 private:
  void simulate() {
    link_used_.assign(graph_.link_count(), 0);
    out_used_.assign(n_, 0);
    in_used_.assign(n_, 0);
    std::vector<std::size_t> awake(blocks_.size());
    std::iota(awake.begin(), awake.end(), std::size_t{0});
    for (;;) {
      while (!awake.empty()) {
        const std::size_t block = awake.back();
        awake.pop_back();
        advance(block, awake);
      }
      if (senders_.empty()) break;
      ++now_;
      bool moved = false;
      for (auto at = senders_.begin(); at != senders_.end();) {
        const std::size_t index = std::get<3>(*at);
        if (!send(index, moved)) {
          ++at;
          continue;
        }
        at = senders_.erase(at);
        finished_.push_back(index);
      }
      if (!moved) break;
      // What was sent in this slot has arrived at its end.
      for (const std::size_t index : finished_) {
        Channel& channel = channels_[blocks_[index].send_channel];
        channel.arrived.push_back(std::move(channel.leaving));
        channel.leaving.clear();
        awake.push_back(channel.receiver);
        blocks_[index].sending = false;
        complete(index, awake);
      }
      finished_.clear();
    }
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      if (blocks_[b].at < blocks_[b].steps.size()) throw stuck(b);
    }
  }

  void complete(std::size_t index, std::vector<std::size_t>& awake) {
    Block& block = blocks_[index];
    ++block.at;
    awake.push_back(index);
    awake.insert(awake.end(), block.waiting.begin(), block.waiting.end());
    block.waiting.clear();
  }

  bool must_wait(const Step& step) const {
    return step.waits_for_block != kNone && blocks_[step.waits_for_block].at <= step.waits_for_step;
  }

  // Goes on until the block must wait, or is to send something in the next slot.
  void advance(std::size_t index, std::vector<std::size_t>& awake) {
    Block& block = blocks_[index];
    if (block.sending || block.at == block.steps.size()) return;
    const Step& step = block.steps[block.at];
    if (must_wait(step)) {
      blocks_[step.waits_for_block].waiting.push_back(index);
      return;
    }
    if (step.type.receives) {
      Channel& channel = channels_[block.receive_channel];
      if (channel.arrived.empty()) return;
      std::vector<PacketIndex> message = std::move(channel.arrived.front());
      channel.arrived.pop_front();
      --channel.held;
      for (std::uint32_t i = 0; i < step.count; ++i) receive(index, step, i, message[i]);
      block.outgoing = std::move(message);
    } else if (step.type.sends) {
      block.outgoing.resize(step.count);
      for (std::uint32_t i = 0; i < step.count; ++i) block.outgoing[i] = value(index, step.source + i);
    } else if (step.type.source) {
      for (std::uint32_t i = 0; i < step.count; ++i) {
        const PacketIndex source = value(index, step.source + i);
        PacketIndex& destination = values_[step.destination + i];
        destination =
            step.type.combines ? combined(index, value(index, step.destination + i), source) : source;
      }
    }
    if (step.type.sends) {
      block.sent = 0;
      block.sending = true;
      senders_.emplace(step.slot, now_, block.rank, index);
      return;
    }
    complete(index, awake);
  }

  // Takes one arriving chunk, `packet`, which becomes what the step sends on.
  void receive(std::size_t index, const Step& step, std::uint32_t i, PacketIndex& packet) {
    if (step.type.source) packet = combined(index, value(index, step.source + i), packet);
    if (step.type.destination) values_[step.destination + i] = packet;
  }

  PacketIndex value(std::size_t index, std::size_t chunk) const {
    if (values_[chunk] == kNoPacket)
      throw wrong_("{}: {} holds nothing", shown_step(index), shown_chunk(blocks_[index].rank, chunk));
    return values_[chunk];
  }
  std::string shown_chunk(NodeId rank, std::size_t chunk) const {
    for (const auto& [buffer, first] : gpus_[rank].first) {
      if (chunk >= first && chunk < first + gpus_[rank].size.at(buffer))
        return fmt::format("{}[{}]", buffer, chunk - first);
    }
    return "a chunk";
  }

  std::vector<PacketIndex> summands(PacketIndex packet) const {
    return packets_[packet].parts.empty() ? std::vector<PacketIndex>{packet} : packets_[packet].summands;
  }

  PacketIndex combined(std::size_t index, PacketIndex here, PacketIndex other) {
    const NodeId rank = blocks_[index].rank;
    const std::vector<PacketIndex> a = summands(here), b = summands(other);
    Packet whole{rank, 0, false, {here, other}, {}, {}};
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(whole.summands));
    if (whole.summands.size() != a.size() + b.size())
      throw wrong_("{}: combines {} with {}, a summand would count twice", shown_step(index), shown_sum(here),
                   shown_sum(other));
    for (const PacketIndex part : {here, other}) {
      if (!used_up_.insert(std::uint64_t{part} * n_ + rank).second)
        throw wrong_("{}: {} goes into a second sum at rank {}; expected one at most", shown_step(index),
                     shown_sum(part), rank);
    }
    if ((summand_count_ += whole.summands.size()) > kMostSummandsRead ||
        packets_.size() >= PacketList::kMaxPackets)
      throw wrong_("expected fewer or smaller sums");
    packets_.push_back(std::move(whole));
    return static_cast<PacketIndex>(packets_.size() - 1);
  }

  // Sends what fits into this slot; true when the message is complete.
  bool send(std::size_t index, bool& moved) {
    Block& block = blocks_[index];
    Channel& channel = channels_[block.send_channel];
    if (channel.leaving.empty() && channel.held == depth_) return false;
    for (; block.sent < block.outgoing.size(); ++block.sent) {
      const PacketIndex packet = block.outgoing[block.sent];
      // A packet that the rank has, or gets in this slot, is not sent to it again.
      const bool there =
          packets_[packet].origin == channel.to || present_.contains(std::uint64_t{packet} * n_ + channel.to);
      if (there) {
        ++needless_;
      } else {
        const std::optional<LinkId> link = free_link(channel.from, channel.to);
        if (!link) return false;
        link_used_[*link] = out_used_[channel.from] = in_used_[channel.to] = now_;
        present_.insert(std::uint64_t{packet} * n_ + channel.to);
        schedule_.sends.push_back({now_, *link, packet});
        packets_[packet].used = true;
      }
      if (channel.leaving.empty()) ++channel.held;
      moved = true;
      channel.leaving.push_back(packet);
    }
    return true;
  }

  std::optional<LinkId> free_link(NodeId from, NodeId to) const {
    if (ports_ != PortModel::kAllPort && out_used_[from] == now_) return std::nullopt;
    if (ports_ == PortModel::kOnePort && in_used_[to] == now_) return std::nullopt;
    for (PortId p = 0; p < graph_.degree(from); ++p) {
      const LinkId link = graph_.link(from, p);
      if (graph_.peer(from, p).node == to && link_used_[link] != now_) return link;
    }
    return std::nullopt;
  }

  // Follows who waits for whom until a block comes again.
  std::invalid_argument stuck(std::size_t block) const {
    const auto next = [&](std::size_t b) {
      const Step& step = blocks_[b].steps[blocks_[b].at];
      if (blocks_[b].sending) return channels_[blocks_[b].send_channel].receiver;
      if (must_wait(step)) return step.waits_for_block;
      return channels_[blocks_[b].receive_channel].sender;
    };
    std::vector<bool> seen(blocks_.size());
    while (!seen[block]) {
      seen[block] = true;
      block = next(block);
    }
    std::string cycle = shown_step(block);
    std::size_t named = 1;
    for (std::size_t b = next(block); b != block && named < kMaxNamedBlocks; b = next(b), ++named)
      cycle += " waits for " + shown_step(b);
    return wrong_("deadlock: {} waits for {}", cycle, named == kMaxNamedBlocks ? "..." : shown_block(block));
  }

  std::string shown_sum(PacketIndex packet) const {
    if (packet == kNoPacket) return "nothing";
    const std::vector<PacketIndex> of = summands(packet);
    if (of.size() == 1)
      return fmt::format("input chunk {} of rank {}", packets_[packet].offset, packets_[packet].origin);
    std::string ranks;
    bool same_chunk = true;
    for (std::size_t i = 0; i < of.size(); ++i) {
      if (i < 8) ranks += fmt::format("{}{}", i > 0 ? ", " : "", packets_[of[i]].origin);
      same_chunk = same_chunk && packets_[of[i]].offset == packets_[of[0]].offset;
    }
    if (of.size() > 8) ranks += ", ...";
    return same_chunk ? fmt::format("the sum of input chunk {} of ranks {}", packets_[of[0]].offset, ranks)
                      : fmt::format("the sum of different chunks of ranks {}", ranks);
  }

  void deliver() {
    if (collective_.kind == MscclKind::kCustom) return deliver_what_is_there();
    for (NodeId rank = 0; rank < n_; ++rank) {
      for (std::uint32_t k = 0; k < collective_.output_chunks(rank); ++k) {
        const auto [buffer, offset] = collective_.place(rank, 'o', k);
        const PacketIndex packet = values_[gpus_[rank].first.at(buffer) + offset];
        const auto [from, chunk] = collective_.expected(rank, k);
        bool right = packet != kNoPacket;
        if (right && from != kNoNode) right = packet == gpus_[from].first_packet + chunk;
        if (right && from == kNoNode) {
          const std::vector<PacketIndex> of = summands(packet);
          right = of.size() == n_;
          for (NodeId v = 0; right && v < n_; ++v) right = of[v] == gpus_[v].first_packet + chunk;
        }
        if (!right) {
          const std::string expected =
              from != kNoNode ? fmt::format("input chunk {} of rank {}", chunk, from)
                              : fmt::format("the sum of input chunk {} of ranks 0...{}", chunk, n_ - 1);
          throw wrong_("rank {}, output chunk {}: expected {}, got {}", rank, k, expected, shown_sum(packet));
        }
        deliver_to(rank, packet);
      }
    }
  }
  void deliver_to(NodeId rank, PacketIndex packet) {
    Packet& of = packets_[packet];
    if (of.origin == rank && of.parts.empty()) return;
    if (of.destinations.empty() || of.destinations.back() != rank) of.destinations.push_back(rank);
    of.used = true;
  }
  void deliver_what_is_there() {
    for (NodeId rank = 0; rank < n_; ++rank) {
      for (std::uint32_t k = 0; k < collective_.output_chunks(rank); ++k) {
        const auto [buffer, offset] = collective_.place(rank, 'o', k);
        const PacketIndex packet = values_[gpus_[rank].first.at(buffer) + offset];
        if (packet != kNoPacket) deliver_to(rank, packet);
      }
    }
  }

  void fill() {
    for (std::size_t p = packets_.size(); p-- > 0;) {
      for (const PacketIndex part : packets_[p].parts)
        packets_[part].used = packets_[part].used || packets_[p].used;
    }
    std::vector<PacketIndex> renumbered(packets_.size(), kNoPacket);
    std::vector<std::uint32_t> next_tag(n_, collective_.loop);
    std::vector<PacketIndex> parts;
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      const Packet& packet = packets_[p];
      if (!packet.used) continue;
      parts.clear();
      for (const PacketIndex part : packet.parts) parts.push_back(renumbered[part]);
      const std::uint32_t tag = packet.parts.empty() ? packet.offset : next_tag[packet.origin]++;
      renumbered[p] = schedule_.packets.add(packet.origin, tag, 1, packet.destinations, parts);
    }
    if (schedule_.packets.size() == 0) throw wrong_("nothing is sent; expected a collective");
    for (Send& send : schedule_.sends) send.packet = renumbered[send.packet];
    sort_sends(schedule_);
  }

  ReadSchedule finish() {
    const auto chunk = [&](PacketIndex p) {
      const NodeId rank = schedule_.packets.origin(p);
      return schedule_.packets.parts(p).empty()
                 ? fmt::format("input chunk {} of rank {}", schedule_.packets.tag(p), rank)
                 : fmt::format("a sum of rank {}", rank);
    };
    const std::string strays = leave_out_stray_sends(schedule_, chunk);
    if (!strays.empty()) remarks_.push_back(strays);
    schedule_.algorithm = name_;
    schedule_.description =
        fmt::format("{} of {} ranks, {} chunks", to_string(collective_.kind), n_, collective_.loop);
    remarks_.insert(remarks_.begin(),
                    fmt::format("{}, {} thread blocks, {}: scheduled in {} steps", schedule_.description,
                                blocks_.size(), collective_.in_place ? "in place" : "out of place",
                                schedule_.sends.empty() ? 0 : schedule_.sends.back().start));
    if (needless_ > 0)
      remarks_.push_back(fmt::format("{} transfers left out: the packet is at the rank already", needless_));
    recognise_collective(schedule_, our_collective(collective_.kind));
    if (collective_.kind == MscclKind::kCustom) {
      remarks_.push_back(schedule_.collective.empty()
                             ? "custom: what the output chunks hold in the end is no collective known; "
                               "--collective can name it"
                             : fmt::format("custom: what the output chunks hold in the end makes it {}",
                                           schedule_.collective));
    }
    return {std::move(schedule_), std::move(remarks_)};
  }

  PortModel ports_;
  std::uint32_t depth_;
  Schedule schedule_;
  std::uint64_t summand_count_ = 0, needless_ = 0;
  std::uint32_t now_ = 0;
  // Blocks that send: by the slot that our writer noted, the time when they were ready, rank, number.
  std::set<std::tuple<std::uint32_t, std::uint32_t, NodeId, std::size_t>> senders_;
  std::vector<std::size_t> finished_;
  std::vector<std::uint32_t> link_used_, out_used_, in_used_;  // the last slot
  std::unordered_set<std::uint64_t> present_, used_up_;        // packet * n + rank
};

}  // namespace

ReadSchedule read_msccl(std::string_view text, const std::string& shown, const Graph& network,
                        PortModel ports, const MscclReading& reading) {
  guard_xml(text, shown);
  boost::property_tree::ptree tree;
  std::istringstream stream{std::string(text)};
  try {
    boost::property_tree::read_xml(stream, tree, boost::property_tree::xml_parser::no_comments);
  } catch (const boost::property_tree::xml_parser_error& error) {
    throw bad_input("{}:{}: expected XML; {}", shown, error.line(), one_line(error.message()));
  }
  return MscclReader(tree, shown, network, ports, reading).run();
}

}  // namespace safnet
