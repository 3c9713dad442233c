// others_served - fairness: how many others have been granted since one neighbour of the solver's choice began to ask.
module others_served #(
  parameter int Radix = 2,
  localparam int CountWidth = $clog2(Radix + 1)
) (
  input  logic                clk_i, rst_ni,
  input  logic [Radix-1:0]    asking_i, grant_i,
  output logic [Radix-1:0]    one_watched_o,  // the neighbour, one-hot
  output logic [CountWidth:0] others_o
);
  (* anyconst *) logic [safnet_pkg::index_width(Radix)-1:0] watched;
  assign one_watched_o = Radix'(1) << watched;
  always @(posedge clk_i) begin
    assume (32'(watched) < Radix);
    if (!rst_ni || (asking_i & one_watched_o) == '0 || (grant_i & one_watched_o) != '0) others_o <= '0;
    else if (grant_i != '0) others_o <= others_o + (CountWidth+1)'(1);
  end
endmodule
