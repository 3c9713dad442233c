#include "cpp_model/systemc/node.hpp"

#include <algorithm>
#include <utility>

#include "cpp_model/graph/input.hpp"

namespace safnet::reference {
namespace {

constexpr std::uint64_t bit(PortId port) { return std::uint64_t{1} << port; }

}  // namespace

Node::Node(const sc_core::sc_module_name& name, const Graph& graph, NodeId id, const Policy& policy,
           const ReferenceParameters& parameters, RunLog& log)
    : Clocked(name),
      in("in", graph.degree(id)),
      out("out", graph.degree(id)),
      id_(id),
      degree_(graph.degree(id)),
      policy_(policy),
      log_(log),
      port_model_(parameters.ports),
      slot_cycles_(static_cast<std::uint32_t>(parameters.slot_cycles)),
      queue_depth_(static_cast<std::uint32_t>(parameters.queue_depth)),
      host_depth_(static_cast<std::size_t>(parameters.host_depth)),
      asks_(parameters.grant_cycles != 0),
      injection_(std::min<std::size_t>(degree_, static_cast<std::size_t>(parameters.inject_ports))) {
  if (policy.deals_links) find_branches(graph);
  reset();
  list_host_packets(parameters);
  for (std::size_t number = 0; number < injection_.size(); ++number) {
    InjectionPort& port = injection_[number];
    log_.outstanding += port.packets.size();
    while (!parameters.hosts_start_empty && !port.packets.empty() && host_has_room(number)) {
      take_injection(number);
      host_packet_complete(number);
    }
  }
}

// Everything but the label table and who the neighbours are.
void Node::reset() {
  cycle_ = 0;
  queues_.assign(port_model_ == PortModel::kAllPort ? degree_ : 1, PacketQueue(degree_ + std::size_t{1}));
  transmitters_.assign(queues_.size(), {});
  credits_.assign(degree_, queue_depth_);
  held_.assign(degree_ + injection_.size(), 0);
  uncredited_.assign(degree_, 0);
  flits_arrived_.assign(degree_, 0);
  links_.assign(held_.size(), 0);
  words_.assign(degree_, {});
  for (Branch& branch : branches_) branch.turn = 0;
  receiving_ = false;
  last_granted_ = degree_ - 1;
  injection_.assign(injection_.size(), {});
  drive_.assign(degree_, {});
  counters_ = {};
  counters_.sent.resize(degree_);
  counters_.received.resize(degree_);
  counters_.peak_stored.resize(queues_.size());
  counters_.peak_waiting.resize(queues_.size());
  wait_ = {};
  last_labels_.assign(degree_, 0);
}

bool Node::host_is_free() const {
  return std::ranges::all_of(injection_, [](const InjectionPort& port) {
    return port.packets.empty() ||
           (port.packets.size() == 1 && port.flits == port.packets.front().packet.length);
  });
}

// With several injection ports the host knows the links of its packets, and deals those of a branch to its
// links by itself.
void Node::list_host_packets(const ReferenceParameters& parameters) {
  std::vector<Branch> branches = branches_;
  for (const Injection& injection : policy_.injections(id_)) {
    const std::uint32_t length =
        injection.flits != 0 ? injection.flits : static_cast<std::uint32_t>(parameters.flits);
    if (length > static_cast<std::uint32_t>(parameters.flits) || injection.label >= policy_.label_count ||
        injection.rank >= policy_.rank_levels) {
      throw bad_input(
          "packet (source {}, tag {}): {} flits, label {}, rank {}; expected at most {} flits, a "
          "label below {}, a rank below {}",
          id_, injection.tag, length, injection.label, injection.rank, parameters.flits, policy_.label_count,
          policy_.rank_levels);
    }
    const Packet packet{{id_, injection.tag}, injection.label, length};
    if (parameters.inject_ports == 1) {
      injection_[0].packets.push_back({packet, injection.rank, 0});
      continue;
    }
    const std::uint64_t links = deal(table(injection.label), branches);
    for (std::size_t number = 0; number < injection_.size(); ++number) {
      std::uint64_t fed = 0;
      for (auto port = static_cast<PortId>(number); port < degree_;
           port += static_cast<PortId>(parameters.inject_ports))
        fed |= links & bit(port);
      if (fed != 0) injection_[number].packets.push_back({packet, injection.rank, fed});
    }
  }
  for (InjectionPort& port : injection_) {
    const bool fits = parameters.inject_ports == 1 || port.packets.size() <= host_depth_;
    if (parameters.hosts_start_empty || !fits) std::ranges::stable_sort(port.packets, {}, &HostPacket::rank);
  }
}

void Node::on_edge() {
  if (is_in_reset()) {
    reset();
    for (PortId port = 0; port < degree_; ++port) out[port].write({});
    return;
  }
  ++cycle_;
  drive_.assign(degree_, {});
  // What the neighbours and the host drove in the cycle before.
  decide_grant();
  take_arrivals();
  take_credits();
  // What this node drives in this cycle.
  measure();
  return_credits();
  inject();
  transmit();
  for (PortId port = 0; port < degree_; ++port) out[port].write(drive_[port]);
}

// Called before take_arrivals(): a receiver judges the requests of the last cycle by its state in that cycle,
// in which a packet whose last flit was arriving still kept it busy.
void Node::decide_grant() {
  if (!asks_) return;
  PortId chosen = degree_;
  if (!receiving_) {
    for (PortId i = 1; i <= degree_ && chosen == degree_; ++i) {
      const PortId port = (last_granted_ + i) % degree_;
      if (in[port].read().request) chosen = port;
    }
  }
  if (chosen == degree_) return;
  drive_[chosen].grant = true;
  receiving_ = true;
  last_granted_ = chosen;
  ++log_.movements;
}

void Node::take_arrivals() {
  PortId arriving = 0;
  for (PortId port = 0; port < degree_; ++port) {
    const Flit& flit = in[port].read().flit;
    if (!flit.valid) continue;
    ++arriving;
    flit_arrived(port, flit);
  }
  for (std::size_t number = 0; number < injection_.size(); ++number) {
    if (injection_[number].header) take_injection(number);
    injection_[number].header = false;
  }
  if (arriving > 1 && port_model_ == PortModel::kOnePort) {
    if (counters_.violations++ == 0) counters_.first_violation_cycle = cycle_ - 1;
  }
  for (std::size_t number = 0; number < injection_.size(); ++number) {
    const InjectionPort& port = injection_[number];
    if (!port.packets.empty() && port.flits == port.packets.front().packet.length)
      host_packet_complete(number);
  }
}

void Node::flit_arrived(PortId port, const Flit& flit) {
  const bool is_words = log_.on_delivery && flit.index != 0;
  if (is_words) words_[port].push_back(flit.payload);
  const bool is_right = is_words || flit.payload == payload_of(flit.packet, flit.label, flit.index);
  if (flit.index != flits_arrived_[port] || !is_right) {
    log_.complain("packet (source {}, tag {}) at node {} in cycle {}: flit {} is damaged", flit.packet.source,
                  flit.packet.tag, id_, cycle_ - 1, flit.index);
  }
  if (flits_arrived_[port] == 0) links_[port] = deal(table(flit.label), branches_);
  if (++flits_arrived_[port] < flit.length) return;
  flits_arrived_[port] = 0;
  packet_arrived(port, flit);
}

void Node::packet_arrived(PortId port, const Flit& last) {
  const std::uint32_t now = cycle_ - 1;
  const TableEntry& entry = table(last.label);
  ++counters_.received[port];
  ++uncredited_[port];
  receiving_ = false;
  const Words words = log_.on_delivery
                          ? std::make_shared<const std::vector<std::uint64_t>>(std::move(words_[port]))
                          : nullptr;
  words_[port].clear();
  if (entry.deliver) {
    const Delivery delivery{step_of(now), now, id_, port, last.packet};
    if (log_.on_delivery) {
      log_.on_delivery(delivery, *words);
    } else {
      log_.trace.deliveries.push_back(delivery);
    }
    ++counters_.delivered;
    counters_.last_delivery_cycle = now;
    counters_.last_delivery_step = step_of(now);
    counters_.delay_sum += step_of(now);
  }
  log_.outstanding += enqueue({entry.rank, false, now, true, port}, port,
                              {last.packet, last.label, last.length, words}, entry, links_[port]);
  --log_.outstanding;
}

// The header of an injected packet is there: where will it go?
void Node::take_injection(std::size_t number) {
  const HostPacket& first = injection_[number].packets.front();
  links_[degree_ + number] = first.links != 0 ? first.links : deal(table(first.packet.label), branches_);
}

void Node::host_packet_complete(std::size_t number) {
  InjectionPort& port = injection_[number];
  const HostPacket& first = port.packets.front();
  log_.outstanding += enqueue({first.rank, true, port.queued++, true, degree_}, degree_ + number,
                              first.packet, table(first.packet.label), links_[degree_ + number]);
  --log_.outstanding;
  port.packets.pop_front();
  port.flits = 0;
}

void Node::find_branches(const Graph& graph) {
  for (PortId port = 0; port < degree_; ++port) {
    const bool goes_on = port != 0 && graph.peer(id_, port).node == graph.peer(id_, port - 1).node;
    if (goes_on) {
      ++branches_.back().links;
    } else {
      branches_.push_back({port, 1});
    }
  }
}

// The links for a packet whose header arrives now.
std::uint64_t Node::deal(const TableEntry& entry, std::vector<Branch>& branches) {
  const auto ports = static_cast<std::uint64_t>(entry.output_mask);  // table() has left no others
  if (!policy_.deals_links) return ports;
  std::uint64_t links = 0, named = 0;
  for (Branch& branch : branches) {
    named |= bit(branch.first);
    if ((ports & bit(branch.first)) == 0) continue;
    links |= bit(branch.first + branch.turn);
    branch.turn = (branch.turn + 1) % branch.links;
  }
  if ((ports & ~named) != 0)
    log_.complain("ports {:#x} at node {}: expected first ports of branches", ports, id_);
  return links;
}

// Returns into how many queues the packet went.
std::size_t Node::enqueue(const QueueKey& key, std::size_t input, const Packet& packet,
                          const TableEntry& entry, std::uint64_t links) {
  std::vector<PortId> ports;
  for (const PortId port : entry.service_order) {
    if ((links & bit(port)) != 0) ports.push_back(port);
  }
  for (PortId port = 0; port < degree_; ++port) {
    if ((links & bit(port)) != 0 && std::count(ports.begin(), ports.end(), port) == 0) {
      ports.push_back(port);
    }
  }
  if (ports.empty()) return 0;
  ++held_[input];
  const auto copies_left = std::make_shared<std::size_t>(ports.size());
  if (port_model_ != PortModel::kAllPort) {
    queues_[0].put(key, packet, ports, entry.rest_rank, copies_left);
    return 1;
  }
  for (const PortId port : ports) queues_[port].put(key, packet, {port}, {}, copies_left);
  return ports.size();
}

void Node::take_credits() {
  for (PortId port = 0; port < degree_; ++port) {
    if (!in[port].read().credit) continue;
    ++credits_[port];
    ++log_.movements;
  }
}

void Node::measure() {
  wait_ = {};
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    const PacketQueue& queue = queues_[i];
    const auto packets = static_cast<std::uint32_t>(queue.packets());
    wait_.queued = std::max(wait_.queued, packets);
    counters_.peak_stored[i] = std::max(counters_.peak_stored[i], packets);
    counters_.peak_transit =
        std::max(counters_.peak_transit, static_cast<std::uint32_t>(queue.packets_in_transit()));
    // All-port heads wait for credits on their own; a one-port node does one thing at a time.
    const auto& copy = transmitters_[i].copy;
    const bool waits_for_credit = !copy || port_model_ == PortModel::kAllPort;
    if (waits_for_credit && !queue.empty() && credits_[queue.next_port()] == 0) {
      wait_.credit |= bit(queue.next_port());
    }
    if (copy && transmitters_[i].asking && !in[copy->port].read().grant) wait_.grant |= bit(copy->port);
  }
  counters_.peak_occupancy = std::max(counters_.peak_occupancy, wait_.queued);
}

