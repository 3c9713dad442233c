// rtl_tree_sum_bench - two rows of tree_sums, port 0 to the left and port 1 to the right, with links of latency 0 and 1.
module rtl_tree_sum_bench #(
  parameter int Nodes = 16,
  parameter int Width = 16
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic [Nodes-1:0]         start_i,
  input  logic [Nodes*Width-1:0]   own_i,
  input  logic [Nodes*2-1:0]       towards_i,
  input  logic [Nodes*2-1:0]       away_i,
  output logic [2*Nodes*2-1:0]     tx_valid_o,  // of the row with latency 0, then of the other
  output logic [2*Nodes-1:0]       done_o,
  output logic [2*Nodes*Width-1:0] sum_o
);
  for (genvar g = 0; g < 2; g++) begin : g_row
    logic [Nodes*2-1:0]       tx_valid, rx_valid;
    logic [Nodes*Width-1:0]   tx_value;
    logic [Nodes*2*Width-1:0] rx_value;
    assign tx_valid_o[g*Nodes*2 +: Nodes*2] = tx_valid;

    for (genvar v = 0; v < Nodes; v++) begin : g_node
      tree_sum #(.Radix(2), .Width(Width)) u_tree_sum (
        .clk_i, .rst_ni,
        .start_i    (start_i[v]),
        .own_i      (own_i[v*Width +: Width]),
        .towards_i  (towards_i[v*2 +: 2]),
        .away_i     (away_i[v*2 +: 2]),
        .rx_valid_i (rx_valid[v*2 +: 2]),
        .rx_value_i (rx_value[v*2*Width +: 2*Width]),
        .tx_valid_o (tx_valid[v*2 +: 2]),
        .tx_value_o (tx_value[v*Width +: Width]),
        .done_o     (done_o[g*Nodes + v]),
        .sum_o      (sum_o[(g*Nodes + v)*Width +: Width])
      );
      for (genvar p = 0; p < 2; p++) begin : g_port
        localparam int Neighbour = (p == 0) ? v - 1 : v + 1;
        if (Neighbour < 0 || Neighbour >= Nodes) begin : g_edge
          assign rx_valid[v*2 + p] = 1'b0;
          assign rx_value[(v*2 + p)*Width +: Width] = '0;
        end else if (g == 0) begin : g_wire
          assign rx_valid[v*2 + p] = tx_valid[Neighbour*2 + 1 - p];
          assign rx_value[(v*2 + p)*Width +: Width] = tx_value[Neighbour*Width +: Width];
        end else begin : g_register
          logic             valid_q;
          logic [Width-1:0] value_q;
          always_ff @(posedge clk_i) begin
            valid_q <= rst_ni && tx_valid[Neighbour*2 + 1 - p];
            value_q <= tx_value[Neighbour*Width +: Width];
          end
          assign rx_valid[v*2 + p] = valid_q;
          assign rx_value[(v*2 + p)*Width +: Width] = value_q;
        end
      end
    end
  end
endmodule
