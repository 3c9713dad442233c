#include "cpp_model/schedule/schedule_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bitset>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <unordered_set>
#include <utility>
#include <vector>

#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {
namespace {

constexpr std::uint32_t kFormatVersion = 1;
constexpr std::string_view kFormatName = "safnet-schedule";
constexpr std::string_view kOfCollective = "collective";
constexpr std::size_t kLongestNodeName = 64;
constexpr std::size_t kLongestMessage = 300;

bool reads_a_file(const std::string& spelling) { return spelling.find("graph:") != std::string::npos; }

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

bool is_node_name(const std::string& name) {
  const auto legal = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && name.size() <= kLongestNodeName && std::all_of(name.begin(), name.end(), legal) &&
         name.find_first_not_of("0123456789") != std::string::npos;
}

// ---------------------------------------------------------------------------------------------------------
// Writing

// A file that appears under its name when it is complete, and not at all if it never is.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path) : path_(path) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (std::filesystem::is_directory(status)) throw cannot("expected a file, this is a folder");
    int descriptor = -1;
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
      descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);  // a device, which no file must replace
    } else {
      static std::atomic<unsigned> number{0};
      for (int attempt = 0; attempt < 100; ++attempt) {
        // Not made from the file's own name, which may be as long as names can be.
        temporary_ = std::filesystem::path(path).parent_path() /
                     fmt::format(".safnet_{}_{}.part", ::getpid(), number++);
        descriptor = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 || errno != EEXIST) break;
      }
    }
    if (descriptor < 0) {
      const int why = errno;
      temporary_.clear();
      throw cannot(std::strerror(why));
    }
    // "T": the bytes as they are, no compression.
    file_ = ::gzdopen(descriptor, path.ends_with(".gz") ? "wb4" : "wbT");
    if (file_ == nullptr) {
      ::close(descriptor);
      discard();
      throw cannot("out of memory");
    }
    ::gzbuffer(file_, kBufferBytes);
    buffer_.reserve(2 * kBufferBytes);
  }
  ~OutputFile() { discard(); }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void put(std::string_view text) {
    buffer_.append(text.data(), text.data() + text.size());
    if (buffer_.size() >= kBufferBytes) flush();
  }
  void put(char c) { buffer_.push_back(c); }
  void put_number(std::uint64_t number) {
    const fmt::format_int digits(number);
    put(std::string_view(digits.data(), digits.size()));
  }

  // The file is complete.
  void commit() {
    flush();
    errno = 0;
    const int result = ::gzclose_w(std::exchange(file_, nullptr));
    if (result != Z_OK) throw cannot(errno != 0 ? std::strerror(errno) : "the last bytes are lost");
    if (temporary_.empty()) return;
    std::error_code error;
    std::filesystem::rename(temporary_, path_, error);
    if (error) throw cannot(error.message());
    temporary_.clear();
  }

 private:
  static constexpr unsigned kBufferBytes = 1U << 16;

  std::runtime_error cannot(const std::string& why) const {
    return std::runtime_error(fmt::format("{}: cannot be written: {}", one_line(path_), one_line(why)));
  }
  void flush() {
    if (buffer_.size() == 0) return;
    errno = 0;
    if (::gzwrite(file_, buffer_.data(), static_cast<unsigned>(buffer_.size())) == 0)
      throw cannot(errno != 0 ? std::strerror(errno) : "compression failed");
    buffer_.clear();
  }
  void discard() {
    if (file_ != nullptr) ::gzclose_w(std::exchange(file_, nullptr));
    std::error_code error;
    if (!temporary_.empty()) std::filesystem::remove(temporary_, error);
  }

  std::string path_;
  std::filesystem::path temporary_;
  gzFile file_ = nullptr;
  fmt::memory_buffer buffer_;
};

// A JSON string that the reader takes: one line of UTF-8, not too long.
std::string json_text(std::string text) {
  if (text.size() > kMaxFileText) {
    std::size_t end = kMaxFileText;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
    text.resize(end);
  }
  std::replace_if(text.begin(), text.end(), is_control, '?');
  try {
    return nlohmann::json(text).dump();
  } catch (const nlohmann::json::type_error&) {
    return nlohmann::json(printable(text)).dump();  // was not UTF-8
  }
}

