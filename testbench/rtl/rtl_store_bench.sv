// rtl_store_bench - packet_stores of several sizes; case_i says which of them gets the traffic.
module rtl_store_bench #(
  parameter int FlitWidth = 32,
  parameter int Cases     = 6
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [2:0]           case_i,
  output logic [7:0]           depth_o,
  output logic [7:0]           flits_o,
  input  logic                 write_valid_i,
  input  logic [2:0]           write_index_i,
  input  logic [FlitWidth-1:0] write_flit_i,
  input  logic                 commit_i,
  output logic [3:0]           write_slot_o,
  input  logic [3:0]           read_slot_i,
  input  logic [2:0]           read_index_i,
  output logic [FlitWidth-1:0] read_flit_o,
  input  logic                 release_i,
  input  logic [3:0]           release_slot_i,
  output logic [4:0]           count_next_o
);
  localparam logic [Cases*8-1:0] Depths = {8'd16, 8'd3, 8'd1, 8'd16, 8'd3, 8'd1};
  localparam logic [Cases*8-1:0] Flits  = {8'd8,  8'd3, 8'd4, 8'd1,  8'd1, 8'd1};

  logic [3:0]           write_slot [Cases];
  logic [FlitWidth-1:0] read_flit  [Cases];
  logic [4:0]           count_next [Cases];

  for (genvar c = 0; c < Cases; c++) begin : g_case
    localparam int CaseDepth  = 32'(Depths[c*8 +: 8]);
    localparam int CaseFlits  = 32'(Flits[c*8 +: 8]);
    localparam int SlotWidth  = safnet_pkg::index_width(CaseDepth);
    localparam int IndexWidth = safnet_pkg::index_width(CaseFlits);
    localparam int CountWidth = $clog2(CaseDepth + 1);
    logic                  here;
    logic [SlotWidth-1:0]  slot;
    logic [CountWidth-1:0] count;
    assign here = case_i == 3'(c);
    packet_store #(.FlitWidth(FlitWidth), .Flits(CaseFlits), .Depth(CaseDepth)) u_store (
      .clk_i, .rst_ni,
      .write_valid_i  (write_valid_i && here),
      .write_index_i  (IndexWidth'(write_index_i)),
      .write_flit_i,
      .commit_i       (commit_i && here),
      .write_slot_o   (slot),
      .read_here_i    (here),
      .read_slot_i    (SlotWidth'(read_slot_i)),
      .read_index_i   (IndexWidth'(read_index_i)),
      .read_flit_o    (read_flit[c]),
      .release_i      (release_i && here),
      .release_slot_i (SlotWidth'(release_slot_i)),
      .count_next_o   (count)
    );
    assign write_slot[c] = 4'(slot);
    assign count_next[c] = 5'(count);
  end

  assign depth_o      = Depths[32'(case_i)*8 +: 8];
  assign flits_o      = Flits[32'(case_i)*8 +: 8];
  assign write_slot_o = write_slot[case_i];
  assign read_flit_o  = read_flit[case_i];
  assign count_next_o = count_next[case_i];
endmodule
