// others_served - fairness: which others have been granted since one neighbour of the solver's choice began to ask.
module others_served #(
  parameter int Radix = 2
) (
  input  logic             clk_i, rst_ni,
  input  logic [Radix-1:0] asking_i, grant_i,
  output logic [Radix-1:0] one_watched_o,  // the neighbour, one-hot
  output logic [Radix-1:0] served_o        // registered: those that have been granted while it asks
);
  (* anyconst *) logic [safnet_pkg::index_width(Radix)-1:0] watched;
  assign one_watched_o = Radix'(1) << watched;
  always @(posedge clk_i) begin
    assume (32'(watched) < Radix);
    if (!rst_ni || (asking_i & one_watched_o) == '0 || (grant_i & one_watched_o) != '0) served_o <= '0;
    else served_o <= served_o | grant_i;
  end
endmodule
