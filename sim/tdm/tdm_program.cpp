#include "sim/tdm/tdm_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <queue>
#include <span>
#include <tuple>

#include "cpp_model/graph/text.hpp"
#include "cpp_model/number/exact.hpp"
#include "cpp_model/schedule/schedule_metrics.hpp"
#include "cpp_model/schedule/sum_parts.hpp"
#include "sim/machine/limits.hpp"

namespace safnet {
namespace {

using SendIndex = std::uint32_t;
constexpr std::uint32_t kNone = 0xffff'ffff;
constexpr std::uint32_t kNever = 0xffff'ffff;  // a generation that no buffer reaches
constexpr std::uint64_t kEver = std::numeric_limits<std::uint64_t>::max();  // later than any cycle
constexpr std::uint32_t kMaxCount = 255;
constexpr std::size_t kMostLoopbacks = 16;  // of a node; parts that find none go on late
constexpr std::uint64_t kMaxSilence = 1'000'000;
constexpr std::uint64_t kMaxCycles = 0xfff0'0000;  // of the 32-bit cycle counter

// Indices into a list, sorted by a key of the elements; those of one key in the order of the list.
struct Grouped {
  std::vector<std::uint32_t> first, places;
  std::span<std::uint32_t> of(std::size_t key) {
    return std::span(places).subspan(first[key], first[key + 1] - first[key]);
  }
};

template <class Thing, class Key>
Grouped group(const std::vector<Thing>& things, std::size_t keys, Key key) {
  Grouped result;
  result.first.assign(keys + 1, 0);
  for (const Thing& thing : things) ++result.first[key(thing) + 1];
  std::partial_sum(result.first.begin(), result.first.end(), result.first.begin());
  std::vector<std::uint32_t> next(result.first.begin(), result.first.end() - 1);
  result.places.resize(things.size());
  for (std::uint32_t i = 0; i < things.size(); ++i) result.places[next[key(things[i])]++] = i;
  return result;
}

// A packet that leaves its buffer over a loopback, for the buffer of another.
struct Loop {
  NodeId node = 0;
  std::uint32_t from = kNone;  // item; kNone: the node never gets it
  PacketIndex packet = 0, whole = 0;
  std::uint64_t cycle = 0;  // of its first flit
};

// What occupies one buffer of a node for a while: a packet that arrived, or one that is combined there.
struct Item {
  NodeId node = 0;
  std::uint64_t from = 0;           // cycle from which the buffer must be free
  std::uint64_t first_use = kEver;  // cycle in which its first use begins
  std::uint64_t until = 0;          // cycle in which its last use begins
  std::uint64_t complete = 0;       // cycle in which the last of its parts from links and loopbacks ends
  std::uint32_t parts = 1;
  std::uint32_t uses = 0;
  bool combined = false;
  std::uint16_t buffer = 0;
  std::uint32_t generation = 0;
};

class Compiler {
 public:
  explicit Compiler(const Schedule& schedule)
      : schedule_(schedule),
        graph_(schedule.network),
        packets_(schedule.packets),
        sends_(schedule.sends),
        source_(sends_.size(), kNone),
        item_(sends_.size(), kNone),
        parts_(schedule) {}

  TdmProgram run() {
    if (sends_.size() >= kNone) throw bad_input("schedule: expected fewer than 2^32 sends");
    if (!sends_.empty() && last_arrival_cycle(schedule_) > kMaxCycles)
      throw bad_input("schedule: slot {} of {} cycles is beyond cycle {}; the hardware counts no further",
                      sends_.back().start, schedule_.slot_cycles, kMaxCycles);
    refuse_long_silence();
    program_.combines = packets_.combines();
    program_.nodes.resize(graph_.node_count());
    trace_packets();
    place_loads();
    assign_buffers();
    write_programs();
    write_loopbacks();
    return std::move(program_);
  }

 private:
  std::string name(PacketIndex p) const { return packet_name(schedule_, p); }

