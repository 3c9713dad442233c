#include "sim/export/export_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/system/output_file.hpp"
#include "cpp_model/system/version.hpp"
#include "sim/export/host_memories.hpp"
#include "sim/export/testbench_text.hpp"

namespace safnet {
namespace {

namespace fs = std::filesystem;

// The modules of rtl/host that the testbench of a network needs, a module after those that it is made of.
std::vector<std::string> host_sources(HostModule host) {
  const char* module = host == HostModule::kRouter ? "router_host"
                       : host == HostModule::kTdm  ? "tdm_host"
                                                   : "scan_host";
  return {"host/stream_player.sv", fmt::format("host/{}.sv", module), "host/delivery_checker.sv"};
}

/// What is written, by kind of file; paths seen from the folder.
struct Written {
  std::vector<std::string> rtl, headers, testbench, data;
};

void make_folder_of(const fs::path& file) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  if (error) throw WriteError(file.string(), error.message());
}

void copy_source(const fs::path& from, const fs::path& to) {
  make_folder_of(to);
  std::error_code error;
  if (!fs::copy_file(from, to, fs::copy_options::overwrite_existing, error) || error)
    throw WriteError(to.string(), error.message());
}

void copy_sources(const fs::path& folder, const ExportedNetwork& network, const ExportSources& sources,
                  Written& written) {
  const fs::path rtl = fs::path(sources.root) / "rtl";
  for (const std::string& file : sources.files) {
    if (file.ends_with(".vlt")) continue;  // what only Verilator is told
    const fs::path relative = fs::path(file).lexically_relative(rtl);
    const bool own = !relative.empty() && !relative.string().starts_with("..");
    const std::string name =
        "rtl/" + (own ? relative.string() : "user/" + fs::path(file).filename().string());
    copy_source(file, folder / name);
    written.rtl.push_back(name);
  }
  for (const std::string& each : sources.folders) {
    for (const auto& entry : fs::directory_iterator(rtl / each)) {
      if (entry.path().extension() != ".svh") continue;
      const std::string name = fmt::format("rtl/{}/{}", each, entry.path().filename().string());
      copy_source(entry.path(), folder / name);
      written.headers.push_back(name);
    }
  }
  std::sort(written.headers.begin(), written.headers.end());
  for (const std::string& name :
       network.is_bare ? std::vector<std::string>() : host_sources(network.host())) {
    copy_source(rtl / name, folder / "testbench" / fs::path(name).filename());
    written.testbench.push_back("testbench/" + fs::path(name).filename().string());
  }
  copy_source(rtl / "common/lint.vlt", folder / "lint.vlt");
}

void write(const fs::path& folder, const std::string& name, const std::string& text) {
  make_folder_of(folder / name);
  write_whole_file((folder / name).string(), text);
}

std::string file_list(const Written& written) {
  std::string text = "+incdir+rtl\n";
  for (const std::string& name : written.rtl) text += name + "\n";
  return text;
}

// Rules of the Makefile that need the testbench.
std::string simulation_rules(const Written& written) {
  std::string testbench;
  for (const std::string& name : written.testbench) testbench += " " + name;
  return fmt::format(
      "TESTBENCH :={}\n"
      "# The run is so short that compiling takes longer, even so.\n"
      "OPTIMISE ?= -O0\n\n"
      "# The testbench in that simulator; the last line is \"NAME: PASS ...\", or it fails. Icarus ends with "
      "0 "
      "after a failed\n"
      "# assertion, and what it says of constant selects costs time alone.\n"
      "icarus:\n"
      "\tmkdir -p build\n"
      "\tiverilog -g2012 -s $(NAME)_testbench -o build/icarus -c $(NAME).f $(TESTBENCH) 2> "
      "build/icarus.compile.log || (cat build/icarus.compile.log; false)\n"
      "\tvvp -n build/icarus > build/icarus.log || (cat build/icarus.log; false)\n"
      "\tcat build/icarus.log\n"
      "\t! grep -q -i -e assert -e error -e fatal build/icarus.log\n"
      "\tgrep -q '^$(NAME): PASS' build/icarus.log\n\n"
      "verilator:\n"
      "\tmkdir -p build\n"
      "\tverilator --binary -MAKEFLAGS 'VM_PARALLEL_BUILDS=0 OPT_FAST=$(OPTIMISE) OPT_SLOW=$(OPTIMISE) "
      "OPT_GLOBAL=$(OPTIMISE)' --assert -Wno-fatal -Wno-lint -Wno-style "
      "--Mdir build/verilator -f $(NAME).f $(TESTBENCH) "
      "--top-module $(NAME)_testbench -o testbench > build/verilator.compile.log || (cat "
      "build/verilator.compile.log; false)\n"
      "\tbuild/verilator/testbench > build/verilator.log || (cat build/verilator.log; false)\n"
      "\tcat build/verilator.log\n"
      "\tgrep -q '^$(NAME): PASS' build/verilator.log\n\n",
      testbench);
}

std::string makefile_text(const ExportedNetwork& network, const Written& written) {
  return fmt::format(
      "# {0}: {1}\n"
      "NAME := {0}\n\n"
      ".PHONY: all lint icarus verilator yosys clean\n"
      "all: {2}\n\n"
      "lint:\n"
      "\tverilator --lint-only -Wall lint.vlt -f $(NAME).f --top-module $(NAME)\n\n"
      "{3}"
      "# What the network is made of, in generic cells.\n"
      "yosys:\n"
      "\tmkdir -p build\n"
      "\tyosys -q -l build/yosys.log -p 'read_verilog -sv -I rtl $(filter-out +%,$(shell cat $(NAME).f)); "
      "hierarchy -check -top $(NAME); proc; opt -fast; check -assert; tee -o build/cells.txt stat'\n"
      "\tcat build/cells.txt\n\n"
      "clean:\n"
      "\trm -rf build\n",
      network.name, network.title, network.is_bare ? "lint" : "icarus",
      network.is_bare ? std::string() : simulation_rules(written));
}

// A description for FuseSoC, in its second format of core files.
std::string core_text(const ExportedNetwork& network, const Written& written) {
  std::string text = fmt::format(
      "CAPI=2:\nname: \"::{}:{}\"\ndescription: {}\n\nfilesets:\n  rtl:\n    file_type: "
      "systemVerilogSource\n    files:\n",
      network.name, kVersion, nlohmann::json(network.title).dump());  // YAML has JSON's texts
  for (const std::string& name : written.headers)
    text += fmt::format("      - {}: {{is_include_file: true, include_path: rtl}}\n", name);
  for (const std::string& name : written.rtl) text += fmt::format("      - {}\n", name);
  text += "  lint:\n    files:\n      - lint.vlt: {file_type: vlt}\n";
  if (!network.is_bare) {
    text += "  testbench:\n    file_type: systemVerilogSource\n    files:\n";
    for (const std::string& name : written.testbench) text += fmt::format("      - {}\n", name);
    text += "  data:\n    file_type: user\n    files:\n";
    for (const std::string& name : written.data) text += fmt::format("      - {0}: {{copyto: {0}}}\n", name);
  }
  text += fmt::format(
      "\ntargets:\n"
      "  default: &default\n    filesets: [rtl]\n    toplevel: {0}\n"
      "  lint:\n    <<: *default\n    default_tool: verilator\n    filesets: [lint, rtl]\n"
      "    tools:\n      verilator: {{mode: lint-only, verilator_options: [-Wall]}}\n"
      "  synth:\n    <<: *default\n    default_tool: yosys\n    tools:\n      yosys: {{arch: ice40}}\n",
      network.name);
  if (network.is_bare) return text;
  return text + fmt::format(
                    "  sim:\n    default_tool: icarus\n    filesets: [rtl, testbench, data]\n    toplevel: "
                    "{0}_testbench\n"
                    "    tools:\n      icarus: {{iverilog_options: [-g2012]}}\n"
                    "      verilator: {{mode: binary, verilator_options: [--assert, -Wno-fatal, -Wno-lint, "
                    "-Wno-style]}}\n",
                    network.name);
}

// What the testbench does, and with which files.
std::string testbench_words(const ExportedNetwork& network) {
  return fmt::format(
      "The testbench gives each host's part of the collective to the nodes through their own ports and "
      "checks "
      "each flit that a\n"
      "host gets: what it is, through which lane it comes, and in which cycle. The run that this was made "
      "from "
      "delivered {1}\n"
      "flits, the last in cycle {2}; the testbench fails if this network takes another cycle for any of "
      "them.\n\n"
      "    make icarus      the testbench in Icarus Verilog\n"
      "    make verilator   the testbench in Verilator, 5.006 or newer\n"
      "    make lint        verilator --lint-only -Wall\n"
      "    make yosys       cells of the network in Yosys\n\n"
      "| File | Is |\n| --- | --- |\n"
      "| `testbench/{0}_testbench.sv` | the testbench: hosts, checkers, reset and start |\n"
      "| `testbench/*_host.sv` | what plays a host: it loads its node, and gives its packets |\n"
      "| `data/node_*.hex` | what each host says, and (`deliveries`) what it must get; the modules that read "
      "them tell the formats |\n",
      network.name, network.flits, network.last_delivery);
}

std::string readme_text(const ExportedNetwork& network) {
  std::string text = fmt::format(
      "# {0}: {1}\n\n"
      "The module `{0}` in `rtl/{0}.sv` is a network of {2} `{3}`s with their links and one `slot_timer`. "
      "Every parameter and\n"
      "setting has its value there. The same again: `{4}`\n\n",
      network.name, network.title, network.graph.node_count(), network.hardware.kind->top, network.command);
  text +=
      network.is_bare
          ? "`make lint` is Verilator's, `make yosys` shows the cells of the network. Hosts are not part of "
            "it.\n\n| File | Is |\n| --- | --- |\n"
          : testbench_words(network);
  text += fmt::format(
      "| `{0}.f` | all sources of the network, in order of compilation, seen from this folder |\n"
      "| `{0}.core` | the same for FuseSoC |\n"
      "| `rtl/{0}.sv` | the network: a port `node_3_...` for each port of node 3 that leads to its host |\n"
      "| `rtl/*/` | the nodes, the timer and their parts |\n\n"
      "Nodes have the numbers that the network gives them; beside its ports the module says which name each "
      "has and where its\n"
      "links lead.\n\n",
      network.name);
  text += "| Parameter | Value |\n| --- | --- |\n";
  for (const auto& [name, value] : network.hardware.parameters)
    text += fmt::format("| `{}` | {} |\n", name, value);
  text += "\n| Input of every node | Value in this network |\n| --- | --- |\n";
  for (const auto& [port, value] : tied_inputs(network, 0))
    text += fmt::format(
        "| `{}` | `{}`{} |\n", port, value,
        tied_inputs(network, network.graph.node_count() - 1).at(port) == value ? "" : ", of node 0");
  text += "\n| Port of every node, as `node_NUMBER_...` | Direction | Bits |\n| --- | --- | --- |\n";
  for (const std::string& port : outer_ports(network))
    text += fmt::format("| `{}` | {} | {} |\n", port, network.node.ports.at(port).is_input ? "in" : "out",
                        network.bits(port));
  return text;
}

// The testbench, and what its hosts and checkers read.
void write_testbench(const fs::path& folder, const ExportedNetwork& network, Written& written) {
  std::vector<std::map<std::string, MemoryFile>> files;
  for (NodeId v = 0; v < network.graph.node_count(); ++v) {
    auto& of_node = files.emplace_back();
    for (const MemoryImage& image : host_memories(network, v)) {
      const std::string name = fmt::format("data/node_{}_{}.hex", v, image.kind);
      write(folder, name, image.text());
      written.data.push_back(name);
      of_node[image.kind] = {name, image.depth()};
    }
  }
  const std::string testbench = fmt::format("testbench/{}_testbench.sv", network.name);
  write(folder, testbench, testbench_text(network, files));
  written.testbench.push_back(testbench);
}

}  // namespace

