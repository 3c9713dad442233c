// packet_places_kept - a packet keeps its place until its last copy has been taken; a sender that keeps to its credits finds
// a place for every packet, and gets every credit back.
//
// All queues of the node and the sender are free to do what they want within the protocol: the sender has depth_i credits,
// a queue takes a copy once, of a packet that is there.
module packet_places_kept #(
  parameter int Depth      = 4,
  parameter int Ports      = 2,
  parameter int HoldsTaken = 0,
  parameter int HasSender  = 1,
  localparam int Queues     = (HoldsTaken != 0) ? 1 : Ports,
  localparam int SlotWidth  = safnet_pkg::index_width(Depth),
  localparam int CountWidth = $clog2(Depth + 1)
) (
  input logic                        clk_i,
  input logic                        commit_i, pass_i, release_i,
  input logic [Ports-1:0]            commit_mask_i, taken_i,
  input logic [Queues*SlotWidth-1:0] head_slot_i,
  input logic [SlotWidth-1:0]        release_slot_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  (* anyconst *) logic [15:0] depth;
  logic [SlotWidth-1:0] write_slot;
  logic                 room, credit, owing;
  logic [Ports-1:0]     head_left;
  packet_places #(.Depth(Depth), .Ports(Ports), .Queues(Queues), .HoldsTaken(HoldsTaken), .HasSender(HasSender)) u_dut (
    .clk_i, .rst_ni(rst_n), .depth_i(depth), .commit_i, .commit_mask_i, .pass_i, .write_slot_o(write_slot), .room_o(room),
    .taken_i, .head_slot_i, .head_left_o(head_left), .release_i, .release_slot_i, .credit_o(credit), .owing_o(owing)
  );

  logic [Depth-1:0]       kept_q;
  logic [Depth*Ports-1:0] left_q;
  logic                   takes_legal, release_legal;
  place_shadow #(.Depth(Depth), .Ports(Ports), .HoldsTaken(HoldsTaken)) u_shadow (
    .clk_i, .rst_ni(rst_n), .commit_i, .release_i, .commit_mask_i, .taken_i, .write_slot_i(write_slot), .head_slot_i,
    .release_slot_i, .kept_o(kept_q), .left_o(left_q), .takes_legal_o(takes_legal), .release_legal_o(release_legal)
  );
  logic [CountWidth:0] outstanding_q;  // packets whose credit has not returned
  always @(posedge clk_i) begin
    if (!rst_n) outstanding_q <= '0;
    else        outstanding_q <= outstanding_q + (CountWidth+1)'(commit_i || pass_i) - (CountWidth+1)'(credit);
  end

  logic [31:0]    stored, owed;
  logic           overwrites;
  logic [Ports-1:0] left_of_head;
  always_comb begin
    stored       = '0;
    overwrites   = 32'(write_slot) >= Depth;
    left_of_head = '0;
    for (int d = 0; d < Depth; d++) begin
      stored = stored + 32'(kept_q[d]);
      if (32'(write_slot) == d && kept_q[d]) overwrites = 1'b1;
      if (32'(head_slot_i[SlotWidth-1:0]) == d) left_of_head = left_q[d*Ports +: Ports];
    end
  end
  (* hierconn *) wire [CountWidth-1:0] \u_dut.owed_q ;
  (* hierconn *) wire [Depth-1:0]      \u_dut.held_q ;
  (* hierconn *) wire [CountWidth-1:0] \u_dut.g_sender.uncredited_q ;
  assign owed = 32'(\u_dut.owed_q );

  always @(posedge clk_i) begin
    assume (32'(depth) >= 1 && 32'(depth) <= Depth);
    if (rst_n) begin
      assume (!(commit_i && pass_i));
      assume (!commit_i || commit_mask_i != '0);
      // A sender has a credit, and one that returns now can be spent later; who has none looks for room.
      assume (!(commit_i || pass_i) || (HasSender != 0 ? 32'(outstanding_q) < 32'(depth) : room));
      assume (takes_legal && release_legal);
      a_a_packet_with_a_credit_finds_a_place : assert (HasSender == 0 || !(32'(outstanding_q) < 32'(depth)) || room);
      a_no_place_is_written_while_it_is_kept : assert (!room || !overwrites);
      a_who_has_no_credits_gets_none : assert (HasSender != 0 || (!credit && !owing));
      a_there_is_room_while_a_place_is_free : assert (room == (stored != Depth));
      a_credits_are_conserved : assert (HasSender == 0 || 32'(outstanding_q) == stored + owed + 32'(credit));
      a_every_credit_returns  : assert (HasSender == 0 || (owing == (owed != '0) && (stored == 32'(outstanding_q) || credit || owing)));
      a_the_head_tells_its_outputs : assert (HoldsTaken == 0 || taken_i == '0 || head_left == left_of_head);
      a_a_credit_returns_each_cycle : assert (HasSender == 0 || credit == (32'(outstanding_q) != stored));
      h_held : assert (\u_dut.held_q == kept_q);
      h_uncredited : assert (HasSender == 0 || (32'(\u_dut.g_sender.uncredited_q ) == 32'(outstanding_q) && 32'(outstanding_q) <= 32'(depth)));
      c_full  : cover (stored == Depth && 32'(depth) == Depth);
      c_again : cover (stored == '0 && 32'(depth) == Depth &&
                       (HasSender == 0 ? $past(stored) != '0 : outstanding_q == '0 && $past(credit)));
    end
  end
endmodule