// Refuses what the reader would refuse.
void require_writable(const Schedule& schedule) {
  const auto require = [](bool holds, std::string_view what, std::uint64_t value, std::uint64_t low,
                          std::uint64_t high) {
    if (!holds)
      throw std::invalid_argument(fmt::format("schedule: {} {}; expected {} to {}", what, value, low, high));
  };
  const auto in_range = [&](std::string_view what, std::uint64_t value, std::uint64_t low,
                            std::uint64_t high) {
    require(value >= low && value <= high, what, value, low, high);
  };
  const NodeId nodes = schedule.network.node_count();
  in_range("ports of a node", schedule.network.max_degree(), 0, kMaxDegree);
  in_range("slot cycles", schedule.slot_cycles, 1, kMaxFileCycles);
  in_range("link latency", schedule.link_latency, 0, kMaxFileCycles);
  in_range("root", schedule.root, 0, nodes - 1);
  if (!schedule.collective.empty()) parse_collective(schedule.collective);
  const PacketList& packets = schedule.packets;
  in_range("number of destinations", packets.destination_count(), 0, kMaxFileDestinations);
  std::uint64_t parts = 0;
  for (PacketIndex p = 0; p < packets.size(); ++p) {
    in_range("origin", packets.origin(p), 0, nodes - 1);
    in_range("flits", packets.flits(p), 1, kMaxFileCycles);
    for (const NodeId d : packets.destinations(p)) in_range("destination", d, 0, nodes - 1);
    in_range("destinations of a packet", packets.destinations(p).size(), 0, kMaxNodes);
    for (const PacketIndex part : packets.parts(p))
      require(part < packets.size(), "part", part, 0, packets.size() - 1);
    parts += packets.parts(p).size();
  }
  in_range("number of parts", parts, 0, kMaxFileDestinations);
  in_range("number of sends", schedule.sends.size(), 0, kMaxFileSends);
  for (const Send& send : schedule.sends) {
    require(send.start >= 1, "start", send.start, 1, std::numeric_limits<std::uint32_t>::max());
    require(send.link < schedule.network.link_count(), "link", send.link, 0,
            schedule.network.link_count() - 1);
    if (send.packet >= packets.size()) {
      throw std::invalid_argument(fmt::format("schedule: a send of packet {}; expected one of {} packets",
                                              send.packet, packets.size()));
    }
  }
}

bool same_ports(const Graph& a, const Graph& b) {
  if (a.node_count() != b.node_count() || a.link_count() != b.link_count() ||
      a.processor_count() != b.processor_count())
    return false;
  for (NodeId v = 0; v < a.node_count(); ++v) {
    if (a.degree(v) != b.degree(v)) return false;
    for (PortId p = 0; p < a.degree(v); ++p) {
      if (a.peer(v, p) != b.peer(v, p)) return false;
    }
  }
  return true;
}

// Whether the spelling alone says what the network is, to anyone.
bool is_rebuilt(const Graph& network) {
  const std::string& spelling = network.spelling();
  if (spelling.size() > kMaxFileText || reads_a_file(spelling)) return false;
  try {
    return same_ports(make_topology(spelling), network);
  } catch (const std::invalid_argument&) {
    return false;
  }
}

// Whether nodes have names other than their numbers.
bool has_names(const Graph& network) {
  std::unordered_set<std::string> names;
  for (NodeId v = 0; v < network.node_count(); ++v) {
    const std::string name = network.node_name(v);
    if (!is_node_name(name) || !names.insert(name).second) return false;
  }
  return true;
}

// Array items of one line each, or several on a line.
template <class Item>
void write_items(OutputFile& out, std::size_t count, std::size_t per_line, Item item) {
  out.put('[');
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) out.put(i % per_line == 0 ? ",\n  " : ",");
    item(i);
  }
  out.put(']');
}
constexpr std::size_t kPerLine = 32;

void write_network(OutputFile& out, const Graph& network) {
  if (is_rebuilt(network)) {
    out.put(json_text(network.spelling()));
    return;
  }
  out.put("{\n  \"name\": ");
  out.put(json_text(network.spelling()));
  if (has_names(network)) {
    out.put(",\n  \"nodes\": ");
    write_items(out, network.node_count(), kPerLine,
                [&](std::size_t v) { out.put(json_text(network.node_name(static_cast<NodeId>(v)))); });
  }
  out.put(",\n  \"ports\": ");
  write_items(out, network.node_count(), 1, [&](std::size_t node) {
    const auto v = static_cast<NodeId>(node);
    out.put('[');
    for (PortId p = 0; p < network.degree(v); ++p) {
      const Endpoint to = network.peer(v, p);
      out.put(fmt::format("{}[{},{}]", p > 0 ? "," : "", to.node, to.port));
    }
    out.put(']');
  });
  out.put("\n }");
}

// The active nodes of a partial collective that has these packets, if any has.
std::vector<NodeId> active_nodes_of(const Schedule& schedule, CollectiveKind kind) {
  std::vector<bool> is_active(schedule.network.processor_count());
  const PacketList& packets = schedule.packets;
  if (kind == CollectiveKind::kConcurrentBroadcast) {
    std::vector<NodeId> origins;
    if (packets.size() > kMaxNodes) return {};
    for (PacketIndex p = 0; p < packets.size(); ++p) origins.push_back(packets.origin(p));
    const bool ascend = std::ranges::is_sorted(origins) && !origins.empty();
    return ascend && origins.back() < is_active.size() ? origins : std::vector<NodeId>{};
  }
  for (PacketIndex p = 0; p < packets.size(); ++p) {
    const std::uint32_t node = kind == CollectiveKind::kPartialExchange ? packets.origin(p) : packets.tag(p);
    if (node >= is_active.size()) return {};
    is_active[node] = true;
  }
  std::vector<NodeId> active;
  for (NodeId v = 0; v < is_active.size(); ++v) {
    if (is_active[v]) active.push_back(v);
  }
  return active;
}

// The problem whose packets the schedule has, all of one length; nothing if there is none.
std::optional<Problem> problem_of(const Schedule& schedule) {
  if (schedule.collective.empty()) return std::nullopt;
  Problem problem{.graph = schedule.network, .collective = parse_collective(schedule.collective)};
  problem.root = schedule.root;
  if (name_of(problem.collective).has_active) {
    problem.active = active_nodes_of(schedule, problem.collective);
    if (problem.active.empty()) return std::nullopt;
  }
  if (packets_of_a_message(problem.collective, schedule.network.processor_count(), problem.active.size()) !=
      std::optional<std::uint64_t>(schedule.packets.size())) {
    return std::nullopt;
  }
  PacketList expected = collective_packets(problem);
  if (expected.size() > 0) expected.set_flits(schedule.packets.flits(0));
  if (expected != schedule.packets) return std::nullopt;
  return problem;
}

