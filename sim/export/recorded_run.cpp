#include "sim/export/recorded_run.hpp"

namespace safnet {
namespace {

// A lane of a scan_node's ports, of which each class has three, from the one that observers are told.
std::uint32_t scan_port_lane(std::uint32_t lane) {
  const std::uint32_t kind = lane % kScanLanes;
  return lane / kScanLanes * 3 + (kind == kScanHere ? 2 : kind % kScanWhole);
}

}  // namespace

void RecordedRun::on_load(std::uint32_t node, const NodeProgram& program) {
  RecordedHost& host = hosts_.at(node);
  if (const auto* router = std::get_if<RouterProgram>(&program)) {
    RouterProgram& all = host.router;
    all.branch_first = router->branch_first;
    all.table.insert(all.table.end(), router->table.begin(), router->table.end());
    all.packets.insert(all.packets.end(), router->packets.begin(), router->packets.end());
  } else if (const auto* timetable = std::get_if<TimetableProgram>(&program)) {
    host.timetable = *timetable;
  } else {
    host.scan = std::get<ScanProgram>(program);
    ScanSource& source = *host.scan->source;
    host.pending = source.is_pending({}, node);
    for (std::uint32_t c = 0; c < host.scan->settings.class_count; ++c) {
      auto& flits = host.own_flits.emplace_back();
      for (std::uint32_t k = 0; k < host.scan->settings.pack_flits; ++k)
        flits.push_back(source.own_flit(node, c, k));
    }
  }
}

void RecordedRun::on_delivered_flit(const FlitEvent& flit) {
  RecordedHost& host = hosts_.at(flit.node);
  const std::uint32_t lane = host.scan ? scan_port_lane(flit.port) : flit.port;
  host.deliveries.push_back({flit.now.cycle, lane, flit.last, flit.value()});
}

std::uint64_t RecordedRun::flits() const {
  std::uint64_t flits = 0;
  for (const RecordedHost& host : hosts_) flits += host.deliveries.size();
  return flits;
}

}  // namespace safnet
