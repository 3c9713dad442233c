// scan_unit_prefix - after a scan every node knows how many active nodes come before it, and how many there are.
//
// A whole network of Base^Digits scan_units with links of Latency cycles, any nodes of which are active, and any base of the
// remainder, which are others in the next scan. That begins at once or later, without a reset.
module scan_unit_prefix #(
  parameter int Digits         = 2,
  parameter int Base           = 2,
  parameter int DigitWidth     = 1,
  parameter int RemainderWidth = 1,
  parameter int Latency        = 0,
  localparam int Nodes      = Base ** Digits,
  localparam int CountWidth = (Digits + 1) * DigitWidth + RemainderWidth,
  localparam int FlitWidth  = 2 * CountWidth + 1,
  localparam int IndexWidth = safnet_pkg::index_width(Digits)
) (
  input logic                    clk_i,
  input logic                    again_i,           // another scan may begin
  input logic [Nodes-1:0]        active_i,          // of that scan, as the next line
  input logic [RemainderWidth:0] remainder_base_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  // Of the present scan: the nodes that are active and the base of the remainder.
  logic [Nodes-1:0]        active_q;
  logic [RemainderWidth:0] remainder_base_q;
  logic [1:0]              scans_q;  // scans that are over, three at most

  // Timetable: digits up, then down, Base - 1 slots each, of 1 + Latency cycles. The next scan begins at once or later.
  logic [7:0]            cycle_q;  // cycles of the slot that are over
  logic [IndexWidth-1:0] digit_q;
  logic [DigitWidth-1:0] hop_q;
  logic                  backward_q, enable_q, slot_first, slot_last, line_last, ends, begins;
  assign slot_first = cycle_q == '0;
  assign slot_last  = 32'(cycle_q) == Latency;
  assign line_last  = 32'(hop_q) == Base - 2 && slot_last;
  assign ends       = enable_q && line_last && backward_q && digit_q == '0;
  assign begins     = again_i && (ends || !enable_q);
  always @(posedge clk_i) begin
    if (!rst_n || ends || !enable_q) begin
      active_q         <= active_i;
      remainder_base_q <= remainder_base_i;
    end
    if (!rst_n) begin
      digit_q    <= '0;
      hop_q      <= '0;
      backward_q <= 1'b0;
      enable_q   <= 1'b1;
      cycle_q    <= '0;
      scans_q    <= '0;
    end else begin
      if (begins)    enable_q <= 1'b1;
      else if (ends) enable_q <= 1'b0;
      if (begins && scans_q != '1) scans_q <= scans_q + 2'd1;
      if (enable_q) begin
        cycle_q <= slot_last ? '0 : cycle_q + 8'd1;
        if (slot_last) hop_q <= line_last ? '0 : hop_q + DigitWidth'(1);
        if (ends) backward_q <= 1'b0;
        else if (line_last && !backward_q && 32'(digit_q) == Digits - 1) backward_q <= 1'b1;
        else if (line_last) digit_q <= backward_q ? digit_q - IndexWidth'(1) : digit_q + IndexWidth'(1);
      end
    end
  end

  logic [Nodes-1:0]            plus_valid, minus_valid, fault, minus_intact, plus_intact;
  logic [Nodes*FlitWidth-1:0]  flit;
  logic [Nodes*CountWidth-1:0] before, total, unused_total;
  logic [Nodes-1:0]            plus_sent, minus_sent;
  logic [Nodes*FlitWidth-1:0]  flit_sent;
  if (Latency == 0) begin : g_wire
    assign {plus_valid, minus_valid, flit} = {plus_sent, minus_sent, flit_sent};
  end else begin : g_links
    logic [Latency*Nodes*(FlitWidth+2)-1:0] pipe_q;
    always @(posedge clk_i) pipe_q <= !rst_n ? '0 : (Latency*Nodes*(FlitWidth+2))'({pipe_q, plus_sent, minus_sent, flit_sent});
    assign {plus_valid, minus_valid, flit} = pipe_q[Latency*Nodes*(FlitWidth+2)-1 -: Nodes*(FlitWidth+2)];
  end
  for (genvar n = 0; n < Nodes; n++) begin : g_node
    logic [Digits*DigitWidth-1:0] coordinates;
    for (genvar j = 0; j < Digits; j++) begin : g_digit
      assign coordinates[j*DigitWidth +: DigitWidth] = DigitWidth'((n / (Base ** j)) % Base);
    end
    // The neighbours in the line of the digit.
    logic                 from_lower, from_upper;
    logic [FlitWidth-1:0] lower_flit, upper_flit;
    always_comb begin
      from_lower = 1'b0;
      from_upper = 1'b0;
      lower_flit = '0;
      upper_flit = '0;
      for (int j = 0; j < Digits; j++) begin
        if (32'(digit_q) == j && (n / (Base ** j)) % Base != 0) begin
          from_lower = plus_valid[(n + Nodes - Base ** j) % Nodes];
          lower_flit = flit[((n + Nodes - Base ** j) % Nodes)*FlitWidth +: FlitWidth];
        end
        if (32'(digit_q) == j && (n / (Base ** j)) % Base != Base - 1) begin
          from_upper = minus_valid[(n + Base ** j) % Nodes];
          upper_flit = flit[((n + Base ** j) % Nodes)*FlitWidth +: FlitWidth];
        end
      end
    end
    scan_unit #(.Digits(Digits), .DigitWidth(DigitWidth), .RemainderWidth(RemainderWidth), .FlitWidth(FlitWidth)) u_dut (
      .clk_i, .rst_ni(rst_n), .base_i((DigitWidth+1)'(Base)), .remainder_base_i(remainder_base_q), .coordinates_i(coordinates),
      .enable_i(enable_q), .backward_i(backward_q), .digit_i(digit_q), .hop_i(hop_q), .slot_first_i(slot_first),
      .slot_last_i(enable_q && slot_last), .line_last_i(enable_q && line_last), .active_i(active_q[n]), .tx_plus_valid_o(plus_sent[n]),
      .tx_minus_valid_o(minus_sent[n]), .tx_flit_o(flit_sent[n*FlitWidth +: FlitWidth]), .rx_minus_valid_i(from_lower),
      .rx_minus_flit_i(lower_flit), .rx_plus_valid_i(from_upper), .rx_plus_flit_i(upper_flit),
      .minus_intact_o(minus_intact[n]), .plus_intact_o(plus_intact[n]), .fault_o(fault[n]),
      .before_next_o(before[n*CountWidth +: CountWidth]), .total_next_o(total[n*CountWidth +: CountWidth]),
      .total_o(unused_total[n*CountWidth +: CountWidth])
    );
  end

  function automatic logic [15:0] value(input logic [CountWidth-1:0] count);
    value = '0;
    for (int j = Digits; j >= 0; j--) value = value * 16'(Base) + 16'(count[RemainderWidth + j*DigitWidth +: DigitWidth]);
    value = value * 16'(remainder_base_q) + 16'(count[RemainderWidth-1:0]);
  endfunction
  logic        before_right, total_right;
  logic [15:0] count;
  always_comb begin
    before_right = 1'b1;
    total_right  = 1'b1;
    count        = '0;
    for (int n = 0; n < Nodes; n++) begin
      before_right = before_right && value(before[n*CountWidth +: CountWidth]) == count;
      count        = count + 16'(active_q[n]);
    end
    for (int n = 0; n < Nodes; n++) total_right = total_right && value(total[n*CountWidth +: CountWidth]) == count;
  end
  always @(posedge clk_i) begin
    assume (remainder_base_i != '0 && 32'(remainder_base_i) <= (1 << RemainderWidth));
    if (rst_n) begin
      a_every_node_knows_its_rank  : assert (!ends || before_right);
      a_every_node_knows_the_total : assert (!ends || total_right);
      a_no_fault_is_reported       : assert (fault == '0);
      c_third_scan : cover (ends && scans_q == 2'd2 && active_q == '1 && before_right && total_right);
      c_all : cover (ends && active_q == '1 && before_right && total_right);
    end
  end
endmodule
