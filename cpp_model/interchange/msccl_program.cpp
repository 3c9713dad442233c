#include "cpp_model/interchange/msccl_program.hpp"

#include <algorithm>
#include <boost/property_tree/ptree.hpp>

#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

constexpr std::uint64_t kMostChunks = std::uint64_t{1} << 24;  // in all buffers; also moved by all steps
constexpr std::uint32_t kNoSlot = std::numeric_limits<std::uint32_t>::max();

}  // namespace

MscclProgram::MscclProgram(const Tree& file, const std::string& shown, const Graph& network,
                           const std::string& collective)
    : wrong_(shown), graph_(network), n_(graph_.node_count()) {
  read(file, collective);
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
  if (!found) throw wrong_("{}: attribute '{}' is missing", where, key);
  return *found;
}
std::uint64_t MscclProgram::number(const Tree& element, const std::string& key, std::uint64_t least,
                                   std::uint64_t most, const std::string& where) const {
  const std::string& text = word(element, key, where);
  const std::optional<std::uint64_t> value = parse_decimal(text);
  if (!value || *value < least || *value > most)
    throw wrong_("{}: {}={}; expected a number from {} to {}", where, key, in_quotes(text), least, most);
  return *value;
}
std::optional<std::uint64_t> MscclProgram::optional_number(const Tree& element, const std::string& key,
                                                           std::uint64_t most,
                                                           const std::string& where) const {
  if (word(element, key, where) == "-1") return std::nullopt;
  return number(element, key, 0, most, where);
}
bool MscclProgram::flag(const Tree& element, const std::string& key, const std::string& where) const {
  return attribute(element, key) && number(element, key, 0, 1, where) == 1;
}
std::vector<const MscclProgram::Tree*> MscclProgram::children(const Tree& element, const std::string& name,
                                                              const std::string& where,
                                                              const std::string& other) const {
  std::vector<const Tree*> result;
  for (const auto& [key, child] : element) {
    if (key == "<xmlattr>" || key == "<xmlcomment>" || (!other.empty() && key == other)) continue;
    if (key != name) throw wrong_("{}: element {}; expected '{}'", where, in_quotes(key), name);
    result.push_back(&child);
  }
  return result;
}

void MscclProgram::read(const Tree& file, const std::string& collective) {
  const std::vector<const Tree*> outer = children(file, "algo", "file");
  if (outer.size() != 1) throw wrong_("expected one element 'algo'");
  const Tree& algo = *outer[0];
  name_ = one_line(word(algo, "name", "algo"));
  if (graph_.has_routers()) {
    throw wrong_("algo: the topology {} has nodes that only route; expected one whose nodes are ranks",
                 in_quotes(graph_.spelling()));
  }
  if (number(algo, "ngpus", 1, kMaxNodes, "algo") != n_)
    throw wrong_("algo: ngpus={}; the topology {} has {} nodes", in_quotes(*attribute(algo, "ngpus")),
                 in_quotes(graph_.spelling()), n_);
  read_gpus(algo);
  read_collective(algo, collective);
  for (NodeId rank = 0; rank < n_; ++rank) lay_out(rank);
  fill_inputs();
  for (NodeId rank = 0; rank < n_; ++rank) read_blocks(rank);
  for (NodeId rank = 0; rank < n_; ++rank) read_steps(rank);
  check_channels();
}

