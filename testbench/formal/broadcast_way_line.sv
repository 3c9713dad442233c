// broadcast_way_line - on a line of broadcast_ways every packet reaches every node that it has to reach on this way, once,
// before the line ends; and in slot h of a batch a node sends the packet of the node h hops back, if there is one and if it has
// further to go.
//
// A whole line or ring of Base nodes, one way of it, with links that take no longer than a slot, whose cycles are as many as
// the solver wants. The timetable is that of the class with the most packets, which may be another one. Batches of packets are as
// long as scan_timetable makes them, so that a ring with an even number of nodes may alternate; when all of this way are over the
// line goes on as long as the other way may need. Before the broadcast, and between the lines, packets of other phases arrive.
// With PassOnFirst own packets leave whenever nothing is to be passed on: then only that all arrive is asserted. The assertions
// h_... say what the registers look like in every state (broadcast_way_state).
module broadcast_way_line #(
  parameter int Plus        = 1,
  parameter int Ring        = 0,
  parameter int Base        = 3,
  parameter int Digits      = 2,
  parameter int DigitWidth  = 2,
  parameter int PassOnFirst = 0,
  localparam int AddressWidth = Digits * DigitWidth,
  localparam int RankWidth    = (Digits + 1) * DigitWidth,
  localparam int IndexWidth   = safnet_pkg::index_width(Digits)
) (
  input logic                         clk_i,
  input logic                         slot_last_i, line_ends_i, broadcasts_next_i,
  input logic [Base-1:0]              early_i, noise_i,
  input logic [Base*AddressWidth-1:0] noise_rank_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  (* anyconst *) logic                  two_pieces, alternate;
  (* anyconst *) logic [IndexWidth-1:0] digit;
  (* anyconst *) logic [RankWidth-1:0]  line;          // the digits below the current one say which line it is
  (* anyconst *) logic [RankWidth-1:0]  total, group;  // packets of this class, and of the largest, which the timetable is made for

`include "rank_digits.svh"

  // ---- timetable
  localparam int Long  = Base / 2;
  localparam int Short = (Base - 1) / 2;
  logic [7:0]           step, unit;  // from one node of the line to the next, and from one batch to the next, in ranks
  logic [7:0]           packets, most, below;
  logic [RankWidth-1:0] below_digits;
  logic [7:0] first_q, first, slot_q, length, reach;
  logic        broadcasts_q, odd_q, over_q, halved, batch_last, line_last, last_batch;
  always_comb begin
    step = 8'd1;
    for (int j = 0; j < Digits; j++) if (j < 32'(digit)) step = step * 8'(Base);
    unit = step * 8'(Base);
    below_digits = '0;
    for (int j = 0; j < Digits; j++)
      if (j < 32'(digit)) below_digits[j*DigitWidth +: DigitWidth] = line[j*DigitWidth +: DigitWidth];
  end
  assign packets = number_of(total);
  assign most    = number_of(group);
  assign below   = number_of(below_digits);
  assign first  = first_q + below;  // rank of the batch's packet of the node with coordinate 0
  assign halved = Ring != 0 && !two_pieces;
  always_comb begin
    reach = 8'(Base - 1);
    if (halved) reach = (Plus != 0) == !(alternate && odd_q) ? 8'(Long) : 8'(Short);
    length = halved && !alternate ? 8'(Long) : reach;
  end
  assign batch_last = slot_q + 8'd1 == length;
  assign last_batch = first_q + unit >= most;
  assign line_last  = line_ends_i && slot_last_i && (!broadcasts_q || over_q || (batch_last && last_batch));
  always @(posedge clk_i) begin
    if (!rst_n) begin
      broadcasts_q <= 1'b0;
      {first_q, slot_q, odd_q, over_q} <= '0;
    end else if (line_last) begin
      broadcasts_q <= broadcasts_next_i;
      {first_q, slot_q, odd_q, over_q} <= '0;
    end else if (slot_last_i && broadcasts_q && !over_q) begin
      slot_q <= batch_last ? '0 : slot_q + 8'd1;
      if (batch_last) begin
        first_q <= first_q + unit;
        odd_q   <= !odd_q;
        over_q  <= last_batch;
      end
    end
  end

  // ---- the line
  (* anyconst *) logic [AddressWidth-1:0] watched;  // a packet, by its rank
  (* anyconst *) logic [DigitWidth-1:0]   target;   // a node of the line
  logic [Base-1:0] sends, sends_own, right_sends, right_own, right_rank, comes;
  logic [Base*AddressWidth-1:0] rank_of;
  for (genvar v = 0; v < Base; v++) begin : g_node
    localparam int  Before  = Plus != 0 ? (v + Base - 1) % Base : (v + 1) % Base;
    localparam bit  HasNext = Ring != 0 || v != (Plus != 0 ? Base - 1 : 0);
    localparam bit  HasLast = Ring != 0 || v != (Plus != 0 ? 0 : Base - 1);
    logic                    arrives;
    logic [RankWidth-1:0]    own_digits;
    logic [AddressWidth-1:0] arriving_rank;
    always_comb begin
      own_digits = below_digits;
      own_digits[digit*DigitWidth +: DigitWidth] = DigitWidth'(v);
    end
    assign arrives       = broadcasts_q ? HasLast && sends[Before] && (slot_last_i || early_i[v]) : noise_i[v];
    assign arriving_rank = broadcasts_q ? rank_of[Before*AddressWidth +: AddressWidth]
                                        : noise_rank_i[v*AddressWidth +: AddressWidth];
    broadcast_way #(.Plus(Plus), .Digits(Digits), .DigitWidth(DigitWidth)) u_dut (
      .clk_i, .rst_ni(rst_n), .base_i((DigitWidth+1)'(Base)), .ring_i(Ring != 0), .two_pieces_i(two_pieces),
      .alternate_i(alternate), .own_digits_i(own_digits), .coordinate_i(DigitWidth'(v)), .digit_i(digit),
      .hop_i(DigitWidth'(slot_q)), .finished_i(over_q), .total_i(total), .pass_on_first_i(PassOnFirst != 0), .has_next_i(HasNext),
      .broadcasting_i(broadcasts_q), .slot_last_i, .line_last_i(line_last), .arrived_i(arrives), .arriving_rank_i(arriving_rank),
      .sends_o(sends[v]), .sends_own_o(sends_own[v]), .rank_o(rank_of[v*AddressWidth +: AddressWidth])
    );
    // Whose packet leaves: that of the node slot_q hops back.
    logic [7:0] origin, due_rank;
    logic        exists, due;
    assign exists   = Ring != 0 || (Plus != 0 ? 8'(v) >= slot_q : 8'(v) + slot_q < 8'(Base));
    assign origin   = Plus != 0 ? (8'(v) >= slot_q ? 8'(v) - slot_q : 8'(v + Base) - slot_q)
                                : (8'(v) + slot_q < 8'(Base) ? 8'(v) + slot_q : 8'(v) + slot_q - 8'(Base));
    assign due_rank = first + origin * step;
    assign due      = broadcasts_q && !over_q && exists && HasNext && slot_q < reach && due_rank < packets;
    assign right_sends[v] = sends[v] == due;
    assign right_own[v]   = sends_own[v] == (due && slot_q == '0);
    assign right_rank[v]  = !due || (number_of(RankWidth'(rank_of[v*AddressWidth +: AddressWidth])) == due_rank &&
                                      are_digits(RankWidth'(rank_of[v*AddressWidth +: AddressWidth])));
    assign comes[v]       = broadcasts_q && slot_last_i && arrives && arriving_rank == watched;
  end

  // ---- what comes to the target of the packet that is watched
  logic [DigitWidth-1:0] watched_origin, digit_above;
  logic [7:0]            distance, watched_reach;
  logic                  of_line, odd, reaches, came_q, twice_q;
  always_comb begin
    of_line     = number_of(RankWidth'(watched)) < packets;
    digit_above = '0;
    for (int j = 0; j < Digits; j++) begin
      if (j < 32'(digit)) of_line = of_line && watched[j*DigitWidth +: DigitWidth] == line[j*DigitWidth +: DigitWidth];
      if (j == 32'(digit) + 1) digit_above = watched[j*DigitWidth +: DigitWidth];
    end
  end
  assign odd            = digit_above[0];
  assign watched_origin = watched[digit*DigitWidth +: DigitWidth];
  assign distance       = Plus != 0 ? (target >= watched_origin ? 8'(target) - 8'(watched_origin)
                                                                : 8'(target) + 8'(Base) - 8'(watched_origin))
                                    : (watched_origin >= target ? 8'(watched_origin) - 8'(target)
                                                                : 8'(watched_origin) + 8'(Base) - 8'(target));
  always_comb begin
    watched_reach = 8'(Base - 1);
    if (halved) watched_reach = (Plus != 0) == !(alternate && odd) ? 8'(Long) : 8'(Short);
    reaches = of_line && distance != '0 && distance <= watched_reach &&
              (Ring != 0 || (Plus != 0 ? target > watched_origin : target < watched_origin));
  end

  `REGISTERS(own_batch, 8, RankWidth, g_node[%].u_dut.own_batch_q)
  `REGISTERS(pass, 8, 1, g_node[%].u_dut.pass_q)
  `REGISTERS(pass_rank, 8, AddressWidth, g_node[%].u_dut.pass_rank_q)
  logic            in_timetable, has_come;
  logic [Base-1:0] right_batches, right_passes;
  broadcast_way_state #(.Plus(Plus), .Ring(Ring), .Base(Base), .Digits(Digits), .DigitWidth(DigitWidth),
                        .PassOnFirst(PassOnFirst)) u_state (
    .broadcasts_i(broadcasts_q), .over_i(over_q), .odd_i(odd_q), .slot_i(slot_q), .length_i(length), .first_i(first_q),
    .packets_i(packets), .most_i(most), .below_i(below), .step_i(step), .unit_i(unit), .digit_i(digit),
    .own_batch_i(own_batch[Base*RankWidth-1:0]), .pass_i(pass[Base-1:0]), .pass_rank_i(pass_rank[Base*AddressWidth-1:0]),
    .reaches_i(reaches), .watched_i(watched), .watched_origin_i(8'(watched_origin)), .distance_i(distance),
    .timetable_o(in_timetable), .own_batches_o(right_batches), .passes_o(right_passes), .came_o(has_come)
  );
  always @(posedge clk_i) begin
    if (!rst_n || line_last) begin
      came_q  <= 1'b0;
      twice_q <= 1'b0;
    end else if (comes[target]) begin
      came_q  <= 1'b1;
      twice_q <= came_q;
    end
    assume (32'(digit) < Digits && are_digits(line) && are_digits(total) && are_digits(group) && are_digits(RankWidth'(watched)));
    assume (packets <= most && most != '0 && 32'(most) <= Base ** Digits);
    assume (Ring != 0 || (!two_pieces && !alternate));
    assume (32'(target) < Base);
    if (rst_n) begin
      a_packets_are_passed_on_as_far_as_they_go : assert (PassOnFirst != 0 || &right_sends);
      a_own_packets_leave_first        : assert (PassOnFirst != 0 || &right_own);
      a_it_says_which_packet_leaves    : assert (PassOnFirst != 0 || &right_rank);
      a_no_packet_comes_twice : assert (!twice_q && !(came_q && comes[target]));
      a_every_packet_comes    : assert (!(broadcasts_q && line_last) || (came_q || comes[target]) == reaches);
      h_slots_are_of_a_batch         : assert (in_timetable);
      h_own_packets_go_on_in_turn    : assert (&right_batches);
      h_what_has_come_is_passed_on   : assert (&right_passes);
      h_the_watched_packet_has_come  : assert (came_q == has_come);
      c_second_batch : cover (broadcasts_q && line_last && reaches && (Digits == 1 || first_q != '0) && below + 8'd1 == step);
    end
  end
endmodule
