// rtl_balancer_bench - link_balancers of 1, 4 and 7 ports side by side; each sees the lowest bits of every mask.
module rtl_balancer_bench #(
  parameter int Radix  = 7,
  parameter int Inputs = 8,
  parameter int Cases  = 3
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic [Radix-1:0]              branch_first_i,
  input  logic [Inputs-1:0]             header_i,
  input  logic [Inputs*Radix-1:0]       mask_i,
  output logic [Cases*Inputs*Radix-1:0] mask_o
);
  for (genvar c = 0; c < Cases; c++) begin : g_case
    localparam int Ports = 3 * c + 1;
    logic [Inputs*Ports-1:0] mask, dealt;
    for (genvar i = 0; i < Inputs; i++) begin : g_input
      assign mask[i*Ports +: Ports]                       = mask_i[i*Radix +: Ports];
      assign mask_o[(c*Inputs + i)*Radix +: Radix] = Radix'(dealt[i*Ports +: Ports]);
    end
    link_balancer #(.Radix(Ports), .Inputs(Inputs)) u_balancer (
      .clk_i, .rst_ni,
      .branch_first_i (branch_first_i[Ports-1:0]),
      .header_i,
      .mask_i         (mask),
      .mask_o         (dealt)
    );
  end
endmodule
