// transmit_port - sends the packets of one queue over a link, flit by flit.
//
// With accept_i the packet at the head of the queue is taken out of its order; with start_i its first flit leaves.
// Without grants both come in the same cycle. With grants the node first asks the receiver, and between the two this
// module keeps in which place the packet is. Outputs towards the link are functions of registers, if accept_i,
// start_i and read_flit_i, on which they depend, are.
module transmit_port #(
  parameter int FlitWidth   = 64,
  parameter int Flits       = 1,   // flits in the longest packet
  parameter int PlaceWidth  = 7,
  parameter int LengthShift = 40,  // position of the length field in a header
  localparam int LengthWidth = $clog2(Flits + 1),
  localparam int IndexWidth  = safnet_pkg::index_width(Flits)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  accept_i,
  input  logic                  start_i,
  input  logic                  last_copy_i,  // with accept_i: no other port is to get the packet after this one
  input  logic [PlaceWidth-1:0] head_place_i,
  // memory
  output logic [PlaceWidth-1:0] read_place_o,
  output logic [IndexWidth-1:0] read_index_o,
  input  logic [FlitWidth-1:0]  read_flit_i,
  output logic                  release_o,    // with start_i: the packet's place is free from the next cycle on
  // link
  output logic                  flit_valid_o,
  output logic [FlitWidth-1:0]  flit_o,
  output logic                  sending_o     // registered: flits of a packet are still to leave
);
  logic                   held_q, last_copy_q;
  logic [PlaceWidth-1:0]  place_q;
  logic [LengthWidth-1:0] length;

  assign length       = read_flit_i[LengthShift +: LengthWidth];
  assign read_place_o = held_q ? place_q : head_place_i;
  assign release_o    = start_i && (held_q ? last_copy_q : last_copy_i);
  assign flit_valid_o = start_i || sending_o;
  assign flit_o       = flit_valid_o ? read_flit_i : '0;

  if (Flits == 1) begin : g_one_flit
    logic unused;
    assign read_index_o = '0;
    assign sending_o    = 1'b0;
    assign unused       = &{1'b0, length};
    always_ff @(posedge clk_i) begin
      if (!rst_ni)                  held_q <= 1'b0;
      else if (start_i || accept_i) held_q <= !start_i;
    end
  end else begin : g_flits
    logic [LengthWidth-1:0] left_q;
    logic [IndexWidth-1:0]  index_q;
    assign read_index_o = sending_o ? index_q : '0;
    assign sending_o    = left_q != '0;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        held_q  <= 1'b0;
        left_q  <= '0;
        index_q <= '0;
      end else if (start_i) begin
        held_q  <= length != LengthWidth'(1);
        left_q  <= length - LengthWidth'(1);
        index_q <= IndexWidth'(1);
      end else if (sending_o) begin
        held_q  <= left_q != LengthWidth'(1);
        left_q  <= left_q - LengthWidth'(1);
        index_q <= index_q + IndexWidth'(1);
      end else if (accept_i) begin
        held_q <= 1'b1;
      end
    end
    always @(posedge clk_i) begin : a_one_packet_at_a_time
      if (rst_ni && sending_o) assert (!start_i && !accept_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (accept_i) begin
      place_q     <= head_place_i;
      last_copy_q <= last_copy_i;
    end
  end

  always @(posedge clk_i) begin : a_start_needs_a_packet
    if (rst_ni && start_i) assert (accept_i || held_q);
  end

  initial begin : check_parameters
    if (Flits < 1) $fatal(1, "transmit_port: Flits must be at least 1");
    if (PlaceWidth < 1) $fatal(1, "transmit_port: PlaceWidth must be at least 1");
    if (LengthShift < 0 || LengthShift + LengthWidth > FlitWidth)
      $fatal(1, "transmit_port: the length field must lie within a flit");
  end
endmodule
