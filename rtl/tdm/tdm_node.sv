// tdm_node - a store-and-forward node that obeys a schedule: programs say what to do with each packet, and when.
//
// Each input lane has a program of "receive the next packet: store it in a buffer, combine it into one, deliver it" and
// each output one of "in slot t or later send that buffer" or "send the host's next packet". The programs are streamed in
// by the host, in the order of the schedule. Nothing is sent before it has arrived, or before the receiver has room for
// it: a wrong schedule makes the run late or stuck, never its data wrong. See README.md here for the timing.
//
// A sum that is sent and also goes into a further sum leaves its buffer through a loopback as well, an output whose
// link leads to a lane of this node: there it is one part of the further sum, which has a buffer of its own.
//
// The links that lead to the node are part of it (node_links). Every signal that leaves for another node (flits, credits)
// is a function of this node's registers alone.
module tdm_node #(
  parameter int Radix  = 4,  // ports, 1 to 128
`include "tdm/tdm_parameters.svh"
  localparam int Nodes = 1   // of the lists of ports
) (
  input  logic        clk_i,
  input  logic        rst_ni,
`include "common/as_ports.svh"
`include "common/link_wires.svh"
`include "tdm/tdm_ports.svh"
`include "tdm/tdm_settings.svh"
  // network time, registered elsewhere (slot_timer)
  input  logic [31:0] cycle_i,
  input  logic [31:0] step_i,
  input  logic        slot_open_next_i  // registered here before use
);
  localparam int WordWidth   = FlitWidth / 2;
  localparam int IndexWidth  = safnet_pkg::index_width(Flits);
  localparam int LengthWidth = $clog2(Flits + 1);
  localparam int LengthShift = NameWidth;  // header: {data, unused, length, name}
  localparam int HeaderWidth = NameWidth + LengthWidth;

  // ---- links ----
  logic [Radix-1:0]           link_valid, link_credit;
  logic [Radix*FlitWidth-1:0] link_flit;
  logic                       in_flight, unused_links;
  if (UnequalLinks == 0) begin : g_equal_links
    logic [Radix-1:0] unused_request, unused_grant;
    node_links #(.Radix(Radix), .FlitWidth(FlitWidth), .Latency(LinkLatency)) u_links (
      .clk_i, .rst_ni, .latency_i(link_latency_i), .rx_valid_i, .rx_flit_i, .rx_credit_i,
      .rx_request_i   ({Radix{1'b0}}),
      .rx_grant_i     ({Radix{1'b0}}),
      .fault_drop_i, .fault_corrupt_i,
      .link_valid_o   (link_valid),
      .link_flit_o    (link_flit),
      .link_credit_o  (link_credit),
      .link_request_o (unused_request),
      .link_grant_o   (unused_grant),
      .in_flight_o    (in_flight)
    );
    assign unused_links = &{1'b0, unused_request, unused_grant, rx_latency_i, rx_interval_i, credit_latency_i, tx_interval_i};
  end else begin : g_unequal_links
    unequal_links #(
      .Radix(Radix), .FlitWidth(FlitWidth), .Flits(Flits), .Delay(LinkLatency), .LengthShift(LengthShift)
    ) u_links (
      .clk_i, .rst_ni, .rx_latency_i, .rx_interval_i, .credit_latency_i, .rx_valid_i, .rx_flit_i, .rx_credit_i,
      .fault_drop_i, .fault_corrupt_i,
      .link_valid_o   (link_valid),
      .link_flit_o    (link_flit),
      .link_credit_o  (link_credit),
      .in_flight_o    (in_flight)
    );
    assign unused_links = 1'b0;
  end

  // The number of the slot, in registers of this node, since what leaves depends on it. slot_q is right in the cycle in
  // which a slot opens, the only one in which packets may start.
  logic        slot_open_q;
  logic [31:0] slot_q;
  logic [15:0] window_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) window_q <= window_i;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      slot_open_q <= 1'b0;
      slot_q      <= '0;
    end else begin
      slot_open_q <= slot_open_next_i;
      if (slot_open_next_i) slot_q <= step_i + 32'd1;
    end
  end

  // ---- receiving lanes: links 0 ... Radix-1, the host's contributions to what is combined here, loopbacks ----
  logic [Lanes-1:0]                 in_valid, first, last, store, combine, deliver, last_part;
  logic [Lanes-1:0]                 grant, allocate, begins_anew, granted, in_busy, receive_empty, mismatch;
  logic [Lanes*FlitWidth-1:0]       in_flit, named_flit, result;
  logic [Lanes*NameWidth-1:0]       name;
  logic [Lanes*IndexWidth-1:0]      in_index;
  logic [Lanes*BufferWidth-1:0]     grant_buffer, in_buffer;
  logic [Lanes*GenerationWidth-1:0] grant_generation;
  logic [Lanes*CountWidth-1:0]      grant_parts, grant_uses;
  logic                             load_ready;

  assign in_valid[Radix:0]             = {own_valid_i[Radix] && load_ready, link_valid};
  assign in_flit[OwnStreams*FlitWidth-1:0] = {own_flit_i[Radix*FlitWidth +: FlitWidth], link_flit};
  assign load_ready                    = granted[Radix] || in_busy[Radix];

  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    receive_sequencer #(
      .Flits(Flits), .NameWidth(NameWidth), .BufferWidth(BufferWidth), .GenerationWidth(GenerationWidth),
      .CountWidth(CountWidth), .ProgramDepth(ProgramDepth), .Window(Window)
    ) u_receive_sequencer (
      .clk_i, .rst_ni,
      .window_i           (window_q),
      .program_valid_i    (receive_valid_i[l]),
      .program_ready_o    (receive_ready_o[l]),
      .program_i          (receive_i[l*ReceiveWidth +: ReceiveWidth]),
      .grant_buffer_o     (grant_buffer[l*BufferWidth +: BufferWidth]),
      .grant_generation_i (grant_generation[l*GenerationWidth +: GenerationWidth]),
      .grant_o            (grant[l]),
      .grant_allocates_o  (allocate[l]),
      .grant_parts_o      (grant_parts[l*CountWidth +: CountWidth]),
      .grant_uses_o       (grant_uses[l*CountWidth +: CountWidth]),
      .flit_valid_i       (in_valid[l]),
      .flit_name_i        (in_flit[l*FlitWidth +: NameWidth]),
      .flit_length_i      (in_flit[l*FlitWidth + LengthShift +: LengthWidth]),
      .first_o            (first[l]),
      .last_o             (last[l]),
      .index_o            (in_index[l*IndexWidth +: IndexWidth]),
      .name_o             (name[l*NameWidth +: NameWidth]),
      .store_o            (store[l]),
      .combine_o          (combine[l]),
      .deliver_o          (deliver[l]),
      .buffer_o           (in_buffer[l*BufferWidth +: BufferWidth]),
      .mismatch_o         (mismatch[l]),
      .granted_o          (granted[l]),
      .busy_o             (in_busy[l]),
      .empty_o            (receive_empty[l]),
      .wait_buffer_o      (wait_buffer_o[l])
    );
    // The header of a part that is combined is given the name of the result. Any other packet keeps its name, even if
    // it is not the one that was programmed (mismatch).
    assign named_flit[l*FlitWidth +: FlitWidth] =
      (first[l] && combine[l]) ? {in_flit[l*FlitWidth + NameWidth +: FlitWidth - NameWidth], name[l*NameWidth +: NameWidth]}
      : in_flit[l*FlitWidth +: FlitWidth];
  end

  // A credit goes back for every packet that is granted, whether it needs a buffer or not; the host needs none.
  logic [Lanes-1:0] credit_q;
  assign tx_credit_o = credit_q[Radix-1:0];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) credit_q <= '0;
    else         credit_q <= grant & ~(Lanes'(1) << Radix);
  end
  // There is no wire to the host for one; a node that waited for this bit would say too late that it is idle.
  always @(posedge clk_i) begin : a_the_host_is_sent_no_credit
    if (rst_ni) assert (!credit_q[Radix]);
  end

  // ---- outputs ----
  logic [Outputs-1:0]                 send_head_valid, send_own, due, ready, want, accept, start, sending, line_busy;
  logic [Outputs-1:0]                 credit, credit_available, complete, send_uses_buffer, own_head_valid, read_own;
  logic [Outputs-1:0]                 out_valid;
  logic [Outputs*BufferWidth-1:0]     send_buffer, read_buffer;
  logic [Outputs*GenerationWidth-1:0] send_generation;
  logic [Outputs*IndexWidth-1:0]      read_index;
  logic [Outputs*FlitWidth-1:0]       stored_flit, out_flit;
  logic [Outputs-1:0]                 unused_release;
  assign tx_valid_o = out_valid[Radix-1:0];
  assign tx_flit_o  = out_flit[Radix*FlitWidth-1:0];

  for (genvar p = 0; p < Outputs; p++) begin : g_output
    logic [FlitWidth-1:0] own_head;
    logic [SendWidth-1:0] head;
    logic [31:0]          slot;
    stream_fifo #(.Width(SendWidth), .Depth(ProgramDepth)) u_program (
      .clk_i, .rst_ni,
      .depth_i     (16'(ProgramDepth)),
      .in_valid_i  (send_valid_i[p]),
      .in_ready_o  (send_ready_o[p]),
      .in_data_i   (send_i[p*SendWidth +: SendWidth]),
      .out_valid_o (send_head_valid[p]),
      .out_ready_i (start[p]),
      .out_data_o  (head)
    );
    assign {slot, send_own[p], send_generation[p*GenerationWidth +: GenerationWidth],
            send_buffer[p*BufferWidth +: BufferWidth]} = head;
    if (p < Radix) begin : g_link
      // The host's own packets for this output. Once a packet has begun to leave, the host must give a flit a cycle.
      logic own_pop;
      assign own_pop   = out_valid[p] && read_own[p];
      assign credit[p] = link_credit[p];
      if (UnequalLinks == 0) begin : g_full_rate
        assign line_busy[p] = 1'b0;
      end else begin : g_own_rate
        link_pace #(.Flits(Flits)) u_pace (
          .clk_i, .rst_ni,
          .start_i    (start[p]),
          .length_i   (out_flit[p*FlitWidth + LengthShift +: LengthWidth]),
          .interval_i (tx_interval_i[p*8 +: 8]),
          .busy_o     (line_busy[p])
        );
      end
      stream_fifo #(.Width(FlitWidth), .Depth(2)) u_own (
        .clk_i, .rst_ni,
        .depth_i     (16'd2),
        .in_valid_i  (own_valid_i[p]),
        .in_ready_o  (own_ready_o[p]),
        .in_data_i   (own_flit_i[p*FlitWidth +: FlitWidth]),
        .out_valid_o (own_head_valid[p]),
        .out_ready_i (own_pop),
        .out_data_o  (own_head)
      );
      always @(posedge clk_i) begin : a_the_host_gives_a_flit_a_cycle
        if (rst_ni && own_pop) assert (own_head_valid[p]);
      end
    end else begin : g_loopback
      // The lane takes a flit in the cycle in which it leaves the buffer. No port of the node is busy with it.
      assign own_head_valid[p] = 1'b0;
      assign own_head          = '0;
      assign line_busy[p]      = 1'b0;
      assign credit[p]         = credit_q[p+1];
      assign accept[p]         = slot_open_q && want[p];
      assign start[p]          = accept[p];
      assign in_valid[p+1]     = out_valid[p];
      assign in_flit[(p+1)*FlitWidth +: FlitWidth] = out_flit[p*FlitWidth +: FlitWidth];
      always @(posedge clk_i) begin : a_hosts_do_not_send_over_loopbacks
        if (rst_ni && send_head_valid[p]) assert (!send_own[p]);
      end
    end
    assign due[p]              = send_head_valid[p] && slot_q >= slot && slot_q != '0;
    assign ready[p]            = send_own[p] ? own_head_valid[p] : complete[p];
    assign want[p]             = due[p] && ready[p] && credit_available[p] && !sending[p] && !line_busy[p];
    assign send_uses_buffer[p] = start[p] && !send_own[p];

    transmit_port #(
      .FlitWidth(FlitWidth), .Flits(Flits), .PlaceWidth(1 + BufferWidth), .LengthShift(LengthShift)
    ) u_transmit_port (
      .clk_i, .rst_ni,
      .accept_i     (accept[p]),
      .start_i      (start[p]),
      .last_copy_i  (1'b0),
      .head_place_i ({send_own[p], send_buffer[p*BufferWidth +: BufferWidth]}),
      .read_place_o ({read_own[p], read_buffer[p*BufferWidth +: BufferWidth]}),
      .read_index_o (read_index[p*IndexWidth +: IndexWidth]),
      .read_flit_i  (read_own[p] ? own_head : stored_flit[p*FlitWidth +: FlitWidth]),
      .release_o    (unused_release[p]),  // the buffer table counts
      .flit_valid_o (out_valid[p]),
      .flit_o       (out_flit[p*FlitWidth +: FlitWidth]),
      .sending_o    (sending[p])
    );
    credit_counter #(.Depth(Window), .StartsEmpty(1)) u_credit_counter (
      .clk_i, .rst_ni,
      .depth_i     (window_i),
      .spend_i     (start[p]),
      .credit_i    (credit[p]),
      .available_o (credit_available[p])
    );
  end

  // ---- port model ----
  logic             violation;
  logic [Radix-1:0] no_request, no_grant, waiting_for_grant;
  logic             limiter_idle, unused_limiter;
  logic [1:0]       port_model_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) port_model_q <= port_model_i;
  end
  port_limiter #(.Radix(Radix), .GrantCycles(0)) u_port_limiter (
    .clk_i, .rst_ni,
    .port_model_i   (port_model_q),
    .grant_cycles_i (16'd0),
    .free_running_i (1'b1),  // without grants it does not matter
    .slot_open_i    (slot_open_q),
    .want_i         (want[Radix-1:0]),
    .sending_i      ((sending[Radix-1:0] | line_busy[Radix-1:0]) != '0),
    .accept_o       (accept[Radix-1:0]),
    .start_o        (start[Radix-1:0]),
    .request_o      (no_request),
    .grant_i        ({Radix{1'b0}}),
    .receiving_i    (link_valid),
    .received_i     (last[Radix-1:0]),
    .request_i      ({Radix{1'b0}}),
    .grant_o        (no_grant),
    .violation_o    (violation),
    .waiting_o      (waiting_for_grant),
    .idle_o         (limiter_idle)
  );
  assign unused_limiter = &{1'b0, no_request, no_grant, waiting_for_grant, limiter_idle, unused_release};

  // ---- buffers ----
  logic [OccupancyWidth-1:0] occupancy;
  buffer_table #(
    .Lanes(Lanes), .Outputs(Outputs), .Buffers(Buffers), .GenerationWidth(GenerationWidth), .CountWidth(CountWidth)
  ) u_buffer_table (
    .clk_i, .rst_ni,
    .grant_buffer_i     (grant_buffer),
    .grant_generation_o (grant_generation),
    .grant_i            (allocate),
    .grant_parts_i      (grant_parts),
    .grant_uses_i       (grant_uses),
    .grant_is_first_o   (begins_anew),
    .first_i            (first & (store | combine)),
    .last_i             (last & (store | combine)),
    .buffer_i           (in_buffer),
    .last_part_o        (last_part),
    .send_buffer_i      (send_buffer),
    .send_generation_i  (send_generation),
    .send_complete_o    (complete),
    .send_i             (send_uses_buffer),
    .occupancy_o        (occupancy)
  );
  packet_buffers #(
    .Lanes(Lanes), .Outputs(Outputs), .FlitWidth(FlitWidth), .Flits(Flits), .Buffers(Buffers),
    .Combining(Combining)
  ) u_packet_buffers (
    .clk_i,
    .operation_i,
    .clear_i        (begins_anew),
    .clear_buffer_i (grant_buffer),
    .write_i        (in_valid & (store | combine)),
    .combine_i      (combine),
    .write_buffer_i (in_buffer),
    .write_index_i  (in_index),
    .write_flit_i   (named_flit),
    .result_o       (result),
    .read_buffer_i  (read_buffer),
    .read_index_i   (read_index),
    .read_flit_o    (stored_flit)
  );

  // ---- host ----
  // What is combined is delivered by the lane whose part begins last. The other parts began earlier and every lane
  // moves a flit a cycle, so each flit of that lane's result has all parts in it.
  logic [Lanes-1:0]           deliver_now, deliver_held_q, deliver_valid_q, deliver_last_q;
  logic [Lanes*FlitWidth-1:0] deliver_flit_q;
  assign own_ready_o[Radix] = load_ready;
  assign deliver_valid_o    = deliver_valid_q;
  assign deliver_last_o     = deliver_last_q;
  assign deliver_flit_o     = deliver_flit_q;
  for (genvar l = 0; l < Lanes; l++) begin : g_deliver
    logic chosen;
    assign chosen         = deliver[l] && (!combine[l] || last_part[l]);
    assign deliver_now[l] = in_valid[l] && (first[l] ? chosen : deliver_held_q[l]);
    always_ff @(posedge clk_i) begin
      if (first[l])       deliver_held_q[l] <= chosen;
      if (deliver_now[l]) deliver_flit_q[l*FlitWidth +: FlitWidth] <= result[l*FlitWidth +: FlitWidth];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      deliver_valid_q <= '0;
      deliver_last_q  <= '0;
    end else begin
      deliver_valid_q <= deliver_now;
      deliver_last_q  <= deliver_now & last;
    end
  end

  // ---- measurements ----
  logic [OccupancyWidth-1:0] unused_peak;
  counters #(.Radix(Radix), .DeliveryStreams(Lanes), .OccupancyWidth(OccupancyWidth)) u_counters (
    .clk_i, .rst_ni, .cycle_i, .step_i,
    .sent_i         (start[Radix-1:0]),
    .received_i     (last[Radix-1:0]),
    .delivered_i    (deliver_now & last),
    .violation_i    (violation),
    .occupancy_i    (occupancy),
    .transit_i      ({OccupancyWidth{1'b0}}),
    .sent_o, .received_o, .delivered_o, .last_delivery_cycle_o, .last_delivery_step_o, .delay_sum_o,
    .occupancy_o, .peak_occupancy_o,
    .peak_transit_o (unused_peak),
    .violations_o, .first_violation_cycle_o
  );

  logic [Outputs-1:0] send_dry;
  logic [Lanes-1:0]   receive_dry;
  logic [31:0]      dry_q, first_dry_q, mismatches_q, first_mismatch_q;
  assign send_dry               = ~send_head_valid & send_more_i;
  assign receive_dry            = receive_empty & receive_more_i;
  assign dry_o                  = dry_q;
  assign first_dry_cycle_o      = first_dry_q;
  assign mismatches_o           = mismatches_q;
  assign first_mismatch_cycle_o = first_mismatch_q;
  if (Combining == 0) begin : g_nothing_combines
    always @(posedge clk_i) begin : a_nothing_is_combined
      if (rst_ni && in_valid != '0) assert ((in_valid & combine) == '0);
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      dry_q            <= '0;
      first_dry_q      <= '0;
      mismatches_q     <= '0;
      first_mismatch_q <= '0;
    end else begin
      if (cycle_i != '0 && (send_dry != '0 || receive_dry != '0)) begin
        dry_q <= dry_q + 32'd1;
        if (dry_q == '0) first_dry_q <= cycle_i;
      end
      if (mismatch != '0) begin
        mismatches_q <= mismatches_q + 32'd1;
        if (mismatches_q == '0) first_mismatch_q <= cycle_i;
      end
    end
  end

  // A loopback that is late makes the sums late that its packets go into: only links are reported.
  logic [Outputs-1:0] late, wait_packet, wait_credit;
  logic               unused_loopbacks;
  assign late             = slot_open_q ? due & ~start : '0;
  assign wait_packet      = due & ~ready & ~sending & ~line_busy;
  assign wait_credit      = due & ready & ~credit_available & ~sending & ~line_busy;
  assign late_o           = late[Radix-1:0];
  assign wait_packet_o    = wait_packet[Radix-1:0];
  assign wait_credit_o    = wait_credit[Radix-1:0];
  assign unused_loopbacks = &{1'b0, late, wait_packet, wait_credit};
  assign idle_o        = send_head_valid == '0 && sending == '0 && line_busy == '0 && receive_empty == '1 && granted == '0 &&
                         in_busy == '0 && credit_q == '0 && deliver_valid_q == '0 && occupancy == '0 && !in_flight;

  always @(posedge clk_i) begin : a_settings_are_built
    if (!rst_ni) assert (port_model_i != 2'd3 && window_i >= 16'd1 && 32'(window_i) <= Window);
  end
  always @(posedge clk_i) begin : a_slots_are_longer_than_links
    if (!rst_ni) assert (slot_cycles_i == 32'd1 || slot_cycles_i > 32'(link_latency_i));
  end
  always @(posedge clk_i) begin : a_packets_fit_into_slots
    if (rst_ni && slot_open_q && sending != '0) assert (slot_cycles_i == 32'd1);
  end

  initial begin : check_parameters
    if (Radix < 1 || Radix > 128)    $fatal(1, "tdm_node: Radix must be 1 to 128");
    if (NameWidth < 1)               $fatal(1, "tdm_node: NameWidth must be at least 1");
    if (HeaderWidth > WordWidth)     $fatal(1, "tdm_node: FlitWidth must be at least %0d bits for the header", 2 * HeaderWidth);
    if (LinkLatency < 0)             $fatal(1, "tdm_node: LinkLatency must be at least 0");
    if (Loopbacks < 0)               $fatal(1, "tdm_node: Loopbacks must be at least 0");
    if (UnequalLinks != 0 && (UnequalLinks != 1 || LinkLatency < 1))
      $fatal(1, "tdm_node: UnequalLinks must be 0 or 1, and LinkLatency at least 1 with it");
    if (GenerationWidth < 1 || CountWidth < 1) $fatal(1, "tdm_node: GenerationWidth and CountWidth must be at least 1");
  end
endmodule
