// Dynamic broadcasting on the hardware: every interval and delay against a queue with known lengths of
// service.
#include <algorithm>
#include <deque>
#include <map>
#include <utility>

#include "cpp_model/number/exact.hpp"
#include "sim/run/dynamic_broadcast.hpp"
#include "sim/run/scan_check.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

DynamicBroadcastRequest request_on(const std::string& topology, bool split, std::uint64_t packets) {
  DynamicBroadcastRequest request(make_digit_network(topology));
  request.split = split;
  request.flits = 4;
  request.packets = packets;
  request.rate = limits_of(request).exactly / 2;
  return request;
}
DynamicBroadcastResult run(const DynamicBroadcastRequest& request) {
  return run_dynamic_broadcast(request, VariantStore::standard());
}
std::uint64_t interval(const DynamicBroadcastRequest& request, std::uint64_t active) {
  return partial_broadcast_time(request.network.shape(), broadcast_settings(request), active).total();
}

// The scheme as a queue: an interval serves one packet of each of the M nodes that have one, in D(M) cycles.
struct Queue {
  std::uint64_t delay_sum = 0, intervals = 0, final_backlog = 0, cycles = 0;
  std::map<std::uint64_t, std::uint64_t> by_active;
};
Queue serve(const DynamicBroadcastRequest& request) {
  const NodeId nodes = request.network.graph().node_count();
  const std::vector<Arrival> arrivals =
      poisson_arrivals(nodes, request.rate / request.flits, request.packets, request.seed);
  std::vector<std::deque<std::uint64_t>> waiting(nodes);
  Queue queue;
  std::uint64_t done = 0, begin = 0;
  for (std::size_t next = 0; done < arrivals.size();) {
    for (; begin != 0 && next < arrivals.size() && arrivals[next].tick <= begin << kTickBits; ++next)
      waiting[arrivals[next].node].push_back(arrivals[next].tick);
    const auto active = static_cast<std::uint64_t>(
        std::count_if(waiting.begin(), waiting.end(), [](const auto& packets) { return !packets.empty(); }));
    const std::uint64_t end = begin + interval(request, active);
    for (auto& packets : waiting) {
      if (packets.empty()) continue;
      queue.delay_sum += (end << kTickBits) - packets.front();
      if (end << kTickBits > arrivals.back().tick) ++queue.final_backlog;
      packets.pop_front();
      ++done;
    }
    ++queue.intervals;
    ++queue.by_active[active];
    begin = queue.cycles = end;
  }
  return queue;
}

}  // namespace

TEST_CASE("repeated broadcasts are the queue that they are meant to be", "[dynamic_broadcast]") {
  const auto [topology, split] = GENERATE(std::pair("mesh:4x4", true), std::pair("mesh:4x4", false),
                                          std::pair("torus:3x3", true), std::pair("folded-cube:3", false));
  CAPTURE(topology, split);
  DynamicBroadcastRequest request = request_on(topology, split, 200);
  const Rational half = request.rate;
  for (const std::uint32_t load : {1U, 3U}) {  // half the limit, and one and a half times it
    request.rate = half * load;
    request.seed = load;
    const DynamicBroadcastResult r = run(request);
    REQUIRE(r.problems.empty());
    const Queue expected = serve(request);
    CHECK(r.broadcast == 200);
    CHECK(r.lost + r.duplicated == 0);
    CHECK(r.deliveries == r.expected_deliveries);
    CHECK(r.delay.count == 200);
    CHECK(r.delay.sum == expected.delay_sum);
    CHECK(r.intervals == expected.intervals);
    CHECK(r.cycles == expected.cycles);
    CHECK(r.final_backlog == expected.final_backlog);
    CHECK(r.counted_in_time == r.intervals);
    CHECK(r.by_active.size() == expected.by_active.size());
    for (const auto& [active, count] : r.by_active) {
      CHECK(count.intervals == expected.by_active.at(active));
      CHECK(count.cycles == interval(request, active));
      CHECK(count.cycles <= limits_of(request).interval.at(active));
    }
    CHECK(r.delivery_delay.sum <= r.delay.sum);
    CHECK(r.largest_backlog >= r.final_backlog);
    CHECK(r.mean_backlog <= r.largest_backlog);
  }
}

