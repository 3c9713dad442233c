// packing_unit - packing and unpacking at one node: which packet rests here, and which leaves in each direction of the
// current line.
//
// Packing takes the packet of rank r to the node whose address is r (Varvarigos and Bertsekas, partial multinode
// broadcast in meshes, Theorem 3), digit by digit from digit 0: a packet leaves in the first slot of a digit that is
// wrong and is passed on until it is right. Unpacking takes packets from there to their own destinations (Theorem 4),
// the last digit first: a packet leaves so late that it arrives in the last slot of the digit. At the end of a slot at
// most one packet rests at a node, and no two packets want the same link in a slot; assertions check both.
//
// "minus" is the direction towards smaller coordinates, "plus" towards larger. What leaves is a function of registers
// and, when packing or unpacking begins, of what the node has then: its own packet, or the sum that was combined here.
module packing_unit #(
  parameter int Digits      = 2,
  parameter int DigitWidth  = 2,
  localparam int AddressWidth = Digits * DigitWidth,
  localparam int RankWidth    = (Digits + 1) * DigitWidth,
  localparam int IndexWidth   = safnet_pkg::index_width(Digits)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // configuration
  input  logic [DigitWidth:0]     base_i,
  input  logic                    ring_i,
  input  logic                    alternate_i,          // round a ring packets go the shorter way
  input  logic                    accumulating_i,       // the operation is an accumulation
  input  logic [AddressWidth-1:0] address_i,            // of this node
  // timetable
  input  logic                    enable_i,             // this class takes part; for the assertions
  input  logic                    packing_i,
  input  logic                    unpacking_i,
  input  logic                    first_of_pack_i,      // the first slot of packing
  input  logic                    first_of_unpack_i,
  input  logic [IndexWidth-1:0]   digit_i,
  input  logic [DigitWidth-1:0]   hop_i,                // slot within the line
  input  logic [DigitWidth-1:0]   hops_i,               // slots of the line
  input  logic                    slot_last_i,
  input  logic                    line_last_i,
  input  logic                    phase_last_i,
  // the node's own packet, and how many there are
  input  logic                    own_valid_i,
  input  logic [AddressWidth-1:0] own_rank_i,
  input  logic [RankWidth-1:0]    total_i,
  // destination in the header that the memory holds for resident_rank_o
  input  logic [AddressWidth-1:0] stored_destination_i,
  // what arrives, moving minus and plus
  input  logic                    minus_arrived_i,
  input  logic [AddressWidth-1:0] minus_rank_i,
  input  logic [AddressWidth-1:0] minus_destination_i,
  input  logic                    plus_arrived_i,
  input  logic [AddressWidth-1:0] plus_rank_i,
  input  logic [AddressWidth-1:0] plus_destination_i,
  // the packet that rests here, and where it has to go
  output logic                    resident_valid_o,
  output logic [AddressWidth-1:0] resident_rank_o,
  output logic [AddressWidth-1:0] resident_target_o,
  output logic [AddressWidth-1:0] resident_destination_o,  // of a sum: also known if this node itself wants it
  // whether what arrives has reached the node that it has to go to
  output logic                    minus_home_o,
  output logic                    plus_home_o,
  // what leaves
  output logic                    minus_sends_o,
  output logic [AddressWidth-1:0] minus_send_rank_o,
  output logic                    plus_sends_o,
  output logic [AddressWidth-1:0] plus_send_rank_o
);
  logic                    resident_q, leaves, goes_plus, minus_transit_q, plus_transit_q, minus_stays, plus_stays;
  logic [AddressWidth-1:0] resident_rank_q, resident_target_q, minus_transit_rank_q, plus_transit_rank_q;
  logic [AddressWidth-1:0] minus_target, plus_target;
  logic [DigitWidth-1:0]   coordinate, target, distance, way_plus, way_minus;
  assign coordinate = address_i[digit_i*DigitWidth +: DigitWidth];

  // ---- the packet that rests here
  // At the beginning of packing this is the node's own packet; when unpacking begins after combining, the sum for the
  // rank that is this node's address.
  always_comb begin
    resident_valid_o = resident_q;
    resident_rank_o  = resident_rank_q;
    if (first_of_pack_i) begin
      resident_valid_o = own_valid_i;
      resident_rank_o  = own_rank_i;
    end else if (first_of_unpack_i && accumulating_i) begin
      resident_valid_o = RankWidth'(address_i) < total_i;
      resident_rank_o  = address_i;
    end
  end
  // A sum's header names its destination if the node that wants it has sent a part here. This node may want it itself.
  assign resident_destination_o =
    stored_destination_i | ((accumulating_i && own_valid_i && resident_rank_o == own_rank_i) ? address_i : '0);
  assign resident_target_o = packing_i         ? resident_rank_o
                           : first_of_unpack_i ? resident_destination_o : resident_target_q;

  // ---- where it goes, and when
  assign target = resident_target_o[digit_i*DigitWidth +: DigitWidth];
  line_distance #(.DigitWidth(DigitWidth)) u_way_plus (
    .base_i, .ring_i, .from_i(coordinate), .to_i(target), .distance_o(way_plus));
  line_distance #(.DigitWidth(DigitWidth)) u_way_minus (
    .base_i, .ring_i, .from_i(target), .to_i(coordinate), .distance_o(way_minus));
  always_comb begin
    // On an array only one of the two ways exists; round a ring the shorter one, plus if they are equal.
    if (ring_i && alternate_i) begin
      goes_plus = {1'b0, way_plus} <= (base_i >> 1);
      distance  = goes_plus ? way_plus : way_minus;
    end else begin
      goes_plus = target > coordinate;
      distance  = goes_plus ? target - coordinate : coordinate - target;
    end
  end
  assign leaves = resident_valid_o && distance != '0 && (packing_i || distance == hops_i - hop_i);

  assign minus_sends_o     = minus_transit_q || (leaves && !goes_plus);
  assign plus_sends_o      = plus_transit_q || (leaves && goes_plus);
  assign minus_send_rank_o = minus_transit_q ? minus_transit_rank_q : resident_rank_o;
  assign plus_send_rank_o  = plus_transit_q ? plus_transit_rank_q : resident_rank_o;

  // ---- what arrives: it stays if its digit is right, else it is passed on in the next slot
  assign minus_target = packing_i ? minus_rank_i : minus_destination_i;
  assign plus_target  = packing_i ? plus_rank_i : plus_destination_i;
  assign minus_home_o = minus_target == address_i;
  assign plus_home_o  = plus_target == address_i;
  assign minus_stays  = minus_arrived_i && minus_target[digit_i*DigitWidth +: DigitWidth] == coordinate;
  assign plus_stays   = plus_arrived_i && plus_target[digit_i*DigitWidth +: DigitWidth] == coordinate;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || phase_last_i) begin
      minus_transit_q <= 1'b0;
      plus_transit_q  <= 1'b0;
    end else if (slot_last_i) begin
      minus_transit_q <= (packing_i || unpacking_i) && minus_arrived_i && !minus_stays;
      plus_transit_q  <= (packing_i || unpacking_i) && plus_arrived_i && !plus_stays;
    end
    if (slot_last_i) begin
      minus_transit_rank_q <= minus_rank_i;
      plus_transit_rank_q  <= plus_rank_i;
    end
    if (!rst_ni) begin
      resident_q <= 1'b0;
    end else if (slot_last_i && (packing_i || unpacking_i)) begin
      resident_q        <= (resident_valid_o && !leaves) || minus_stays || plus_stays;
      resident_rank_q   <= minus_stays ? minus_rank_i : plus_stays ? plus_rank_i : resident_rank_o;
      resident_target_q <= minus_stays ? minus_target : plus_stays ? plus_target : resident_target_o;
    end
  end

  // ---- what the theorems promise
  logic moving;
  assign moving = enable_i && (packing_i || unpacking_i);
  always @(posedge clk_i) begin : a_one_packet_rests_at_a_node
    if (rst_ni && moving && slot_last_i)
      assert (32'(resident_valid_o && !leaves) + 32'(minus_stays) + 32'(plus_stays) <= 1);
  end
  always @(posedge clk_i) begin : a_a_link_is_wanted_by_one_packet
    if (rst_ni && moving) assert (!(leaves && (goes_plus ? plus_transit_q : minus_transit_q)));
  end
  always @(posedge clk_i) begin : a_digits_are_right_when_a_line_ends
    if (rst_ni && moving && line_last_i) begin
      assert (!resident_valid_o || leaves || target == coordinate);
      assert (minus_arrived_i == minus_stays && plus_arrived_i == plus_stays);
    end
  end

  initial begin : check_parameters
    if (Digits < 1 || DigitWidth < 1) $fatal(1, "packing_unit: Digits and DigitWidth must be at least 1");
  end
endmodule
