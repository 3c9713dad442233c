// The fabric (a model per node, wired in C++) and pifo_network.sv (all in one model) are the same machine:
// every transfer, every delivery and every counter must agree, cycle for cycle.
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "cpp_model/graph/topology.hpp"
#include "sim/run/run.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

struct Setting {
  const char* name;
  PortModel ports;
  int flits;
  int link_latency;
};
// One-port on a linear array or a mesh asks for grants; on a ring it does not.
constexpr Setting kSettings[] = {{"all-port, single flits", PortModel::kAllPort, 1, 0},
                                 {"one-port, packets of two flits, latency 1", PortModel::kOnePort, 2, 1}};
// How nodes are wired does not depend on the setting: all networks with the first, two with the second. They
// are small, since whole networks build slowly, and have what wiring has to get right: ports that lead
// nowhere, links in parallel, nodes of several degrees.
constexpr const char* kTopologies[] = {"mesh:3x2", "linear:4", "ring:5", "doubled-cube:2", "complete:5"};
constexpr std::size_t kOfSecondSetting = 2;

RunRequest request_for(const std::string& topology, const Setting& setting) {
  RunRequest request(Problem{.graph = make_topology(topology), .ports = setting.ports});
  request.flits = setting.flits;
  request.link_latency = setting.link_latency;
  request.queue_depth = 16;  // shallow memories compile faster
  request.host_depth = 32;
  request.keep_trace = true;
  return request;
}

void compare_machines(RunRequest request) {
  const RunResult fabric = run_collective(request, VariantStore::standard());
  request.whole_network = true;
  const RunResult network = run_collective(request, VariantStore::standard());
  REQUIRE(fabric.problems.empty());
  REQUIRE(network.problems.empty());
  CHECK(!fabric.trace.transfers.empty());
  CHECK(fabric.trace.transfers == network.trace.transfers);
  CHECK(fabric.trace.deliveries == network.trace.deliveries);
  CHECK(fabric.steps == network.steps);
  CHECK(fabric.cycles == network.cycles);
  CHECK(fabric.delay_sum == network.delay_sum);
  CHECK(fabric.peak_queue == network.peak_queue);
  CHECK(fabric.peak_transit_queue == network.peak_transit_queue);
  CHECK(fabric.queue_peaks == network.queue_peaks);
  CHECK(fabric.transmissions == network.transmissions);
}

}  // namespace

TEST_CASE("the fabric and pifo_network.sv agree transfer for transfer", "[network]") {
  // Building the networks takes most of the time: two at once.
  std::vector<RunRequest> all;
  std::vector<std::string> names;
  for (const Setting& setting : kSettings) {
    const std::size_t count = &setting == kSettings ? std::size(kTopologies) : kOfSecondSetting;
    for (std::size_t i = 0; i < count; ++i) {
      all.push_back(request_for(kTopologies[i], setting));
      names.push_back(std::string(kTopologies[i]) + ", " + setting.name);
    }
  }
  std::atomic<std::size_t> next{0};
  const auto build = [&] {
    for (std::size_t i = next++; i < all.size(); i = next++) {
      VariantStore::standard().load_network(plan_run(all[i]).hardware, all[i].problem.graph);
    }
  };
  std::thread other(build);
  build();
  other.join();

  for (std::size_t i = 0; i < all.size(); ++i) {
    INFO(names[i]);
    compare_machines(all[i]);
  }
}

TEST_CASE("the fabric and pifo_network.sv deal links and move what is left of packets alike", "[network]") {
  RunRequest request = request_for("fat-tree:2x2,1,2", kSettings[0]);
  request.algorithm = "digit-order";
  CHECK(std::get<RunPlan::Routers>(plan_run(request).what).parameters.deals_links == 1);
  compare_machines(request);
  request.problem.collective = CollectiveKind::kMultinodeBroadcast;
  request.problem.ports = PortModel::kOnePortSend;
  request.algorithm = "parent-first";
  CHECK(std::get<RunPlan::Routers>(plan_run(request).what).parameters.rest_ranks == 1);
  compare_machines(request);
}
