// packet_framing - a transmit_port sends packets of every length, and a receive_port at the far end of the wire frames them.
//
// The memory here gives any flits, and a header with any length from 1 to Flits.
module packet_framing #(
  parameter int Flits      = 3,
  parameter int PlaceWidth = 1,
  localparam int LengthWidth = $clog2(Flits + 1),
  localparam int IndexWidth  = safnet_pkg::index_width(Flits),
  localparam int LabelWidth  = 1,
  localparam int FlitWidth   = LabelWidth + LengthWidth
) (
  input logic                  clk_i,
  input logic                  accept_i, start_i, last_copy_i,
  input logic [PlaceWidth-1:0] head_place_i,
  input logic [FlitWidth-1:0]  read_flit_i,
  input logic [1:0]            mask_i,
  input logic                  deliver_i,
  input logic                  rank_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  logic [PlaceWidth-1:0] read_place;
  logic [IndexWidth-1:0] read_index, index;
  logic                  released, flit_valid, sending, last, busy, deliver, rank_of, label;
  logic [FlitWidth-1:0]  flit;
  logic [1:0]            mask;
  transmit_port #(.FlitWidth(FlitWidth), .Flits(Flits), .PlaceWidth(PlaceWidth), .LengthShift(LabelWidth)) u_dut (
    .clk_i, .rst_ni(rst_n), .accept_i, .start_i, .last_copy_i, .head_place_i, .read_place_o(read_place),
    .read_index_o(read_index), .read_flit_i, .release_o(released), .flit_valid_o(flit_valid), .flit_o(flit),
    .sending_o(sending)
  );
  receive_port #(
    .Radix(2), .FlitWidth(FlitWidth), .Flits(Flits), .LabelWidth(LabelWidth), .RankWidth(1), .LengthShift(LabelWidth)
  ) u_receive (
    .clk_i, .rst_ni(rst_n), .flit_valid_i(flit_valid), .flit_i(flit), .label_o(label), .mask_i, .deliver_i, .rank_i,
    .mask_o(mask), .deliver_o(deliver), .rank_o(rank_of), .index_o(index), .last_o(last), .busy_o(busy)
  );

  // The packet that is held, or leaves: its place, how many of its flits have left, its length.
  logic                   held_q, leaving_q, last_copy_q;
  logic [PlaceWidth-1:0]  place_q;
  logic [LengthWidth-1:0] left_q, length_q, length;
  logic [3:0]             said_q, said;  // what the table said of it
  logic                   moves, ends;
  logic [LengthWidth-1:0] number;
  assign moves  = start_i || leaving_q;
  assign number = leaving_q ? left_q : '0;
  assign length = leaving_q ? length_q : read_flit_i[LabelWidth +: LengthWidth];
  assign ends   = moves && number + LengthWidth'(1) == length;
  assign said   = leaving_q ? said_q : {mask_i, deliver_i, rank_i};
  always @(posedge clk_i) begin
    if (!rst_n) begin
      held_q    <= 1'b0;
      leaving_q <= 1'b0;
    end else begin
      if (accept_i && !start_i) held_q <= 1'b1;
      else if (start_i)         held_q <= 1'b0;
      if (accept_i) begin
        place_q     <= head_place_i;
        last_copy_q <= last_copy_i;
      end
      if (moves) begin
        leaving_q <= !ends;
        left_q    <= number + LengthWidth'(1);
        length_q  <= length;
        said_q    <= said;
      end
    end
  end
  logic [PlaceWidth-1:0] place;
  assign place = (held_q || leaving_q) ? place_q : head_place_i;

  always @(posedge clk_i) begin
    if (rst_n) begin
      assume (!leaving_q || (!start_i && !accept_i));
      assume (!start_i || held_q || accept_i);
      assume (!accept_i || !held_q);
      assume (!(start_i && !leaving_q) || (length != '0 && 32'(length) <= Flits));
      assume (!moves || leaving_q || mask_i != '0 || deliver_i);
      a_as_many_flits_as_the_header_says : assert (flit_valid == moves && sending == leaving_q);
      a_flits_come_from_the_packets_place : assert (!moves || (read_place == place && 32'(read_index) == 32'(number)));
      a_flits_are_those_of_the_memory    : assert (!moves || flit == read_flit_i);
      a_the_place_is_free_with_the_last_copy : assert (released == (start_i && (held_q ? last_copy_q : last_copy_i)));
      a_the_label_is_that_of_the_header  : assert (!moves || leaving_q || label == read_flit_i[0]);
      a_the_receiver_counts_the_flits    : assert (!moves || 32'(index) == 32'(number));
      a_the_receiver_sees_the_last_flit  : assert (last == ends && busy == leaving_q);
      a_the_answer_holds_for_all_flits   : assert (!moves || {mask, deliver, rank_of} == said);
      h_counts : assert (!leaving_q || (left_q < length_q && 32'(length_q) <= Flits && left_q != '0));
      c_longest  : cover (ends && 32'(length) == Flits && last);
      c_shortest : cover (ends && 32'(length) == 1 && last && held_q);
    end
  end
endmodule
