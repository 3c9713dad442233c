// scan_timetable_phases - an interval goes through the phases of its operation, digit by digit, and each lasts as many slots,
// and each slot as many cycles, as the table in scan_timetable says; batches of both ways are numbered as they come.
//
// The configuration is any that the networks have: rings have three nodes at least, accumulations do not alternate, and ranks
// that are known need no scan. The number of packets becomes known when the scan of ranks ends; there are no more packets than
// nodes. Phases are numbered in the order in which they come, and the next is the lowest one that the operation has.
module scan_timetable_phases #(
  parameter int Digits      = 1,
  parameter int DigitWidth  = 2,
  parameter int Base        = 3,
  parameter int LengthWidth = 2,
  parameter int LinkLatency = 0,
  localparam int RankWidth  = (Digits + 1) * DigitWidth,
  localparam int IndexWidth = safnet_pkg::index_width(Digits),
  localparam int CycleWidth = $clog2((1 << LengthWidth) + LinkLatency + 1),
  localparam int PhaseWidth = scan_pkg::PhaseWidth
) (
  input logic                 clk_i,
  input logic                 begin_i,
  input logic [RankWidth-1:0] total_next_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  (* anyconst *) logic [scan_pkg::OperationWidth-1:0] operation;
  (* anyconst *) logic                   again, known, classed, ring, two_pieces, alternate;
  (* anyconst *) logic [LengthWidth-1:0] pack_flits, cast_flits;
  logic [PhaseWidth-1:0] phase;
  logic [IndexWidth-1:0] digit;
  logic [CycleWidth-1:0] cycle;
  logic [DigitWidth-1:0] hop, hops, minus_hop;
  logic [RankWidth-1:0]  plus_batch, minus_batch, total_q;
  logic                  backward, slot_last, line_last, phase_last, interval_first, interval_last, minus_finished;
  scan_timetable #(.Digits(Digits), .DigitWidth(DigitWidth), .LengthWidth(LengthWidth), .LinkLatency(LinkLatency)) u_dut (
    .clk_i, .rst_ni(rst_n), .begin_i, .operation_i(operation), .repeat_i(again), .known_i(known), .classed_i(classed),
    .base_i((DigitWidth+1)'(Base)), .ring_i(ring), .two_pieces_i(two_pieces), .alternate_i(alternate), .pack_flits_i(pack_flits),
    .cast_flits_i(cast_flits), .total_i(total_q), .total_next_i, .phase_o(phase), .backward_o(backward), .digit_o(digit),
    .cycle_o(cycle), .slot_last_o(slot_last), .hop_o(hop), .hops_o(hops), .line_last_o(line_last), .phase_last_o(phase_last),
    .interval_first_o(interval_first), .interval_last_o(interval_last), .plus_batch_o(plus_batch),
    .minus_batch_o(minus_batch), .minus_hop_o(minus_hop), .minus_finished_o(minus_finished)
  );

`include "rank_digits.svh"

  // ---- which phases there are
  logic [7:0] is_there;  // with the number of packets that is known after this cycle
  always_comb begin
    is_there = '0;
    is_there[scan_pkg::PhaseClassScan] = !known && classed;
    is_there[scan_pkg::PhaseRankScan]  = !known;
    is_there[scan_pkg::PhasePack]      = 32'(operation) == scan_pkg::OperationPack ||
                                         32'(operation) == scan_pkg::OperationBroadcast ||
                                         32'(operation) == scan_pkg::OperationMonotone;
    is_there[scan_pkg::PhaseBroadcast] = 32'(operation) == scan_pkg::OperationBroadcast && total_next_i != '0;
    is_there[scan_pkg::PhaseCombine]   = 32'(operation) == scan_pkg::OperationAccumulate && total_next_i != '0;
    is_there[scan_pkg::PhaseUnpack]    = 32'(operation) == scan_pkg::OperationMonotone ||
                                         32'(operation) == scan_pkg::OperationAccumulate;
  end
  logic [PhaseWidth-1:0] phase_q, after, first;
  always_comb begin
    after = '0;
    first = '0;
    for (int p = scan_pkg::Phases - 1; p > 0; p--) begin
      if (is_there[p] && p > 32'(phase_q)) after = PhaseWidth'(p);
      if (is_there[p]) first = PhaseWidth'(p);
    end
  end

  // ---- where the phase is: line, slot and cycle from 0
  logic [7:0] line_q, slot_q, cycle_q;
  logic        scans, batched, up, halved, first_q;
  logic [7:0] packets, lines, slots, cycles, at_digit, batches, plus_slots, minus_slots;
  assign scans    = 32'(phase_q) == scan_pkg::PhaseClassScan || 32'(phase_q) == scan_pkg::PhaseRankScan;
  assign batched  = 32'(phase_q) == scan_pkg::PhaseBroadcast || 32'(phase_q) == scan_pkg::PhaseCombine;
  assign up       = 32'(phase_q) == scan_pkg::PhasePack || 32'(phase_q) == scan_pkg::PhaseCombine;
  assign packets  = number_of(total_q);
  assign halved   = ring && !two_pieces;
  assign lines    = scans ? 8'(2 * Digits) : 8'(Digits);
  assign at_digit = scans ? (line_q < 8'(Digits) ? line_q : 8'(2 * Digits - 1) - line_q)
                          : up ? line_q : 8'(Digits - 1) - line_q;
  assign cycles   = (scans ? 8'd1 : batched ? 8'(cast_flits) : 8'(pack_flits)) + 8'(LinkLatency);

  // Batches of a line, and the slots that both ways need for them: with alternate the way plus is the longer one in even batches.
  always_comb begin
    batches = '0;
    for (int j = 0; j < Digits; j++)
      for (int n = 0; n < Base ** (Digits - 1 - j); n++)
        if (8'(j) == at_digit && packets > 8'(n * Base ** (j + 1))) batches = 8'(n + 1);
  end
  localparam int Long  = Base / 2;
  localparam int Short = (Base - 1) / 2;
  localparam int Both  = Long + Short;
  logic alternates;
  assign alternates  = halved && alternate;
  assign plus_slots  = alternates ? (batches >> 1) * 8'(Both) + (batches[0] ? 8'(Long) : 8'd0)
                                  : batches * (halved ? 8'(Long) : 8'(Base - 1));
  assign minus_slots = alternates ? (batches >> 1) * 8'(Both) + (batches[0] ? 8'(Short) : 8'd0) : plus_slots;
  assign slots       = batched ? plus_slots : !scans && ring && alternate ? 8'(Long) : 8'(Base - 1);

  // Batch and slot of it, of both ways.
  logic [7:0] plus_number, plus_slot, minus_number, minus_slot;
  always_comb begin
    {plus_number, plus_slot, minus_number, minus_slot} = '0;
    for (int s = 0; s < Base ** Digits; s++) begin
      if (8'(s) == slot_q) begin
        plus_number  = alternates ? 8'(2 * (s / Both) + (s % Both >= Long ? 1 : 0)) : halved ? 8'(s / Long) : 8'(s / (Base - 1));
        plus_slot    = alternates ? 8'(s % Both >= Long ? s % Both - Long : s % Both)
                                  : halved ? 8'(s % Long) : 8'(s % (Base - 1));
        minus_number = alternates ? 8'(2 * (s / Both) + (s % Both >= Short ? 1 : 0)) : plus_number;
        minus_slot   = alternates ? 8'(s % Both >= Short ? s % Both - Short : s % Both) : plus_slot;
      end
    end
  end
  logic [7:0] unit;  // ranks from one batch to the next
  always_comb begin
    unit = 8'd1;
    for (int j = 0; j < Digits; j++) if (8'(j) <= at_digit) unit = unit * 8'(Base);
  end

  logic idle, ends_slot, ends_line, ends_phase, ends_interval;
  assign idle          = phase_q == '0;
  assign ends_slot     = !idle && cycle_q + 8'd1 == cycles;
  assign ends_line     = ends_slot && slot_q + 8'd1 == slots;
  assign ends_phase    = ends_line && line_q + 8'd1 == lines;
  assign ends_interval = ends_phase && after == '0;
  always @(posedge clk_i) begin
    if (!rst_n) begin
      phase_q <= '0;
      first_q <= 1'b0;
      {line_q, slot_q, cycle_q} <= '0;
      total_q <= total_next_i;
    end else begin
      total_q <= total_next_i;
      first_q <= idle ? begin_i : ends_interval && again;
      if (idle) begin
        phase_q <= begin_i ? first : '0;
        {line_q, slot_q, cycle_q} <= '0;
      end else begin
        cycle_q <= ends_slot ? '0 : cycle_q + 8'd1;
        if (ends_slot)  slot_q  <= ends_line ? '0 : slot_q + 8'd1;
        if (ends_line)  line_q  <= ends_phase ? '0 : line_q + 8'd1;
        if (ends_phase) phase_q <= ends_interval && again ? first : after;
      end
    end
    assume (32'(operation) <= scan_pkg::OperationAccumulate && (!known || 32'(operation) != scan_pkg::OperationScan));
    assume (!ring || Base > 2);
    assume ((!two_pieces && !alternate) || ring);
    assume (!alternate || 32'(operation) != scan_pkg::OperationAccumulate);
    assume (pack_flits != '0 && cast_flits != '0);
    assume (are_digits(total_next_i) && 32'(number_of(total_next_i)) <= Base ** Digits);
    if (rst_n) begin
      assume (scans || total_next_i == total_q);
      a_phases_follow_each_other : assert (phase == phase_q);
      a_an_interval_begins_and_ends : assert (interval_first == first_q && interval_last == ends_interval);
      a_digits_follow_each_other : assert (idle || (8'(digit) == at_digit && (!scans || backward == (line_q >= 8'(Digits)))));
      a_slots_have_their_cycles  : assert (slot_last == ends_slot && (idle || 8'(cycle) == cycle_q));
      a_lines_have_their_slots   : assert (line_last == ends_line && (idle || batched || 8'(hop) == slot_q));
      a_phases_end_with_their_last_line : assert (phase_last == ends_phase);
      a_packing_knows_its_slots  : assert (idle || scans || batched || 8'(hops) == slots);
      a_the_way_minus_finishes_when_its_batches_are_over : assert (!batched || minus_finished == (slot_q >= minus_slots));
      a_batches_of_the_way_plus  : assert (!batched ||
        (number_of(plus_batch) == plus_number * unit && are_digits(plus_batch) && 8'(hop) == plus_slot));
      a_batches_of_the_way_minus : assert (!batched || minus_finished ||
        (number_of(minus_batch) == minus_number * unit && are_digits(minus_batch) && 8'(minus_hop) == minus_slot));
      c_combines : cover (32'(phase_q) == scan_pkg::PhaseCombine && ends_phase && first_q == 1'b0 && classed && !known);
      c_alternates : cover (interval_last && alternates && again && batched && (Digits == 1 || line_q != 8'd0));
    end
  end
endmodule
