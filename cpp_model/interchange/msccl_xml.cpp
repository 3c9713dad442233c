#include "cpp_model/interchange/msccl_xml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/interchange/msccl_collective.hpp"
#include "cpp_model/interchange/recognise.hpp"
#include "cpp_model/interchange/xml_guard.hpp"
#include "cpp_model/schedule/collective.hpp"

namespace safnet {
namespace {

using Tree = boost::property_tree::ptree;

constexpr std::uint64_t kMaxChunks = std::uint64_t{1} << 24;    // in all buffers; also moved by all steps
constexpr std::uint64_t kMaxSummands = std::uint64_t{1} << 27;  // of all combined packets together
constexpr std::uint32_t kNoSlot = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t kNone = static_cast<std::size_t>(-1);
constexpr std::size_t kMaxNamedBlocks = 4;

enum class StepType : std::uint8_t {
  kSend,
  kReceive,
  kReceiveReduceCopy,
  kReceiveCopySend,
  kReceiveReduceSend,
  kReceiveReduceCopySend,
  kCopy,
  kReduce,
  kNothing
};

const std::map<std::string, StepType>& step_types() {
  static const std::map<std::string, StepType> types{{"s", StepType::kSend},
                                                     {"r", StepType::kReceive},
                                                     {"rrc", StepType::kReceiveReduceCopy},
                                                     {"rcs", StepType::kReceiveCopySend},
                                                     {"rrs", StepType::kReceiveReduceSend},
                                                     {"rrcs", StepType::kReceiveReduceCopySend},
                                                     {"cpy", StepType::kCopy},
                                                     {"re", StepType::kReduce},
                                                     {"nop", StepType::kNothing}};
  return types;
}

bool receives(StepType type) {
  return type >= StepType::kReceive && type <= StepType::kReceiveReduceCopySend;
}
bool sends(StepType type) {
  return type == StepType::kSend ||
         (type >= StepType::kReceiveCopySend && type <= StepType::kReceiveReduceCopySend);
}
// Whether the step takes something from its source buffer, and puts something into its destination.
bool uses_source(StepType type) {
  return type != StepType::kReceive && type != StepType::kReceiveCopySend && type != StepType::kNothing;
}
bool uses_destination(StepType type) {
  return type != StepType::kSend && type != StepType::kReceiveReduceSend && type != StepType::kNothing;
}

struct Step {
  StepType type = StepType::kNothing;
  std::size_t source = 0, destination = 0;  // first chunk, among all chunks of all ranks
  std::uint32_t count = 1;
  std::size_t waits_for_block = kNone, waits_for_step = 0;
  std::uint32_t slot = 0;  // in which our writer had it: a priority, not a time
};

struct Block {
  NodeId rank = 0;
  std::uint64_t id = 0;
  std::size_t send_channel = kNone, receive_channel = kNone;
  std::vector<Step> steps;
  // While it runs.
  std::size_t at = 0;
  bool received = false;              // the receiving half of the step is done
  std::vector<PacketIndex> outgoing;  // what the sending half sends
  std::size_t sent = 0;               // of these
  std::vector<std::size_t> waiting;   // blocks that wait for a step of this one
  bool sending = false;
};

// One message at a time: a step's chunks.
struct Channel {
  NodeId from = 0, to = 0;
  std::uint64_t number = 0;
  std::size_t sender = kNone, receiver = kNone;
  std::vector<std::uint32_t> sent_counts, received_counts;
  bool taken = false;    // from the first packet until the message is received
  bool arrived = false;  // the message is complete
  std::vector<PacketIndex> message;
};

class MscclReader {
 public:
  MscclReader(const Tree& file, const std::string& shown, const Graph& network, PortModel ports)
      : shown_(shown), schedule_(network), graph_(schedule_.network), n_(graph_.node_count()), ports_(ports) {
    schedule_.ports = ports;
    read(file);
  }

