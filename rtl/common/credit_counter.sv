// credit_counter - the sender's count of the packets that the far end of a link has room for.
//
// available_o is a function of the register: a credit that comes back in a cycle can be spent in the next one.
module credit_counter #(
  parameter int Depth   = 16,     // packets that the receiver can ever have room for
  parameter int Initial = Depth,  // packets that it has room for from the start
  localparam int CountWidth = $clog2(Depth + 1)
) (
  input  logic clk_i,
  input  logic rst_ni,
  input  logic spend_i,      // a packet starts
  input  logic credit_i,     // the receiver has freed a place
  output logic available_o   // registered
);
  logic [CountWidth-1:0] credits_q;
  assign available_o = credits_q != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) credits_q <= CountWidth'(Initial);
    else         credits_q <= credits_q + CountWidth'(credit_i) - CountWidth'(spend_i);
  end

  always @(posedge clk_i) begin : a_never_spent_without_credit
    if (rst_ni && spend_i) assert (credits_q != '0);
  end
  always @(posedge clk_i) begin : a_never_more_than_the_receiver_holds
    if (rst_ni && credit_i) assert (credits_q != CountWidth'(Depth));
  end

  initial begin : check_parameters
    if (Depth < 1) $fatal(1, "credit_counter: Depth must be at least 1");
    if (Initial < 0 || Initial > Depth) $fatal(1, "credit_counter: Initial must be 0 to Depth");
  end
endmodule
