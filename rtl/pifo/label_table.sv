// label_table - forwarding table: what a node does with a packet, by the label in its header.
//
// An entry says through which ports the packet leaves (a mask; several bits are multicast), whether the local host
// gets a copy, the packet's rank in the queues, in which order a one-port node serves the ports of a mask, and with
// which second rank the packet waits once it has been sent through the first of them. The table has one read port per
// input and one for the head of the queue, all combinational, and is written by the host before the run.
module label_table #(
  parameter int Radix      = 4,   // output ports
  parameter int LabelDepth = 64,  // labels
  parameter int RankLevels = 4,   // ranks
  parameter int ReadPorts  = 5,
  parameter int HasOrder   = 0,   // 1: entries hold a service order (one-port nodes)
  parameter int HasRest    = 0,   // 1: entries hold a second rank, for packets sent in part (one-port nodes)
  localparam int LabelWidth = safnet_pkg::index_width(LabelDepth),
  localparam int RankWidth  = safnet_pkg::index_width(RankLevels),
  localparam int PortWidth  = safnet_pkg::index_width(Radix)
) (
  input  logic                            clk_i,
  input  logic                            write_valid_i,
  input  logic [LabelWidth-1:0]           write_label_i,
  input  logic [Radix-1:0]                write_mask_i,
  input  logic                            write_deliver_i,
  input  logic [RankWidth-1:0]            write_rank_i,
  input  logic [Radix*PortWidth-1:0]      write_order_i,  // k-th field: the port to be served k-th; a permutation
  input  logic                            write_rest_i,   // there is a second rank, for a packet sent in part:
  input  logic [RankWidth-1:0]            write_rest_rank_i,  // this one
  // lookups, one per input of the node
  input  logic [ReadPorts*LabelWidth-1:0] label_i,
  output logic [ReadPorts*Radix-1:0]      mask_o,
  output logic [ReadPorts-1:0]            deliver_o,
  output logic [ReadPorts*RankWidth-1:0]  rank_o,
  // lookup for the head of the queue
  input  logic [LabelWidth-1:0]           order_label_i,
  output logic [Radix*PortWidth-1:0]      order_o,
  output logic                            rest_o,
  output logic [RankWidth-1:0]            rest_rank_o
);
  localparam int EntryWidth = RankWidth + 1 + Radix;

  logic [EntryWidth-1:0] entry_q [LabelDepth];  // {rank, deliver, mask}

  always_ff @(posedge clk_i) begin
    if (write_valid_i) entry_q[write_label_i] <= {write_rank_i, write_deliver_i, write_mask_i};
  end

  for (genvar r = 0; r < ReadPorts; r++) begin : g_read
    assign {rank_o[r*RankWidth +: RankWidth], deliver_o[r], mask_o[r*Radix +: Radix]} =
        entry_q[label_i[r*LabelWidth +: LabelWidth]];
  end

  if (HasOrder != 0) begin : g_order
    logic [Radix*PortWidth-1:0] order_q [LabelDepth];
    always_ff @(posedge clk_i) begin
      if (write_valid_i) order_q[write_label_i] <= write_order_i;
    end
    assign order_o = order_q[order_label_i];
  end else begin : g_no_order
    logic unused;
    assign order_o = '0;
    assign unused  = &{1'b0, order_label_i, write_order_i};
  end

  if (HasRest != 0) begin : g_rest
    logic [RankWidth:0] rest_q [LabelDepth];  // {there is one, rank}
    always_ff @(posedge clk_i) begin
      if (write_valid_i) rest_q[write_label_i] <= {write_rest_i, write_rest_rank_i};
    end
    assign {rest_o, rest_rank_o} = rest_q[order_label_i];
  end else begin : g_no_rest
    logic unused_rest;
    assign rest_o      = 1'b0;
    assign rest_rank_o = '0;
    assign unused_rest = &{1'b0, write_rest_i, write_rest_rank_i};
  end

  always @(posedge clk_i) begin : a_label_is_in_the_table
    if (write_valid_i) assert (32'(write_label_i) < 32'(LabelDepth));
  end

  initial begin : check_parameters
    if (Radix < 1)      $fatal(1, "label_table: Radix must be at least 1");
    if (LabelDepth < 1) $fatal(1, "label_table: LabelDepth must be at least 1");
    if (RankLevels < 1) $fatal(1, "label_table: RankLevels must be at least 1");
  end
endmodule
