// packet_order - the order in which the packets for one queue leave: a push-in first-out order of their places.
//
// The head is the packet that comes first by rank (the smaller), at equal ranks packets of links before packets of the
// local host, then by the cycle of arrival, then by the input (the lower). Every input may push a packet in one cycle,
// and the head may be popped in it.
//
// HasAgain = 1 (one-port nodes): the head may be moved instead. It then joins anew with another rank, as a packet of a
// link, as if it had arrived in this cycle, before all packets that do.
//
// The order is kept in one of two ways, which behave alike. Short orders with few ranks are sorted as packets come in, by
// comparison (sorted_order): the least logic. All others are lists (listed_order): their cost does not depend on how many
// packets wait. Which of the two it is does not change any cycle.
module packet_order #(
`include "pifo/order_parameters.svh"
  parameter int HasAgain    = 0    // 1: the head may be moved
) (
  input logic clk_i,
`include "common/as_ports.svh"
`include "pifo/order_ports.svh"
  input logic rst_ni
);
  // All queues of a node, and of a network, share one piece of code that Verilator generates: it is compiled only once.
  /* verilator no_inline_module */

  // Up to here sorting takes less logic than lists: places of an input, and ranks, which take a counter each.
  localparam int SortedDepth = 16;
  localparam int SortedRanks = 16;
  if (HasAgain == 0 && Depth <= SortedDepth && HostDepth <= SortedDepth && RankLevels <= SortedRanks) begin : g_sorted
    sorted_order #(.Inputs(Inputs), .Depth(Depth), .HostDepth(HostDepth), .RankLevels(RankLevels)) u_order (.*);
  end else begin : g_listed
    listed_order #(
      .Inputs(Inputs), .Depth(Depth), .HostDepth(HostDepth), .RankLevels(RankLevels), .HasAgain(HasAgain)
    ) u_order (.*);
  end

  always @(posedge clk_i) begin : a_pop_needs_a_head
    if (rst_ni && (pop_i || again_i)) assert (head_valid_o && !(pop_i && again_i));
  end
  for (genvar i = 0; i < Inputs; i++) begin : g_input
    always @(posedge clk_i) begin : a_rank_is_in_range
      if (rst_ni && push_i[i]) assert (32'(push_rank_i[i*RankWidth +: RankWidth]) < 32'(RankLevels));
    end
  end

  initial begin : check_parameters
    if (Inputs < 2) $fatal(1, "packet_order: Inputs must be at least 2");
    if (Depth < 1 || HostDepth < 1) $fatal(1, "packet_order: Depth and HostDepth must be at least 1");
    if (RankLevels < 1 || RankLevels > 4096) $fatal(1, "packet_order: RankLevels must be 1 to 4096");
    if (HasAgain < 0 || HasAgain > 1) $fatal(1, "packet_order: HasAgain must be 0 or 1");
  end
endmodule
