// run_story - what the page of a run says of it in words.
#pragma once

#include "sim/page/run_page.hpp"
#include "sim/report/dynamic_broadcast_report.hpp"
#include "sim/report/schedule_report.hpp"
#include "sim/report/software_report.hpp"
#include "sim/report/traffic_report.hpp"
#include "sim/run/run.hpp"

namespace safnet {

/// A collective on routers or by a timetable.
RunStory story_of(const RunRequest& request, const RunResult& result);
/// A replay of a schedule from a file.
RunStory story_of(const CheckedSchedule& checked, const ReplayResult& result);
/// Traffic at one load.
RunStory story_of(const TrafficStudy& study);
/// A collective by software.
RunStory story_of(const SoftwareRequest& request, const PacketRoutes& routes, const SoftwareResult& result);
/// A partial collective on scan_nodes.
RunStory story_of(const ScanRequest& request, const ScanResult& result);
/// Repeated broadcasts at one rate.
RunStory story_of(const DynamicBroadcastStudy& study);
/// A schedule from a file that is only looked at.
RunStory story_of(const CheckedSchedule& checked);

}  // namespace safnet
