// The checker against hand-made mistakes, and against an oracle: thousands of schedules with one thing
// changed, judged a second time by playing them cycle by cycle with sets, from the words of schedule.hpp
// alone.
#include <functional>
#include <map>
#include <set>

#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/transform/free_running.hpp"
#include "cpp_model/transform/reverse.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/random_network.hpp"
#include "testbench/support/small_schedules.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

struct Row {
  NodeId origin;
  std::uint32_t tag, flits;
  std::vector<NodeId> destinations;
  std::vector<PacketIndex> parts;
};

// A schedule whose packets can be changed.
struct Draft {
  Schedule schedule;
  std::vector<Row> packets;

  explicit Draft(Schedule of) : schedule(std::move(of)) {
    const PacketList& list = schedule.packets;
    for (PacketIndex p = 0; p < list.size(); ++p) {
      packets.push_back({list.origin(p),
                         list.tag(p),
                         list.flits(p),
                         {list.destinations(p).begin(), list.destinations(p).end()},
                         {list.parts(p).begin(), list.parts(p).end()}});
    }
  }
  const Schedule& written() {
    schedule.packets = {};
    for (const Row& row : packets)
      schedule.packets.add(row.origin, row.tag, row.flits, row.destinations, row.parts);
    return schedule;
  }
};

class Oracle {
 public:
  explicit Oracle(const Draft& draft)
      : s_(draft.schedule), packets_(draft.packets), nodes_(s_.network.node_count()) {}

  bool accepts() {
    return packets_are_right() && collective_is_right() && sends_are_right() && play() && end_is_right();
  }

