#include "sim/report/software_report.hpp"

#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

const char* verdict(const SoftwareResult& result) {
  return result.stuck ? "stuck" : !result.problems.empty() ? "failed" : "delivered";
}

}  // namespace

Json to_json(const SoftwareRequest& request, const PacketRoutes& routes, const SoftwareResult& result) {
  Json json = network_json(routes.graph());
  json.update({{"collective", to_string(request.collective)},
               {"root", request.tree.root},
               {"host_tree", request.tree.name},
               {"ports", to_string(routes.ports())},
               {"algorithm", routes.algorithm().name},
               {"node", printable(request.router->name)}});
  ADD_MEMBERS(json, request, messages, batch, host_overhead, combine_cycles, flits, link_latency);
  ADD_MEMBERS(json, result.parameters, grant_cycles, queue_depth, host_depth);
  if (request.fitted)
    json["hardware"] = hardware_json(request.router->hardware(result.parameters), routes.graph());
  ADD_MEMBERS(json, result, cycles, end_cycle, transmissions, expected_deliveries, delivered, lost,
              duplicated, peak_queue, problems, waits);
  json["verdict"] = verdict(result);
  return json;
}

std::string to_text(const SoftwareRequest& request, const PacketRoutes& routes,
                    const SoftwareResult& result) {
  TextReport text(fmt::format(
      "{} on {}, {}, by software: tree {}, packets of {}{}", to_string(request.collective),
      in_words(routes.graph()), in_words(routes.ports()), request.tree.name,
      counted(static_cast<std::uint64_t>(request.flits), "flit"),
      request.router->follows_orders ? "" : fmt::format(", node {}", one_line(request.router->name))));
  text.line("hosts", "{} in batches of {} at most; {} busy for each that is sent or got{}",
            counted(request.messages, "packet"), request.batch, counted(request.host_overhead, "cycle"),
            request.collective == CollectiveKind::kReduction
                ? fmt::format(", {} for each packet combined", counted(request.combine_cycles, "cycle"))
                : "");
  text.line("ways", "{}", routes.algorithm().name);
  text.line("cycles", "{} until the last delivery", result.cycles);
  text.line("packets", "{}, {} transmissions", deliveries_in_words(result), result.transmissions);
  text.line("queues", "{} packets per input, {} of the host; {} in use at most",
            result.parameters.queue_depth, result.parameters.host_depth, result.peak_queue);
  text.line("verdict", "{}", verdict(result));
  text.outcome(result);
  return text.text();
}

}  // namespace safnet
