// label_table_reads - every read port of a label_table gives what was written last for its label, whichever that is.
module label_table_reads #(
  parameter int Radix      = 2,
  parameter int LabelDepth = 5,
  parameter int RankLevels = 4,
  parameter int ReadPorts  = 2,
  parameter int HasOrder   = 1,
  parameter int HasRest    = 1,
  localparam int LabelWidth = safnet_pkg::index_width(LabelDepth),
  localparam int RankWidth  = safnet_pkg::index_width(RankLevels),
  localparam int PortWidth  = safnet_pkg::index_width(Radix)
) (
  input logic                            clk_i,
  input logic                            write_valid_i,
  input logic [LabelWidth-1:0]           write_label_i,
  input logic [Radix-1:0]                write_mask_i,
  input logic                            write_deliver_i,
  input logic [RankWidth-1:0]            write_rank_i,
  input logic [Radix*PortWidth-1:0]      write_order_i,
  input logic                            write_rest_i,
  input logic [RankWidth-1:0]            write_rest_rank_i,
  input logic [ReadPorts*LabelWidth-1:0] label_i,
  input logic [LabelWidth-1:0]           order_label_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  (* anyconst *) logic [LabelWidth-1:0] watched;
  logic [ReadPorts*Radix-1:0]     mask;
  logic [ReadPorts-1:0]           deliver;
  logic [ReadPorts*RankWidth-1:0] rank_of;
  logic [Radix*PortWidth-1:0]     order;
  logic                           rest;
  logic [RankWidth-1:0]           rest_rank;
  label_table #(
    .Radix(Radix), .LabelDepth(LabelDepth), .RankLevels(RankLevels), .ReadPorts(ReadPorts), .HasOrder(HasOrder),
    .HasRest(HasRest)
  ) u_dut (
    .clk_i, .write_valid_i, .write_label_i, .write_mask_i, .write_deliver_i, .write_rank_i, .write_order_i, .write_rest_i,
    .write_rest_rank_i, .label_i, .mask_o(mask), .deliver_o(deliver), .rank_o(rank_of), .order_label_i, .order_o(order),
    .rest_o(rest), .rest_rank_o(rest_rank)
  );

  logic                       known_q;
  logic [Radix-1:0]           mask_q;
  logic                       deliver_q, rest_q;
  logic [RankWidth-1:0]       rank_q, rest_rank_q;
  logic [Radix*PortWidth-1:0] order_q;
  always @(posedge clk_i) begin
    if (!rst_n) begin
      known_q <= 1'b0;
    end else if (write_valid_i && write_label_i == watched) begin
      known_q     <= 1'b1;
      mask_q      <= write_mask_i;
      deliver_q   <= write_deliver_i;
      rank_q      <= write_rank_i;
      order_q     <= write_order_i;
      rest_q      <= write_rest_i;
      rest_rank_q <= write_rest_rank_i;
    end
  end

  logic right_mask, right_deliver, right_rank;
  always_comb begin
    right_mask    = 1'b1;
    right_deliver = 1'b1;
    right_rank    = 1'b1;
    for (int r = 0; r < ReadPorts; r++) begin
      if (known_q && label_i[r*LabelWidth +: LabelWidth] == watched) begin
        right_mask    = right_mask && mask[r*Radix +: Radix] == mask_q;
        right_deliver = right_deliver && deliver[r] == deliver_q;
        right_rank    = right_rank && rank_of[r*RankWidth +: RankWidth] == rank_q;
      end
    end
  end
  logic reads_order;
  assign reads_order = known_q && order_label_i == watched;
  always @(posedge clk_i) begin
    assume (32'(watched) < LabelDepth);
    assume (!write_valid_i || 32'(write_label_i) < LabelDepth);
    if (rst_n) begin
      a_mask_is_as_written    : assert (right_mask);
      a_deliver_is_as_written : assert (right_deliver);
      a_rank_is_as_written    : assert (right_rank);
      a_order_is_as_written   : assert (!reads_order || order == (HasOrder != 0 ? order_q : '0));
      a_rest_is_as_written    : assert (!reads_order || {rest, rest_rank} == (HasRest != 0 ? {rest_q, rest_rank_q} : '0));
      c_read_back : cover (reads_order && label_i[0 +: LabelWidth] == watched && watched != '0 && mask_q != '0);
    end
  end
endmodule
