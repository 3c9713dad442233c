// fifo_node - the plainest store-and-forward router: label lookup, a first-in first-out queue per output, credits.
//
// Input and output ports, credits and the port model are in a router_frame; here are the table, queues and their order.
// All-port: every output has a queue and a transmit port. One-port and one-port-send: one queue for the node, whose
// head is sent through the ports of its mask one after the other, the lowest first. It is a pifo_node without ranks:
// the yardstick for what they cost, and the example for a router of one's own. See README.md here.
//
// The links that lead to the node are part of it (node_links). Every signal that leaves for another node (flits,
// credits, requests, grants) is a function of this node's registers alone.
module fifo_node #(
  parameter int Radix       = 4,   // ports, 1 to 64
  parameter int FlitWidth   = 64,  // bits of a flit; the header must fit
  parameter int Flits       = 1,   // flits in the longest packet
  parameter int LinkLatency = 0,   // cycles of a link
  parameter int SlotCycles  = 1,   // cycles in a slot; 1 is free running
  parameter int QueueDepth  = 16,  // packets per link
  parameter int HostDepth   = 16,  // packets of the local host
  parameter int LabelDepth  = 64,  // entries of the label table
  parameter int PortModel   = 0,   // safnet_pkg::AllPort, OnePort, OnePortSend
  parameter int GrantCycles = 0,   // one-port: cycles from request to start; 0: no grants
  parameter int NodeIdWidth = 8,   // bits of the source field
  parameter int TagWidth    = 8,   // bits of the tag field
  localparam int LabelWidth     = safnet_pkg::index_width(LabelDepth),
  localparam int MaxDepth       = safnet_pkg::larger(QueueDepth, HostDepth),
  localparam int OccupancyWidth = $clog2(MaxDepth * (Radix + 1) + 1)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // network time, registered elsewhere (slot_timer)
  input  logic [31:0]                cycle_i,
  input  logic [31:0]                step_i,
  input  logic                       slot_open_next_i,  // registered here before use
  // links, sending ends
  output logic [Radix-1:0]           tx_valid_o,
  output logic [Radix*FlitWidth-1:0] tx_flit_o,
  output logic [Radix-1:0]           tx_credit_o,       // room again for what comes in through this port
  output logic [Radix-1:0]           tx_request_o,
  output logic [Radix-1:0]           tx_grant_o,
  // links, receiving ends
  input  logic [Radix-1:0]           rx_valid_i,
  input  logic [Radix*FlitWidth-1:0] rx_flit_i,
  input  logic [Radix-1:0]           rx_credit_i,
  input  logic [Radix-1:0]           rx_request_i,
  input  logic [Radix-1:0]           rx_grant_i,
  // faults on the links that lead here
  input  logic [Radix-1:0]           fault_drop_i,
  input  logic [Radix-1:0]           fault_corrupt_i,
  // host: label table, before the run
  input  logic                       table_valid_i,
  input  logic [LabelWidth-1:0]      table_label_i,
  input  logic [Radix-1:0]           table_mask_i,
  input  logic                       table_deliver_i,
  // host: injection
  input  logic                       inject_valid_i,
  output logic                       inject_ready_o,
  input  logic [FlitWidth-1:0]       inject_flit_i,
  // host: deliveries, one stream per input port
  output logic [Radix-1:0]           deliver_valid_o,
  output logic [Radix-1:0]           deliver_last_o,
  output logic [Radix*FlitWidth-1:0] deliver_flit_o,
  // measurements
  output logic [Radix*32-1:0]        sent_o,
  output logic [Radix*32-1:0]        received_o,
  output logic [31:0]                delivered_o,
  output logic [31:0]                last_delivery_cycle_o,
  output logic [31:0]                last_delivery_step_o,
  output logic [63:0]                delay_sum_o,
  output logic [OccupancyWidth-1:0]  occupancy_o,       // packets in the fullest queue
  output logic [OccupancyWidth-1:0]  peak_occupancy_o,
  output logic [OccupancyWidth-1:0]  peak_transit_o,    // without the host's own packets
  output logic [31:0]                violations_o,
  output logic [31:0]                first_violation_cycle_o,
  output logic [Radix-1:0]           wait_credit_o,     // a head wants this output and has no credit
  output logic [Radix-1:0]           wait_grant_o,      // a packet asks for this output and has no grant
  output logic                       idle_o             // registered: nothing happens here unless something arrives
);
  localparam int Inputs      = Radix + 1;  // links, and the injection port
  localparam int QueueInputs = Inputs;
  localparam int Queues      = (PortModel == safnet_pkg::AllPort) ? Radix : 1;
  localparam int MaskWidth   = (PortModel == safnet_pkg::AllPort) ? 1 : Radix;
  localparam int QueuedWidth = OccupancyWidth;
  localparam int PlaceWidth  = safnet_pkg::index_width(safnet_pkg::places(Radix, QueueDepth, HostDepth));
  localparam int RankWidth   = 1;  // packets have no ranks here
  localparam int LengthWidth = $clog2(Flits + 1);
  localparam int LengthShift = LabelWidth + NodeIdWidth + TagWidth;  // header: {check, length, tag, source, label}
  localparam int HeaderWidth = LengthShift + LengthWidth;

  // ---- links ----
  logic [Radix-1:0]           link_valid, link_credit, link_request, link_grant;
  logic [Radix*FlitWidth-1:0] link_flit;
  logic                       in_flight;
  node_links #(.Radix(Radix), .FlitWidth(FlitWidth), .Latency(LinkLatency)) u_links (
    .clk_i, .rst_ni, .latency_i(16'(LinkLatency)),
    .rx_valid_i, .rx_flit_i, .rx_credit_i, .rx_request_i, .rx_grant_i, .fault_drop_i, .fault_corrupt_i,
    .link_valid_o   (link_valid),
    .link_flit_o    (link_flit),
    .link_credit_o  (link_credit),
    .link_request_o (link_request),
    .link_grant_o   (link_grant),
    .in_flight_o    (in_flight)
  );

  // ---- inputs, outputs, port model, credits, host: its signals here are in frame_wires.svh ----
