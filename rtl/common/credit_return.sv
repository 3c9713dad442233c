// credit_return - tells the sender of one link when there is room again, one credit a cycle.
//
// A packet may be copied into several queues; each queue has a lane of Depth packets for this link, and a credit
// stands for a place in every one of them. owed_q counts the packets whose credit has not been returned, so Depth -
// owed_q more may be on their way, each of them for every lane. The fullest lane has room for all of these as long as
// owed_q is not less than the packets in it. A credit therefore goes back whenever owed_q is greater. Only the number
// of packets in the fullest lane counts: a packet's credit need not wait for the slowest of the packet's copies.
module credit_return #(
  parameter int Queues     = 4,
  parameter int Depth      = 16,  // packets per lane
  parameter int CountWidth = 5,
  localparam int OwedWidth = $clog2(Depth + 1)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         accepted_i,    // a packet is complete
  input  logic [Queues*CountWidth-1:0] count_next_i,  // packets in each lane after this cycle
  output logic                         credit_o,      // registered
  output logic                         owing_o        // registered: credits are still to be returned
);
  logic [OwedWidth-1:0]  owed_q, owed_next;
  logic [CountWidth-1:0] fullest;
  logic                  credit_q, credit_next;

  assign owed_next   = owed_q + OwedWidth'(accepted_i);
  assign credit_next = 32'(owed_next) > 32'(fullest);
  assign credit_o    = credit_q;
  assign owing_o     = owed_q != '0;

  always_comb begin
    fullest = count_next_i[CountWidth-1:0];
    for (int q = 1; q < Queues; q++) begin
      if (count_next_i[q*CountWidth +: CountWidth] > fullest) fullest = count_next_i[q*CountWidth +: CountWidth];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      owed_q   <= '0;
      credit_q <= 1'b0;
    end else begin
      owed_q   <= owed_next - OwedWidth'(credit_next);
      credit_q <= credit_next;
    end
  end

  always @(posedge clk_i) begin : a_sender_keeps_to_its_credits
    if (rst_ni && accepted_i) assert (owed_q != OwedWidth'(Depth));
  end

  initial begin : check_parameters
    if (Queues < 1 || Depth < 1 || CountWidth < 1)
      $fatal(1, "credit_return: Queues, Depth and CountWidth must be at least 1");
  end
endmodule
