#include "cpp_model/interchange/sccl_read.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "cpp_model/graph/bipartite_colouring.hpp"
#include "cpp_model/graph/file/bounded_json.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/interchange/recognise.hpp"
#include "cpp_model/interchange/round_scheduler.hpp"
#include "cpp_model/interchange/sccl_document.hpp"
#include "cpp_model/interchange/stray_sends.hpp"
#include "cpp_model/schedule/collective.hpp"

namespace safnet {
namespace {

// The largest step of one-port nodes that is coloured: (packets and nodes) times rounds.
constexpr std::uint64_t kMaxColouring = std::uint64_t{1} << 28;
// Follows the steps of a document: what every node has at every address, and in which slots it gets it.
class ScclReader : private ScclDocument {
 public:
  ScclReader(const Json& file, const std::string& shown)
      : ScclDocument(file, shown), slots_(graph_, ports_) {}

  ScclImport run() {
    start();
    read_steps();
    deliver();
    Schedule schedule(graph_);
    schedule.ports = ports_;
    fill(schedule);
    return finish(std::move(schedule));
  }

 private:
  struct Packet {
    NodeId origin = 0;
    std::uint32_t address = 0;  // index into addresses_
    std::uint64_t ready = 0;    // slot at the end of which it exists at its origin
    bool used = false;
    Bits bits;
    std::vector<PacketIndex> parts;
    std::vector<NodeId> destinations;
  };
  // What a node has at an address: packets that are combined when they are sent or delivered.
  struct Content {
    Bits bits;
    std::vector<PacketIndex> parts;
  };
  struct LeftOut {
    std::uint64_t count = 0;
    std::vector<std::string> names;  // of the first
    void add(std::string name) {
      if (++count <= kMostNamedSends) names.push_back(std::move(name));
    }
  };
  struct PlannedSend {
    PacketIndex packet;
    NodeId from, to;
    std::uint32_t address;
  };

  // What is at the nodes before the first step.
  void start() {
    for (std::uint32_t index = 0; index < addresses_.size(); ++index) {
      const std::vector<std::uint32_t>& of_it = addresses_[index].chunks;
      for (std::uint32_t c = 0; c < of_it.size(); ++c) {
        for (const NodeId v : pre_[of_it[c]]) content(index, v).bits.set(c);
      }
      for (std::uint32_t c = 0; c < of_it.size(); ++c) {
        for (const NodeId v : pre_[of_it[c]]) {
          Content& at = content(index, v);
          if (at.parts.empty()) at.parts.push_back(add_packet({v, index, 0, false, at.bits, {}, {}}));
        }
      }
    }
  }

  Bits no_bits(std::uint32_t address) {
    Bits none(addresses_[address].chunks.size());
    if ((set_words_ += none.num_blocks()) > kMaxSetWords)
      throw wrong_("expected fewer chunks that share addresses");
    return none;
  }
  Content& content(std::uint32_t address, NodeId v) {
    const auto [at, is_new] = contents_.try_emplace(place(address, v));
    if (is_new) at->second.bits = no_bits(address);
    return at->second;
  }
  PacketIndex add_packet(Packet packet) {
    if ((set_words_ += packet.bits.num_blocks()) > kMaxSetWords)
      throw wrong_("expected fewer combinations of chunks");
    packets_.push_back(std::move(packet));
    return static_cast<PacketIndex>(packets_.size() - 1);
  }

  void read_steps() {
    const Json& steps = array(file_, "steps", "algorithm");
    std::vector<std::uint64_t> rounds;
    bool timetable = true;
    for (std::size_t s = 0; s < steps.size(); ++s) {
      const std::string where = fmt::format("steps[{}]", s);
      rounds.push_back(number(member(steps[s], "rounds", where), 0, kMaxRounds, where + ".rounds"));
      published_ += rounds.back();
      if (published_ > kMaxRounds) throw wrong_("steps: expected at most {} rounds", kMaxRounds);
      const Json& sends = array(steps[s], "sends", where);
      timetable = timetable && (sends.empty() || rounds.back() == 1);
      if ((published_sends_ += sends.size()) > PacketList::kMaxPackets)
        throw wrong_("steps: expected at most {} sends", PacketList::kMaxPackets);
    }
    std::uint64_t before = 0;
    for (std::size_t s = 0; s < steps.size(); ++s) {
      const std::string where = fmt::format("steps[{}]", s);
      std::vector<PlannedSend> sends = read_sends(steps[s]["sends"], where);
      check_capacity(sends, rounds[s], where);
      apply(sends, where);
      if (timetable) {
        for (const PlannedSend& send : sends) take(send, before + 1);
      } else {
        list_schedule(sends, before, rounds[s], where);
      }
      before += rounds[s];
    }
  }