// The file's word goes before that of the user, who must not contradict it.
void MscclProgram::read_collective(const Tree& algo, const std::string& named) {
  const std::string* coll = attribute(algo, "coll");
  std::optional<MscclKind> kind = coll ? parse_msccl_kind(*coll) : std::nullopt;
  if (!named.empty()) {
    const MscclKind wanted = parse_msccl_collective(named);
    if (kind && *kind != MscclKind::kCustom && *kind != wanted) {
      throw wrong_("algo: coll={}; the option --collective names another, {}", in_quotes(*coll),
                   in_quotes(named));
    }
    kind = wanted;
  }
  if (!coll && !kind) throw wrong_("algo: attribute 'coll' is missing; expected it, or --collective NAME");
  if (!kind) throw wrong_("algo: coll={}; expected {}, or custom", in_quotes(*coll), kMscclWords);
  collective_.kind = *kind;
  collective_.ranks = n_;
  collective_.loop = static_cast<std::uint32_t>(number(algo, "nchunksperloop", 1, kMostChunks / n_, "algo"));
  if (collective_.divided() && collective_.loop % n_ != 0)
    throw wrong_("algo: nchunksperloop='{}'; expected a multiple of {} ranks for {}", collective_.loop, n_,
                 to_string(*kind));
  bool has_output = false;
  for (NodeId rank = 0; rank < n_; ++rank) {
    const std::string where = fmt::format("gpu {}", rank);
    for (const bool output : {false, true}) {
      const auto chunks = static_cast<std::uint32_t>(
          number(*gpus_[rank].element, output ? "o_chunks" : "i_chunks", 0, kMostChunks, where));
      (output ? collective_.outputs : collective_.inputs).push_back(chunks);
      has_output = has_output || (output && chunks > 0);
      if (*kind == MscclKind::kCustom) collective_.loop = std::max(collective_.loop, chunks);
    }
  }
  // Newer files may allow both: then a program that declares output buffers was written for out of place.
  collective_.in_place = flag(algo, "inplace", "algo") && !(flag(algo, "outofplace", "algo") && has_output);
  if (*kind == MscclKind::kCustom && collective_.in_place && has_output &&
      collective_.inputs != collective_.outputs)
    throw wrong_(
        "algo: coll='custom', in place, with other numbers of input and output chunks; expected "
        "the same, no output chunks, or --collective NAME");
  if (collective_.has_root() && attribute(algo, "root"))
    collective_.root = static_cast<NodeId>(number(algo, "root", 0, n_ - 1, "algo"));
  else if (collective_.has_root())
    remarks_.emplace_back("the file names no root: taken as rank 0");
}

void MscclProgram::read_gpus(const Tree& algo) {
  gpus_.resize(n_);
  for (const Tree* gpu : children(algo, "gpu", "algo")) {
    const auto rank = static_cast<NodeId>(number(*gpu, "id", 0, n_ - 1, "gpu"));
    if (gpus_[rank].element) throw wrong_("gpu {}: given twice", rank);
    gpus_[rank].element = gpu;
  }
  for (NodeId rank = 0; rank < n_; ++rank) {
    if (!gpus_[rank].element) throw wrong_("gpu {}: missing", rank);
  }
}

// Makes the packets of all input chunks, and copies them as `copy` elements say, before any step.
void MscclProgram::fill_inputs() {
  values_.assign(chunk_count_, kNoPacket);
  for (NodeId rank = 0; rank < n_; ++rank) {
    gpus_[rank].first_packet = static_cast<PacketIndex>(packets_.size());
    for (std::uint32_t k = 0; k < collective_.input_chunks(rank); ++k) {
      const auto [buffer, offset] = collective_.place(rank, 'i', k);
      values_[gpus_[rank].first.at(buffer) + offset] = static_cast<PacketIndex>(packets_.size());
      packets_.push_back({rank, k, false, {}, {}, {}});
    }
    copy_inputs(rank);
  }
}

void MscclProgram::copy_inputs(NodeId rank) {
  const std::string where = fmt::format("gpu {}: copy", rank);
  const auto place = [&](const Tree& copy, const std::string& key, char buffer) {
    const std::uint64_t offset = number(copy, key, 0, kMostChunks, where);
    const auto [placed, at] = collective_.place(rank, buffer, offset);
    if (at >= gpus_[rank].size.at(placed))
      throw wrong_("{}: {}='{}'; buffer {} has {} chunks", where, key, offset, placed,
                   gpus_[rank].size.at(placed));
    return gpus_[rank].first.at(placed) + at;
  };
  for (const Tree* copy : children(*gpus_[rank].element, "copy", fmt::format("gpu {}", rank), "tb")) {
    const std::uint64_t from = place(*copy, "i_off", 'i'), to = place(*copy, "o_off", 'o');
    if (values_[from] == kNoPacket)
      throw wrong_("{}: i_off='{}'; that input chunk holds nothing", where, *attribute(*copy, "i_off"));
    values_[to] = values_[from];
  }
}

