// linked_tdm_node - a tdm_node with the links that lead to it: the unit that networks are wired from.
//
// Its outputs are registers of the node, its inputs the far ends of wires without delay; the latency of a link is on
// its receiving side. For parameters see tdm_node.
module linked_tdm_node #(
  parameter int Radix           = 4,
  parameter int FlitWidth       = 64,
  parameter int Flits           = 1,
  parameter int LinkLatency     = 0,  // cycles
  parameter int SlotCycles      = 1,
  parameter int Buffers         = 8,
  parameter int ProgramDepth    = 4,
  parameter int Window          = 4,
  parameter int PortModel       = 0,
  parameter int NameWidth       = 24,
  parameter int GenerationWidth = 12,
  parameter int CountWidth      = 4,
  parameter int Combining       = 1,
  localparam int Lanes          = Radix + 1,
  localparam int BufferWidth    = safnet_pkg::index_width(Buffers),
  localparam int ReceiveWidth   = BufferWidth + GenerationWidth + 2 * CountWidth + 3 + NameWidth,
  localparam int SendWidth      = BufferWidth + GenerationWidth + 1 + 32,
  localparam int OccupancyWidth = $clog2(Buffers + 1)
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic [31:0]                   cycle_i,
  input  logic [31:0]                   step_i,
  input  logic                          slot_open_next_i,
  // wires to and from the neighbours
  output logic [Radix-1:0]              tx_valid_o,
  output logic [Radix*FlitWidth-1:0]    tx_flit_o,
  output logic [Radix-1:0]              tx_credit_o,
  input  logic [Radix-1:0]              rx_valid_i,
  input  logic [Radix*FlitWidth-1:0]    rx_flit_i,
  input  logic [Radix-1:0]              rx_credit_i,
  // faults on the links that lead here
  input  logic [Radix-1:0]              fault_drop_i,
  input  logic [Radix-1:0]              fault_corrupt_i,
  // host
  input  logic [2:0]                    operation_i,
  input  logic [Lanes-1:0]              receive_valid_i,
  output logic [Lanes-1:0]              receive_ready_o,
  input  logic [Lanes*ReceiveWidth-1:0] receive_i,
  input  logic [Lanes-1:0]              receive_more_i,
  input  logic [Radix-1:0]              send_valid_i,
  output logic [Radix-1:0]              send_ready_o,
  input  logic [Radix*SendWidth-1:0]    send_i,
  input  logic [Radix-1:0]              send_more_i,
  input  logic [Lanes-1:0]              own_valid_i,
  output logic [Lanes-1:0]              own_ready_o,
  input  logic [Lanes*FlitWidth-1:0]    own_flit_i,
  output logic [Lanes-1:0]              deliver_valid_o,
  output logic [Lanes-1:0]              deliver_last_o,
  output logic [Lanes*FlitWidth-1:0]    deliver_flit_o,
  // measurements
  output logic [Radix*32-1:0]           sent_o,
  output logic [Radix*32-1:0]           received_o,
  output logic [31:0]                   delivered_o,
  output logic [31:0]                   last_delivery_cycle_o,
  output logic [31:0]                   last_delivery_step_o,
  output logic [63:0]                   delay_sum_o,
  output logic [OccupancyWidth-1:0]     occupancy_o,
  output logic [OccupancyWidth-1:0]     peak_occupancy_o,
  output logic [31:0]                   violations_o,
  output logic [31:0]                   first_violation_cycle_o,
  output logic [31:0]                   dry_o,
  output logic [31:0]                   first_dry_cycle_o,
  output logic [31:0]                   mismatches_o,
  output logic [31:0]                   first_mismatch_cycle_o,
  output logic [Radix-1:0]              late_o,
  output logic [Radix-1:0]              wait_packet_o,
  output logic [Radix-1:0]              wait_credit_o,
  output logic [Lanes-1:0]              wait_buffer_o,
  output logic                          idle_o
);
  logic [Radix-1:0]           arriving, credit, in_flight, unused_request, unused_grant;
  logic [Radix*FlitWidth-1:0] arriving_flit;
  logic                       node_idle, unused;
  assign unused = &{1'b0, unused_request, unused_grant};

  for (genvar p = 0; p < Radix; p++) begin : g_link
    link #(.FlitWidth(FlitWidth), .Latency(LinkLatency)) u_link (
      .clk_i, .rst_ni,
      .flit_valid_i    (rx_valid_i[p]),
      .flit_i          (rx_flit_i[p*FlitWidth +: FlitWidth]),
      .credit_i        (rx_credit_i[p]),
      .request_i       (1'b0),
      .grant_i         (1'b0),
      .flit_valid_o    (arriving[p]),
      .flit_o          (arriving_flit[p*FlitWidth +: FlitWidth]),
      .credit_o        (credit[p]),
      .request_o       (unused_request[p]),
      .grant_o         (unused_grant[p]),
      .fault_drop_i    (fault_drop_i[p]),
      .fault_corrupt_i (fault_corrupt_i[p]),
      .in_flight_o     (in_flight[p])
    );
  end

  tdm_node #(
    .Radix(Radix), .FlitWidth(FlitWidth), .Flits(Flits), .LinkLatency(LinkLatency), .SlotCycles(SlotCycles),
    .Buffers(Buffers), .ProgramDepth(ProgramDepth), .Window(Window), .PortModel(PortModel), .NameWidth(NameWidth),
    .GenerationWidth(GenerationWidth), .CountWidth(CountWidth), .Combining(Combining)
  ) u_node (
    .clk_i, .rst_ni, .cycle_i, .step_i, .slot_open_next_i,
    .tx_valid_o, .tx_flit_o, .tx_credit_o,
    .rx_valid_i  (arriving),
    .rx_flit_i   (arriving_flit),
    .rx_credit_i (credit),
    .operation_i,
    .receive_valid_i, .receive_ready_o, .receive_i, .receive_more_i,
    .send_valid_i, .send_ready_o, .send_i, .send_more_i,
    .own_valid_i, .own_ready_o, .own_flit_i,
    .deliver_valid_o, .deliver_last_o, .deliver_flit_o,
    .sent_o, .received_o, .delivered_o, .last_delivery_cycle_o, .last_delivery_step_o, .delay_sum_o,
    .occupancy_o, .peak_occupancy_o, .violations_o, .first_violation_cycle_o, .dry_o, .first_dry_cycle_o,
    .mismatches_o, .first_mismatch_cycle_o,
    .late_o, .wait_packet_o, .wait_credit_o, .wait_buffer_o,
    .idle_o      (node_idle)
  );
  assign idle_o = node_idle && in_flight == '0;
endmodule
