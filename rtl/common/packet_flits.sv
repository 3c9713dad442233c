// packet_flits - which flit of a packet arrives. Flits come back to back; the first, the header, has their number.
//
// Outputs but busy_o follow the inputs combinationally.
module packet_flits #(
  parameter int Flits = 1,  // flits in the longest packet
  localparam int LengthWidth = $clog2(Flits + 1),
  localparam int IndexWidth  = safnet_pkg::index_width(Flits)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   flit_valid_i,
  input  logic [LengthWidth-1:0] length_i,  // as a header holds it
  output logic                   first_o,   // the flit is a header
  output logic                   last_o,    // the packet is complete with it
  output logic [IndexWidth-1:0]  index_o,   // number of the flit within the packet
  output logic                   busy_o     // registered: in the middle of a packet
);
  if (Flits == 1) begin : g_one_flit
    assign first_o = flit_valid_i;
    assign last_o  = flit_valid_i;
    assign index_o = '0;
    assign busy_o  = 1'b0;
  end else begin : g_flits
    logic [LengthWidth-1:0] left_q;  // flits still to come
    logic [IndexWidth-1:0]  index_q;
    assign first_o = flit_valid_i && !busy_o;
    assign last_o  = flit_valid_i && (busy_o ? left_q == LengthWidth'(1) : length_i == LengthWidth'(1));
    assign index_o = busy_o ? index_q : '0;
    assign busy_o  = left_q != '0;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        left_q <= '0;
      end else if (flit_valid_i) begin
        left_q  <= (busy_o ? left_q : length_i) - LengthWidth'(1);
        index_q <= index_o + IndexWidth'(1);
      end
    end
    always @(posedge clk_i) begin : a_flits_are_back_to_back
      if (rst_ni && busy_o) assert (flit_valid_i);
    end
  end

  always @(posedge clk_i) begin : a_length_is_not_zero
    if (rst_ni && first_o) assert (length_i != '0);
  end
  if (Flits < (1 << LengthWidth) - 1) begin : g_longest
    always @(posedge clk_i) begin : a_length_is_not_too_long
      if (rst_ni && first_o) assert (length_i <= LengthWidth'(Flits));
    end
  end

  initial begin : check_parameters
    if (Flits < 1) $fatal(1, "packet_flits: Flits must be at least 1");
  end
endmodule
