// Traffic on the hardware: exact latencies where nothing waits, limits, accounting, and the same for the same
// seed.
#include <algorithm>
#include <utility>

#include "cpp_model/graph/topology.hpp"
#include "sim/page/line_plot.hpp"
#include "sim/run/traffic.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

TrafficRequest small_request(Rational rate) {
  TrafficRequest request;
  request.rate = rate;
  request.phases = {200, 1000, 4000};
  return request;
}

struct Outcome {
  TrafficResult result;
  TrafficLimit limit;
};
Outcome run(const std::string& topology, const std::string& name, const TrafficRequest& request,
            PortModel ports = PortModel::kAllPort) {
  const Graph graph = make_topology(topology);
  const PacketRoutes routes(graph, ports, "");
  const TrafficPattern pattern(name, graph);
  const TrafficResult result = run_traffic(request, routes, pattern, VariantStore::standard());
  return {result, traffic_limit(routes, pattern, port_cycles_per_flit(result.parameters))};
}

TrafficResult run_trace(const std::string& topology, const std::vector<TracedPackets>& trace,
                        TrafficRequest request, PortModel ports = PortModel::kAllPort) {
  request.phases = {0, trace.back().cycle, 100'000};
  return run_traffic(request, PacketRoutes(make_topology(topology), ports, ""), trace,
                     VariantStore::standard());
}

bool accounted(const TrafficResult& r) {
  return r.generated == r.delivered + r.lost + r.at_sources + r.in_network;
}

}  // namespace

TEST_CASE("statistics of delays agree with counting", "[traffic]") {
  for (const std::size_t count : {1U, 2U, 7U, 99U, 100U, 101U, 1000U}) {
    std::vector<std::uint64_t> delays;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
      delays.push_back(i * 7919 % 61);
      sum += delays.back();
    }
    const DelayStatistics statistics = statistics_of(delays);
    CHECK(statistics.mean() == boost::rational<std::uint64_t>(sum, count));
    const auto no_larger = [&](std::uint64_t value) {
      return static_cast<std::size_t>(
          std::count_if(delays.begin(), delays.end(), [&](std::uint64_t d) { return d <= value; }));
    };
    const auto is_percentile = [&](std::uint64_t value, std::size_t percent) {
      return no_larger(value) * 100 >= count * percent &&
             (value == 0 || no_larger(value - 1) * 100 < count * percent);
    };
    CHECK(is_percentile(statistics.median, 50));
    CHECK(is_percentile(statistics.percentile_99, 99));
    CHECK(statistics.largest == *std::max_element(delays.begin(), delays.end()));
  }
  CHECK(statistics_of({}).count == 0);
}

TEST_CASE("a packet alone takes exactly the cycles of its flits, hops and grants", "[traffic]") {
  const auto [flits, latency] = GENERATE(std::pair(1, 0), std::pair(4, 2));
  const PortModel ports = GENERATE(PortModel::kAllPort, PortModel::kOnePort);
  CAPTURE(flits, latency, in_words(ports));
  TrafficRequest request;
  request.flits = flits;
  request.link_latency = latency;
  const TrafficResult r = run_trace("linear:5", {{1, 0, 4, 1}, {200, 3, 1, 1}}, request, ports);
  REQUIRE(r.problems.empty());
  const int grant = ports == PortModel::kOnePort ? 2 * latency + 2 : 0;
  const auto cycles = [&](int hops) {
    return static_cast<std::uint64_t>(flits + hops * (grant + flits + latency));
  };
  CHECK(r.latency.largest == cycles(4));
  CHECK(r.latency.sum == cycles(4) + cycles(2));
  CHECK(zero_load_latency(r.parameters, 4) == cycles(4));
  // Network latency counts from the header's first cycle on a link, after the host's flits and a grant.
  CHECK(r.network_latency.largest == cycles(4) - static_cast<std::uint64_t>(flits + grant));
  CHECK(r.measured_hops == 6);
  CHECK(r.measured_delivered == 2);
}

TEST_CASE("what a trace asks for is delivered, each packet once", "[traffic]") {
  std::vector<TracedPackets> trace;
  for (std::uint32_t i = 0; i < 60; ++i) trace.push_back({1 + i / 4, i % 9, (i * 5 + 1) % 9, 1 + i % 3});
  std::erase_if(trace, [](const TracedPackets& p) { return p.source == p.destination; });
  std::uint64_t packets = 0;
  for (const TracedPackets& p : trace) packets += p.messages;
  for (const PortModel ports : {PortModel::kAllPort, PortModel::kOnePort}) {
    const TrafficResult r = run_trace("mesh:3x3", trace, {}, ports);
    REQUIRE(r.problems.empty());
    CHECK(r.generated == packets);
    CHECK(r.delivered == packets);
    CHECK(r.measured == packets);
    CHECK(r.at_sources + r.in_network + r.lost + r.duplicated == 0);
  }
}

