// router_frame - what routers that decide by labels have in common: receive ports, transmit ports, the port model,
// credits and the host's ports.
//
// The node around it has the links, the table of labels, and the queues with the order in which packets leave: one queue
// per output under all-port, one for the node otherwise. The frame asks the table for each packet that arrives, offers
// its flits to the queues that the answer names (write_*_o, commit_*_o), is told which outputs the heads want (wanted_i),
// takes a head when the port model and the credits allow (serve_mask_o) and reads it out (read_*).
//
// What leaves for another node is a function of registers if wanted_i, head_*_i and read_flit_i are functions of
// registers.
module router_frame #(
  parameter int Radix       = 4,
  parameter int FlitWidth   = 64,
  parameter int Flits       = 1,
  parameter int SlotCycles  = 1,
  parameter int QueueDepth  = 16,
  parameter int HostDepth   = 16,
  parameter int PortModel   = 0,
  parameter int GrantCycles = 0,
  parameter int LabelWidth  = 6,
  parameter int RankWidth   = 1,   // of ranks that travel with packets to the queues
  parameter int LengthShift = 22,  // position of the length field in a header
  localparam int Inputs     = Radix + 1,  // the last is the host
  localparam int Queues     = (PortModel == safnet_pkg::AllPort) ? Radix : 1,
  localparam int MaskWidth  = (PortModel == safnet_pkg::AllPort) ? 1 : Radix,
  localparam int MaxDepth   = safnet_pkg::larger(QueueDepth, HostDepth),
  localparam int LaneWidth  = safnet_pkg::index_width(Inputs),
  localparam int SlotWidth  = safnet_pkg::index_width(MaxDepth),
  localparam int IndexWidth = safnet_pkg::index_width(Flits),
  localparam int CountWidth = $clog2(MaxDepth + 1)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         slot_open_next_i,
  // links
  input  logic [Radix-1:0]             link_valid_i,
  input  logic [Radix*FlitWidth-1:0]   link_flit_i,
  input  logic [Radix-1:0]             link_credit_i,
  input  logic [Radix-1:0]             link_request_i,
  input  logic [Radix-1:0]             link_grant_i,
  output logic [Radix-1:0]             tx_valid_o,
  output logic [Radix*FlitWidth-1:0]   tx_flit_o,
  output logic [Radix-1:0]             tx_credit_o,
  output logic [Radix-1:0]             tx_request_o,
  output logic [Radix-1:0]             tx_grant_o,
  // host
  input  logic                         inject_valid_i,
  output logic                         inject_ready_o,
  input  logic [FlitWidth-1:0]         inject_flit_i,
  output logic [Radix-1:0]             deliver_valid_o,
  output logic [Radix-1:0]             deliver_last_o,
  output logic [Radix*FlitWidth-1:0]   deliver_flit_o,