 private:
  bool packets_are_right() const {
    std::set<std::pair<NodeId, std::uint32_t>> names;
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      const Row& row = packets_[p];
      if (row.origin >= nodes_ || row.flits == 0) return false;
      if (!names.emplace(row.origin, row.tag).second) return false;
      const std::set<NodeId> destinations(row.destinations.begin(), row.destinations.end());
      if (destinations.size() != row.destinations.size()) return false;
      for (const NodeId d : destinations) {
        if (d >= nodes_ || (d == row.origin && row.parts.empty())) return false;
      }
      if (std::set<PacketIndex>(row.parts.begin(), row.parts.end()).size() != row.parts.size()) return false;
      for (const PacketIndex part : row.parts) {
        if (part >= p || packets_[part].flits != row.flits) return false;
      }
    }
    return true;
  }

  // How often each plain packet counts in packet p.
  std::map<PacketIndex, int> contributions(PacketIndex p) const {
    if (packets_[p].parts.empty()) return {{p, 1}};
    std::map<PacketIndex, int> sum;
    for (const PacketIndex part : packets_[p].parts) {
      for (const auto& [plain, times] : contributions(part)) sum[plain] += times;
    }
    return sum;
  }

  bool collective_is_right() const {
    const std::string& word = s_.collective;
    if (word.empty()) return true;
    std::map<std::pair<NodeId, NodeId>, int> pairs;
    bool all_personal = true, none_combined = true;
    for (const Row& row : packets_) {
      all_personal &= row.destinations.size() == 1;
      none_combined &= row.parts.empty();
      for (const NodeId d : row.destinations) ++pairs[{row.origin, d}];
    }
    if (word == "reduction") {
      std::map<PacketIndex, int> in_results;
      bool is_result = false;
      for (PacketIndex p = 0; p < packets_.size(); ++p) {
        if (packets_[p].destinations.empty()) continue;
        if (packets_[p].destinations != std::vector<NodeId>{s_.root}) return false;
        is_result = true;
        std::set<NodeId> contributors;
        for (const auto& [plain, times] : contributions(p)) {
          in_results[plain] += times;
          contributors.insert(packets_[plain].origin);
        }
        if (contributors.size() != nodes_ || contributions(p).size() != nodes_) return false;
      }
      // Every plain packet counts in one result, and every packet without destinations is a part of another.
      std::set<PacketIndex> used;
      for (const Row& row : packets_) used.insert(row.parts.begin(), row.parts.end());
      for (PacketIndex p = 0; p < packets_.size(); ++p) {
        if (packets_[p].parts.empty() && in_results[p] != 1) return false;
        if (packets_[p].destinations.empty() && !used.contains(p)) return false;
      }
      return is_result && s_.root < nodes_;
    }
    if (!none_combined) return false;
    if (word == "broadcast" || word == "concurrent-broadcast") {
      for (const Row& row : packets_) {
        if ((word == "broadcast" && row.origin != s_.root) || row.destinations.size() != nodes_ - 1)
          return false;
      }
      return !packets_.empty();
    }
    if (!all_personal || pairs.empty()) return false;
    std::set<NodeId> origins, destinations, all;
    std::set<int> times;
    for (const auto& [pair, count] : pairs) {
      origins.insert(pair.first);
      destinations.insert(pair.second);
      times.insert(count);
    }
    for (NodeId v = 0; v < nodes_; ++v) all.insert(v);
    if (word == "multipath") return origins == std::set<NodeId>{s_.root} && destinations.size() == 1;
    if (word == "scatter") {
      origins = {s_.root};
      destinations = all;
    } else if (word == "gather") {
      origins = all;
      destinations = {s_.root};
    } else if (word == "total-exchange") {
      origins = destinations = all;
    } else if (word == "partial-exchange") {
      destinations = all;
    } else if (word == "partial-gather") {
      origins = all;
    } else {
      return false;
    }
    std::set<std::pair<NodeId, NodeId>> wanted, given;
    for (const NodeId o : origins) {
      for (const NodeId d : destinations) {
        if (o != d) wanted.emplace(o, d);
      }
    }
    for (const auto& [pair, count] : pairs) given.insert(pair);
    return times.size() == 1 && wanted == given;
  }

  bool sends_are_right() const {
    for (const Send& send : s_.sends) {
      if (send.start == 0 || send.packet >= packets_.size() || send.link >= s_.network.link_count())
        return false;
    }
    return s_.slot_cycles != 0 && std::is_sorted(s_.sends.begin(), s_.sends.end());
  }

  void combine() {
    // A whole has a larger number than its parts: once through is enough.
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      const Row& row = packets_[p];
      bool all = !row.parts.empty();
      for (const PacketIndex part : row.parts) all &= has_[row.origin].contains(part);
      if (all) has_[row.origin].insert(p);
    }
  }

  bool play() {
    has_.assign(nodes_, {});
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      if (packets_[p].parts.empty()) has_[packets_[p].origin].insert(p);
    }
    combine();
    struct Flits {
      std::set<LinkId> links;
      std::multiset<NodeId> senders, receivers;
      std::vector<Send> starts, ends;
    };
    std::map<std::uint64_t, Flits> cycles;
    for (const Send& send : s_.sends) {
      const std::uint64_t first = std::uint64_t{send.start - 1} * s_.slot_cycles + 1;
      const std::uint32_t flits = packets_[send.packet].flits;
      cycles[first].starts.push_back(send);
      cycles[first + flits - 1 + s_.link_latency].ends.push_back(send);
      for (std::uint32_t f = 0; f < flits; ++f) {
        if (!cycles[first + f].links.insert(send.link).second) return false;
        cycles[first + f].senders.insert(s_.network.link_source(send.link));
        cycles[first + f + s_.link_latency].receivers.insert(s_.network.link_target(send.link));
      }
    }
    for (const auto& [cycle, now] : cycles) {
      for (NodeId v = 0; v < nodes_; ++v) {
        if (s_.ports != PortModel::kAllPort && now.senders.count(v) > 1) return false;
        if (s_.ports == PortModel::kOnePort && now.receivers.count(v) > 1) return false;
      }
      for (const Send& send : now.starts) {
        if (!has_[s_.network.link_source(send.link)].contains(send.packet)) return false;
      }
      for (const Send& send : now.ends) {
        const NodeId to = s_.network.link_target(send.link);
        if (to == packets_[send.packet].origin) return false;
        if (!has_[to].insert(send.packet).second) return false;
      }
      combine();
    }
    return true;
  }

  bool end_is_right() const {
    std::set<std::pair<PacketIndex, NodeId>> used;
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      for (const NodeId d : packets_[p].destinations) {
        if (!has_[d].contains(p)) return false;
      }
      for (const PacketIndex part : packets_[p].parts) {
        if (!has_[packets_[p].origin].contains(part)) return false;
        const bool is_own = packets_[part].parts.empty() && packets_[part].origin == packets_[p].origin;
        if (!is_own && !used.emplace(part, packets_[p].origin).second) return false;
      }
      for (const auto& [plain, times] : contributions(p)) {
        if (times > 1) return false;
      }
    }
    return true;
  }

  const Schedule& s_;
  const std::vector<Row>& packets_;
  NodeId nodes_;
  std::vector<std::set<PacketIndex>> has_;
};

