// Faults on links and in nodes of the fabric, what they do to a run, and what is said of it.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cpp_model/graph/topology.hpp"
#include "sim/fault/fault_campaign.hpp"
#include "sim/fault/printed_output.hpp"
#include "sim/run/router_kinds.hpp"
#include "sim/run/run.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

using K = FaultKind;

FaultSubject on_nodes(const std::string& topology, CollectiveKind kind, const std::string& node, int flits,
                      int link_latency = 0, PortModel ports = PortModel::kAllPort, int queue_depth = 0) {
  RunRequest request(Problem{.graph = make_topology(topology), .collective = kind, .ports = ports});
  request.node = node == "tdm" ? NodeChoice::kTdm : NodeChoice::kRouter;
  if (node == "tdm") request.algorithm = "auto";
  if (node != "tdm") request.router = find_router_kind(node);
  request.flits = flits;
  request.link_latency = link_latency;
  request.queue_depth = queue_depth;
  return subject_of(plan_run(request), VariantStore::standard());
}

FaultSubject exchange() {
  Problem problem{.graph = make_topology("mesh:2x2"), .collective = CollectiveKind::kPartialExchange};
  problem.active = {0, 3};
  RunRequest request(std::move(problem));
  request.algorithm = "row-column-classes";
  return subject_of(plan_run(request), VariantStore::standard());
}

FaultSubject scan() {
  ScanRequest request(make_digit_network("mesh:2x2"), {.flits = 2});
  request.active = {0, 1, 3};
  request.keep_transfers = true;
  return subject_of(request, VariantStore::standard());
}

struct Tried {
  FaultTrial trial;
  SoundRun sound;
};
Tried try_one(const FaultSubject& subject, const Fault& fault, std::set<Check> without = {}) {
  Tried tried;
  tried.sound = run_without_fault(subject, {});
  tried.trial = run_with_fault(subject, fault, tried.sound, {.delay = 3, .without = std::move(without)}, {});
  return tried;
}

bool noticed_by(const FaultTrial& trial, Check check) {
  return std::ranges::find(trial.notices, check, &Notice::check) != trial.notices.end();
}

struct Case {
  std::string name;
  FaultSubject subject;
};

}  // namespace

TEST_CASE("no fault of any kind, at any link or node of any kind of node, is silent", "[fault][faults]") {
  constexpr CollectiveKind kExchange = CollectiveKind::kTotalExchange;
  const std::vector<Case> cases{
      {"pifo", on_nodes("ring:4", kExchange, "pifo", 2, 1)},
      {"pifo, short queues", on_nodes("ring:4", kExchange, "pifo", 1, 0, PortModel::kAllPort, 1)},
      {"pifo, one-port", on_nodes("ring:3", kExchange, "pifo", 2, 0, PortModel::kOnePort)},
      {"fifo", on_nodes("mesh:2x2", kExchange, "fifo", 2)},
      {"tdm", on_nodes("linear:4", kExchange, "tdm", 2)},
      {"tdm, combining", on_nodes("ring:4", CollectiveKind::kAllreduce, "tdm", 1)},
      {"exchange", exchange()},
      {"scan", scan()}};
  for (const Case& each : cases) {
    CAPTURE(each.name);
    const FaultCampaign campaign = run_campaign(each.subject, {}, {}, [](std::size_t, std::size_t) {});
    CHECK(campaign.trials.size() + campaign.same == campaign.possible);
    CHECK(campaign.count(FaultOutcome::kSilent) == 0);
    CHECK(campaign.count(FaultOutcome::kNoticed) > campaign.trials.size() / 2);
    for (const FaultName& name : fault_names()) {
      if (!each.subject.can_have(name.needs)) continue;
      // So few packets cross each link that all of its credits come before cycle 1.
      if (each.name == "tdm, combining" && name.needs == FaultNeeds::kCredits) continue;
      CAPTURE(name.word);
      CHECK(std::ranges::any_of(campaign.trials, [&](const FaultTrial& trial) {
        return trial.fault.kind == name.kind && trial.struck;
      }));
    }
    for (const FaultTrial& trial : campaign.trials) {
      for (const Notice& notice : trial.notices) {
        CAPTURE(notice.text);
        CHECK(notice.check != Check::kOther);  // every line is known to be of a check
        CHECK((!trial.struck || notice.cycle >= *trial.struck));
      }
    }
  }
}

