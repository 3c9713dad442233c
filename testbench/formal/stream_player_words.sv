// stream_player_words - every stream of a stream_player gives its words in order, each once, and none after its end.
//
// The streams are stretches of twelve words, which are four streams of three words, three of four, two of six or one of twelve.
// Word p has the value p + 1, so that a word tells which stretch and which place it is from; words 2, 3, 7 and 11 end a stream,
// and have a value as well, which nobody may see; behind some of them others follow that are of no stream. With Empty there is
// no file, and so no words. Every stream is held back, and its words are taken, whenever the solver wants it.
module stream_player_words #(
  parameter int Streams = 3,
  parameter int Depth   = 4,
  parameter int Empty   = 0,
  localparam int Width  = 4,
  localparam logic [11:0] IsWord = 12'b0111_0111_0011
) (
  input logic               clk_i,
  input logic [Streams-1:0] enable_i,
  input logic [Streams-1:0] ready_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  logic [Streams-1:0]       more, valid;
  logic [Streams*Width-1:0] word;
  stream_player #(
    .Streams(Streams), .Width(Width), .Depth(Depth), .File(Empty != 0 ? "" : "player_words.hex")
  ) u_dut (
    .clk_i, .rst_ni(rst_n), .enable_i, .more_o(more), .valid_o(valid), .ready_i, .word_o(word)
  );

  // How many words of every stream have been taken, and how many there are in all.
  logic [Streams*4-1:0] taken_q;
  logic [31:0]          length, place;
  logic                 right_words, right_more, right_valid, all_taken;
  always_comb begin
    right_words = 1'b1;
    right_more  = 1'b1;
    right_valid = 1'b1;
    all_taken   = 1'b1;
    length      = '0;
    place       = '0;
    for (int s = 0; s < Streams; s++) begin
      length = '0;
      for (int n = Depth - 1; n >= 0; n--) if (Empty != 0 || !IsWord[s*Depth + n]) length = n;
      place       = s * Depth + 32'(taken_q[s*4 +: 4]);
      right_more  = right_more && more[s] == (32'(taken_q[s*4 +: 4]) < length);
      right_valid = right_valid && valid[s] == (enable_i[s] && 32'(taken_q[s*4 +: 4]) < length);
      right_words = right_words &&
                    32'(word[s*Width +: Width]) == (32'(taken_q[s*4 +: 4]) < length ? place + 32'd1 : 32'd0);
      all_taken   = all_taken && 32'(taken_q[s*4 +: 4]) == length;
    end
  end
  always @(posedge clk_i) begin
    for (int s = 0; s < Streams; s++) begin
      if (!rst_n)                         taken_q[s*4 +: 4] <= '0;
      else if (valid[s] && ready_i[s])    taken_q[s*4 +: 4] <= taken_q[s*4 +: 4] + 4'd1;
    end
    if (rst_n) begin
      a_words_come_in_order     : assert (right_words);
      a_more_until_the_last     : assert (right_more);
      a_valid_while_not_held_back : assert (right_valid);
      c_all_taken : cover (all_taken && enable_i == '1 && (Empty != 0 || 32'(taken_q[3:0]) == 32'd2));
    end
  end
endmodule
