#include "cpp_model/algorithm/exchange/large_exchange.hpp"

#include <vector>

#include "cpp_model/algorithm/tools/many_paths.hpp"
#include "cpp_model/algorithm/tools/queue_scheduling.hpp"
#include "cpp_model/bound/lower_bound.hpp"

namespace safnet {

Schedule plan_large(const Problem& problem, const char* algorithm) {
  constexpr std::uint32_t kPasses = 4;
  Schedule schedule = empty_schedule(problem, algorithm);
  const FlatGraph graph(problem.graph);
  const Occupancy occupancy = port_occupancy(problem.graph, problem.ports);
  std::vector<Trip> trips;
  trips.reserve(schedule.packets.size());
  for (PacketIndex p = 0; p < schedule.packets.size(); ++p)
    trips.push_back({schedule.packets.origin(p), schedule.packets.destinations(p).front(), p});
  const ManyPaths ways = many_paths(graph, occupancy, trips, lower_bound(problem).steps);
  add_sends(schedule, ways.paths, trips, schedule_paths(occupancy, ways.paths, ways.congestion, kPasses));
  return schedule;
}

}  // namespace safnet
