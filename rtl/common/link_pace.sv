// link_pace - how long a packet keeps its line busy that takes interval_i cycles for each flit.
//
// Outputs are functions of registers.
module link_pace #(
  parameter int Flits = 1,  // flits in the longest packet
  localparam int LengthWidth = $clog2(Flits + 1)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   start_i,     // a packet's first flit enters the line
  input  logic [LengthWidth-1:0] length_i,    // with start_i: its flits
  input  logic [7:0]             interval_i,  // cycles for a flit, from 1; quasi-static
  output logic                   busy_o       // no other packet may enter in this cycle
);
  localparam int CountWidth = LengthWidth + 8;
  logic [CountWidth-1:0] left_q;  // cycles
  assign busy_o = left_q != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni)      left_q <= '0;
    else if (start_i) left_q <= CountWidth'(length_i) * CountWidth'(interval_i) - CountWidth'(1);
    else if (busy_o)  left_q <= left_q - CountWidth'(1);
  end

  always @(posedge clk_i) begin : a_one_packet_at_a_time
    if (rst_ni && start_i) assert (!busy_o && interval_i != '0);
  end

  initial begin : check_parameters
    if (Flits < 1) $fatal(1, "link_pace: Flits must be at least 1");
  end
endmodule
