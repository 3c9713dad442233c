// packing_unit_mesh - packing takes the packet of rank r to the node whose address is r, and unpacking takes it from there to the
// active node that is the r-th; on the way no link is wanted twice in a slot, and no two packets rest at a node.
//
// A whole mesh, or torus, of Base ** Digits nodes with a packing_unit each, and any set of active nodes: a node's rank is the number
// of active nodes with smaller addresses (Varvarigos and Bertsekas, Theorems 3 and 4). A slot has one cycle, and what leaves in it
// arrives in it. In an accumulation there is no packing: unpacking begins with the sums that were combined at the nodes of addresses
// below the number of ranks. After 2 * Digits * Hops + 2 cycles nothing moves any more, so that more
// cycles would show nothing else.
module packing_unit_mesh #(
  parameter int Base       = 3,
  parameter int Digits     = 2,
  parameter int DigitWidth = 2,
  parameter int Ring       = 0,
  parameter int Alternate  = 0,  // round rings packets go the shorter way
  localparam int AddressWidth = Digits * DigitWidth,
  localparam int RankWidth    = (Digits + 1) * DigitWidth,
  localparam int IndexWidth   = safnet_pkg::index_width(Digits),
  localparam int Nodes        = Base ** Digits
) (
  input logic clk_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  // ---- ranks
  (* anyconst *) logic [Nodes-1:0] active;
  (* anyconst *) logic             accumulating;
`include "rank_digits.svh"
  logic [RankWidth-1:0]          total;
  logic [Nodes*RankWidth-1:0]    rank_of;          // of each node: how many active ones are below
  logic [AddressWidth-1:0]       home_of [Nodes];  // of each rank: the active node that has it
  logic [RankWidth:0]            counted [Nodes+1];
  always_comb begin
    counted[0] = '0;
    for (int v = 0; v < Nodes; v++) counted[v+1] = counted[v] + (RankWidth+1)'(active[v]);
    total = '0;
    for (int n = 0; n <= Nodes; n++) if (32'(counted[Nodes]) == n) total = digits_of(n);
    rank_of = '0;
    for (int r = 0; r < Nodes; r++) home_of[r] = '0;
    for (int v = 0; v < Nodes; v++) begin
      for (int r = 0; r < Nodes; r++) begin
        if (32'(counted[v]) == r) begin
          rank_of[v*RankWidth +: RankWidth] = digits_of(r);
          if (active[v]) home_of[r] = AddressWidth'(digits_of(v));
        end
      end
    end
  end

  // ---- timetable: packing from digit 0 up, unpacking down again
  localparam int Hops = (Ring != 0 && Alternate != 0) ? Base / 2 : Base - 1;
  logic                  packing_q, unpacking_q, first_q, done_q, line_last, phase_last;
  logic [IndexWidth-1:0] digit_q;
  logic [DigitWidth-1:0] hop_q;
  assign line_last  = (packing_q || unpacking_q) && 32'(hop_q) == Hops - 1;
  assign phase_last = line_last && 32'(digit_q) == (packing_q ? Digits - 1 : 0);
  always @(posedge clk_i) begin
    if (!rst_n) begin
      {done_q, hop_q} <= '0;
      packing_q   <= !accumulating;
      unpacking_q <= accumulating;
      digit_q     <= accumulating ? IndexWidth'(Digits - 1) : '0;
      first_q     <= 1'b1;
    end else if (packing_q || unpacking_q) begin
      first_q <= phase_last;
      hop_q   <= line_last ? '0 : hop_q + DigitWidth'(1);
      if (line_last && !phase_last) digit_q <= packing_q ? digit_q + IndexWidth'(1) : digit_q - IndexWidth'(1);
      if (phase_last) begin
        packing_q   <= 1'b0;
        unpacking_q <= packing_q;
        done_q      <= unpacking_q;
      end
    end
  end

  // ---- the mesh
  logic [Nodes-1:0]              minus_sends, plus_sends, rests, told_wrong;
  logic [Nodes*AddressWidth-1:0] minus_rank, plus_rank, rest_rank;
  for (genvar v = 0; v < Nodes; v++) begin : g_node
    logic [RankWidth-1:0]    address;
    logic [AddressWidth-1:0] target, destination, stored_destination, from_above_rank, from_below_rank, above_home, below_home;
    logic                    from_above, from_below, minus_home, plus_home;
    assign address = digits_of(v);
    always_comb begin
      {from_above, from_below, from_above_rank, from_below_rank} = '0;
      for (int j = 0; j < Digits; j++) begin
        if (32'(digit_q) == j) begin
          // The neighbours along this digit, of the larger and of the smaller coordinate.
          if (Ring != 0 || v / Base ** j % Base != Base - 1) begin
            from_above      = minus_sends[v / Base ** j % Base != Base - 1 ? v + Base ** j : v - (Base - 1) * Base ** j];
            from_above_rank = minus_rank[(v / Base ** j % Base != Base - 1 ? v + Base ** j : v - (Base - 1) * Base ** j) * AddressWidth
                                         +: AddressWidth];
          end
          if (Ring != 0 || v / Base ** j % Base != 0) begin
            from_below      = plus_sends[v / Base ** j % Base != 0 ? v - Base ** j : v + (Base - 1) * Base ** j];
            from_below_rank = plus_rank[(v / Base ** j % Base != 0 ? v - Base ** j : v + (Base - 1) * Base ** j) * AddressWidth
                                        +: AddressWidth];
          end
        end
      end
      {stored_destination, above_home, below_home} = '0;
      // In an accumulation a sum's header names the node that wants it if that node has sent a part: not if the sum is there.
      for (int r = 0; r < Nodes; r++) begin
        if (rest_rank[v*AddressWidth +: AddressWidth] == AddressWidth'(digits_of(r)) &&
            !(accumulating && home_of[r] == address[AddressWidth-1:0])) stored_destination = home_of[r];
        if (from_above_rank == AddressWidth'(digits_of(r))) above_home = home_of[r];
        if (from_below_rank == AddressWidth'(digits_of(r))) below_home = home_of[r];
      end
    end
    packing_unit #(.Digits(Digits), .DigitWidth(DigitWidth)) u_dut (
      .clk_i, .rst_ni(rst_n), .base_i((DigitWidth+1)'(Base)), .ring_i(Ring != 0), .alternate_i(Alternate != 0),
      .accumulating_i(accumulating), .address_i(address[AddressWidth-1:0]), .enable_i(1'b1), .packing_i(packing_q),
      .unpacking_i(unpacking_q), .first_of_pack_i(packing_q && first_q), .first_of_unpack_i(unpacking_q && first_q),
      .digit_i(digit_q), .hop_i(hop_q), .hops_i(DigitWidth'(Hops)), .slot_last_i(1'b1), .line_last_i(line_last),
      .phase_last_i(phase_last), .own_valid_i(active[v]), .own_rank_i(rank_of[v*RankWidth +: AddressWidth]), .total_i(total),
      .stored_destination_i(stored_destination), .minus_arrived_i(from_above), .minus_rank_i(from_above_rank),
      .minus_destination_i(above_home), .plus_arrived_i(from_below), .plus_rank_i(from_below_rank),
      .plus_destination_i(below_home), .resident_valid_o(rests[v]), .resident_rank_o(rest_rank[v*AddressWidth +: AddressWidth]),
      .resident_target_o(target), .resident_destination_o(destination), .minus_home_o(minus_home), .plus_home_o(plus_home),
      .minus_sends_o(minus_sends[v]), .minus_send_rank_o(minus_rank[v*AddressWidth +: AddressWidth]),
      .plus_sends_o(plus_sends[v]), .plus_send_rank_o(plus_rank[v*AddressWidth +: AddressWidth])
    );
    // Of what arrives it is told whether it has come to the node that it has to go to.
    assign told_wrong[v] = (from_above && minus_home != ((packing_q ? from_above_rank : above_home) == address[AddressWidth-1:0])) ||
                     (from_below && plus_home != ((packing_q ? from_below_rank : below_home) == address[AddressWidth-1:0]));
  end

  logic [Nodes-1:0] packed_right, unpacked_right;
  always_comb begin
    for (int v = 0; v < Nodes; v++) begin
      packed_right[v]   = rests[v] == (digits_of(v) < total) &&
                          (!rests[v] || rest_rank[v*AddressWidth +: AddressWidth] == AddressWidth'(digits_of(v)));
      unpacked_right[v] = rests[v] == active[v] &&
                          (!rests[v] || rest_rank[v*AddressWidth +: AddressWidth] == rank_of[v*RankWidth +: AddressWidth]);
    end
  end
  always @(posedge clk_i) begin
    if (rst_n) begin
      a_every_packet_is_packed : assert (!(unpacking_q && first_q && !accumulating) || &packed_right);
      a_every_packet_comes_home : assert (!done_q || &unpacked_right);
      a_it_says_who_is_at_home : assert (told_wrong == '0 || !(packing_q || unpacking_q));
      c_all_move : cover (done_q && !active[0] && active[Nodes-1] && total != '0 && counted[Nodes] == (RankWidth+1)'(Nodes - 1));
      c_sums     : cover (done_q && accumulating && !active[0] && active[Nodes-1]);
    end
  end
endmodule
