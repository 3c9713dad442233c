#include "sim/export/testbench_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/export/host_memories.hpp"

namespace safnet {
namespace {

using Files = std::map<std::string, MemoryFile>;

// Cycles in which no host gives anything, until the network is started: programs and credits need a few to
// get where they wait.
std::uint32_t settle_cycles(const ExportedNetwork& network) {
  return 64 + 4 * static_cast<std::uint32_t>(network.hardware.value("LinkLatency", 0));
}

class Instance {
 public:
  Instance(std::string module, std::string name) : module_(std::move(module)), name_(std::move(name)) {}
  template <class Value>
  Instance& set(const std::string& parameter, const Value& value) {
    parameters_ += fmt::format("{}\n    .{}({})", parameters_.empty() ? "" : ",", parameter, value);
    return *this;
  }
  Instance& join(const std::string& port, const std::string& wire) {
    ports_ += fmt::format(",\n    .{} ({})", port, wire);
    return *this;
  }
  std::string text() const {
    return fmt::format("  {} #({}\n  ) {} (\n    .clk_i, .rst_ni{}\n  );\n", module_, parameters_, name_,
                       ports_);
  }

 private:
  std::string module_, name_, parameters_, ports_;
};

// Files of a memory as parameters of the host: TableDepth, TableFile.
void set_memory(Instance& host, const std::string& parameter, const MemoryFile& file) {
  host.set(parameter + "Depth", file.depth);
  host.set(parameter + "File", "\"" + file.path + "\"");
}

void join_all(Instance& host, NodeId v, std::initializer_list<const char*> outputs,
              std::initializer_list<const char*> inputs) {
  for (const std::string port : outputs) host.join(port + "_o", outer_name(v, port + "_i"));
  for (const std::string port : inputs) host.join(port + "_i", outer_name(v, port + "_o"));
}

std::string router_host_text(const ExportedNetwork& network, NodeId v, const Files& files) {
  Instance host("router_host", fmt::format("u_host_{}", v));
  int width = 0;
  std::string word;
  for (const std::string& port : table_ports(network)) {
    width += network.bits(port);
    word = outer_name(v, port) + (word.empty() ? "" : ", ") + word;
  }
  host.set("TableWidth", width);
  set_memory(host, "Table", files.at("table"));
  const int ports = network.bits("inject_valid_i");
  const bool ranked = network.has("inject_rank_i");
  host.set("InjectPorts", ports).set("FlitWidth", network.value("FlitWidth"));
  host.set("RankWidth", ranked ? network.bits("inject_rank_i") / ports : 1);
  set_memory(host, "Inject", files.at("packets"));
  host.join("hold_i", network.hosts_start_empty ? "!running_o" : "1'b0");
  host.join("table_word_o", "{" + word + "}");
  join_all(host, v, {"table_valid", "inject_valid", "inject_flit"}, {"inject_ready"});
  host.join("inject_rank_o", ranked ? outer_name(v, "inject_rank_i") : "");
  return host.join("moves_o", fmt::format("moves[{}]", v)).join("done_o", fmt::format("said[{}]", v)).text();
}

std::string tdm_host_text(const ExportedNetwork& network, NodeId v, const Files& files) {
  Instance host("tdm_host", fmt::format("u_host_{}", v));
  for (const char* parameter : {"Lanes", "Outputs", "OwnStreams", "ReceiveWidth", "SendWidth", "FlitWidth"})
    host.set(parameter, network.value(parameter));
  set_memory(host, "Receive", files.at("receive"));
  set_memory(host, "Send", files.at("send"));
  set_memory(host, "Own", files.at("own"));
  host.join("step_i", "step_o");
  join_all(host, v,
           {"receive_valid", "receive", "receive_more", "send_valid", "send", "send_more", "own_valid",
            "own_flit"},
           {"receive_ready", "send_ready", "own_ready"});
  return host.join("moves_o", fmt::format("moves[{}]", v)).join("done_o", fmt::format("said[{}]", v)).text();
}

std::string scan_host_text(const ExportedNetwork& network, NodeId v, const Files& files) {
  Instance host("scan_host", fmt::format("u_host_{}", v));
  host.set("Active", network.hosts[v].pending ? 1 : 0);
  for (const char* parameter : {"Classes", "LengthWidth", "FlitWidth", "RemainderWidth", "MemoryWidth"})
    host.set(parameter, network.value(parameter));
  set_memory(host, "Load", files.at("load"));
  host.set("OwnFile", "\"" + files.at("own").path + "\"");
  join_all(host, v, {"pending", "own_flit", "load_valid", "load_class", "load_address", "load_flit"},
           {"active", "interval_first", "own_index"});
  return host.join("moves_o", fmt::format("moves[{}]", v)).join("done_o", fmt::format("said[{}]", v)).text();
}

std::string checker_text(const ExportedNetwork& network, NodeId v, const Files& files) {
  Instance checker("delivery_checker", fmt::format("u_checker_{}", v));
  checker.set("Lanes", network.bits("deliver_valid_o")).set("FlitWidth", network.value("FlitWidth"));
  set_memory(checker, "", files.at("deliveries"));
  checker.join("cycle_i", "cycle_o");
  for (const char* port : {"deliver_valid", "deliver_last", "deliver_flit"})
    checker.join(fmt::format("{}_i", port), outer_name(v, fmt::format("{}_o", port)));
  checker.join("flits_o", fmt::format("flits[{}*32 +: 32]", v));
  checker.join("errors_o", fmt::format("errors[{}*32 +: 32]", v));
  return checker.join("done_o", fmt::format("got_all[{}]", v)).text();
}

// A counter of all nodes as one vector, node 0 lowest.
std::string all_nodes(const ExportedNetwork& network, const std::string& port) {
  std::string text;
  for (NodeId v = network.graph.node_count(); v-- > 0;)
    text += (text.empty() ? "" : ", ") + outer_name(v, port);
  return "{" + text + "}";
}

// Counters of all nodes, and the process that resets, starts and judges.
std::string end_text(const ExportedNetwork& network) {
  const bool interval = network.has("last_cycle_o");
  std::string text;
  text += fmt::format("  assign last_delivery_cycle = {};\n", all_nodes(network, "last_delivery_cycle_o"));
  text += fmt::format("  assign last_cycle          = {};\n\n",
                      interval ? all_nodes(network, "last_cycle_o") : std::string("{Nodes*32{1'b0}}"));
  text += fmt::format(
      "  // ---- what all nodes say ----\n"
      "  logic [31:0] all_flits, all_errors, latest_delivery, latest_cycle;\n"
      "  always_comb begin\n"
      "    all_flits       = '0;\n"
      "    all_errors      = '0;\n"
      "    latest_delivery = '0;\n"
      "    latest_cycle    = '0;\n"
      "    for (int v = 0; v < Nodes; v++) begin\n"
      "      all_flits  = all_flits + flits[v*32 +: 32];\n"
      "      all_errors = all_errors + errors[v*32 +: 32];\n"
      "      if (last_delivery_cycle[v*32 +: 32] > latest_delivery) latest_delivery = "
      "last_delivery_cycle[v*32 +: 32];\n"
      "      if (last_cycle[v*32 +: 32] > latest_cycle)             latest_cycle    = last_cycle[v*32 +: "
      "32];\n"
      "    end\n"
      "  end\n\n"
      "  // ---- reset, loading, start, end ----\n"
      "  always #5 clk_i = ~clk_i;\n"
      "  logic [31:0] clocks_q = '0, quiet_q = '0;\n"
      "  always_ff @(posedge clk_i) begin\n"
      "    clocks_q <= clocks_q + 32'd1;\n"
      "    rst_ni   <= clocks_q > 32'd3;\n"
      "    quiet_q  <= (!rst_ni || moves != '0) ? '0 : quiet_q + 32'd1;\n"
      "    start_i  <= quiet_q == SettleCycles && !running_o;\n"
      "    if (cycle_o == LastCycle + 32'd16) begin\n"
      "      if (all_errors == '0 && got_all == '1 && said == '1 && all_flits == Flits && latest_delivery == "
      "LastDelivery{1})\n"
      "        $display(\"{0}: PASS, %0d flits for %0d hosts, the last in cycle %0d\", all_flits, Nodes, "
      "latest_delivery);\n"
      "      else\n"
      "        $fatal(1, \"{0}: FAIL, %0d of %0d flits, %0d wrong, the last in cycle %0d, expected %0d\", "
      "all_flits, Flits,\n"
      "               all_errors, latest_delivery, LastDelivery);\n"
      "      $finish;\n"
      "    end\n"
      "  end\n"
      "endmodule\n",
      network.name, interval ? " &&\n          latest_cycle == LastCycle" : "");
  return text;
}

}  // namespace

std::string testbench_text(const ExportedNetwork& network, const std::vector<Files>& files) {
  const Graph& graph = network.graph;
  const std::vector<std::string> outer = outer_ports(network);
  std::string text = fmt::format(
      "// {0}_testbench - {1}, as the run did that this was exported from: the same packets from every host, "
      "the same\n"
      "// flits to every host, each in the same cycle. Run it from the folder that holds data/.\n"
      "module {0}_testbench;\n"
      "  localparam int          Nodes        = {2};\n"
      "  localparam logic [31:0] SettleCycles = 32'd{3};  // in which no host gives anything, before the "
      "start\n"
      "  localparam logic [31:0] LastDelivery = 32'd{4};  // cycle, of the run\n"
      "  localparam logic [31:0] LastCycle    = 32'd{5};  // of the run\n"
      "  localparam logic [31:0] Flits        = 32'd{6};  // that hosts got\n\n"
      "  logic        clk_i = 1'b0, rst_ni = 1'b0, start_i = 1'b0;\n"
      "  wire         running_o;\n"
      "  wire  [31:0] cycle_o, step_o;\n"
      "  wire  [Nodes-1:0]    moves, said, got_all;\n"
      "  wire  [Nodes*32-1:0] flits, errors, last_delivery_cycle, last_cycle;\n\n",
      network.name, network.title, graph.node_count(), settle_cycles(network), network.last_delivery,
      network.cycles, network.flits);
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    for (const std::string& port : outer) {
      const int bits = network.bits(port);
      text += fmt::format("  wire  {}{};\n", bits == 1 ? "" : fmt::format("[{}:0] ", bits - 1),
                          outer_name(v, port));
    }
  }
  text += fmt::format("\n  {} u_network (\n    .clk_i, .rst_ni, .start_i, .running_o, .cycle_o, .step_o",
                      network.name);
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    for (const std::string& port : outer) text += fmt::format(",\n    .{}", outer_name(v, port));
  }
  text += "\n  );\n";
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    text += fmt::format("\n  // node {}\n", graph.node_name(v));
    const auto said = collective_inputs(network, v);
    for (const auto& [port, value] : said)
      text += fmt::format("  assign {} = {};\n", outer_name(v, port), value);
    const HostModule host = network.host();
    text += host == HostModule::kRouter ? router_host_text(network, v, files[v])
            : host == HostModule::kTdm  ? tdm_host_text(network, v, files[v])
                                        : scan_host_text(network, v, files[v]);
    text += checker_text(network, v, files[v]);
  }
  text += end_text(network);
  return text;
}

}  // namespace safnet
