// router_host_order - a router_host gives the label table first, an entry in every cycle, and then, unless they are held back,
// the flits of its packets through every port in order, as the router takes them.
//
// The files are those of stream_player_words: word p has the value p + 1, and words 2, 3, 7 and 11 end a stream. The table is
// the stretch of all twelve, which has two entries; the packets are three stretches of four. The highest bit of a word is the
// rank.
module router_host_order #(
  parameter int InjectPorts = 3,
  parameter int InjectDepth = 4,
  parameter int Empty       = 0,
  localparam int FlitWidth  = 3,
  localparam logic [11:0] IsWord = 12'b0111_0111_0011
) (
  input logic                   clk_i,
  input logic                   hold_i,
  input logic [InjectPorts-1:0] inject_ready_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  logic                             table_valid, moves, done;
  logic [3:0]                       table_word;
  logic [InjectPorts-1:0]           inject_valid, inject_rank;
  logic [InjectPorts*FlitWidth-1:0] inject_flit;
  router_host #(
    .TableWidth(4), .TableDepth(12), .TableFile(Empty != 0 ? "" : "player_words.hex"), .InjectPorts(InjectPorts),
    .FlitWidth(FlitWidth), .RankWidth(1), .InjectDepth(InjectDepth), .InjectFile("player_words.hex")
  ) u_dut (
    .clk_i, .rst_ni(rst_n), .hold_i, .table_valid_o(table_valid), .table_word_o(table_word), .inject_valid_o(inject_valid),
    .inject_ready_i, .inject_flit_o(inject_flit), .inject_rank_o(inject_rank), .moves_o(moves), .done_o(done)
  );

  localparam int Entries = Empty != 0 ? 0 : 2;
  logic [1:0]               given_q;  // entries of the table
  logic [InjectPorts*4-1:0] taken_q;  // flits of every port
  logic                     table_is_done, right_flits, right_valid, takes, left;
  logic [31:0]              length, at;
  assign table_is_done = 32'(given_q) == Entries;
  always_comb begin
    right_flits = 1'b1;
    right_valid = 1'b1;
    takes       = 1'b0;
    left        = !table_is_done;
    length      = '0;
    at          = '0;
    for (int j = 0; j < InjectPorts; j++) begin
      length = '0;
      for (int n = InjectDepth - 1; n >= 0; n--) if (!IsWord[j*InjectDepth + n]) length = n;
      at = 32'(taken_q[j*4 +: 4]);
      if (at < length) left = 1'b1;
      right_valid = right_valid && inject_valid[j] == (table_is_done && !hold_i && at < length);
      right_flits = right_flits && (!inject_valid[j] ||
                    32'({inject_rank[j], inject_flit[j*FlitWidth +: FlitWidth]}) == j * InjectDepth + at + 1);
      takes = takes || (inject_valid[j] && inject_ready_i[j]);
    end
  end
  always @(posedge clk_i) begin
    if (!rst_n) begin
      given_q <= '0;
      taken_q <= '0;
    end else begin
      if (!table_is_done) given_q <= given_q + 2'd1;
      for (int j = 0; j < InjectPorts; j++)
        if (inject_valid[j] && inject_ready_i[j]) taken_q[j*4 +: 4] <= taken_q[j*4 +: 4] + 4'd1;
    end
    if (rst_n) begin
      a_the_table_comes_first      : assert (table_valid == !table_is_done &&
                                             (!table_valid || 32'(table_word) == 32'(given_q) + 32'd1));
      a_flits_come_after_the_table : assert (right_valid);
      a_flits_come_in_order       : assert (right_flits);
      a_it_says_what_moves        : assert (moves == (!table_is_done || takes));
      a_it_is_done_when_nothing_is_left : assert (done == !left);
      c_done : cover (done && table_is_done && taken_q[3:0] != '0);
    end else begin
      a_nothing_is_given_in_reset : assert (!table_valid && inject_valid == '0);
    end
  end
endmodule