std::uint32_t count_of(const auto& items) { return static_cast<std::uint32_t>(items.size()); }

// What a mutation may change: something of the draft, taken at random.
struct Mutant {
  Mutant(Draft& changed, Dice& with) : draft(changed), dice(with) {
    for (Row& row : draft.packets) {
      if (!row.parts.empty()) wholes.push_back(&row);
    }
    whole = wholes.empty() ? nullptr : wholes[dice.below(count_of(wholes))];
  }
  Draft& draft;
  Dice& dice;
  Schedule& schedule = draft.schedule;
  std::vector<Send>& sends = schedule.sends;
  Send& send = sends[dice.below(count_of(sends))];
  Send& other = sends[dice.below(count_of(sends))];
  Row& packet = draft.packets[dice.below(count_of(draft.packets))];
  std::vector<Row*> wholes;
  Row* whole = nullptr;  // a packet that is made of others, if there is one
  bool sort = true;      // the sends, afterwards

  PacketIndex any_packet() { return dice.below(count_of(draft.packets)); }
  NodeId any_node() { return dice.below(schedule.network.node_count()); }
};

bool put_out_of_range(Mutant& m) {
  switch (m.dice.below(6)) {
    case 0:
      m.send.start = 0;
      break;
    case 1:
      m.send.link = static_cast<LinkId>(m.schedule.network.link_count()) + m.dice.below(2);
      break;
    case 2:
      m.send.packet = count_of(m.draft.packets) + m.dice.below(2);
      break;
    case 3:
      m.packet.origin = m.schedule.network.node_count() + m.dice.below(2);
      break;
    case 4:
      m.packet.destinations.push_back(m.schedule.network.node_count() + m.dice.below(2));
      break;
    default:
      m.packet.flits = 0;
  }
  return true;
}

bool change_collective(Mutant& m) {
  if (m.schedule.collective.empty()) return false;
  const auto names = collective_names();
  if (m.dice.one_in(4)) {
    m.schedule.root = m.any_node();
  } else if (m.dice.one_in(8)) {
    m.schedule.collective = "brodcast\n";
  } else {
    m.schedule.collective = names[m.dice.below(count_of(names))].name;
  }
  return true;
}