  // Cycles in which nothing moves are simulated all the same, so a long pause would take long.
  void refuse_long_silence() const {
    std::uint64_t last = 0;
    for (const Send& s : sends_) {
      const std::uint64_t cycle = schedule_.cycle(s);
      if (cycle > last + kMaxSilence)
        throw bad_input(
            "schedule: nothing is sent from cycle {} to cycle {}; expected a pause of at most {} cycles",
            last + 1, cycle, kMaxSilence);
      last = std::max(last, schedule_.arrival_cycle(s));
    }
  }

  // Packet by packet: which arrival feeds each send, and how long the packet stays in its buffer.
  void trace_packets() {
    Grouped by_packet = group(sends_, packets_.size(), [](const Send& s) { return s.packet; });
    // Per node: the item that holds the packet, which is valid if the node's stamp is that packet.
    std::vector<std::uint32_t> held(graph_.node_count(), kNone), stamp(graph_.node_count(), kNone);
    combined_item_.assign(packets_.combines() ? packets_.size() : 0, kNone);
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      const NodeId origin = packets_.origin(p);
      const bool combined = packets_.combines() && !packets_.parts(p).empty();
      stamp[origin] = p;
      held[origin] =
          combined && !parts_.is_step(p) ? combined_item(p) : kNone;  // the host has its own packets
      for (const SendIndex i : by_packet.of(p)) arrive(i, held, stamp);
      for (const SendIndex i : by_packet.of(p)) {
        const NodeId from = graph_.link_source(sends_[i].link);
        if (stamp[from] != p) {
          never_.push_back(i);
        } else if (held[from] != kNone) {
          source_[i] = held[from];
          leave(held[from], schedule_.cycle(sends_[i]), p);
        }
      }
      for (const PartAt& use : parts_.loops_of(p)) loop(use, stamp[use.node] == p ? held[use.node] : kNone);
    }
  }

  // An item is sent over a link or a loopback from a cycle on.
  void leave(std::uint32_t from, std::uint64_t cycle, PacketIndex p) {
    Item& item = items_[from];
    item.first_use = std::min(item.first_use, cycle);
    item.until = std::max(item.until, cycle);
    if (++item.uses > kMaxCount)
      throw bad_input("{}: node {} sends it more than {} times; expected fewer", name(p),
                      graph_.node_name(item.node), kMaxCount);
    program_.largest_count = std::max(program_.largest_count, item.uses);
  }

  // A packet goes on over a loopback in the first slot after it is complete. Its parts have smaller numbers,
  // so all of them are known by now.
  void loop(const PartAt& use, std::uint32_t from) {
    std::uint64_t cycle = 1;
    if (from != kNone) {
      cycle = (next_slot(schedule_, items_[from].complete) - 1) * schedule_.slot_cycles + 1;
      leave(from, cycle, use.part);
    }
    const std::uint64_t last = cycle + packets_.flits(use.part) - 1;
    add_part(items_[combined_item(use.whole)], cycle, last, use.whole);
    if (is_destination(use.whole, use.node)) planned(last);
    loops_.push_back({use.node, from, use.part, use.whole, cycle});
  }

  // Send i brings its packet to a node. The packet needs a buffer if it is sent on from there or combined.
  void arrive(SendIndex i, std::vector<std::uint32_t>& held, std::vector<std::uint32_t>& stamp) {
    const Send& s = sends_[i];
    const NodeId to = graph_.link_target(s.link);
    const PacketIndex p = s.packet;
    const PacketIndex z = parts_.whole_at(p, to);
    if (z != kNoPacket) {
      item_[i] = combined_item(z);
      add_part(items_[item_[i]], schedule_.cycle(s), schedule_.arrival_cycle(s), z);
      if (stamp[to] != p) {
        stamp[to] = p;
        held[to] = kNone;
      }
      return;
    }
    if (stamp[to] == p) return;  // the packet is there already: the schedule is not valid
    stamp[to] = p;
    item_[i] = held[to] = new_item({.node = to,
                                    .from = schedule_.cycle(s),
                                    .until = schedule_.arrival_cycle(s),
                                    .complete = schedule_.arrival_cycle(s)});
  }