// A packet's place is free when its last copy has started to leave.
void Node::return_credits() {
  for (PortId port = 0; port < degree_; ++port) {
    const bool free = uncredited_[port] > held_[port];
    if (free) --uncredited_[port];
    drive_[port].credit = free;
  }
}

// The host offers a flit in every cycle; only a packet's first flit waits for room in the queues.
void Node::inject() {
  for (std::size_t number = 0; number < injection_.size(); ++number) {
    InjectionPort& port = injection_[number];
    if (port.packets.empty() || (port.flits == 0 && !host_has_room(number))) continue;
    port.header = port.flits == 0;
    ++port.flits;
    ++log_.movements;
  }
}

void Node::transmit() {
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    PacketQueue& queue = queues_[i];
    Transmitter& transmitter = transmitters_[i];
    if (!transmitter.copy && slot_opens() && !queue.empty() && credits_[queue.next_port()] != 0) {
      transmitter = {queue.take(cycle_), asks_, 0};
      --credits_[transmitter.copy->port];
      log_.outstanding += transmitter.copy->last ? 0 : 1;
    }
    if (!transmitter.copy) continue;
    if (transmitter.asking && in[transmitter.copy->port].read().grant) transmitter.asking = false;
    if (!transmitter.asking) {
      if (transmitter.flits_sent == 0) {
        queue.leaves(*transmitter.copy);
        const bool injected = transmitter.copy->lane == degree_;
        const std::size_t number = injected ? transmitter.copy->port % injection_.size() : 0;
        if (--*transmitter.copy->copies_left == 0) --held_[transmitter.copy->lane + number];
      }
      send_flit(transmitter);
    } else if (slot_opens()) {
      drive_[transmitter.copy->port].request = true;
    }
  }
  if (!slot_opens()) return;
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    const auto left = static_cast<std::uint32_t>(queues_[i].packets());
    counters_.peak_waiting[i] = std::max(counters_.peak_waiting[i], left);
  }
}

