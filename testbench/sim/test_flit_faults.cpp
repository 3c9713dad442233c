// test_flit_faults - small runs of every kind of node, in which each flit in turn is lost, and damaged in
// each of its bits: whatever happens to a flit on its way, the run must say that something is wrong, or be
// stuck.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/graph/topology.hpp"
#include "cpp_model/system/unfinished.hpp"
#include "sim/fabric/node_pool.hpp"
#include "sim/run/dynamic_broadcast.hpp"
#include "sim/run/router_kinds.hpp"
#include "sim/run/run.hpp"
#include "sim/run/scan_run.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/flit_fault.hpp"

using namespace safnet;
using testbench::FlitFault;

namespace {

/// A run that can be repeated with other options, and what happened in it.
using Rerun = std::function<Account(const HardwareOptions&)>;

struct Case {
  std::string name;
  Rerun run;
  std::uint64_t without_meaning = 0;  ///< bits that nothing depends on, as the page of the RTL says
};

template <class Request, class Run>
Rerun rerun(Request request, Run run) {
  return [request, run](const HardwareOptions& options) mutable -> Account {
    static_cast<HardwareOptions&>(request) = options;
    return run(request, VariantStore::standard());
  };
}

Rerun collective(const std::string& topology, CollectiveKind kind, const std::string& node, int flits,
                 int link_latency = 0, PortModel ports = PortModel::kAllPort) {
  RunRequest request(Problem{.graph = make_topology(topology), .collective = kind, .ports = ports});
  request.node = node == "tdm" ? NodeChoice::kTdm : NodeChoice::kRouter;
  if (node == "tdm") request.algorithm = "auto";
  if (node != "tdm") request.router = find_router_kind(node);
  request.flits = flits;
  request.link_latency = link_latency;
  return rerun(std::move(request), run_collective);
}

Rerun exchange(const std::string& topology, std::vector<NodeId> active) {
  Problem problem{.graph = make_topology(topology), .collective = CollectiveKind::kPartialExchange};
  problem.active = std::move(active);
  RunRequest request(std::move(problem));
  request.algorithm = "row-column-classes";
  return rerun(std::move(request), run_collective);
}

Rerun scan(const std::string& topology, CollectiveKind kind, std::vector<NodeId> active, ScanManner manner,
           std::vector<NodeId> destinations = {}) {
  ScanRequest request(make_digit_network(topology), manner);
  request.collective = kind;
  request.active = std::move(active);
  request.destinations = std::move(destinations);
  return rerun(std::move(request), run_scan);
}

Rerun dynamic(const std::string& topology, int flits, std::uint64_t packets) {
  DynamicBroadcastRequest request(make_digit_network(topology));
  request.flits = flits;
  request.packets = packets;
  request.rate = Rational(1, 4);
  return rerun(std::move(request), run_dynamic_broadcast);
}

/// What is wrong with a run; empty: nothing.
std::vector<std::string> problems_of(const Rerun& run, NodePool& pool, FlitFault& fault) {
  HardwareOptions options;
  options.pool = &pool;
  options.tap = &fault;
  try {
    const Account account = run(options);
    return account.stuck ? std::vector<std::string>{"stuck"} : account.problems;
  } catch (const std::runtime_error& assertion) {  // of the RTL
    return {assertion.what()};
  }
}

/// Standard output goes nowhere meanwhile: thousands of assertions of the RTL are provoked.
class Silence {
 public:
  Silence() : kept_(::dup(STDOUT_FILENO)) {
    std::fflush(stdout);
    const int nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDOUT_FILENO);
    ::close(nowhere);
  }
  ~Silence() {
    std::fflush(stdout);
    ::dup2(kept_, STDOUT_FILENO);
    ::close(kept_);
  }
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  int kept_;
};

struct Outcome {
  std::vector<std::string> of_sound_run;  // what is wrong with it
  std::uint64_t flits = 0, faults = 0;
  std::vector<std::string> unnoticed;
};

Outcome try_all_faults(const Case& each) {
  const Silence silence;
  NodePool pool(std::size_t{1} << 30);
  FlitFault none;
  Outcome outcome;
  outcome.of_sound_run = problems_of(each.run, pool, none);
  outcome.flits = none.flits();
  const auto inject = [&](FlitFault fault) {
    ++outcome.faults;
    const std::vector<std::string> problems = problems_of(each.run, pool, fault);
    if (problems.empty() || fault.where().empty()) outcome.unnoticed.push_back(fault.where());
  };
  for (std::uint64_t number = 0; number < outcome.flits; ++number) {
    inject(FlitFault::drop(number));
    for (std::uint32_t bit = 0; bit < 64; ++bit) {
      if ((each.without_meaning >> bit & 1) == 0) inject(FlitFault::invert(number, bit));
    }
  }
  return outcome;
}

/// The fifo_node as a router from a folder of its user's.
std::string folder_of_a_router() {
  namespace fs = std::filesystem;
  static const Temporary made(fs::temp_directory_path() /
                              fmt::format("safnet_test_flit_faults_{}", ::getpid()));
  const fs::path& folder = made.path();
  fs::create_directories(folder);
  const std::string rtl = fs::absolute(VariantStore::standard().rtl_folder()).string() + "/fifo/";
  std::ofstream(folder / "node.json") << fmt::format(
      R"({{"name": "faulty", "top": "fifo_node", "sources": ["{0}route_table.sv", "{0}place_ring.sv",)"
      R"( "{0}fifo_queue.sv", "{0}fifo_node.sv"]}})",
      rtl);
  return folder.string();
}

