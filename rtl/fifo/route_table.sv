// route_table - forwarding table: where a node sends a packet, by the label in its header.
//
// An entry says through which ports the packet leaves (a mask; several bits are multicast) and whether the local host
// gets a copy. There is one read port per input, all combinational; the host writes the table before the run.
module route_table #(
  parameter int Radix      = 4,   // output ports
  parameter int LabelDepth = 64,  // labels
  parameter int ReadPorts  = 5,
  localparam int LabelWidth = safnet_pkg::index_width(LabelDepth)
) (
  input  logic                            clk_i,
  input  logic                            write_valid_i,
  input  logic [LabelWidth-1:0]           write_label_i,
  input  logic [Radix-1:0]                write_mask_i,
  input  logic                            write_deliver_i,
  // lookups, one per input of the node
  input  logic [ReadPorts*LabelWidth-1:0] label_i,
  output logic [ReadPorts*Radix-1:0]      mask_o,
  output logic [ReadPorts-1:0]            deliver_o
);
  logic [Radix:0] entry_q [LabelDepth];  // {deliver, mask}

  always_ff @(posedge clk_i) begin
    if (write_valid_i) entry_q[write_label_i] <= {write_deliver_i, write_mask_i};
  end
  for (genvar r = 0; r < ReadPorts; r++) begin : g_read
    assign {deliver_o[r], mask_o[r*Radix +: Radix]} = entry_q[label_i[r*LabelWidth +: LabelWidth]];
  end

  always @(posedge clk_i) begin : a_label_is_in_the_table
    if (write_valid_i) assert (32'(write_label_i) < 32'(LabelDepth));
  end

  initial begin : check_parameters
    if (Radix < 1)      $fatal(1, "route_table: Radix must be at least 1");
    if (LabelDepth < 1) $fatal(1, "route_table: LabelDepth must be at least 1");
    if (ReadPorts < 1)  $fatal(1, "route_table: ReadPorts must be at least 1");
  end
endmodule
