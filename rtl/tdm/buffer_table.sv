// buffer_table - the life of every packet buffer of a tdm_node: granted, filled, complete, sent, free again.
//
// A schedule gives each buffer to one packet after the other. The number of the packet that a buffer holds, or is to
// hold next, is the buffer's generation. Every lane through which a part of the packet comes asks for the buffer in
// that generation and is granted it; the buffer is complete when all parts have arrived; when it has also been sent as
// often as planned it goes on to the next generation. An instruction that names a later generation waits. A run that
// is late can therefore neither overwrite a packet that is still needed nor send another one than planned. Reads are
// combinational and show the state before the events of this cycle.
module buffer_table #(
  parameter int Lanes           = 5,   // receiving lanes
  parameter int Outputs         = 4,
  parameter int Buffers         = 8,
  parameter int GenerationWidth = 12,
  parameter int CountWidth      = 4,
  localparam int BufferWidth    = safnet_pkg::index_width(Buffers),
  localparam int OccupancyWidth = $clog2(Buffers + 1)
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  // receiving lanes: grants
  input  logic [Lanes*BufferWidth-1:0]       grant_buffer_i,
  output logic [Lanes*GenerationWidth-1:0]   grant_generation_o,  // of that buffer
  input  logic [Lanes-1:0]                   grant_i,
  input  logic [Lanes*CountWidth-1:0]        grant_parts_i,
  input  logic [Lanes*CountWidth-1:0]        grant_uses_i,
  output logic [Lanes-1:0]                   grant_is_first_o,    // with grant_i: the buffer starts anew
  // receiving lanes: packets
  input  logic [Lanes-1:0]                   first_i,             // a part for this buffer begins
  input  logic [Lanes-1:0]                   last_i,              // and ends
  input  logic [Lanes*BufferWidth-1:0]       buffer_i,
  output logic [Lanes-1:0]                   last_part_o,         // with first_i: no part begins after this one
  // outputs
  input  logic [Outputs*BufferWidth-1:0]     send_buffer_i,
  input  logic [Outputs*GenerationWidth-1:0] send_generation_i,
  output logic [Outputs-1:0]                 send_complete_o,     // that buffer, in that generation, is complete
  input  logic [Outputs-1:0]                 send_i,              // it starts to be sent
  output logic [OccupancyWidth-1:0]          occupancy_o          // buffers granted and not yet free
);
  logic [GenerationWidth-1:0] generation_q [Buffers];
  logic [CountWidth-1:0]      parts_q [Buffers], uses_q [Buffers], started_q [Buffers], finished_q [Buffers],
                              sent_q [Buffers];
  logic [Buffers-1:0]         granted_q, complete_q;
  logic [Buffers-1:0]         first_q;  // in generation 0: generation_q has no reset and counts as 0
  logic [OccupancyWidth-1:0]  occupancy_q;
  assign occupancy_o = occupancy_q;

  // ---- reads ----
  logic [Lanes*CountWidth-1:0]   started, finished, parts, uses;      // of the buffer that a packet is for
  logic [Outputs*CountWidth-1:0] sent, send_uses;
  logic [Lanes-1:0]              grant_is_new;
  logic [Lanes*GenerationWidth-1:0]   generation;
  logic [Outputs*GenerationWidth-1:0] send_generation;
  for (genvar l = 0; l < Lanes; l++) begin : g_lane_read
    logic [BufferWidth-1:0] asked, here;
    assign asked = grant_buffer_i[l*BufferWidth +: BufferWidth];
    assign here  = buffer_i[l*BufferWidth +: BufferWidth];
    assign grant_generation_o[l*GenerationWidth +: GenerationWidth] = first_q[asked] ? '0 : generation_q[asked];
    assign generation[l*GenerationWidth +: GenerationWidth]         = first_q[here] ? '0 : generation_q[here];
    assign grant_is_new[l]                       = !granted_q[asked];
    assign started[l*CountWidth +: CountWidth]   = started_q[here];
    assign finished[l*CountWidth +: CountWidth]  = finished_q[here];
    assign parts[l*CountWidth +: CountWidth]     = parts_q[here];
    assign uses[l*CountWidth +: CountWidth]      = uses_q[here];
  end
  for (genvar p = 0; p < Outputs; p++) begin : g_output_read
    logic [BufferWidth-1:0] here;
    assign here = send_buffer_i[p*BufferWidth +: BufferWidth];
    assign send_generation[p*GenerationWidth +: GenerationWidth] = first_q[here] ? '0 : generation_q[here];
    assign send_complete_o[p] = complete_q[here] && send_generation[p*GenerationWidth +: GenerationWidth]
                                                    == send_generation_i[p*GenerationWidth +: GenerationWidth];
    assign sent[p*CountWidth +: CountWidth]      = sent_q[here];
    assign send_uses[p*CountWidth +: CountWidth] = uses_q[here];
  end

  // ---- several events for one buffer in one cycle: the lowest lane or output writes the sum of all ----
  logic [Lanes-1:0]              lead_grant, lead_first, lead_last, completes;
  logic [Lanes*CountWidth-1:0]   firsts, lasts;   // events for the same buffer
  logic [Outputs-1:0]            lead_send, used_up;
  logic [Outputs*CountWidth-1:0] sends;
  for (genvar l = 0; l < Lanes; l++) begin : g_lane_events
    logic [CountWidth-1:0] first_count, last_count;
    logic                  grant_before, first_before, last_before;
    always_comb begin
      first_count  = '0;
      last_count   = '0;
      grant_before = 1'b0;
      first_before = 1'b0;
      last_before  = 1'b0;
      for (int k = 0; k < Lanes; k++) begin
        if (buffer_i[k*BufferWidth +: BufferWidth] == buffer_i[l*BufferWidth +: BufferWidth]) begin
          first_count = first_count + CountWidth'(first_i[k]);
          last_count  = last_count + CountWidth'(last_i[k]);
          if (k < l && first_i[k]) first_before = 1'b1;
          if (k < l && last_i[k])  last_before  = 1'b1;
        end
        if (k < l && grant_i[k] &&
            grant_buffer_i[k*BufferWidth +: BufferWidth] == grant_buffer_i[l*BufferWidth +: BufferWidth])
          grant_before = 1'b1;
      end
    end
    assign firsts[l*CountWidth +: CountWidth] = first_count;
    assign lasts[l*CountWidth +: CountWidth]  = last_count;
    assign grant_is_first_o[l] = lead_grant[l];
    assign lead_grant[l] = grant_i[l] && !grant_before && grant_is_new[l];
    assign lead_first[l] = first_i[l] && !first_before;
    assign lead_last[l]  = last_i[l] && !last_before;
    assign last_part_o[l] = lead_first[l] &&
        started[l*CountWidth +: CountWidth] + first_count == parts[l*CountWidth +: CountWidth];
    assign completes[l] = lead_last[l] &&
        finished[l*CountWidth +: CountWidth] + last_count == parts[l*CountWidth +: CountWidth];
  end
  for (genvar p = 0; p < Outputs; p++) begin : g_output_events
    logic [CountWidth-1:0] send_count;
    logic                  send_before;
    always_comb begin
      send_count  = '0;
      send_before = 1'b0;
      for (int k = 0; k < Outputs; k++) begin
        if (send_i[k] && send_buffer_i[k*BufferWidth +: BufferWidth] == send_buffer_i[p*BufferWidth +: BufferWidth]) begin
          send_count = send_count + CountWidth'(1);
          if (k < p) send_before = 1'b1;
        end
      end
    end
    assign sends[p*CountWidth +: CountWidth] = send_count;
    assign lead_send[p] = send_i[p] && !send_before;
    assign used_up[p]   = lead_send[p] &&
        sent[p*CountWidth +: CountWidth] + send_count == send_uses[p*CountWidth +: CountWidth];
  end

  // ---- state ----
  logic [Lanes-1:0] frees;  // complete, and never to be sent
  for (genvar l = 0; l < Lanes; l++) begin : g_frees
    assign frees[l] = completes[l] && uses[l*CountWidth +: CountWidth] == '0;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      first_q     <= '1;
      granted_q   <= '0;
      complete_q  <= '0;
      occupancy_q <= '0;
    end else begin
      for (int l = 0; l < Lanes; l++) begin
        if (lead_grant[l]) granted_q[grant_buffer_i[l*BufferWidth +: BufferWidth]] <= 1'b1;
        if (completes[l])  complete_q[buffer_i[l*BufferWidth +: BufferWidth]] <= 1'b1;
        if (frees[l]) begin
          granted_q[buffer_i[l*BufferWidth +: BufferWidth]]    <= 1'b0;
          complete_q[buffer_i[l*BufferWidth +: BufferWidth]]   <= 1'b0;
          first_q[buffer_i[l*BufferWidth +: BufferWidth]]      <= 1'b0;
        end
      end
      for (int p = 0; p < Outputs; p++) begin
        if (used_up[p]) begin
          granted_q[send_buffer_i[p*BufferWidth +: BufferWidth]]    <= 1'b0;
          complete_q[send_buffer_i[p*BufferWidth +: BufferWidth]]   <= 1'b0;
          first_q[send_buffer_i[p*BufferWidth +: BufferWidth]]      <= 1'b0;
        end
      end
      occupancy_q <= occupancy_q + OccupancyWidth'($countones(lead_grant)) - OccupancyWidth'($countones(frees))
                     - OccupancyWidth'($countones(used_up));
    end
  end
  // A process per write port: Verilator has no writes to memories in loops that are too long to be unrolled.
  for (genvar l = 0; l < Lanes; l++) begin : g_lane_write
    logic [BufferWidth-1:0] asked, here;
    assign asked = grant_buffer_i[l*BufferWidth +: BufferWidth];
    assign here  = buffer_i[l*BufferWidth +: BufferWidth];
    always @(posedge clk_i) begin
      if (lead_grant[l]) begin
        parts_q[asked]    <= grant_parts_i[l*CountWidth +: CountWidth];
        uses_q[asked]     <= grant_uses_i[l*CountWidth +: CountWidth];
        started_q[asked]  <= '0;
        finished_q[asked] <= '0;
        sent_q[asked]     <= '0;
      end
      if (frees[l])
        generation_q[here] <= generation[l*GenerationWidth +: GenerationWidth] + GenerationWidth'(1);
      if (lead_first[l])
        started_q[here] <= started[l*CountWidth +: CountWidth] + firsts[l*CountWidth +: CountWidth];
      if (lead_last[l])
        finished_q[here] <= finished[l*CountWidth +: CountWidth] + lasts[l*CountWidth +: CountWidth];
    end
  end
  for (genvar p = 0; p < Outputs; p++) begin : g_output_write
    logic [BufferWidth-1:0] here;
    assign here = send_buffer_i[p*BufferWidth +: BufferWidth];
    always @(posedge clk_i) begin
      if (used_up[p])
        generation_q[here] <= send_generation[p*GenerationWidth +: GenerationWidth] + GenerationWidth'(1);
      if (lead_send[p])
        sent_q[here] <= sent[p*CountWidth +: CountWidth] + sends[p*CountWidth +: CountWidth];
    end
  end

  for (genvar l = 0; l < Lanes; l++) begin : g_lane_assertions
    always @(posedge clk_i) begin : a_lanes_agree_on_a_packet
      if (rst_ni && grant_i[l] && !grant_is_new[l])
        assert (grant_parts_i[l*CountWidth +: CountWidth] == parts_q[grant_buffer_i[l*BufferWidth +: BufferWidth]] &&
                grant_uses_i[l*CountWidth +: CountWidth] == uses_q[grant_buffer_i[l*BufferWidth +: BufferWidth]]);
    end
    always @(posedge clk_i) begin : a_parts_go_to_granted_buffers
      if (rst_ni && (first_i[l] || last_i[l])) assert (granted_q[buffer_i[l*BufferWidth +: BufferWidth]]);
    end
    always @(posedge clk_i) begin : a_no_more_parts_than_planned
      if (rst_ni && first_i[l])
        assert (firsts[l*CountWidth +: CountWidth] <=
                parts[l*CountWidth +: CountWidth] - started[l*CountWidth +: CountWidth]);
    end
  end
  for (genvar p = 0; p < Outputs; p++) begin : g_output_assertions
    always @(posedge clk_i) begin : a_only_complete_packets_are_sent
      if (rst_ni && send_i[p]) assert (send_complete_o[p]);
    end
  end

  initial begin : check_parameters
    if (Buffers < 1)         $fatal(1, "buffer_table: Buffers must be at least 1");
    if (GenerationWidth < 1) $fatal(1, "buffer_table: GenerationWidth must be at least 1");
    if (CountWidth < 1)      $fatal(1, "buffer_table: CountWidth must be at least 1");
  end
endmodule
