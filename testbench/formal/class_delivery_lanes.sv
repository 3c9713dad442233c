// class_delivery_lanes - the host gets, a cycle later: every packet of a broadcast that arrives; what reaches its target in the
// last phase that moves packets home; and what was at its target before that phase began. It gets nothing else.
//
// At most one phase goes on. A class that unpacks has packed before in monotone routing, or combined in an accumulation; those
// that pack are packing alone, monotone routing and broadcasts, as scan_timetable has it.
module class_delivery_lanes #(
  parameter int FlitWidth    = 49,
  parameter int LengthWidth  = 2,
  parameter int AddressWidth = 2,
  localparam int At = scan_pkg::DestinationField
) (
  input logic                    clk_i,
  input logic [scan_pkg::OperationWidth-1:0] operation_i,
  input logic                    enable_i, packing_i, unpacking_i, broadcasting_i, first_of_pack_i, first_of_unpack_i, in_packet_i,
  input logic [LengthWidth-1:0]  index_i, length_i,
  input logic                    minus_valid_i, minus_last_i, minus_home_i, plus_valid_i, plus_last_i, plus_home_i,
  input logic                    resident_home_i,
  input logic [FlitWidth-1:0]    minus_flit_i, plus_flit_i, resident_stored_i, own_flit_i,
  input logic [AddressWidth-1:0] resident_destination_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  logic                   whole;
  logic [2:0]             valid, last;
  logic [3*FlitWidth-1:0] flit;
  class_delivery #(.FlitWidth(FlitWidth), .LengthWidth(LengthWidth), .AddressWidth(AddressWidth)) u_dut (
    .clk_i, .rst_ni(rst_n), .operation_i, .enable_i, .packing_i, .unpacking_i, .broadcasting_i, .first_of_pack_i,
    .first_of_unpack_i, .index_i, .in_packet_i, .length_i, .minus_valid_i, .minus_last_i, .minus_home_i, .minus_flit_i,
    .plus_valid_i, .plus_last_i, .plus_home_i, .plus_flit_i, .resident_home_i, .resident_destination_i, .resident_stored_i,
    .own_flit_i, .deliver_whole_o(whole), .deliver_valid_o(valid), .deliver_last_o(last), .deliver_flit_o(flit)
  );

  logic packs, unpacks;  // what the operation consists of
  assign packs   = 32'(operation_i) == scan_pkg::OperationPack || 32'(operation_i) == scan_pkg::OperationMonotone ||
                   32'(operation_i) == scan_pkg::OperationBroadcast;
  assign unpacks = 32'(operation_i) == scan_pkg::OperationMonotone || 32'(operation_i) == scan_pkg::OperationAccumulate;

  // Packets end at their targets in this phase; a packet that is here begins and ends here.
  logic ends_home, minus_due, plus_due, here_due;
  assign ends_home = unpacking_i || (packing_i && !unpacks);
  assign minus_due = minus_valid_i && (broadcasting_i || (ends_home && minus_home_i));
  assign plus_due  = plus_valid_i && (broadcasting_i || (ends_home && plus_home_i));
  assign here_due  = enable_i && in_packet_i && resident_home_i &&
                     (first_of_unpack_i || (first_of_pack_i && 32'(operation_i) == scan_pkg::OperationPack));

  logic                    began_q, whole_q, minus_due_q, plus_due_q, here_due_q, minus_last_q, plus_last_q, here_last_q, given_q;
  logic [FlitWidth-1:0]    minus_q, plus_q, here_q, here;
  logic [AddressWidth-1:0] destination_q;
  assign here = flit[2*FlitWidth +: FlitWidth];
  always @(posedge clk_i) begin
    began_q      <= rst_n;
    minus_due_q  <= rst_n && minus_due;
    plus_due_q   <= rst_n && plus_due;
    here_due_q   <= rst_n && here_due;
    whole_q      <= !broadcasting_i;
    minus_last_q <= minus_last_i;
    plus_last_q  <= plus_last_i;
    here_last_q  <= 32'(index_i) + 32'd1 == 32'(length_i);
    minus_q      <= minus_flit_i;
    plus_q       <= plus_flit_i;
    here_q       <= first_of_pack_i ? own_flit_i : resident_stored_i;
    given_q      <= first_of_unpack_i && index_i == '0;  // the header is given the destination
    destination_q <= resident_destination_i;
    assume (32'(packing_i) + 32'(unpacking_i) + 32'(broadcasting_i) <= 1);
    assume (!packing_i || packs);
    assume (!unpacking_i || unpacks);
    assume (!broadcasting_i || 32'(operation_i) == scan_pkg::OperationBroadcast);
    assume ((!first_of_pack_i || packing_i) && (!first_of_unpack_i || unpacking_i));
    assume (length_i != '0);
    if (rst_n) begin
      a_lane_minus_has_what_is_due : assert (valid[0] == minus_due_q);
      a_lane_plus_has_what_is_due  : assert (valid[1] == plus_due_q);
      a_what_was_here_is_delivered : assert (valid[2] == here_due_q);
      a_arrivals_are_as_they_came  : assert ((!valid[0] || {last[0], flit[0 +: FlitWidth]} == {minus_last_q, minus_q}) &&
                                             (!valid[1] || {last[1], flit[FlitWidth +: FlitWidth]} == {plus_last_q, plus_q}));
      a_the_last_flit_ends_it      : assert (!valid[2] || last[2] == here_last_q);
      a_what_was_here_is_as_kept   : assert (!valid[2] || given_q || here == here_q);
      a_its_header_names_its_target : assert (!(valid[2] && given_q) ||
        here == {here_q[FlitWidth-1:At+AddressWidth], destination_q, here_q[At-1:0]});
      a_it_tells_pieces_from_packets : assert (valid == '0 || whole == whole_q);
      c_all_lanes : cover (began_q && valid == 3'b111 && given_q && here != here_q);
      c_broadcast : cover (valid == 3'b011 && !whole);
      c_packed    : cover (valid == 3'b111 && last[2] && !given_q && 32'(operation_i) == scan_pkg::OperationPack);
    end
  end
endmodule