void write_packets(OutputFile& out, const Schedule& schedule) {
  const PacketList& packets = schedule.packets;
  out.put('{');
  if (const std::optional<Problem> problem = problem_of(schedule)) {
    out.put(fmt::format("\"of\": \"{}\", \"flits\": {}", kOfCollective,
                        packets.size() > 0 ? packets.flits(0) : 1));
    if (!problem->active.empty()) {
      out.put(",\n  \"active\": ");
      write_items(out, problem->active.size(), kPerLine,
                  [&](std::size_t i) { out.put_number(problem->active[i]); });
    }
    out.put('}');
    return;
  }
  const auto column = [&](std::string_view name, auto item) {
    out.put(fmt::format("\n  \"{}\": ", name));
    write_items(out, packets.size(), kPerLine, [&](std::size_t i) { item(static_cast<PacketIndex>(i)); });
  };
  const auto list = [&](std::span<const std::uint32_t> items) {
    out.put('[');
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out.put(',');
      out.put_number(items[i]);
    }
    out.put(']');
  };
  bool one_length = true;
  for (PacketIndex p = 0; p < packets.size(); ++p) one_length &= packets.flits(p) == packets.longest();
  if (one_length) {
    out.put(fmt::format("\n  \"flits\": {}", packets.size() > 0 ? packets.longest() : 1));
  } else {
    column("flits", [&](PacketIndex p) { out.put_number(packets.flits(p)); });
  }
  out.put(',');
  column("origin", [&](PacketIndex p) { out.put_number(packets.origin(p)); });
  out.put(',');
  column("tag", [&](PacketIndex p) { out.put_number(packets.tag(p)); });
  out.put(',');
  column("destinations", [&](PacketIndex p) {
    const std::span<const NodeId> destinations = packets.destinations(p);
    if (destinations.size() == 1) {
      out.put_number(destinations.front());
    } else {
      list(destinations);
    }
  });
  if (packets.combines()) {
    out.put(',');
    column("parts", [&](PacketIndex p) { list(packets.parts(p)); });
  }
  out.put("\n }");
}

void write_sends(OutputFile& out, const std::vector<Send>& sends) {
  // Calls back with every run of sends that start in the same slot.
  const auto for_each_run = [&](auto call) {
    for (std::size_t first = 0, end = 0; first < sends.size(); first = end) {
      while (end < sends.size() && sends[end].start == sends[first].start) ++end;
      call(first, end);
    }
  };
  const auto run_column = [&](std::string_view name, auto value) {
    out.put(fmt::format("\n  \"{}\": [", name));
    std::size_t written = 0;
    for_each_run([&](std::size_t first, std::size_t end) {
      if (written > 0) out.put(written % kPerLine == 0 ? ",\n  " : ",");
      ++written;
      out.put_number(value(first, end));
    });
    out.put("],");
  };
  // One run a line.
  const auto send_column = [&](std::string_view name, std::uint32_t Send::*member) {
    out.put(fmt::format("\n  \"{}\": [", name));
    for_each_run([&](std::size_t first, std::size_t end) {
      if (first > 0) out.put(",\n  ");
      for (std::size_t i = first; i < end; ++i) {
        if (i > first) out.put(',');
        out.put_number(sends[i].*member);
      }
    });
    out.put("]");
  };
  std::size_t longest_run = 0;
  for_each_run([&](std::size_t first, std::size_t end) { longest_run = std::max(longest_run, end - first); });
  out.put('{');
  run_column("slot", [&](std::size_t first, std::size_t) { return sends[first].start; });
  if (longest_run > 1) run_column("count", [](std::size_t first, std::size_t end) { return end - first; });
  send_column("link", &Send::link);
  out.put(',');
  send_column("packet", &Send::packet);
  out.put("\n }");
}

// ---------------------------------------------------------------------------------------------------------
// Reading