TEST_CASE("a trace is carried to its end, whatever the window", "[traffic]") {
  const Graph graph = make_topology("mesh:4x4");
  const PacketRoutes routes(graph, PortModel::kAllPort, "");
  const std::vector<TracedPackets> trace{{1, 0, 5, 1}, {50, 0, 5, 3}, {300, 3, 4, 1}};
  TrafficRequest request;
  request.phases = {1, 10, 1000};
  const TrafficResult r = run_traffic(request, routes, trace, VariantStore::standard());
  CHECK(r.problems.empty());
  CHECK(r.generated == 5);
  CHECK(r.delivered == 5);
  CHECK(r.measured == 0);
  CHECK_FALSE(r.saturated);
  request.phases.drain_limit = 100;
  const TrafficResult cut = run_traffic(request, routes, trace, VariantStore::standard());
  CHECK(cut.exit_code() == 1);
  CHECK(cut.generated == 4);
  REQUIRE(cut.problems.size() == 1);
  CHECK(cut.problems[0].find("4 of the trace's 5 packets") == 0);
  CHECK(accounted(cut));
}

TEST_CASE("a burst at the end of a trace that is delivered is carried", "[traffic]") {
  const std::vector<TracedPackets> burst{{1, 0, 5, 1}, {1, 0, 5, 3}};
  const TrafficResult r = run_trace("mesh:4x4", burst, {});
  CHECK(r.delivered == 4);
  CHECK(r.problems.empty());
  CHECK_FALSE(r.saturated);
  TrafficRequest request;
  request.phases = {0, 1, 3};
  const TrafficResult late =
      run_traffic(request, PacketRoutes(make_topology("mesh:4x4"), PortModel::kAllPort, ""), burst,
                  VariantStore::standard());
  CHECK(late.drain_limit_reached);
  CHECK(late.saturated);
}

TEST_CASE("light traffic is carried at the latency of an idle network and a little more", "[traffic]") {
  const auto [r, limit] = run("torus:4x4", "neighbour", small_request(Rational(1, 50)));
  REQUIRE(r.problems.empty());
  CHECK_FALSE(r.saturated);
  CHECK(r.generated == r.delivered);
  CHECK(r.measured > 200);
  CHECK(r.measured_delivered == r.measured);
  // Every packet takes two hops: no latency is below the idle network's three cycles, and most are that.
  CHECK(limit.mean_hops == Rational(2));
  CHECK(r.measured_hops == 2 * r.measured);
  CHECK(r.latency.median == 3);
  CHECK(r.latency.sum >= 3 * r.measured);
  CHECK(r.transmissions == 2 * r.delivered);
}

TEST_CASE("no more is accepted than the limit, and near it everything is carried", "[traffic]") {
  // All flows are alike, so the limit holds for their sum too.
  const auto [above, limit] = run("ring:8", "tornado", small_request(Rational(1, 2)));
  REQUIRE(above.problems.empty());
  REQUIRE(limit.throughput() == Rational(1, 3));
  CHECK(above.saturated);
  CHECK(above.accepted_flits <= 8 * 1000 / 3 + 8 * 3);  // and what was on its way when the window opened
  CHECK(above.accepted_flits >= 8 * 1000 / 3 * 9 / 10);
  CHECK(above.busiest_link_flits <= 1000);
  CHECK(accounted(above));
  CHECK(above.at_sources != 0);
  CHECK(above.in_network == 0);
  CHECK(above.exit_code() == 0);
  const auto [below, same] = run("ring:8", "tornado", small_request(Rational(1, 4)));
  CHECK_FALSE(below.saturated);
  CHECK(below.measured_delivered == below.measured);
}

TEST_CASE("a hot spot saturates where its links are full", "[traffic]") {
  const Graph graph = make_topology("star:3");  // a ring of six
  const PacketRoutes routes(graph, PortModel::kAllPort, "");
  const TrafficPattern pattern("hot-spot", graph, 0, Rational(1));
  const TrafficLimit limit = traffic_limit(routes, pattern);
  TrafficRequest request = small_request(Rational(9, 10));
  request.phases = {500, 2000, 2000};
  const TrafficResult r = run_traffic(request, routes, pattern, VariantStore::standard());
  REQUIRE(r.problems.empty());
  CHECK(r.saturated);
  CHECK(limit.limited_by.find("to node " + graph.node_name(0)) != std::string::npos);
  CHECK(r.busiest_link == limit.link);
  CHECK(r.busiest_link_flits >= 1990);
}

TEST_CASE("one-port nodes carry what their ports do, grants included", "[traffic]") {
  const auto [r, limit] = run("ring:6", "neighbour", small_request(Rational(1)), PortModel::kOnePort);
  REQUIRE(r.problems.empty());
  CHECK(limit.throughput() == Rational(1, 3));  // a flit, and two cycles for its grant
  CHECK(r.saturated);
  CHECK(r.accepted_flits <= 6 * 1000 / 3 + 6);
  CHECK(accounted(r));
}

