// tdm_network - a whole network of tdm_nodes, wired as a generated header says (network_wiring).
//
// Hosts are brought out as flat vectors, node 0 lowest and, within a node, lane or output 0. Steps and cycles come
// from the one slot_timer. The wires between the nodes are inside; tx_valid_o and tx_flit_o show observers what enters
// the links.
module tdm_network #(
  localparam int Radix = network_topology::Radix,
`include "tdm/tdm_parameters.svh"
  localparam int Nodes = network_topology::Nodes
) (
  input  logic        clk_i,
  input  logic        rst_ni,
`include "common/as_ports.svh"
`include "tdm/tdm_ports.svh"
`include "tdm/tdm_settings.svh"
  input  logic        start_i,
  output logic        running_o,
  output logic [31:0] cycle_o,
  output logic [31:0] step_o
);
`include "common/as_signals.svh"
`include "common/link_wires.svh"

  logic slot_open_next;
  slot_timer u_slot_timer (
    .clk_i, .rst_ni, .slot_cycles_i, .start_i, .running_o, .cycle_o, .step_o,
    .slot_open_next_o (slot_open_next)
  );
  network_wiring #(.FlitWidth(FlitWidth)) u_wiring (
    .tx_valid_i(tx_valid_o), .tx_flit_i(tx_flit_o),
    .tx_credit_i(tx_credit_o), .tx_request_i('0), .tx_grant_i('0),
    .rx_valid_o(rx_valid_i), .rx_flit_o(rx_flit_i),
    .rx_credit_o(rx_credit_i), .rx_request_o(), .rx_grant_o()  // a tdm_node has neither
  );
  // Vectors as wide as all nodes' ports are dealt out to the nodes, all others go to each node.
  tdm_node #(
    .Radix(Radix), .FlitWidth(FlitWidth), .Flits(Flits), .LinkLatency(LinkLatency), .Buffers(Buffers),
    .ProgramDepth(ProgramDepth), .Window(Window), .NameWidth(NameWidth), .GenerationWidth(GenerationWidth),
    .CountWidth(CountWidth), .Combining(Combining), .Loopbacks(Loopbacks), .UnequalLinks(UnequalLinks)
  ) u_node [Nodes-1:0] (.*, .cycle_i(cycle_o), .step_i(step_o), .slot_open_next_i(slot_open_next));
endmodule
