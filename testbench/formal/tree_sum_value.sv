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

  logic [Radix-1:0] came;
  logic [Width-1:0] so_far, total;
  logic             complete, told, reports, passes, should_be_done, keeps_to_protocol;
  tree_shadow #(.Radix(Radix), .Width(Width)) u_shadow (
    .clk_i, .rst_ni(rst_n), .start_i, .own_i(own), .towards_i(towards), .away_i(away), .rx_valid_i, .rx_value_i,
    .came_o(came), .complete_o(complete), .told_o(told), .so_far_o(so_far), .total_o(total),
    .reports_o(reports), .passes_o(passes), .done_o(should_be_done), .keeps_to_protocol_o(keeps_to_protocol)
  );
  (* hierconn *) wire [Width-1:0] \u_dut.sum_q ;
  (* hierconn *) wire \u_shadow.started_q ;

  always @(posedge clk_i) begin
    assume ($onehot0(towards) && (towards & away) == '0);
    if (rst_n) begin
      assume (keeps_to_protocol);
      a_it_reports_once_complete : assert (tx_valid == ((reports ? towards : '0) | (passes ? away : '0)));
      a_it_reports_the_sum       : assert (!reports || tx_value == so_far);
      a_it_passes_the_total      : assert (!passes || tx_value == total);
      a_the_host_learns_the_total : assert (done == should_be_done && (!done || sum == total));
      h_sum : assert (!\u_shadow.started_q || told || \u_dut.sum_q == so_far);
      h_complete : assert (complete == (\u_shadow.started_q && (came & away) == away));
      c_total : cover (done && towards != '0 && away != '0 && sum == '1);
      c_root  : cover (done && towards == '0 && away == '1 && sum == '1);
    end
  end
endmodule