  std::vector<PlannedSend> read_sends(const Json& list, const std::string& where) {
    std::vector<PlannedSend> sends;
    sends.reserve(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Json& send = list[i];
      const auto at = [&] { return fmt::format("{}.sends[{}]", where, i); };
      if (!send.is_array() || send.size() != 3)
        throw wrong_("{}: expected [address, source, destination]", at());
      const auto from = static_cast<NodeId>(number(send[1], 0, n_ - 1, at()));
      const auto to = static_cast<NodeId>(number(send[2], 0, n_ - 1, at()));
      const std::uint64_t address = number(send[0], 0, kMaxAddresses - 1, at());
      if (!links_.contains({from, to})) throw wrong_("{}: there is no link from {} to {}", at(), from, to);
      const auto index = index_of_.find(address);
      const auto has =
          index == index_of_.end() ? contents_.end() : contents_.find(place(index->second, from));
      if (has == contents_.end())
        throw wrong_("{}: node {} has nothing at address {} when the step begins", at(), from, address);
      sends.push_back({combined(has->second, index->second, from), from, to, index->second});
    }
    return sends;
  }

  // What a node has at an address, as one packet: combined if it is several.
  PacketIndex combined(Content& at, std::uint32_t address, NodeId v) {
    refuse_spoiled(address, v);
    if (at.parts.size() > 1) {
      Packet whole{v, address, 0, true, at.bits, at.parts, {}};
      for (const PacketIndex part : at.parts) {
        packets_[part].used = true;
        whole.ready = std::max(whole.ready, ready(part, v));
      }
      at.parts = {add_packet(std::move(whole))};
    }
    return at.parts.front();
  }

  // The slot at whose end a packet is at a node; 0: it is there from the start.
  std::uint64_t ready(PacketIndex packet, NodeId v) const {
    if (packets_[packet].origin == v) return packets_[packet].ready;
    return arrival_.at(std::uint64_t{packet} * n_ + v);
  }

  void check_capacity(const std::vector<PlannedSend>& sends, std::uint64_t rounds,
                      const std::string& where) const {
    std::map<std::pair<NodeId, NodeId>, std::uint64_t> on_link;
    std::map<NodeId, std::uint64_t> out, in;
    for (const PlannedSend& send : sends) {
      const std::uint64_t most = rounds * links_.at({send.from, send.to});
      if (++on_link[{send.from, send.to}] > most)
        throw wrong_("{}: more than {} packets from {} to {}, {} links for {} rounds", where, most, send.from,
                     send.to, links_.at({send.from, send.to}), rounds);
      if (ports_ != PortModel::kAllPort && ++out[send.from] > rounds)
        throw wrong_("{}: node {} sends more than {} packets, one a round", where, send.from, rounds);
      if (ports_ == PortModel::kOnePort && ++in[send.to] > rounds)
        throw wrong_("{}: node {} receives more than {} packets, one a round", where, send.to, rounds);
    }
  }

  // Adds what arrives to what its node has. Drops sends that bring a node nothing new, and those that would
  // count a chunk twice: what the node has at that address must not be used any more.
  void apply(std::vector<PlannedSend>& sends, const std::string& where) {
    std::vector<std::size_t> order(sends.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<std::size_t> sizes;
    for (const PlannedSend& send : sends) sizes.push_back(packets_[send.packet].bits.count());
    // Packets of more chunks first: those that add nothing to them are then left out.
    std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return sizes[i]; });
    std::vector<bool> needless(sends.size());
    for (const std::size_t i : order) {
      const PlannedSend& send = sends[i];
      Content& at = content(send.address, send.to);
      const Bits& bits = packets_[send.packet].bits;
      const auto send_name = [&] {
        return fmt::format("address {} from {} to {} in {}", addresses_[send.address].number, send.from,
                           send.to, where);
      };
      if (bits.is_subset_of(at.bits)) {
        needless[i] = true;
        there_already_.add(send_name());
      } else if (spoiled_.contains(place(send.address, send.to))) {
        needless[i] = true;
        twice_.add(send_name());
      } else if (at.bits.is_subset_of(bits)) {
        at.bits = bits;
        at.parts = {send.packet};
      } else if (!at.bits.intersects(bits)) {
        at.bits |= bits;
        at.parts.push_back(send.packet);
      } else {
        needless[i] = true;
        twice_.add(send_name());
        spoiled_.emplace(place(send.address, send.to),
                         fmt::format("{}: address {} from {} to {}", where, addresses_[send.address].number,
                                     send.from, send.to));
      }
      if (!needless[i]) packets_[send.packet].used = true;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < sends.size(); ++i) {
      if (!needless[i]) sends[kept++] = sends[i];
    }
    sends.resize(kept);
  }

