#include "cpp_model/interchange/msccl_write.hpp"

// Schedules as programs of thread blocks. Every packet gets a place at every node that it comes to; steps are
// written in the order of time, so that a block never waits for what comes later.

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "cpp_model/interchange/msccl_collective.hpp"
#include "cpp_model/interchange/msccl_placement.hpp"
#include "cpp_model/interchange/step_timetable.hpp"
#include "cpp_model/interchange/xml_guard.hpp"
#include "cpp_model/schedule/collective.hpp"

namespace safnet {
namespace {

constexpr std::uint32_t kNotWritten = ~std::uint32_t{0};

struct Place {
  char buffer = 's';
  std::uint32_t offset = 0;
};
struct StepName {
  std::uint32_t block = kNotWritten, step = 0;
};
struct Step {
  const char* type;
  Place source, destination;
  StepName after;
  std::uint32_t slot;
  bool awaited = false;
};
struct Block {
  NodeId rank = 0;
  std::optional<NodeId> peer = {};
  bool sends = false, receives = false;
  std::uint32_t channel = 0;
  std::vector<Step> steps = {};
};
struct Where {
  Place place;
  StepName made_by;
};
// A sum that is being made at its origin.
struct Sum {
  std::uint32_t merged = 0;
  bool own_place = false;  // it is where it belongs, not where its first part is
  Where at;
};
constexpr StepName kNoStep{};

class MscclWriter {
 public:
  explicit MscclWriter(const Schedule& schedule)
      : schedule_(schedule),
        packets_(schedule.packets),
        graph_(schedule.network),
        placement_(schedule),
        scratch_(graph_.node_count()),
        local_(graph_.node_count(), kNotWritten) {}

  std::string run() {
    check();
    prepare();
    own_chunks();
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      if (packets_.parts(p).empty()) arrived(p, packets_.origin(p), {'i', placement_.input(p)}, kNoStep);
    }
    const std::vector<Send>& sends = schedule_.sends;
    for (std::size_t i = 0; i < sends.size();) {
      std::size_t end = i;
      for (; end < sends.size() && sends[end].start == sends[i].start; ++end) send(sends[end]);
      for (; i < end; ++i) receive(sends[i]);
    }
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      for (const NodeId v : packets_.destinations(p)) {
        if (!at_.contains(key(p, v))) throw msccl_cannot_hold("{}, which never reaches node {},", name(p), v);
      }
    }
    return text();
  }

 private:
  std::uint64_t key(PacketIndex p, NodeId v) const { return std::uint64_t{p} * graph_.node_count() + v; }
  std::string name(PacketIndex p) const { return packet_name(packets_, p); }

  void check() const {
    if (const std::string what = what_steps_cannot_say(schedule_); !what.empty())
      throw msccl_cannot_hold("{}", what);
    std::uint32_t slot = 1;
    for (const Send& send : schedule_.sends) {
      if (send.start < slot || send.link >= graph_.link_count() || send.packet >= packets_.size())
        throw msccl_cannot_hold("a send out of order, or without link or packet");
      slot = send.start;
    }
  }

