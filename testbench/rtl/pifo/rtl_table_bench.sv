// rtl_table_bench - three label tables of a node of 16 ports given the same writes: 16 labels with a service order and a
// second rank, 10 labels with an order alone, and 10 labels with neither.
module rtl_table_bench #(
  parameter int Radix     = 16,
  parameter int ReadPorts = 7,
  parameter int Tables    = 3,
  localparam int PortWidth = 4,
  localparam int RankWidth = 9
) (
  input  logic                          clk_i,
  input  logic                          write_valid_i,
  input  logic [3:0]                    write_label_i,
  input  logic [Radix-1:0]              write_mask_i,
  input  logic                          write_deliver_i,
  input  logic [RankWidth-1:0]          write_rank_i,
  input  logic [Radix*PortWidth-1:0]    write_order_i,
  input  logic                          write_rest_i,
  input  logic [RankWidth-1:0]          write_rest_rank_i,
  input  logic [ReadPorts*4-1:0]        label_i,
  input  logic [3:0]                    order_label_i,
  output logic [Tables*ReadPorts*Radix-1:0] mask_o,
  output logic [Tables*ReadPorts-1:0]   deliver_o,
  output logic [Tables*ReadPorts*RankWidth-1:0] rank_o,
  output logic [Tables*Radix*PortWidth-1:0] order_o,
  output logic [Tables-1:0]             rest_o,
  output logic [Tables*RankWidth-1:0]   rest_rank_o
);
  for (genvar t = 0; t < Tables; t++) begin : g_table
    label_table #(
      .Radix(Radix), .LabelDepth((t == 0) ? 16 : 10), .RankLevels(500), .ReadPorts(ReadPorts),
      .HasOrder((t == 2) ? 0 : 1), .HasRest((t == 0) ? 1 : 0)
    ) u_table (
      .clk_i, .write_valid_i, .write_label_i, .write_mask_i, .write_deliver_i, .write_rank_i, .write_order_i,
      .write_rest_i, .write_rest_rank_i, .label_i, .order_label_i,
      .mask_o    (mask_o[t*ReadPorts*Radix +: ReadPorts*Radix]),
      .deliver_o (deliver_o[t*ReadPorts +: ReadPorts]),
      .rank_o    (rank_o[t*ReadPorts*RankWidth +: ReadPorts*RankWidth]),
      .order_o   (order_o[t*Radix*PortWidth +: Radix*PortWidth]),
      .rest_o    (rest_o[t]),
      .rest_rank_o (rest_rank_o[t*RankWidth +: RankWidth])
    );
  end
endmodule