TEST_CASE("what a fault does to a packet of two flits", "[fault][faults]") {
  const FaultSubject ring = on_nodes("ring:4", CollectiveKind::kTotalExchange, "pifo", 2, 1);
  const auto on_link = [&](FaultKind kind) { return try_one(ring, {kind, 0, 0, 1}).trial; };
  CHECK(noticed_by(on_link(K::kDropFlit), Check::kAssertion));  // the flits no longer come in a row
  const FaultTrial lost = on_link(K::kDropPacket);
  CHECK(noticed_by(lost, Check::kAccount));
  CHECK(noticed_by(lost, Check::kLinks));
  CHECK(lost.named() == Named::kPlace);
  CHECK(noticed_by(on_link(K::kRepeatPacket), Check::kAssertion));  // a packet without a credit
  CHECK(noticed_by(on_link(K::kCorruptPayload), Check::kPayload));
  CHECK(noticed_by(on_link(K::kExtraCredit), Check::kAssertion));
  CHECK(noticed_by(on_link(K::kSlowLink), Check::kTrace));
  CHECK(on_link(K::kLostCredit).outcome == FaultOutcome::kHarmless);  // queues are deep
}

TEST_CASE("with queues of one place a lost credit holds up what follows", "[fault][faults]") {
  RunRequest request(Problem{.graph = make_topology("linear:3"), .collective = CollectiveKind::kBroadcast});
  request.problem.messages = 4;
  request.algorithm = find_algorithm(request.problem, "").name;
  request.node = NodeChoice::kRouter;
  request.queue_depth = 1;
  const FaultSubject line = subject_of(plan_run(request), VariantStore::standard());
  const FaultTrial lost = try_one(line, {K::kLostCredit, 0, 0, 1}).trial;
  REQUIRE(lost.outcome == FaultOutcome::kNoticed);
  CHECK(lost.notices.front().check == Check::kStuck);
  CHECK(lost.named() == Named::kPlace);  // "node 0 waits on port 0 for a credit from node 1"
}

TEST_CASE("a node that stops, is dead or is reset", "[fault][faults]") {
  const FaultSubject ring = on_nodes("ring:4", CollectiveKind::kTotalExchange, "pifo", 2, 1);
  for (const K kind : {K::kDeadNode, K::kStoppedNode, K::kResetNode}) {
    for (NodeId node = 0; node < 4; ++node) {
      CAPTURE(name_of(kind).word, node);
      const FaultTrial trial = try_one(ring, {kind, node, 0, 2}).trial;
      CHECK(trial.struck == 2U);
      CHECK(trial.outcome == FaultOutcome::kNoticed);
    }
  }
}

TEST_CASE("a fault that comes too late strikes nothing", "[fault][faults]") {
  const FaultSubject ring = on_nodes("ring:4", CollectiveKind::kBroadcast, "pifo", 1);
  const auto [trial, sound] = try_one(ring, {K::kDropFlit, 0, 0, 1000});
  CHECK(trial.outcome == FaultOutcome::kNotStruck);
  CHECK(!trial.struck);
  CHECK(trial.cycles == sound.cycles);
}

