#include "sim/report/scan_report.hpp"

#include <array>

#include "cpp_model/bound/partial_broadcast_time.hpp"
#include "sim/run/scan_check.hpp"

namespace safnet {
namespace {

constexpr std::array<const char*, kScanPhases> kPhaseNames{"idle",      "class scan", "rank scan", "packing",
                                                           "broadcast", "combining",  "unpacking"};

// What the paper promises, in slots of as many cycles as a packet has payload flits. Headers and parts that
// are no whole number of flits come on top.
struct PublishedBound {
  Rational slots;
  std::string where;
};

// Nothing if the papers promise nothing.
std::optional<PublishedBound> published_bound(const ScanRequest& request) {
  if (request.collective != CollectiveKind::kPartialMultinodeBroadcast || request.known_ranks)
    return std::nullopt;
  const DigitShape& shape = request.network.shape();
  const std::uint64_t active = request.active.size();
  const Rational prefix_step(1, request.flits);
  if (active == 0) return std::nullopt;
  if (request.single_class) {
    if (!request.split && shape.ring) return std::nullopt;
    return PublishedBound{mesh_single_class_bound(shape, active, prefix_step), "meshes, Lemma 2"};
  }
  if (shape.folded) {
    if (request.split) return std::nullopt;
    return PublishedBound{folded_whole_bound(shape, active, prefix_step), "folded cubes (4)"};
  }
  if (request.split)
    return PublishedBound{mesh_split_bound(shape, active, prefix_step),
                          shape.ring ? "meshes (7)" : "meshes (8)"};
  return PublishedBound{mesh_whole_bound(shape, active, prefix_step), "meshes, section 3.2"};
}

// How packets travel, in words.
std::string manner(const ScanRequest& request, const ScanResult& result) {
  const ScanSettings& s = result.settings;
  const bool one_class = request.collective == CollectiveKind::kScan || s.class_count == 1;
  const bool halves = request.collective != CollectiveKind::kScan && s.two_pieces;
  std::string text = one_class   ? halves ? "one class, halves" : "one class"
                     : s.classed ? fmt::format("whole packets in {} classes", s.class_count)
                                 : fmt::format("packets split over {} classes{}", s.class_count,
                                               halves ? ", in halves" : "");
  if (s.alternate) text += ", alternating";
  if (s.pass_on_first) text += ", pass on first";
  if (s.known) text += ", known ranks";
  return text;
}

const char* verdict(const ScanResult& result) { return result.problems.empty() ? "as-published" : "failed"; }

}  // namespace

std::string to_text(const ScanRequest& request, const ScanResult& r) {
  TextReport text(fmt::format("{} on {}, {} active, {}", to_string(request.collective),
                              in_words(request.network.graph()), request.active.size(), manner(request, r)));
  std::vector<std::string> phases;
  for (std::size_t p = 1; p < kScanPhases; ++p) {
    if (r.phase_cycles[p] != 0) phases.push_back(fmt::format("{} {}", kPhaseNames[p], r.phase_cycles[p]));
  }
  text.line("cycles", "{}:{}{}", r.cycles, phases.empty() ? "" : " ", fmt::join(phases, " + "));
  text.line("last delivery", "cycle {}", r.last_delivery);
  text.line("closed form", "{} cycles", scan_closed_form(request));
  if (const auto bound = published_bound(request)) {
    text.line("published", "at most {} slots of {} cycles ({})", bound->slots.str(), request.flits,
              bound->where);
  }
  text.line("verdict", "{}", verdict(r));
  if (request.collective == CollectiveKind::kScan) {
    text.line("scan", "every node has its rank and the total; {} flits sent", r.flits_sent);
  } else {
    text.line("packets", "{} of {} delivered, {} lost, {} duplicated, {} flits sent", r.delivered,
              r.expected_deliveries, r.lost, r.duplicated, r.flits_sent);
    text.line("packet", "{} flits while packed, {} while broadcast, header {}", r.settings.pack_flits,
              r.settings.cast_flits, r.settings.header_flit ? "in a flit of its own" : "in the first flit");
  }
  if (r.problems.empty() && !r.transfers.empty())
    text.line("trace", "every flit on every link as the model of the algorithm has it");
  text.outcome(r);
  return text.text();
}

Json to_json(const ScanRequest& request, const ScanResult& r) {
  Json phases;
  for (std::size_t p = 1; p < kScanPhases; ++p) phases[kPhaseNames[p]] = r.phase_cycles[p];
  Json json = network_json(request.network.graph());
  json.update({{"collective", to_string(request.collective)},
               {"active", request.active},
               {"classes", r.settings.class_count},
               {"split", request.split},
               {"flits", request.flits},
               {"header_flits", request.header_flits},
               {"link_latency", request.link_latency},
               {"packed_flits", r.settings.pack_flits},
               {"broadcast_flits", r.settings.cast_flits},
               {"cycles", r.cycles},
               {"last_delivery", r.last_delivery},
               {"phase_cycles", phases},
               {"closed_form", scan_closed_form(request)},
               {"published_slots", nullptr}});
  if (const auto bound = published_bound(request))
    json.update({{"published_slots", bound->slots.str()}, {"published_where", bound->where}});
  json.update({{"verdict", verdict(r)},
               {"delivered", r.delivered},
               {"expected_deliveries", r.expected_deliveries},
               {"lost", r.lost},
               {"duplicated", r.duplicated},
               {"returned", r.returned},
               {"compared_with_model", !r.transfers.empty()},
               {"flits_sent", r.flits_sent},
               {"node_evaluations", r.node_evaluations},
               {"build_seconds", r.build_seconds},
               {"run_seconds", r.run_seconds},
               {"problems", r.problems}});
  return json;
}

}  // namespace safnet
