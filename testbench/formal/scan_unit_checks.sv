// scan_unit_checks - a scan_unit reports every flit of a scan that is missing, comes in another cycle of its slot than that in
// which it is due, or is none that a neighbour makes; and what leaves is such a flit.
//
// A flit that comes in another slot, or at a node that has no part in the line, ends the run by an assertion of the RTL. That none
// does is assumed here.
module scan_unit_checks #(
  parameter int Digits         = 2,
  parameter int DigitWidth     = 2,
  parameter int RemainderWidth = 1,
  localparam int CountWidth = (Digits + 1) * DigitWidth + RemainderWidth,
  localparam int FlitWidth  = 2 * CountWidth + 3,
  localparam int IndexWidth = safnet_pkg::index_width(Digits)
) (
  input logic                  clk_i,
  input logic                  enable_i, backward_i, slot_first_i, slot_last_i, line_last_i, active_i,
  input logic [IndexWidth-1:0] digit_i,
  input logic [DigitWidth-1:0] hop_i,
  input logic                  rx_minus_valid_i, rx_plus_valid_i,
  input logic [FlitWidth-1:0]  rx_minus_flit_i, rx_plus_flit_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  (* anyconst *) logic [DigitWidth:0]          base;
  (* anyconst *) logic [Digits*DigitWidth-1:0] coordinates;
  logic                  plus_sent, minus_sent, minus_intact, plus_intact, fault;
  logic [FlitWidth-1:0]  flit;
  logic [CountWidth-1:0] before, total, total_now;
  scan_unit #(.Digits(Digits), .DigitWidth(DigitWidth), .RemainderWidth(RemainderWidth), .FlitWidth(FlitWidth)) u_dut (
    .clk_i, .rst_ni(rst_n), .base_i(base), .remainder_base_i((RemainderWidth+1)'(1)), .coordinates_i(coordinates),
    .enable_i, .backward_i, .digit_i, .hop_i, .slot_first_i, .slot_last_i, .line_last_i, .active_i,
    .tx_plus_valid_o(plus_sent), .tx_minus_valid_o(minus_sent), .tx_flit_o(flit), .rx_minus_valid_i, .rx_minus_flit_i,
    .rx_plus_valid_i, .rx_plus_flit_i, .minus_intact_o(minus_intact), .plus_intact_o(plus_intact), .fault_o(fault),
    .before_next_o(before), .total_next_o(total), .total_o(total_now)
  );

  logic                  are_digits, in_line;
  logic [DigitWidth-1:0] at;
  always_comb begin
    are_digits = 1'b1;
    in_line    = enable_i;
    at         = '0;
    for (int j = 0; j < Digits; j++) begin
      are_digits = are_digits && {1'b0, coordinates[j*DigitWidth +: DigitWidth]} < base;
      if (j < 32'(digit_i) && 32'(coordinates[j*DigitWidth +: DigitWidth]) + 1 != 32'(base)) in_line = 1'b0;
      if (j == 32'(digit_i)) at = coordinates[j*DigitWidth +: DigitWidth];
    end
  end
  function automatic logic is_flit(input logic [FlitWidth-1:0] f, input logic backward);
    is_flit = (^f) && f[FlitWidth-2:2*CountWidth] == '0 && (backward || f[2*CountWidth-1:CountWidth] == '0);
  endfunction
  // The neighbour with the smaller coordinate sends in the slot of its coordinate, backward the other one in that of its distance.
  logic minus_slot, plus_slot, minus_right, plus_right;
  assign minus_slot  = in_line && !backward_i && at != '0 && 32'(hop_i) + 1 == 32'(at);
  assign plus_slot   = in_line && backward_i && 32'(at) + 1 != 32'(base) && 32'(hop_i) + 32'(at) + 2 == 32'(base);
  assign minus_right = minus_slot && slot_last_i && rx_minus_valid_i && is_flit(rx_minus_flit_i, 1'b0);
  assign plus_right  = plus_slot && slot_last_i && rx_plus_valid_i && is_flit(rx_plus_flit_i, 1'b1);
  always @(posedge clk_i) begin
    assume (base >= 2 && 32'(base) <= (1 << DigitWidth) && are_digits && 32'(digit_i) < Digits);
    assume (32'(hop_i) + 1 < 32'(base));
    assume (!(enable_i && rx_minus_valid_i) || (in_line && (backward_i || minus_slot)));
    assume (!(enable_i && rx_plus_valid_i) || (in_line && (!backward_i || plus_slot)));
    if (rst_n) begin
      a_it_knows_the_flits_that_are_right : assert (minus_intact == minus_right && plus_intact == plus_right);
      a_every_fault_is_reported : assert (fault == (enable_i && ((((minus_slot && slot_last_i) || rx_minus_valid_i) && !minus_right) ||
                                                                 (((plus_slot && slot_last_i) || rx_plus_valid_i) && !plus_right))));
      a_what_leaves_is_such_a_flit : assert (!(plus_sent || minus_sent) || is_flit(flit, backward_i));
      a_it_sends_in_its_slot : assert (plus_sent == (in_line && slot_first_i && !backward_i && 32'(at) + 1 != 32'(base) && hop_i == at) &&
                                       minus_sent == (in_line && slot_first_i && backward_i && at != '0 && 32'(hop_i) + 32'(at) + 1 == 32'(base)));
      c_early : cover (fault && rx_minus_valid_i && is_flit(rx_minus_flit_i, 1'b0) && minus_slot && !slot_last_i);
    end
  end
endmodule
