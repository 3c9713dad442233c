// fifo_queue - a first-in first-out queue that accepts a packet from every input in one cycle.
//
// The packets of each input lie in a fifo_lane of their own, which has as many places as the input's link has credits:
// a packet that arrives always finds one, whatever the other inputs do. The order between the lanes is a second, small
// first-in first-out memory. Its entries are sets of lanes: for each cycle in which packets of links became complete,
// the lanes that they are in. The lowest lane of the oldest entry has the head of the queue, and the next packet of
// that lane is the one that is meant, since lanes keep their own order.
// The packets of the local host, in the last lane, are sent when no packet of a link waits.
//
// MaskWidth > 1 (one-port nodes): packets carry a mask of the ports that they have to leave through, and are taken from
// the queue when all of them have been served.
module fifo_queue #(
`include "common/queue_parameters.svh"
  localparam int Links = Lanes - 1
) (
  input logic clk_i,
`include "common/as_ports.svh"
`include "common/queue_ports.svh"
  input logic rst_ni
);
  // All queues of a node, and of a network, share one piece of code that Verilator generates: it is compiled only once.
  /* verilator no_inline_module */

  localparam int OrderDepth = Links * Depth;  // an entry stands for at least one packet
  localparam int OrderWidth = safnet_pkg::index_width(OrderDepth);
  localparam int WaitsWidth = $clog2(OrderDepth + 1);

  logic [Lanes-1:0]           lane_valid, lane_pop;
  logic [Lanes*SlotWidth-1:0] lane_slot;
  logic [Lanes*MaskWidth-1:0] lane_mask;
  logic [Lanes*FlitWidth-1:0] lane_flit;

  for (genvar l = 0; l < Lanes; l++) begin : g_lane
    localparam int LaneDepth      = (l == Lanes - 1) ? HostDepth : Depth;
    localparam int LaneSlotWidth  = safnet_pkg::index_width(LaneDepth);
    localparam int LaneCountWidth = $clog2(LaneDepth + 1);
    logic [LaneSlotWidth-1:0]  head_slot;
    logic [LaneCountWidth-1:0] count_next;
    fifo_lane #(.FlitWidth(FlitWidth), .Flits(Flits), .Depth(LaneDepth), .MaskWidth(MaskWidth)) u_lane (
      .clk_i, .rst_ni,
      .write_valid_i (write_valid_i[l]),
      .write_index_i (write_index_i[l*IndexWidth +: IndexWidth]),
      .write_flit_i  (write_flit_i[l*FlitWidth +: FlitWidth]),
      .commit_i      (commit_i[l]),
      .commit_mask_i (commit_mask_i[l*MaskWidth +: MaskWidth]),
      .head_valid_o  (lane_valid[l]),
      .head_slot_o   (head_slot),
      .head_mask_o   (lane_mask[l*MaskWidth +: MaskWidth]),
      .pop_i         (lane_pop[l]),
      .read_slot_i   (LaneSlotWidth'(read_slot_i)),
      .read_index_i  (read_index_i),
      .read_flit_o   (lane_flit[l*FlitWidth +: FlitWidth]),
      .release_i     (release_i && read_lane_i == LaneWidth'(l)),
      .count_next_o  (count_next)
    );
    assign lane_slot[l*SlotWidth +: SlotWidth]      = SlotWidth'(head_slot);
    assign count_next_o[l*CountWidth +: CountWidth] = CountWidth'(count_next);
  end

  // ---- order of the packets of links ----
  logic [Links-1:0]      arrived_q [OrderDepth];  // lanes whose packets became complete in one cycle
  logic [Links-1:0]      taken_q;                 // those of the oldest entry that have left the queue
  logic [Links-1:0]      oldest, first;           // lanes of the oldest entry still to be served; the lowest, one-hot
  logic [OrderWidth-1:0] read_q, write_q;
  logic [WaitsWidth-1:0] entries_q;
  logic                  push, last_of_entry, pop;

  assign push          = commit_i[Links-1:0] != '0;
  assign oldest        = arrived_q[read_q] & ~taken_q;
  assign first         = oldest & (~oldest + Links'(1));
  assign pop           = head_valid_o && head_done_o && entries_q != '0;
  assign last_of_entry = pop && oldest == first;

  always_ff @(posedge clk_i) begin
    if (push) arrived_q[write_q] <= commit_i[Links-1:0];
    if (!rst_ni) begin
      read_q    <= '0;
      write_q   <= '0;
      entries_q <= '0;
      taken_q   <= '0;
    end else begin
      entries_q <= entries_q + WaitsWidth'(push) - WaitsWidth'(last_of_entry);
      if (push)          write_q <= (write_q == OrderWidth'(OrderDepth - 1)) ? '0 : write_q + OrderWidth'(1);
      if (last_of_entry) read_q  <= (read_q == OrderWidth'(OrderDepth - 1)) ? '0 : read_q + OrderWidth'(1);
      if (pop)           taken_q <= last_of_entry ? '0 : taken_q | first;
    end
  end

  // ---- head ----
  assign head_valid_o = entries_q != '0 || lane_valid[Lanes-1];
  always_comb begin
    head_lane_o = LaneWidth'(Lanes - 1);
    if (entries_q != '0) begin
      head_lane_o = '0;
      for (int l = 0; l < Links; l++) begin
        if (first[l]) head_lane_o = head_lane_o | LaneWidth'(l);
      end
    end
  end
  assign head_slot_o = lane_slot[32'(head_lane_o)*SlotWidth +: SlotWidth];
  assign head_done_o = serve_mask_i != '0 && (head_mask_o & ~serve_mask_i) == '0;
  for (genvar l = 0; l < Lanes; l++) begin : g_pop
    assign lane_pop[l] = head_valid_o && head_done_o && head_lane_o == LaneWidth'(l);
  end

  if (MaskWidth > 1) begin : g_served
    // Packets of links go first even if copies of the host's packet have left already: each kind has a mask of its own.
    logic [MaskWidth-1:0] served_link_q, served_host_q, served;
    assign served      = (entries_q != '0) ? served_link_q : served_host_q;
    assign head_mask_o = lane_mask[32'(head_lane_o)*MaskWidth +: MaskWidth] & ~served;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        served_link_q <= '0;
        served_host_q <= '0;
      end else if (serve_mask_i != '0) begin
        if (entries_q != '0) served_link_q <= head_done_o ? '0 : served | serve_mask_i;
        else                 served_host_q <= head_done_o ? '0 : served | serve_mask_i;
      end
    end
  end else begin : g_not_served
    logic unused;
    assign head_mask_o = '1;
    assign unused      = &{1'b0, lane_mask};
  end

  assign read_flit_o = lane_flit[32'(read_lane_i)*FlitWidth +: FlitWidth];

  // ---- how many packets ----
  logic [TotalWidth-1:0] occupancy_q, transit_q, link_commits;
  assign occupancy_o = occupancy_q;
  assign transit_o   = transit_q;
  always_comb begin
    link_commits = '0;
    for (int l = 0; l < Links; l++) link_commits = link_commits + TotalWidth'(commit_i[l]);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      occupancy_q <= '0;
      transit_q   <= '0;
    end else begin
      occupancy_q <= occupancy_q + link_commits + TotalWidth'(commit_i[Lanes-1]) - TotalWidth'(release_i);
      transit_q   <= transit_q + link_commits - TotalWidth'(release_i && read_lane_i != LaneWidth'(Lanes - 1));
    end
  end

  always @(posedge clk_i) begin : a_only_a_head_is_served
    if (rst_ni && serve_mask_i != '0) assert (head_valid_o && (serve_mask_i & ~head_mask_o) == '0);
  end
  always @(posedge clk_i) begin : a_the_oldest_entry_is_in_its_lanes
    if (rst_ni && entries_q != '0) assert (oldest != '0 && (oldest & ~lane_valid[Links-1:0]) == '0);
  end

  initial begin : check_parameters
    if (Lanes < 2)     $fatal(1, "fifo_queue: Lanes must be at least 2");
    if (MaskWidth < 1) $fatal(1, "fifo_queue: MaskWidth must be at least 1");
  end
endmodule
