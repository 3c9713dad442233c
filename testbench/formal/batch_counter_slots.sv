// batch_counter_slots - a batch_counter goes through all batches of a line that have a packet, each in as many slots as it
// lasts, and says which slot is the last of the last one, after which it is not asked to advance.
//
// Batches have the numbers 0, 1, ...; the smallest rank of a batch is its number above the digit that is broadcast. Digit,
// number of packets and lengths are those of the line: they change when one begins. There is a packet, as a broadcast without
// packets does not take place, and there are no more than nodes. Lengths of even and odd batches differ for an even base alone,
// as in scan_timetable.
module batch_counter_slots #(
  parameter int Digits     = 2,
  parameter int DigitWidth = 2,
  parameter int Base       = 4,
  localparam int RankWidth  = (Digits + 1) * DigitWidth,
  localparam int IndexWidth = safnet_pkg::index_width(Digits)
) (
  input logic                  clk_i,
  input logic [IndexWidth-1:0] digit_i,
  input logic [RankWidth-1:0]  total_i,
  input logic [DigitWidth-1:0] even_length_i, odd_length_i,
  input logic                  clear_i, advance_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  logic [RankWidth-1:0]  batch;
  logic [DigitWidth-1:0] hop;
  logic                  last;
  batch_counter #(.Digits(Digits), .DigitWidth(DigitWidth)) u_dut (
    .clk_i, .rst_ni(rst_n), .base_i((DigitWidth+1)'(Base)), .digit_i, .total_i, .even_length_i, .odd_length_i, .clear_i,
    .advance_i(advance_i && !done_q), .batch_o(batch), .hop_o(hop), .last_o(last)
  );

  // Numbers of what is given digit by digit; whether all digits are digits, and those of the batch up to digit_i zero.
  logic [15:0] total, smallest, unit;  // unit: ranks from one batch to the next
  logic        total_has_digits, batch_has_digits;
  always_comb begin
    total            = '0;
    smallest         = '0;
    unit             = 16'd1;
    total_has_digits = 1'b1;
    batch_has_digits = 1'b1;
    for (int j = Digits; j >= 0; j--) begin
      total            = total * 16'(Base) + 16'(total_i[j*DigitWidth +: DigitWidth]);
      smallest         = smallest * 16'(Base) + 16'(batch[j*DigitWidth +: DigitWidth]);
      if (j <= 32'(digit_i)) unit = unit * 16'(Base);
      total_has_digits = total_has_digits && 32'(total_i[j*DigitWidth +: DigitWidth]) < Base;
      batch_has_digits = batch_has_digits && 32'(batch[j*DigitWidth +: DigitWidth]) < Base &&
                         (j > 32'(digit_i) || batch[j*DigitWidth +: DigitWidth] == '0);
    end
  end

  logic [15:0]           first_q;   // rank of the first packet of the batch
  logic                  odd_q, done_q, ends;
  logic                  untouched_q;  // no slot since the last clear: the settings may still change, and the total be 0
  logic [DigitWidth-1:0] left_q, left;  // slots of the batch after this one; all of them in its first slot
  logic [DigitWidth-1:0] slot_q;
  logic                  first_slot;
  assign first_slot = slot_q == '0;
  assign left       = first_slot ? (odd_q ? odd_length_i : even_length_i) : left_q;
  assign ends       = left == '0;  // the batch
  logic [IndexWidth-1:0] digit_q;
  logic [RankWidth-1:0]  total_q;
  logic [DigitWidth-1:0] even_q, odd_length_q;
  always @(posedge clk_i) begin
    untouched_q <= !rst_n || clear_i || (untouched_q && !advance_i);
    {digit_q, total_q, even_q, odd_length_q} <= {digit_i, total_i, even_length_i, odd_length_i};
    if (!rst_n || clear_i) begin
      first_q <= '0;
      odd_q   <= 1'b0;
      done_q  <= 1'b0;
      slot_q  <= '0;
    end else if (advance_i && !done_q) begin
      left_q <= left - DigitWidth'(1);
      slot_q <= ends ? '0 : slot_q + DigitWidth'(1);
      if (ends) begin
        first_q <= first_q + unit;
        odd_q   <= !odd_q;
        done_q  <= first_q + unit >= total;
      end
    end
    assume (32'(digit_i) < Digits && total_has_digits && (total != '0 || (untouched_q && !advance_i)) && 32'(total) <= Base ** Digits);
    assume (Base % 2 == 0 || even_length_i == odd_length_i);
    if (rst_n) begin
      assume (untouched_q || {digit_q, total_q, even_q, odd_length_q} == {digit_i, total_i, even_length_i, odd_length_i});
      a_batches_are_numbered       : assert (done_q || (batch_has_digits && smallest == first_q));
      a_slots_are_counted          : assert (done_q || hop == slot_q);
      a_it_says_which_slot_is_last : assert (done_q || last == (ends && first_q + unit >= total));
      h_left   : assert (done_q || first_slot || 32'(left_q) + 32'(slot_q) == 32'(odd_q ? odd_length_i : even_length_i));
      h_batch  : assert (done_q || ((untouched_q ? first_q == '0 : first_q < total) &&
                                    (Base % 2 != 0 || odd_q == batch[(32'(digit_i) + 1)*DigitWidth])));
      c_batch_of_its_own_length : cover (done_q && hop == '0 && digit_i == '0 && total != unit && even_length_i != '0 &&
                                         (Base % 2 != 0 || even_length_i != odd_length_i));
    end
  end
endmodule
