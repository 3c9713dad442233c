// pifo_network - a whole network of pifo_nodes, wired as a generated header says (network_wiring).
//
// Hosts are brought out as flat vectors, node 0 lowest. Steps and cycles come from the one slot_timer. The wires between
// the nodes are inside; tx_valid_o and tx_flit_o show observers what enters the links.
module pifo_network #(
  localparam int Nodes       = network_topology::Nodes,
  localparam int Radix       = network_topology::Radix,
`include "pifo/pifo_parameters.svh"
  localparam int InjectWidth = RankWidth
) (
  input  logic        clk_i,
  input  logic        rst_ni,
`include "common/as_ports.svh"
`include "pifo/pifo_ports.svh"
`include "pifo/pifo_settings.svh"
  input  logic        start_i,
  output logic        running_o,
  output logic [31:0] cycle_o,
  output logic [31:0] step_o
);
`include "common/as_signals.svh"
`include "common/router_wires.svh"

  logic slot_open_next;
  slot_timer u_slot_timer (
    .clk_i, .rst_ni, .slot_cycles_i, .start_i, .running_o, .cycle_o, .step_o,
    .slot_open_next_o (slot_open_next)
  );
  network_wiring #(.FlitWidth(FlitWidth)) u_wiring (
    .tx_valid_i(tx_valid_o), .tx_flit_i(tx_flit_o),
    .tx_credit_i(tx_credit_o), .tx_request_i(tx_request_o), .tx_grant_i(tx_grant_o),
    .rx_valid_o(rx_valid_i), .rx_flit_o(rx_flit_i),
    .rx_credit_o(rx_credit_i), .rx_request_o(rx_request_i), .rx_grant_o(rx_grant_i)
  );
  // Vectors as wide as all nodes' ports are dealt out to the nodes, all others go to each node.
  pifo_node #(
    .Radix(Radix), .FlitWidth(FlitWidth), .Flits(Flits), .LinkLatency(LinkLatency), .QueueDepth(QueueDepth),
    .HostDepth(HostDepth), .InjectPorts(InjectPorts), .LabelDepth(LabelDepth), .RankLevels(RankLevels),
    .PortModel(PortModel), .GrantCycles(GrantCycles), .NodeIdWidth(NodeIdWidth), .TagWidth(TagWidth), .DealsLinks(DealsLinks),
    .RestRanks(RestRanks)
  ) u_node [Nodes-1:0] (.*, .cycle_i(cycle_o), .step_i(step_o), .slot_open_next_i(slot_open_next));
endmodule