// The characters of a file, plain or compressed, through a small buffer.
class InputFile {
 public:
  explicit InputFile(const std::string& path) : path_(path) {
    std::error_code error;
    // A path with a byte 0 is not the path that the system would open.
    if (path.find('\0') != std::string::npos) throw wrong("a byte 0 in the name; expected a file's name");
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) throw wrong("not found");
    if (!std::filesystem::is_regular_file(status)) throw wrong("expected a regular file");
    file_ = ::gzopen(path.c_str(), "rb");
    if (file_ == nullptr) throw wrong(fmt::format("cannot be opened: {}", std::strerror(errno)));
    ::gzbuffer(file_, kBlockBytes);
    try {
      refill();
      if (at_end()) throw wrong("empty; expected a schedule");
      if (path.ends_with(".gz") && ::gzdirect(file_) != 0)
        throw wrong("not compressed; expected gzip, as the name says");
    } catch (...) {
      ::gzclose_r(file_);
      throw;
    }
  }
  ~InputFile() { ::gzclose_r(file_); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  bool at_end() const { return next_ == end_; }
  char current() const { return *next_; }
  void advance() {
    if (++next_ == end_) refill();
  }
  // The parser got something out of what it has read. It keeps what it is at in memory: that must end.
  void note_progress() { idle_blocks_ = 0; }

  std::invalid_argument wrong(const std::string& what) const {
    return std::invalid_argument(
        fmt::format("{}: {}", one_line(path_), printable(what).substr(0, kLongestMessage)));
  }

 private:
  static constexpr unsigned kBlockBytes = 1U << 16;

  void refill() {
    if (++idle_blocks_ > 2) {
      throw wrong(fmt::format("byte {}: one word or blank of more than {} bytes; expected a schedule",
                              offset_, kBlockBytes));
    }
    const int got = ::gzread(file_, block_.data(), kBlockBytes);
    int error = Z_OK;
    const char* why = ::gzerror(file_, &error);
    // A compressed file that ends too soon is not an error of gzread().
    if (got < 0 || (error != Z_OK && error != Z_STREAM_END)) {
      throw wrong(fmt::format("byte {}: cannot be read: {}",
                              offset_ + static_cast<std::uint64_t>(std::max(got, 0)),
                              error == Z_ERRNO ? std::strerror(errno) : why));
    }
    next_ = block_.data();
    end_ = next_ + got;
    // The parser would take it for the end.
    const void* nul = std::memchr(next_, 0, static_cast<std::size_t>(got));
    if (nul != nullptr) {
      throw wrong(fmt::format("byte {}: a byte 0; expected text",
                              offset_ + static_cast<std::uint64_t>(static_cast<const char*>(nul) - next_)));
    }
    offset_ += static_cast<std::uint64_t>(got);
  }

  std::string path_;
  gzFile file_ = nullptr;
  std::array<char, kBlockBytes> block_{};
  const char* next_ = nullptr;
  const char* end_ = nullptr;
  std::uint64_t offset_ = 0;  // of the end of the block, in what is decompressed
  unsigned idle_blocks_ = 0;
};

// What the parser reads from. Copies share the file's position.
class InputIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  InputIterator() = default;
  explicit InputIterator(InputFile& file) : file_(&file) {}
  char operator*() const { return file_->current(); }
  InputIterator& operator++() {
    file_->advance();
    return *this;
  }
  InputIterator operator++(int) { return ++*this; }
  // Only ever compared with the end.
  friend bool operator==(const InputIterator& a, const InputIterator&) { return a.file_->at_end(); }

 private:
  InputFile* file_ = nullptr;
};

enum class Key : std::uint8_t {
  kFormat,
  kVersion,
  kDescription,
  kAlgorithm,
  kCollective,
  kRoot,
  kPorts,
  kSlotCycles,
  kLinkLatency,
  kOperation,
  kNetwork,
  kPackets,
  kSends,
  kNetworkName,
  kNetworkNodes,
  kNetworkPorts,
  kPacketsOf,
  kPacketsActive,
  kPacketsFlits,
  kPacketsOrigin,
  kPacketsTag,
  kPacketsDestinations,
  kPacketsParts,
  kSendsSlot,
  kSendsCount,
  kSendsLink,
  kSendsPacket,
};
constexpr std::size_t kKeys = static_cast<std::size_t>(Key::kSendsPacket) + 1;

enum Kind : unsigned { kNumber = 1, kText = 2, kArray = 4, kObject = 8 };

constexpr std::size_t kDepths = 4;

// What may stand behind a key: what kinds at which depth of arrays, how many items such an array has at most,
// and the range of its numbers.
struct KeyEntry {
  Key key;
  std::string_view path;
  std::array<unsigned, kDepths> accepts;
  std::array<std::uint64_t, kDepths> most_items = {};
  std::uint64_t low = 0, high = 0;
};

constexpr std::uint64_t kMax32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kMaxLinks = std::uint64_t{kMaxNodes} * kMaxDegree;

