#include "cpp_model/schedule/schedule_reader.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "cpp_model/graph/file/named_edges.hpp"
#include "cpp_model/graph/recognise/recognise.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/schedule/problem.hpp"
#include "cpp_model/schedule/schedule_keys.hpp"
#include "cpp_model/schedule/streamed_file.hpp"

namespace safnet {
namespace {

using namespace schedule_format;

// The numbers of an array. Of an array of lists: the items of all lists in a row, and where each list ends.
struct Column {
  std::vector<std::uint32_t> items;
  std::vector<std::uint64_t> ends;
  std::span<const std::uint32_t> list(std::size_t i) const {
    const std::uint64_t first = i == 0 ? 0 : ends[i - 1];
    return {items.data() + first, ends[i] - first};
  }
};

// Receives the parser's events: keeps values in whatever order keys come, and judges them at the end.
class ScheduleReader {
 public:
  explicit ScheduleReader(StreamedInput& file) : file_(file) {}

  Schedule finish();

  // What the parser calls.
  bool null() { return refuse("null"); }
  bool boolean(bool value) { return refuse(value ? "true" : "false"); }
  bool number_integer(std::int64_t value) {
    if (value < 0) return refuse(fmt::format("{}", value));
    return number_unsigned(static_cast<std::uint64_t>(value));  // -0
  }
  bool number_float(double, const std::string& word) { return refuse(one_line(word)); }
  bool binary(nlohmann::json::binary_t&) { return refuse("binary data"); }
  bool number_unsigned(std::uint64_t value) {
    if (!accepts(kNumber) || value < entry_->low || value > entry_->high) [[unlikely]]
      return refuse(fmt::format("{}", value));
    begin_item();
    store(value);
    ++index_[depth_];
    return true;
  }
  bool string(std::string& text) {
    if (!accepts(kText)) return refuse(in_quotes(text));
    begin_item();
    if (text.size() > kMaxFileText) {
      fail_here("a text of {} bytes; expected at most {}", text.size(), kMaxFileText);
    }
    if (std::any_of(text.begin(), text.end(), is_control))
      fail_here("{}: a control character; expected one line of text", in_quotes(text));
    store(text);
    ++index_[depth_];
    return true;
  }
  bool start_object(std::size_t) {
    if (!inside_) {
      file_.note_progress();
      inside_ = true;
      return true;
    }
    if (!accepts(kObject)) return refuse("an object");
    begin_item();
    section_ = entry_;
    return true;
  }
  bool key(std::string& word) {
    file_.note_progress();
    const std::string prefix = section_ == nullptr ? "" : fmt::format("{}.", section_->path);
    const std::string path = prefix + word;
    std::vector<std::string_view> expected;
    for (const KeyEntry& entry : kKeyEntries) {
      const bool same_section =
          entry.path.starts_with(prefix) && entry.path.find('.', prefix.size()) == std::string_view::npos;
      if (!same_section) continue;
      expected.push_back(entry.path.substr(prefix.size()));
      if (expected.back() != word) continue;
      const auto number = static_cast<std::size_t>(entry.key);
      if (seen_[number]) fail("{}: a second time; expected each key once", entry.path);
      seen_[number] = true;
      entry_ = &entry;
      depth_ = 0;
      return true;
    }
    fail("{}key {}: unknown; expected {}", section_ == nullptr ? "" : fmt::format("{}: ", section_->path),
         in_quotes(word), fmt::join(expected, ", "));
  }
  bool end_object() {
    section_ = nullptr;
    return true;
  }
  bool start_array(std::size_t) {
    if (!accepts(kArray)) return refuse("an array");
    begin_item();
    if (entry_->key == kNetworkPorts && depth_ == 1) ports_.emplace_back();
    if (entry_->key == kNetworkPorts && depth_ == 2) {
      ports_.back().emplace_back();
      timing_.emplace_back();
    }
    index_[++depth_] = 0;
    return true;
  }
  bool end_array() {
    file_.note_progress();
    if (entry_->key == kNetworkPorts && depth_ == 3 && index_[3] != 2 && index_[3] != 4) {
      const std::uint64_t numbers = index_[depth_--];
      fail_here(
          "{} numbers; expected 2, the node and the port it leads to, or 4, with the link's own latency and "
          "its cycles per flit",
          numbers);
    }
    --depth_;
    Column& list = columns_[position(entry_->key)];
    if (depth_ == 1 && holds_lists()) list.ends.push_back(list.items.size());
    if (depth_ > 0) ++index_[depth_];
    return true;
  }
  bool parse_error(std::size_t, const std::string& word, const nlohmann::json::exception& error) {
    if (error.id == 406 && entry_ != nullptr) return refuse(one_line(word));  // a number beyond any double
    const std::string text = error.what();
    const std::size_t end_of_id = text.find("] ");
    fail("{}", end_of_id == std::string::npos ? text : text.substr(end_of_id + 2));
  }