`include "common/as_ports.svh"
`include "common/frame_wires.svh"
  output logic [Radix-1:0]             wait_credit_o,
  output logic [Radix-1:0]             wait_grant_o,
  output logic                         idle_o  // nothing to do here; links and queues' memories not counted
);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) slot_open_o <= 1'b0;
    else         slot_open_o <= slot_open_next_i;
  end

  // ---- inputs: links 0 ... Radix-1, then the host ----
  logic [Inputs-1:0]       in_valid, in_last, in_deliver, in_busy;
  logic [Inputs*Radix-1:0] in_mask;
  logic                    inject_accept, unused;
  assign in_valid     = {inject_accept, link_valid_i};
  assign header_o     = in_valid & ~in_busy;
  assign write_flit_o = {inject_flit_i, link_flit_i};
  assign arrived_o    = in_last[Radix-1:0];
  assign for_host_o   = in_last[Radix-1:0] & in_deliver[Radix-1:0];
  assign unused       = in_deliver[Radix];  // the host gets no copy of its own packets

  receive_port #(
    .Radix(Radix), .FlitWidth(FlitWidth), .Flits(Flits), .LabelWidth(LabelWidth), .RankWidth(RankWidth),
    .LengthShift(LengthShift)
  ) u_receive_port [Inputs-1:0] (
    .clk_i, .rst_ni, .flit_valid_i(in_valid), .flit_i(write_flit_o), .label_o, .mask_i, .deliver_i, .rank_i,
    .mask_o(in_mask), .deliver_o(in_deliver), .rank_o(commit_rank_o), .index_o(write_index_o), .last_o(in_last),
    .busy_o(in_busy)
  );
  for (genvar q = 0; q < Queues; q++) begin : g_write
    logic [Inputs-1:0] valid;
    for (genvar i = 0; i < Inputs; i++) begin : g_input
      if (PortModel == safnet_pkg::AllPort) begin : g_one_output
        assign valid[i] = in_valid[i] && in_mask[i*Radix + q];
      end else begin : g_all_outputs
        assign valid[i] = in_valid[i] && in_mask[i*Radix +: Radix] != '0;
      end
    end
    assign write_valid_o[q*Inputs +: Inputs] = valid;
    assign commit_o[q*Inputs +: Inputs]      = valid & in_last;
  end
  assign commit_mask_o = (PortModel == safnet_pkg::AllPort) ? '1 : (Inputs*MaskWidth)'(in_mask);

  // ---- outputs ----
  logic [Radix-1:0]            want, accept, credit_available;
  logic [Queues-1:0]           accept_here, start_here, transmit_valid;
  logic [Queues*FlitWidth-1:0] transmit_flit;
  transmit_port #(
    .FlitWidth(FlitWidth), .Flits(Flits), .LaneWidth(LaneWidth), .SlotWidth(SlotWidth), .LengthShift(LengthShift)
  ) u_transmit_port [Queues-1:0] (
    .clk_i, .rst_ni, .accept_i(accept_here), .start_i(start_here), .last_copy_i(head_done_i), .head_lane_i, .head_slot_i,
    .read_lane_o, .read_slot_o, .read_index_o, .read_flit_i, .release_o, .flit_valid_o(transmit_valid),
    .flit_o(transmit_flit), .sending_o
  );
  assign serve_mask_o = accept;
  if (PortModel == safnet_pkg::AllPort) begin : g_own_port
    assign want        = wanted_i & credit_available & ~sending_o;
    assign accept_here = accept;
    assign start_here  = start_o;
    assign tx_valid_o  = transmit_valid;
    assign tx_flit_o   = transmit_flit;
  end else begin : g_shared
    logic [Radix-1:0] port_q;  // one-hot: where the packet being sent goes
    logic             unused_valid;
    assign want         = wanted_i & credit_available;
    assign accept_here  = accept != '0;
    assign start_here   = start_o != '0;
    assign unused_valid = transmit_valid;
    always_ff @(posedge clk_i) begin
      if (start_here) port_q <= start_o;
    end
    for (genvar p = 0; p < Radix; p++) begin : g_port
      assign tx_valid_o[p] = start_o[p] || (sending_o && port_q[p]);
      assign tx_flit_o[p*FlitWidth +: FlitWidth] = tx_valid_o[p] ? transmit_flit : '0;
    end
  end

  // ---- port model ----
  logic limiter_idle;
  port_limiter #(
    .Radix(Radix), .PortModel(PortModel), .GrantCycles(GrantCycles), .SlotCycles(SlotCycles)
  ) u_port_limiter (
    .clk_i, .rst_ni,
    .slot_open_i (slot_open_o),
    .want_i      (want),
    .sending_i   (sending_o[0]),
    .accept_o    (accept),
    .start_o,
    .request_o   (tx_request_o),
    .grant_i     (link_grant_i),
    .receiving_i (link_valid_i),
    .received_i  (arrived_o),
    .request_i   (link_request_i),
    .grant_o     (tx_grant_o),
    .violation_o,
    .waiting_o   (wait_grant_o),
    .idle_o      (limiter_idle)
  );
  // A one-port node chooses its next packet when this one has left: until then it waits for no further credit.
  assign wait_credit_o = (wait_grant_o != '0 || (Queues == 1 && start_o != '0)) ? '0 : wanted_i & ~credit_available;

  // ---- credits ----
  logic [Radix-1:0]             owing;
  logic [Queues*CountWidth-1:0] host_count_next;
  for (genvar i = 0; i < Inputs; i++) begin : g_lane
    logic [Queues*CountWidth-1:0] lane_count_next;
    for (genvar q = 0; q < Queues; q++) begin : g_count
      assign lane_count_next[q*CountWidth +: CountWidth] = count_next_i[(q*Inputs + i)*CountWidth +: CountWidth];
    end
    if (i < Radix) begin : g_link
      credit_return #(.Queues(Queues), .Depth(QueueDepth), .CountWidth(CountWidth)) u_credit_return (
        .clk_i, .rst_ni, .accepted_i(arrived_o[i]), .count_next_i(lane_count_next), .credit_o(tx_credit_o[i]),
        .owing_o(owing[i])
      );
    end else begin : g_host
      assign host_count_next = lane_count_next;
    end
  end
  credit_counter #(.Depth(QueueDepth)) u_credit_counter [Radix-1:0] (
    .clk_i, .rst_ni, .spend_i(start_o), .credit_i(link_credit_i), .available_o(credit_available)
  );

  // ---- host ----
  host_interface #(
    .Radix(Radix), .FlitWidth(FlitWidth), .Queues(Queues), .HostDepth(HostDepth), .CountWidth(CountWidth)
  ) u_host_interface (
    .clk_i, .rst_ni, .inject_valid_i, .inject_ready_o,
    .inject_accept_o (inject_accept),
    .receiving_i     (in_busy[Radix]),
    .count_next_i    (host_count_next),
    .deliver_valid_i (link_valid_i & in_deliver[Radix-1:0]),
    .deliver_last_i  (for_host_o),
    .deliver_flit_i  (link_flit_i),
    .deliver_valid_o, .deliver_last_o, .deliver_flit_o
  );

  assign idle_o = head_valid_i == '0 && sending_o == '0 && limiter_idle && in_busy == '0 && owing == '0 &&
                  tx_credit_o == '0 && deliver_valid_o == '0;
endmodule
