// main - the command line: safnet run | survey | verify | list | draw | describe.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"
#include "sim/describe_command.hpp"
#include "sim/draw_command.hpp"
#include "sim/list_command.hpp"
#include "sim/progress_line.hpp"
#include "sim/report.hpp"
#include "sim/run.hpp"
#include "sim/survey.hpp"
#include "sim/topology_page.hpp"
#include "sim/verify.hpp"
#include "sim/wave_view.hpp"

namespace safnet {
namespace {

constexpr int kBadInput = 2;

struct RunWords {
  std::string topology, collective, algorithm, ports = "all", root = "0", destination, slot = "lockstep",
                                               grants = "auto", tree, model = "rtl";
  std::string wave, wave_nodes, wave_cycles, trace;
  int flits = 1, link_latency = 0, queue_depth = 0, host_depth = 0;
  unsigned threads = 1;
  bool json = false, whole_network = false;
};

// "FROM:TO", either side may be missing.
void parse_cycles(const std::string& text, WaveRequest& wave) {
  const auto number = [&](const std::string& part, std::uint32_t missing) -> std::uint32_t {
    if (part.empty()) return missing;
    if (part.size() > 9 || part.find_first_not_of("0123456789") != std::string::npos) {
      throw std::invalid_argument(
          fmt::format("--wave-cycles {}: expected FROM:TO in cycles, such as 100:250", text));
    }
    return static_cast<std::uint32_t>(std::stoul(part));
  };
  const auto colon = text.find(':');
  if (colon == std::string::npos) {
    throw std::invalid_argument(
        fmt::format("--wave-cycles {}: expected FROM:TO in cycles, such as 100:250", text));
  }
  wave.first_cycle = number(text.substr(0, colon), 0);
  wave.last_cycle = number(text.substr(colon + 1), 0xffff'ffff);
  if (wave.first_cycle > wave.last_cycle) {
    throw std::invalid_argument(fmt::format("--wave-cycles {}: expected FROM not above TO", text));
  }
}

// Nodes separated by ";" or, where no coordinates are used, by ",".
std::vector<NodeId> parse_nodes(const std::string& text, const Graph& graph) {
  std::vector<NodeId> nodes;
  const char separator = text.find(';') != std::string::npos ? ';' : '\0';
  const bool coordinates = graph.coordinates(0).size() > 1 && text.find(',') != std::string::npos;
  std::string word;
  for (const char c : text + ";") {
    if (c == ';' || (separator == '\0' && !coordinates && c == ',')) {
      if (!word.empty()) nodes.push_back(graph.parse_node(word));
      word.clear();
    } else {
      word += c;
    }
  }
  if (nodes.empty())
    throw std::invalid_argument(fmt::format("--wave-nodes {}: expected nodes, such as 0;1,2;17", text));
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

void require_writable_folder(const char* option, const std::string& path) {
  if (path.empty()) return;
  const auto folder = std::filesystem::absolute(path).parent_path();
  if (!std::filesystem::is_directory(folder)) {
    throw std::invalid_argument(fmt::format("{} {}: expected a file in a folder that exists", option, path));
  }
  if (std::filesystem::is_directory(path)) {
    throw std::invalid_argument(fmt::format("{} {}: expected a file, this is a folder", option, path));
  }
}

void write_json(const std::string& path, const nlohmann::ordered_json& json) {
  std::ofstream out(path);
  out << json.dump() << '\n';
  if (!out.flush()) throw std::runtime_error("cannot write " + path);
}

int run_command(const RunWords& words) {
  RunRequest request(Problem{.graph = make_topology(words.topology)});
  Problem& problem = request.problem;
  problem.collective = parse_collective(words.collective);
  problem.ports = parse_port_model(words.ports);
  problem.root = problem.graph.parse_node(words.root);
  problem.tree = words.tree;
  if (!words.destination.empty()) {
    if (problem.collective != CollectiveKind::kMultipath) {
      throw std::invalid_argument(fmt::format("--destination {}: {} has no use for a destination",
                                              one_line(words.destination), to_string(problem.collective)));
    }
    problem.destination = problem.graph.parse_node(words.destination);
    destination_of(problem);
  }
  request.algorithm = words.algorithm;
  request.flits = words.flits;
  request.link_latency = words.link_latency;
  request.queue_depth = words.queue_depth;
  request.host_depth = words.host_depth;
  request.slot = words.slot == "free" ? SlotMode::kFree : SlotMode::kLockstep;
  request.grants = words.grants == "on"    ? GrantMode::kOn
                   : words.grants == "off" ? GrantMode::kOff
                                           : GrantMode::kAutomatic;
  request.model = words.model == "systemc" ? NetworkModel::kSystemC : NetworkModel::kRtl;
  request.threads = words.threads;
  request.whole_network = words.whole_network;
  if (words.whole_network && !words.wave.empty()) {
    throw std::invalid_argument(
        "--wave: expected no --whole-network beside it, waveforms are written by the fabric");
  }
  require_writable_folder("--wave", words.wave);
  require_writable_folder("--trace", words.trace);
  request.wave.path = words.wave;
  if (!words.wave_nodes.empty()) request.wave.nodes = parse_nodes(words.wave_nodes, problem.graph);
  if (!words.wave_cycles.empty()) parse_cycles(words.wave_cycles, request.wave);
  request.keep_trace = !words.trace.empty();

  ProgressLine line;
  VariantStore& store = VariantStore::standard();
  const NodeParameters parameters = parameters_of(request);
  if (request.model == NetworkModel::kRtl && (words.whole_network || !store.is_built(parameters)))
    line.show(parameters.port_model == 0 && parameters.radix > 16
                  ? "building nodes of many ports (once; takes minutes)..."
                  : "building the hardware for these parameters (once)...",
              true);
  request.on_progress = [&](std::uint64_t done, std::uint64_t all, std::uint32_t cycle) {
    line.show(fmt::format("cycle {}: {} of {} delivered", cycle, done, all));
  };
  const RunResult result = run_collective(request, store);
  line.clear();
  if (!words.wave.empty()) write_wave_view(words.wave, problem.graph, result.parameters, request.wave.nodes);
  if (!words.trace.empty()) write_json(words.trace, trace_to_json(request, result));
  if (words.json) {
    fmt::print("{}\n", to_json(request, result).dump());
  } else {
    fmt::print("{}", to_text(request, result));
  }
  return result.exit_code();
}

int main_program(int argc, char** argv) {
  CLI::App app{"safnet: collective communication on real routers, cycle by cycle"};
  app.require_subcommand(1);

  RunWords words;
  CLI::App* run = app.add_subcommand("run", "run one collective on the hardware");
  run->add_option("topology", words.topology, "such as torus:8x8; see `safnet list topologies`")->required();
  run->add_option("collective", words.collective, "such as total-exchange; see `safnet list collectives`")
      ->required();
  run->add_option("--algorithm", words.algorithm,
                  "see `safnet list algorithms`; default: the best that applies");
  run->add_option("--ports", words.ports, "all, one or one-send")->capture_default_str();
  run->add_option(
         "--root", words.root,
         "source of a broadcast, scatter or multipath transfer: a node's number, coordinates or name")
      ->capture_default_str();
  run->add_option("--destination", words.destination,
                  "of a multipath transfer; default: the last node that is not the root");
  run->add_option("--tree", words.tree,
                  "spanning tree: shortest-path, depth-first, random:SEED, product, weight-rule, "
                  "torus-regions, torus-regions-as-printed or fewest-steps");
  run->add_option("--flits", words.flits, "flits in a packet")->capture_default_str();
  run->add_option("--link-latency", words.link_latency, "cycles of a link")->capture_default_str();
  run->add_option("--slot", words.slot, "lockstep: packets start on slot boundaries; free: in any cycle")
      ->check(CLI::IsMember({"lockstep", "free"}))
      ->capture_default_str();
  run->add_option("--grants", words.grants, "one-port: whether a sender asks the receiver first")
      ->check(CLI::IsMember({"auto", "on", "off"}))
      ->capture_default_str();
  run->add_option("--queue-depth", words.queue_depth,
                  "packets per input and queue; 0: as many as can ever wait")
      ->capture_default_str();
  run->add_option("--host-depth", words.host_depth,
                  "packets of its own that a queue takes; 0: all. The host keeps the rest")
      ->capture_default_str();
  run->add_option("--threads", words.threads, "threads; the result does not depend on them")
      ->check(CLI::Range(1U, 64U))
      ->capture_default_str();
  run->add_option("--wave", words.wave, "write a waveform (FST) and a GTKWave view beside it");
  run->add_option("--wave-nodes", words.wave_nodes,
                  "only these nodes, by number, coordinates or name, such as 0;1,2;17");
  run->add_option("--wave-cycles", words.wave_cycles, "only these cycles, FROM:TO");
  run->add_option("--trace", words.trace, "write every transfer and delivery to a JSON file");
  run->add_flag("--whole-network", words.whole_network,
                "run network.sv, elaborated as a whole: slow to build, the same cycles");
  run->add_option("--model", words.model,
                  "rtl: the verilated hardware; systemc: a model written from its documentation alone")
      ->check(CLI::IsMember({"rtl", "systemc"}))
      ->capture_default_str();
  run->add_flag("--json", words.json, "print one JSON object instead of text");

  std::vector<std::string> surveyed = survey_topologies();
  CLI::App* survey = app.add_subcommand("survey", "every collective on a row of networks, one line per run");
  survey->add_option("topologies", surveyed, "the networks")->capture_default_str();

  VerifyOptions verify_options;
  CLI::App* verify = app.add_subcommand("verify", "run the claims of the papers on the hardware");
  verify->add_option("--claim", verify_options.claim, "only claims whose id matches, such as thesis.T*")
      ->capture_default_str();
  verify->add_flag("--full", verify_options.full, "all sizes, not only the quick ones");
  verify->add_option("--json", verify_options.json_path, "also write the table to a JSON file");
  verify->add_option("--junit", verify_options.junit_path, "also write it as JUnit XML");

  std::string what;
  CLI::App* list = app.add_subcommand("list", "what there is");
  list->add_option("what", what, "topologies, collectives, algorithms or claims")
      ->required()
      ->check(CLI::IsMember({"topologies", "collectives", "algorithms", "claims"}));
  TopologyPageOptions page;
  list->add_option("--pictures", page.pictures,
                   "topologies: write a small SVG of each family to this folder");
  list->add_flag("--markdown", page.markdown, "topologies: print the table of README.md");

  std::string pictured, picture_path;
  CLI::App* draw = app.add_subcommand("draw", "a network as a picture, by Graphviz");
  draw->add_option("topology", pictured, "such as torus:8x8; see `safnet list topologies`")->required();
  draw->add_option("-o", picture_path, "FILE.svg, .png or .dot; default: DOT is printed");

  std::string described;
  bool describe_as_json = false;
  CLI::App* describe = app.add_subcommand(
      "describe", "what a network is: degrees, distances, cuts, and the nodes its hardware needs");
  describe->add_option("topology", described, "such as torus:8x8; see `safnet list topologies`")->required();
  describe->add_flag("--json", describe_as_json, "print one JSON object instead of text");

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& success) {
    return app.exit(success);  // --help
  } catch (const CLI::ConversionError& error) {
    fmt::print(stderr, "safnet: {}: expected a whole number; see safnet --help\n", error.what());
    return kBadInput;
  } catch (const CLI::ParseError& error) {
    std::string message = error.what();
    std::replace(message.begin(), message.end(), '\n', ' ');
    fmt::print(stderr, "safnet: {}; see safnet --help\n", message);
    return kBadInput;
  }
  if (*run) return run_command(words);
  if (*draw) return draw_command(pictured, picture_path);
  if (*describe) return describe_command(described, describe_as_json);
  const bool paged = page.markdown || !page.pictures.empty();
  if (paged && what != "topologies")
    throw std::invalid_argument(fmt::format("list {}: expected no --markdown or --pictures beside it", what));
  if (*list) return what == "topologies" ? topology_page(page) : list_command(what);
  if (*survey) return survey_command(surveyed, VariantStore::standard());
  require_writable_folder("--json", verify_options.json_path);
  require_writable_folder("--junit", verify_options.junit_path);
  return verify_command(verify_options, VariantStore::standard());
}

}  // namespace
}  // namespace safnet

int main(int argc, char** argv) {
  try {
    return safnet::main_program(argc, argv);
  } catch (const std::invalid_argument& error) {
    fmt::print(stderr, "safnet: {}\n", error.what());
    return safnet::kBadInput;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "safnet: out of memory; expected a smaller network or --queue-depth\n");
    return safnet::kBadInput;
  } catch (const std::exception& error) {
    fmt::print(stderr, "safnet: {}\n", error.what());
    return 1;
  }
}