`include "common/as_signals.svh"
`include "common/frame_wires.svh"
  logic frame_idle;
  router_frame #(
    .Radix(Radix), .FlitWidth(FlitWidth), .Flits(Flits), .QueueDepth(QueueDepth), .HostDepth(HostDepth),
    .PortModel(PortModel), .GrantCycles(GrantCycles), .LabelWidth(LabelWidth), .RankWidth(RankWidth),
    .LengthShift(LengthShift)
  ) u_frame (
    .*,
    .slot_cycles_i  (32'(SlotCycles)),
    .port_model_i   (2'(PortModel)),
    .grant_cycles_i (16'(GrantCycles)),
    .queue_depth_i  (16'(QueueDepth)),
    .link_valid_i   (link_valid),
    .link_flit_i    (link_flit),
    .link_credit_i  (link_credit),
    .link_request_i (link_request),
    .link_grant_i   (link_grant),
    .idle_o         (frame_idle)
  );

  // ---- table ----
  route_table #(.Radix(Radix), .LabelDepth(LabelDepth), .ReadPorts(Inputs)) u_route_table (
    .clk_i,
    .write_valid_i   (table_valid_i),
    .write_label_i   (table_label_i),
    .write_mask_i    (table_mask_i),
    .write_deliver_i (table_deliver_i),
    .label_i         (label_o),
    .mask_o          (mask_i),
    .deliver_o       (deliver_i)
  );
  assign rank_i = '0;

  // ---- queues ----
  for (genvar q = 0; q < Queues; q++) begin : g_queue
    fifo_queue #(.Inputs(Inputs), .Depth(QueueDepth), .HostDepth(HostDepth)) u_queue (
      .clk_i, .rst_ni,
      .push_i       (push_o[q*Inputs +: Inputs]),
      .push_place_i (push_place_o),
      .pop_i        (pop_o[q]),
      .head_valid_o (head_valid_i[q]),
      .head_place_o (head_place_i[q*PlaceWidth +: PlaceWidth])
    );
  end

  // ---- order: which outputs the heads are for ----
  if (PortModel == safnet_pkg::AllPort) begin : g_own_port
    assign wanted_i = head_valid_i;
  end else begin : g_shared
    // The head leaves next through the lowest port of its mask that has not been served.
    assign wanted_i = (head_valid_i[0] && !sending_o[0]) ? head_left_o & (~head_left_o + Radix'(1)) : '0;
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
  assign idle_o = frame_idle && !in_flight;
  logic unused;
  assign unused = &{1'b0, header_o, push_rank_o, taken_o, read_flit_o, release_o, slot_open_o, sending_o, head_left_o};

  initial begin : check_parameters
    if (Radix < 1 || Radix > 64) $fatal(1, "fifo_node: Radix must be 1 to 64");
    if (HeaderWidth > FlitWidth) $fatal(1, "fifo_node: FlitWidth must be at least %0d bits for the header", HeaderWidth);
    if (LinkLatency < 0)         $fatal(1, "fifo_node: LinkLatency must be at least 0");
    if (GrantCycles != 0 && GrantCycles != 2 * LinkLatency + 2)
      $fatal(1, "fifo_node: GrantCycles must be 0 or 2 * LinkLatency + 2 = %0d", 2 * LinkLatency + 2);
    if (SlotCycles != 1 && SlotCycles < Flits + LinkLatency + GrantCycles)
      $fatal(1, "fifo_node: SlotCycles must be 1 or at least Flits + LinkLatency + GrantCycles");
    if (PortModel < 0 || PortModel > 2) $fatal(1, "fifo_node: PortModel must be 0, 1 or 2");
    if (GrantCycles != 0 && PortModel != safnet_pkg::OnePort) $fatal(1, "fifo_node: only one-port has grants");
    if (NodeIdWidth < 1 || TagWidth < 1) $fatal(1, "fifo_node: NodeIdWidth and TagWidth must be at least 1");
  end
endmodule