  ReadSchedule run() {
    simulate();
    deliver();
    fill();
    return finish();
  }

 private:
  struct Packet {
    NodeId origin = 0;
    std::uint32_t offset = 0;  // of a plain packet: its input chunk
    bool used = false;
    std::vector<PacketIndex> parts, summands;  // summands: plain packets, ascending; of a plain one none
    std::vector<NodeId> destinations;
  };

  // ---- the file ----

  std::invalid_argument wrong(const std::string& what) const {
    return std::invalid_argument(fmt::format("file '{}': {}", shown_, what));
  }
  static const std::string* attribute(const Tree& element, const std::string& key) {
    const auto attributes = element.find("<xmlattr>");
    if (attributes == element.not_found()) return nullptr;
    const auto found = attributes->second.find(key);
    return found == attributes->second.not_found() ? nullptr : &found->second.data();
  }
  const std::string& word(const Tree& element, const std::string& key, const std::string& where) const {
    const std::string* found = attribute(element, key);
    if (!found) throw wrong(fmt::format("{}: attribute '{}' is missing", where, key));
    return *found;
  }
  std::uint64_t number(const Tree& element, const std::string& key, std::uint64_t least, std::uint64_t most,
                       const std::string& where) const {
    const std::string& text = word(element, key, where);
    const std::optional<std::uint64_t> value = parse_decimal(text);
    if (!value || *value < least || *value > most)
      throw wrong(fmt::format("{}: {}={}; expected a number from {} to {}", where, key, in_quotes(text),
                              least, most));
    return *value;
  }
  // A number, or -1 for none.
  std::optional<std::uint64_t> optional_number(const Tree& element, const std::string& key,
                                               std::uint64_t most, const std::string& where) const {
    if (word(element, key, where) == "-1") return std::nullopt;
    return number(element, key, 0, most, where);
  }
  bool flag(const Tree& element, const std::string& key, const std::string& where) const {
    return attribute(element, key) && number(element, key, 0, 1, where) == 1;
  }
  // The elements inside one, all of the same name.
  std::vector<const Tree*> children(const Tree& element, const std::string& name,
                                    const std::string& where) const {
    std::vector<const Tree*> result;
    for (const auto& [key, child] : element) {
      if (key == "<xmlattr>" || key == "<xmlcomment>") continue;
      if (key != name) throw wrong(fmt::format("{}: element {}; expected '{}'", where, in_quotes(key), name));
      result.push_back(&child);
    }
    return result;
  }

