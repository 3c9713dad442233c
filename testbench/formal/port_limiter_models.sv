// port_limiter_models - the port models without grants: all-port, one-port-send and one-port.
module port_limiter_models #(
  parameter int Radix       = 4,
  parameter int GrantCycles = 0
) (
  input logic             clk_i,
  input logic             slot_open_i, sending_i, free_running_i,
  input logic [Radix-1:0] want_i, receiving_i, received_i, request_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  (* anyconst *) logic [1:0] model;
  logic [Radix-1:0] accept, start, request, grant, waiting, lower;
  logic             violation, idle, several_arrive;
  port_limiter #(.Radix(Radix), .GrantCycles(GrantCycles)) u_dut (
    .clk_i, .rst_ni(rst_n), .port_model_i(model), .grant_cycles_i(16'd0), .free_running_i, .slot_open_i, .want_i,
    .sending_i, .accept_o(accept), .start_o(start), .request_o(request), .grant_i({Radix{1'b0}}), .receiving_i, .received_i,
    .request_i, .grant_o(grant), .violation_o(violation), .waiting_o(waiting), .idle_o(idle)
  );
  logic [Radix-1:0] should;  // send
  always_comb begin
    lower          = '0;
    should         = '0;
    several_arrive = 1'b0;
    for (int p = 0; p < Radix; p++) begin
      lower = '0;
      for (int k = 0; k < p; k++) begin
        lower[k] = want_i[k];
        if (receiving_i[k] && receiving_i[p]) several_arrive = 1'b1;
      end
      should[p] = slot_open_i && want_i[p] && (model == 2'(safnet_pkg::AllPort) || (!sending_i && lower == '0));
    end
  end
  always @(posedge clk_i) begin
    assume (model != 2'd3);
    if (rst_n) begin
      a_all_send_or_the_lowest : assert (accept == should);
      a_packets_start_at_once  : assert (start == accept);
      a_two_arrivals_violate_one_port : assert (violation == (model == 2'(safnet_pkg::OnePort) && several_arrive));
      a_nobody_asks : assert (request == '0 && grant == '0 && waiting == '0 && idle);
      c_one_of_all : cover (want_i == '1 && $onehot0(start) && start != '0 && violation);
    end
  end
endmodule
