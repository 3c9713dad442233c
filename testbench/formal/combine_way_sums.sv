// combine_way_sums - in every slot of a batch a node sends the partial sum of the node that is so many hops ahead as slots are
// left, if a broadcast would have come from there; so all sums for a node arrive there in the last slot.
//
// The way ahead is walked hop by hop. A broadcast reaches all others of an array, or by a piece of a ring; round a ring it
// reaches half of the nodes each way, and with an even number one more on the way plus. Combining on one way is that of the
// other way backwards. There are no more packets than nodes.
module combine_way_sums #(
  parameter int Plus       = 1,
  parameter int Digits     = 2,
  parameter int DigitWidth = 2,
  parameter int Base       = 3,
  localparam int AddressWidth = Digits * DigitWidth,
  localparam int RankWidth    = (Digits + 1) * DigitWidth,
  localparam int IndexWidth   = safnet_pkg::index_width(Digits)
) (
  input logic                  clk_i,
  input logic                  ring_i, two_pieces_i, alternate_i, combining_i, finished_i,
  input logic [RankWidth-1:0]  address_i, batch_i, total_i,
  input logic [IndexWidth-1:0] digit_i,
  input logic [DigitWidth-1:0] hop_i
);
  logic rst_n = 1'b0;
  always @(posedge clk_i) rst_n <= 1'b1;

  logic                    sends;
  logic [AddressWidth-1:0] rank_of;
  logic [RankWidth-1:0]    own_digits;
  logic [DigitWidth-1:0]   coordinate;
  combine_way #(.Plus(Plus), .Digits(Digits), .DigitWidth(DigitWidth)) u_dut (
    .base_i((DigitWidth+1)'(Base)), .ring_i, .two_pieces_i, .alternate_i, .own_digits_i(own_digits), .coordinate_i(coordinate),
    .digit_i, .hop_i, .finished_i, .total_i, .combining_i, .batch_i, .sends_o(sends), .rank_o(rank_of)
  );

  // The rank of the node ahead: the batch's digits above, its own digit, and those of this node below.
  localparam int Others = Base - 1;
  logic [31:0]          reach, slots, ahead, at, number, total;
  logic                 there, legal;
  logic [RankWidth-1:0] full_rank;
  always_comb begin
    reach = Others;
    if (ring_i && !two_pieces_i) reach = Plus != 0 ? Others / 2 : Base / 2;  // of the broadcast, the other way
    slots = (ring_i && !two_pieces_i) ? Base / 2 : Others;
    ahead = slots - 32'(hop_i);
    coordinate = address_i[digit_i*DigitWidth +: DigitWidth];
    at    = 32'(coordinate);
    there = 1'b1;
    for (int h = 1; h < Base; h++) begin
      if (h <= ahead) begin
        if (Plus != 0) begin
          there = there && (ring_i || at != Base - 1);
          at    = at == Base - 1 ? 0 : at + 1;
        end else begin
          there = there && (ring_i || at != 0);
          at    = at == 0 ? Base - 1 : at - 1;
        end
      end
    end
    own_digits = '0;
    full_rank  = '0;
    number     = '0;
    total      = '0;
    legal      = 1'b1;
    for (int j = Digits; j >= 0; j--) begin
      legal = legal && 32'(address_i[j*DigitWidth +: DigitWidth]) < (j == Digits ? 1 : Base) &&
              32'(total_i[j*DigitWidth +: DigitWidth]) < Base &&
              32'(batch_i[j*DigitWidth +: DigitWidth]) < (j > 32'(digit_i) ? Base : 1);
      if (j <= 32'(digit_i)) own_digits[j*DigitWidth +: DigitWidth] = address_i[j*DigitWidth +: DigitWidth];
      full_rank[j*DigitWidth +: DigitWidth] = j > 32'(digit_i) ? batch_i[j*DigitWidth +: DigitWidth] :
                                              j == 32'(digit_i) ? DigitWidth'(at) : address_i[j*DigitWidth +: DigitWidth];
      number = number * Base + 32'(full_rank[j*DigitWidth +: DigitWidth]);
      total  = total * Base + 32'(total_i[j*DigitWidth +: DigitWidth]);
    end
  end
  logic due;
  assign due = combining_i && !finished_i && there && ahead <= reach && number < total;
  always @(posedge clk_i) begin
    assume (32'(digit_i) < Digits && legal && total <= Base ** Digits);
    assume (finished_i || !combining_i || 32'(hop_i) < slots);
    assume (ring_i || !two_pieces_i);
    if (rst_n) begin
      a_a_sum_leaves_in_time      : assert (sends == due);
      a_it_is_that_of_the_node_ahead : assert (!due || rank_of == full_rank[AddressWidth-1:0]);
      c_far  : cover (due && ahead == Others && digit_i == '0 && at == (Plus != 0 ? Others : 0) && (Digits == 1 || batch_i != '0));
      c_half : cover (due && ring_i && !two_pieces_i && hop_i == '0 && 32'(coordinate) == (Plus != 0 ? Others : 0));
    end
  end
endmodule
