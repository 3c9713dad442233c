// delivery_checker - holds what a node gives its host against what was written down beforehand: every flit, the lane that
// it comes through, and the cycle.
//
// A word of the file is {there is one, cycle, lane, last, flit}, in the order of cycles, within a cycle of lanes; lanes have
// eight bits. done_o: all that is written down has come. A difference is printed and counted, once for each flit.
module delivery_checker #(
  parameter int Lanes     = 3,
  parameter int FlitWidth = 64,
  parameter int Depth     = 2,   // flits, and the word that ends them
  parameter     File      = ""
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic [31:0]                cycle_i,          // of the network's slot_timer
  input  logic [Lanes-1:0]           deliver_valid_i,
  input  logic [Lanes-1:0]           deliver_last_i,
  input  logic [Lanes*FlitWidth-1:0] deliver_flit_i,
  output logic [31:0]                flits_o,
  output logic [31:0]                errors_o,
  output logic                       done_o
);
  localparam int LaneWidth    = 8;
  localparam int Width        = 32 + LaneWidth + 1 + FlitWidth;
  localparam int AddressWidth = safnet_pkg::index_width(Depth);

  logic [Width:0] expected [0:Depth-1];
  if (File != "") begin : g_file
    initial begin : read_file
      $readmemh(File, expected);
    end
  end else begin : g_empty
    initial begin : clear
      for (int i = 0; i < Depth; i++) expected[i] = '0;
    end
  end

  logic [AddressWidth-1:0] at_q, at;
  logic [31:0]             flits_q, flits, errors_q, errors;
  logic [Width:0]          entry, seen;
  always_comb begin
    at     = at_q;
    flits  = flits_q;
    errors = errors_q;
    entry  = '0;
    seen   = '0;
    for (int l = 0; l < Lanes; l++) begin
      if (deliver_valid_i[l]) begin
        entry = expected[at];
        seen  = {1'b1, cycle_i, LaneWidth'(l), deliver_last_i[l], deliver_flit_i[l*FlitWidth +: FlitWidth]};
        flits = flits + 32'd1;
        if (entry !== seen) errors = errors + 32'd1;
        if (entry[Width])   at     = at + AddressWidth'(1);
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      at_q     <= '0;
      flits_q  <= '0;
      errors_q <= '0;
    end else begin
      at_q     <= at;
      flits_q  <= flits;
      errors_q <= errors;
`ifndef SYNTHESIS
      if (errors != errors_q)
        $display("%m: cycle %0d: lanes %b, flits %h; expected {there is one, cycle, lane, last, flit} %h",
                 cycle_i, deliver_valid_i, deliver_flit_i, expected[at_q]);
`endif
    end
  end
  assign flits_o  = flits_q;
  assign errors_o = errors_q;
  assign done_o   = !expected[at_q][Width];
endmodule
