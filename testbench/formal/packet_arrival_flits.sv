// packet_arrival_flits - the flits that arrive in a slot are numbered from 0, and rank and destination are those of the first
// one from the cycle in which it comes until the slot ends.
//
// In a slot one packet of the phase's length comes, or none: the whole packet, and its last flit in the slot's last cycle, as
// the other end of the link sends it in the slot's first cycles and the slot lasts as much longer as the link takes. The length
// changes whenever nothing of a packet has come: where a phase begins, which no slot need have ended before.
module packet_arrival_flits #(
  parameter int LengthWidth  = 2,
  parameter int AddressWidth = 2,
  localparam int FlitWidth   = scan_pkg::HeaderWidth
) (
  input logic                   clk_i,
  input logic                   slot_last_i,
  input logic [LengthWidth-1:0] length_i,
  input logic                   flit_valid_i,
  input logic [FlitWidth-1:0]   flit_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  logic                    first, arrived, last;
  logic [LengthWidth-1:0]  index;
  logic [AddressWidth-1:0] rank_of, destination;
  packet_arrival #(.FlitWidth(FlitWidth), .LengthWidth(LengthWidth), .AddressWidth(AddressWidth)) u_dut (
    .clk_i, .rst_ni(rst_n), .slot_last_i, .length_i, .flit_valid_i, .flit_i, .first_o(first), .arrived_o(arrived),
    .last_o(last), .index_o(index), .rank_o(rank_of), .destination_o(destination)
  );

  logic [31:0]             came_q;   // flits of this slot
  logic [AddressWidth-1:0] rank_q, destination_q, first_rank, first_destination;  // of the first of them
  logic [LengthWidth-1:0]  length_q;
  assign first_rank        = came_q == '0 ? flit_i[scan_pkg::RankField +: AddressWidth] : rank_q;
  assign first_destination = came_q == '0 ? flit_i[scan_pkg::DestinationField +: AddressWidth] : destination_q;
  logic is_there;
  assign is_there = flit_valid_i || came_q != '0;
  always @(posedge clk_i) begin
    length_q <= length_i;
    came_q   <= (!rst_n || slot_last_i) ? '0 : came_q + 32'(flit_valid_i);
    if (flit_valid_i && came_q == '0) begin
      rank_q        <= first_rank;
      destination_q <= first_destination;
    end
    if (rst_n) begin
      assume (came_q == '0 || length_i == length_q);
      assume (!flit_valid_i || came_q < 32'(length_i));
      assume (!slot_last_i || (is_there ? flit_valid_i && came_q + 32'd1 == 32'(length_i) : came_q == '0));
      a_flits_are_numbered        : assert (!flit_valid_i || 32'(index) == came_q);
      a_the_first_is_the_header   : assert (!flit_valid_i || first == (came_q == '0));
      a_a_packet_has_arrived      : assert (arrived == is_there);
      a_the_last_ends_the_packet  : assert (!flit_valid_i || last == (came_q + 32'd1 == 32'(length_i)));
      a_the_rank_is_the_headers   : assert (!is_there || rank_of == first_rank);
      a_the_destination_is_the_headers : assert (!is_there || destination == first_destination);
      c_a_packet : cover (slot_last_i && came_q == 32'd2 && !(&rank_of) && (&flit_i));
    end
  end
endmodule