TEST_CASE("a run that its fault draws out beyond all patience is ended", "[fault][faults]") {
  const FaultSubject ring = on_nodes("ring:4", CollectiveKind::kBroadcast, "pifo", 1);
  const SoundRun sound = run_without_fault(ring, {});
  const FaultTrial trial =
      run_with_fault(ring, {K::kSlowLink, 0, 0, 0}, sound, {.delay = 30'000, .without = {}}, {});
  CHECK(trial.outcome == FaultOutcome::kNoticed);
  REQUIRE(!trial.notices.empty());
  CHECK(trial.notices.front().check == Check::kEndless);
  CHECK(trial.notices.front().text ==
        fmt::format("the run has not ended after {} cycles", 16 * sound.fabric_cycles + 20'000));
}

TEST_CASE("that a node has a clock of its own changes nothing as long as it runs",
          "[fault][faults][fabric]") {
  for (const FaultSubject& subject :
       {on_nodes("ring:4", CollectiveKind::kTotalExchange, "pifo", 2, 1), exchange(), scan(),
        on_nodes("ring:4", CollectiveKind::kAllreduce, "tdm", 2)}) {
    for (NodeId node = 0; node < 4; ++node) {
      const auto [trial, sound] = try_one(subject, {K::kStoppedNode, node, 0, 1000});
      CHECK(trial.outcome == FaultOutcome::kNotStruck);
      CHECK(trial.notices.empty());
      CHECK(trial.cycles == sound.cycles);
    }
  }
}

TEST_CASE("without the check that notices it a fault is silent", "[fault][faults]") {
  const FaultSubject ring = on_nodes("ring:4", CollectiveKind::kTotalExchange, "pifo", 1);
  const Fault damage{K::kCorruptPayload, 0, 0, 1};
  CHECK(try_one(ring, damage).trial.outcome == FaultOutcome::kNoticed);
  const FaultTrial blind = try_one(ring, damage, {Check::kPayload, Check::kAccount, Check::kTrace}).trial;
  CHECK(blind.outcome == FaultOutcome::kSilent);
  CHECK(blind.notices.empty());
}

TEST_CASE("what is said of a run that ended", "[fault][faults]") {
  const SoundRun sound{.steps = 4, .cycles = 8, .transmissions = 20, .delivered = 12, .verdict = "optimal"};
  JudgedRun run;
  run.account.steps = 4;
  run.account.cycles = 8;
  run.account.transmissions = 20;
  run.account.delivered = 12;
  const auto outcome = [&](bool struck = true, bool noticed = false) {
    return outcome_of(run, struck, noticed, sound);
  };
  CHECK(outcome() == FaultOutcome::kHarmless);
  CHECK(outcome(false) == FaultOutcome::kNotStruck);
  CHECK(outcome(true, true) == FaultOutcome::kNoticed);
  run.account.cycles = 9;
  CHECK(outcome() == FaultOutcome::kLate);
  run.account.cycles = 7;
  CHECK(outcome() == FaultOutcome::kHarmless);
  run.account.delivered = 11;
  CHECK(outcome() == FaultOutcome::kSilent);
  run.account.delivered = 12;
  run.host_flits = 1;  // another flit at a host, and no check says so
  CHECK(outcome() == FaultOutcome::kSilent);
  run.host_flits = 0;
  run.account.transmissions = 19;
  CHECK(outcome() == FaultOutcome::kSilent);
  run.account.transmissions = 20;
  run.account.problems = {"left out"};
  CHECK(outcome() == FaultOutcome::kSilent);
  run.account.problems.clear();
  run.account.stuck = true;
  CHECK(outcome() == FaultOutcome::kSilent);
}

TEST_CASE("lines of problems tell their check, their cycle and what they name", "[fault][faults]") {
  const Graph graph = make_topology("mesh:2x2");  // nodes 0_0, 0_1, 1_0, 1_1
  const Fault fault{K::kDeadLink, 0, *graph.port_to(0, 1), 1};
  const PortId at_target = graph.peer(0, fault.port).port;
  const auto see = [&](const std::string& line) { return notice_in(line, fault, graph, 99); };
  const auto links =
      see(fmt::format("node 0_1: received_o[{}] counts 3, the link to it carried 4", at_target));
  CHECK(links.check == Check::kLinks);
  CHECK(links.cycle == 99);
  CHECK(links.named == Named::kPlace);
  const auto payload =
      see("packet (source 2, tag 1) at node 0_1 in cycle 7: its payload differs from what was sent");
  CHECK(payload.check == Check::kPayload);
  CHECK(payload.cycle == 7);
  CHECK(payload.named == Named::kEnd);
  const auto trace =
      see("slot 5: node 1_1 sends packet 1 (origin 1_1, tag 0) to node 1_0 through port 1: causality");
  CHECK(trace.check == Check::kTrace);
  CHECK(trace.cycle == 5);
  CHECK(trace.named == Named::kNothing);
  CHECK(see("node 0_0 (3 packets queued) waits on port 1 for a credit from node 0_1 (2 queued)").named ==
        Named::kPlace);
  CHECK(see("node 1_0 (3 packets queued) waits on port 1 for a credit from node 0_0 (2 queued)").named ==
        Named::kEnd);
  CHECK(see("a line that nobody knows").check == Check::kOther);
  CHECK(named_in("node 0_10 is not node 0_1_", fault, graph) == Named::kNothing);
  CHECK(named_in("node 1_1 is a neighbour", {K::kDeadNode, 1}, graph) == Named::kEnd);
  CHECK(named_in("node 0_1 itself", {K::kDeadNode, 1}, graph) == Named::kPlace);
}

TEST_CASE("assertions are read from what Verilator prints", "[fault][faults]") {
  const Graph graph = make_topology("mesh:2x2");
  const std::string printed =
      "[9] %Error: receive_port.sv:53: Assertion failed in "
      "node_1.pifo_node.u_frame.u_receive_port[1].a_name: "
      "'assert' failed.\n%Error: /a/b/receive_port.sv:53: Verilog $stop\n";
  const std::string text =
      "assertion a_name (receive_port.sv:53) at node 0_1, in pifo_node.u_frame.u_receive_port[1]";
  CHECK(failed_assertions(printed + printed, graph, true) == std::vector<std::string>{text});
  CHECK(failed_assertions("no assertion\n", graph, true).empty());
}

TEST_CASE("words that name no fault, check or place are refused", "[fault][faults]") {
  CHECK_THROWS_WITH(parse_fault_kinds("dead-link,rust"),
                    Catch::Contains("'rust': expected some of dead-link"));
  CHECK_THROWS_WITH(parse_checks("eyes"), Catch::Contains("'eyes': expected some of assertion"));
  const FaultSubject ring = on_nodes("ring:4", CollectiveKind::kBroadcast, "pifo", 1);
  FaultChoice choice;
  choice.kinds = {K::kLostGrant};
  CHECK_THROWS_WITH(faults_of(ring, choice, {1}), Catch::Contains("expected one-port routers with grants"));
  choice.kinds = {K::kDeadNode};
  choice.links = std::vector<bool>(8, true);
  CHECK_THROWS_WITH(faults_of(ring, choice, {1}), Catch::Contains("--links and --nodes"));
}

TEST_CASE("of too many faults as many as were asked for are drawn", "[fault][faults]") {
  const FaultSubject ring = on_nodes("ring:4", CollectiveKind::kBroadcast, "pifo", 1);
  FaultChoice choice;
  choice.most = 7;
  const auto run = [&] { return run_campaign(ring, choice, {}, [](std::size_t, std::size_t) {}); };
  const FaultCampaign first = run(), again = run();
  CHECK(first.drawn == 7);
  CHECK(first.trials.size() + first.same == 7);
  CHECK(first.possible > 7);
  for (std::size_t i = 0; i < first.trials.size(); ++i) {
    CHECK(first.trials[i].fault.kind == again.trials[i].fault.kind);
    CHECK(first.trials[i].fault.node == again.trials[i].fault.node);
  }
}

TEST_CASE("a fault from a later cycle on that strikes the same is not run again", "[fault][faults]") {
  const FaultSubject ring = on_nodes("ring:4", CollectiveKind::kBroadcast, "pifo", 1);
  FaultChoice choice;
  choice.kinds = {K::kDropFlit, K::kDeadNode};
  choice.cycles = {1, 2};
  const FaultCampaign campaign = run_campaign(ring, choice, {}, [](std::size_t, std::size_t) {});
  CHECK(campaign.possible == 2 * (8 + 4));
  // Only the two links of the root carry their flit in cycle 1; that node is dead is another fault in each.
  CHECK(campaign.same == 6);
  CHECK(campaign.trials.size() == 18);
  CHECK(campaign.count(FaultOutcome::kNotStruck) == 7);
}

TEST_CASE("an assertion that fails ends a run on any number of threads", "[fault][faults][fabric]") {
  const PrintedOutput caught;  // fifteen assertions are provoked
  for (const unsigned threads : {1U, 2U, 5U}) {
    for (NodeId node = 0; node < 5; ++node) {
      CAPTURE(threads, node);
      RunRequest request(
          Problem{.graph = make_topology("ring:5"), .collective = CollectiveKind::kTotalExchange});
      request.algorithm = find_algorithm(request.problem, "").name;
      request.flits = 2;
      request.threads = threads;
      request.faults = {{node, 0, true, false}};  // the first flit of a packet, not the second
      request.fault_until = 1;
      CHECK_THROWS_WITH(run_collective(request, VariantStore::standard()),
                        Catch::Contains("an assertion in the RTL failed"));
    }
  }
}