  void read(const Tree& file) {
    const std::vector<const Tree*> outer = children(file, "algo", "file");
    if (outer.size() != 1) throw wrong("expected one element 'algo'");
    const Tree& algo = *outer[0];
    name_ = one_line(word(algo, "name", "algo"));
    if (graph_.has_routers()) {
      throw wrong(
          fmt::format("algo: the topology {} has nodes that only route; expected one whose nodes are ranks",
                      in_quotes(graph_.spelling())));
    }
    if (number(algo, "ngpus", 1, kMaxNodes, "algo") != n_)
      throw wrong(fmt::format("algo: ngpus={}; the topology {} has {} nodes",
                              in_quotes(*attribute(algo, "ngpus")), in_quotes(graph_.spelling()), n_));
    const std::optional<MscclKind> kind = parse_msccl_kind(word(algo, "coll", "algo"));
    if (!kind) {
      throw wrong(
          fmt::format("algo: coll={}; expected allreduce, allgather, alltoall, reduce_scatter, broadcast, "
                      "reduce, gather or scatter",
                      in_quotes(*attribute(algo, "coll"))));
    }
    collective_.kind = *kind;
    collective_.ranks = n_;
    collective_.loop = static_cast<std::uint32_t>(number(algo, "nchunksperloop", 1, kMaxChunks / n_, "algo"));
    if (collective_.divided() && collective_.loop % n_ != 0)
      throw wrong(fmt::format("algo: nchunksperloop='{}'; expected a multiple of {} ranks for {}",
                              collective_.loop, n_, to_string(*kind)));
    if (collective_.has_root() && attribute(algo, "root"))
      collective_.root = static_cast<NodeId>(number(algo, "root", 0, n_ - 1, "algo"));
    else if (collective_.has_root())
      remarks_.push_back("the file names no root: taken as rank 0");
    gpus_.resize(n_);
    for (const Tree* gpu : children(algo, "gpu", "algo")) {
      const auto rank = static_cast<NodeId>(number(*gpu, "id", 0, n_ - 1, "gpu"));
      if (gpus_[rank].element) throw wrong(fmt::format("gpu {}: given twice", rank));
      gpus_[rank].element = gpu;
    }
    bool has_output = false;
    for (NodeId rank = 0; rank < n_; ++rank) {
      if (!gpus_[rank].element) throw wrong(fmt::format("gpu {}: missing", rank));
      has_output = has_output ||
                   number(*gpus_[rank].element, "o_chunks", 0, kMaxChunks, fmt::format("gpu {}", rank)) > 0;
    }
    // Newer files may allow both; then separate buffers are what the program was written for if it has them.
    collective_.in_place = flag(algo, "inplace", "algo") && !(flag(algo, "outofplace", "algo") && has_output);
    for (NodeId rank = 0; rank < n_; ++rank) lay_out(rank);
    values_.assign(chunk_count_, kNoPacket);
    for (NodeId rank = 0; rank < n_; ++rank) {
      gpus_[rank].first_packet = static_cast<PacketIndex>(packets_.size());
      for (std::uint32_t k = 0; k < collective_.input_chunks(rank); ++k) {
        const auto [buffer, offset] = collective_.place(rank, 'i', k);
        values_[gpus_[rank].first.at(buffer) + offset] = static_cast<PacketIndex>(packets_.size());
        packets_.push_back({rank, k, false, {}, {}, {}});
      }
    }
    for (NodeId rank = 0; rank < n_; ++rank) read_blocks(rank);
    for (NodeId rank = 0; rank < n_; ++rank) read_steps(rank);
    check_channels();
  }

  void lay_out(NodeId rank) {
    const std::string where = fmt::format("gpu {}", rank);
    Gpu& gpu = gpus_[rank];
    for (const char buffer : {'i', 'o', 's'}) {
      std::uint64_t chunks = number(*gpu.element, fmt::format("{}_chunks", buffer), 0, kMaxChunks, where);
      // What the collective needs there: in place, all of the other buffer may be in this one.
      for (const char side : {'i', 'o'}) {
        const std::uint32_t needed =
            side == 'i' ? collective_.input_chunks(rank) : collective_.output_chunks(rank);
        if (needed == 0) continue;
        const auto [placed, last] = collective_.place(rank, side, needed - 1);
        if (placed == buffer) chunks = std::max(chunks, last + 1);
      }
      gpu.first[buffer] = chunk_count_;
      gpu.size[buffer] = chunks;
      chunk_count_ += chunks;
    }
    if (chunk_count_ > kMaxChunks)
      throw wrong(fmt::format("expected at most {} chunks in all buffers", kMaxChunks));
  }

  std::size_t channel_of(NodeId from, NodeId to, std::uint64_t number) {
    const auto [at, is_new] = channel_numbers_.try_emplace({from, to, number}, channels_.size());
    if (is_new) {
      channels_.emplace_back();
      channels_.back().from = from;
      channels_.back().to = to;
      channels_.back().number = number;
    }
    return at->second;
  }

