#include "cpp_model/schedule/schedule_writer.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <unordered_set>
#include <vector>

#include "cpp_model/graph/file/named_edges.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/same_network.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/schedule/problem.hpp"
#include "cpp_model/schedule/schedule_keys.hpp"
#include "cpp_model/schedule/streamed_file.hpp"

namespace safnet {
namespace {

using namespace schedule_format;

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

// Whether the spelling alone, without a file, gives the same network with the same ports.
bool is_rebuilt(const Graph& network) {
  const std::string& spelling = network.spelling();
  if (spelling.size() > kMaxFileText || reads_a_file(spelling)) return false;
  try {
    const Graph rebuilt = make_topology(spelling);
    return rebuilt.processor_count() == network.processor_count() && same_network(rebuilt, network);
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

// Writes an array of `count` items, `per_line` of them on a line.
template <class Item>
void write_items(StreamedOutput& out, std::size_t count, std::size_t per_line, Item item) {
  out.put('[');
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) out.put(i % per_line == 0 ? ",\n  " : ",");
    item(i);
  }
  out.put(']');
}
constexpr std::size_t kPerLine = 32, kOnOneLine = std::numeric_limits<std::size_t>::max();

void write_network(StreamedOutput& out, const Graph& network) {
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
    write_items(out, network.degree(v), kOnOneLine, [&](std::size_t port) {
      const Endpoint to = network.peer(v, static_cast<PortId>(port));
      const LinkTiming timing = network.timing(network.link(v, static_cast<PortId>(port)));
      if (timing == LinkTiming{}) {
        out.put(fmt::format("[{},{}]", to.node, to.port));
      } else {
        out.put(fmt::format("[{},{},{},{}]", to.node, to.port, timing.latency, timing.cycles_per_flit));
      }
    });
  });
  if (network.has_routers()) out.put(fmt::format(",\n  \"processors\": {}", network.processor_count()));
  out.put("\n }");
}

// The problem whose packets the schedule has, all of one length; nothing if there is none.
std::optional<Problem> problem_of(const Schedule& schedule) {
  if (schedule.collective.empty()) return std::nullopt;
  Problem problem{.graph = schedule.network, .collective = parse_collective(schedule.collective)};
  problem.root = schedule.root;
  if (name_of(problem.collective).has_active) {
    if (problem.collective == CollectiveKind::kConcurrentBroadcast && schedule.packets.size() > kMaxNodes)
      return std::nullopt;
    problem.active = active_nodes_of(schedule, problem.collective);
    if (problem.active.empty() || !std::ranges::is_sorted(problem.active) ||
        problem.active.back() >= schedule.network.processor_count())
      return std::nullopt;
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

void write_packets(StreamedOutput& out, const Schedule& schedule) {
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
    write_items(out, items.size(), kOnOneLine, [&](std::size_t i) { out.put_number(items[i]); });
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

void write_sends(StreamedOutput& out, const std::vector<Send>& sends) {
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

void require_writable(const Schedule& schedule) {
  const auto require = [](bool holds, std::string_view what, std::uint64_t value, std::uint64_t low,
                          std::uint64_t high) {
    if (!holds) throw bad_input("schedule: {} {}; expected {} to {}", what, value, low, high);
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
      throw bad_input("schedule: a send of packet {}; expected one of {} packets", send.packet,
                      packets.size());
    }
  }
}

}  // namespace

void write_schedule(const Schedule& schedule, const std::string& path) {
  require_writable(schedule);
  StreamedOutput out(path);
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

}  // namespace safnet
