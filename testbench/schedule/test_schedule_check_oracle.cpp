// The checker against an oracle: thousands of schedules with one thing changed, judged a second time by
// playing them cycle by cycle with sets, from the words of schedule.hpp alone.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "cpp_model/check/schedule_check.hpp"
#include "cpp_model/transform/free_running.hpp"
#include "cpp_model/transform/reverse.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/random_network.hpp"
#include "testbench/support/schedule_draft.hpp"
#include "testbench/support/small_schedules.hpp"
#include "testbench/support/unequal_networks.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

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
      const LinkTiming timing = s_.network.timing(send.link);
      const std::uint32_t busy = packets_[send.packet].flits * timing.cycles_per_flit;
      const std::uint32_t latency = s_.link_latency + timing.latency;
      cycles[first].starts.push_back(send);
      cycles[first + busy - 1 + latency].ends.push_back(send);
      for (std::uint32_t f = 0; f < busy; ++f) {
        if (!cycles[first + f].links.insert(send.link).second) return false;
        cycles[first + f].senders.insert(s_.network.link_source(send.link));
        cycles[first + f + latency].receivers.insert(s_.network.link_target(send.link));
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
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      for (const NodeId d : packets_[p].destinations) {
        if (!has_[d].contains(p)) return false;
      }
      for (const PacketIndex part : packets_[p].parts) {
        if (!has_[packets_[p].origin].contains(part)) return false;
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
       if (m.packet.flits == 0) return false;  // by a change before
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
  for (const char* spelling : {"timed(ring:4;0-1:latency=2;1>2:cycles_per_flit=3;3>2:latency=1)",
                               "timed(complete:4;0-1,2>3:cycles_per_flit=2;1-3:latency=4)"}) {
    for (const CollectiveKind kind : {kTotalExchange, kBroadcast, kScatter, kGather, kReduction}) {
      for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort}) {
        all.push_back(planned({.graph = make_topology(spelling), .collective = kind, .ports = ports}));
        all.push_back(free_running(all.back(), 3, 1));
      }
    }
  }
  const std::size_t named = all.size();
  for (std::size_t i = 0; i < named; ++i) {
    all.push_back(all[i]);
    all.back().collective.clear();
  }
  return all;
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