// In the order of Key. A section's keys begin with its own path.
constexpr std::array<KeyEntry, kKeys> kKeyEntries{{
    {Key::kFormat, "format", {kText}},
    {Key::kVersion, "version", {kNumber}, {}, kFormatVersion, kFormatVersion},
    {Key::kDescription, "description", {kText}},
    {Key::kAlgorithm, "algorithm", {kText}},
    {Key::kCollective, "collective", {kText}},
    {Key::kRoot, "root", {kNumber}, {}, 0, kMaxNodes - 1},
    {Key::kPorts, "ports", {kText}},
    {Key::kSlotCycles, "slot_cycles", {kNumber}, {}, 1, kMaxFileCycles},
    {Key::kLinkLatency, "link_latency", {kNumber}, {}, 0, kMaxFileCycles},
    {Key::kOperation, "operation", {kText}},
    {Key::kNetwork, "network", {kText | kObject}},
    {Key::kPackets, "packets", {kObject}},
    {Key::kSends, "sends", {kObject}},
    {Key::kNetworkName, "network.name", {kText}},
    {Key::kNetworkNodes, "network.nodes", {kArray, kText}, {0, kMaxNodes}},
    {Key::kNetworkPorts,
     "network.ports",
     {kArray, kArray, kArray, kNumber},
     {0, kMaxNodes, kMaxDegree, 2},
     0,
     kMaxNodes - 1},
    {Key::kPacketsOf, "packets.of", {kText}},
    {Key::kPacketsActive, "packets.active", {kArray, kNumber}, {0, kMaxNodes}, 0, kMaxNodes - 1},
    {Key::kPacketsFlits,
     "packets.flits",
     {kNumber | kArray, kNumber},
     {0, PacketList::kMaxPackets},
     1,
     kMaxFileCycles},
    {Key::kPacketsOrigin,
     "packets.origin",
     {kArray, kNumber},
     {0, PacketList::kMaxPackets},
     0,
     kMaxNodes - 1},
    {Key::kPacketsTag, "packets.tag", {kArray, kNumber}, {0, PacketList::kMaxPackets}, 0, kMax32},
    {Key::kPacketsDestinations,
     "packets.destinations",
     {kArray, kNumber | kArray, kNumber},
     {0, PacketList::kMaxPackets, kMaxNodes},
     0,
     kMaxNodes - 1},
    {Key::kPacketsParts,
     "packets.parts",
     {kArray, kArray, kNumber},
     {0, PacketList::kMaxPackets, PacketList::kMaxPackets},
     0,
     PacketList::kMaxPackets - 1},
    {Key::kSendsSlot, "sends.slot", {kArray, kNumber}, {0, kMaxFileSends}, 1, kMax32},
    {Key::kSendsCount, "sends.count", {kArray, kNumber}, {0, kMaxFileSends}, 1, kMaxFileSends},
    {Key::kSendsLink, "sends.link", {kArray, kNumber}, {0, kMaxFileSends}, 0, kMaxLinks - 1},
    {Key::kSendsPacket,
     "sends.packet",
     {kArray, kNumber},
     {0, kMaxFileSends},
     0,
     PacketList::kMaxPackets - 1},
}};

const KeyEntry& entry_of(Key key) { return kKeyEntries[static_cast<std::size_t>(key)]; }

// Many short lists, one after the other.
struct Lists {
  std::vector<std::uint32_t> items;
  std::vector<std::uint64_t> ends;
  std::span<const std::uint32_t> list(std::size_t i) const {
    const std::uint64_t first = i == 0 ? 0 : ends[i - 1];
    return {items.data() + first, ends[i] - first};
  }
};