  std::uint32_t new_item(const Item& item) {
    items_.push_back(item);
    return static_cast<std::uint32_t>(items_.size() - 1);
  }
  std::uint32_t combined_item(PacketIndex z) {
    if (combined_item_[z] == kNone)
      combined_item_[z] = new_item({.node = packets_.origin(z), .from = kEver, .parts = 0, .combined = true});
    return combined_item_[z];
  }
  void add_part(Item& item, std::uint64_t from, std::uint64_t until, PacketIndex z) {
    item.from = std::min(item.from, from);
    item.until = std::max(item.until, until);
    if (from != 0) item.complete = std::max(item.complete, until);
    if (++item.parts > kMaxCount)
      throw bad_input("{}: more than {} parts meet at its node; expected fewer", name(z), kMaxCount);
    program_.largest_count = std::max(program_.largest_count, item.parts);
  }

  // The host's own parts of packets that are combined at its node are loaded one after the other, each as
  // late as possible before its deadline.
  void place_loads() {
    if (!packets_.combines()) return;
    struct Wanted {
      std::uint32_t deadline;
      PacketIndex part, whole;
    };
    std::vector<std::vector<Wanted>> wanted(graph_.node_count());
    for (const auto& [p, z] : parts_.own_parts()) {
      const Item& item = items_[combined_item(z)];
      // The deadline: the first arrival of a part from another node or, without any, the first send of the
      // packet; without that too, the start.
      std::uint64_t cycle = std::min(item.from, item.first_use);
      if (cycle == kEver) cycle = 0;
      const std::uint64_t slot = divide_up(cycle, schedule_.slot_cycles);
      const std::uint32_t length =
          static_cast<std::uint32_t>(divide_up(packets_.flits(p), schedule_.slot_cycles));
      wanted[packets_.origin(p)].push_back(
          {static_cast<std::uint32_t>(slot > length ? slot - length : 0), p, z});
    }
    for (NodeId v = 0; v < graph_.node_count(); ++v) {
      std::sort(wanted[v].begin(), wanted[v].end(), [](const Wanted& a, const Wanted& b) {
        return std::tie(a.deadline, a.part) < std::tie(b.deadline, b.part);
      });
      std::uint32_t next = kNone;  // slot of the load after this one
      std::vector<TdmLoad>& loads = program_.nodes[v].loads;
      for (std::size_t k = wanted[v].size(); k-- > 0;) {
        const Wanted& w = wanted[v][k];
        const std::uint32_t flits = packets_.flits(w.part);
        const auto length = static_cast<std::uint32_t>(divide_up(flits, schedule_.slot_cycles));
        std::uint32_t slot = w.deadline;
        if (next != kNone) slot = std::min(slot, next > length ? next - length : 0);
        next = slot;
        loads.push_back({.receive = {.name = w.whole},
                         .slot = slot,
                         .part = w.part,
                         .flits = static_cast<std::uint8_t>(flits)});
        const std::uint64_t cycle = slot == 0 ? 0 : (std::uint64_t{slot} - 1) * schedule_.slot_cycles + 1;
        add_part(items_[combined_item(w.whole)], cycle, cycle + flits, w.whole);
      }
      std::reverse(loads.begin(), loads.end());
    }
  }

  // The largest latency of a link's own, of those that lead to the node.
  std::uint32_t slowest_into(NodeId v) const {
    std::uint32_t slowest = 0;
    for (PortId q = 0; graph_.has_unequal_links() && q < graph_.in_degree(v); ++q) {
      const Endpoint from = graph_.feeder(v, q);
      slowest = std::max<std::uint32_t>(slowest, graph_.timing(graph_.link(from.node, from.port)).latency);
    }
    return slowest;
  }

