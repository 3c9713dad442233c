// buffer_table_life - a buffer is granted, filled, complete, sent as often as planned, and then free in its next generation.
//
// Lanes and outputs keep to the protocol: all grants of a packet agree, no more parts come than were granted, no more copies
// are sent than were planned. All of them may act on one buffer in one cycle.
module buffer_table_life #(
  parameter int Lanes   = 2,
  parameter int Outputs = 2,
  parameter int Buffers = 2,
  localparam int GenerationWidth = 2,
  localparam int CountWidth      = 2,
  localparam int BufferWidth     = safnet_pkg::index_width(Buffers),
  localparam int OccupancyWidth  = $clog2(Buffers + 1)
) (
  input logic                               clk_i,
  input logic [Lanes*BufferWidth-1:0]       grant_buffer_i, buffer_i,
  input logic [Lanes-1:0]                   grant_i, first_i, last_i,
  input logic [Lanes*CountWidth-1:0]        grant_parts_i, grant_uses_i,
  input logic [Outputs*BufferWidth-1:0]     send_buffer_i,
  input logic [Outputs*GenerationWidth-1:0] send_generation_i,
  input logic [Outputs-1:0]                 send_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  logic [Lanes*GenerationWidth-1:0] grant_generation;
  logic [Lanes-1:0]                 grant_is_first, last_part;
  logic [Outputs-1:0]               send_complete;
  logic [OccupancyWidth-1:0]        occupancy;
  buffer_table #(
    .Lanes(Lanes), .Outputs(Outputs), .Buffers(Buffers), .GenerationWidth(GenerationWidth), .CountWidth(CountWidth)
  ) u_dut (
    .clk_i, .rst_ni(rst_n), .grant_buffer_i, .grant_generation_o(grant_generation), .grant_i, .grant_parts_i, .grant_uses_i,
    .grant_is_first_o(grant_is_first), .first_i, .last_i, .buffer_i, .last_part_o(last_part), .send_buffer_i,
    .send_generation_i, .send_complete_o(send_complete), .send_i, .occupancy_o(occupancy)
  );

  // The life of each buffer, one field per buffer.
  localparam int G = GenerationWidth;
  localparam int C = CountWidth;
  logic [Buffers*G-1:0] generation_q, generation;
  logic [Buffers*C-1:0] parts_q, uses_q, grants_q, begun_q, ended_q, sent_q, parts, uses, grants, begun, ended, sent;
  logic [Buffers-1:0]   taken_q, taken, complete_q, complete;
  logic                 legal, right_first, right_last, right_generation, right_complete;
  logic [31:0]          number;  // of the events of a kind for a buffer in this cycle
  logic                 seen;    // an event of a lower lane for the buffer
  always_comb begin
    generation = generation_q;
    parts      = parts_q;
    uses       = uses_q;
    grants     = grants_q;
    begun      = begun_q;
    ended      = ended_q;
    sent       = sent_q;
    taken      = taken_q;
    complete   = complete_q;
    legal      = 1'b1;
    right_first      = 1'b1;
    right_last       = 1'b1;
    right_generation = 1'b1;
    right_complete   = 1'b1;
    number = '0;
    seen   = 1'b0;
    for (int b = 0; b < Buffers; b++) begin
      // grants
      seen = 1'b0;
      for (int l = 0; l < Lanes; l++) begin
        if (32'(grant_buffer_i[l*BufferWidth +: BufferWidth]) == b) begin
          right_generation = right_generation && grant_generation[l*G +: G] == generation_q[b*G +: G];
          right_first      = right_first && grant_is_first[l] == (grant_i[l] && !taken_q[b] && !seen);
          if (grant_i[l]) begin
            if (!taken[b]) begin
              taken[b]          = 1'b1;
              parts[b*C +: C]   = grant_parts_i[l*C +: C];
              uses[b*C +: C]    = grant_uses_i[l*C +: C];
              grants[b*C +: C]  = '0;
              begun[b*C +: C]   = '0;
              ended[b*C +: C]   = '0;
              sent[b*C +: C]    = '0;
            end
            legal = legal && parts[b*C +: C] == grant_parts_i[l*C +: C] && uses[b*C +: C] == grant_uses_i[l*C +: C] &&
                    grants[b*C +: C] < parts[b*C +: C];
            grants[b*C +: C] = grants[b*C +: C] + C'(1);
            seen = 1'b1;
          end
        end
      end
      // parts
      number = '0;
      for (int l = 0; l < Lanes; l++)
        if (first_i[l] && 32'(buffer_i[l*BufferWidth +: BufferWidth]) == b) number = number + 32'd1;
      if (number != '0) legal = legal && taken_q[b] && 32'(begun_q[b*C +: C]) + number <= 32'(grants_q[b*C +: C]);
      seen = 1'b0;
      for (int l = 0; l < Lanes; l++) begin
        if (32'(buffer_i[l*BufferWidth +: BufferWidth]) == b) begin
          right_last = right_last && last_part[l] ==
                       (first_i[l] && !seen && 32'(begun_q[b*C +: C]) + number == 32'(parts_q[b*C +: C]));
          if (first_i[l]) seen = 1'b1;
        end
      end
      begun[b*C +: C] = begun[b*C +: C] + C'(number);
      number = '0;
      for (int l = 0; l < Lanes; l++)
        if (last_i[l] && 32'(buffer_i[l*BufferWidth +: BufferWidth]) == b) number = number + 32'd1;
      if (number != '0) begin
        legal = legal && taken_q[b] && 32'(ended_q[b*C +: C]) + number <= 32'(begun[b*C +: C]);
        ended[b*C +: C] = ended[b*C +: C] + C'(number);
        if (ended[b*C +: C] == parts_q[b*C +: C]) complete[b] = 1'b1;
      end
      // sends
      number = '0;
      for (int p = 0; p < Outputs; p++) begin
        if (32'(send_buffer_i[p*BufferWidth +: BufferWidth]) == b) begin
          right_complete = right_complete && send_complete[p] ==
                           (complete_q[b] && send_generation_i[p*G +: G] == generation_q[b*G +: G]);
          if (send_i[p]) begin
            number = number + 32'd1;
            legal  = legal && complete_q[b] && send_generation_i[p*G +: G] == generation_q[b*G +: G];
          end
        end
      end
      if (number != '0) legal = legal && 32'(sent_q[b*C +: C]) + number <= 32'(uses_q[b*C +: C]);
      sent[b*C +: C] = sent[b*C +: C] + C'(number);
      // free again
      if (complete[b] && sent[b*C +: C] == uses[b*C +: C]) begin
        complete[b]           = 1'b0;
        taken[b]              = 1'b0;
        generation[b*G +: G]  = generation[b*G +: G] + G'(1);
      end
    end
    for (int l = 0; l < Lanes; l++) begin
      legal = legal && (!grant_i[l] || 32'(grant_buffer_i[l*BufferWidth +: BufferWidth]) < Buffers) &&
              (!(first_i[l] || last_i[l]) || 32'(buffer_i[l*BufferWidth +: BufferWidth]) < Buffers);
    end
    for (int p = 0; p < Outputs; p++) legal = legal && (!send_i[p] || 32'(send_buffer_i[p*BufferWidth +: BufferWidth]) < Buffers);
  end
  always @(posedge clk_i) begin
    if (!rst_n) begin
      {generation_q, parts_q, uses_q, grants_q, begun_q, ended_q, sent_q, taken_q, complete_q} <= '0;
    end else begin
      generation_q <= generation;
      parts_q      <= parts;
      uses_q       <= uses;
      grants_q     <= grants;
      begun_q      <= begun;
      ended_q      <= ended;
      sent_q       <= sent;
      taken_q      <= taken;
      complete_q   <= complete;
    end
  end
  // ---- the table has the same state, and no life is one that cannot be lived ----
  `MEMORY(table_generation, 8, G, u_dut.generation_q)
  `MEMORY(table_parts, 8, C, u_dut.parts_q)
  `MEMORY(table_uses, 8, C, u_dut.uses_q)
  `MEMORY(table_started, 8, C, u_dut.started_q)
  `MEMORY(table_finished, 8, C, u_dut.finished_q)
  `MEMORY(table_sent, 8, C, u_dut.sent_q)
  (* hierconn *) wire [Buffers-1:0] \u_dut.granted_q , \u_dut.complete_q , \u_dut.first_q ;
  logic same_generation, same_counts, possible;
  always_comb begin
    same_generation = 1'b1;
    same_counts     = 1'b1;
    possible        = 1'b1;
    for (int b = 0; b < Buffers; b++) begin
      if (generation_q[b*G +: G] != (\u_dut.first_q [b] ? '0 : table_generation[b*G +: G])) same_generation = 1'b0;
      if (taken_q[b]) begin
        if (table_parts[b*C +: C] != parts_q[b*C +: C] || table_uses[b*C +: C] != uses_q[b*C +: C] ||
            table_started[b*C +: C] != begun_q[b*C +: C] || table_finished[b*C +: C] != ended_q[b*C +: C] ||
            table_sent[b*C +: C] != sent_q[b*C +: C]) same_counts = 1'b0;
        if (ended_q[b*C +: C] > begun_q[b*C +: C] || begun_q[b*C +: C] > grants_q[b*C +: C] || grants_q[b*C +: C] > parts_q[b*C +: C] ||
            sent_q[b*C +: C] > uses_q[b*C +: C] || grants_q[b*C +: C] == '0 ||
            complete_q[b] != (ended_q[b*C +: C] == parts_q[b*C +: C]) || (sent_q[b*C +: C] != '0 && !complete_q[b]) ||
            (complete_q[b] && sent_q[b*C +: C] == uses_q[b*C +: C])) possible = 1'b0;
      end else if (complete_q[b]) begin
        possible = 1'b0;
      end
    end
  end
  always @(posedge clk_i) begin
    if (rst_n) begin
      assume (legal);
      a_it_tells_the_generation          : assert (right_generation);
      a_the_first_grant_begins_anew      : assert (right_first);
      a_it_tells_the_last_part           : assert (right_last);
      a_a_packet_is_complete_with_its_last_part : assert (right_complete);
      a_it_counts_the_buffers_in_use     : assert (32'(occupancy) == $countones(taken_q));
      h_the_same_buffers_are_taken : assert (\u_dut.granted_q == taken_q && \u_dut.complete_q == complete_q);
      h_the_same_generations       : assert (same_generation);
      h_the_same_counts            : assert (same_counts);
      h_counts_are_possible        : assert (possible);
      c_second_generation : cover (complete_q[Buffers-1] && generation_q[(Buffers-1)*G +: G] == G'(1) && parts_q[(Buffers-1)*C +: C] == C'(2) && send_i == '1);
    end
  end
endmodule
