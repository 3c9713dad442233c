// pifo_node - a store-and-forward router that decides for itself: label lookup, rank queues, port model, credits.
//
// A packet is stored once, in a place of the input that it came in through; queues hold the numbers of places.
// All-port: every output has a queue and a transmit port. One-port and one-port-send: one queue for the node, and its
// head decides the port. With ScansFirst the node is an exchange_node: an exchange_scan stands between the links, the
// host and the router, finds out which class the host's packets have, and then lets everything through. See README.md
// here and in exchange/ for the timing.
//
// The links that lead to the node are part of it (node_links). Every signal that leaves for another node (flits,
// credits, requests, grants) is a function of this node's registers alone.
module pifo_node #(
  parameter int Radix       = 4,     // ports, 1 to 64
`include "pifo/pifo_parameters.svh"
  parameter int ScansFirst  = 0,     // 1: all-port nodes: an exchange_node; needs the sources of exchange/
  localparam int Nodes       = 1,    // of the lists of ports
  localparam int InjectWidth = (ScansFirst != 0) ? 2 * RankWidth : RankWidth
) (
  input  logic        clk_i,
  input  logic        rst_ni,
`include "common/as_ports.svh"
`include "common/router_wires.svh"
`include "pifo/pifo_ports.svh"
`include "pifo/pifo_settings.svh"
  // network time, registered elsewhere (slot_timer)
  input  logic [31:0] cycle_i,
  input  logic [31:0] step_i,
  input  logic        slot_open_next_i  // registered here before use
);
  localparam int Inputs      = Radix + InjectPorts;  // links, then injection ports
  localparam int QueueInputs = Radix + 1;            // of one queue: links, and the injection port that feeds it
  localparam int Queues      = (PortModel == safnet_pkg::AllPort) ? Radix : 1;
  localparam int MaskWidth   = (PortModel == safnet_pkg::AllPort) ? 1 : Radix;
  localparam int QueuedWidth = OccupancyWidth;
  localparam int PlaceWidth  = safnet_pkg::index_width(safnet_pkg::places(Radix, QueueDepth, HostDepth));
  localparam int LengthWidth = $clog2(Flits + 1);
  localparam int LengthShift = LabelWidth + NodeIdWidth + TagWidth;  // header: {check, length, tag, source, label}
  localparam int HeaderWidth = LengthShift + LengthWidth;

  // ---- links ----
  logic [Radix-1:0]           link_valid, link_credit, link_request, link_grant;
  logic [Radix*FlitWidth-1:0] link_flit;
  logic                       in_flight;
  node_links #(.Radix(Radix), .FlitWidth(FlitWidth), .Latency(LinkLatency)) u_links (
    .clk_i, .rst_ni, .latency_i(link_latency_i),
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
  logic [InjectPorts*FlitWidth-1:0] router_inject_flit;
  logic [InjectPorts*RankWidth-1:0] router_inject_rank;
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

  // ---- inputs, outputs, port model, credits, host: its signals here are in frame_wires.svh ----
`include "common/as_signals.svh"
`include "common/frame_wires.svh"
  logic frame_idle;
  router_frame #(
    .Radix(Radix), .FlitWidth(FlitWidth), .Flits(Flits), .QueueDepth(QueueDepth), .HostDepth(HostDepth),
    .PortModel(PortModel), .GrantCycles(GrantCycles), .LabelWidth(LabelWidth), .RankWidth(RankWidth),
    .LengthShift(LengthShift), .InjectPorts(InjectPorts)
  ) u_frame (
    .*,
    .slot_open_next_i (router_slot_open_next),
    .link_valid_i     (router_rx_valid),
    .link_flit_i      (router_rx_flit),
    .link_credit_i    (link_credit),
    .link_request_i   (link_request),
    .link_grant_i     (link_grant),
    .tx_valid_o       (router_tx_valid),
    .tx_flit_o        (router_tx_flit),
    .inject_flit_i    (router_inject_flit),
    .deliver_valid_o  (router_deliver_valid),
    .deliver_last_o   (router_deliver_last),
    .deliver_flit_o   (router_deliver_flit),
    .idle_o           (frame_idle)
  );

  // ---- table ----
  // Inputs whose packets' labels are looked up. What the host injects has its rank already.
  localparam int LookedUp = safnet_pkg::looks_up_injected(Radix, InjectPorts) ? Inputs : Radix;
  logic [LookedUp*Radix-1:0]     table_mask, dealt_mask;
  logic [LookedUp*RankWidth-1:0] rank_of_label;
  logic [LookedUp-1:0]           table_deliver;
  logic [LabelWidth-1:0]       head_label;
  logic [Radix*PortWidth-1:0]  head_order;
  logic                        head_rest;
  logic [RankWidth-1:0]        head_rest_rank;
  label_table #(
    .Radix(Radix), .LabelDepth(LabelDepth), .RankLevels(RankLevels), .ReadPorts(LookedUp),
    .HasOrder((PortModel == safnet_pkg::AllPort) ? 0 : 1), .HasRest(RestRanks)
  ) u_label_table (
    .clk_i,
    .write_valid_i     (table_valid_i),
    .write_label_i     (table_label_i),
    .write_mask_i      (table_mask_i),
    .write_deliver_i   (table_deliver_i),
    .write_rank_i      (table_rank_i),
    .write_order_i     (table_order_i),
    .write_rest_i      (table_rest_i),
    .write_rest_rank_i (table_rest_rank_i),
    .label_i           (label_o[LookedUp*LabelWidth-1:0]),
    .mask_o            (table_mask),
    .deliver_o         (table_deliver),
    .rank_o            (rank_of_label),
    .order_label_i     (head_label),
    .order_o           (head_order),
    .rest_o            (head_rest),
    .rest_rank_o       (head_rest_rank)
  );
  assign rank_i    = {router_inject_rank, rank_of_label[Radix*RankWidth-1:0]};
  assign mask_i    = (Inputs*Radix)'(dealt_mask);
  assign deliver_i = Inputs'(table_deliver);
  // While nothing is being sent the memory shows the head's header.
  assign head_label = read_flit_o[LabelWidth-1:0];

  if (DealsLinks != 0) begin : g_deal
    logic [Radix-1:0] branch_first_q;
    always_ff @(posedge clk_i) branch_first_q <= branch_first_i;
    link_balancer #(.Radix(Radix), .Inputs(LookedUp)) u_link_balancer (
      .clk_i, .rst_ni,
      .branch_first_i (branch_first_q),
      .header_i       (header_o[LookedUp-1:0]),
      .mask_i         (table_mask),
      .mask_o         (dealt_mask)
    );
  end else begin : g_links
    assign dealt_mask = table_mask;
  end

  // ---- queues ----
  for (genvar q = 0; q < Queues; q++) begin : g_queue
    logic                 again;
    logic [RankWidth-1:0] head_rank;
    // A packet that has been sent in part may continue with another rank.
    assign again = RestRanks != 0 && taken_o[q] && !pop_o[q] && head_rest && head_rest_rank != head_rank;
    localparam int FedBy = Radix + q % InjectPorts;
    packet_order #(
      .Inputs(QueueInputs), .Depth(QueueDepth), .HostDepth(HostDepth), .RankLevels(RankLevels), .HasAgain(RestRanks)
    ) u_order (
      .clk_i, .rst_ni,
      .push_i       (push_o[q*QueueInputs +: QueueInputs]),
      .push_place_i ({push_place_o[FedBy*PlaceWidth +: PlaceWidth], push_place_o[Radix*PlaceWidth-1:0]}),
      .push_rank_i  ({push_rank_o[FedBy*RankWidth +: RankWidth], push_rank_o[Radix*RankWidth-1:0]}),
      .pop_i        (pop_o[q]),
      .again_i      (again),
      .again_rank_i (head_rest_rank),
      .head_valid_o (head_valid_i[q]),
      .head_place_o (head_place_i[q*PlaceWidth +: PlaceWidth]),
      .head_rank_o  (head_rank)
    );
  end

  // ---- order: which outputs the heads are for ----
  if (PortModel == safnet_pkg::AllPort) begin : g_own_port
    assign wanted_i = head_valid_i;
  end else begin : g_shared
    // The head leaves next through that port of its mask which comes first in its label's order of service.
    always_comb begin
      wanted_i = '0;
      // While a packet is being sent, the memory shows its flits and not the head's label.
      if (head_valid_i[0] && !sending_o[0]) begin
        for (int k = Radix - 1; k >= 0; k--) begin
          if (head_left_o[head_order[k*PortWidth +: PortWidth]]) begin
            wanted_i = '0;
            wanted_i[head_order[k*PortWidth +: PortWidth]] = 1'b1;
          end
        end
      end
    end
  end

  // ---- measurements ----
  counters #(.Radix(Radix), .Queues(Queues), .OccupancyWidth(OccupancyWidth)) u_counters (
    .clk_i, .rst_ni, .cycle_i, .step_i,
    .sent_i      (start_o),
    .received_i  (arrived_o),
    .delivered_i (for_host_o),
    .violation_i (violation_o),
    .occupancy_i (queued_o),
    .transit_i   (transit_o),
    .sent_o, .received_o, .delivered_o, .last_delivery_cycle_o, .last_delivery_step_o, .delay_sum_o,
    .occupancy_o, .peak_occupancy_o, .peak_transit_o, .violations_o, .first_violation_cycle_o
  );

  logic [Queues*OccupancyWidth-1:0] peak_stored, peak_waiting;
  queue_peaks #(.Queues(Queues), .OccupancyWidth(OccupancyWidth)) u_queue_peaks (
    .clk_i, .rst_ni,
    .slot_open_i    (slot_open_o),
    .joining_i      (push_o != '0),
    .occupancy_i    (queued_o),
    .leaving_i      (release_o),
    .peak_stored_o  (peak_stored),
    .peak_waiting_o (peak_waiting)
  );
  assign peak_stored_o  = (Radix*OccupancyWidth)'(peak_stored);
  assign peak_waiting_o = (Radix*OccupancyWidth)'(peak_waiting);

  assign idle_o = frame_idle && scan_idle && !in_flight;
  logic unused;
  assign unused = &{1'b0, header_o, sending_o, branch_first_i, rank_of_label, head_left_o, head_order, head_rest, read_flit_o,
                    head_rest_rank, label_o};

  always @(posedge clk_i) begin : a_settings_fit_each_other
    if (!rst_ni) begin
      assert (grant_cycles_i == '0 || 32'(grant_cycles_i) == 2 * 32'(link_latency_i) + 2);
      assert (slot_cycles_i == 32'd1 || slot_cycles_i > 32'(link_latency_i) + 32'(grant_cycles_i));
    end
  end

  initial begin : check_parameters
    if (Radix < 1 || Radix > 64) $fatal(1, "pifo_node: Radix must be 1 to 64");
    if (HeaderWidth > FlitWidth) $fatal(1, "pifo_node: FlitWidth must be at least %0d bits for the header", HeaderWidth);
    if (LinkLatency < 0)         $fatal(1, "pifo_node: LinkLatency must be at least 0");
    if (GrantCycles != 0 && GrantCycles != 2 * LinkLatency + 2)
      $fatal(1, "pifo_node: GrantCycles must be 0 or 2 * LinkLatency + 2 = %0d", 2 * LinkLatency + 2);
    if (InjectPorts < 1 || InjectPorts > Radix) $fatal(1, "pifo_node: InjectPorts must be 1 to Radix");
    if (InjectPorts > 1 && (PortModel != safnet_pkg::AllPort || ScansFirst != 0))
      $fatal(1, "pifo_node: InjectPorts must be 1 but under all-port without ScansFirst");
    if (DealsLinks != 0 && InjectPorts != 1 && InjectPorts != Radix)
      $fatal(1, "pifo_node: InjectPorts must be 1 or Radix with DealsLinks");
    if (GrantCycles != 0 && PortModel == safnet_pkg::AllPort) $fatal(1, "pifo_node: only one-port has grants");
    if (PortModel != safnet_pkg::AllPort && PortModel != safnet_pkg::OnePort)
      $fatal(1, "pifo_node: PortModel must be AllPort or OnePort");
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