void Node::send_flit(Transmitter& transmitter) {
  const Packet& packet = transmitter.copy->packet;
  const PortId port = transmitter.copy->port;
  const std::uint32_t index = transmitter.flits_sent++;
  drive_[port].flit = {true, packet.id, packet.label, packet.length, index, packet.payload(index)};
  ++log_.movements;
  if (index == 0) {
    ++counters_.sent[port];
    last_labels_[port] = packet.label;
    if (!log_.on_delivery)
      log_.trace.transfers.push_back({step_of(cycle_), cycle_, id_, port, packet.id, packet.length});
  }
  if (transmitter.flits_sent == packet.length) transmitter.copy.reset();
}

const TableEntry& Node::table(Label label) {
  const auto found = table_.find(label);
  if (found != table_.end()) return found->second;
  TableEntry entry = policy_.table(id_, label);
  const PortSet ports = port_bit(degree_) - 1;
  if ((entry.output_mask & ~ports) != 0) {
    log_.complain("label {} at node {}: ports {:#x}; expected ports below {}", label, id_, entry.output_mask,
                  degree_);
    entry.output_mask &= ports;
  }
  std::erase_if(entry.service_order, [&](PortId port) { return port >= degree_; });
  return table_.emplace(label, std::move(entry)).first->second;
}

}  // namespace safnet::reference
