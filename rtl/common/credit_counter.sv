// credit_counter - the sender's count, for each of its links, of the packets that the far end has room for.
//
// available_o is a function of the registers: a credit that comes back in a cycle can be spent in the next one.
module credit_counter #(
  parameter int Links       = 1,
  parameter int Depth       = 16,  // packets that a receiver can ever have room for
  parameter int StartsEmpty = 0,   // 1: nothing may be sent before the first credits come
  localparam int CountWidth = $clog2(Depth + 1)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [15:0]      depth_i,     // packets that the receiver has room for, up to Depth; changes in reset only
  input  logic [Links-1:0] spend_i,     // a packet starts
  input  logic [Links-1:0] credit_i,    // the receiver has freed a place
  output logic [Links-1:0] available_o  // registered
);
  logic [Links*CountWidth-1:0] credits_q;
  for (genvar l = 0; l < Links; l++) begin : g_link
    assign available_o[l] = credits_q[l*CountWidth +: CountWidth] != '0;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      credits_q <= (StartsEmpty != 0) ? '0 : {Links{CountWidth'(depth_i)}};
    end else if ((spend_i | credit_i) != '0) begin
      for (int l = 0; l < Links; l++) begin
        credits_q[l*CountWidth +: CountWidth] <= credits_q[l*CountWidth +: CountWidth] + CountWidth'(credit_i[l]) -
                                                 CountWidth'(spend_i[l]);
      end
    end
  end

  always @(posedge clk_i) begin : a_credits_are_those_of_the_receiver
    if (rst_ni && (spend_i | credit_i) != '0) begin
      for (int l = 0; l < Links; l++) begin
        if (spend_i[l])  assert (credits_q[l*CountWidth +: CountWidth] != '0);
        if (credit_i[l]) assert (credits_q[l*CountWidth +: CountWidth] != CountWidth'(depth_i));
      end
    end
  end
  always @(posedge clk_i) begin : a_depth_is_built
    if (!rst_ni) assert (32'(depth_i) >= 1 && 32'(depth_i) <= Depth);
  end

  initial begin : check_parameters
    if (Links < 1) $fatal(1, "credit_counter: Links must be at least 1");
    if (Depth < 1) $fatal(1, "credit_counter: Depth must be at least 1");
    if (StartsEmpty < 0 || StartsEmpty > 1) $fatal(1, "credit_counter: StartsEmpty must be 0 or 1");
  end
endmodule
