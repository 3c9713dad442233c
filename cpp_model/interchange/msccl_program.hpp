// msccl_program - a program for the MSCCL runtimes as its XML has it: ranks, thread blocks, steps and
// channels.
#pragma once

#include <boost/property_tree/ptree_fwd.hpp>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/interchange/msccl_collective.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// Reads and checks a program for the nodes of a network. `collective` is its name where the file says none
/// or a custom one; empty: not given. Throws std::invalid_argument with one line that names the file.
class MscclProgram {
 public:
  using Tree = boost::property_tree::ptree;

  /// `file` must outlive it.
  MscclProgram(const Tree& file, const std::string& shown, const Graph& network,
               const std::string& collective);

 protected:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  // What a step does, in this order: takes what arrives, or what its source buffer holds, or the sum of both;
  // puts it into its destination buffer; sends it. A local step without `source` does nothing.
  struct StepType {
    bool receives = false, source = false, destination = false, sends = false;
    bool combines = false;  // local: the source with the destination
  };

  struct Step {
    StepType type = {};
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
    std::vector<PacketIndex> outgoing;  // what the sending half sends
    std::size_t sent = 0;               // of these
    std::vector<std::size_t> waiting;   // blocks that wait for a step of this one
    bool sending = false;
  };

  // A message is the chunks of a step.
  struct Channel {
    NodeId from = 0, to = 0;
    std::uint64_t number = 0;
    std::size_t sender = kNone, receiver = kNone;
    std::uint32_t held = 0;  // messages of which a packet has left, and that are not received yet
    std::vector<PacketIndex> leaving = {};              // what has left of the last one
    std::deque<std::vector<PacketIndex>> arrived = {};  // complete ones, in order
  };

  struct Packet {
    NodeId origin = 0;
    std::uint32_t offset = 0;  // of a plain packet: its input chunk
    bool used = false;
    std::vector<PacketIndex> parts, summands;  // summands: plain packets, ascending; of a plain one none
    std::vector<NodeId> destinations;
  };
  struct Gpu {
    const Tree* element = nullptr;
    std::map<char, std::uint64_t> first, size;    // of buffers i, o, s
    std::map<std::uint64_t, std::size_t> blocks;  // by id
    PacketIndex first_packet = 0;                 // of its input chunks
  };

  std::string shown_block(std::size_t index) const;
  std::string shown_step(std::size_t index) const;

  const BadFile wrong_;
  Graph graph_;
  NodeId n_;
  std::string name_;
  MscclCollective collective_;
  std::vector<std::string> remarks_;
  std::vector<Gpu> gpus_;
  std::vector<PacketIndex> values_;  // by chunk: the packet that is there
  std::vector<Packet> packets_;      // plain ones first
  std::vector<Block> blocks_;
  std::vector<Channel> channels_;

 private:
  static const std::string* attribute(const Tree& element, const std::string& key);
  const std::string& word(const Tree& element, const std::string& key, const std::string& where) const;
  std::uint64_t number(const Tree& element, const std::string& key, std::uint64_t least, std::uint64_t most,
                       const std::string& where) const;
  /// A number, or -1 for none.
  std::optional<std::uint64_t> optional_number(const Tree& element, const std::string& key,
                                               std::uint64_t most, const std::string& where) const;
  bool flag(const Tree& element, const std::string& key, const std::string& where) const;
  /// The elements of a name inside one; there may be some of the name `other` beside them, if that is not
  /// empty.
  std::vector<const Tree*> children(const Tree& element, const std::string& name, const std::string& where,
                                    const std::string& other = {}) const;
  void read(const Tree& file, const std::string& collective);
  void read_collective(const Tree& algo, const std::string& named);
  void read_gpus(const Tree& algo);
  void fill_inputs();
  void copy_inputs(NodeId rank);
  void lay_out(NodeId rank);
  std::size_t channel_of(NodeId from, NodeId to, std::uint64_t number);
  void read_blocks(NodeId rank);
  void read_steps(NodeId rank);
  Step read_step(const Tree& element, std::size_t block_index, std::size_t s);
  std::size_t chunk(const Tree& element, NodeId rank, const std::string& side, std::uint32_t count,
                    const std::string& where) const;
  void check_channels() const;

  std::uint64_t chunk_count_ = 0, moved_ = 0;
  std::vector<const Tree*> elements_;  // of the blocks
  std::map<std::tuple<NodeId, NodeId, std::uint64_t>, std::size_t> channel_numbers_;
};

}  // namespace safnet