 private:
  bool accepts(Kind kind) const { return entry_ != nullptr && (entry_->accepts[depth_] & kind) != 0; }

  void begin_item() {
    file_.note_progress();
    if (depth_ > 0 && index_[depth_] >= entry_->most_items[depth_]) [[unlikely]]
      fail_here("one too many; expected at most {} there", entry_->most_items[depth_]);
  }

  // Where the parser is: "packets.destinations[3][1]".
  std::string where() const {
    std::string text(entry_->path);
    for (std::size_t d = 1; d <= depth_; ++d) text += fmt::format("[{}]", index_[d]);
    return text;
  }
  /// Refuses the file.
  template <class... Values>
  [[noreturn]] void fail(fmt::format_string<Values...> what, Values&&... values) const {
    throw file_.wrong(fmt::format(what, std::forward<Values>(values)...));
  }
  /// Refuses what the parser is at.
  template <class... Values>
  [[noreturn]] void fail_here(fmt::format_string<Values...> what, Values&&... values) const {
    fail("{}: {}", where(), fmt::format(what, std::forward<Values>(values)...));
  }
  static std::string range(std::uint64_t low, std::uint64_t high) {
    return low == high ? fmt::format("{}", low) : fmt::format("{} to {}", low, high);
  }
  [[noreturn]] bool refuse(const std::string& what) const {
    if (entry_ == nullptr) fail("{}; expected an object", what);
    const unsigned kinds = entry_->accepts[depth_];
    std::vector<std::string> expected;
    if ((kinds & kNumber) != 0)
      expected.push_back(fmt::format("an integer, {}", range(entry_->low, entry_->high)));
    if ((kinds & kText) != 0) expected.push_back("a text");
    if ((kinds & kArray) != 0) expected.push_back("an array");
    if ((kinds & kObject) != 0) expected.push_back("an object");
    fail_here("{}; expected {}", what, fmt::join(expected, " or "));
  }
  // A number of a column that was in the range of its kind, but not in that of this schedule.
  [[noreturn]] void out_of_range(Key key, std::size_t index, std::uint64_t value, std::string_view what,
                                 std::uint64_t count) const {
    const std::string expected =
        count == 0 ? fmt::format("no {}, there is none", what)
                   : fmt::format("{} {}", what, count == 1 ? "0" : fmt::format("0 to {}", count - 1));
    fail("{}[{}]: {}; expected {}", entry_of(key).path, index, value, expected);
  }

