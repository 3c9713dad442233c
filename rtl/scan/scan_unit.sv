// scan_unit - a node's part in a parallel prefix operation over a network of digits: how many active nodes come before
// this one, and how many there are.
//
// Source: Varvarigos and Bertsekas, partial multinode broadcast in meshes, section 3.1, phase 1 and Fig. 2. Forward
// (digit 0 first): along the line of a digit, partial sums move from coordinate 0 to the last; the last node of a line
// then has the sum of its line and takes part in the line of the next digit. Backward (last digit first): the number
// of active nodes before the line, and the total, move from the last coordinate to 0. Each digit takes base - 1 slots
// forward and base - 1 backward, of one flit each. Forward a node sends in the slot whose number is its coordinate, and
// backward in that of its distance from the last coordinate: just after it has heard from the node before it. The links
// that leave the ends of a line are not used.
//
// A forward flit holds the sum in its low CountWidth bits, a backward flit the count before the line there and the
// total above it. Counts are those of count_adder. The highest bit of a flit makes the number of its ones odd, the bits
// between are 0. A flit is due in the last cycle of the slot in which its neighbour sends: the receiver reports one that
// is missing, comes in another cycle, or has a wrong bit.
//
// What leaves depends on registers, on the timetable and on coordinates that do not change; before_next_o, total_next_o
// and the checks also have what arrives in this cycle.
module scan_unit #(
  parameter int Digits         = 2,
  parameter int DigitWidth     = 2,
  parameter int RemainderWidth = 2,
  parameter int FlitWidth      = 64,
  localparam int CountWidth    = (Digits + 1) * DigitWidth + RemainderWidth,
  localparam int IndexWidth    = safnet_pkg::index_width(Digits)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  // configuration
  input  logic [DigitWidth:0]          base_i,
  input  logic [RemainderWidth:0]      remainder_base_i,
  input  logic [Digits*DigitWidth-1:0] coordinates_i,
  // timetable
  input  logic                         enable_i,      // a scan is going on
  input  logic                         backward_i,
  input  logic [IndexWidth-1:0]        digit_i,
  input  logic [DigitWidth-1:0]        hop_i,         // slot within the line, from 0
  input  logic                         slot_first_i,  // first cycle of a slot
  input  logic                         slot_last_i,   // last cycle of a slot: a flit that was sent in it arrives
  input  logic                         line_last_i,   // last cycle of the last slot
  // is this node active in the scan?
  input  logic                         active_i,
  // the line
  output logic                         tx_plus_valid_o,   // towards larger coordinates
  output logic                         tx_minus_valid_o,
  output logic [FlitWidth-1:0]         tx_flit_o,
  input  logic                         rx_minus_valid_i,  // from smaller coordinates
  input  logic [FlitWidth-1:0]         rx_minus_flit_i,
  input  logic                         rx_plus_valid_i,
  input  logic [FlitWidth-1:0]         rx_plus_flit_i,
  // checks of what arrives
  output logic                         minus_intact_o,    // a flit that is due, with all bits right
  output logic                         plus_intact_o,
  output logic                         fault_o,           // one that is due is missing, or one is not intact
  // results, right when the scan has ended
  output logic [CountWidth-1:0]        before_next_o,  // active nodes before this one
  output logic [CountWidth-1:0]        total_next_o,
  output logic [CountWidth-1:0]        total_o
);
  logic [CountWidth-1:0] earlier_q [Digits];  // active nodes before this one's part of the line of a digit
  logic [CountWidth-1:0] subtotal_q, base_q, total_q;  // base_q: active nodes before the line
  logic [CountWidth-1:0] own, earlier, sum, base_now, base_sum;
  logic [DigitWidth-1:0] coordinate, last;
  logic                  takes_part, ends_here, unused;

  assign last       = DigitWidth'(base_i - 1'b1);
  assign coordinate = coordinates_i[digit_i*DigitWidth +: DigitWidth];
  assign ends_here  = coordinate == last;
  always_comb begin
    takes_part = enable_i;
    for (int j = 0; j < Digits - 1; j++) begin  // no digit is above the last
      if (IndexWidth'(j) < digit_i && coordinates_i[j*DigitWidth +: DigitWidth] != last) takes_part = 1'b0;
    end
  end

  // What this node adds to the sum of its line: of digit 0 itself, of the others the sum of the line that ends here.
  assign own     = digit_i == '0 ? CountWidth'(active_i) : subtotal_q;
  assign earlier = coordinate == '0 ? '0
                 : (rx_minus_valid_i && !backward_i) ? rx_minus_flit_i[CountWidth-1:0] : earlier_q[digit_i];
  count_adder #(.Digits(Digits), .DigitWidth(DigitWidth), .RemainderWidth(RemainderWidth)) u_forward (
    .base_i, .remainder_base_i, .a_i(coordinate == '0 ? '0 : earlier_q[digit_i]), .b_i(own), .sum_o(sum));

  logic [CountWidth-1:0] line_sum;  // with what arrives in this very cycle
  count_adder #(.Digits(Digits), .DigitWidth(DigitWidth), .RemainderWidth(RemainderWidth)) u_line (
    .base_i, .remainder_base_i, .a_i(earlier), .b_i(own), .sum_o(line_sum));

  assign base_now = (rx_plus_valid_i && backward_i) ? rx_plus_flit_i[CountWidth-1:0] : base_q;
  count_adder #(.Digits(Digits), .DigitWidth(DigitWidth), .RemainderWidth(RemainderWidth)) u_backward (
    .base_i, .remainder_base_i, .a_i(base_now), .b_i(earlier), .sum_o(base_sum));
  assign before_next_o = base_sum;
  assign total_next_o  = (rx_plus_valid_i && backward_i) ? rx_plus_flit_i[2*CountWidth-1:CountWidth] : total_q;
  assign total_o       = total_q;

  assign tx_plus_valid_o  = takes_part && slot_first_i && !backward_i && !ends_here && hop_i == coordinate;
  assign tx_minus_valid_o = takes_part && slot_first_i && backward_i && coordinate != '0 && hop_i == last - coordinate;
  // ---- flits and their check
  function automatic logic [FlitWidth-1:0] checked(input logic [2*CountWidth-1:0] counts);
    checked = FlitWidth'(counts);
    checked[FlitWidth-1] = ~^counts;
  endfunction
  assign tx_flit_o = checked(backward_i ? {total_q, base_q} : {{CountWidth{1'b0}}, sum});

  logic minus_due, plus_due;
  assign minus_due = takes_part && slot_last_i && !backward_i && coordinate != '0 && hop_i == coordinate - 1'b1;
  assign plus_due  = takes_part && slot_last_i && backward_i && !ends_here && hop_i == last - coordinate - 1'b1;
  assign minus_intact_o = minus_due && rx_minus_valid_i &&
                          rx_minus_flit_i == checked({{CountWidth{1'b0}}, rx_minus_flit_i[CountWidth-1:0]});
  assign plus_intact_o  = plus_due && rx_plus_valid_i && rx_plus_flit_i == checked(rx_plus_flit_i[2*CountWidth-1:0]);
  assign fault_o = enable_i && (((minus_due || rx_minus_valid_i) && !minus_intact_o) ||
                                ((plus_due || rx_plus_valid_i) && !plus_intact_o));

  // total_o is 0 until a scan has found a total. The rest needs no reset: what it holds leaves the node, or counts, only after the
  // forward part of the scan has written it, unless the flit is lost that brings it, which fault_o tells.
  always_ff @(posedge clk_i) begin
    if (takes_part && !backward_i && rx_minus_valid_i) earlier_q[digit_i] <= rx_minus_flit_i[CountWidth-1:0];
  end
  logic line_ends_here;  // forward, and with the sum of the line
  assign line_ends_here = takes_part && !backward_i && line_last_i && ends_here;
  always_ff @(posedge clk_i) begin
    if (line_ends_here) begin
      subtotal_q <= line_sum;
      base_q     <= '0;
    end else if (takes_part && backward_i) begin
      base_q <= line_last_i ? base_sum : base_now;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni)                       total_q <= '0;
    else if (line_ends_here)           total_q <= line_sum;
    else if (takes_part && backward_i) total_q <= total_next_o;
  end

  always @(posedge clk_i) begin : a_a_partial_sum_arrives_before_its_slot
    if (rst_ni && takes_part && rx_minus_valid_i && !backward_i) assert (coordinate != '0 && hop_i == coordinate - 1'b1);
  end
  always @(posedge clk_i) begin : a_a_count_comes_from_the_end_of_the_line
    if (rst_ni && takes_part && rx_plus_valid_i && backward_i) assert (!ends_here && hop_i == last - coordinate - 1'b1);
  end
  always @(posedge clk_i) begin : a_only_nodes_at_the_ends_of_lines_hear_of_the_next
    if (rst_ni && enable_i && !takes_part) assert (!rx_minus_valid_i && !rx_plus_valid_i);
  end
  assign unused = &{1'b0, base_i};

  initial begin : check_parameters
    if (Digits < 1 || Digits > 16) $fatal(1, "scan_unit: Digits must be 1 to 16");
    if (2 * CountWidth >= FlitWidth) $fatal(1, "scan_unit: a flit must hold two counts and a check bit");
  end
endmodule