// Changes one thing; false if there is no such thing to change.
struct Mutation {
  const char* name;
  bool (*change)(Mutant&);
};
const std::vector<Mutation> kMutations{
    {"drop send",
     [](Mutant& m) {
       m.send = m.sends.back();
       m.sends.pop_back();
       return true;
     }},
    {"duplicate send",
     [](Mutant& m) {
       m.sends.push_back(m.send);
       if (m.dice.one_in(2)) m.sends.back().start += m.dice.below(5);
       return true;
     }},
    {"earlier",
     [](Mutant& m) {
       if (m.send.start == 1) return false;
       m.send.start -= m.dice.between(1, std::min(m.send.start - 1, 3U));
       return true;
     }},
    {"later",
     [](Mutant& m) {
       m.send.start += m.dice.between(1, 3);
       return true;
     }},
    {"other link",
     [](Mutant& m) {
       m.send.link = m.dice.below(static_cast<std::uint32_t>(m.schedule.network.link_count()));
       return true;
     }},
    {"other packet",
     [](Mutant& m) {
       m.send.packet = m.any_packet();
       return true;
     }},
    {"shorter",
     [](Mutant& m) {
       --m.packet.flits;
       return true;
     }},
    {"longer",
     [](Mutant& m) {
       ++m.packet.flits;
       return true;
     }},
    {"swap sends",
     [](Mutant& m) {
       std::swap(m.send.packet, m.other.packet);
       return true;
     }},
    {"swap starts",
     [](Mutant& m) {
       std::swap(m.send.start, m.other.start);
       return true;
     }},
    {"out of order",
     [](Mutant& m) {
       std::swap(m.send, m.other);
       m.sort = false;
       return true;
     }},
    {"drop destination",
     [](Mutant& m) {
       if (m.packet.destinations.empty()) return false;
       m.packet.destinations.pop_back();
       return true;
     }},
    {"other destination",
     [](Mutant& m) {
       std::vector<NodeId>& to = m.packet.destinations;
       if (to.empty() || m.dice.one_in(2)) to.push_back(0);
       const NodeId node = m.any_node();
       to[m.dice.below(count_of(to))] = node;
       return true;
     }},
    {"other part",
     [](Mutant& m) {
       if (m.whole == nullptr) return false;
       const PacketIndex part = m.any_packet();
       m.whole->parts[m.dice.below(count_of(m.whole->parts))] = part;
       return true;
     }},
    {"drop part",
     [](Mutant& m) {
       if (m.whole == nullptr) return false;
       m.whole->parts.pop_back();
       return true;
     }},
    {"more parts",
     [](Mutant& m) {
       m.packet.parts.push_back(m.any_packet());
       return true;
     }},
    {"other origin",
     [](Mutant& m) {
       m.packet.origin = m.any_node();
       return true;
     }},
    {"other tag",
     [](Mutant& m) {
       m.packet.tag = m.dice.below(m.schedule.network.node_count() + 1);
       return true;
     }},
    {"more latency",
     [](Mutant& m) {
       ++m.schedule.link_latency;
       return true;
     }},
    {"other port model",
     [](Mutant& m) {
       m.schedule.ports = static_cast<PortModel>(m.dice.below(3));
       return true;
     }},
    {"slots",
     [](Mutant& m) {
       m.schedule.slot_cycles = m.schedule.slot_cycles - 1 + 2 * m.dice.below(2);
       return true;
     }},
    {"out of range", put_out_of_range},
    {"collective", change_collective}};

bool mutate(Draft& draft, const Mutation& mutation, Dice& dice) {
  Mutant mutant(draft, dice);
  if (!mutation.change(mutant)) return false;
  if (mutant.sort) std::sort(mutant.sends.begin(), mutant.sends.end());
  return true;
}

std::vector<Schedule> valid_schedules() {
  using enum CollectiveKind;
  std::vector<Schedule> steps;
  steps.push_back(stepped("ring:5", kTotalExchange));
  steps.push_back(stepped("ring:4", kTotalExchange, PortModel::kOnePort));
  steps.push_back(stepped("torus:3x3", kBroadcast, PortModel::kOnePort, 4));
  steps.push_back(stepped("mesh:3x2", kBroadcast, PortModel::kAllPort, 1));
  steps.push_back(stepped("torus:3x3", kScatter, PortModel::kAllPort, 2));
  steps.push_back(stepped("tree:2,2", kScatter, PortModel::kOnePort));
  steps.push_back(stepped("hypercube:3", kMultipath));
  steps.push_back(pipelined_broadcast(4, 3));
  steps.push_back(reverse(steps[2]));
  steps.push_back(reverse(steps[3]));
  steps.push_back(reverse(steps[5]));
  steps.push_back(reverse(steps[7]));
  steps.push_back(small_reduction());
  steps.push_back(allreduce_of_two());
  std::vector<Schedule> all;
  for (const Schedule& schedule : steps) {
    all.push_back(schedule);
    all.push_back(in_lockstep(schedule, 3, 2));
    all.push_back(free_running(schedule, 2, 1));
  }
  const std::size_t named = all.size();
  for (std::size_t i = 0; i < named; ++i) {
    all.push_back(all[i]);
    all.back().collective.clear();
  }
  return all;
}

