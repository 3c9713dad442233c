// host_interface - where a node meets its host: packets to inject come in flit by flit, deliveries go out.
//
// Each injection port is a stream: a flit moves when valid and ready are high. Ready is low while there is no place for
// a packet of the host; it falls between packets only, never within one. Nor does the host pause within a packet: its
// receive port asserts that flits come one after the other. Deliveries are one stream per input port without
// a ready: the host must take a flit a cycle from each.
module host_interface #(
  parameter int Radix       = 4,
  parameter int FlitWidth   = 64,
  parameter int InjectPorts = 1
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // injection
  input  logic [InjectPorts-1:0]     inject_valid_i,
  output logic [InjectPorts-1:0]     inject_ready_o,   // a function of registers
  output logic [InjectPorts-1:0]     inject_accept_o,  // a flit moves
  input  logic [InjectPorts-1:0]     receiving_i,      // the injected packet is not complete yet
  input  logic [InjectPorts-1:0]     room_i,           // registered: there is a place for its next packet
  // delivery: flits that arrive for the host
  input  logic [Radix-1:0]           deliver_valid_i,
  input  logic [Radix-1:0]           deliver_last_i,
  input  logic [Radix*FlitWidth-1:0] deliver_flit_i,
  output logic [Radix-1:0]           deliver_valid_o,  // registered
  output logic [Radix-1:0]           deliver_last_o,
  output logic [Radix*FlitWidth-1:0] deliver_flit_o
);
  logic [Radix-1:0]           deliver_valid_q, deliver_last_q;
  logic [Radix*FlitWidth-1:0] deliver_flit_q;

  assign inject_ready_o  = room_i | receiving_i;
  assign inject_accept_o = inject_valid_i & inject_ready_o;
  assign deliver_valid_o = deliver_valid_q;
  assign deliver_last_o  = deliver_last_q;
  assign deliver_flit_o  = deliver_flit_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      deliver_valid_q <= '0;
      deliver_last_q  <= '0;
    end else begin
      deliver_valid_q <= deliver_valid_i;
      deliver_last_q  <= deliver_last_i;
    end
  end
  for (genvar p = 0; p < Radix; p++) begin : g_deliver
    always_ff @(posedge clk_i) begin
      if (deliver_valid_i[p]) deliver_flit_q[p*FlitWidth +: FlitWidth] <= deliver_flit_i[p*FlitWidth +: FlitWidth];
    end
  end

  initial begin : check_parameters
    if (Radix < 1 || FlitWidth < 1 || InjectPorts < 1)
      $fatal(1, "host_interface: Radix, FlitWidth and InjectPorts must be at least 1");
  end
endmodule