  // At each node, in order of time, each item gets the lowest free buffer: no more than are in use at once.
  void assign_buffers() {
    Grouped by_node = group(items_, graph_.node_count(), [](const Item& item) { return item.node; });
    using Freed = std::pair<std::uint64_t, std::uint16_t>;  // from this cycle on, buffer
    for (NodeId v = 0; v < graph_.node_count(); ++v) {
      const std::uint64_t turnaround = credit_turnaround(schedule_.link_latency + slowest_into(v));
      // A packet that is only delivered passes by without a buffer.
      const std::span<std::uint32_t> all = by_node.of(v);
      const auto stored = std::ranges::partition(
          all, [&](std::uint32_t k) { return items_[k].uses != 0 || items_[k].combined; });
      const std::span<std::uint32_t> buffered(all.begin(), stored.begin());
      std::ranges::sort(buffered, {}, [&](std::uint32_t k) { return std::pair(items_[k].from, k); });
      std::priority_queue<Freed, std::vector<Freed>, std::greater<>> busy;
      std::priority_queue<std::uint16_t, std::vector<std::uint16_t>, std::greater<>> free;
      std::priority_queue<std::uint64_t, std::vector<std::uint64_t>, std::greater<>> held;
      std::vector<std::uint32_t> generation;
      for (const std::uint32_t k : buffered) {
        Item& item = items_[k];
        while (!busy.empty() && busy.top().first <= item.from) {
          free.push(busy.top().second);
          busy.pop();
        }
        while (!held.empty() && held.top() <= item.from) held.pop();
        if (free.empty()) {
          if (generation.size() >= kMostBuffers)
            throw bad_input("node {}: needs more than {} buffers; expected fewer", graph_.node_name(v),
                            kMostBuffers);
          free.push(static_cast<std::uint16_t>(generation.size()));
          generation.push_back(0);
        }
        item.buffer = free.top();
        free.pop();
        item.generation = generation[item.buffer]++;
        program_.generations = std::max(program_.generations, item.generation + 1);
        busy.push({item.until + turnaround, item.buffer});
        held.push(item.until);
        program_.peak_packets = std::max(program_.peak_packets, static_cast<std::uint32_t>(held.size()));
      }
      program_.peak_buffers = std::max(program_.peak_buffers, static_cast<std::uint32_t>(generation.size()));
    }
  }

  void write_link_timings() {
    for (NodeId v = 0; v < graph_.node_count(); ++v) {
      program_.nodes[v].incoming.resize(graph_.in_degree(v));
      program_.nodes[v].outgoing.resize(graph_.degree(v));
    }
    for (LinkId link = 0; link < graph_.link_count(); ++link) {
      const TdmLinkTiming timing{static_cast<std::uint16_t>(schedule_.latency(link)),
                                 static_cast<std::uint8_t>(graph_.timing(link).cycles_per_flit)};
      program_.nodes[graph_.link_source(link)].outgoing[graph_.link_port(link)] = timing;
      program_.nodes[graph_.link_target(link)].incoming[graph_.link_target_port(link)] = timing;
    }
  }

  void write_programs() {
    Grouped by_link = group(sends_, graph_.link_count(), [](const Send& s) { return s.link; });
    for (NodeId v = 0; v < graph_.node_count(); ++v) {
      program_.nodes[v].sends.resize(graph_.degree(v));
      program_.nodes[v].receives.resize(graph_.in_degree(v));
    }
    if (graph_.has_unequal_links()) write_link_timings();
    std::vector<bool> never(never_.empty() ? 0 : sends_.size());
    for (const SendIndex i : never_) never[i] = true;
    for (LinkId link = 0; link < graph_.link_count(); ++link) {
      std::vector<TdmSend>& out = program_.nodes[graph_.link_source(link)].sends[graph_.link_port(link)];
      const NodeId to = graph_.link_target(link);
      std::vector<TdmReceive>& in = program_.nodes[to].receives[graph_.link_target_port(link)];
      const std::span<SendIndex> sends = by_link.of(link);
      out.reserve(sends.size());
      in.reserve(sends.size());
      for (const SendIndex i : sends) {
        const Send& s = sends_[i];
        TdmSend send{
            .slot = s.start, .name = s.packet, .flits = static_cast<std::uint8_t>(packets_.flits(s.packet))};
        if (source_[i] != kNone) {
          send.buffer = items_[source_[i]].buffer;
          send.generation = items_[source_[i]].generation;
        } else if (!never.empty() && never[i]) {
          send.generation = kNever;
        } else {
          send.own = true;
        }
        out.push_back(send);
        in.push_back(receive(i, to));
      }
    }
    for (NodeId v = 0; v < graph_.node_count(); ++v) {
      for (TdmLoad& load : program_.nodes[v].loads) {
        const PacketIndex z = load.receive.name;
        fill(load.receive, items_[combined_item_[z]]);
        load.receive.actions =
            static_cast<std::uint8_t>(kTdmCombine | (is_destination(z, v) ? kTdmDeliver : 0));
      }
    }
    for (PacketIndex p = 0; p < packets_.size(); ++p) program_.deliveries += packets_.destinations(p).size();
  }

