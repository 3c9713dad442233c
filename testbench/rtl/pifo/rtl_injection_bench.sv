// rtl_injection_bench - one pifo_node with four outputs, whose host injects through one, two or four ports; case_i says
// which of several parameter sets gets the packets. The test is the host and all neighbours. Injection ports that a
// parameter set does not have are never ready.
module rtl_injection_bench #(
  parameter int Radix     = 4,
  parameter int FlitWidth = 32,
  parameter int Cases     = 5,
  localparam int LabelWidth = 4,
  localparam int RankWidth  = 2
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic [2:0]                 case_i,
  output logic [7:0]                 flits_o,
  output logic [7:0]                 inject_ports_o,
  output logic [7:0]                 host_depth_o,
  // label table
  input  logic                       table_valid_i,
  input  logic [LabelWidth-1:0]      table_label_i,
  input  logic [Radix-1:0]           table_mask_i,
  // host
  input  logic [Radix-1:0]           inject_valid_i,
  output logic [Radix-1:0]           inject_ready_o,
  input  logic [Radix*FlitWidth-1:0] inject_flit_i,
  input  logic [Radix*RankWidth-1:0] inject_rank_i,
  // neighbours
  output logic [Radix-1:0]           tx_valid_o,
  output logic [Radix*FlitWidth-1:0] tx_flit_o,
  input  logic [Radix-1:0]           rx_credit_i,
  output logic                       idle_o
);
  // case                                        4     3     2     1     0
  localparam logic [Cases*8-1:0] Flits       = {8'd1, 8'd1, 8'd3, 8'd3, 8'd1};
  localparam logic [Cases*8-1:0] InjectPorts = {8'd1, 8'd2, 8'd2, 8'd4, 8'd4};
  localparam logic [Cases*8-1:0] HostDepths  = {8'd3, 8'd2, 8'd2, 8'd2, 8'd2};

  logic [Radix-1:0]           ready    [Cases];
  logic [Radix-1:0]           tx_valid [Cases];
  logic [Radix*FlitWidth-1:0] tx_flit  [Cases];
  logic                       idle     [Cases];

  for (genvar c = 0; c < Cases; c++) begin : g_case
    localparam int Ports = 32'(InjectPorts[c*8 +: 8]);
    logic             here;
    logic [Ports-1:0] node_ready;
    assign here = rst_ni && case_i == 3'(c);
    assign ready[c] = Radix'(node_ready);
    /* verilator lint_off PINCONNECTEMPTY */
    pifo_node #(
      .Radix(Radix), .FlitWidth(FlitWidth), .Flits(32'(Flits[c*8 +: 8])), .QueueDepth(2),
      .HostDepth(32'(HostDepths[c*8 +: 8])), .InjectPorts(Ports), .LabelDepth(16), .RankLevels(4), .NodeIdWidth(4),
      .TagWidth(8)
    ) u_node (
      .clk_i, .rst_ni(here),
      .tx_valid_o(tx_valid[c]), .tx_flit_o(tx_flit[c]), .tx_credit_o(), .tx_request_o(), .tx_grant_o(),
      .rx_valid_i('0), .rx_flit_i('0), .rx_credit_i, .rx_request_i('0), .rx_grant_i('0),
      .fault_drop_i('0), .fault_corrupt_i('0),
      .table_valid_i, .table_label_i, .table_mask_i, .table_deliver_i(1'b0), .table_rank_i('0), .table_order_i('0),
      .table_rest_i(1'b0), .table_rest_rank_i('0), .branch_first_i('1),
      .inject_valid_i(inject_valid_i[Ports-1:0]), .inject_ready_o(node_ready),
      .inject_flit_i(inject_flit_i[Ports*FlitWidth-1:0]), .inject_rank_i(inject_rank_i[Ports*RankWidth-1:0]),
      .deliver_valid_o(), .deliver_last_o(), .deliver_flit_o(),
      .sent_o(), .received_o(), .delivered_o(), .last_delivery_cycle_o(), .last_delivery_step_o(), .delay_sum_o(),
      .occupancy_o(), .peak_occupancy_o(), .peak_transit_o(), .violations_o(), .first_violation_cycle_o(),
      .wait_credit_o(), .wait_grant_o(), .peak_stored_o(), .peak_waiting_o(), .idle_o(idle[c]),
      .slot_cycles_i(32'd1), .link_latency_i('0), .port_model_i(2'(safnet_pkg::AllPort)), .grant_cycles_i('0),
      .queue_depth_i(16'd2), .cycle_i('0), .step_i('0), .slot_open_next_i(1'b1)
    );
    /* verilator lint_on PINCONNECTEMPTY */
  end

  assign inject_ready_o = ready[case_i];
  assign tx_valid_o     = tx_valid[case_i];
  assign tx_flit_o      = tx_flit[case_i];
  assign idle_o         = idle[case_i];
  assign flits_o        = Flits[32'(case_i)*8 +: 8];
  assign inject_ports_o = InjectPorts[32'(case_i)*8 +: 8];
  assign host_depth_o   = HostDepths[32'(case_i)*8 +: 8];
endmodule

// One C++ class for all nodes: builds several times faster than with every node inlined.
`verilator_config
no_inline -module "pifo_node"
`verilog
