// rtl_scan_node_bench - three scan_nodes in a row under one slot_timer; the test is their hosts, and damages flits on the
// links. Port 0 leads to the previous node, port 1 to the next. Packets have two flits, links no latency.
module rtl_scan_node_bench #(
  parameter int Nodes     = 3,
  parameter int FlitWidth = 64,
  localparam int Radix        = 2,
  localparam int DigitWidth   = 2,
  localparam int LengthWidth  = 2,
  localparam int AddressWidth = DigitWidth + LengthWidth,  // of a flit in the memory of ranks
  localparam int PhaseWidth   = scan_pkg::PhaseWidth,
  localparam int Phases       = scan_pkg::Phases,
  localparam int Lanes        = 3
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic                                start_i,
  output logic [31:0]                         cycle_o,
  input  logic [scan_pkg::OperationWidth-1:0] operation_i,
  // hosts
  input  logic [Nodes-1:0]                    pending_i,
  output logic [Nodes*LengthWidth-1:0]        own_index_o,
  input  logic [Nodes*FlitWidth-1:0]          own_flit_i,
  input  logic                                load_valid_i,
  input  logic [AddressWidth-1:0]             load_address_i,  // the same of all nodes
  input  logic [Nodes*FlitWidth-1:0]          load_flit_i,
  output logic [Nodes*Lanes-1:0]              deliver_valid_o,
  output logic [Nodes*Lanes-1:0]              deliver_last_o,
  // links, named by the port from which flits come
  input  logic [Nodes*Radix-1:0]              fault_corrupt_i,
  input  logic [Nodes*Radix-1:0]              stray_i,  // a flit arrives that nobody sent
  output logic [Nodes*Radix-1:0]              tx_valid_o,
  output logic [Nodes*Radix*FlitWidth-1:0]    tx_flit_o,
  // what nodes say of an interval
  output logic [Nodes*PhaseWidth-1:0]         phase_o,
  output logic [Nodes-1:0]                    interval_first_o,
  output logic [Nodes*32-1:0]                 intervals_o,
  output logic [Nodes*32-1:0]                 last_cycle_o,
  output logic [Nodes*Phases*32-1:0]          phase_cycles_o,
  output logic [Nodes*Radix*32-1:0]           sent_o,
  output logic [Nodes*Radix*32-1:0]           received_o,
  output logic [Nodes*32-1:0]                 delivered_o,
  output logic [Nodes*32-1:0]                 last_delivery_cycle_o,
  output logic [Nodes*32-1:0]                 violations_o,
  output logic [Nodes*32-1:0]                 first_violation_cycle_o
);
  logic [Nodes*Radix-1:0]           rx_valid;
  logic [Nodes*Radix*FlitWidth-1:0] rx_flit;
  logic                             slot_open_next;
  /* verilator lint_off PINCONNECTEMPTY */
  slot_timer u_timer (
    .clk_i, .rst_ni, .start_i, .cycle_o, .slot_cycles_i(32'd1), .running_o(), .step_o(),
    .slot_open_next_o(slot_open_next)
  );

  for (genvar w = 0; w < Nodes * Radix; w++) begin : g_wire
    localparam int Node  = w / Radix;
    localparam int There = (w % Radix == 0) ? (Node - 1) * Radix + 1 : (Node + 1) * Radix;
    if (There >= 0 && There < Nodes * Radix) begin : g_peer
      assign rx_valid[w]                       = tx_valid_o[There] || stray_i[w];
      assign rx_flit[w*FlitWidth +: FlitWidth] = tx_flit_o[There*FlitWidth +: FlitWidth];
    end else begin : g_end
      assign rx_valid[w]                       = stray_i[w];
      assign rx_flit[w*FlitWidth +: FlitWidth] = '0;
    end
  end

  for (genvar n = 0; n < Nodes; n++) begin : g_node
    scan_node #(
      .Radix(Radix), .Digits(1), .DigitWidth(DigitWidth), .Classes(1), .FlitWidth(FlitWidth), .LengthWidth(LengthWidth)
    ) u_node (
      .clk_i, .rst_ni, .cycle_i(cycle_o), .slot_open_next_i(slot_open_next),
      .operation_i, .repeat_i(1'b1), .known_i(1'b0), .classed_i(1'b0), .class_count_i(2'd1), .base_i(3'(Nodes)),
      .ring_i(1'b0), .two_pieces_i(1'b0), .alternate_i(1'b0), .pass_on_first_i(1'b0), .header_flit_i(1'b0),
      .pack_flits_i(2'd2), .cast_flits_i(2'd2), .coordinates_i(2'(n)), .plus_port_i(1'b1), .minus_port_i(1'b0),
      .known_rank_i('0), .known_total_i('0), .known_group_i('0), .known_class_i('0),
      .tx_valid_o     (tx_valid_o[n*Radix +: Radix]),
      .tx_flit_o      (tx_flit_o[n*Radix*FlitWidth +: Radix*FlitWidth]),
      .rx_valid_i     (rx_valid[n*Radix +: Radix]),
      .rx_flit_i      (rx_flit[n*Radix*FlitWidth +: Radix*FlitWidth]),
      .fault_drop_i   ('0),
      .fault_corrupt_i(fault_corrupt_i[n*Radix +: Radix]),
      .pending_i      (pending_i[n]),
      .active_o       (),
      .interval_first_o(interval_first_o[n]),
      .own_index_o    (own_index_o[n*LengthWidth +: LengthWidth]),
      .own_flit_i     (own_flit_i[n*FlitWidth +: FlitWidth]),
      .load_valid_i, .load_class_i('0), .load_address_i,
      .load_flit_i    (load_flit_i[n*FlitWidth +: FlitWidth]),
      .deliver_whole_o(),
      .deliver_valid_o(deliver_valid_o[n*Lanes +: Lanes]),
      .deliver_last_o (deliver_last_o[n*Lanes +: Lanes]),
      .deliver_flit_o (),
      .phase_o        (phase_o[n*PhaseWidth +: PhaseWidth]),
      .rank_o         (),
      .total_o        (),
      .group_total_o  (),
      .class_o        (),
      .intervals_o    (intervals_o[n*32 +: 32]),
      .last_cycle_o   (last_cycle_o[n*32 +: 32]),
      .phase_cycles_o (phase_cycles_o[n*Phases*32 +: Phases*32]),
      .sent_o         (sent_o[n*Radix*32 +: Radix*32]),
      .received_o     (received_o[n*Radix*32 +: Radix*32]),
      .delivered_o    (delivered_o[n*32 +: 32]),
      .last_delivery_cycle_o  (last_delivery_cycle_o[n*32 +: 32]),
      .violations_o           (violations_o[n*32 +: 32]),
      .first_violation_cycle_o(first_violation_cycle_o[n*32 +: 32]),
      .idle_o         ()
    );
  end
  /* verilator lint_on PINCONNECTEMPTY */
endmodule