  // What a node has at an address is about to be used.
  void refuse_spoiled(std::uint32_t address, NodeId v) const {
    const auto found = spoiled_.find(place(address, v));
    if (found == spoiled_.end()) return;
    throw wrong_(
        "{}: holds chunks that node {} has combined already, and others; they would count twice, and the sum "
        "is used",
        found->second, v);
  }

  void take(const PlannedSend& send, std::uint64_t slot) {
    const auto [at, link] = slots_.take(send.from, send.to, slot);
    arrival_[std::uint64_t{send.packet} * n_ + send.to] = at;
    sends_.push_back({static_cast<std::uint32_t>(at), link, send.packet});
  }

  void list_schedule(const std::vector<PlannedSend>& sends, std::uint64_t before, std::uint64_t rounds,
                     const std::string& where) {
    const std::size_t first = sends_.size();
    bool late = false;
    for (const PlannedSend& send : sends) {
      take(send, ready(send.packet, send.from) + 1);
      late = late || sends_.back().start > before + rounds;
    }
    if (!late) return;
    // With one port to send and one to receive, first come first served may need more rounds than there are:
    // then the step keeps to its own rounds, coloured.
    if (ports_ != PortModel::kOnePort)
      throw wrong_("{}: cannot be scheduled within its {} rounds", where, rounds);
    for (std::size_t i = first; i < sends_.size(); ++i) slots_.release(sends_[i].start, sends_[i].link);
    sends_.resize(first);
    const std::vector<std::uint32_t> taken = rounds_of_one_port_step(sends, where);
    for (std::size_t i = 0; i < sends.size(); ++i) take(sends[i], before + 1 + taken[i]);
  }

  // The round of each send: as few rounds as the busiest node sends, or receives, packets.
  std::vector<std::uint32_t> rounds_of_one_port_step(const std::vector<PlannedSend>& sends,
                                                     const std::string& where) const {
    std::vector<BipartiteEdge> transfers;
    std::map<NodeId, std::uint64_t> sent, received;
    std::uint64_t rounds = 0;
    for (const PlannedSend& send : sends) {
      transfers.push_back({send.from, send.to});
      rounds = std::max({rounds, ++sent[send.from], ++received[send.to]});
    }
    if ((sends.size() + sent.size() + received.size()) * rounds > kMaxColouring)
      throw wrong_("{}: too many packets in one step of one-port nodes", where);
    return colour_bipartite(transfers, n_, n_, false);
  }

  // Gives packets their destinations: the nodes that must have them in the end and did not at the start.
  void deliver() {
    std::vector<std::pair<NodeId, std::uint32_t>> wanted;
    for (std::uint32_t a = 0; a < addresses_.size(); ++a) {
      wanted.clear();
      const std::vector<std::uint32_t>& chunks = addresses_[a].chunks;
      for (std::uint32_t c = 0; c < chunks.size(); ++c) {
        for (const NodeId v : post_[chunks[c]]) wanted.emplace_back(v, c);
      }
      std::sort(wanted.begin(), wanted.end());
      for (std::size_t i = 0; i < wanted.size();) {
        const NodeId v = wanted[i].first;
        Bits required = no_bits(a);
        for (; i < wanted.size() && wanted[i].first == v; ++i) required.set(wanted[i].second);
        refuse_spoiled(a, v);
        const auto found = contents_.find(place(a, v));
        const Bits has = found == contents_.end() ? no_bits(a) : found->second.bits;
        if (has != required)
          throw wrong_("node {}, address {}: ends with {} of the {} chunks that it must get{}", v,
                       addresses_[a].number, has.count(), required.count(),
                       required.is_subset_of(has) ? ", too many" : "");
        const PacketIndex packet = combined(found->second, a, v);
        if (packets_[packet].origin == v && packets_[packet].parts.empty()) continue;
        packets_[packet].destinations.push_back(v);
        packets_[packet].used = true;
      }
    }
  }