TEST_CASE("a packet alone waits for the next interval and is broadcast in it", "[dynamic_broadcast]") {
  DynamicBroadcastRequest request = request_on("mesh:4x4", true, 1);
  for (request.seed = 1; request.seed < 6; ++request.seed) {
    const std::uint64_t tick = poisson_arrivals(16, request.rate / request.flits, 1, request.seed)[0].tick;
    const std::uint64_t empty = interval(request, 0) << kTickBits;
    const DynamicBroadcastResult r = run(request);
    REQUIRE(r.problems.empty());
    CHECK(r.delay.sum == divide_up(tick, empty) * empty + (interval(request, 1) << kTickBits) - tick);
    CHECK(r.final_backlog == 1);
  }
}

TEST_CASE("a run is the same for the same seed, on used nodes too", "[dynamic_broadcast]") {
  DynamicBroadcastRequest request = request_on("mesh:4x4", true, 100);
  const DynamicBroadcastResult one = run(request);
  NodePool pool(std::size_t{1} << 30);
  request.pool = &pool;
  request.seed = 2;
  const DynamicBroadcastResult other = run(request);
  request.seed = 1;
  const DynamicBroadcastResult again = run(request);
  CHECK(again.problems.empty());
  CHECK(again.delay.sum == one.delay.sum);
  CHECK(again.delivery_delay.sum == one.delivery_delay.sum);
  CHECK(again.flits_sent == one.flits_sent);
  CHECK(other.delay.sum != one.delay.sum);
}

TEST_CASE("packets of the warm-up are in no statistics of delays", "[dynamic_broadcast]") {
  DynamicBroadcastRequest request = request_on("mesh:4x4", true, 100);
  const DynamicBroadcastResult all = run(request);
  request.warm_up = 40;
  const DynamicBroadcastResult rest = run(request);
  CHECK(rest.delay.count == 60);
  CHECK(rest.delay.sum < all.delay.sum);
  CHECK(rest.broadcast == 100);
  CHECK(rest.cycles == all.cycles);
}

TEST_CASE("a link that changes flits is noticed", "[dynamic_broadcast]") {
  DynamicBroadcastRequest request = request_on("mesh:4x4", true, 50);
  request.faults = {{5, 0, false, true}};
  const DynamicBroadcastResult r = run(request);
  CHECK(r.exit_code() == 1);
  REQUIRE_FALSE(r.problems.empty());
  // By the end of the second interval there are more than 20 problems, packets that have not come back to
  // their sources among them: the run ends there.
  CHECK(r.intervals == 2);
}

TEST_CASE("limits of dynamic broadcasting", "[dynamic_broadcast]") {
  // 4 x 4, split, in parts of two flits: a scan of 12 cycles, 6 steps of packing, 3 of broadcast per batch,
  // of which there are 16/4 along one digit and 16/16 along the other.
  DynamicBroadcastRequest request = request_on("mesh:4x4", true, 10);
  CHECK(interval(request, 16) == 12 + 6 * 2 + 3 * (4 + 1) * 2);
  request.rate = Rational(1, 100);
  const DynamicBroadcastLimits limits = limits_of(request);
  CHECK(limits.exactly == Rational(4, interval(request, 16)));
  CHECK(limits.stable < limits.exactly);
  CHECK(limits.any_scheme == Rational(2, 15));
  CHECK(limits.utilisation == Rational(15, 200));  // lambda (N - 1) / d, (12)
  REQUIRE(limits.mean_delay);
  request.rate = limits.stable;
  CHECK_FALSE(limits_of(request).mean_delay);
}

TEST_CASE("dynamic broadcasts out of range are refused", "[dynamic_broadcast]") {
  DynamicBroadcastRequest request = request_on("mesh:4x4", true, 10);
  request.warm_up = 10;
  CHECK_THROWS_WITH(run(request), Catch::Contains("--warm-up 10"));
  request = request_on("mesh:4x4", true, 10);
  request.rate = 0;
  CHECK_THROWS_WITH(run(request), Catch::Contains("--rate 0"));
  request = request_on("mesh:4x4", true, 10);
  request.flits = 0;
  CHECK_THROWS_WITH(run(request), Catch::Contains("--flits 0"));
}
