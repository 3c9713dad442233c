#include "sim/pifo/host_feed.hpp"

#include <utility>

#include "sim/pifo/router_program.hpp"

namespace safnet {

HostFeed::HostFeed(InjectionRounds injections, const PifoParameters& parameters, NodeId nodes,
                   std::uint32_t window, std::function<std::uint32_t(NodeId)> rounds_got)
    : injections_(std::move(injections)),
      format_(parameters),
      flits_(parameters.flits),
      window_(window),
      rounds_got_(std::move(rounds_got)),
      hosts_(nodes) {}

std::vector<HostPacket> HostFeed::take(NodeId v) {
  Host& host = hosts_[v];
  std::vector<HostPacket> packets;
  while (packets.size() < kAtOnce && has_more(host)) {
    if (host.next == host.round.size() || host.rounds_begun == 0) {
      if (window_ != 0 && host.rounds_begun >= rounds_got_(v) + std::uint64_t{window_}) break;
      ++host.rounds_begun;
      host.next = 0;
    }
    Injection packet = host.round[host.next++];
    packet.tag += (host.rounds_begun - 1) * injections_.tag_stride;
    packets.push_back(host_packet(format_, v, packet, flits_));
  }
  if (!has_more(host)) host = {};
  return packets;
}

void HostFeed::load(Machine& machine, NodeId v, RouterProgram program) {
  hosts_[v] = {.round = injections_.round(v)};
  do {
    program.packets = take(v);
    machine.load(v, program);
    program.table.clear();
  } while (!program.packets.empty() && has_more(hosts_[v]) && machine.packets_with_host(v) == 0);
  if (has_more(hosts_[v])) feeding_.push_back(v);
}

void HostFeed::feed(Machine& machine) {
  std::erase_if(feeding_, [&](NodeId v) {
    if (machine.packets_with_host(v) != 0) return false;
    for (HostPacket& packet : take(v)) machine.offer(v, std::move(packet));
    return !has_more(hosts_[v]);
  });
}

std::uint64_t HostFeed::left() const {
  std::uint64_t sum = 0;
  for (const NodeId v : feeding_) {
    const Host& host = hosts_[v];
    const std::uint64_t rounds = injections_.rounds - host.rounds_begun;
    sum += rounds * host.round.size() + (host.rounds_begun == 0 ? 0 : host.round.size() - host.next);
  }
  return sum;
}

}  // namespace safnet
