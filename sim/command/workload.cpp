// workload - `safnet workload`: the collectives of a Chakra execution trace as a list of runs.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/interchange/chakra_trace.hpp"
#include "cpp_model/schedule/problem.hpp"
#include "sim/command/commands.hpp"
#include "sim/command/invocation.hpp"
#include "sim/command/options.hpp"
#include "sim/machine/limits.hpp"
#include "sim/report/report.hpp"

namespace safnet {
namespace {

struct WorkloadOptions {
  std::string path, topology;
  std::vector<std::string> groups;
  std::uint64_t flit_bytes = 8;
  std::string ports = "all";
  bool json = false;
};

// A collective of the trace and the run for it; without a command `why_none` says why.
struct WorkloadRun {
  ChakraCollective collective;
  std::string topology, command, why_none;
  ChakraRun run;
};

struct Workload {
  std::string path;
  ChakraTrace trace;
  std::vector<WorkloadRun> runs;
};

// A network that collectives run on, and how many nodes take part.
struct GroupNetwork {
  std::string spelling;
  std::uint64_t members = 0;
};

GroupNetwork network_of(const std::string& spelling) {
  return {spelling, make_topology(spelling).processor_count()};
}

std::map<std::string, GroupNetwork> networks_of_groups(const WorkloadOptions& options,
                                                       const ChakraTrace& trace) {
  std::map<std::string, GroupNetwork> networks;
  for (const std::string& word : options.groups) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0)
      throw bad_input("--group {}: expected NAME=TOPOLOGY", in_quotes(word));
    const std::string name = word.substr(0, equals);
    const bool is_there = std::ranges::any_of(
        trace.collectives, [&](const ChakraCollective& collective) { return collective.group == name; });
    if (!is_there) throw bad_input("--group {}: the trace has no collective of that group", in_quotes(word));
    if (!networks.emplace(name, network_of(word.substr(equals + 1))).second)
      throw bad_input("--group {}: given twice", in_quotes(word));
  }
  return networks;
}

// Fills in the command, or why there is none.
void plan_run_of(WorkloadRun& run, const GroupNetwork* network, const WorkloadOptions& options) {
  const ChakraCollective& collective = run.collective;
  if (!collective.kind()) {
    run.why_none = "moves no data";
  } else if (network == nullptr) {
    run.why_none = "expected --topology, or --group NAME=TOPOLOGY";
  } else if (collective.is_partial() && network->spelling == options.topology) {
    run.why_none = "some dimensions alone take part; expected --group NAME=TOPOLOGY";
  } else if (const auto packets = chakra_run(collective, network->members, options.flit_bytes, kMostFlits);
             !packets) {
    run.why_none = collective.comm_size ? "moves no data" : "the trace does not say how many bytes";
  } else if (packets->messages > kMaxMessages) {
    run.why_none = fmt::format("{} messages of {} flits; expected at most {}, by a larger --flit-bytes",
                               packets->messages, packets->flits, kMaxMessages);
  } else {
    run.run = *packets;
    run.topology = network->spelling;
    run.command = fmt::format("safnet run {} {} --flits {}", shell_word(network->spelling),
                              to_string(*collective.kind()), packets->flits);
    if (packets->messages > 1) run.command += fmt::format(" --messages {}", packets->messages);
    if (options.ports != "all") run.command += " --ports " + options.ports;
  }
}

std::string dimensions_in_words(const ChakraCollective& collective) {
  std::string all;
  for (const bool involved : collective.involved_dim) all += involved ? '1' : '0';
  return all;
}

Json to_json(const Workload& workload) {
  Json json{{"file", printable(workload.path)},
            {"version", printable(workload.trace.version)},
            {"nodes", workload.trace.nodes}};
  json["collectives"] = json_array(workload.runs, [](const WorkloadRun& run) {
    const ChakraCollective& collective = run.collective;
    Json each{{"node", collective.node},
              {"name", printable(collective.name)},
              {"comm_type", collective.type_name()},
              {"collective", collective.kind() ? Json(to_string(*collective.kind())) : Json()},
              {"bytes", or_null(collective.comm_size)},
              {"group", collective.group.empty() ? Json() : Json(printable(collective.group))},
              {"involved_dim", collective.involved_dim}};
    if (run.command.empty()) {
      each.update({{"command", nullptr}, {"why", run.why_none}});
    } else {
      each.update({{"topology", printable(run.topology)},
                   {"flits", run.run.flits},
                   {"messages", run.run.messages},
                   {"command", run.command}});
    }
    return each;
  });
  return json;
}

std::string to_text(const Workload& workload) {
  TextReport text(fmt::format("{} among {} of {}", counted(workload.runs.size(), "collective"),
                              counted(workload.trace.nodes, "node"), one_line(workload.path)));
  for (const WorkloadRun& run : workload.runs) {
    const ChakraCollective& collective = run.collective;
    std::string what = collective.type_name();
    if (collective.comm_size) what += fmt::format(", {}", counted(*collective.comm_size, "byte"));
    if (!collective.group.empty()) what += ", group " + one_line(collective.group);
    if (collective.is_partial()) what += ", dimensions " + dimensions_in_words(collective);
    text.line(fmt::format("node {}", collective.node), "{}: {}", what,
              run.command.empty() ? run.why_none : run.command);
  }
  return text.text();
}

int workload(const WorkloadOptions& options) {
  parse_port_model(options.ports);
  Workload all{options.path, read_chakra_trace(options.path), {}};
  const std::map<std::string, GroupNetwork> groups = networks_of_groups(options, all.trace);
  std::optional<GroupNetwork> usual;
  if (!options.topology.empty()) usual = network_of(options.topology);
  for (const ChakraCollective& collective : all.trace.collectives) {
    const auto own = groups.find(collective.group);
    const GroupNetwork* network = own != groups.end() ? &own->second : usual ? &*usual : nullptr;
    WorkloadRun run{collective, {}, {}, {}, {}};
    plan_run_of(run, network, options);
    all.runs.push_back(std::move(run));
  }
  print_report(options.json, all);
  return 0;
}

}  // namespace

Action declare_workload(CLI::App& command) {
  command.description("the collectives of a Chakra execution trace, as a list of runs");
  auto options = std::make_shared<WorkloadOptions>();
  command.add_option("file", options->path, "FILE.et, or FILE.json of chakra_jsonizer")->required();
  command.add_option("--topology", options->topology, "the network that they run on");
  command.add_option("--group", options->groups,
                     "NAME=TOPOLOGY: that of a process group; may be given for each");
  add_number(command, "--flit-bytes", options->flit_bytes, 1, std::uint64_t{1} << 40,
             "bytes that a flit stands for");
  declare_ports(command, options->ports);
  declare_json(command, options->json);
  return [options] { return workload(*options); };
}

}  // namespace safnet