  // Loopbacks take packets in the order in which these are complete: none waits for one behind it.
  void write_loopbacks() {
    std::ranges::stable_sort(loops_, {}, [](const Loop& l) { return std::pair(l.node, l.cycle); });
    std::vector<std::uint64_t> free_from;  // per loopback of a node
    for (std::size_t k = 0; k < loops_.size(); ++k) {
      const Loop& l = loops_[k];
      if (k == 0 || loops_[k - 1].node != l.node) free_from.clear();
      std::vector<TdmLoopback>& loopbacks = program_.nodes[l.node].loopbacks;
      auto idle = std::ranges::find_if(free_from, [&](std::uint64_t cycle) { return cycle <= l.cycle; });
      if (idle == free_from.end() && free_from.size() < kMostLoopbacks) {
        idle = free_from.insert(free_from.end(), 0);
        loopbacks.emplace_back();
      }
      if (idle == free_from.end()) idle = std::ranges::min_element(free_from);
      TdmLoopback& loopback = loopbacks[static_cast<std::size_t>(idle - free_from.begin())];
      const std::uint32_t flits = packets_.flits(l.packet);
      *idle = std::max(*idle, l.cycle) + divide_up(flits, schedule_.slot_cycles) * schedule_.slot_cycles;
      TdmSend send{.slot = static_cast<std::uint32_t>((l.cycle - 1) / schedule_.slot_cycles + 1),
                   .generation = kNever,
                   .name = l.packet,
                   .flits = static_cast<std::uint8_t>(flits)};
      if (l.from != kNone) {
        send.buffer = items_[l.from].buffer;
        send.generation = items_[l.from].generation;
      }
      TdmReceive part{.name = l.whole,
                      .actions = static_cast<std::uint8_t>(
                          kTdmCombine | (is_destination(l.whole, l.node) ? kTdmDeliver : 0))};
      fill(part, items_[combined_item_[l.whole]]);
      loopback.sends.push_back(send);
      loopback.receives.push_back(part);
      program_.loopbacks = std::max(program_.loopbacks, static_cast<std::uint32_t>(loopbacks.size()));
    }
  }

  TdmReceive receive(SendIndex i, NodeId to) {
    const Send& s = sends_[i];
    TdmReceive result;
    result.name = s.packet;
    const PacketIndex z = parts_.whole_at(s.packet, to);
    if (z != kNoPacket) {
      result.name = z;
      result.actions = kTdmCombine;
      fill(result, items_[item_[i]]);
      if (is_destination(z, to)) {
        result.actions |= kTdmDeliver;
        planned(schedule_.arrival_cycle(s));
      }
      return result;
    }
    if (is_destination(s.packet, to)) {
      result.actions = kTdmDeliver;
      planned(schedule_.arrival_cycle(s));
    }
    if (item_[i] != kNone && items_[item_[i]].uses != 0) {
      result.actions |= kTdmStore;
      fill(result, items_[item_[i]]);
    }
    return result;  // without an action, if nobody wants the packet here: the node drops it
  }
  static void fill(TdmReceive& receive, const Item& item) {
    receive.buffer = item.buffer;
    receive.generation = item.generation;
    receive.parts = static_cast<std::uint8_t>(item.parts);
    receive.uses = static_cast<std::uint8_t>(item.uses);
  }
  bool is_destination(PacketIndex p, NodeId v) const {
    const auto destinations = packets_.destinations(p);
    if (destinations.size() < 8)
      return std::find(destinations.begin(), destinations.end(), v) != destinations.end();
    // Long lists are almost always ascending: binary search first, linear only if the list is not sorted.
    const auto found = std::lower_bound(destinations.begin(), destinations.end(), v);
    if (found != destinations.end() && *found == v) return true;
    if (v >= graph_.processor_count()) return false;  // a router, which is no destination of anything
    return !std::is_sorted(destinations.begin(), destinations.end()) &&
           std::find(destinations.begin(), destinations.end(), v) != destinations.end();
  }
  void planned(std::uint64_t cycle) {
    program_.planned_cycles = std::max(program_.planned_cycles, cycle);
    program_.planned_slots = std::max(program_.planned_slots, divide_up(cycle, schedule_.slot_cycles));
  }

