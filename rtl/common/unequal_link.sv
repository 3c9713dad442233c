// unequal_link - one direction of an edge with a latency and a width of its own: what link is to networks of equal links.
//
// The line takes interval_i cycles for each flit. The node that sends hands a packet over at its own rate, a flit a cycle,
// and then leaves the line alone until the packet's last flit has crossed it (link_pace); the receiving end collects the
// packet and hands it over at the node's rate as well, so that its last flit leaves latency_i + length * (interval_i - 1)
// cycles after it entered. Nodes therefore see whole packets, flits back to back, however slow a line is. Credits take
// credit_latency_i cycles. There is no backpressure. The fault inputs let a test lose or damage a flit on the way.
// A flit that is not delayed at all crosses combinationally; all others are stored.
module unequal_link #(
  parameter int FlitWidth   = 64,  // bits of a flit
  parameter int Flits       = 1,   // flits in the longest packet
  parameter int Delay       = 1,   // most cycles from a flit's entering to its leaving, >= 1
  parameter int LengthShift = 40,  // position of the length field in a header
  localparam int LengthWidth = $clog2(Flits + 1),
  localparam int PlaceWidth  = safnet_pkg::index_width(Delay)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // quasi-static: they change only while nothing is on its way
  input  logic [15:0]          latency_i,         // cycles of a flit, up to Delay; 0: a wire
  input  logic [7:0]           interval_i,        // cycles that the line takes for a flit, from 1
  input  logic [15:0]          credit_latency_i,  // cycles of a credit, up to Delay; 0: a wire
  // sending end
  input  logic                 flit_valid_i,
  input  logic [FlitWidth-1:0] flit_i,
  input  logic                 credit_i,
  // receiving end
  output logic                 flit_valid_o,
  output logic [FlitWidth-1:0] flit_o,
  output logic                 credit_o,
  // faults, acting on the flit that enters in this cycle
  input  logic                 fault_drop_i,
  input  logic                 fault_corrupt_i,   // inverts the highest bit
  output logic                 in_flight_o        // something is on its way
);
  // The place of what enters now and leaves d cycles later, in a ring of as many places as the longest delay.
  function automatic logic [PlaceWidth-1:0] place_after(input logic [PlaceWidth-1:0] now, input logic [31:0] cycles);
    logic [31:0] place;
    place = 32'(now) + cycles;
    if (place >= 32'(Delay)) place = place - 32'(Delay);
    place_after = PlaceWidth'(place);
  endfunction

  logic [PlaceWidth-1:0] now_q;  // the place of what leaves in this cycle
  logic [Delay-1:0]      flit_there_q, credit_there_q;
  logic [FlitWidth-1:0]  flit_q [Delay];
  logic [FlitWidth-1:0]  entering;
  assign entering = {flit_i[FlitWidth-1] ^ fault_corrupt_i, flit_i[FlitWidth-2:0]};

  // All flits of a packet are delayed alike, by what its header says of its length.
  logic                            first, last, unused;
  logic [LengthWidth-1:0]          length;
  logic [safnet_pkg::index_width(Flits)-1:0] index;
  logic                            busy;
  logic [31:0]                     delay, delay_q;
  assign length = flit_i[LengthShift +: LengthWidth];
  packet_flits #(.Flits(Flits)) u_flits (
    .clk_i, .rst_ni, .flit_valid_i, .length_i(length), .first_o(first), .last_o(last), .index_o(index), .busy_o(busy)
  );
  assign unused = &{1'b0, last, index, busy};
  assign delay  = first ? 32'(latency_i) + 32'(length) * (32'(interval_i) - 32'd1) : delay_q;
  always_ff @(posedge clk_i) begin
    if (first) delay_q <= delay;
  end

  logic flit_enters, flit_passes, credit_passes;
  assign flit_enters   = flit_valid_i && !fault_drop_i;
  assign flit_passes   = flit_enters && delay == '0;
  assign credit_passes = credit_i && credit_latency_i == '0;
  assign flit_valid_o  = flit_there_q[now_q] || flit_passes;
  assign flit_o        = flit_there_q[now_q] ? flit_q[now_q] : flit_passes ? entering : '0;
  assign credit_o      = credit_there_q[now_q] || credit_passes;
  assign in_flight_o   = flit_there_q != '0 || credit_there_q != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      now_q          <= '0;
      flit_there_q   <= '0;
      credit_there_q <= '0;
    end else if (in_flight_o || flit_enters || credit_i) begin
      now_q                 <= place_after(now_q, 32'd1);
      flit_there_q[now_q]   <= 1'b0;
      credit_there_q[now_q] <= 1'b0;
      if (flit_enters && !flit_passes)
        flit_there_q[place_after(now_q, delay)] <= 1'b1;
      if (credit_i && !credit_passes)
        credit_there_q[place_after(now_q, 32'(credit_latency_i))] <= 1'b1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (flit_enters && !flit_passes) flit_q[place_after(now_q, delay)] <= entering;
  end

  always @(posedge clk_i) begin : a_delay_is_built
    if (rst_ni && flit_valid_i) assert (interval_i != '0 && delay <= 32'(Delay));
    if (rst_ni && credit_i)     assert (32'(credit_latency_i) <= Delay);
  end
  // Two flits may not leave in one cycle: the sender has kept the line free.
  always @(posedge clk_i) begin : a_flits_leave_one_by_one
    if (rst_ni && flit_there_q[now_q]) assert (!flit_passes);
    if (rst_ni && flit_enters && !flit_passes && delay != 32'(Delay)) assert (!flit_there_q[place_after(now_q, delay)]);
  end

  initial begin : check_parameters
    if (FlitWidth < 2) $fatal(1, "unequal_link: FlitWidth must be at least 2");
    if (Delay < 1)     $fatal(1, "unequal_link: Delay must be at least 1");
    if (LengthShift < 0 || LengthShift + LengthWidth > FlitWidth)
      $fatal(1, "unequal_link: the length field must lie within a flit");
  end
endmodule