void check_export_folder(const std::string& folder) {
  std::error_code error;
  if (fs::exists(folder, error) && !(fs::is_directory(folder, error) && fs::is_empty(folder, error)))
    throw bad_input("-o {}: expected a new folder", in_quotes(folder));
  const fs::path parent = fs::absolute(folder).lexically_normal().parent_path();
  if (!fs::is_directory(parent, error))
    throw bad_input("-o {}: expected a folder that can be made", in_quotes(folder));
}

void write_export(const std::string& folder, const ExportedNetwork& network, const ExportSources& sources) {
  const fs::path target = fs::absolute(folder).lexically_normal();
  Temporary temporary(Temporary::name_beside(target));
  const fs::path& there = temporary.path();
  std::error_code error;
  if (!fs::create_directories(there, error)) throw WriteError(folder, error.message());
  Written written;
  copy_sources(there, network, sources, written);
  const std::string top = fmt::format("rtl/{}.sv", network.name);
  write(there, top, network_text(network));
  written.rtl.push_back(top);
  if (!network.is_bare) write_testbench(there, network, written);
  write(there, network.name + ".f", file_list(written));
  write(there, network.name + ".core", core_text(network, written));
  write(there, "Makefile", makefile_text(network, written));
  write(there, "README.md", readme_text(network));
  fs::remove(target, error);  // an empty one
  if (const std::error_code failed = temporary.rename_to(target)) throw WriteError(folder, failed.message());
}

}  // namespace safnet
