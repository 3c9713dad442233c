// claim - the ledger of published statements as data: source, networks to run on, and expected outcome.
//
// Expected values are computed from the statement's own formula, not asked of the algorithm that is run.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/bound/partial_broadcast_time.hpp"
#include "cpp_model/claim/printed.hpp"

namespace safnet {

/// What a run on the hardware hands back to the claim that asked for it.
struct RunOutcome {
  std::uint64_t steps = 0;
  std::uint64_t delay_sum = 0;  ///< sum over deliveries of the step in which they completed
  std::uint64_t deliveries = 0;
  const Graph* graph = nullptr;
  const Trace* trace = nullptr;
  std::uint64_t transmissions = 0;       ///< packets that crossed a link, by the nodes' counters
  std::uint64_t peak_queue = 0;          ///< packets in the fullest queue, the host's own included
  std::uint64_t peak_transit_queue = 0;  ///< in the fullest queue of transit packets alone
  /// Per link, on pifo_nodes under all-port: packets in the queue in front of it.
  const std::vector<QueuePeak>* queue_peaks = nullptr;
  /// All cycles, and those of the scan at the start (exchange_nodes); flits and latency of the run.
  std::uint64_t cycles = 0, scan_cycles = 0;
  std::uint32_t flits = 1, link_latency = 0;
};

/// Looks at the outcome of a run: empty, or what is wrong with it.
using Inspection = std::function<std::string(const RunOutcome&)>;

/// One run.
struct ClaimCase {
  std::string topology;
  CollectiveKind collective = CollectiveKind::kTotalExchange;
  PortModel ports = PortModel::kAllPort;
  std::string algorithm;
  NodeId root = 0;
  std::string tree;
  std::uint64_t expected_steps = 0;
  /// Further conditions on the outcome: empty, or what is wrong. Gets the trace.
  Inspection inspect = {};
  /// What the printed statement says of this case, if the outcome that is expected here contradicts it.
  std::optional<Printed<RunOutcome>> printed = {};
  /// If not empty, the run must fail or get stuck, and its complaint must contain this text.
  std::string expected_problem = {};
  Relation relation = Relation::kExactly;
  /// Of routers that carry out a timetable: they send a packet as soon as they may, not when it is planned.
  /// kAtMost where `expected_steps` is exact for the timetable alone; none: it is not run on routers.
  std::optional<Relation> relation_on_routers = Relation::kExactly;
  int queue_depth = 0;  ///< packets per link; 0: as many as can ever wait
  NodeId destination = kNoNode;
  std::vector<NodeId> active = {};  ///< of a partial collective
  std::uint32_t messages = 1;       ///< how often each packet of the collective occurs
  /// Steps with packets of several flits in lockstep, if they differ from `expected_steps`: credits then
  /// return in fewer steps than for packets of one flit.
  std::optional<std::uint64_t> expected_in_lockstep = {};
};

/// What a run returns on nodes that find out by themselves who is active (sim/run/scan_run.hpp), in cycles.
struct OnlineOutcome {
  std::uint64_t cycles = 0;         ///< of the interval, by the nodes' own timetables
  std::uint64_t last_delivery = 0;  ///< in which the last delivery completed
  std::uint64_t class_scan = 0, rank_scan = 0, packing = 0, broadcast = 0, combining = 0, unpacking = 0;
  std::uint64_t flits_sent = 0;
};

/// One run on such nodes. The run itself checks every node's rank and count, every payload and, for
/// broadcasts and accumulations, every flit on every link.
struct OnlineCase {
  std::string topology;
  std::string collective = "partial-multinode-broadcast";  ///< a word of `safnet run`
  std::vector<NodeId> active = {};
  std::vector<NodeId> destinations = {};  ///< of monotone routing
  PartialBroadcastSettings settings = {};
  bool pass_on_first = false;
  std::uint64_t expected_cycles = 0;
  std::function<std::string(const OnlineOutcome&)> inspect = {};  ///< see ClaimCase
  std::optional<Printed<OnlineOutcome>> printed = {};             ///< see ClaimCase
};

/// What a run of repeated broadcasts returns (sim/run/dynamic_broadcast.hpp).
struct DynamicOutcome {
  std::uint64_t packets = 0;
  Rational mean_delay = 0;          ///< cycles from a packet's arrival to the end of its interval
  std::uint64_t final_backlog = 0;  ///< packets not yet broadcast when the last one arrives
  std::uint64_t intervals = 0;
  std::uint64_t counted_in_time = 0;  ///< of these, those whose length all nodes knew before packing began
  /// By M: cycles from the beginning of an interval of M packets to the beginning of the next one. The run
  /// itself checks that all intervals of M packets take as long.
  std::map<std::uint64_t, std::uint64_t> cycles_of;
};

/// Packets that arrive at random and are broadcast by such nodes, one partial broadcast after the other.
/// Every payload is checked, and every interval against what the nodes say of it.
struct DynamicCase {
  std::string topology;
  PartialBroadcastSettings settings = {};
  Rational rate = 0;  ///< packets per node and cycle
  std::uint64_t packets = 0;
  std::uint64_t seed = 1;
  std::function<std::string(const DynamicOutcome&)> inspect = {};  ///< see ClaimCase
  std::optional<Printed<DynamicOutcome>> printed = {};             ///< see ClaimCase; with a measure
};

/// Something that is decided by computation alone, without hardware: a fact on graphs or numbers.
struct ClaimCheck {
  std::string name;
  std::function<std::string()> check;     ///< empty, or what is wrong
  std::optional<Printed<>> printed = {};  ///< see ClaimCase; with a measure
};

/// What is known of a published statement.
enum class Finding : std::uint8_t {
  kHolds,
  kMisprint,   ///< a slip of the pen; the intended statement holds
  kCorrected,  ///< holds after a correction; `statement` is the corrected one
  kRefuted,    ///< does not hold; `statement` says what does
  kBeyond,     ///< in no paper: a statement of this project, which holds
};
/// "confirmed", "misprint", "corrected", "refuted", "beyond": the verdict if all comes out as expected.
const std::string& to_string(Finding finding);
/// Something must contradict the paper: there is a misprint, a correction or a refutation.
bool needs_counterexample(Finding finding);

/// A published statement, with its domain. One that does not hold as printed must have a case or check that
/// contradicts it; the smallest is shown.
struct Claim {
  std::string id;       ///< "thesis.T6"
  std::string section;  ///< "4.2, Theorem 4.3"
  std::string statement;
  Finding finding = Finding::kHolds;
  std::function<std::vector<ClaimCase>(bool full)> cases = {};
  std::function<std::vector<ClaimCheck>(bool full)> checks = {};
  std::function<std::vector<OnlineCase>(bool full)> online = {};
  std::function<std::vector<DynamicCase>(bool full)> dynamic = {};
};

/// The ledger, in the order of the papers.
const std::vector<Claim>& claims();

/// A source of claims: those whose id begins with `prefix` and a dot.
struct Paper {
  std::string prefix;  ///< "thesis"
  std::string title;   ///< with authors and year
  std::string about;   ///< a sentence or two for readers who do not know it
};
/// Every claim is from one of these, and they are in the order of the ledger's first claims.
const std::vector<Paper>& papers();

}  // namespace safnet
