// place_ring - the packets of one input that wait in one queue, by their places, in order of arrival.
module place_ring #(
  parameter int Depth = 16,  // packets
  localparam int SlotWidth  = safnet_pkg::index_width(Depth),
  localparam int CountWidth = $clog2(Depth + 1)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 push_i,
  input  logic [SlotWidth-1:0] push_slot_i,
  input  logic                 pop_i,
  output logic                 head_valid_o,  // functions of registers
  output logic [SlotWidth-1:0] head_slot_o
);
  logic [SlotWidth-1:0]  slot_q [Depth];
  logic [SlotWidth-1:0]  read_q, write_q;
  logic [CountWidth-1:0] count_q;
  assign head_valid_o = count_q != '0;
  assign head_slot_o  = slot_q[read_q];

  always_ff @(posedge clk_i) begin
    if (push_i) slot_q[write_q] <= push_slot_i;
    if (!rst_ni) begin
      read_q  <= '0;
      write_q <= '0;
      count_q <= '0;
    end else begin
      count_q <= count_q + CountWidth'(push_i) - CountWidth'(pop_i);
      if (push_i) write_q <= (write_q == SlotWidth'(Depth - 1)) ? '0 : write_q + SlotWidth'(1);
      if (pop_i)  read_q  <= (read_q == SlotWidth'(Depth - 1)) ? '0 : read_q + SlotWidth'(1);
    end
  end

  always @(posedge clk_i) begin : a_there_is_room
    if (rst_ni && push_i) assert (count_q != CountWidth'(Depth) || pop_i);
  end
  always @(posedge clk_i) begin : a_pop_needs_a_packet
    if (rst_ni && pop_i) assert (count_q != '0);
  end

  initial begin : check_parameters
    if (Depth < 1) $fatal(1, "place_ring: Depth must be at least 1");
  end
endmodule