// Listens to the parser: takes what it says in any order of keys, and judges it when all is there.
class ScheduleReader {
 public:
  explicit ScheduleReader(InputFile& file) : file_(file) {}

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
      throw wrong(fmt::format("a text of {} bytes; expected at most {}", text.size(), kMaxFileText));
    }
    if (std::any_of(text.begin(), text.end(), is_control))
      throw wrong(fmt::format("{}: a control character; expected one line of text", in_quotes(text)));
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
      if (seen_[number])
        throw file_.wrong(fmt::format("{}: a second time; expected each key once", entry.path));
      seen_[number] = true;
      entry_ = &entry;
      depth_ = 0;
      return true;
    }
    throw file_.wrong(fmt::format("{}key {}: unknown; expected {}",
                                  section_ == nullptr ? "" : fmt::format("{}: ", section_->path),
                                  in_quotes(word), fmt::join(expected, ", ")));
  }
  bool end_object() {
    section_ = nullptr;
    return true;
  }
  bool start_array(std::size_t) {
    if (!accepts(kArray)) return refuse("an array");
    begin_item();
    if (entry_->key == Key::kNetworkPorts && depth_ == 1) ports_.emplace_back();
    if (entry_->key == Key::kNetworkPorts && depth_ == 2) ports_.back().emplace_back();
    index_[++depth_] = 0;
    return true;
  }
  bool end_array() {
    file_.note_progress();
    if (entry_->key == Key::kNetworkPorts && depth_ == 3 && index_[3] != 2) {
      const std::uint64_t numbers = index_[depth_--];
      throw wrong(fmt::format("{} numbers; expected 2, the node and the port it leads to", numbers));
    }
    --depth_;
    if (depth_ == 1 && entry_->key == Key::kPacketsDestinations)
      destinations_.ends.push_back(destinations_.items.size());
    if (depth_ == 1 && entry_->key == Key::kPacketsParts) parts_.ends.push_back(parts_.items.size());
    if (depth_ > 0) ++index_[depth_];
    return true;
  }
  bool parse_error(std::size_t, const std::string& word, const nlohmann::json::exception& error) {
    if (error.id == 406 && entry_ != nullptr) return refuse(one_line(word));  // a number beyond any double
    const std::string text = error.what();
    const std::size_t end_of_id = text.find("] ");
    throw file_.wrong(end_of_id == std::string::npos ? text : text.substr(end_of_id + 2));
  }

 private:
  bool accepts(Kind kind) const { return entry_ != nullptr && (entry_->accepts[depth_] & kind) != 0; }

  void begin_item() {
    file_.note_progress();
    if (depth_ > 0 && index_[depth_] >= entry_->most_items[depth_]) [[unlikely]]
      throw wrong(fmt::format("one too many; expected at most {} there", entry_->most_items[depth_]));
  }

  // Where the parser is: "packets.destinations[3][1]".
  std::string where() const {
    std::string text(entry_->path);
    for (std::size_t d = 1; d <= depth_; ++d) text += fmt::format("[{}]", index_[d]);
    return text;
  }
  std::invalid_argument wrong(const std::string& what) const {
    return file_.wrong(fmt::format("{}: {}", where(), what));
  }
  static std::string range(std::uint64_t low, std::uint64_t high) {
    return low == high ? fmt::format("{}", low) : fmt::format("{} to {}", low, high);
  }
  [[noreturn]] bool refuse(const std::string& what) const {
    if (entry_ == nullptr) throw file_.wrong(fmt::format("{}; expected an object", what));
    const unsigned kinds = entry_->accepts[depth_];
    std::vector<std::string> expected;
    if ((kinds & kNumber) != 0)
      expected.push_back(fmt::format("an integer, {}", range(entry_->low, entry_->high)));
    if ((kinds & kText) != 0) expected.push_back("a text");
    if ((kinds & kArray) != 0) expected.push_back("an array");
    if ((kinds & kObject) != 0) expected.push_back("an object");
    throw wrong(fmt::format("{}; expected {}", what, fmt::join(expected, " or ")));
  }
  // A number of a column that was in the range of its kind, but not in that of this schedule.
  std::invalid_argument out_of_range(Key key, std::size_t index, std::uint64_t value, std::string_view what,
                                     std::uint64_t count) const {
    const std::string expected =
        count == 0 ? fmt::format("no {}, there is none", what)
                   : fmt::format("{} {}", what, count == 1 ? "0" : fmt::format("0 to {}", count - 1));
    return file_.wrong(fmt::format("{}[{}]: {}; expected {}", entry_of(key).path, index, value, expected));
  }

  void store(std::uint64_t value);
  void store(std::string& text);
  // The send that number `number` of a column belongs to.
  Send& send(std::uint64_t number) {
    if (number >= sends_.size()) {
      // If the file has told how many there will be, and there are, none of the memory is left over.
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
      throw file_.wrong(fmt::format("{}: {}", entry_of(key).path, what));
    }
  }
  bool seen(Key key) const { return seen_[static_cast<std::size_t>(key)]; }
  void require(Key key) const {
    if (!seen(key)) throw file_.wrong(fmt::format("no key {}; expected one", entry_of(key).path));
  }
  void require_length(Key key, std::size_t length, Key like, std::size_t expected) const {
    if (length != expected) {
      throw file_.wrong(fmt::format("{}: {} items; expected {}, as in {}", entry_of(key).path, length,
                                    expected, entry_of(like).path));
    }
  }
  Graph network();
  PacketList packets(const Graph& on);
  PacketList packets_of_collective(const Graph& on);
  void place_sends(const Graph& on, PacketIndex packets);

  InputFile& file_;
  bool inside_ = false;                // the object that the file is
  const KeyEntry* section_ = nullptr;  // network, packets or sends, if inside
  const KeyEntry* entry_ = nullptr;    // the last key
  std::size_t depth_ = 0;              // arrays around what comes next, behind that key
  std::array<std::uint64_t, kDepths> index_{};
  std::bitset<kKeys> seen_;

  std::string spelling_, description_, algorithm_, collective_, ports_word_, operation_word_;
  std::uint32_t root_ = 0, slot_cycles_ = 1, link_latency_ = 0;
  bool explicit_network_ = false;
  std::vector<std::vector<Endpoint>> ports_;
  std::vector<std::string> node_names_;
  std::uint32_t flits_ = 0;
  std::vector<std::uint32_t> flits_column_, origin_, tag_, active_;
  Lists destinations_, parts_;
  std::vector<std::uint32_t> slot_, count_;
  std::uint64_t told_sends_ = 0;
  std::uint64_t links_ = 0, sent_packets_ = 0;  // lengths of these columns
  std::vector<Send> sends_;
};

void ScheduleReader::store(std::uint64_t value) {
  const auto number = static_cast<std::uint32_t>(value);
  const auto add = [&](Lists& lists) {
    if (lists.items.size() >= kMaxFileDestinations)
      throw wrong(fmt::format("one too many; expected at most {} in all", kMaxFileDestinations));
    lists.items.push_back(number);
    if (depth_ == 1) lists.ends.push_back(lists.items.size());
  };
  switch (entry_->key) {
    case Key::kSendsLink:
      send(links_++).link = number;
      break;
    case Key::kSendsPacket:
      send(sent_packets_++).packet = number;
      break;
    case Key::kSendsSlot:
      slot_.push_back(number);
      break;
    case Key::kSendsCount:
      told_sends_ += number;
      count_.push_back(number);
      break;
    case Key::kPacketsOrigin:
      origin_.push_back(number);
      break;
    case Key::kPacketsTag:
      tag_.push_back(number);
      break;
    case Key::kPacketsDestinations:
      add(destinations_);
      break;
    case Key::kPacketsParts:
      add(parts_);
      break;
    case Key::kPacketsFlits:
      if (depth_ == 0) {
        flits_ = number;
      } else {
        flits_column_.push_back(number);
      }
      break;
    case Key::kPacketsActive:
      active_.push_back(number);
      break;
    case Key::kNetworkPorts:
      (index_[3] == 0 ? ports_.back().back().node : ports_.back().back().port) = number;
      break;
    case Key::kRoot:
      root_ = number;
      break;
    case Key::kSlotCycles:
      slot_cycles_ = number;
      break;
    case Key::kLinkLatency:
      link_latency_ = number;
      break;
    default:
      break;  // the version, which has one value only
  }
}

