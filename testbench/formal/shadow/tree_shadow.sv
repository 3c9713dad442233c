// tree_shadow - what a node of a tree_sum should say: the sum of what came from below and its own towards the root, the total
// down and to the host. It keeps what has come by port, and the solver chooses what comes.
module tree_shadow #(
  parameter int Radix = 3,
  parameter int Width = 2
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   start_i,
  input  logic [Width-1:0]       own_i,
  input  logic [Radix-1:0]       towards_i,
  input  logic [Radix-1:0]       away_i,
  input  logic [Radix-1:0]       rx_valid_i,
  input  logic [Radix*Width-1:0] rx_value_i,
  output logic [Radix-1:0]       came_o,      // ports through which a value has come
  output logic                   complete_o,  // it has begun, and all below have come
  output logic                   told_o,      // the total has come from above
  output logic [Width-1:0]       so_far_o,    // its own and what has come from below: once complete, what it reports
  output logic [Width-1:0]       total_o,     // once done
  output logic                   reports_o,   // in this cycle, towards the root
  output logic                   passes_o,    // in this cycle, away from it
  output logic                   done_o,
  output logic                   keeps_to_protocol_o  // what comes in this cycle is what may come
);
  logic [Radix-1:0]       came_q;
  logic [Radix*Width-1:0] value_q;
  logic                   started_q, complete_q, told_q, reported_q, told_before_q;
  logic [Width-1:0]       total_q;
  logic                   told;
  assign told = (rx_valid_i & towards_i) != '0;
  always_comb begin
    so_far_o = own_i;
    for (int p = 0; p < Radix; p++) begin
      if (away_i[p] && came_q[p]) so_far_o = so_far_o + value_q[p*Width +: Width];
    end
  end
  always @(posedge clk_i) begin
    if (!rst_ni) begin
      came_q        <= '0;
      value_q       <= '0;
      started_q     <= 1'b0;
      complete_q    <= 1'b0;
      reported_q    <= 1'b0;
      told_q        <= 1'b0;
      told_before_q <= 1'b0;
    end else begin
      started_q     <= started_q || start_i;
      complete_q    <= (started_q || start_i) && ((came_q | rx_valid_i) & away_i) == away_i;
      reported_q    <= complete_q;
      told_q        <= told_q || told;
      told_before_q <= told_q;
      came_q        <= came_q | rx_valid_i;
      for (int p = 0; p < Radix; p++) begin
        if (rx_valid_i[p])                 value_q[p*Width +: Width] <= rx_value_i[p*Width +: Width];
        if (rx_valid_i[p] && towards_i[p]) total_q <= rx_value_i[p*Width +: Width];
      end
    end
  end
  assign came_o     = came_q;
  assign complete_o = complete_q;
  assign told_o     = told_q;
  assign total_o    = towards_i == '0 ? so_far_o : total_q;
  assign reports_o  = complete_q && !reported_q && !passes_o;
  assign passes_o   = (told_q && !told_before_q) || (complete_q && !reported_q && towards_i == '0);
  assign done_o     = told_q || (towards_i == '0 && complete_q);
  // One start; values along the tree, each once; the total after the report; nothing before all nodes start in one cycle.
  assign keeps_to_protocol_o = (!start_i || !started_q) && (rx_valid_i & ~(towards_i | away_i)) == '0 &&
                               (rx_valid_i & came_q) == '0 && (!told || complete_q) &&
                               (rx_valid_i == '0 || started_q || start_i);
endmodule