  void store(std::uint64_t value);
  void store(std::string& text);
  // The send that number `number` of a column belongs to.
  Send& send(std::uint64_t number) {
    if (number >= sends_.size()) {
      // Where the counts came first, memory ends up exactly as large as all sends need.
      if (sends_.size() == sends_.capacity()) {
        const std::uint64_t twice = std::max<std::uint64_t>(1024, 2 * sends_.size());
        sends_.reserve(told_sends_ > sends_.size() ? std::min(twice, told_sends_) : twice);
      }
      sends_.emplace_back();
    }
    return sends_[number];
  }
  template <class Action>
  auto within(Key key, Action action) const {
    try {
      return action();
    } catch (const std::invalid_argument& error) {
      std::string_view what = error.what();
      if (what.starts_with(": ")) what.remove_prefix(2);  // of a network without a name
      fail("{}: {}", entry_of(key).path, what);
    }
  }
  static std::size_t position(Key key) { return static_cast<std::size_t>(key); }
  // Whether the items behind the last key are lists of numbers. (Ports, deeper still, are kept in their own
  // way.)
  bool holds_lists() const { return entry_->accepts[2] != 0 && entry_->key != kNetworkPorts; }
  bool seen(Key key) const { return seen_[position(key)]; }
  std::uint32_t number(Key key) const { return numbers_[position(key)]; }
  const std::string& text(Key key) const { return texts_[position(key)]; }
  const Column& column(Key key) const { return columns_[position(key)]; }
  std::size_t length(Key key) const { return column(key).items.size(); }
  void require(Key key) const {
    if (!seen(key)) fail("no key {}; expected one", entry_of(key).path);
  }
  void require_length(Key key, std::size_t length, Key like, std::size_t expected) const {
    if (length != expected) {
      fail("{}: {} items; expected {}, as in {}", entry_of(key).path, length, expected, entry_of(like).path);
    }
  }
  Graph network();
  PacketList packets(const Graph& on);
  PacketList packets_of_collective(const Graph& on);
  void place_sends(const Graph& on, PacketIndex packets);

  StreamedInput& file_;
  bool inside_ = false;                // the object that the file is
  const KeyEntry* section_ = nullptr;  // network, packets or sends, if inside
  const KeyEntry* entry_ = nullptr;    // the last key
  std::size_t depth_ = 0;              // arrays around what comes next, behind that key
  std::array<std::uint64_t, kDepths> index_{};
  std::bitset<kKeys> seen_;

