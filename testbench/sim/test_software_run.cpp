// Collectives by software on the hardware: exact cycles where nothing waits, accounting, packets that are
// lost.
#include "cpp_model/graph/topology.hpp"
#include "sim/run/software_run.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

SoftwareRequest request_of(const Graph& graph, const std::string& tree, CollectiveKind collective,
                           std::uint32_t messages = 1, std::uint32_t batch = 1) {
  SoftwareRequest request;
  request.tree = make_host_tree(tree, graph, 0);
  request.collective = collective;
  request.messages = messages;
  request.batch = batch;
  return request;
}

SoftwareResult run(const Graph& graph, const SoftwareRequest& request) {
  return run_software(request, PacketRoutes(graph, PortModel::kAllPort, ""), VariantStore::standard());
}

}  // namespace

TEST_CASE("a packet goes down or up a chain of hosts in the cycles that each of them takes",
          "[software_run]") {
  const Graph graph = make_topology("linear:6");
  constexpr std::uint32_t kHops = 5;
  for (const int flits : {1, 4}) {
    for (const int latency : {0, 3}) {
      for (const std::uint32_t overhead : {0U, 7U}) {
        CAPTURE(flits, latency, overhead);
        SoftwareRequest request = request_of(graph, "chain", CollectiveKind::kBroadcast);
        request.flits = flits;
        request.link_latency = latency;
        request.host_overhead = overhead;
        request.fitted = flits == 4;
        // From the host into the node, over a link; the first host is busy once, the others twice.
        const auto hop = static_cast<std::uint32_t>(2 * flits + latency);
        const SoftwareResult down = run(graph, request);
        CHECK(down.cycles == kHops * hop + (2 * kHops - 1) * overhead);
        CHECK(down.exit_code() == 0);
        request.collective = CollectiveKind::kReduction;
        request.combine_cycles = 5;
        const SoftwareResult up = run(graph, request);
        CHECK(up.cycles == kHops * hop + (2 * kHops - 1) * overhead + (kHops - 1) * 5);
        CHECK(up.exit_code() == 0);
      }
    }
  }
}

TEST_CASE("batches: a host passes on what it has got of them, and all packets arrive", "[software_run]") {
  const Graph graph = make_topology("linear:3");
  // The second host has the whole batch after batch + 1 cycles, and passes it on packet by packet.
  const auto cycles = [&](std::uint32_t batch) {
    const SoftwareResult result =
        run(graph, request_of(graph, "chain", CollectiveKind::kBroadcast, 6, batch));
    CHECK(result.delivered == 12);
    CHECK(result.exit_code() == 0);
    return result.cycles;
  };
  CHECK(cycles(1) == 6 + 3);
  CHECK(cycles(6) == (6 + 1) + (6 + 1));
  CHECK(cycles(4) == (4 + 1) + (6 + 1));  // of the second batch two packets, which follow at once
}

TEST_CASE("every tree delivers each packet once, on every kind of router, network and port model",
          "[software_run]") {
  struct Case {
    const char* topology;
    const char* router;
    PortModel ports;
  };
  for (const Case& one :
       {Case{"mesh:3x4", "pifo", PortModel::kAllPort}, Case{"torus:4x4", "fifo", PortModel::kAllPort},
        Case{"fat-tree:2,3", "pifo", PortModel::kAllPort}, Case{"ring:5", "pifo", PortModel::kOnePort},
        Case{"kautz:2,2", "fifo", PortModel::kAllPort}, Case{"dgx-1", "pifo", PortModel::kAllPort}}) {
    const Graph graph = make_topology(one.topology);
    for (const std::string& tree : host_tree_names()) {
      for (const CollectiveKind kind : {CollectiveKind::kBroadcast, CollectiveKind::kReduction}) {
        CAPTURE(one.topology, tree, to_string(kind));
        SoftwareRequest request = request_of(graph, tree, kind, 5, 2);
        request.router = find_router_kind(one.router);
        request.queue_depth = 2;
        request.keep_trace = true;
        const SoftwareResult result =
            run_software(request, PacketRoutes(graph, one.ports, ""), VariantStore::standard());
        const std::uint64_t packets = 5 * std::uint64_t{graph.processor_count() - 1};
        CHECK(result.exit_code() == 0);
        CHECK(result.delivered == packets);
        CHECK(result.expected_deliveries == packets);
        CHECK(result.transmissions == result.recording->schedule.sends.size());
      }
    }
  }
}

TEST_CASE("a lost packet ends a collective by software, with those who wait for it", "[software_run]") {
  const Graph graph = make_topology("linear:4");
  SoftwareRequest request = request_of(graph, "chain", CollectiveKind::kBroadcast, 3);
  LinkFault fault;
  fault.node = 2;
  fault.port = graph.link_target_port(graph.link(1, *graph.port_to(1, 2)));
  fault.drop = true;
  request.faults = {fault};
  request.fault_until = 1'000'000;
  const SoftwareResult result = run(graph, request);
  CHECK(result.exit_code() == 1);
  CHECK(result.delivered == 3);
  CHECK(result.lost == 6);
  CHECK_THAT(result.problems, Catch::VectorContains(std::string("2 hosts wait for packets that never come")));
}

TEST_CASE("a collective by software that would take for ever is refused", "[software_run]") {
  const Graph graph = make_topology("linear:100");
  SoftwareRequest request = request_of(graph, "chain", CollectiveKind::kBroadcast, 60'000);
  request.host_overhead = 1'000'000;
  CHECK_THROWS_WITH(run(graph, request), Catch::Contains("--host-overhead 1000000: hosts could be busy for"));
  // A root with many children is busy once for each, and not for each of theirs as well.
  const Graph mesh = make_topology("mesh:16x16");
  SoftwareRequest wide = request_of(mesh, "separate", CollectiveKind::kBroadcast);
  wide.host_overhead = 2000;
  CHECK_NOTHROW(check_software(wide, PacketRoutes(mesh, PortModel::kAllPort, "")));
}