void ScheduleReader::store(std::string& text) {
  switch (entry_->key) {
    case Key::kFormat:
      if (text != kFormatName) throw wrong(fmt::format("{}; expected '{}'", in_quotes(text), kFormatName));
      break;
    case Key::kDescription:
      description_ = text;
      break;
    case Key::kAlgorithm:
      algorithm_ = text;
      break;
    case Key::kCollective:
      collective_ = text;
      break;
    case Key::kPorts:
      ports_word_ = text;
      break;
    case Key::kOperation:
      operation_word_ = text;
      break;
    case Key::kNetwork:
    case Key::kNetworkName:
      spelling_ = text;
      break;
    case Key::kNetworkNodes:
      if (!is_node_name(text)) {
        throw wrong(fmt::format("{}; expected letters, digits and '_', at most {}, no number",
                                in_quotes(text), kLongestNodeName));
      }
      node_names_.push_back(text);
      break;
    case Key::kPacketsOf:
      if (text != kOfCollective)
        throw wrong(fmt::format("{}; expected '{}'", in_quotes(text), kOfCollective));
      break;
    default:
      break;
  }
}

Graph ScheduleReader::network() {
  // One key has two forms; what is inside the second one tells them apart.
  explicit_network_ = seen(Key::kNetworkName) || seen(Key::kNetworkNodes) || seen(Key::kNetworkPorts);
  if (!explicit_network_ && spelling_.empty())
    throw file_.wrong("network: nothing in it; expected a spelling such as 'torus:4x4', or ports");
  if (!explicit_network_) {
    if (reads_a_file(spelling_)) {
      throw file_.wrong(
          fmt::format("network: {}: read from another file; expected its ports", in_quotes(spelling_)));
    }
    return within(Key::kNetwork, [&] { return make_topology(spelling_); });
  }
  require(Key::kNetworkPorts);
  Graph graph = within(Key::kNetworkPorts,
                       [&] { return Graph(std::move(spelling_), std::move(ports_), LinkPairs::kNotAll); });
  if (!seen(Key::kNetworkNodes)) return graph;
  require_length(Key::kNetworkNodes, node_names_.size(), Key::kNetworkPorts, graph.node_count());
  std::unordered_set<std::string_view> different;
  for (const std::string& name : node_names_) {
    if (!different.insert(name).second)
      throw file_.wrong(fmt::format("network.nodes: {} twice; expected different names", in_quotes(name)));
  }
  const auto names = std::make_shared<const std::vector<std::string>>(std::move(node_names_));
  return graph.with_node_names([names](NodeId v) { return (*names)[v]; });
}

PacketList ScheduleReader::packets_of_collective(const Graph& on) {
  for (const Key key :
       {Key::kPacketsOrigin, Key::kPacketsTag, Key::kPacketsDestinations, Key::kPacketsParts}) {
    if (seen(key)) throw file_.wrong(fmt::format("{}: not expected beside packets.of", entry_of(key).path));
  }
  if (collective_.empty()) throw file_.wrong("packets.of: no collective; expected the key 'collective'");
  if (!flits_column_.empty() || flits_ == 0)
    throw file_.wrong("packets.flits: an array; expected one number, the packets being of the collective");
  Problem problem{.graph = on, .collective = parse_collective(collective_)};
  problem.root = root_;
  if (name_of(problem.collective).has_active) {
    require(Key::kPacketsActive);
    if (active_.empty()) throw file_.wrong("packets.active: nothing in it; expected at least one node");
    for (std::size_t i = 0; i < active_.size(); ++i) {
      if (active_[i] >= on.node_count())
        throw out_of_range(Key::kPacketsActive, i, active_[i], "node", on.node_count());
      const bool repeats = i > 0 && active_[i] == active_[i - 1];
      if (i > 0 && (active_[i] < active_[i - 1] ||
                    (repeats && problem.collective != CollectiveKind::kConcurrentBroadcast))) {
        throw file_.wrong(fmt::format("packets.active[{}]: {}; expected ascending nodes", i, active_[i]));
      }
    }
    problem.active = active_;
  } else if (seen(Key::kPacketsActive)) {
    throw file_.wrong(fmt::format("packets.active: not expected, {} has no active nodes", collective_));
  }
  // Counted before they are made: there could be billions.
  const std::optional<std::uint64_t> count =
      packets_of_a_message(problem.collective, on.processor_count(), active_.size());
  if (count.value_or(0) > PacketList::kMaxPackets) {
    throw file_.wrong(
        fmt::format("packets.of: {} packets; expected at most {}", *count, PacketList::kMaxPackets));
  }
  PacketList packets = within(Key::kPacketsOf, [&] { return collective_packets(problem); });
  packets.set_flits(flits_);
  return packets;
}

