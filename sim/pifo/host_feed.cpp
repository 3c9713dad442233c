#include "sim/pifo/host_feed.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "sim/pifo/router_program.hpp"

namespace safnet {

namespace {

std::uint64_t outputs_fed_by(int port, const PifoParameters& parameters) {
  std::uint64_t outputs = 0;
  for (int output = port; output < parameters.radix; output += parameters.inject_ports)
    outputs |= std::uint64_t{1} << output;
  return outputs;
}

}  // namespace

HostFeed::HostFeed(InjectionRounds injections, const PifoParameters& parameters, NodeId nodes,
                   HostStart start, std::uint32_t window, std::function<std::uint32_t(NodeId)> rounds_got)
    : injections_(std::move(injections)),
      format_(parameters),
      parameters_(parameters),
      start_(start),
      window_(window),
      rounds_got_(std::move(rounds_got)),
      hosts_(nodes) {}

// Lists the packets of the round that are `wanted`, as sequences.
void HostFeed::list_packets(Host& host, Stream& stream, const std::vector<bool>& wanted) const {
  stream.in_round = static_cast<std::uint32_t>(std::ranges::count(wanted, true));
  // Of the packets 0, 1, 2, ... of all rounds this link gets each links-th one.
  const std::uint64_t all = std::uint64_t{stream.in_round} * injections_.rounds;
  stream.left = all <= stream.link ? 0 : (all - stream.link - 1) / stream.links + 1;
  const bool fits = stream.left <= static_cast<std::uint64_t>(parameters_.host_depth);
  const bool in_order_of_rank = start_ == HostStart::kEmpty || (parameters_.inject_ports > 1 && !fits);
  std::map<std::uint32_t, Sequence> by_rank;
  for (std::uint32_t i = 0, number = 0; i < host.round.size(); ++i) {
    if (wanted[i]) by_rank[in_order_of_rank ? host.round[i].rank : 0].entries.push_back({i, number++});
  }
  for (auto& [rank, sequence] : by_rank) stream.sequences.push_back(std::move(sequence));
}

// Links are dealt, and `port` is that of one link: which of its branch's links that is. Returns the port that
// tables name the branch by.
std::uint64_t HostFeed::join_branch(Stream& stream, std::size_t port, std::uint64_t branch_first) const {
  const auto is_first = [branch_first](std::size_t p) { return ((branch_first >> p) & 1) != 0; };
  std::size_t first = port, end = port + 1;
  while (first != 0 && !is_first(first)) --first;
  while (end < static_cast<std::size_t>(parameters_.radix) && !is_first(end)) ++end;
  stream.link = static_cast<std::uint32_t>(port - first);
  stream.links = static_cast<std::uint32_t>(end - first);
  return std::uint64_t{1} << first;
}

HostFeed::Host HostFeed::host_of(NodeId v, const RouterProgram& program) const {
  Host host;
  host.round = injections_.round(v);
  host.streams.resize(static_cast<std::size_t>(parameters_.inject_ports));
  std::vector<bool> wanted(host.round.size(), true);
  if (host.streams.size() == 1) {
    list_packets(host, host.streams[0], wanted);
    return host;
  }
  std::vector<std::uint64_t> mask_of(static_cast<std::size_t>(parameters_.label_depth));
  for (const LabelEntry& entry : program.table) mask_of.at(entry.label) = entry.mask;
  for (std::size_t port = 0; port < host.streams.size(); ++port) {
    Stream& stream = host.streams[port];
    const std::uint64_t named = parameters_.deals_links != 0
                                    ? join_branch(stream, port, program.branch_first)
                                    : outputs_fed_by(static_cast<int>(port), parameters_);
    for (std::size_t i = 0; i < host.round.size(); ++i)
      wanted[i] = (mask_of.at(host.round[i].label) & named) != 0;
    list_packets(host, stream, wanted);
  }
  return host;
}

bool HostFeed::has_more(const Host& host) const {
  return std::ranges::any_of(host.streams, [](const Stream& stream) { return stream.left != 0; });
}

// `rounds`: those that the host may have begun by now.
std::optional<HostPacket> HostFeed::next_packet(NodeId v, std::uint32_t port, std::uint32_t rounds) {
  Host& host = hosts_[v];
  Stream& stream = host.streams[port];
  for (Sequence& sequence : stream.sequences) {
    while (sequence.round < rounds) {
      const Entry entry = sequence.entries[sequence.next];
      const std::uint32_t round = sequence.round;
      if (++sequence.next == sequence.entries.size()) {
        sequence.next = 0;
        ++sequence.round;
      }
      const std::uint64_t number = std::uint64_t{round} * stream.in_round + entry.number;
      if (number % stream.links != stream.link) continue;
      --stream.left;
      --left_;
      Injection packet = host.round[entry.packet];
      packet.tag += round * injections_.tag_stride;
      HostPacket made = host_packet(format_, v, packet, parameters_.flits);
      made.port = port;
      return made;
    }
  }
  return {};
}

std::vector<HostPacket> HostFeed::take(NodeId v, std::uint64_t ports) {
  std::uint64_t rounds = injections_.rounds;
  if (window_ != 0) rounds = std::min(rounds, rounds_got_(v) + std::uint64_t{window_});
  Host& host = hosts_[v];
  std::vector<HostPacket> packets;
  const std::size_t of_a_port = std::max<std::size_t>(1, kAtOnce / host.streams.size());
  for (std::uint32_t port = 0; port < host.streams.size(); ++port) {
    if (((ports >> port) & 1) == 0) continue;
    for (std::size_t i = 0; i < of_a_port && host.streams[port].left != 0; ++i) {
      std::optional<HostPacket> packet = next_packet(v, port, static_cast<std::uint32_t>(rounds));
      if (!packet) break;
      packets.push_back(std::move(*packet));
    }
  }
  if (!has_more(host)) host = {};
  return packets;
}

void HostFeed::load(Machine& machine, NodeId v, RouterProgram program) {
  hosts_[v] = host_of(v, program);
  for (const Stream& stream : hosts_[v].streams) left_ += stream.left;
  if (start_ == HostStart::kEmpty) {
    machine.load(v, program);
  } else {
    do {
      program.packets = take(v, machine.unused_injection_ports(v));
      machine.load(v, program);
      program.table.clear();
    } while (!program.packets.empty() && has_more(hosts_[v]) && machine.unused_injection_ports(v) != 0);
  }
  if (has_more(hosts_[v])) feeding_.push_back(v);
}

void HostFeed::feed(Machine& machine) {
  std::erase_if(feeding_, [&](NodeId v) {
    const std::uint64_t ports = machine.unused_injection_ports(v);
    if (ports == 0) return false;
    for (HostPacket& packet : take(v, ports)) machine.offer(v, std::move(packet));
    return !has_more(hosts_[v]);
  });
}

HostFeed load_routers(Machine& machine, const Graph& graph, const Policy& policy,
                      const PifoParameters& parameters, HostStart start) {
  HostFeed feed(policy.injections, parameters, graph.node_count(), start, 0, {});
  for (NodeId v = 0; v < graph.node_count(); ++v)
    feed.load(machine, v, router_table(graph, policy, parameters, v));
  return feed;
}

}  // namespace safnet
