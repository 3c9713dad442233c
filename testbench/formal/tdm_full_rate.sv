// tdm_full_rate - a sender whose link of a tdm_node is never idle never waits for a credit, with the window that rtl/tdm/README.md
// promises this for: ceil((2 x LinkLatency + 3) / length) packets. One less is not enough.
//
// The receiver is a receive_sequencer whose program is never dry and whose packets need no buffer; as in a tdm_node, its grants
// are registered before they return as credits. The promise is kept from when all of the window's credits have come for the
// first time: they start with the receiver.
module tdm_full_rate #(
  parameter int Flits   = 1,
  parameter int Latency = 1,  // of the links, at most
  parameter int Window  = 5,
  localparam int LengthWidth = $clog2(Flits + 1),
  localparam int IndexWidth  = safnet_pkg::index_width(Flits),
  localparam int Instruction = 4 + tdm_pkg::Actions + 1  // buffer, generation, parts, uses; actions; name
) (
  input logic clk_i,
  input logic want_i  // the sender has a packet
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  (* anyconst *) logic [15:0] window, latency;
  logic available, send, line_is_free, first, valid, grant, credit_q, credit_back, all_came_q, ends_q;
  logic [LengthWidth-1:0] left_q, left_here_q;  // flits of the packet that leaves, and that arrives, after this cycle's
  assign line_is_free = left_q == '0;
  assign send         = want_i && all_came_q && available && line_is_free;
  credit_counter #(.Depth(Window), .StartsEmpty(1)) u_dut (
    .clk_i, .rst_ni(rst_n), .depth_i(window), .spend_i(send), .credit_i(credit_back), .available_o(available)
  );
  logic unused_forth, unused_back;
  two_way_link #(.Latency(Latency)) u_links (
    .clk_i, .rst_ni(rst_n), .latency_i(latency), .send_i(send), .arrives_o(first), .credit_i(credit_q), .credit_o(credit_back),
    .forth_in_flight_o(unused_forth), .back_in_flight_o(unused_back)
  );

  logic ready, allocates, header, last, name, store, combine, deliver, mismatch, granted, busy, empty, wait_buffer;
  logic grant_buffer, grant_parts, grant_uses, buffer;
  logic [IndexWidth-1:0] index;
  assign valid = first || left_here_q != '0;
  receive_sequencer #(
    .Flits(Flits), .NameWidth(1), .BufferWidth(1), .GenerationWidth(1), .CountWidth(1), .ProgramDepth(2), .Window(Window)
  ) u_receive (
    .clk_i, .rst_ni(rst_n), .window_i(window), .program_valid_i(1'b1), .program_ready_o(ready),
    .program_i(Instruction'(1 << (4 + tdm_pkg::DeliverBit))), .grant_buffer_o(grant_buffer), .grant_generation_i(1'b0),
    .grant_o(grant), .grant_allocates_o(allocates), .grant_parts_o(grant_parts), .grant_uses_o(grant_uses), .flit_valid_i(valid),
    .flit_name_i(1'b0), .flit_length_i(LengthWidth'(Flits)), .first_o(header), .last_o(last), .index_o(index), .name_o(name),
    .store_o(store), .combine_o(combine), .deliver_o(deliver), .buffer_o(buffer), .mismatch_o(mismatch), .granted_o(granted),
    .busy_o(busy), .empty_o(empty), .wait_buffer_o(wait_buffer)
  );

  logic [15:0] credits_q;  // that the sender has, counted apart from the design
  always @(posedge clk_i) begin
    if (!rst_n) begin
      {credit_q, left_q, left_here_q, credits_q, all_came_q, ends_q} <= '0;
    end else begin
      credit_q    <= grant;
      left_q      <= send ? LengthWidth'(Flits - 1) : line_is_free ? '0 : left_q - LengthWidth'(1);
      ends_q      <= send ? Flits == 1 : left_q == LengthWidth'(1);  // the last flit of a packet left in the last cycle
      left_here_q <= first ? LengthWidth'(Flits - 1) : left_here_q == '0 ? '0 : left_here_q - LengthWidth'(1);
      credits_q   <= credits_q + 16'(credit_back) - 16'(send);
      all_came_q  <= all_came_q || credits_q == window;
    end
  end

  logic promised, nearly_promised;
  assign promised        = Flits * 32'(window) >= 2 * 32'(latency) + 3;
  assign nearly_promised = !promised && Flits * (32'(window) + 1) >= 2 * 32'(latency) + 3;
  always @(posedge clk_i) begin
    assume (32'(window) >= 1 && 32'(window) <= Window);
    assume (Latency == 0 ? latency == '0 : (latency != '0 && 32'(latency) <= Latency));
    if (rst_n) begin
      a_no_packet_waits_for_a_credit : assert (!(all_came_q && promised && line_is_free) || available);
      // One packet less is not enough, and what is promised is used to the full.
      c_it_waits_with_one_less : cover (all_came_q && nearly_promised && want_i && line_is_free && !available && 32'(latency) == Latency);
      c_at_full_rate : cover (promised && send && ends_q && 32'(latency) == Latency);
    end
  end
endmodule