std::string first_words(const ScheduleReport& report) {
  return report.valid() ? "valid" : report.violations.front().text;
}

// mesh:3x2 is 0_0 0_1 / 1_0 1_1 / 2_0 2_1. Node 0_0 scatters to 1_0 (in slot 1) and to 2_0 (2, 3),
// one-port.
class TwoPackets {
 public:
  LinkId link(NodeId u, NodeId v) const { return graph_.link(u, *graph_.port_to(u, v)); }
  Draft draft() const {
    Schedule schedule(graph_);
    schedule.ports = PortModel::kOnePort;
    schedule.slot_cycles = 5;
    schedule.link_latency = 2;
    for (const NodeId d : {2U, 4U}) schedule.packets.add(0, d, 3, std::span(&d, 1));
    schedule.sends = {{1, link(0, 2), 0}, {2, link(0, 2), 1}, {3, link(2, 4), 1}};
    return Draft(schedule);
  }

 private:
  Graph graph_ = make_topology("mesh:3x2");
};

std::string first_told(Draft changed) { return first_words(check_schedule(changed.written())); }

void check_told(Draft changed, std::size_t send, const std::string& words) {
  const ScheduleReport report = check_schedule(changed.written());
  REQUIRE_FALSE(report.valid());
  CHECK(report.violations.front().send == send);
  CHECK(report.violations.front().text == words);
}

void check_words_about_sends(const TwoPackets& two) {
  const std::string second =
      "slot 2: node 0_0 sends packet 1 (origin 0_0, tag 4) to node 1_0 through port 0: ";
  const std::string third =
      "slot 3: node 1_0 sends packet 1 (origin 0_0, tag 4) to node 2_0 through port 0: ";
  Draft d = two.draft();
  d.schedule.sends[2].start = 2;
  check_told(d, 2,
             "slot 2" + third.substr(6) +
                 "causality: node 1_0 has it complete at the end of cycle 10; "
                 "expected before cycle 6");
  d = two.draft();
  d.schedule.sends.erase(d.schedule.sends.begin() + 1);
  check_told(d, 1,
             third +
                 "causality: node 1_0 has not got it; expected it to be "
                 "complete there before");
  d = two.draft();
  d.schedule.slot_cycles = 2;
  d.schedule.sends[2].start = 4;
  check_told(d, 1,
             second +
                 "occupancy: the link carries another packet up to cycle 3; "
                 "expected a free link in cycle 3");
  d = two.draft();
  d.schedule.sends[1] = {1, two.link(0, 1), 1};
  d.schedule.sends[2] = {2, two.link(1, 3), 1};
  std::sort(d.schedule.sends.begin(), d.schedule.sends.end());
  check_told(d, 1,
             std::string("slot 1: node 0_0 sends packet 1 (origin 0_0, tag 4) to "
                         "node 0_1 through port 1: send port: node 0_0 is sending "
                         "another packet up to cycle 3; expected one at a time, in "
                         "cycle 1 none"));
  d = two.draft();
  d.packets.push_back({3, 0, 3, {}, {}});
  d.schedule.sends.push_back({2, two.link(3, 2), 2});
  std::sort(d.schedule.sends.begin(), d.schedule.sends.end());
  check_told(d, 2,
             std::string("slot 2: node 1_1 sends packet 2 (origin 1_1, tag 0) to "
                         "node 1_0 through port 2: receive port: node 1_0 is "
                         "receiving another packet up to cycle 10; expected one at "
                         "a time, in cycle 8 none"));
  d = two.draft();
  d.schedule.sends.push_back({4, two.link(2, 4), 1});
  CHECK(first_told(d) == "slot 4" + third.substr(6) +
                             "once: it arrives at node 2_0 a second time, after cycle 15; expected once");
  d = two.draft();
  d.schedule.sends.push_back({4, two.link(2, 0), 1});
  CHECK_THAT(first_told(d), Catch::EndsWith("once: it comes back to its origin, node 0_0; expected never"));
  d = two.draft();
  d.schedule.sends.pop_back();
  check_told(d, ScheduleViolation::kNoSend,
             std::string("packet 1 (origin 0_0, tag 4): delivery: it never reaches node "
                         "2_0; expected there as a destination"));
  d = two.draft();
  std::swap(d.schedule.sends[0], d.schedule.sends[1]);
  check_told(d, 1,
             "slot 1: node 0_0 sends packet 0 (origin 0_0, tag 2) to node 1_0 "
             "through port 0: order: it comes after a later one; expected sends "
             "in order of start, link and packet");
}