  std::array<std::uint32_t, kKeys> numbers_{};
  std::array<std::string, kKeys> texts_;
  std::array<Column, kKeys> columns_;
  std::vector<std::vector<Endpoint>> ports_;
  std::vector<LinkTiming> timing_;  // by link
  std::vector<std::string> node_names_;
  // Sends are put together while they are read: columns of them could not be kept as well.
  std::uint64_t told_sends_ = 0;                // the sum of the counts
  std::uint64_t links_ = 0, sent_packets_ = 0;  // lengths of these columns
  std::vector<Send> sends_;
};

void ScheduleReader::store(std::uint64_t value) {
  const auto number = static_cast<std::uint32_t>(value);
  switch (entry_->key) {
    case kSendsLink:
      send(links_++).link = number;
      return;
    case kSendsPacket:
      send(sent_packets_++).packet = number;
      return;
    case kNetworkPorts:
      switch (index_[3]) {
        case 0:
          ports_.back().back().node = number;
          break;
        case 1:
          ports_.back().back().port = number;
          break;
        case 2:
          timing_.back().latency = static_cast<std::uint16_t>(number);
          break;
        default:
          timing_.back().cycles_per_flit = static_cast<std::uint16_t>(number);
      }
      return;
    case kSendsCount:
      told_sends_ += number;
      break;
    default:
      break;
  }
  if (depth_ == 0) {
    numbers_[position(entry_->key)] = number;
    return;
  }
  Column& into = columns_[position(entry_->key)];
  if (holds_lists() && into.items.size() >= kMaxFileDestinations)
    fail_here("one too many; expected at most {} in all", kMaxFileDestinations);
  into.items.push_back(number);
  if (holds_lists() && depth_ == 1) into.ends.push_back(into.items.size());
}

void ScheduleReader::store(std::string& text) {
  const auto must_be = [&](std::string_view expected) {
    if (text != expected) fail_here("{}; expected '{}'", in_quotes(text), expected);
  };
  if (entry_->key == kFormat) must_be(kFormatName);
  if (entry_->key == kPacketsOf) must_be(kOfCollective);
  if (entry_->key != kNetworkNodes) {
    texts_[position(entry_->key)] = text;
    return;
  }
  if (!is_node_name(text)) {
    fail_here("{}; expected letters, digits and '_', at most {}, no number", in_quotes(text),
              kLongestNodeName);
  }
  node_names_.push_back(text);
}

Graph ScheduleReader::network() {
  // "network" is a spelling or an object; only in an object has one of these keys been seen.
  const bool is_explicit =
      seen(kNetworkName) || seen(kNetworkNodes) || seen(kNetworkPorts) || seen(kNetworkProcessors);
  const std::string& spelling = text(is_explicit ? kNetworkName : kNetwork);
  if (!is_explicit && spelling.empty())
    fail("network: nothing in it; expected a spelling such as 'torus:4x4', or ports");
  if (!is_explicit) {
    if (reads_a_file(spelling)) {
      fail("network: {}: read from another file; expected its ports", in_quotes(spelling));
    }
    return within(kNetwork, [&] { return make_topology(spelling); });
  }
  require(kNetworkPorts);
  Graph graph = within(kNetworkPorts, [&] { return Graph(spelling, std::move(ports_), LinkPairs::kNotAll); });
  graph = within(kNetworkPorts, [&] { return graph.with_link_timing(std::move(timing_)); });
  if (seen(kNetworkProcessors))
    graph = within(kNetworkProcessors, [&] { return graph.with_routers_from(number(kNetworkProcessors)); });
  graph = recognise(graph, make_topology);
  if (!seen(kNetworkNodes)) return graph;
  require_length(kNetworkNodes, node_names_.size(), kNetworkPorts, graph.node_count());
  std::unordered_set<std::string_view> different;
  for (const std::string& name : node_names_) {
    if (!different.insert(name).second)
      fail("network.nodes: {} twice; expected different names", in_quotes(name));
  }
  const auto names = std::make_shared<const std::vector<std::string>>(std::move(node_names_));
  return graph.with_node_names([names](NodeId v) { return (*names)[v]; });
}

PacketList ScheduleReader::packets_of_collective(const Graph& on) {
  for (const Key key : {kPacketsOrigin, kPacketsTag, kPacketsDestinations, kPacketsParts}) {
    if (seen(key)) fail("{}: not expected beside packets.of", entry_of(key).path);
  }
  if (text(kCollective).empty()) fail("packets.of: no collective; expected the key 'collective'");
  if (number(kPacketsFlits) == 0)
    fail("packets.flits: an array; expected one number, the packets being of the collective");
  Problem problem{.graph = on, .collective = parse_collective(text(kCollective))};
  problem.root = number(kRoot);
  const std::vector<NodeId>& active = column(kPacketsActive).items;
  if (name_of(problem.collective).has_active) {
    require(kPacketsActive);
    if (active.empty()) fail("packets.active: nothing in it; expected at least one node");
    for (std::size_t i = 0; i < active.size(); ++i) {
      if (active[i] >= on.node_count()) out_of_range(kPacketsActive, i, active[i], "node", on.node_count());
      const bool repeats = i > 0 && active[i] == active[i - 1];
      if (i > 0 && (active[i] < active[i - 1] ||
                    (repeats && problem.collective != CollectiveKind::kConcurrentBroadcast))) {
        fail("packets.active[{}]: {}; expected ascending nodes", i, active[i]);
      }
    }
    problem.active = active;
  } else if (seen(kPacketsActive)) {
    fail("packets.active: not expected, {} has no active nodes", text(kCollective));
  }
  // Counted before they are made: there could be billions.
  const std::optional<std::uint64_t> count =
      packets_of_a_message(problem.collective, on.processor_count(), active.size());
  if (count.value_or(0) > PacketList::kMaxPackets) {
    fail("packets.of: {} packets; expected at most {}", *count, PacketList::kMaxPackets);
  }
  PacketList packets = within(kPacketsOf, [&] { return collective_packets(problem); });
  packets.set_flits(number(kPacketsFlits));
  return packets;
}

PacketList ScheduleReader::packets(const Graph& on) {
  require(kPacketsFlits);
  if (seen(kPacketsOf)) return packets_of_collective(on);
  if (seen(kPacketsActive)) fail("packets.active: not expected; only beside packets.of");
  for (const Key key : {kPacketsOrigin, kPacketsTag, kPacketsDestinations}) require(key);
  const std::size_t count = length(kPacketsOrigin);
  const std::uint32_t flits = number(kPacketsFlits);  // of all packets; 0: there is a column
  require_length(kPacketsTag, length(kPacketsTag), kPacketsOrigin, count);
  if (flits == 0) require_length(kPacketsFlits, length(kPacketsFlits), kPacketsOrigin, count);
  const Column &all_destinations = column(kPacketsDestinations), &all_parts = column(kPacketsParts);
  require_length(kPacketsDestinations, all_destinations.ends.size(), kPacketsOrigin, count);
  const bool combined = seen(kPacketsParts);
  if (combined) require_length(kPacketsParts, all_parts.ends.size(), kPacketsOrigin, count);
  const auto check = [&](Key key, std::size_t p, std::span<const std::uint32_t> items, std::string_view what,
                         std::uint64_t limit) {
    for (const std::uint32_t item : items) {
      if (item >= limit) out_of_range(key, p, item, what, limit);
    }
  };
  PacketList packets;
  packets.reserve(count, all_destinations.items.size());
  for (std::size_t p = 0; p < count; ++p) {
    const NodeId origin = column(kPacketsOrigin).items[p];
    if (origin >= on.node_count()) out_of_range(kPacketsOrigin, p, origin, "node", on.node_count());
    const std::span<const std::uint32_t> destinations = all_destinations.list(p);
    check(kPacketsDestinations, p, destinations, "node", on.node_count());
    const std::span<const std::uint32_t> parts =
        combined ? all_parts.list(p) : std::span<const std::uint32_t>{};
    check(kPacketsParts, p, parts, "packet", count);
    packets.add(origin, column(kPacketsTag).items[p], flits != 0 ? flits : column(kPacketsFlits).items[p],
                destinations, parts);
  }
  return packets;
}

void ScheduleReader::place_sends(const Graph& on, PacketIndex packets) {
  for (const Key key : {kSendsSlot, kSendsLink, kSendsPacket}) require(key);
  const std::vector<std::uint32_t>& slots = column(kSendsSlot).items;
  require_length(kSendsPacket, sent_packets_, kSendsLink, links_);
  if (seen(kSendsCount)) require_length(kSendsCount, length(kSendsCount), kSendsSlot, slots.size());
  const std::uint64_t placed = seen(kSendsCount) ? told_sends_ : slots.size();
  if (placed != sends_.size()) {
    fail("sends.slot: {} sends start in all; expected {}, as in sends.link", placed, sends_.size());
  }
  std::size_t i = 0;
  for (std::size_t run = 0; run < slots.size(); ++run) {
    const std::size_t end = i + (seen(kSendsCount) ? column(kSendsCount).items[run] : 1);
    for (; i < end; ++i) {
      Send& send = sends_[i];
      send.start = slots[run];
      if (send.link >= on.link_count()) out_of_range(kSendsLink, i, send.link, "link", on.link_count());
      if (send.packet >= packets) out_of_range(kSendsPacket, i, send.packet, "packet", packets);
    }
  }
}

Schedule ScheduleReader::finish() {
  for (const Key key : {kFormat, kVersion, kNetwork, kPorts, kPackets, kSends}) {
    require(key);
  }
  Schedule schedule(network());
  schedule.ports = within(kPorts, [&] { return parse_port_model(text(kPorts)); });
  if (seen(kOperation))
    schedule.operation = within(kOperation, [&] { return parse_operation(text(kOperation)); });
  if (seen(kCollective)) {
    schedule.collective = within(kCollective, [&] { return to_string(parse_collective(text(kCollective))); });
  }
  schedule.root = number(kRoot);
  if (schedule.root >= schedule.network.node_count()) {
    fail("root: {}; expected node {}", schedule.root, range(0, schedule.network.node_count() - 1));
  }
  if (seen(kSlotCycles)) schedule.slot_cycles = number(kSlotCycles);
  schedule.link_latency = number(kLinkLatency);
  schedule.algorithm = text(kAlgorithm);
  schedule.description = text(kDescription);
  schedule.packets = packets(schedule.network);
  place_sends(schedule.network, schedule.packets.size());
  schedule.sends = std::move(sends_);
  return schedule;
}

}  // namespace

Schedule read_schedule(const std::string& path) {
  StreamedInput file(path);
  ScheduleReader reader(file);
  nlohmann::json::sax_parse(StreamedInput::Iterator(file), StreamedInput::Iterator(), &reader);
  return reader.finish();
}

}  // namespace safnet
