// tree_sum - adds up one value per node over a tree of links and tells every node of the tree the sum.
//
// A node has one port towards the root, unless it is the root, and any number of ports away from it. It waits until a
// value has come in through each port away from the root, adds its own, and sends the sum towards the root. The root's
// sum is the sum of all; it goes back the same way. A value is a packet of one flit. It leaves in the cycle after the
// one in which the last value that the node waits for arrived, so a tree of depth h takes 2 h hops. All outputs are
// registers.
module tree_sum #(
  parameter int Radix = 4,  // ports
  parameter int Width = 16  // bits of a value
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   start_i,    // one pulse: the first values leave in the next cycle
  input  logic [Width-1:0]       own_i,
  input  logic [Radix-1:0]       towards_i,  // the port towards the root; 0: this is the root. Constant, like away_i
  input  logic [Radix-1:0]       away_i,
  input  logic [Radix-1:0]       rx_valid_i,
  input  logic [Radix*Width-1:0] rx_value_i,
  output logic [Radix-1:0]       tx_valid_o,
  output logic [Width-1:0]       tx_value_o,  // the same through all ports
  output logic                   done_o,      // the sum of all is known
  output logic [Width-1:0]       sum_o
);
  logic             started_q, reported_q, done_q;
  logic [Radix-1:0] heard_q, tx_valid_q;  // heard_q: ports away from the root through which a value has come
  logic [Width-1:0] sum_q, tx_value_q;

  logic [Radix-1:0] heard;
  logic [Width-1:0] sum, total;
  logic             report_now, told;
  assign heard      = heard_q | (rx_valid_i & away_i);
  assign report_now = (started_q || start_i) && !reported_q && heard == away_i;
  assign told       = (rx_valid_i & towards_i) != '0;
  always_comb begin
    sum   = start_i ? own_i : sum_q;
    total = '0;
    for (int p = 0; p < Radix; p++) begin
      if (rx_valid_i[p] && away_i[p])    sum   = sum + rx_value_i[p*Width +: Width];
      if (rx_valid_i[p] && towards_i[p]) total = rx_value_i[p*Width +: Width];
    end
  end

  assign tx_valid_o = tx_valid_q;
  assign tx_value_o = tx_value_q;
  assign done_o     = done_q;
  assign sum_o      = sum_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      started_q  <= 1'b0;
      reported_q <= 1'b0;
      done_q     <= 1'b0;
      heard_q    <= '0;
      tx_valid_q <= '0;
      sum_q      <= '0;
      tx_value_q <= '0;
    end else begin
      started_q  <= started_q || start_i;
      reported_q <= reported_q || report_now;
      heard_q    <= heard;
      sum_q      <= told ? total : sum;
      tx_valid_q <= '0;
      if (told || (report_now && towards_i == '0)) begin
        done_q     <= 1'b1;
        tx_valid_q <= away_i;
        tx_value_q <= told ? total : sum;
      end else if (report_now) begin
        tx_valid_q <= towards_i;
        tx_value_q <= sum;
      end
    end
  end

  always @(posedge clk_i) begin : a_values_come_along_the_tree
    if (rst_ni) assert ((rx_valid_i & ~(towards_i | away_i)) == '0);
  end
  always @(posedge clk_i) begin : a_each_value_comes_once
    if (rst_ni) assert ((rx_valid_i & away_i & heard_q) == '0 && !(told && done_q));
  end
  always @(posedge clk_i) begin : a_the_sum_comes_after_the_report
    if (rst_ni && told) assert (reported_q);
  end
  always @(posedge clk_i) begin : a_one_port_leads_to_the_root
    if (rst_ni && start_i) assert ($onehot0(towards_i) && (towards_i & away_i) == '0);
  end

  initial begin : check_parameters
    if (Radix < 1) $fatal(1, "tree_sum: Radix must be at least 1");
    if (Width < 1) $fatal(1, "tree_sum: Width must be at least 1");
  end
endmodule