  void read_blocks(NodeId rank) {
    for (const Tree* tb : children(*gpus_[rank].element, "tb", fmt::format("gpu {}", rank))) {
      Block block;
      block.rank = rank;
      block.id = number(*tb, "id", 0, kMaxChunks, fmt::format("gpu {}: tb", rank));
      const std::string where = fmt::format("rank {}, block {}", rank, block.id);
      if (!gpus_[rank].blocks.emplace(block.id, blocks_.size()).second) throw wrong(where + ": given twice");
      const std::uint64_t channel = attribute(*tb, "chan") && *attribute(*tb, "chan") == "-1"
                                        ? 0
                                        : number(*tb, "chan", 0, kMaxChunks, where);
      for (const bool sending : {true, false}) {
        const char* key = sending ? "send" : "recv";
        const std::optional<std::uint64_t> peer = optional_number(*tb, key, n_ - 1, where);
        if (!peer) continue;
        const auto other = static_cast<NodeId>(*peer);
        if (other == rank) throw wrong(fmt::format("{}: {}='{}' is the rank itself", where, key, other));
        const std::size_t index =
            sending ? channel_of(rank, other, channel) : channel_of(other, rank, channel);
        std::size_t& end = sending ? channels_[index].sender : channels_[index].receiver;
        if (end != kNone)
          throw wrong(fmt::format("{}: block {} has {}='{}' and channel {} already", where, blocks_[end].id,
                                  key, other, channel));
        end = blocks_.size();
        (sending ? block.send_channel : block.receive_channel) = index;
      }
      blocks_.push_back(std::move(block));
      elements_.push_back(tb);
    }
  }

  void read_steps(NodeId rank) {
    for (const auto& [id, index] : gpus_[rank].blocks) {
      const std::vector<const Tree*> elements = children(*elements_[index], "step", shown_block(index));
      std::vector<Step> steps(elements.size());
      std::vector<bool> given(elements.size());
      for (const Tree* element : elements) {
        const auto s = number(*element, "s", 0, elements.size() - 1, shown_block(index) + ": step");
        if (given[s]) throw wrong(fmt::format("{}, step {}: given twice", shown_block(index), s));
        given[s] = true;
        steps[s] = read_step(*element, index, s);
      }
      blocks_[index].steps = std::move(steps);
    }
    for (const auto& [id, index] : gpus_[rank].blocks) {
      for (std::size_t s = 0; s < blocks_[index].steps.size(); ++s) {
        const Step& step = blocks_[index].steps[s];
        if (step.waits_for_block != kNone &&
            step.waits_for_step >= blocks_[step.waits_for_block].steps.size())
          throw wrong(fmt::format("{}, step {}: waits for step {} of block {}, which has {} steps",
                                  shown_block(index), s, step.waits_for_step,
                                  blocks_[step.waits_for_block].id,
                                  blocks_[step.waits_for_block].steps.size()));
      }
    }
  }

  Step read_step(const Tree& element, std::size_t block_index, std::size_t s) {
    Block& block = blocks_[block_index];
    const std::string where = fmt::format("{}, step {}", shown_block(block_index), s);
    Step step;
    const auto type = step_types().find(word(element, "type", where));
    if (type == step_types().end())
      throw wrong(fmt::format("{}: type={}; expected s, r, rrc, rcs, rrs, rrcs, cpy, re or nop", where,
                              in_quotes(word(element, "type", where))));
    step.type = type->second;
    if (step.type != StepType::kNothing) {
      step.count = static_cast<std::uint32_t>(number(element, "cnt", 1, kMaxChunks, where));
      if ((moved_ += step.count) > kMaxChunks)
        throw wrong(fmt::format("expected at most {} chunks in all steps", kMaxChunks));
    }
    if (uses_source(step.type)) step.source = chunk(element, block.rank, "src", step.count, where);
    if (uses_destination(step.type)) step.destination = chunk(element, block.rank, "dst", step.count, where);
    if (sends(step.type)) {
      if (block.send_channel == kNone) throw wrong(where + ": sends; expected a block with 'send'");
      channels_[block.send_channel].sent_counts.push_back(0);
    }
    if (receives(step.type)) {
      if (block.receive_channel == kNone) throw wrong(where + ": receives; expected a block with 'recv'");
      channels_[block.receive_channel].received_counts.push_back(0);
    }
    if (attribute(element, "depid")) {
      const std::optional<std::uint64_t> depends = optional_number(element, "depid", kMaxChunks, where);
      if (depends) {
        const auto found = gpus_[block.rank].blocks.find(*depends);
        if (found == gpus_[block.rank].blocks.end())
          throw wrong(fmt::format("{}: depid='{}'; rank {} has no such block", where, *depends, block.rank));
        step.waits_for_block = found->second;
        step.waits_for_step = number(element, "deps", 0, kMaxChunks, where);
      }
    }
    if (attribute(element, "slot"))
      step.slot = static_cast<std::uint32_t>(number(element, "slot", 0, kNoSlot - 1, where));
    return step;
  }

