// pifo_node - a store-and-forward router that decides for itself: label lookup, rank queues, port model, credits.
//
// All-port: every output has a queue and a transmit port. One-port and one-port-send: one queue for the node, and its
// head decides the port. With ScansFirst the node is an exchange_node: an exchange_scan stands between the links, the
// host and the router, finds out which class the host's packets have, and then lets everything through. See README.md
// here and in exchange/ for the timing.
//
// The links that lead to the node are part of it (node_links). Every signal that leaves for another node (flits,
// credits, requests, grants) is a function of this node's registers alone.
module pifo_node #(
  parameter int Radix       = 4,     // ports, 1 to 64
  parameter int FlitWidth   = 64,    // bits of a flit; the header must fit
  parameter int Flits       = 1,     // flits in the longest packet
  parameter int LinkLatency = 0,     // cycles of a link
  parameter int SlotCycles  = 1,     // cycles in a slot; 1 is free running
  parameter int QueueDepth  = 16,    // packets per input and queue
  parameter int HostDepth   = 16,    // packets of the local host per queue
  parameter int LabelDepth  = 64,    // entries of the label table
  parameter int RankLevels  = 4,     // ranks
  parameter int PortModel   = 0,     // safnet_pkg::AllPort, OnePort, OnePortSend
  parameter int GrantCycles = 0,     // cycles that a grant costs under one-port; 0: no grants
  parameter int NodeIdWidth = 8,     // bits of the source field
  parameter int TagWidth    = 8,     // bits of the tag field
  parameter int DealsLinks  = 0,     // 1: masks name branches, and packets are dealt to their links in turn
  parameter int RestRanks   = 0,     // 1: one-port nodes: what is left of a packet may have another rank
  parameter int ScansFirst  = 0,     // 1: all-port nodes: an exchange_node; needs the sources of exchange/
  localparam int Nodes          = 1,  // of the lists of ports
  localparam int LabelWidth     = safnet_pkg::index_width(LabelDepth),
  localparam int RankWidth      = safnet_pkg::index_width(RankLevels),
  localparam int PortWidth      = safnet_pkg::index_width(Radix),
  localparam int MaxDepth       = safnet_pkg::larger(QueueDepth, HostDepth),
  localparam int OccupancyWidth = $clog2(MaxDepth * (Radix + 1) + 1),
  localparam int InjectWidth    = (ScansFirst != 0) ? 2 * RankWidth : RankWidth
) (
  input  logic        clk_i,
  input  logic        rst_ni,
`include "common/as_ports.svh"
`include "common/router_wires.svh"
`include "pifo/pifo_ports.svh"
  // network time, registered elsewhere (slot_timer)
  input  logic [31:0] cycle_i,
  input  logic [31:0] step_i,
  input  logic        slot_open_next_i  // registered here before use
);
  localparam int Inputs      = Radix + 1;  // the last is the host
  localparam int Queues      = (PortModel == safnet_pkg::AllPort) ? Radix : 1;
  localparam int MaskWidth   = (PortModel == safnet_pkg::AllPort) ? 1 : Radix;
  localparam int LaneWidth   = safnet_pkg::index_width(Inputs);
  localparam int SlotWidth   = safnet_pkg::index_width(MaxDepth);
  localparam int IndexWidth  = safnet_pkg::index_width(Flits);
  localparam int CountWidth  = $clog2(MaxDepth + 1);
  localparam int LengthWidth = $clog2(Flits + 1);
  localparam int LengthShift = LabelWidth + NodeIdWidth + TagWidth;  // header: {check, length, tag, source, label}
  localparam int HeaderWidth = LengthShift + LengthWidth;

  // ---- links ----
  logic [Radix-1:0]           link_valid, link_credit, link_request, link_grant;
  logic [Radix*FlitWidth-1:0] link_flit;
  logic                       in_flight;
  node_links #(.Radix(Radix), .FlitWidth(FlitWidth), .Latency(LinkLatency)) u_links (
    .clk_i, .rst_ni,
    .rx_valid_i, .rx_flit_i, .rx_credit_i, .rx_request_i, .rx_grant_i, .fault_drop_i, .fault_corrupt_i,
    .link_valid_o   (link_valid),
    .link_flit_o    (link_flit),
    .link_credit_o  (link_credit),
    .link_request_o (link_request),
    .link_grant_o   (link_grant),
    .in_flight_o    (in_flight)
  );

  // ---- scan, or none: the router below sees the links and the host through it ----
  logic [Radix-1:0]           router_rx_valid, router_tx_valid, router_deliver_valid, router_deliver_last;
  logic [Radix*FlitWidth-1:0] router_rx_flit, router_tx_flit, router_deliver_flit;
  logic [FlitWidth-1:0]       router_inject_flit;
  logic [RankWidth-1:0]       router_inject_rank;
  logic                       router_slot_open_next, scan_idle;
  if (ScansFirst != 0) begin : g_scan
    exchange_scan #(
      .Radix(Radix), .FlitWidth(FlitWidth), .Flits(Flits), .LabelDepth(LabelDepth), .RankWidth(RankWidth),
      .LengthShift(LengthShift)
    ) u_exchange_scan (
      .clk_i, .rst_ni, .cycle_i, .slot_open_next_i,
      .table_valid_i, .table_label_i, .table_mask_i, .table_deliver_i,
      .rx_valid_i              (link_valid),
      .rx_flit_i               (link_flit),
      .tx_valid_o, .tx_flit_o,
      .inject_valid_i, .inject_ready_i(inject_ready_o), .inject_flit_i, .inject_ranks_i(inject_rank_i),
      .deliver_valid_o, .deliver_last_o, .deliver_flit_o,
      .router_slot_open_next_o (router_slot_open_next),
      .router_rx_valid_o       (router_rx_valid),
      .router_rx_flit_o        (router_rx_flit),
      .router_tx_valid_i       (router_tx_valid),
      .router_tx_flit_i        (router_tx_flit),
      .router_inject_flit_o    (router_inject_flit),
      .router_inject_rank_o    (router_inject_rank),
      .router_deliver_valid_i  (router_deliver_valid),
      .router_deliver_last_i   (router_deliver_last),
      .router_deliver_flit_i   (router_deliver_flit),
      .idle_o                  (scan_idle)
    );
  end else begin : g_no_scan
    assign router_slot_open_next = slot_open_next_i;
    assign router_rx_valid       = link_valid;
    assign router_rx_flit        = link_flit;
    assign tx_valid_o            = router_tx_valid;
    assign tx_flit_o             = router_tx_flit;
    assign router_inject_flit    = inject_flit_i;
    assign router_inject_rank    = inject_rank_i;
    assign deliver_valid_o       = router_deliver_valid;
    assign deliver_last_o        = router_deliver_last;
    assign deliver_flit_o        = router_deliver_flit;
    assign scan_idle             = 1'b1;
  end

  logic slot_open_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) slot_open_q <= 1'b0;
    else         slot_open_q <= router_slot_open_next;
  end

  // ---- inputs: links 0 ... Radix-1, then the host ----
  logic [Inputs-1:0]            in_valid, in_last, in_deliver, in_busy, table_deliver;
  logic [Inputs*FlitWidth-1:0]  in_flit;
  logic [Inputs*LabelWidth-1:0] in_label;
  logic [Inputs*Radix-1:0]      in_mask, table_mask, link_mask;
  logic [Inputs*RankWidth-1:0]  in_rank, rank_of_label, rank_offered;
  logic [Inputs*IndexWidth-1:0] in_index;
  logic                         inject_accept;

  assign in_valid     = {inject_accept, router_rx_valid};
  assign in_flit      = {router_inject_flit, router_rx_flit};
  assign rank_offered = {router_inject_rank, rank_of_label[Radix*RankWidth-1:0]};
  // The host chooses the rank of what it injects, so the table's rank is not used for it, and gets no copy of its own
  // packets.
  logic unused_host;
  assign unused_host = &{1'b0, rank_of_label[Radix*RankWidth +: RankWidth], in_deliver[Radix]};

  for (genvar i = 0; i < Inputs; i++) begin : g_input
    receive_port #(
      .Radix(Radix), .FlitWidth(FlitWidth), .Flits(Flits), .LabelWidth(LabelWidth), .RankWidth(RankWidth),
      .LengthShift(LengthShift)
    ) u_receive_port (
      .clk_i, .rst_ni,
      .flit_valid_i (in_valid[i]),
      .flit_i       (in_flit[i*FlitWidth +: FlitWidth]),
      .label_o      (in_label[i*LabelWidth +: LabelWidth]),
      .mask_i       (link_mask[i*Radix +: Radix]),
      .deliver_i    (table_deliver[i]),
      .rank_i       (rank_offered[i*RankWidth +: RankWidth]),
      .mask_o       (in_mask[i*Radix +: Radix]),
      .deliver_o    (in_deliver[i]),
      .rank_o       (in_rank[i*RankWidth +: RankWidth]),
      .index_o      (in_index[i*IndexWidth +: IndexWidth]),
      .last_o       (in_last[i]),
      .busy_o       (in_busy[i])
    );
  end

  if (DealsLinks != 0) begin : g_deal
    link_balancer #(.Radix(Radix), .Inputs(Inputs)) u_link_balancer (
      .clk_i, .rst_ni, .branch_first_i,
      .header_i (in_valid & ~in_busy),
      .mask_i   (table_mask),
      .mask_o   (link_mask)
    );
  end else begin : g_links
    logic unused;
    assign link_mask = table_mask;
    assign unused    = &{1'b0, branch_first_i};
  end

  logic [LabelWidth-1:0]      head_label;
  logic [Radix*PortWidth-1:0] head_order;
  logic                       head_rest;
  logic [RankWidth-1:0]       head_rest_rank;
  label_table #(
    .Radix(Radix), .LabelDepth(LabelDepth), .RankLevels(RankLevels), .ReadPorts(Inputs),
    .HasOrder((PortModel == safnet_pkg::AllPort) ? 0 : 1), .HasRest(RestRanks)
  ) u_label_table (
    .clk_i,
    .write_valid_i   (table_valid_i),
    .write_label_i   (table_label_i),
    .write_mask_i    (table_mask_i),
    .write_deliver_i (table_deliver_i),
    .write_rank_i    (table_rank_i),
    .write_order_i   (table_order_i),
    .write_rest_i    (table_rest_i),
    .write_rest_rank_i (table_rest_rank_i),
    .label_i         (in_label),
    .mask_o          (table_mask),
    .deliver_o       (table_deliver),
    .rank_o          (rank_of_label),
    .order_label_i   (head_label),
    .order_o         (head_order),
    .rest_o          (head_rest),
    .rest_rank_o     (head_rest_rank)
  );

  // ---- queues and transmit ports ----
  logic [Queues-1:0]                   head_valid;
  logic [Radix-1:0]                    want, accept, start;  // per output
  logic [Radix-1:0]                    wanted;               // a head is for this output, credit or not
  logic [Radix-1:0]                    credit_available;
  logic [Queues-1:0]                   sending, transmit_valid, leaving;
  logic [Queues*FlitWidth-1:0]         transmit_flit;
  logic [Queues*Inputs*CountWidth-1:0] count_next;
  logic [Queues*OccupancyWidth-1:0]    occupancy, transit;

  for (genvar q = 0; q < Queues; q++) begin : g_queue
    logic [Inputs-1:0]           write_valid, commit;
    logic [Inputs*MaskWidth-1:0] commit_mask;
    logic [LaneWidth-1:0]        head_lane, read_lane;
    logic [SlotWidth-1:0]        head_slot, read_slot;
    logic [MaskWidth-1:0]        head_mask, serve_mask;
    logic                        head_done, release_slot, accept_here, start_here;
    logic [IndexWidth-1:0]       read_index;
    logic [FlitWidth-1:0]        read_flit;

    for (genvar i = 0; i < Inputs; i++) begin : g_write
      if (PortModel == safnet_pkg::AllPort) begin : g_one_output
        assign write_valid[i]  = in_valid[i] && in_mask[i*Radix + q];
        assign commit_mask[i]  = 1'b1;
      end else begin : g_all_outputs
        assign write_valid[i]                        = in_valid[i] && in_mask[i*Radix +: Radix] != '0;
        assign commit_mask[i*MaskWidth +: MaskWidth] = in_mask[i*Radix +: Radix];
      end
      assign commit[i] = write_valid[i] && in_last[i];
    end

    pifo_queue #(
      .Lanes(Inputs), .FlitWidth(FlitWidth), .Flits(Flits), .Depth(QueueDepth), .HostDepth(HostDepth),
      .RankLevels(RankLevels), .MaskWidth(MaskWidth), .RestRanks(RestRanks)
    ) u_queue (
      .clk_i, .rst_ni,
      .now_i         (cycle_i),
      .write_valid_i (write_valid),
      .write_index_i (in_index),
      .write_flit_i  (in_flit),
      .commit_i      (commit),
      .commit_rank_i (in_rank),
      .commit_mask_i (commit_mask),
      .head_valid_o  (head_valid[q]),
      .head_lane_o   (head_lane),
      .head_slot_o   (head_slot),
      .head_mask_o   (head_mask),
      .serve_mask_i  (serve_mask),
      .head_done_o   (head_done),
      .rest_i        (head_rest),
      .rest_rank_i   (head_rest_rank),
      .read_lane_i   (read_lane),
      .read_slot_i   (read_slot),
      .read_index_i  (read_index),
      .read_flit_o   (read_flit),
      .release_i     (release_slot),
      .count_next_o  (count_next[q*Inputs*CountWidth +: Inputs*CountWidth]),
      .occupancy_o   (occupancy[q*OccupancyWidth +: OccupancyWidth]),
      .transit_o     (transit[q*OccupancyWidth +: OccupancyWidth])
    );
    transmit_port #(
      .FlitWidth(FlitWidth), .Flits(Flits), .LaneWidth(LaneWidth), .SlotWidth(SlotWidth), .LengthShift(LengthShift)
    ) u_transmit_port (
      .clk_i, .rst_ni,
      .accept_i     (accept_here),
      .start_i      (start_here),
      .last_copy_i  (head_done),
      .head_lane_i  (head_lane),
      .head_slot_i  (head_slot),
      .read_lane_o  (read_lane),
      .read_slot_o  (read_slot),
      .read_index_o (read_index),
      .read_flit_i  (read_flit),
      .release_o    (release_slot),
      .flit_valid_o (transmit_valid[q]),
      .flit_o       (transmit_flit[q*FlitWidth +: FlitWidth]),
      .sending_o    (sending[q])
    );

    if (PortModel == safnet_pkg::AllPort) begin : g_own_port
      assign wanted[q]   = head_valid[q];
      assign want[q]     = head_valid[q] && credit_available[q] && !sending[q];
      assign accept_here = accept[q];
      assign start_here  = start[q];
      assign serve_mask  = accept[q];
      assign router_tx_valid[q]                        = transmit_valid[q];
      assign router_tx_flit[q*FlitWidth +: FlitWidth]  = transmit_flit[q*FlitWidth +: FlitWidth];
      logic unused;
      assign unused = &{1'b0, head_mask, head_order};
    end else begin : g_shared
      // The head leaves next through that port of its mask which comes first in its label's order of service.
      logic [Radix-1:0] port_q;  // one-hot: where the packet being sent goes
      always_comb begin
        wanted = '0;
        // While a packet is being sent, the memory shows its flits and not the head's label.
        if (head_valid[0] && !sending[0]) begin
          for (int k = Radix - 1; k >= 0; k--) begin
            if (head_mask[head_order[k*PortWidth +: PortWidth]]) begin
              wanted = '0;
              wanted[head_order[k*PortWidth +: PortWidth]] = 1'b1;
            end
          end
        end
      end
      assign want        = wanted & credit_available;
      assign accept_here = accept != '0;
      assign start_here  = start != '0;
      assign serve_mask  = accept;
      always_ff @(posedge clk_i) begin
        if (start_here) port_q <= start;
      end
      for (genvar p = 0; p < Radix; p++) begin : g_port
        assign router_tx_valid[p] = start[p] || (sending[0] && port_q[p]);
        assign router_tx_flit[p*FlitWidth +: FlitWidth] = router_tx_valid[p] ? transmit_flit : '0;
      end
      logic unused;
      assign unused = &{1'b0, transmit_valid};
    end
    assign leaving[q] = release_slot;
    if (q == 0) begin : g_label
      // While nothing is being sent the memory shows the head's header.
      assign head_label = read_flit[LabelWidth-1:0];
    end
  end

  // ---- port model ----
  logic violation, limiter_idle;
  port_limiter #(
    .Radix(Radix), .PortModel(PortModel), .GrantCycles(GrantCycles), .SlotCycles(SlotCycles)
  ) u_port_limiter (
    .clk_i, .rst_ni,
    .slot_open_i (slot_open_q),
    .want_i      (want),
    .sending_i   (sending[0]),
    .accept_o    (accept),
    .start_o     (start),
    .request_o   (tx_request_o),
    .grant_i     (link_grant),
    .receiving_i (router_rx_valid),
    .received_i  (in_last[Radix-1:0]),
    .request_i   (link_request),
    .grant_o     (tx_grant_o),
    .violation_o (violation),
    .waiting_o   (wait_grant_o),
    .idle_o      (limiter_idle)
  );
  // A one-port node that has a packet under way does not wait for a credit: the next packet is not chosen before.
  assign wait_credit_o = (wait_grant_o != '0 || (Queues == 1 && start != '0)) ? '0 : wanted & ~credit_available;

  // ---- credits ----
  logic [Radix-1:0] owing;
  for (genvar p = 0; p < Radix; p++) begin : g_credit
    logic [Queues*CountWidth-1:0] lane_count_next;
    for (genvar q = 0; q < Queues; q++) begin : g_count
      assign lane_count_next[q*CountWidth +: CountWidth] = count_next[(q*Inputs + p)*CountWidth +: CountWidth];
    end
    credit_counter #(.Depth(QueueDepth)) u_credit_counter (
      .clk_i, .rst_ni,
      .spend_i     (start[p]),
      .credit_i    (link_credit[p]),
      .available_o (credit_available[p])
    );
    credit_return #(.Queues(Queues), .Depth(QueueDepth), .CountWidth(CountWidth)) u_credit_return (
      .clk_i, .rst_ni,
      .accepted_i   (in_last[p]),
      .count_next_i (lane_count_next),
      .credit_o     (tx_credit_o[p]),
      .owing_o      (owing[p])
    );
  end

  // ---- host ----
  logic [Queues*CountWidth-1:0] host_count_next;
  for (genvar q = 0; q < Queues; q++) begin : g_host_count
    assign host_count_next[q*CountWidth +: CountWidth] = count_next[(q*Inputs + Radix)*CountWidth +: CountWidth];
  end
  host_interface #(
    .Radix(Radix), .FlitWidth(FlitWidth), .Queues(Queues), .HostDepth(HostDepth), .CountWidth(CountWidth)
  ) u_host_interface (
    .clk_i, .rst_ni,
    .inject_valid_i,
    .inject_ready_o,
    .inject_accept_o (inject_accept),
    .receiving_i     (in_busy[Radix]),
    .count_next_i    (host_count_next),
    .deliver_valid_i (router_rx_valid & in_deliver[Radix-1:0]),
    .deliver_last_i  (in_last[Radix-1:0] & in_deliver[Radix-1:0]),
    .deliver_flit_i  (router_rx_flit),
    .deliver_valid_o (router_deliver_valid),
    .deliver_last_o  (router_deliver_last),
    .deliver_flit_o  (router_deliver_flit)
  );

  // ---- measurements ----
  logic [OccupancyWidth-1:0] fullest, fullest_transit;
  always_comb begin
    fullest         = occupancy[OccupancyWidth-1:0];
    fullest_transit = transit[OccupancyWidth-1:0];
    for (int q = 1; q < Queues; q++) begin
      if (occupancy[q*OccupancyWidth +: OccupancyWidth] > fullest)
        fullest = occupancy[q*OccupancyWidth +: OccupancyWidth];
      if (transit[q*OccupancyWidth +: OccupancyWidth] > fullest_transit)
        fullest_transit = transit[q*OccupancyWidth +: OccupancyWidth];
    end
  end
  assign occupancy_o = fullest;
  counters #(.Radix(Radix), .OccupancyWidth(OccupancyWidth)) u_counters (
    .clk_i, .rst_ni, .cycle_i, .step_i,
    .sent_i      (start),
    .received_i  (in_last[Radix-1:0]),
    .delivered_i (in_last[Radix-1:0] & in_deliver[Radix-1:0]),
    .violation_i (violation),
    .occupancy_i (fullest),
    .transit_i   (fullest_transit),
    .sent_o, .received_o, .delivered_o, .last_delivery_cycle_o, .last_delivery_step_o, .delay_sum_o,
    .peak_occupancy_o, .peak_transit_o, .violations_o, .first_violation_cycle_o
  );

  logic [Queues*OccupancyWidth-1:0] peak_stored, peak_waiting;
  queue_peaks #(.Queues(Queues), .OccupancyWidth(OccupancyWidth)) u_queue_peaks (
    .clk_i, .rst_ni,
    .slot_open_i    (slot_open_q),
    .occupancy_i    (occupancy),
    .leaving_i      (leaving),
    .peak_stored_o  (peak_stored),
    .peak_waiting_o (peak_waiting)
  );
  assign peak_stored_o  = (Radix*OccupancyWidth)'(peak_stored);
  assign peak_waiting_o = (Radix*OccupancyWidth)'(peak_waiting);

  assign idle_o = head_valid == '0 && sending == '0 && limiter_idle && in_busy == '0 && owing == '0 &&
                  tx_credit_o == '0 && router_deliver_valid == '0 && fullest == '0 && scan_idle && !in_flight;

  initial begin : check_parameters
    if (Radix < 1 || Radix > 64) $fatal(1, "pifo_node: Radix must be 1 to 64");
    if (HeaderWidth > FlitWidth) $fatal(1, "pifo_node: FlitWidth must be at least %0d bits for the header", HeaderWidth);
    if (LinkLatency < 0)         $fatal(1, "pifo_node: LinkLatency must be at least 0");
    if (GrantCycles != 0 && GrantCycles != 2 * LinkLatency + 2)
      $fatal(1, "pifo_node: GrantCycles must be 0 or 2 * LinkLatency + 2 = %0d", 2 * LinkLatency + 2);
    if (SlotCycles != 1 && SlotCycles < Flits + LinkLatency + GrantCycles)
      $fatal(1, "pifo_node: SlotCycles must be 1 or at least Flits + LinkLatency + GrantCycles");
    if (DealsLinks < 0 || DealsLinks > 1) $fatal(1, "pifo_node: DealsLinks must be 0 or 1");
    if (RestRanks < 0 || RestRanks > 1)   $fatal(1, "pifo_node: RestRanks must be 0 or 1");
    if (RestRanks != 0 && PortModel == safnet_pkg::AllPort)
      $fatal(1, "pifo_node: RestRanks must be 0 under all-port");
    if (ScansFirst < 0 || ScansFirst > 1) $fatal(1, "pifo_node: ScansFirst must be 0 or 1");
    if (ScansFirst != 0 && (PortModel != safnet_pkg::AllPort || DealsLinks != 0))
      $fatal(1, "pifo_node: ScansFirst is for all-port nodes without DealsLinks");
    if (NodeIdWidth < 1 || TagWidth < 1) $fatal(1, "pifo_node: NodeIdWidth and TagWidth must be at least 1");
  end
endmodule