  const Schedule& schedule_;
  const Graph& graph_;
  const PacketList& packets_;
  const std::vector<Send>& sends_;
  std::vector<std::uint32_t> source_;  // per send: the item it is sent from; kNone: the host's
  std::vector<std::uint32_t> item_;    // per send: the item it arrives into; kNone: none
  std::vector<SendIndex> never_;       // sends of packets that their node never gets
  std::vector<Item> items_;
  const SumParts parts_;
  std::vector<Loop> loops_;
  std::vector<std::uint32_t> combined_item_;  // per combined packet
  TdmProgram program_;
};

}  // namespace

std::uint32_t credit_turnaround(std::uint32_t link_latency) { return 3 + link_latency; }

TdmProgram compile_program(const Schedule& schedule) { return Compiler(schedule).run(); }

namespace {

// Cycles from a flit's entering a link to its leaving, on the link where that is longest.
int longest_delay(const Schedule& schedule) {
  const std::uint32_t flits = std::max(1U, schedule.packets.longest());
  std::uint64_t longest = 1;
  for (LinkId link = 0; link < schedule.network.link_count(); ++link) {
    const std::uint64_t waits = schedule.network.timing(link).cycles_per_flit - std::uint64_t{1};
    longest = std::max(longest, schedule.latency(link) + flits * waits);
  }
  return static_cast<int>(longest);
}

// Loopbacks of nodes that combine, at least, where nodes are shared.
constexpr int kSharedLoopbacks = 4;

}  // namespace

TdmParameters tdm_parameters(const Schedule& schedule, const TdmProgram& program) {
  const Graph& graph = schedule.network;
  const auto check = [](const char* what, std::uint64_t value, std::uint64_t low, std::uint64_t high) {
    if (value < low || value > high)
      throw bad_input("schedule: {} {}; expected {} to {}", what, value, low, high);
  };
  check("packets of up to (flits)", std::max(1U, schedule.packets.longest()), 1, kMostFlits);
  check("link_latency", schedule.link_latency, 0, kMostLatency);
  check("nodes of up to (ports)", graph.max_degree(), 1, kMostTdmPorts);
  TdmParameters p;
  p.radix = radix_class(graph);
  p.flits = static_cast<int>(std::max(1U, schedule.packets.longest()));
  p.link_latency = static_cast<int>(schedule.link_latency);
  if (schedule.slot_cycles != 1)
    check("slot_cycles", schedule.slot_cycles, schedule.packets.longest() + schedule.link_latency, 1 << 20);
  p.slot_cycles = static_cast<int>(schedule.slot_cycles);
  p.port_model = static_cast<int>(schedule.ports);
  // As many of the shortest packets as cross a link while a credit returns, so that links are never idle.
  std::uint32_t loop = 2 * schedule.link_latency + 3;
  if (graph.has_unequal_links()) {
    p.longest_delay = longest_delay(schedule);
    if (p.longest_delay > kMostDelay)
      throw bad_input(
          "schedule: packets of {} flits take up to {} cycles longer than {} over a link; expected "
          "at most {}",
          p.flits, p.longest_delay, p.flits, kMostDelay);
    loop += 2 * graph.largest_own_latency();
    p.longest_delay =
        size_class(static_cast<std::uint64_t>(p.longest_delay), std::array{8, 64, 512, kMostDelay});
  }
  std::uint32_t shortest = std::max(1U, schedule.packets.longest());
  for (PacketIndex k = 0; k < schedule.packets.size(); ++k)
    shortest = std::clamp(schedule.packets.flits(k), 1U, shortest);
  p.window = static_cast<int>(divide_up(loop, shortest) + 1);
  p.combining = program.combines ? 1 : 0;
  p.loopbacks = program.loopbacks == 0 ? 0 : static_cast<int>(std::bit_ceil(program.loopbacks));
  const std::uint64_t buffers = std::max<std::uint64_t>(1, program.peak_buffers);
  p.buffers = size_class(buffers, std::array{128, 512, 2048, 8192, kMostBuffers});
  p.generation_width = program.generations <= 0xffff ? 16 : 32;
  p.count_width = program.largest_count <= 15 ? 4 : 8;
  // What is built and not used costs little time, so nodes of few ports have more than they need and are
  // shared.
  if (graph.has_unequal_links()) {
    // What is kept of flits on their way costs memory: only the delay is rounded up.
    p.window = static_cast<int>(std::bit_ceil(static_cast<unsigned>(p.window)));
  } else if (p.radix <= 8) {
    const PacketClass packets = packet_class(p.flits, p.link_latency);
    p.reserve = {
        .flits = packets.flits,
        .link_latency = packets.latency,
        .window = 2 * packets.latency + 4,
        .combining = packets.flits > 1};  // with packets of one flit it would cost a fifth of the time
    if (p.combining != 0) {
      p.loopbacks = std::max(p.loopbacks, kSharedLoopbacks);
      p.count_width = 8;
    }
  }
  return p;
}

