// fifo_queue - a first-in first-out queue that accepts a packet from every input in one cycle.
//
// It holds the numbers of the packets' places, in a place_ring per input. The order between the inputs is a second, small
// first-in first-out memory. Its entries are sets of links: for each cycle in which packets of links became complete, the
// links that they came through. The lowest link of the oldest entry has the head of the queue, and the next packet of
// that link is the one that is meant, since a ring keeps its own order.
// The packets of the local host, the last input, are sent when no packet of a link waits.
module fifo_queue #(
  parameter int Inputs    = 5,   // links, and the host as the last
  parameter int Depth     = 16,  // places of a link
  parameter int HostDepth = 16,  // places of the host
  localparam int Links      = Inputs - 1,
  localparam int PlaceWidth = safnet_pkg::index_width(safnet_pkg::places(Links, Depth, HostDepth))
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic [Inputs-1:0]            push_i,
  input  logic [Inputs*PlaceWidth-1:0] push_place_i,
  input  logic                         pop_i,         // the head leaves
  output logic                         head_valid_o,  // functions of registers
  output logic [PlaceWidth-1:0]        head_place_o
);
  // All queues of a node, and of a network, share one piece of code that Verilator generates: it is compiled only once.
  /* verilator no_inline_module */

  localparam int InputWidth = safnet_pkg::index_width(Inputs);
  localparam int OrderDepth = Links * Depth;  // an entry stands for at least one packet
  localparam int OrderWidth = safnet_pkg::index_width(OrderDepth);
  localparam int WaitsWidth = $clog2(OrderDepth + 1);

  // ---- packets of each input ----
  logic [Inputs-1:0]            waits, pop;
  logic [Inputs*PlaceWidth-1:0] place;
  for (genvar i = 0; i < Inputs; i++) begin : g_input
    localparam int Slots      = (i == Links) ? HostDepth : Depth;
    localparam int SlotWidth  = safnet_pkg::index_width(Slots);
    localparam int FirstPlace = safnet_pkg::first_place(i, Depth);
    logic [SlotWidth-1:0] slot;
    place_ring #(.Depth(Slots)) u_ring (
      .clk_i, .rst_ni,
      .push_i       (push_i[i]),
      .push_slot_i  (SlotWidth'(push_place_i[i*PlaceWidth +: PlaceWidth] - PlaceWidth'(FirstPlace))),
      .pop_i        (pop[i]),
      .head_valid_o (waits[i]),
      .head_slot_o  (slot)
    );
    assign place[i*PlaceWidth +: PlaceWidth] = PlaceWidth'(slot) + PlaceWidth'(FirstPlace);
  end

  // ---- order of the packets of links ----
  logic [Links-1:0]      arrived_q [OrderDepth];  // links whose packets became complete in one cycle
  logic [Links-1:0]      taken_q;                 // those of the oldest entry that have left the queue
  logic [Links-1:0]      oldest, first;           // links of the oldest entry still to be served; the lowest, one-hot
  logic [OrderWidth-1:0] read_q, write_q;
  logic [WaitsWidth-1:0] entries_q;
  logic                  push, pop_link, last_of_entry;

  assign push          = push_i[Links-1:0] != '0;
  assign oldest        = arrived_q[read_q] & ~taken_q;
  assign first         = oldest & (~oldest + Links'(1));
  assign pop_link      = pop_i && entries_q != '0;
  assign last_of_entry = pop_link && oldest == first;

  always_ff @(posedge clk_i) begin
    if (push) arrived_q[write_q] <= push_i[Links-1:0];
    if (!rst_ni) begin
      read_q    <= '0;
      write_q   <= '0;
      entries_q <= '0;
      taken_q   <= '0;
    end else begin
      entries_q <= entries_q + WaitsWidth'(push) - WaitsWidth'(last_of_entry);
      if (push)          write_q <= (write_q == OrderWidth'(OrderDepth - 1)) ? '0 : write_q + OrderWidth'(1);
      if (last_of_entry) read_q  <= (read_q == OrderWidth'(OrderDepth - 1)) ? '0 : read_q + OrderWidth'(1);
      if (pop_link)      taken_q <= last_of_entry ? '0 : taken_q | first;
    end
  end

  // ---- head ----
  logic [InputWidth-1:0] head_input;
  assign head_valid_o = entries_q != '0 || waits[Links];
  assign head_place_o = place[32'(head_input)*PlaceWidth +: PlaceWidth];
  always_comb begin
    head_input = InputWidth'(Links);
    if (entries_q != '0) begin
      head_input = '0;
      for (int i = 0; i < Links; i++) begin
        if (first[i]) head_input = head_input | InputWidth'(i);
      end
    end
  end
  for (genvar i = 0; i < Inputs; i++) begin : g_pop
    assign pop[i] = pop_i && head_input == InputWidth'(i);
  end

  always @(posedge clk_i) begin : a_pop_needs_a_head
    if (rst_ni && pop_i) assert (head_valid_o);
  end
  always @(posedge clk_i) begin : a_the_oldest_entry_is_in_its_rings
    if (rst_ni && entries_q != '0) assert (oldest != '0 && (oldest & ~waits[Links-1:0]) == '0);
  end

  initial begin : check_parameters
    if (Inputs < 2) $fatal(1, "fifo_queue: Inputs must be at least 2");
  end
endmodule