void check_words_about_the_rest(const TwoPackets& two) {
  Draft d = two.draft();
  d.schedule.sends[2].link = 14;
  CHECK(
      first_told(d) ==
      "slot 3: packet 1 (origin 0_0, tag 4) over link 14: link: it does not exist; expected a link below 14");
  d = two.draft();
  d.schedule.sends[0].start = 0;
  CHECK_THAT(first_told(d), Catch::EndsWith("time: expected slots that count from 1"));
  d = two.draft();
  d.packets.push_back({6, 0, 0, {9, 1, 1}, {}});
  CHECK(check_schedule(d.written()).count == 6);  // four mistakes, and node 1 misses it twice
  CHECK(first_told(d) ==
        "packet 2 (origin 6, tag 0): packet: its origin does not exist; expected a node from 0 to 5");
  d.packets[2].origin = 1;
  CHECK(check_schedule(d.written()).count == 5);
  CHECK(first_told(d) == "packet 2 (origin 0_1, tag 0): packet: it has no flits; expected at least one");
  d = two.draft();
  d.packets[1].tag = 2;
  CHECK(first_told(d) ==
        "packet 1 (origin 0_0, tag 2): packet: packet 0 has the same origin and tag; expected "
        "different ones");
  d = two.draft();
  d.schedule.collective = "scatter";
  CHECK(first_told(d) == "collective: scatter: 0 packets from node 0_0 to node 0_1; expected at least one");
  d.schedule.collective = "all\nof it";
  CHECK_THAT(first_told(d), Catch::StartsWith("collective: collective 'all?of it': expected broadcast"));
  d = two.draft();
  d.packets.push_back({4, 0, 2, {4}, {1, 1, 0, 7}});
  // No part 7; 1 named twice; three parts too long; 0 never arrives; 1 counts twice; nothing is complete.
  CHECK(check_schedule(d.written()).count == 8);
  CHECK(first_told(d) ==
        "packet 2 (origin 2_0, tag 0): parts: packet 7 is a part of it; expected packets from 0 "
        "to 1");
}

}  // namespace

TEST_CASE("valid schedules are accepted", "[schedule_check]") {
  for (const Schedule& schedule : valid_schedules()) {
    CAPTURE(schedule.network.spelling(), schedule.collective, schedule.slot_cycles);
    CHECK(first_words(check_schedule(schedule)) == "valid");
    CHECK(Oracle(Draft(schedule)).accepts());
  }
}