TdmParameters fitted_tdm_parameters(const Schedule& schedule, const TdmProgram& program) {
  TdmParameters p = tdm_parameters(schedule, program);
  p.radix = static_cast<int>(std::max<PortId>(1, schedule.network.max_degree()));
  if (schedule.network.has_unequal_links()) p.longest_delay = longest_delay(schedule);
  p.buffers = static_cast<int>(std::max(1U, program.peak_buffers));
  const auto bits_of = [](std::uint64_t largest) {
    return std::max(1, static_cast<int>(std::bit_width(largest)));
  };
  // Name and length have half a flit, of the narrowest flit that they fit.
  const int name = bits_of(std::max<PacketIndex>(schedule.packets.size(), 1) - 1);
  const int length = bits_of(static_cast<std::uint64_t>(p.flits));
  p.name_width = std::min(p.name_width, field_width(name, 8, (name + length <= 16 ? 16 : 32) - length));
  p.generation_width = field_width(bits_of(program.generations), 4, p.generation_width);
  p.count_width = bits_of(program.largest_count);
  p.loopbacks = static_cast<int>(program.loopbacks);
  p.reserve = {};
  return p;
}

std::uint32_t PacketData::word(PacketIndex packet, std::uint32_t index) {
  return schedule_.packets.parts(packet).empty() ? plain_word(packet, index) : combined(packet)[index];
}

// Without recursion, as chains of combinations may be as long as there are packets.
const std::vector<std::uint32_t>& PacketData::combined(PacketIndex packet) {
  const PacketList& packets = schedule_.packets;
  if (combined_.empty()) combined_.resize(packets.size());
  std::vector<PacketIndex> open{packet};
  while (!open.empty()) {
    const PacketIndex z = open.back();
    if (combined_[z].empty()) {
      for (const PacketIndex part : packets.parts(z)) {
        if (!packets.parts(part).empty() && combined_[part].empty()) open.push_back(part);
      }
      if (open.back() != z) continue;
      std::vector<std::uint32_t> words;
      for (const PacketIndex part : packets.parts(z)) {
        const bool first = words.empty();
        words.resize(tdm_words(packets.flits(z)));
        for (std::uint32_t w = 0; w < words.size(); ++w) {
          const std::uint32_t value =
              packets.parts(part).empty() ? plain_word(part, w) : combined_[part].at(w);
          words[w] = first ? value : combine(schedule_.operation, words[w], value);
        }
      }
      combined_[z] = std::move(words);
    }
    open.pop_back();
  }
  return combined_[packet];
}

}  // namespace safnet
