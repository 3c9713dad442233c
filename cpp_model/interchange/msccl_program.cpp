#include "cpp_model/interchange/msccl_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/property_tree/ptree.hpp>

#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

constexpr std::uint64_t kMaxChunks = std::uint64_t{1} << 24;  // in all buffers; also moved by all steps
constexpr std::uint32_t kNoSlot = std::numeric_limits<std::uint32_t>::max();

}  // namespace

MscclProgram::MscclProgram(const Tree& file, const std::string& shown, const Graph& network)
    : shown_(shown), graph_(network), n_(graph_.node_count()) {
  read(file);
}

std::invalid_argument MscclProgram::wrong(const std::string& what) const {
  return std::invalid_argument(fmt::format("file '{}': {}", shown_, what));
}
const std::string* MscclProgram::attribute(const Tree& element, const std::string& key) {
  const auto attributes = element.find("<xmlattr>");
  if (attributes == element.not_found()) return nullptr;
  const auto found = attributes->second.find(key);
  return found == attributes->second.not_found() ? nullptr : &found->second.data();
}
const std::string& MscclProgram::word(const Tree& element, const std::string& key,
                                      const std::string& where) const {
  const std::string* found = attribute(element, key);
  if (!found) throw wrong(fmt::format("{}: attribute '{}' is missing", where, key));
  return *found;
}
std::uint64_t MscclProgram::number(const Tree& element, const std::string& key, std::uint64_t least,
                                   std::uint64_t most, const std::string& where) const {
  const std::string& text = word(element, key, where);
  const std::optional<std::uint64_t> value = parse_decimal(text);
  if (!value || *value < least || *value > most)
    throw wrong(
        fmt::format("{}: {}={}; expected a number from {} to {}", where, key, in_quotes(text), least, most));
  return *value;
}
// A number, or -1 for none.
std::optional<std::uint64_t> MscclProgram::optional_number(const Tree& element, const std::string& key,
                                                           std::uint64_t most,
                                                           const std::string& where) const {
  if (word(element, key, where) == "-1") return std::nullopt;
  return number(element, key, 0, most, where);
}
bool MscclProgram::flag(const Tree& element, const std::string& key, const std::string& where) const {
  return attribute(element, key) && number(element, key, 0, 1, where) == 1;
}
// The elements inside one, all of the same name.
std::vector<const MscclProgram::Tree*> MscclProgram::children(const Tree& element, const std::string& name,
                                                              const std::string& where) const {
  std::vector<const Tree*> result;
  for (const auto& [key, child] : element) {
    if (key == "<xmlattr>" || key == "<xmlcomment>") continue;
    if (key != name) throw wrong(fmt::format("{}: element {}; expected '{}'", where, in_quotes(key), name));
    result.push_back(&child);
  }
  return result;
}

void MscclProgram::read(const Tree& file) {
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

void MscclProgram::lay_out(NodeId rank) {
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

std::size_t MscclProgram::channel_of(NodeId from, NodeId to, std::uint64_t number) {
  const auto [at, is_new] = channel_numbers_.try_emplace({from, to, number}, channels_.size());
  if (is_new) {
    channels_.emplace_back();
    channels_.back().from = from;
    channels_.back().to = to;
    channels_.back().number = number;
  }
  return at->second;
}

void MscclProgram::read_blocks(NodeId rank) {
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
      const std::size_t index = sending ? channel_of(rank, other, channel) : channel_of(other, rank, channel);
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

void MscclProgram::read_steps(NodeId rank) {
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
      if (step.waits_for_block != kNone && step.waits_for_step >= blocks_[step.waits_for_block].steps.size())
        throw wrong(fmt::format("{}, step {}: waits for step {} of block {}, which has {} steps",
                                shown_block(index), s, step.waits_for_step, blocks_[step.waits_for_block].id,
                                blocks_[step.waits_for_block].steps.size()));
    }
  }
}

MscclProgram::Step MscclProgram::read_step(const Tree& element, std::size_t block_index, std::size_t s) {
  Block& block = blocks_[block_index];
  const std::string where = fmt::format("{}, step {}", shown_block(block_index), s);
  Step step;
  static const std::map<std::string, StepType> types{{"s", StepType::kSend},
                                                     {"r", StepType::kReceive},
                                                     {"rrc", StepType::kReceiveReduceCopy},
                                                     {"rcs", StepType::kReceiveCopySend},
                                                     {"rrs", StepType::kReceiveReduceSend},
                                                     {"rrcs", StepType::kReceiveReduceCopySend},
                                                     {"cpy", StepType::kCopy},
                                                     {"re", StepType::kReduce},
                                                     {"nop", StepType::kNothing}};
  const auto type = types.find(word(element, "type", where));
  if (type == types.end())
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

std::size_t MscclProgram::chunk(const Tree& element, NodeId rank, const std::string& side,
                                std::uint32_t count, const std::string& where) const {
  const std::string& buffer = word(element, side + "buf", where);
  if (buffer != "i" && buffer != "o" && buffer != "s")
    throw wrong(fmt::format("{}: {}buf={}; expected i, o or s", where, side, in_quotes(buffer)));
  const std::uint64_t offset = number(element, side + "off", 0, kMaxChunks, where);
  const auto [placed, from] = collective_.place(rank, buffer[0], offset);
  const std::uint64_t size = gpus_[rank].size.at(placed);
  if (from + count > size)
    throw wrong(
        fmt::format("{}: {}off='{}', {} chunks; buffer {} has {}", where, side, offset, count, buffer, size));
  return static_cast<std::size_t>(gpus_[rank].first.at(placed) + from);
}

// The k-th send of a channel meets the k-th receive.
void MscclProgram::check_channels() {
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
        throw wrong(fmt::format("{}: send {} has {} chunks, its receive {}", where, k, channel.sent_counts[k],
                                channel.received_counts[k]));
    }
    if (!channel.sent_counts.empty() && !graph_.port_to(channel.from, channel.to))
      throw wrong(fmt::format("{}: the topology {} has no such link", where, in_quotes(graph_.spelling())));
  }
}

std::string MscclProgram::shown_block(std::size_t index) const {
  return fmt::format("rank {}, block {}", blocks_[index].rank, blocks_[index].id);
}
std::string MscclProgram::shown_step(std::size_t index) const {
  return fmt::format("{}, step {}", shown_block(index), blocks_[index].at);
}

}  // namespace safnet