  void fill(Schedule& schedule) {
    // Plain packets by address, then combined ones as they came to be: parts have smaller numbers.
    std::vector<PacketIndex> order;
    for (const bool plain : {true, false}) {
      for (PacketIndex p = 0; p < packets_.size(); ++p) {
        if (packets_[p].used && packets_[p].parts.empty() == plain) order.push_back(p);
      }
    }
    if (order.empty()) throw wrong_("nothing is sent or delivered; expected a collective");
    std::vector<PacketIndex> renumbered(packets_.size(), kNoPacket);
    std::uint64_t tag = addresses_.back().number;
    std::vector<PacketIndex> parts;
    for (const PacketIndex p : order) {
      const Packet& packet = packets_[p];
      parts.clear();
      for (const PacketIndex part : packet.parts) parts.push_back(renumbered[part]);
      const std::uint64_t own = packet.parts.empty() ? addresses_[packet.address].number : ++tag;
      renumbered[p] =
          schedule.packets.add(packet.origin, static_cast<std::uint32_t>(own), 1, packet.destinations, parts);
      identities_.push_back(
          {static_cast<std::uint32_t>(addresses_[packet.address].number), packet.origin, packet.bits});
    }
    schedule.sends = std::move(sends_);
    for (Send& send : schedule.sends) send.packet = renumbered[send.packet];
    sort_sends(schedule);
  }

  ScclImport finish(Schedule schedule) {
    const std::string name = word(file_["collective"], "name"), of = word(file_["topology"], "name");
    schedule.algorithm = one_line(word(file_, "name"));
    schedule.description = fmt::format("{} on {}", one_line(name), one_line(of));
    const auto kind = sccl_collectives().find(name.substr(0, name.find('(')));
    ScclImport result{{std::move(schedule), {}},
                      std::move(identities_),
                      kind == sccl_collectives().end() ? "" : kind->second,
                      published_};
    std::vector<std::string>& remarks = result.read.remarks;
    const auto say = [&](const LeftOut& left_out, const char* why) {
      if (left_out.count == 0) return;
      remarks.push_back(first_named(
          fmt::format("{} of {} published sends left out, {}", left_out.count, published_sends_, why),
          left_out.names, left_out.count));
    };
    say(there_already_, "what they bring is there already");
    say(twice_, "they would count chunks twice in sums that nobody uses");
    if (ports_ != PortModel::kAllPort)
      remarks.push_back(fmt::format("the switches are {} nodes: ports {}",
                                    ports_ == PortModel::kOnePort ? "one-port" : "one-port-send",
                                    to_string(ports_)));
    return result;
  }

  RoundScheduler slots_;
  std::unordered_map<std::uint64_t, Content> contents_;  // by place()
  std::vector<Packet> packets_;
  std::unordered_map<std::uint64_t, std::uint64_t> arrival_;
  std::vector<Send> sends_;
  std::vector<Identity> identities_;
  LeftOut there_already_, twice_;
  std::unordered_map<std::uint64_t, std::string> spoiled_;  // by place(): the send that would count twice
  std::uint64_t published_ = 0, published_sends_ = 0, set_words_ = 0;
};

}  // namespace

ScclImport import_sccl(std::string_view text, const std::string& shown) {
  const nlohmann::json file = parse_bounded_json(text, shown);
  return ScclReader(file, shown).run();
}

ReadSchedule read_sccl(std::string_view text, const std::string& shown) {
  ScclImport result = import_sccl(text, shown);
  std::vector<std::string>& remarks = result.read.remarks;
  const auto address = [&](PacketIndex p) { return fmt::format("address {}", result.identities[p].address); };
  if (const std::string strays = leave_out_stray_sends(result.read.schedule, address); !strays.empty())
    remarks.insert(remarks.begin(), strays);
  remarks.insert(remarks.begin(), fmt::format("published rounds {}, imported in {} steps", result.rounds,
                                              result.read.schedule.last_start()));
  recognise_collective(result.read.schedule, result.collective);
  return std::move(result.read);
}

}  // namespace safnet