void MscclProgram::lay_out(NodeId rank) {
  const std::string where = fmt::format("gpu {}", rank);
  Gpu& gpu = gpus_[rank];
  for (const char buffer : {'i', 'o', 's'}) {
    std::uint64_t chunks = number(*gpu.element, fmt::format("{}_chunks", buffer), 0, kMostChunks, where);
    // The chunks that the collective needs; in place, a buffer may lie within the other one.
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
  if (chunk_count_ > kMostChunks) throw wrong_("expected at most {} chunks in all buffers", kMostChunks);
}

std::size_t MscclProgram::channel_of(NodeId from, NodeId to, std::uint64_t number) {
  const auto [at, is_new] = channel_numbers_.try_emplace({from, to, number}, channels_.size());
  if (is_new) channels_.push_back({.from = from, .to = to, .number = number});
  return at->second;
}

void MscclProgram::read_blocks(NodeId rank) {
  for (const Tree* tb : children(*gpus_[rank].element, "tb", fmt::format("gpu {}", rank), "copy")) {
    Block block;
    block.rank = rank;
    block.id = number(*tb, "id", 0, kMostChunks, fmt::format("gpu {}: tb", rank));
    const std::string where = fmt::format("rank {}, block {}", rank, block.id);
    if (!gpus_[rank].blocks.emplace(block.id, blocks_.size()).second) throw wrong_("{}: given twice", where);
    const std::uint64_t channel = optional_number(*tb, "chan", kMostChunks, where).value_or(0);
    for (const bool sending : {true, false}) {
      const char* key = sending ? "send" : "recv";
      const std::optional<std::uint64_t> peer = optional_number(*tb, key, n_ - 1, where);
      if (!peer) continue;
      const auto other = static_cast<NodeId>(*peer);
      if (other == rank) throw wrong_("{}: {}='{}' is the rank itself", where, key, other);
      const std::size_t index = sending ? channel_of(rank, other, channel) : channel_of(other, rank, channel);
      std::size_t& end = sending ? channels_[index].sender : channels_[index].receiver;
      if (end != kNone)
        throw wrong_("{}: block {} has {}='{}' and channel {} already", where, blocks_[end].id, key, other,
                     channel);
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
      if (given[s]) throw wrong_("{}, step {}: given twice", shown_block(index), s);
      given[s] = true;
      steps[s] = read_step(*element, index, s);
    }
    blocks_[index].steps = std::move(steps);
  }
  for (const auto& [id, index] : gpus_[rank].blocks) {
    for (std::size_t s = 0; s < blocks_[index].steps.size(); ++s) {
      const Step& step = blocks_[index].steps[s];
      if (step.waits_for_block != kNone && step.waits_for_step >= blocks_[step.waits_for_block].steps.size())
        throw wrong_("{}, step {}: waits for step {} of block {}, which has {} steps", shown_block(index), s,
                     step.waits_for_step, blocks_[step.waits_for_block].id,
                     blocks_[step.waits_for_block].steps.size());
    }
  }
}

MscclProgram::Step MscclProgram::read_step(const Tree& element, std::size_t block_index, std::size_t s) {
  Block& block = blocks_[block_index];
  const std::string where = fmt::format("{}, step {}", shown_block(block_index), s);
  Step step;
  static const std::map<std::string, StepType> types{
      {"s", {.source = true, .sends = true}},
      {"r", {.receives = true, .destination = true}},
      {"rrc", {.receives = true, .source = true, .destination = true}},
      {"rcs", {.receives = true, .destination = true, .sends = true}},
      {"rrs", {.receives = true, .source = true, .sends = true}},
      {"rrcs", {.receives = true, .source = true, .destination = true, .sends = true}},
      {"cpy", {.source = true, .destination = true}},
      {"re", {.source = true, .destination = true, .combines = true}},
      {"nop", StepType{}}};
  const auto type = types.find(word(element, "type", where));
  if (type == types.end())
    throw wrong_("{}: type={}; expected s, r, rrc, rcs, rrs, rrcs, cpy, re or nop", where,
                 in_quotes(word(element, "type", where)));
  step.type = type->second;
  if (step.type.receives || step.type.source) {
    step.count = static_cast<std::uint32_t>(number(element, "cnt", 1, kMostChunks, where));
    if ((moved_ += step.count) > kMostChunks)
      throw wrong_("expected at most {} chunks in all steps", kMostChunks);
  }
  if (step.type.source) step.source = chunk(element, block.rank, "src", step.count, where);
  if (step.type.destination) step.destination = chunk(element, block.rank, "dst", step.count, where);
  if (step.type.sends && block.send_channel == kNone)
    throw wrong_("{}: sends; expected a block with 'send'", where);
  if (step.type.receives && block.receive_channel == kNone)
    throw wrong_("{}: receives; expected a block with 'recv'", where);
  if (attribute(element, "depid")) {
    const std::optional<std::uint64_t> depends = optional_number(element, "depid", kMostChunks, where);
    if (depends) {
      const auto found = gpus_[block.rank].blocks.find(*depends);
      if (found == gpus_[block.rank].blocks.end())
        throw wrong_("{}: depid='{}'; rank {} has no such block", where, *depends, block.rank);
      step.waits_for_block = found->second;
      step.waits_for_step = number(element, "deps", 0, kMostChunks, where);
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
    throw wrong_("{}: {}buf={}; expected i, o or s", where, side, in_quotes(buffer));
  const std::uint64_t offset = number(element, side + "off", 0, kMostChunks, where);
  const auto [placed, from] = collective_.place(rank, buffer[0], offset);
  const std::uint64_t size = gpus_[rank].size.at(placed);
  if (from + count > size)
    throw wrong_("{}: {}off='{}', {} chunks; buffer {} has {}", where, side, offset, count, buffer, size);
  return static_cast<std::size_t>(gpus_[rank].first.at(placed) + from);
}

// The k-th send of a channel meets the k-th receive.
void MscclProgram::check_channels() const {
  // Chunks of the steps of a block that send, or receive.
  const auto counts = [&](std::size_t block, bool StepType::*does) {
    std::vector<std::uint32_t> result;
    if (block == kNone) return result;
    for (const Step& step : blocks_[block].steps) {
      if (step.type.*does) result.push_back(step.count);
    }
    return result;
  };
  for (const Channel& channel : channels_) {
    const std::string where =
        fmt::format("from rank {} to rank {}, channel {}", channel.from, channel.to, channel.number);
    const auto sent = counts(channel.sender, &StepType::sends);
    const auto received = counts(channel.receiver, &StepType::receives);
    if (sent.size() != received.size())
      throw wrong_("{}: {} sends and {} receives; expected as many", where, sent.size(), received.size());
    for (std::size_t k = 0; k < sent.size(); ++k) {
      if (sent[k] != received[k])
        throw wrong_("{}: send {} has {} chunks, its receive {}", where, k, sent[k], received[k]);
    }
    if (!sent.empty() && !graph_.port_to(channel.from, channel.to))
      throw wrong_("{}: the topology {} has no such link", where, in_quotes(graph_.spelling()));
  }
}

std::string MscclProgram::shown_block(std::size_t index) const {
  return fmt::format("rank {}, block {}", blocks_[index].rank, blocks_[index].id);
}
std::string MscclProgram::shown_step(std::size_t index) const {
  return fmt::format("{}, step {}", shown_block(index), blocks_[index].at);
}

}  // namespace safnet
