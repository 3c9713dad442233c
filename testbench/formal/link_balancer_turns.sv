// link_balancer_turns - the packets of a branch go to its links in turn, for every way to divide the ports into branches: the
// first to the first link, each further one to the link after that of the packet before. The turns are counted here.
module link_balancer_turns #(
  parameter int Radix  = 3,
  parameter int Inputs = 2
) (
  input logic                    clk_i,
  input logic [Inputs-1:0]       header_i,
  input logic [Inputs*Radix-1:0] mask_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  (* anyconst *) logic [Radix-1:0] branch_first;
  logic [Inputs*Radix-1:0] mask, expected;
  link_balancer #(.Radix(Radix), .Inputs(Inputs)) u_dut (
    .clk_i, .rst_ni(rst_n), .branch_first_i(branch_first), .header_i, .mask_i, .mask_o(mask)
  );

  // By first port: the number of the link that the branch's next packet goes to, from 0.
  logic [Radix*8-1:0] turn_q, turn;
  logic [7:0]         to;
  logic               ends, differs;
  always_comb begin
    differs  = 1'b0;
    turn     = turn_q;
    expected = '0;
    to       = '0;
    ends     = 1'b0;
    for (int i = 0; i < Inputs; i++) begin
      for (int b = 0; b < Radix; b++) begin
        if (header_i[i] && mask_i[i*Radix + b]) begin
          to = 8'(b) + turn[b*8 +: 8];
          ends = 1'b0;
          for (int p = 0; p < Radix; p++) begin
            if (8'(p) == to) expected[i*Radix + p] = 1'b1;
            if (8'(p) == to) ends = p == Radix - 1 || branch_first[(p + 1) % Radix];
          end
          turn[b*8 +: 8] = ends ? 8'd0 : turn[b*8 +: 8] + 8'd1;
        end
      end
      if (header_i[i] && mask[i*Radix +: Radix] != expected[i*Radix +: Radix]) differs = 1'b1;
    end
  end
  always @(posedge clk_i) turn_q <= rst_n ? turn : '0;

  always @(posedge clk_i) begin
    assume (branch_first[0]);
    if (rst_n) begin
      for (int i = 0; i < Inputs; i++) begin
        if (header_i[i]) assume ((mask_i[i*Radix +: Radix] & ~branch_first) == '0);
      end
      a_links_take_turns : assert (!differs);
      c_the_second_link_twice : cover (branch_first == Radix'(1) && header_i == '1 && turn_q[7:0] == 8'd1 && expected[1] && mask_i[Radix]);
    end
  end
endmodule
