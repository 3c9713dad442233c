// broadcast_way_state - what the registers of a line of broadcast_ways look like in every state, for broadcast_way_line: in which
// slot of which batch the line is says how many packets of its own each node has sent, and what it has to pass on.
//
// Batch k of a node has the packet k * unit_i + below_i + coordinate * step_i; a node without such a packet sends none in that
// batch and in those after it. With PassOnFirst, on the way plus of an array of three nodes, node 0 sends a packet in each slot,
// which node 1 passes on in the next; node 1 sends its first packet in the first slot, as nothing is to be passed on yet,
// and the others when node 0 has no more.
module broadcast_way_state #(
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
  // where the line is: slot_i of the batch whose packets begin with first_i, or over
  input  logic                         broadcasts_i, over_i, odd_i,
  input  logic [7:0]                   slot_i, length_i, first_i,
  // packets of this class and of the largest, those of smaller digits, and how far those of nodes and of batches are apart
  input  logic [7:0]                   packets_i, most_i, below_i, step_i, unit_i,
  input  logic [IndexWidth-1:0]        digit_i,
  // the nodes' registers
  input  logic [Base*RankWidth-1:0]    own_batch_i,
  input  logic [Base-1:0]              pass_i,
  input  logic [Base*AddressWidth-1:0] pass_rank_i,
  // the packet that is watched: of this line, from here, so far from its target
  input  logic                         reaches_i,
  input  logic [AddressWidth-1:0]      watched_i,
  input  logic [7:0]                   watched_origin_i, distance_i,
  // what holds
  output logic                         timetable_o,   // the slot is one of the batch, and the batch one of the line
  output logic [Base-1:0]              own_batches_o, // each node goes on with the first packet that it has not sent
  output logic [Base-1:0]              passes_o,      // and passes on what has come, nothing outside of a broadcast
  output logic                         came_o         // the watched packet has come to its target
);
`include "rank_digits.svh"
  // ---- the timetable
  logic       whole;
  logic [7:0] batch, batches, watched_batch, slots, begun, last_batch;
  always_comb begin
    {whole, batch, batches, watched_batch} = '0;
    for (int j = 0; j < Digits; j++) begin
      if (j == 32'(digit_i)) begin
        whole         = first_i % 8'(Base ** (j + 1)) == '0;
        batch         = first_i / 8'(Base ** (j + 1));
        batches       = (packets_i + 8'(Base ** (j + 1) - 1)) / 8'(Base ** (j + 1));
        watched_batch = number_of(RankWidth'(watched_i) >> ((j + 1) * DigitWidth));
      end
    end
  end
  assign timetable_o = !broadcasts_i ? {first_i, slot_i, odd_i, over_i} == '0 :
                       whole && odd_i == batch[0] && (over_i ? slot_i == '0 && first_i >= most_i && first_i < most_i + unit_i
                                                           : slot_i < length_i && first_i < most_i);
  assign slots      = batch * length_i + slot_i;  // since the line began; until it is over
  assign begun      = slot_i == '0 ? batch : batch + 8'd1;
  assign last_batch = (batches - 8'd1) * unit_i;

  // ---- own packets
  logic [7:0] own_of[Base], own_next[Base], packets_of[Base];
  for (genvar v = 0; v < Base; v++) begin : g_node
    localparam bit HasNext = Ring != 0 || v != (Plus != 0 ? Base - 1 : 0);
    logic [RankWidth-1:0] own_batch;
    logic                 low_digits;
    assign own_batch = own_batch_i[v*RankWidth +: RankWidth];
    always_comb begin
      packets_of[v] = packets_i == '0 ? '0 : last_batch + below_i + step_i * 8'(v) < packets_i ? batches : batches - 8'd1;
      low_digits    = 1'b1;
      own_of[v]     = '0;
      for (int j = 0; j < Digits; j++) begin
        if (j <= 32'(digit_i)) low_digits = low_digits && own_batch[j*DigitWidth +: DigitWidth] == '0;
        if (j == 32'(digit_i)) own_of[v]  = number_of(own_batch >> ((j + 1) * DigitWidth));
      end
    end
    // How many it has sent.
    always_comb begin
      own_next[v] = begun < packets_of[v] ? begun : packets_of[v];
      if (PassOnFirst != 0) begin
        if (over_i) own_next[v] = packets_of[v];
        else if (v == 0) own_next[v] = slots < packets_of[0] ? slots : packets_of[0];
        else if (slots == '0 || packets_of[v] == '0) own_next[v] = '0;
        else if (slots <= packets_of[0]) own_next[v] = 8'd1;
        else own_next[v] = slots - packets_of[0] < packets_of[v] ? slots - packets_of[0] : packets_of[v];
      end
      if (!broadcasts_i || !HasNext) own_next[v] = '0;
    end
    assign own_batches_o[v] = are_digits(own_batch) && low_digits && own_of[v] == own_next[v];
    // Without PassOnFirst broadcast_way_line says what is passed on, of what leaves: right_sends, right_own and right_rank.
    if (PassOnFirst == 0) begin : g_batches
      assign passes_o[v] = broadcasts_i || !pass_i[v];
    end else begin : g_first
      logic [RankWidth-1:0] rank;
      assign rank = RankWidth'(pass_rank_i[v*AddressWidth +: AddressWidth]);
      assign passes_o[v] = pass_i[v] == (v == 1 && broadcasts_i && !over_i && slots != '0 && slots <= packets_of[0]) &&
                           (!pass_i[v] || (are_digits(rank) && number_of(rank) == (slots - 8'd1) * unit_i + below_i));
    end
  end

  // ---- the packet that is watched
  always_comb begin
    came_o = watched_batch < batch || (watched_batch == batch && slot_i >= distance_i);
    if (PassOnFirst != 0) begin
      if (watched_origin_i == '0) came_o = slots >= watched_batch + distance_i;
      else came_o = watched_batch == '0 ? slots != '0 : slots > packets_of[0] + watched_batch;
    end
    came_o = reaches_i && broadcasts_i && (over_i || came_o);
  end
endmodule
