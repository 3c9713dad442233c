#include "sim/command/scan_command.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"
#include "sim/command/progress_line.hpp"
#include "sim/fabric/wave_nodes.hpp"
#include "sim/machine/wave_view.hpp"
#include "sim/run/active_nodes.hpp"
#include "sim/run/scan_check.hpp"

namespace safnet {
namespace {

// Flits that all nodes together receive, beyond which a run is not held against the model.
constexpr std::uint64_t kMostCompared = 5'000'000;

const char* phase_name(std::size_t phase) {
  static const char* const names[kScanPhases] = {"idle",      "class scan", "rank scan", "packing",
                                                 "broadcast", "combining",  "unpacking"};
  return names[phase];
}

// How packets travel, in words.
std::string manner(const ScanResult& result, const ScanRequest& request) {
  const ScanSettings& s = result.settings;
  std::string text;
  if (request.collective == ScanCollective::kScan) {
    text = "one class";
  } else if (s.class_count == 1) {
    text = s.two_pieces ? "one class, halves" : "one class";
  } else if (s.classed) {
    text = fmt::format("whole packets in {} classes", s.class_count);
  } else {
    text = fmt::format("packets split over {} classes{}", s.class_count, s.two_pieces ? ", in halves" : "");
  }
  if (s.alternate) text += ", alternating";
  if (s.pass_on_first) text += ", pass on first";
  if (s.known) text += ", known ranks";
  return text;
}

std::string verdict(const ScanResult& result) { return result.problems.empty() ? "as-published" : "failed"; }

std::string to_text(const ScanRequest& request, const ScanResult& result) {
  const Graph& graph = request.network.graph();
  std::string text =
      fmt::format("{} on {} ({} nodes, {} links), {} active, {}\n", to_string(request.collective),
                  one_line(graph.spelling()), graph.node_count(), graph.link_count(), request.active.size(),
                  manner(result, request));
  text += fmt::format("  cycles         {}:", result.cycles);
  const char* separator = " ";
  for (std::size_t p = 1; p < kScanPhases; ++p) {
    if (result.phase_cycles[p] == 0) continue;
    text += fmt::format("{}{} {}", separator, phase_name(p), result.phase_cycles[p]);
    separator = " + ";
  }
  text += fmt::format("\n  last delivery  cycle {}\n", result.last_delivery);
  text += fmt::format("  closed form    {} cycles\n", scan_closed_form(request));
  if (const auto bound = scan_published_bound(request)) {
    text += fmt::format("  published      at most {} slots of {} cycles ({})\n", bound->slots.str(),
                        request.flits, bound->where);
  }
  text += fmt::format("  verdict        {}\n", verdict(result));
  if (request.collective != ScanCollective::kScan) {
    text += fmt::format("  packets        {} of {} delivered, {} lost, {} duplicated, {} flits sent\n",
                        result.delivered, result.expected_deliveries, result.lost, result.duplicated,
                        result.flits_sent);
    text += fmt::format("  packet         {} flits while packed, {} while broadcast, header {}\n",
                        result.settings.pack_flits, result.settings.cast_flits,
                        result.settings.header_flit ? "in a flit of its own" : "in the first flit");
  } else {
    text += fmt::format("  scan           every node has its rank and the total; {} flits sent\n",
                        result.flits_sent);
  }
  if (result.problems.empty() && !result.transfers.empty())
    text += "  trace          every flit on every link as the model of the algorithm has it\n";
  text += fmt::format("  time           {:.2f} s build, {:.2f} s run\n", result.build_seconds,
                      result.run_seconds);
  for (const std::string& line : result.problems) text += "  problem: " + line + "\n";
  return text;
}

nlohmann::ordered_json to_json(const ScanRequest& request, const ScanResult& result) {
  const Graph& graph = request.network.graph();
  nlohmann::ordered_json json;
  json["topology"] = graph.spelling();
  json["nodes"] = graph.node_count();
  json["links"] = graph.link_count();
  json["collective"] = to_string(request.collective);
  json["active"] = request.active;
  json["classes"] = result.settings.class_count;
  json["split"] = request.split;
  json["flits"] = request.flits;
  json["header_flits"] = request.header_flits;
  json["link_latency"] = request.link_latency;
  json["packed_flits"] = result.settings.pack_flits;
  json["broadcast_flits"] = result.settings.cast_flits;
  json["cycles"] = result.cycles;
  json["last_delivery"] = result.last_delivery;
  nlohmann::ordered_json phases;
  for (std::size_t p = 1; p < kScanPhases; ++p) phases[phase_name(p)] = result.phase_cycles[p];
  json["phase_cycles"] = phases;
  json["closed_form"] = scan_closed_form(request);
  if (const auto bound = scan_published_bound(request)) {
    json["published_slots"] = bound->slots.str();
    json["published_where"] = bound->where;
  } else {
    json["published_slots"] = nullptr;
  }
  json["verdict"] = verdict(result);
  json["delivered"] = result.delivered;
  json["expected_deliveries"] = result.expected_deliveries;
  json["lost"] = result.lost;
  json["duplicated"] = result.duplicated;
  json["returned"] = result.returned;
  json["compared_with_model"] = !result.transfers.empty();
  json["flits_sent"] = result.flits_sent;
  json["node_evaluations"] = result.node_evaluations;
  json["build_seconds"] = result.build_seconds;
  json["run_seconds"] = result.run_seconds;
  json["problems"] = result.problems;
  return json;
}

}  // namespace

std::optional<PublishedBound> scan_published_bound(const ScanRequest& request) {
  if (request.collective != ScanCollective::kPartialMultinodeBroadcast || request.known_ranks)
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

ScanRequest scan_request_of(const ScanWords& words) {
  const ScanCollectiveName* collective = find_scan_collective(words.collective);
  if (collective == nullptr)
    throw std::invalid_argument(fmt::format("{}: not such a collective", words.collective));
  const Graph graph = make_topology(words.topology);
  auto network = DigitNetwork::of(graph);
  if (const std::string* why = std::get_if<std::string>(&network)) {
    throw std::invalid_argument(fmt::format("{}: {}", collective->name, *why));
  }
  ScanRequest request(std::get<DigitNetwork>(std::move(network)));
  request.collective = collective->kind;
  if (words.active.empty())
    throw std::invalid_argument(
        fmt::format("{}: expected --active, such as --active 0,3,7", collective->name));
  request.active = parse_active_nodes("--active", words.active, graph);
  if (!words.destinations.empty())
    request.destinations = parse_active_nodes("--destinations", words.destinations, graph);
  request.flits = words.flits;
  request.header_flits = words.header_flits;
  request.link_latency = words.link_latency;
  request.split = words.split;
  request.single_class = words.single_class;
  request.alternating = words.alternating;
  request.pass_on_first = words.pass_on_first;
  request.known_ranks = words.known_ranks;
  request.wave.path = words.wave;
  if (!words.wave_nodes.empty()) request.wave.nodes = parse_wave_nodes(words.wave_nodes, graph);
  if (!words.wave_cycles.empty()) parse_wave_cycles(words.wave_cycles, request.wave);
  request.keep_transfers =
      has_model(request.collective) && std::uint64_t{graph.node_count()} * (request.active.size() + 1) *
                                               static_cast<std::uint64_t>(request.flits + 16) <=
                                           kMostCompared;
  check_request(request);
  return request;
}

int scan_command(const ScanWords& words) {
  const ScanRequest request = scan_request_of(words);
  ProgressLine line;
  VariantStore& store = VariantStore::standard();
  if (!store.is_built(scan_hardware(scan_parameters(request))))
    line.show("building the hardware for these parameters (once)...", true);
  ScanResult result = run_scan(request, store);
  if (result.cycles != scan_closed_form(request)) {
    result.problems.push_back(
        fmt::format("{} cycles, the closed form has {}", result.cycles, scan_closed_form(request)));
  }
  if (request.keep_transfers) {
    if (const std::string difference = compare_with_model(request, result); !difference.empty())
      result.problems.push_back(difference);
  }
  line.clear();
  if (!words.wave.empty())
    result.hardware.kind->write_wave_view(words.wave, request.network.graph(), result.hardware,
                                            request.wave.nodes);
  if (words.json) {
    fmt::print("{}\n", to_json(request, result).dump());
  } else {
    fmt::print("{}", to_text(request, result));
  }
  return result.exit_code();
}

}  // namespace safnet
