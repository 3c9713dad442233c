// rtl_scan_parts_bench - parts of a scan_node, each by itself: a count_adder, a flit_combiner, and timetables of one and
// three digits, the latter with links of latency 1.
module rtl_scan_parts_bench #(
  parameter int DigitWidth     = 2,
  parameter int RemainderWidth = 2,
  parameter int LengthWidth    = 3,
  parameter int FlitWidth      = 64,
  localparam int AdderWidth    = 2 * DigitWidth + RemainderWidth,
  localparam int RankWidth     = 4 * DigitWidth  // of three digits
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  logic [DigitWidth:0]       base_i,
  // count_adder of one digit
  input  logic [RemainderWidth:0]   remainder_base_i,
  input  logic [AdderWidth-1:0]     count_a_i,
  input  logic [AdderWidth-1:0]     count_b_i,
  output logic [AdderWidth-1:0]     count_sum_o,
  // flit_combiner
  input  logic                      first_i,
  input  logic [FlitWidth-1:0]      stored_i,
  input  logic                      a_valid_i,
  input  logic [FlitWidth-1:0]      a_i,
  input  logic                      b_valid_i,
  input  logic [FlitWidth-1:0]      b_i,
  output logic [FlitWidth-1:0]      sum_o,
  // scan_timetable
  input  logic [1:0]                begin_i,  // of one digit, of three
  input  logic [scan_pkg::OperationWidth-1:0] operation_i,
  input  logic                      known_i,
  input  logic                      classed_i,
  input  logic                      ring_i,
  input  logic                      two_pieces_i,
  input  logic                      alternate_i,
  input  logic [LengthWidth-1:0]    pack_flits_i,
  input  logic [LengthWidth-1:0]    cast_flits_i,
  input  logic [RankWidth-1:0]      total_i,
  output logic [2*scan_pkg::PhaseWidth-1:0] phase_o,
  output logic [1:0]                backward_o,
  output logic [3:0]                digit_o,
  output logic [1:0]                slot_last_o,
  output logic [1:0]                line_last_o,
  output logic [1:0]                phase_last_o,
  output logic [1:0]                interval_last_o,
  output logic [2*DigitWidth-1:0]   hop_o,
  output logic [2*DigitWidth-1:0]   minus_hop_o,
  output logic [2*RankWidth-1:0]    plus_batch_o,
  output logic [2*RankWidth-1:0]    minus_batch_o,
  output logic [1:0]                minus_finished_o
);
  count_adder #(.Digits(1), .DigitWidth(DigitWidth), .RemainderWidth(RemainderWidth)) u_adder (
    .base_i, .remainder_base_i, .a_i(count_a_i), .b_i(count_b_i), .sum_o(count_sum_o));

  flit_combiner #(.FlitWidth(FlitWidth)) u_combiner (
    .first_i, .stored_i, .a_valid_i, .a_i, .b_valid_i, .b_i, .sum_o);

  for (genvar t = 0; t < 2; t++) begin : g_timetable
    localparam int Digits      = t == 0 ? 1 : 3;
    localparam int Latency     = t;
    localparam int Width       = (Digits + 1) * DigitWidth;
    localparam int IndexWidth  = safnet_pkg::index_width(Digits);
    localparam int CycleWidth  = $clog2((1 << LengthWidth) + Latency + 1);
    logic [IndexWidth-1:0] digit;
    logic [Width-1:0]      plus_batch, minus_batch;
    logic [CycleWidth-1:0] unused_cycle;
    logic [DigitWidth-1:0] unused_hops;
    logic                  unused_first, unused;
    scan_timetable #(
      .Digits(Digits), .DigitWidth(DigitWidth), .LengthWidth(LengthWidth), .LinkLatency(Latency)
    ) u_timetable (
      .clk_i, .rst_ni,
      .begin_i          (begin_i[t]),
      .operation_i,
      .repeat_i         (1'b0),
      .known_i, .classed_i, .base_i, .ring_i, .two_pieces_i, .alternate_i, .pack_flits_i, .cast_flits_i,
      .total_i          (total_i[Width-1:0]),
      .total_next_i     (total_i[Width-1:0]),
      .phase_o          (phase_o[t*scan_pkg::PhaseWidth +: scan_pkg::PhaseWidth]),
      .backward_o       (backward_o[t]),
      .digit_o          (digit),
      .cycle_o          (unused_cycle),
      .slot_last_o      (slot_last_o[t]),
      .hop_o            (hop_o[t*DigitWidth +: DigitWidth]),
      .hops_o           (unused_hops),
      .line_last_o      (line_last_o[t]),
      .phase_last_o     (phase_last_o[t]),
      .interval_first_o (unused_first),
      .interval_last_o  (interval_last_o[t]),
      .plus_batch_o     (plus_batch),
      .minus_batch_o    (minus_batch),
      .minus_hop_o      (minus_hop_o[t*DigitWidth +: DigitWidth]),
      .minus_finished_o (minus_finished_o[t])
    );
    assign digit_o[2*t +: 2]                        = 2'(digit);
    assign plus_batch_o[t*RankWidth +: RankWidth]   = RankWidth'(plus_batch);
    assign minus_batch_o[t*RankWidth +: RankWidth]  = RankWidth'(minus_batch);
    assign unused = &{1'b0, unused_cycle, unused_hops, unused_first};
  end
endmodule
