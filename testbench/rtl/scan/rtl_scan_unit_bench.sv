// rtl_scan_unit_bench - a node's timetable and scan_unit, for one to three digits and for links of latency 0 and 2: six
// machines in one model, of which a test uses one. The test plays the wires, with their latency.
module rtl_scan_unit_bench #(
  parameter int DigitWidth     = 3,
  parameter int RemainderWidth = 2,
  parameter int FlitWidth      = 64,
  parameter int Machines       = 6,             // machine 2 * (digits - 1) + (latency > 0)
  localparam int ResultWidth   = 4 * DigitWidth + RemainderWidth,  // of three digits
  localparam int AddressWidth  = 3 * DigitWidth
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [Machines-1:0]             begin_i,
  input  logic [DigitWidth:0]             base_i,
  input  logic [RemainderWidth:0]         remainder_base_i,
  input  logic [AddressWidth-1:0]         coordinates_i,
  input  logic                            active_i,
  output logic [Machines*2-1:0]           digit_o,
  output logic [Machines-1:0]             running_o,
  output logic [Machines-1:0]             interval_last_o,
  output logic [Machines-1:0]             tx_plus_valid_o,
  output logic [Machines-1:0]             tx_minus_valid_o,
  output logic [Machines*FlitWidth-1:0]   tx_flit_o,
  input  logic [Machines-1:0]             rx_minus_valid_i,
  input  logic [FlitWidth-1:0]            rx_minus_flit_i,
  input  logic [Machines-1:0]             rx_plus_valid_i,
  input  logic [FlitWidth-1:0]            rx_plus_flit_i,
  output logic [Machines-1:0]             minus_intact_o,
  output logic [Machines-1:0]             plus_intact_o,
  output logic [Machines-1:0]             fault_o,
  output logic [Machines*ResultWidth-1:0] before_next_o,
  output logic [Machines*ResultWidth-1:0] total_next_o,
  output logic [Machines*ResultWidth-1:0] total_o
);
  for (genvar m = 0; m < Machines; m++) begin : g_machine
    localparam int Digits     = m / 2 + 1;
    localparam int Latency    = 2 * (m % 2);
    localparam int CountWidth = (Digits + 1) * DigitWidth + RemainderWidth;
    localparam int RankWidth  = (Digits + 1) * DigitWidth;
    localparam int IndexWidth = safnet_pkg::index_width(Digits);
    localparam int CycleWidth = $clog2(2 + Latency + 1);
    logic [IndexWidth-1:0]           digit;
    logic [scan_pkg::PhaseWidth-1:0] phase;
    logic [CycleWidth-1:0]           cycle;
    logic [DigitWidth-1:0]           hop, unused_hops, unused_minus_hop;
    logic [RankWidth-1:0]            unused_plus_batch, unused_minus_batch;
    logic [CountWidth-1:0]           before_next, total_next, total;
    logic backward, slot_last, line_last, unused_phase_last, unused_first, unused;
    logic unused_minus_finished;
    scan_timetable #(.Digits(Digits), .DigitWidth(DigitWidth), .LengthWidth(1), .LinkLatency(Latency)) u_timetable (
      .clk_i, .rst_ni,
      .begin_i          (begin_i[m]),
      .operation_i      (3'(scan_pkg::OperationScan)),
      .repeat_i         (1'b0),
      .known_i          (1'b0),
      .classed_i        (1'b0),
      .base_i,
      .ring_i           (1'b0),
      .two_pieces_i     (1'b0),
      .alternate_i      (1'b0),
      .pack_flits_i     (1'b1),
      .cast_flits_i     (1'b1),
      .total_i          ('0),
      .total_next_i     ('0),
      .phase_o          (phase),
      .backward_o       (backward),
      .digit_o          (digit),
      .cycle_o          (cycle),
      .slot_last_o      (slot_last),
      .hop_o            (hop),
      .hops_o           (unused_hops),
      .line_last_o      (line_last),
      .phase_last_o     (unused_phase_last),
      .interval_first_o (unused_first),
      .interval_last_o  (interval_last_o[m]),
      .plus_batch_o     (unused_plus_batch),
      .minus_batch_o    (unused_minus_batch),
      .minus_hop_o      (unused_minus_hop),
      .minus_finished_o (unused_minus_finished)
    );
    scan_unit #(
      .Digits(Digits), .DigitWidth(DigitWidth), .RemainderWidth(RemainderWidth), .FlitWidth(FlitWidth)
    ) u_scan (
      .clk_i, .rst_ni, .base_i, .remainder_base_i,
      .coordinates_i    (coordinates_i[Digits*DigitWidth-1:0]),
      .enable_i         (phase != '0),
      .backward_i       (backward),
      .digit_i          (digit),
      .hop_i            (hop),
      .slot_first_i     (cycle == '0),
      .slot_last_i      (slot_last),
      .line_last_i      (line_last),
      .active_i,
      .tx_plus_valid_o  (tx_plus_valid_o[m]),
      .tx_minus_valid_o (tx_minus_valid_o[m]),
      .tx_flit_o        (tx_flit_o[m*FlitWidth +: FlitWidth]),
      .rx_minus_valid_i (rx_minus_valid_i[m]),
      .rx_minus_flit_i,
      .rx_plus_valid_i  (rx_plus_valid_i[m]),
      .rx_plus_flit_i,
      .minus_intact_o   (minus_intact_o[m]),
      .plus_intact_o    (plus_intact_o[m]),
      .fault_o          (fault_o[m]),
      .before_next_o    (before_next),
      .total_next_o     (total_next),
      .total_o          (total)
    );
    assign digit_o[2*m +: 2]                               = 2'(digit);
    assign running_o[m]                                    = phase != '0;
    assign before_next_o[m*ResultWidth +: ResultWidth]     = ResultWidth'(before_next);
    assign total_next_o[m*ResultWidth +: ResultWidth]      = ResultWidth'(total_next);
    assign total_o[m*ResultWidth +: ResultWidth]           = ResultWidth'(total);
    assign unused = &{1'b0, unused_phase_last, unused_first, unused_hops, unused_minus_hop,
                      unused_plus_batch, unused_minus_batch, unused_minus_finished};
  end
endmodule