PacketList ScheduleReader::packets(const Graph& on) {
  require(Key::kPacketsFlits);
  if (seen(Key::kPacketsOf)) return packets_of_collective(on);
  if (seen(Key::kPacketsActive)) throw file_.wrong("packets.active: not expected; only beside packets.of");
  for (const Key key : {Key::kPacketsOrigin, Key::kPacketsTag, Key::kPacketsDestinations}) require(key);
  const std::size_t count = origin_.size();
  const bool one_length = flits_ != 0;
  require_length(Key::kPacketsTag, tag_.size(), Key::kPacketsOrigin, count);
  if (!one_length) require_length(Key::kPacketsFlits, flits_column_.size(), Key::kPacketsOrigin, count);
  require_length(Key::kPacketsDestinations, destinations_.ends.size(), Key::kPacketsOrigin, count);
  const bool combined = seen(Key::kPacketsParts);
  if (combined) require_length(Key::kPacketsParts, parts_.ends.size(), Key::kPacketsOrigin, count);
  const auto check = [&](Key key, std::size_t p, std::span<const std::uint32_t> items, std::string_view what,
                         std::uint64_t limit) {
    for (const std::uint32_t item : items) {
      if (item >= limit) throw out_of_range(key, p, item, what, limit);
    }
  };
  PacketList packets;
  packets.reserve(count, destinations_.items.size());
  for (std::size_t p = 0; p < count; ++p) {
    if (origin_[p] >= on.node_count())
      throw out_of_range(Key::kPacketsOrigin, p, origin_[p], "node", on.node_count());
    const std::span<const std::uint32_t> destinations = destinations_.list(p);
    check(Key::kPacketsDestinations, p, destinations, "node", on.node_count());
    const std::span<const std::uint32_t> parts = combined ? parts_.list(p) : std::span<const std::uint32_t>{};
    check(Key::kPacketsParts, p, parts, "packet", count);
    packets.add(origin_[p], tag_[p], one_length ? flits_ : flits_column_[p], destinations, parts);
  }
  return packets;
}

void ScheduleReader::place_sends(const Graph& on, PacketIndex packets) {
  for (const Key key : {Key::kSendsSlot, Key::kSendsLink, Key::kSendsPacket}) require(key);
  require_length(Key::kSendsPacket, sent_packets_, Key::kSendsLink, links_);
  if (seen(Key::kSendsCount)) require_length(Key::kSendsCount, count_.size(), Key::kSendsSlot, slot_.size());
  const std::uint64_t placed = seen(Key::kSendsCount) ? told_sends_ : slot_.size();
  if (placed != sends_.size()) {
    throw file_.wrong(fmt::format("sends.slot: {} sends start in all; expected {}, as in sends.link", placed,
                                  sends_.size()));
  }
  std::size_t i = 0;
  for (std::size_t run = 0; run < slot_.size(); ++run) {
    const std::size_t end = i + (seen(Key::kSendsCount) ? count_[run] : 1);
    for (; i < end; ++i) {
      Send& send = sends_[i];
      send.start = slot_[run];
      if (send.link >= on.link_count())
        throw out_of_range(Key::kSendsLink, i, send.link, "link", on.link_count());
      if (send.packet >= packets) throw out_of_range(Key::kSendsPacket, i, send.packet, "packet", packets);
    }
  }
}

Schedule ScheduleReader::finish() {
  for (const Key key :
       {Key::kFormat, Key::kVersion, Key::kNetwork, Key::kPorts, Key::kPackets, Key::kSends}) {
    require(key);
  }
  Schedule schedule(network());
  schedule.ports = within(Key::kPorts, [&] { return parse_port_model(ports_word_); });
  if (seen(Key::kOperation))
    schedule.operation = within(Key::kOperation, [&] { return parse_operation(operation_word_); });
  if (seen(Key::kCollective)) {
    schedule.collective = within(Key::kCollective, [&] { return to_string(parse_collective(collective_)); });
  }
  if (root_ >= schedule.network.node_count()) {
    throw file_.wrong(
        fmt::format("root: {}; expected node {}", root_, range(0, schedule.network.node_count() - 1)));
  }
  schedule.root = root_;
  schedule.slot_cycles = slot_cycles_;
  schedule.link_latency = link_latency_;
  schedule.algorithm = std::move(algorithm_);
  schedule.description = std::move(description_);
  schedule.packets = packets(schedule.network);
  place_sends(schedule.network, schedule.packets.size());
  schedule.sends = std::move(sends_);
  return schedule;
}

}  // namespace

void write_schedule(const Schedule& schedule, const std::string& path) {
  require_writable(schedule);
  OutputFile out(path);
  out.put(fmt::format("{{\n \"format\": \"{}\",\n \"version\": {}", kFormatName, kFormatVersion));
  const auto text = [&](std::string_view key, const std::string& value) {
    if (!value.empty()) out.put(fmt::format(",\n \"{}\": {}", key, json_text(value)));
  };
  text("description", schedule.description);
  text("algorithm", schedule.algorithm);
  text("collective", schedule.collective.empty() ? "" : to_string(parse_collective(schedule.collective)));
  out.put(fmt::format(",\n \"root\": {}", schedule.root));
  text("ports", to_string(schedule.ports));
  out.put(fmt::format(",\n \"slot_cycles\": {},\n \"link_latency\": {}", schedule.slot_cycles,
                      schedule.link_latency));
  if (schedule.packets.combines() || schedule.operation != Operation::kSum)
    text("operation", to_string(schedule.operation));
  out.put(",\n \"network\": ");
  write_network(out, schedule.network);
  out.put(",\n \"packets\": ");
  write_packets(out, schedule);
  out.put(",\n \"sends\": ");
  write_sends(out, schedule.sends);
  out.put("\n}\n");
  out.commit();
}

Schedule read_schedule(const std::string& path) {
  InputFile file(path);
  ScheduleReader reader(file);
  nlohmann::json::sax_parse(InputIterator(file), InputIterator(), &reader);
  return reader.finish();
}

}  // namespace safnet