  std::size_t chunk(const Tree& element, NodeId rank, const std::string& side, std::uint32_t count,
                    const std::string& where) const {
    const std::string& buffer = word(element, side + "buf", where);
    if (buffer != "i" && buffer != "o" && buffer != "s")
      throw wrong(fmt::format("{}: {}buf={}; expected i, o or s", where, side, in_quotes(buffer)));
    const std::uint64_t offset = number(element, side + "off", 0, kMaxChunks, where);
    const auto [placed, from] = collective_.place(rank, buffer[0], offset);
    const std::uint64_t size = gpus_[rank].size.at(placed);
    if (from + count > size)
      throw wrong(fmt::format("{}: {}off='{}', {} chunks; buffer {} has {}", where, side, offset, count,
                              buffer, size));
    return static_cast<std::size_t>(gpus_[rank].first.at(placed) + from);
  }

  // The k-th send of a channel meets the k-th receive.
  void check_channels() {
    for (Channel& channel : channels_) {
      const std::string where =
          fmt::format("from rank {} to rank {}, channel {}", channel.from, channel.to, channel.number);
      channel.sent_counts.clear();
      channel.received_counts.clear();
      for (const bool sending : {true, false}) {
        const std::size_t end = sending ? channel.sender : channel.receiver;
        if (end == kNone) continue;
        for (const Step& step : blocks_[end].steps) {
          if (sending && sends(step.type)) channel.sent_counts.push_back(step.count);
          if (!sending && receives(step.type)) channel.received_counts.push_back(step.count);
        }
      }
      if (channel.sent_counts.size() != channel.received_counts.size())
        throw wrong(fmt::format("{}: {} sends and {} receives; expected as many", where,
                                channel.sent_counts.size(), channel.received_counts.size()));
      for (std::size_t k = 0; k < channel.sent_counts.size(); ++k) {
        if (channel.sent_counts[k] != channel.received_counts[k])
          throw wrong(fmt::format("{}: send {} has {} chunks, its receive {}", where, k,
                                  channel.sent_counts[k], channel.received_counts[k]));
      }
      if (!channel.sent_counts.empty() && !graph_.port_to(channel.from, channel.to))
        throw wrong(fmt::format("{}: the topology {} has no such link", where, in_quotes(graph_.spelling())));
    }
  }

  std::string shown_block(std::size_t index) const {
    return fmt::format("rank {}, block {}", blocks_[index].rank, blocks_[index].id);
  }
  std::string shown_step(std::size_t index) const {
    return fmt::format("{}, step {}", shown_block(index), blocks_[index].at);
  }

  // ---- list scheduling ----

  void simulate() {
    link_used_.assign(graph_.link_count(), 0);
    out_used_.assign(n_, 0);
    in_used_.assign(n_, 0);
    std::vector<std::size_t> awake(blocks_.size());
    for (std::size_t b = 0; b < awake.size(); ++b) awake[b] = b;
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
        channel.arrived = true;
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
    block.received = false;
    awake.push_back(index);
    awake.insert(awake.end(), block.waiting.begin(), block.waiting.end());
    block.waiting.clear();
  }