// The lower word of a header but for bit 24, the length: where packets are combined, the receiver neither
// compares a part's name nor keeps the bits that are not used (rtl/tdm/README.md).
constexpr std::uint64_t kNameOfPart = 0xfeff'ffff;
// On the last line of its way a packet's class no longer decides anything.
constexpr std::uint64_t kClassOfPacket = 1;

using K = CollectiveKind;

std::vector<Case> router_cases() {
  return {{"pifo", collective("ring:4", K::kTotalExchange, "pifo", 2, 1)},
          {"pifo, one-port", collective("ring:3", K::kTotalExchange, "pifo", 1, 0, PortModel::kOnePort)},
          {"fifo", collective("mesh:2x2", K::kBroadcast, "fifo", 2)},
          {"a user's", collective("mesh:2x2", K::kBroadcast, folder_of_a_router(), 2)},
          {"tdm", collective("ring:3", K::kTotalExchange, "tdm", 1)},
          {"tdm, several flits", collective("ring:4", K::kScatter, "tdm", 4, 1)},
          {"tdm, combining", collective("ring:4", K::kMultinodeAccumulation, "tdm", 1), kNameOfPart},
          {"exchange", exchange("mesh:2x2", {0, 3}), kClassOfPacket}};
}

std::vector<Case> scan_cases() {
  constexpr K kBroadcast = K::kPartialMultinodeBroadcast, kAccumulation = K::kPartialMultinodeAccumulation;
  return {{"scan", scan("mesh:2x2", K::kScan, {1}, {})},
          {"none active", scan("mesh:2x2", kBroadcast, {}, {})},
          {"classes", scan("mesh:2x2", kBroadcast, {0, 2, 3}, {.flits = 2})},
          {"parts and a header flit",
           scan("mesh:2x2", kBroadcast, {0, 3}, {.flits = 3, .header_flits = 1, .split = true})},
          {"a line of four", scan("linear:4", kBroadcast, {1, 2, 3}, {.flits = 2})},
          {"pieces round a ring", scan("ring:4", kBroadcast, {0, 3}, {.flits = 3, .split = true})},
          {"the shorter way", scan("ring:4", kBroadcast, {0, 1, 2}, {.alternating = true})},
          {"latency", scan("mesh:2x2", kBroadcast, {0, 1, 3}, {.link_latency = 1, .pass_on_first = true})},
          {"known ranks", scan("mesh:2x2", kBroadcast, {0, 1, 2}, {.known_ranks = true})},
          {"folded cube", scan("folded-cube:2", kBroadcast, {0, 1, 3}, {})},
          {"accumulation", scan("mesh:2x2", kAccumulation, {0, 1, 3}, {.flits = 2})},
          {"accumulation in pieces", scan("ring:4", kAccumulation, {0, 1, 3}, {.flits = 4, .split = true})},
          {"packing", scan("ring:4", K::kPacking, {1, 3}, {.flits = 2})},
          {"monotone routing", scan("mesh:2x2", K::kMonotoneRouting, {1, 3}, {.flits = 2}, {0, 2})},
          {"dynamic broadcast", dynamic("mesh:2x2", 2, 4)}};
}

void require_all_noticed(const Case& each) {
  CAPTURE(each.name);
  const Outcome outcome = try_all_faults(each);
  CHECK(outcome.of_sound_run == std::vector<std::string>{});
  CHECK(outcome.flits > 0);
  CHECK(outcome.faults > 2 * outcome.flits);
  CHECK(outcome.unnoticed == std::vector<std::string>{});
}

}  // namespace

TEST_CASE("on routers and timetables no flit is lost or damaged unnoticed", "[fault][flit_fault]") {
  for (const Case& each : router_cases()) require_all_noticed(each);
}

TEST_CASE("on scan_nodes no flit is lost or damaged unnoticed", "[fault][flit_fault][scan]") {
  for (const Case& each : scan_cases()) require_all_noticed(each);
}

TEST_CASE("what a scan_node calls damaged it does not count as received", "[fault][flit_fault][scan]") {
  const auto speaks_of = [](const std::vector<std::string>& problems, const char* words) {
    return std::ranges::any_of(
        problems, [&](const std::string& problem) { return problem.find(words) != std::string::npos; });
  };
  std::uint64_t damaged = 0;
  std::vector<std::string> counted;
  for (const Case& each : scan_cases()) {
    if (each.name != "accumulation" && each.name != "accumulation in pieces") continue;
    const Silence silence;
    NodePool pool(std::size_t{1} << 30);
    FlitFault none;
    problems_of(each.run, pool, none);
    for (std::uint64_t number = 0; number < none.flits(); ++number) {
      FlitFault fault = FlitFault::invert(number, 0);
      const std::vector<std::string> problems = problems_of(each.run, pool, fault);
      if (!speaks_of(problems, "damaged: in")) continue;
      ++damaged;
      if (!speaks_of(problems, ": received_o[")) counted.push_back(each.name + ", " + fault.where());
    }
  }
  CHECK(damaged > 0);
  CHECK(counted == std::vector<std::string>{});
}