TEST_CASE("of thousands of schedules with one mistake, none is judged unlike an oracle", "[schedule_check]") {
  const std::vector<Schedule> valid = valid_schedules();
  std::map<ScheduleRule, int> caught;
  std::uint64_t mutants = 0, rejected = 0, unlike = 0;
  for (std::uint64_t seed = 0; seed < 20'000; ++seed) {
    Dice dice(seed);
    Draft draft(valid[seed % valid.size()]);
    const std::uint32_t changes = dice.one_in(8) ? 2 : 1;
    std::string done;
    for (std::uint32_t i = 0; i < changes; ++i) {
      const Mutation& mutation = kMutations[dice.below(count_of(kMutations))];
      if (mutate(draft, mutation, dice)) done += mutation.name + std::string(", ");
      if (draft.schedule.sends.empty()) break;
    }
    const Schedule& original = valid[seed % valid.size()];
    const Schedule& mutant = draft.written();
    const auto rest = [](const Schedule& s) {
      return std::tie(s.packets, s.sends, s.ports, s.slot_cycles, s.link_latency, s.collective, s.root);
    };
    if (rest(original) == rest(mutant)) continue;
    ++mutants;
    const ScheduleReport report = check_schedule(mutant);
    const bool accepts = Oracle(draft).accepts();
    rejected += !report.valid();
    if (report.valid() != accepts && ++unlike <= 5) {
      CAPTURE(seed, done, accepts, draft.schedule.network.spelling(), draft.schedule.collective);
      CHECK(first_words(report) == (accepts ? "valid" : "not valid"));
    }
    if (!report.valid()) ++caught[report.violations.front().rule];
    for (const ScheduleViolation& violation : report.violations) {
      if (violation.text.find_first_of("\n\r") != std::string::npos)
        FAIL_CHECK("two lines: " << violation.text);
    }
  }
  CAPTURE(mutants, rejected);
  CHECK(unlike == 0);
  CHECK(mutants >= 15'000);
  CHECK(4 * rejected >= 3 * mutants);  // the others are harmless: the oracle accepts them too
  for (int rule = 0; rule <= static_cast<int>(ScheduleRule::kDelivery); ++rule) {
    CAPTURE(to_string(static_cast<ScheduleRule>(rule)));
    CHECK(caught[static_cast<ScheduleRule>(rule)] >= 5);
  }
}

TEST_CASE("what is wrong is told in words: where, what was found and what was expected", "[schedule_check]") {
  const TwoPackets two;
  CHECK(first_told(two.draft()) == "valid");
  check_words_about_sends(two);
  check_words_about_the_rest(two);
}

TEST_CASE("what goes into a combined packet is there, and counts once", "[schedule_check]") {
  Schedule both = allreduce_of_two();
  CHECK(first_words(check_schedule(both)) == "valid");
  both.sends.pop_back();
  CHECK(
      first_words(check_schedule(both)) ==
      "packet 2 (origin 0, tag 1): combination: its part, packet 1 (origin 1, tag 0), never reaches node 0; "
      "expected all parts there");

  Draft twice(allreduce_of_two());
  twice.packets.push_back({0, 7, 1, {0}, {1}});
  CHECK(first_words(check_schedule(twice.written())) ==
        "packet 4 (origin 0, tag 7): combination: its part, packet 1 (origin 1, tag 0), is a part of packet "
        "2 at the "
        "same node; expected of one there");

  // The sums of both nodes meet at node 0: each contribution is there twice, in packets that were used once.
  Draft again(allreduce_of_two());
  again.schedule.sends.push_back({2, again.schedule.network.link(1, 0), 3});
  again.packets.push_back({0, 7, 1, {0}, {2, 3}});
  CHECK(first_words(check_schedule(again.written())) ==
        "packet 4 (origin 0, tag 7): combination: packet 0 (origin 0, tag 0) counts more than once in it; "
        "expected "
        "every contribution once");

  Draft early(allreduce_of_two());
  early.packets[3].destinations = {0, 1};
  early.schedule.sends.push_back({1, early.schedule.network.link(1, 0), 3});
  early.schedule.ports = PortModel::kAllPort;
  CHECK_THAT(first_words(check_schedule(early.written())),
             Catch::Contains("causality: node 1 has it complete at the end of cycle 1"));
  early.schedule.sends.back().start = 2;
  CHECK(first_words(check_schedule(early.written())) == "valid");
}

TEST_CASE("a reduction has one packet of every node in each result, and nothing else", "[schedule_check]") {
  const NodeId root = 0;
  const std::vector<PacketIndex> first{0}, both{0, 1};
  Schedule schedule(make_topology("linear:2"));
  schedule.collective = "reduction";
  schedule.packets.add(0, 0, 1, {});
  schedule.packets.add(0, 1, 1, std::span(&root, 1), first);
  CHECK(first_words(check_schedule(schedule)) ==
        "collective: reduction: packet 1 (origin 0, tag 1) holds packets of 1 nodes; expected one of each of "
        "the 2");
  schedule.packets = {};
  schedule.packets.add(0, 0, 1, {});
  schedule.packets.add(0, 1, 1, {});
  schedule.packets.add(0, 2, 1, std::span(&root, 1), both);
  CHECK(first_words(check_schedule(schedule)) ==
        "collective: reduction: packet 2 (origin 0, tag 2) holds packets of 1 nodes, some of them twice; "
        "expected "
        "one of each of the 2");
  schedule.packets = {};
  schedule.packets.add(0, 0, 1, {});
  schedule.packets.add(1, 0, 1, {});
  schedule.packets.add(0, 2, 1, std::span(&root, 1), both);
  schedule.packets.add(1, 3, 1, {});
  schedule.sends = {{1, 1, 1}};
  CHECK(first_words(check_schedule(schedule)) ==
        "packet 3 (origin 1, tag 3): collective: it is no packet of this reduction; expected packets that "
        "count in a "
        "result, and results for node 0 alone");
}

TEST_CASE("a hundred thousand violations are counted, the first few told in order", "[schedule_check]") {
  Schedule schedule(make_topology("ring:8"));
  for (std::uint32_t i = 0; i < 50'000; ++i) {
    const NodeId d = 1 + i % 7;
    schedule.packets.add(0, i, 1, std::span(&d, 1));
  }
  schedule.packets.add(0, 7, 1, {});
  for (std::uint32_t i = 50'000; i-- > 0;) schedule.sends.push_back({i + 1, 2 * (i % 8), i % 7});
  const ScheduleReport report = check_schedule(schedule, 5);
  CHECK(report.count > 100'000);
  REQUIRE(report.violations.size() == 5);
  CHECK(report.violations[0].rule == ScheduleRule::kPacket);
  CHECK(report.violations[1].rule == ScheduleRule::kOrder);
  const ScheduleReport all = check_schedule(schedule, 1'000'000);
  CHECK(all.violations.size() == all.count);
  CHECK(all.count == report.count);
  for (std::size_t i = 0; i < 5; ++i) CHECK(all.violations[i].text == report.violations[i].text);
  CHECK(all.violations.back().rule == ScheduleRule::kDelivery);
  CHECK(check_schedule(schedule, 0).violations.empty());
  CHECK(check_schedule(schedule, 0).count == all.count);
  // In order of time, though they were found packet by packet.
  std::uint32_t last = 0;
  for (const ScheduleViolation& violation : all.violations) {
    if (violation.rule != ScheduleRule::kCausality) continue;
    REQUIRE(schedule.sends[violation.send].start >= last);
    last = schedule.sends[violation.send].start;
  }
}

TEST_CASE("numbers at random are judged, not believed", "[schedule_check]") {
  Dice dice(1);
  const auto wild = [&] { return dice.one_in(3) ? ~dice.below(3) : dice.below(12); };
  for (int i = 0; i < 2'000; ++i) {
    Schedule schedule(make_topology(dice.one_in(2) ? "ring:5" : "linear:3"));
    schedule.slot_cycles = wild();
    schedule.link_latency = wild();
    schedule.root = wild();
    schedule.ports = static_cast<PortModel>(dice.below(3));
    schedule.collective =
        collective_names()[dice.below(static_cast<std::uint32_t>(collective_names().size()))].name;
    for (std::uint32_t p = dice.below(6); p-- > 0;) {
      std::vector<NodeId> destinations(dice.below(3));
      std::vector<PacketIndex> parts(dice.below(3));
      for (NodeId& d : destinations) d = wild();
      for (PacketIndex& part : parts) part = wild();
      schedule.packets.add(wild(), wild(), wild(), destinations, parts);
    }
    for (std::uint32_t k = dice.below(6); k-- > 0;) schedule.sends.push_back({wild(), wild(), wild()});
    const ScheduleReport report = check_schedule(schedule);
    REQUIRE(report.count >= report.violations.size());
    for (const ScheduleViolation& violation : report.violations) REQUIRE_FALSE(violation.text.empty());
  }
}