  // Goes on until the block must wait, or is to send something in the next slot.
  void advance(std::size_t index, std::vector<std::size_t>& awake) {
    Block& block = blocks_[index];
    if (block.sending || block.at == block.steps.size()) return;
    const Step& step = block.steps[block.at];
    if (step.waits_for_block != kNone && blocks_[step.waits_for_block].at <= step.waits_for_step) {
      blocks_[step.waits_for_block].waiting.push_back(index);
      return;
    }
    if (receives(step.type)) {
      Channel& channel = channels_[block.receive_channel];
      if (!channel.arrived) return;
      std::vector<PacketIndex> message = std::move(channel.message);
      channel.message.clear();
      channel.taken = channel.arrived = false;
      for (std::uint32_t i = 0; i < step.count; ++i) receive(index, step, i, message[i]);
      block.outgoing = std::move(message);
    } else if (step.type == StepType::kSend) {
      block.outgoing.resize(step.count);
      for (std::uint32_t i = 0; i < step.count; ++i) block.outgoing[i] = value(index, step.source + i);
    } else if (step.type != StepType::kNothing) {
      for (std::uint32_t i = 0; i < step.count; ++i) {
        const PacketIndex source = value(index, step.source + i);
        PacketIndex& destination = values_[step.destination + i];
        destination = step.type == StepType::kCopy
                          ? source
                          : combined(index, value(index, step.destination + i), source);
      }
    }
    if (sends(step.type)) {
      block.sent = 0;
      block.sending = true;
      senders_.emplace(step.slot, now_, block.rank, index);
      return;
    }
    complete(index, awake);
  }

  // One arriving chunk; what the step sends on replaces it.
  void receive(std::size_t index, const Step& step, std::uint32_t i, PacketIndex& packet) {
    if (step.type != StepType::kReceive && step.type != StepType::kReceiveCopySend)
      packet = combined(index, value(index, step.source + i), packet);
    if (uses_destination(step.type)) values_[step.destination + i] = packet;
  }

  PacketIndex value(std::size_t index, std::size_t chunk) const {
    if (values_[chunk] == kNoPacket)
      throw wrong(
          fmt::format("{}: {} holds nothing", shown_step(index), shown_chunk(blocks_[index].rank, chunk)));
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
      throw wrong(fmt::format("{}: combines {} with {}, a summand would count twice", shown_step(index),
                              shown_sum(here), shown_sum(other)));
    for (const PacketIndex part : {here, other}) {
      if (!used_up_.insert(std::uint64_t{part} * n_ + rank).second)
        throw wrong(fmt::format("{}: {} goes into a second sum at rank {}; expected one at most",
                                shown_step(index), shown_sum(part), rank));
    }
    if ((summand_count_ += whole.summands.size()) > kMaxSummands ||
        packets_.size() >= PacketList::kMaxPackets)
      throw wrong("expected fewer or smaller sums");
    packets_.push_back(std::move(whole));
    return static_cast<PacketIndex>(packets_.size() - 1);
  }

  // Sends what fits into this slot; true when the message is complete.
  bool send(std::size_t index, bool& moved) {
    Block& block = blocks_[index];
    Channel& channel = channels_[block.send_channel];
    if (block.sent == 0) {
      if (channel.taken) return false;
      channel.message.clear();
    }
    for (; block.sent < block.outgoing.size(); ++block.sent) {
      const PacketIndex packet = block.outgoing[block.sent];
      // A rank that has a packet, or gets it in this slot, does not need it twice.
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
      channel.taken = moved = true;
      channel.message.push_back(packet);
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
      if (step.waits_for_block != kNone && blocks_[step.waits_for_block].at <= step.waits_for_step)
        return step.waits_for_block;
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
    return wrong(fmt::format("deadlock: {} waits for {}", cycle,
                             named == kMaxNamedBlocks ? "..." : shown_block(block)));
  }

  // ---- what came of it ----

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
          throw wrong(fmt::format("rank {}, output chunk {}: expected {}, got {}", rank, k, expected,
                                  shown_sum(packet)));
        }
        Packet& of = packets_[packet];
        if (of.origin == rank && of.parts.empty()) continue;
        if (of.destinations.empty() || of.destinations.back() != rank) of.destinations.push_back(rank);
        of.used = true;
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
    if (schedule_.packets.size() == 0) throw wrong("nothing is sent; expected a collective");
    for (Send& send : schedule_.sends) send.packet = renumbered[send.packet];
    sort_sends(schedule_);
  }

