// tree_sum_value - a node of a tree_sum reports the sum of what came from below and its own, once, and passes the total down.
module tree_sum_value #(
  parameter int Radix = 3,
  parameter int Width = 2
) (
  input logic                   clk_i,
  input logic                   start_i,
  input logic [Radix-1:0]       rx_valid_i,
  input logic [Radix*Width-1:0] rx_value_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  (* anyconst *) logic [Radix-1:0] towards, away;
  (* anyconst *) logic [Width-1:0] own;
  logic [Radix-1:0] tx_valid;
  logic [Width-1:0] tx_value, sum;
  logic             done;
  tree_sum #(.Radix(Radix), .Width(Width)) u_dut (
    .clk_i, .rst_ni(rst_n), .start_i, .own_i(own), .towards_i(towards), .away_i(away), .rx_valid_i, .rx_value_i,
    .tx_valid_o(tx_valid), .tx_value_o(tx_value), .done_o(done), .sum_o(sum)
  );

  // What has come, by port.
  logic [Radix-1:0]       came_q;
  logic [Radix*Width-1:0] value_q;
  logic                   started_q, complete_q, told_q;  // complete_q: all below have come in, and it has begun
  logic [Width-1:0]       total_q;
  logic                   complete, told;
  logic [Width-1:0]       below;
  assign complete = (started_q || start_i) && ((came_q | rx_valid_i) & away) == away;
  assign told     = (rx_valid_i & towards) != '0;
  always_comb begin
    below = own;
    for (int p = 0; p < Radix; p++) if (away[p]) below = below + value_q[p*Width +: Width];
  end
  logic reported_q;  // it was complete a cycle before
  always @(posedge clk_i) begin
    if (!rst_n) begin
      came_q     <= '0;
      value_q    <= '0;
      started_q  <= 1'b0;
      complete_q <= 1'b0;
      reported_q <= 1'b0;
      told_q     <= 1'b0;
    end else begin
      started_q  <= started_q || start_i;
      complete_q <= complete;
      reported_q <= complete_q;
      told_q     <= told_q || told;
      came_q     <= came_q | rx_valid_i;
      for (int p = 0; p < Radix; p++) begin
        if (rx_valid_i[p])               value_q[p*Width +: Width] <= rx_value_i[p*Width +: Width];
        if (rx_valid_i[p] && towards[p]) total_q <= rx_value_i[p*Width +: Width];
      end
    end
  end
  logic reports, passes;  // in this cycle
  logic told_before_q;
  always @(posedge clk_i) told_before_q <= rst_n && told_q;
  assign reports = complete_q && !reported_q;
  assign passes  = (told_q && !told_before_q) || (reports && towards == '0);
  (* hierconn *) wire [Width-1:0] \u_dut.sum_q ;
  logic [Width-1:0] so_far;
  always_comb begin
    so_far = own;
    for (int p = 0; p < Radix; p++) if (away[p] && came_q[p]) so_far = so_far + value_q[p*Width +: Width];
  end

  always @(posedge clk_i) begin
    assume ($onehot0(towards) && (towards & away) == '0);
    if (rst_n) begin
      assume (!start_i || !started_q);
      assume ((rx_valid_i & ~(towards | away)) == '0 && (rx_valid_i & came_q) == '0);
      assume (!told || complete_q);                              // the total comes after the report
      assume (rx_valid_i == '0 || started_q || start_i);         // all nodes start in one cycle
      a_it_reports_once_complete : assert (tx_valid == ((reports && !passes ? towards : '0) | (passes ? away : '0)));
      a_it_reports_the_sum       : assert (!(reports && !passes) || tx_value == below);
      a_it_passes_the_total      : assert (!passes || tx_value == (towards == '0 ? below : total_q));
      a_the_host_learns_the_total : assert (done == (told_q || (towards == '0 && complete_q)) &&
                                            (!done || sum == (towards == '0 ? below : total_q)));
      h_sum : assert (!started_q || told_q || \u_dut.sum_q == so_far);
      h_complete : assert (complete_q == (started_q && (came_q & away) == away));
      c_total : cover (done && towards != '0 && away != '0 && sum == '1);
      c_root  : cover (done && towards == '0 && away == '1 && sum == '1);
    end
  end
endmodule
