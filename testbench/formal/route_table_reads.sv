// route_table_reads - every read port of a route_table gives what was written last for its label, whichever that is.
module route_table_reads #(
  parameter int Radix      = 2,
  parameter int LabelDepth = 5,
  parameter int ReadPorts  = 2,
  localparam int LabelWidth = safnet_pkg::index_width(LabelDepth)
) (
  input logic                            clk_i,
  input logic                            write_valid_i,
  input logic [LabelWidth-1:0]           write_label_i,
  input logic [Radix-1:0]                write_mask_i,
  input logic                            write_deliver_i,
  input logic [ReadPorts*LabelWidth-1:0] label_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  (* anyconst *) logic [LabelWidth-1:0] watched;
  logic [ReadPorts*Radix-1:0] mask;
  logic [ReadPorts-1:0]       deliver;
  route_table #(.Radix(Radix), .LabelDepth(LabelDepth), .ReadPorts(ReadPorts)) u_dut (
    .clk_i, .write_valid_i, .write_label_i, .write_mask_i, .write_deliver_i, .label_i, .mask_o(mask), .deliver_o(deliver)
  );

  logic             known_q, deliver_q;
  logic [Radix-1:0] mask_q;
  always @(posedge clk_i) begin
    if (!rst_n) begin
      known_q <= 1'b0;
    end else if (write_valid_i && write_label_i == watched) begin
      known_q   <= 1'b1;
      mask_q    <= write_mask_i;
      deliver_q <= write_deliver_i;
    end
  end
  logic right_mask, right_deliver;
  always_comb begin
    right_mask    = 1'b1;
    right_deliver = 1'b1;
    for (int r = 0; r < ReadPorts; r++) begin
      if (known_q && label_i[r*LabelWidth +: LabelWidth] == watched) begin
        right_mask    = right_mask && mask[r*Radix +: Radix] == mask_q;
        right_deliver = right_deliver && deliver[r] == deliver_q;
      end
    end
  end
  always @(posedge clk_i) begin
    assume (32'(watched) < LabelDepth);
    assume (!write_valid_i || 32'(write_label_i) < LabelDepth);
    if (rst_n) begin
      a_mask_is_as_written    : assert (right_mask);
      a_deliver_is_as_written : assert (right_deliver);
      c_read_back : cover (known_q && label_i[0 +: LabelWidth] == watched && watched != '0 && mask_q != '0);
    end
  end
endmodule