  ReadSchedule finish() {
    schedule_.algorithm = name_;
    schedule_.description =
        fmt::format("{} of {} ranks, {} chunks", to_string(collective_.kind), n_, collective_.loop);
    remarks_.insert(remarks_.begin(),
                    fmt::format("{}, {} thread blocks, {}: scheduled in {} steps", schedule_.description,
                                blocks_.size(), collective_.in_place ? "in place" : "out of place",
                                schedule_.sends.empty() ? 0 : schedule_.sends.back().start));
    if (needless_ > 0)
      remarks_.push_back(fmt::format("{} transfers left out: the packet is at the rank already", needless_));
    static const std::map<MscclKind, std::string> ours{{MscclKind::kAllToAll, "total-exchange"},
                                                       {MscclKind::kBroadcast, "broadcast"},
                                                       {MscclKind::kGather, "gather"},
                                                       {MscclKind::kScatter, "scatter"}};
    const auto preferred = ours.find(collective_.kind);
    recognise_collective(schedule_, preferred == ours.end() ? "" : preferred->second);
    return {std::move(schedule_), std::move(remarks_)};
  }

  struct Gpu {
    const Tree* element = nullptr;
    std::map<char, std::uint64_t> first, size;    // of buffers i, o, s
    std::map<std::uint64_t, std::size_t> blocks;  // by id
    PacketIndex first_packet = 0;                 // of its input chunks
  };

  const std::string& shown_;
  Schedule schedule_;
  const Graph& graph_;
  NodeId n_;
  PortModel ports_;
  std::string name_;
  MscclCollective collective_;
  std::vector<std::string> remarks_;
  std::vector<Gpu> gpus_;
  std::uint64_t chunk_count_ = 0, moved_ = 0, summand_count_ = 0, needless_ = 0;
  std::vector<PacketIndex> values_;  // by chunk
  std::vector<Packet> packets_;      // plain ones first
  std::vector<Block> blocks_;
  std::vector<const Tree*> elements_;  // of the blocks
  std::vector<Channel> channels_;
  std::map<std::tuple<NodeId, NodeId, std::uint64_t>, std::size_t> channel_numbers_;
  std::uint32_t now_ = 0;
  // By the writer's slot, then who was ready first.
  std::set<std::tuple<std::uint32_t, std::uint32_t, NodeId, std::size_t>> senders_;
  std::vector<std::size_t> finished_;
  std::vector<std::uint32_t> link_used_, out_used_, in_used_;  // the last slot
  std::unordered_set<std::uint64_t> present_, used_up_;        // packet * n + rank
};

}  // namespace

ReadSchedule read_msccl(std::string_view text, const std::string& shown, const Graph& network,
                        PortModel ports) {
  guard_xml(text, shown);
  Tree tree;
  std::istringstream stream{std::string(text)};
  try {
    boost::property_tree::read_xml(
        stream, tree,
        boost::property_tree::xml_parser::no_comments | boost::property_tree::xml_parser::trim_whitespace);
  } catch (const boost::property_tree::xml_parser_error& error) {
    throw std::invalid_argument(
        fmt::format("{}:{}: expected XML; {}", shown, error.line(), one_line(error.message())));
  }
  return MscclReader(tree, shown, network, ports).run();
}

}  // namespace safnet
