// place_ring_order - what goes into a place_ring comes out once, unaltered, in the order of arrival.
module place_ring_order #(
  parameter int Depth = 4,
  localparam int SlotWidth  = safnet_pkg::index_width(Depth),
  localparam int CountWidth = $clog2(Depth + 1)
) (
  input logic                 clk_i,
  input logic                 push_i,
  input logic [SlotWidth-1:0] push_slot_i,
  input logic                 pop_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  logic                  head_valid, due;
  logic [SlotWidth-1:0]  head_slot, due_slot;
  logic [CountWidth-1:0] count;
  place_ring #(.Depth(Depth)) u_dut (
    .clk_i, .rst_ni(rst_n), .push_i, .push_slot_i, .pop_i, .head_valid_o(head_valid), .head_slot_o(head_slot)
  );
  fifo_shadow #(.Width(SlotWidth), .Depth(Depth)) u_shadow (
    .clk_i, .rst_ni(rst_n), .push_i, .data_i(push_slot_i), .pop_i, .count_o(count), .due_o(due), .data_o(due_slot)
  );

  always @(posedge clk_i) begin
    if (rst_n) begin
      assume (!pop_i || count != '0);
      assume (!push_i || pop_i || count != CountWidth'(Depth));
      a_there_is_a_head_while_packets_wait : assert (head_valid == (count != '0));
      a_packets_leave_in_order             : assert (!due || head_slot == due_slot);
      c_full : cover (count == CountWidth'(Depth) && due && pop_i && push_i);
    end
  end
endmodule
