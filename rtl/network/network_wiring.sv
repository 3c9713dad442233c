// network_wiring - the wires of a whole network, from every node's outputs to its neighbours' inputs.
//
// The generated header network_topology.svh defines package network_topology: Nodes, Radix, and tables with an element
// per node and port, node-major. What comes in through a port is driven by FeederPort of FeederNode (16 bits each) if
// IsFed says so; what leaves through it leads to TargetPort of TargetNode if IsUsed does. Credits and grants of a link
// go back from its target's input port to its feeder's output port, beside the opposite link if there is one. A port
// that nothing leads to, or that leads nowhere, gets zeros. All outputs follow the inputs combinationally; the latency
// of links is in the nodes (node_links).
`include "network_topology.svh"

module network_wiring #(
  parameter int FlitWidth = 64,
  localparam int Ports = network_topology::Nodes * network_topology::Radix
) (
  // what the nodes send, node 0 lowest, port 0 lowest
  input  logic [Ports-1:0]           tx_valid_i,
  input  logic [Ports*FlitWidth-1:0] tx_flit_i,
  input  logic [Ports-1:0]           tx_credit_i,
  input  logic [Ports-1:0]           tx_request_i,
  input  logic [Ports-1:0]           tx_grant_i,
  // what they receive
  output logic [Ports-1:0]           rx_valid_o,
  output logic [Ports*FlitWidth-1:0] rx_flit_o,
  output logic [Ports-1:0]           rx_credit_o,
  output logic [Ports-1:0]           rx_request_o,
  output logic [Ports-1:0]           rx_grant_o
);
  for (genvar p = 0; p < Ports; p++) begin : g_port
    if (network_topology::IsFed[p]) begin : g_feeder
      localparam int From = 32'(network_topology::FeederNode[p*16 +: 16]) * network_topology::Radix
                          + 32'(network_topology::FeederPort[p*16 +: 16]);
      assign rx_valid_o[p]                       = tx_valid_i[From];
      assign rx_flit_o[p*FlitWidth +: FlitWidth] = tx_flit_i[From*FlitWidth +: FlitWidth];
      assign rx_request_o[p]                     = tx_request_i[From];
    end else begin : g_no_feeder
      assign rx_valid_o[p]                       = 1'b0;
      assign rx_flit_o[p*FlitWidth +: FlitWidth] = '0;
      assign rx_request_o[p]                     = 1'b0;
    end
    if (network_topology::IsUsed[p]) begin : g_target
      localparam int To = 32'(network_topology::TargetNode[p*16 +: 16]) * network_topology::Radix
                        + 32'(network_topology::TargetPort[p*16 +: 16]);
      assign rx_credit_o[p] = tx_credit_i[To];
      assign rx_grant_o[p]  = tx_grant_i[To];
    end else begin : g_no_target
      assign rx_credit_o[p] = 1'b0;
      assign rx_grant_o[p]  = 1'b0;
    end
  end
  // Nothing reads what a node sends through a port that leads nowhere.
  logic unused;
  assign unused = &{1'b0, tx_valid_i, tx_flit_i, tx_credit_i, tx_request_i, tx_grant_i};

  initial begin : check_parameters
    if (FlitWidth < 1) $fatal(1, "network_wiring: FlitWidth must be at least 1");
  end
endmodule