  void prepare() {
    for (const Send& send : schedule_.sends)
      forwarded_.insert(key(send.packet, graph_.link_source(send.link)));
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      for (const NodeId v : packets_.destinations(p)) delivered_.insert(key(p, v));
      for (const PacketIndex part : packets_.parts(p)) {
        if (!sum_at_.emplace(key(part, packets_.origin(p)), p).second)
          throw msccl_cannot_hold("{} in two sums at one node", name(part));
      }
    }
    sums_.resize(packets_.size());
  }

  // What a rank keeps of its own: copied from the input to the output.
  void own_chunks() {
    const MscclCollective& collective = placement_.collective;
    if (collective.reduces()) return;
    for (NodeId v = 0; v < graph_.node_count(); ++v) {
      for (std::uint32_t k = 0; k < collective.output_chunks(v); ++k) {
        const auto [from, chunk] = collective.expected(v, k);
        if (from == v) local(v, "cpy", {'i', chunk}, {'o', k}, kNoStep);
      }
    }
  }

  Place place_of(PacketIndex p, NodeId v) {
    if (delivered_.contains(key(p, v))) return {'o', placement_.output(p)};
    return {'s', scratch_[v]++};
  }

  StepName add(std::uint32_t block, const Step& step) {
    if (++step_count_ > kMaxSteps) throw msccl_cannot_hold("more than {} steps", kMaxSteps);
    Step written = step;
    std::vector<Step>& steps = blocks_[block].steps;
    if (written.after.block == block) written.after = kNoStep;  // comes before anyhow
    if (written.after.block != kNotWritten)
      blocks_[written.after.block].steps[written.after.step].awaited = true;
    steps.push_back(written);
    return {block, static_cast<std::uint32_t>(steps.size() - 1)};
  }

  StepName local(NodeId v, const char* type, Place source, Place destination, StepName after) {
    if (local_[v] == kNotWritten) {
      local_[v] = static_cast<std::uint32_t>(blocks_.size());
      blocks_.push_back({.rank = v});
    }
    return add(local_[v], {type, source, destination, after, slot_});
  }

  // The block of a rank for its peer over one of their links. An edge is one channel, both ways.
  std::uint32_t block_of(NodeId rank, NodeId peer, std::uint32_t channel, bool sending) {
    const auto [at, is_new] =
        block_numbers_.try_emplace({rank, peer, channel}, static_cast<std::uint32_t>(blocks_.size()));
    if (is_new) {
      blocks_.push_back({.rank = rank, .peer = peer, .channel = channel});
      channels_ = std::max(channels_, channel + 1);
    }
    (sending ? blocks_[at->second].sends : blocks_[at->second].receives) = true;
    return at->second;
  }
  std::uint32_t channel_of(LinkId link) const {
    const NodeId from = graph_.link_source(link), to = graph_.link_target(link);
    std::uint32_t channel = 0;
    for (PortId p = 0; p < graph_.link_port(link); ++p) channel += graph_.peer(from, p).node == to ? 1 : 0;
    return channel;
  }

  void send(const Send& send) {
    slot_ = send.start;
    const NodeId from = graph_.link_source(send.link), to = graph_.link_target(send.link);
    const auto found = at_.find(key(send.packet, from));
    if (found == at_.end())
      throw msccl_cannot_hold("{} leaves node {} in slot {} before it is there", name(send.packet), from,
                              send.start);
    add(block_of(from, to, channel_of(send.link), true),
        {"s", found->second.place, found->second.place, found->second.made_by, send.start});
  }

  void receive(const Send& send) {
    slot_ = send.start;
    const NodeId from = graph_.link_source(send.link), v = graph_.link_target(send.link);
    const PacketIndex p = send.packet;
    if (at_.contains(key(p, v)) || merged_.contains(key(p, v)))
      throw msccl_cannot_hold("{} reaches node {} twice", name(p), v);
    const std::uint32_t block = block_of(v, from, channel_of(send.link), false);
    const auto sum = sum_at_.find(key(p, v));
    const bool only_for_sum =
        sum != sum_at_.end() && !forwarded_.contains(key(p, v)) && !delivered_.contains(key(p, v));
    if (!only_for_sum) {
      const Place place = place_of(p, v);
      arrived(p, v, place, add(block, {"r", place, place, kNoStep, slot_}));
      return;
    }
    // Straight into the sum.
    merged_.insert(key(p, v));
    Sum& into = sums_[sum->second];
    const Place place = into.own_place ? into.at.place : place_of(sum->second, v);
    const StepName step = into.merged == 0
                              ? add(block, {"r", place, place, kNoStep, slot_})
                              : add(block, {"rrc", into.at.place, place, into.at.made_by, slot_});
    into.own_place = true;
    into.at = {place, step};
    merged(sum->second);
  }

  // The packet is at a node: also what becomes of it there.
  void arrived(PacketIndex p, NodeId v, Place place, StepName made_by) {
    if (!at_.emplace(key(p, v), Where{place, made_by}).second)
      throw msccl_cannot_hold("{} reaches node {} twice", name(p), v);
    const auto sum = sum_at_.find(key(p, v));
    if (sum == sum_at_.end()) return;
    Sum& into = sums_[sum->second];
    if (into.merged == 0) {
      into.at = {place, made_by};
    } else {
      if (!into.own_place) {
        const Place own = place_of(sum->second, v);
        into.at = {own, local(v, "cpy", into.at.place, own, into.at.made_by)};
        into.own_place = true;
      }
      // A step waits for one other: a step that does nothing waits for the second.
      if (into.at.made_by.block != kNotWritten && into.at.made_by.block != local_[v])
        local(v, "nop", {}, {}, into.at.made_by);
      into.at.made_by = local(v, "re", place, into.at.place, made_by);
    }
    merged(sum->second);
  }

  void merged(PacketIndex sum) {
    Sum& into = sums_[sum];
    if (++into.merged < packets_.parts(sum).size()) return;
    if (!into.own_place) {  // of one part
      const Place own = place_of(sum, packets_.origin(sum));
      into.at = {own, local(packets_.origin(sum), "cpy", into.at.place, own, into.at.made_by)};
    }
    arrived(sum, packets_.origin(sum), into.at.place, into.at.made_by);
  }

  // Ids of blocks within their rank: those with peers in order, then the local one.
  std::string text() {
    const MscclCollective& collective = placement_.collective;
    const NodeId n = graph_.node_count();
    std::vector<std::vector<std::uint32_t>> of_rank(n);
    for (const auto& [at, block] : block_numbers_) of_rank[blocks_[block].rank].push_back(block);
    for (NodeId v = 0; v < n; ++v) {
      if (local_[v] != kNotWritten) of_rank[v].push_back(local_[v]);
    }
    std::vector<std::uint32_t> id(blocks_.size());
    for (const auto& blocks : of_rank) {
      for (std::uint32_t i = 0; i < blocks.size(); ++i) id[blocks[i]] = i;
    }
    std::string out = fmt::format(
        "<algo name=\"{}\" proto=\"Simple\" nchannels=\"{}\" nchunksperloop=\"{}\" ngpus=\"{}\" "
        "coll=\"{}\"{} inplace=\"0\" outofplace=\"1\" minBytes=\"0\" maxBytes=\"{}\">\n",
        escaped(schedule_.algorithm.empty() ? "safnet" : schedule_.algorithm), channels_, collective.loop, n,
        to_string(collective.kind), collective.has_root() ? fmt::format(" root=\"{}\"", collective.root) : "",
        kMostBytes);
    for (NodeId v = 0; v < n; ++v) {
      out += fmt::format("  <gpu id=\"{}\" i_chunks=\"{}\" o_chunks=\"{}\" s_chunks=\"{}\">\n", v,
                         collective.input_chunks(v), collective.output_chunks(v), scratch_[v]);
      for (const std::uint32_t b : of_rank[v]) {
        const Block& block = blocks_[b];
        const auto peer = [&](bool used) { return used ? std::to_string(*block.peer) : std::string("-1"); };
        out += fmt::format("    <tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"{}\">\n", id[b],
                           peer(block.sends), peer(block.receives), block.channel);
        for (std::size_t s = 0; s < block.steps.size(); ++s) out += step_text(s, block.steps[s], id);
        out += "    </tb>\n";
      }
      out += "  </gpu>\n";
    }
    return out + "</algo>\n";
  }

  static std::string step_text(std::size_t s, const Step& step, const std::vector<std::uint32_t>& id) {
    const bool waits = step.after.block != kNotWritten;
    return fmt::format(
        "      <step s=\"{}\" type=\"{}\" srcbuf=\"{}\" srcoff=\"{}\" dstbuf=\"{}\" dstoff=\"{}\" cnt=\"{}\" "
        "depid=\"{}\" deps=\"{}\" hasdep=\"{}\"{}/>\n",
        s, step.type, step.source.buffer, step.source.offset, step.destination.buffer,
        step.destination.offset, std::string_view(step.type) == "nop" ? 0 : 1,
        waits ? std::to_string(id[step.after.block]) : "-1", waits ? std::to_string(step.after.step) : "-1",
        step.awaited ? 1 : 0,
        std::string_view(step.type) == "s" ? fmt::format(" slot=\"{}\"", step.slot) : "");
  }

  static std::string escaped(const std::string& word) {
    std::string result;
    for (const char c : word) {
      if (c == '"')
        result += "&quot;";
      else if (c == '&')
        result += "&amp;";
      else if (c == '<')
        result += "&lt;";
      else
        result += c >= ' ' && c <= '~' ? c : '?';
    }
    return result;
  }

  // A file of ours must be readable again: ranks and blocks are elements, too.
  static constexpr std::size_t kMaxSteps = kMaxXmlElements / 2;
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 40;

  const Schedule& schedule_;
  const PacketList& packets_;
  const Graph& graph_;
  MscclPlacement placement_;
  std::vector<std::uint32_t> scratch_;  // chunks in use, by rank
  std::vector<std::uint32_t> local_;    // the block for local work, by rank
  std::vector<Block> blocks_;
  std::map<std::array<std::uint32_t, 3>, std::uint32_t> block_numbers_;  // rank, peer, channel
  std::uint32_t channels_ = 1, slot_ = 0;
  std::size_t step_count_ = 0;
  std::unordered_set<std::uint64_t> forwarded_, delivered_, merged_;  // by key()
  std::unordered_map<std::uint64_t, PacketIndex> sum_at_;  // the sum that a packet goes into at a node
  std::unordered_map<std::uint64_t, Where> at_;
  std::vector<Sum> sums_;
};

}  // namespace

std::string msccl_text(const Schedule& schedule) { return MscclWriter(schedule).run(); }

}  // namespace safnet