TEST_CASE("a run is the same for the same seed, whatever the threads", "[traffic]") {
  TrafficRequest request = small_request(Rational(3, 10));
  const TrafficResult one = run("mesh:4x4", "uniform", request).result;
  request.threads = 3;
  const TrafficResult three = run("mesh:4x4", "uniform", request).result;
  NodePool pool(std::size_t{1} << 30);
  request.threads = 1;
  request.pool = &pool;
  run("mesh:4x4", "transpose", request);
  const TrafficResult pooled = run("mesh:4x4", "uniform", request).result;
  for (const TrafficResult& other : {three, pooled}) {
    CHECK(other.problems.empty());
    CHECK(other.generated == one.generated);
    CHECK(other.cycles == one.cycles);
    CHECK(other.latency.sum == one.latency.sum);
    CHECK(other.network_latency.sum == one.network_latency.sum);
    CHECK(other.accepted_flits == one.accepted_flits);
    CHECK(other.link_flits == one.link_flits);
  }
  request.seed = 2;
  CHECK(run("mesh:4x4", "uniform", request).result.latency.sum != one.latency.sum);
}

TEST_CASE("packets that the network loses or changes are noticed", "[traffic]") {
  TrafficRequest request = small_request(Rational(1, 20));
  request.phases = {2, 200, 300};
  request.rate = 1;  // so that packets cross the faulty links in the three cycles of the fault
  LinkFault fault{1, 0, false, true};
  request.faults = {fault, {1, 1, false, true}};
  const TrafficResult changed = run("ring:4", "neighbour", request).result;
  CHECK(changed.exit_code() == 1);
  CHECK(std::any_of(changed.problems.begin(), changed.problems.end(),
                    [](const std::string& p) { return p.find("payload differs") != std::string::npos; }));
  CHECK(accounted(changed));
}

TEST_CASE("short queues on a torus end in a circle of waiting links", "[traffic]") {
  TrafficRequest request = small_request(Rational(9, 10));
  request.queue_depth = 1;
  const TrafficResult r = run("torus:4x4", "uniform", request).result;
  CHECK(r.stuck);
  CHECK(r.exit_code() == 3);
  CHECK(accounted(r));
  CHECK(r.in_network != 0);
  REQUIRE_FALSE(r.waits.empty());
  CHECK(r.waits[0].find("cycle of waiting links") == 0);
  CHECK(r.window_opened() == (r.cycles > 200));
  CHECK((!r.window_opened() || r.backlog_after == r.at_sources));
  request.phases.warm_up = 100'000;
  CHECK_FALSE(run("torus:4x4", "uniform", request).result.window_opened());
}

TEST_CASE("rates and phases out of range are refused", "[traffic]") {
  CHECK_THROWS_WITH(run("ring:4", "uniform", small_request(Rational(0))), Catch::Contains("--rate 0"));
  CHECK_THROWS_WITH(run("ring:4", "uniform", small_request(Rational(11, 10))), Catch::Contains("--rate 1.1"));
  TrafficRequest request = small_request(Rational(1));
  request.phases.measure = 90'000'000;
  CHECK_THROWS_WITH(run("ring:4", "uniform", request), Catch::Contains("--measure 90000000"));
  request.phases.measure = 16'773'017;  // one more than 24 bits can tell apart
  CHECK_THROWS_WITH(run("ring:2", "uniform", request),
                    Catch::Contains("a node could generate more than 16777216"));
  request = small_request(Rational(1, 2));
  request.flits = 0;
  CHECK_THROWS_WITH(run("ring:4", "uniform", request), Catch::Contains("--flits 0"));
}

TEST_CASE("a plot has its curves, limits and ticks, with markup in words escaped", "[traffic]") {
  CHECK(round_ticks(0, 1, 5) == std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1});
  LinePlot plot;
  plot.title = "a < b & c";
  plot.series = {{"mean", {{0.1, 5}, {0.2, 50, true}}}, {"other", {{0.1, 7}}}};
  plot.limits = {{0.15, "here"}};
  plot.logarithmic = true;
  plot.hollow_means = "hollow";
  const std::string svg = to_svg(plot);
  CHECK(svg.find("a &lt; b &amp; c") != std::string::npos);
  for (const char* word :
       {">mean<", ">other<", ">here<", ">hollow<", "stroke-dasharray=\"4 3\"", ">10<", "</svg>"}) {
    CAPTURE(word);
    CHECK(svg.find(word) != std::string::npos);
  }
  CHECK(svg == to_svg(plot));
  CHECK(to_svg(LinePlot{}).find("nan") == std::string::npos);
}
