// unequal_link_delay - every packet leaves an unequal link after the cycles that its length and the line's width cost, once and
// unaltered, and nothing else does. What is on its way is kept here by the cycles that it still has to wait, not in a ring.
module unequal_link_delay #(
  parameter int FlitWidth = 3,
  parameter int Flits     = 2,
  parameter int Delay     = 3,
  localparam int LengthWidth = $clog2(Flits + 1)
) (
  input logic                 clk_i,
  input logic                 flit_valid_i, credit_i, fault_drop_i, fault_corrupt_i,
  input logic [FlitWidth-1:0] flit_i,
  input logic [15:0]          latency_i, credit_latency_i,
  input logic [7:0]           interval_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  logic [39:0] settings_q;
  always @(posedge clk_i) settings_q <= {latency_i, credit_latency_i, interval_i};
  logic                 flit_valid, credit, in_flight;
  logic [FlitWidth-1:0] flit;
  unequal_link #(.FlitWidth(FlitWidth), .Flits(Flits), .Delay(Delay), .LengthShift(0)) u_dut (
    .clk_i, .rst_ni(rst_n), .latency_i, .interval_i, .credit_latency_i,
    .flit_valid_i, .flit_i, .credit_i, .flit_valid_o(flit_valid), .flit_o(flit), .credit_o(credit),
    .fault_drop_i, .fault_corrupt_i, .in_flight_o(in_flight)
  );

  // ---- the delay of the packet that enters, by its header ----
  logic [LengthWidth-1:0] left_q, length;  // flits of the packet still to come
  logic [7:0]             delay_q, delay;
  assign length = flit_i[LengthWidth-1:0];
  always_comb begin
    delay = delay_q;
    if (left_q == '0) begin
      delay = 8'(latency_i);
      for (int k = 0; k < Flits; k++)
        if (k < 32'(length)) delay = delay + interval_i - 8'd1;
    end
  end
  always @(posedge clk_i) begin
    if (!rst_n) left_q <= '0;
    else if (flit_valid_i) begin
      left_q  <= (left_q == '0 ? length : left_q) - LengthWidth'(1);
      delay_q <= delay;
    end
  end

  // ---- what is on its way: entry k leaves in k cycles ----
  logic [Delay:0]               due_q, due, credit_due_q, credit_due;
  logic [(Delay+1)*FlitWidth-1:0] flits_q, flits;
  logic                         enters;
  assign enters = flit_valid_i && !fault_drop_i;
  always_comb begin
    due        = due_q;
    flits      = flits_q;
    credit_due = credit_due_q;
    for (int k = 0; k <= Delay; k++) begin
      if (enters && 32'(delay) == k) begin
        due[k]                          = 1'b1;
        flits[k*FlitWidth +: FlitWidth] = flit_i ^ (FlitWidth'(fault_corrupt_i) << (FlitWidth - 1));
      end
      if (credit_i && 32'(credit_latency_i) == k) credit_due[k] = 1'b1;
    end
  end
  always @(posedge clk_i) begin
    due_q        <= rst_n ? due >> 1 : '0;
    credit_due_q <= rst_n ? credit_due >> 1 : '0;
    flits_q      <= rst_n ? flits >> FlitWidth : '0;
  end

  always @(posedge clk_i) begin
    assume (interval_i != '0 && interval_i <= 8'(Delay + 1) && 32'(latency_i) <= Delay && 32'(credit_latency_i) <= Delay);
    if (rst_n) begin
      // Settings change only while nothing is on its way.
      assume ((due_q == '0 && credit_due_q == '0 && left_q == '0) || settings_q == {latency_i, credit_latency_i, interval_i});
      if (flit_valid_i && left_q == '0) assume (length != '0 && 32'(length) <= Flits);
      if (left_q != '0) assume (flit_valid_i);  // the flits of a packet enter back to back
      if (flit_valid_i) assume (32'(delay) <= Delay);
      // The sender leaves the line alone until the last packet has crossed it.
      for (int k = 0; k <= Delay; k++)
        if (enters && 32'(delay) == k) assume (!due_q[k]);
      a_flits_take_what_the_line_costs  : assert (flit_valid == due[0]);
      a_flits_are_as_they_entered       : assert (flit == (due[0] ? flits[FlitWidth-1:0] : '0));
      a_credits_take_their_latency      : assert (credit == credit_due[0]);
      a_it_tells_what_is_on_its_way     : assert (in_flight == (due_q != '0 || credit_due_q != '0));
      c_slow_packet : cover (flit_valid && 32'(latency_i) == 1 && interval_i == 8'd2 && left_q == '0 && in_flight);
      c_wire        : cover (flit_valid && latency_i == '0 && interval_i == 8'd1);
    end
  end
endmodule
