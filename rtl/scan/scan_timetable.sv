// scan_timetable - the timetable that all nodes of a scan network keep in common, each by itself: which phase of an
// interval, which digit, which slot, which cycle of the slot.
//
// All nodes have the same configuration and begin in the same cycle, so their timetables agree without a signal
// between them. The only thing that they have to learn is the number of packets; every node knows it from the scan
// before the first phase that depends on it begins. An interval is: scans (ranks modulo the number of classes first,
// if packets have classes), then what the operation asks for; see scan_pkg. A slot lasts the flits of its packets and
// the latency of a link; scans: one flit.
//
//   phase      digits     slots of a digit
//   scan       0, 1, ...  base - 1 forward; then backward, last digit first
//   pack       0, 1, ...  base - 1; the short way round a ring base / 2
//   broadcast  last ... 0 of each batch base - 1; whole packets round a ring base / 2, alternating (see batch_counter)
//   combine    0, 1, ...  the same
//   unpack     last ... 0 as pack
module scan_timetable #(
  parameter int Digits      = 2,
  parameter int DigitWidth  = 2,
  parameter int LengthWidth = 5,  // flits of a packet are less than 2^LengthWidth
  parameter int LinkLatency = 0,
  localparam int RankWidth  = (Digits + 1) * DigitWidth,
  localparam int IndexWidth = safnet_pkg::index_width(Digits),
  localparam int CycleWidth = $clog2((1 << LengthWidth) + LinkLatency + 1)
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  input  logic                             begin_i,      // when idle: an interval begins in the next cycle
  // configuration
  input  logic [scan_pkg::OperationWidth-1:0] operation_i,
  input  logic                             repeat_i,     // intervals follow each other without end
  input  logic                             known_i,      // ranks are known: no scans
  input  logic                             classed_i,    // packets belong to classes
  input  logic [DigitWidth:0]              base_i,
  input  logic                             ring_i,       // lines are rings, of three nodes or more
  input  logic                             two_pieces_i, // round a ring: a piece each way
  input  logic                             alternate_i,  // rings: packs the shorter way; broadcasts: see way_reach
  input  logic [LengthWidth-1:0]           pack_flits_i,
  input  logic [LengthWidth-1:0]           cast_flits_i,
  input  logic [RankWidth-1:0]             total_i,      // packets in a class; total_next_i: after the next edge
  input  logic [RankWidth-1:0]             total_next_i,
  // where the interval stands
  output logic [scan_pkg::PhaseWidth-1:0]  phase_o,
  output logic                             backward_o,
  output logic [IndexWidth-1:0]            digit_o,
  output logic [CycleWidth-1:0]            cycle_o,      // within the slot
  output logic                             slot_last_o,
  output logic [DigitWidth-1:0]            hop_o,        // slot of the line; in batches, of the batch, way plus
  output logic [DigitWidth-1:0]            hops_o,       // of a line when packing
  output logic                             line_last_o,
  output logic                             phase_last_o,
  output logic                             interval_first_o,  // first cycle of an interval
  output logic                             interval_last_o,   // and its last
  output logic [RankWidth-1:0]             plus_batch_o,
  output logic [RankWidth-1:0]             minus_batch_o,
  output logic [DigitWidth-1:0]            minus_hop_o,  // the same of the way minus
  output logic                             minus_finished_o  // the way minus has no batch left, while plus still has one
);
  localparam int PhaseWidth = scan_pkg::PhaseWidth;
  localparam logic [PhaseWidth-1:0] Idle      = PhaseWidth'(scan_pkg::PhaseIdle);
  localparam logic [PhaseWidth-1:0] ClassScan = PhaseWidth'(scan_pkg::PhaseClassScan);
  localparam logic [PhaseWidth-1:0] RankScan  = PhaseWidth'(scan_pkg::PhaseRankScan);
  localparam logic [PhaseWidth-1:0] Pack      = PhaseWidth'(scan_pkg::PhasePack);
  localparam logic [PhaseWidth-1:0] Broadcast = PhaseWidth'(scan_pkg::PhaseBroadcast);
  localparam logic [PhaseWidth-1:0] Combine   = PhaseWidth'(scan_pkg::PhaseCombine);
  localparam logic [PhaseWidth-1:0] Unpack    = PhaseWidth'(scan_pkg::PhaseUnpack);
  localparam logic [IndexWidth-1:0] LastDigit = IndexWidth'(Digits - 1);

  logic [PhaseWidth-1:0] phase_q, phase_next, phase_then, phase_first;
  logic                  backward_q, first_q;
  logic [IndexWidth-1:0] digit_q;
  logic [CycleWidth-1:0] cycle_q, slot_cycles;
  logic [DigitWidth-1:0] hop_q, last, half, below_half;
  logic                  scanning, batched, advance, digit_up, digit_last;

  assign last       = DigitWidth'(base_i - (DigitWidth+1)'(1));
  assign half       = DigitWidth'((base_i >> 1) - (DigitWidth+1)'(1));              // slots less one
  assign below_half = DigitWidth'(((base_i - (DigitWidth+1)'(1)) >> 1) - (DigitWidth+1)'(1));
  assign scanning   = phase_q == ClassScan || phase_q == RankScan;
  assign batched    = phase_q == Broadcast || phase_q == Combine;

  assign slot_cycles = (scanning ? CycleWidth'(1) : batched ? CycleWidth'(cast_flits_i) : CycleWidth'(pack_flits_i)) +
                       CycleWidth'(LinkLatency);
  assign slot_last_o = phase_q != Idle && cycle_q == slot_cycles - 1'b1;
  assign hops_o      = (ring_i && alternate_i) ? half + 1'b1 : last;

  // Broadcasts and their reverse: the two directions of a line. Both have the same batches. If their lengths differ, the
  // way plus has the first of the longer ones, so that it never ends before the way minus: the line ends with the way plus.
  logic [DigitWidth-1:0] whole, plus_hop;
  logic                  plus_last, minus_last, minus_finished_q, batches_clear, halved;
  assign halved  = ring_i && !two_pieces_i;
  assign whole   = halved ? half : last - 1'b1;
  assign advance = batched && slot_last_o;
  assign batches_clear = line_last_o || phase_q == Idle;
  batch_counter #(.Digits(Digits), .DigitWidth(DigitWidth)) u_plus (
    .clk_i, .rst_ni, .base_i, .digit_i(digit_q), .total_i,
    .even_length_i (whole),
    .odd_length_i  (halved && alternate_i ? below_half : whole),
    .clear_i       (batches_clear),
    .advance_i     (advance),
    .batch_o       (plus_batch_o), .hop_o(plus_hop), .last_o(plus_last));
  batch_counter #(.Digits(Digits), .DigitWidth(DigitWidth)) u_minus (
    .clk_i, .rst_ni, .base_i, .digit_i(digit_q), .total_i,
    .even_length_i (halved && alternate_i ? below_half : whole),
    .odd_length_i  (whole),
    .clear_i       (batches_clear),
    .advance_i     (advance && !minus_finished_q),
    .batch_o       (minus_batch_o), .hop_o(minus_hop_o), .last_o(minus_last));
  always_ff @(posedge clk_i) begin
    if (!rst_ni || batches_clear)   minus_finished_q <= 1'b0;
    else if (advance && minus_last) minus_finished_q <= 1'b1;
  end

  assign line_last_o = slot_last_o && (batched ? plus_last : hop_q == (scanning ? last : hops_o) - 1'b1);

  // Digits go up in packing, forward scans and combining, down otherwise.
  assign digit_up     = phase_q == Pack || phase_q == Combine || (scanning && !backward_q);
  assign digit_last   = digit_up ? digit_q == LastDigit : digit_q == '0;
  assign phase_last_o = line_last_o && digit_last && (!scanning || backward_q);

  assign phase_first = known_i ? (operation_i != 3'(scan_pkg::OperationAccumulate) ? Pack : total_i == '0 ? Unpack : Combine)
                               : classed_i ? ClassScan : RankScan;
  always_comb begin
    phase_next = Idle;
    case (phase_q)
      ClassScan: phase_next = RankScan;
      RankScan:
        case (operation_i)
          3'(scan_pkg::OperationScan):       phase_next = Idle;
          3'(scan_pkg::OperationAccumulate): phase_next = total_next_i == '0 ? Unpack : Combine;
          default:                           phase_next = Pack;
        endcase
      Pack:
        case (operation_i)
          3'(scan_pkg::OperationMonotone):  phase_next = Unpack;
          3'(scan_pkg::OperationBroadcast): phase_next = total_i == '0 ? Idle : Broadcast;
          default:                          phase_next = Idle;
        endcase
      Combine: phase_next = Unpack;
      default: phase_next = Idle;
    endcase
  end
  assign interval_last_o = phase_last_o && phase_next == Idle;
  assign phase_then      = (interval_last_o && repeat_i) ? phase_first : phase_next;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      phase_q    <= Idle;
      backward_q <= 1'b0;
      digit_q    <= '0;
      cycle_q    <= '0;
      hop_q      <= '0;
      first_q    <= 1'b0;
    end else if (phase_q == Idle) begin
      if (begin_i) phase_q <= phase_first;
      digit_q <= phase_first == Unpack ? LastDigit : '0;
      first_q <= begin_i;
    end else begin
      first_q <= interval_last_o && repeat_i;
      cycle_q <= slot_last_o ? '0 : cycle_q + 1'b1;
      if (slot_last_o) hop_q <= line_last_o ? '0 : hop_q + 1'b1;
      if (phase_last_o) begin
        phase_q    <= phase_then;
        backward_q <= 1'b0;
        digit_q    <= (phase_then == Broadcast || phase_then == Unpack) ? LastDigit : '0;
      end else if (line_last_o) begin
        if (scanning && !backward_q && digit_last) backward_q <= 1'b1;
        else digit_q <= digit_up ? digit_q + 1'b1 : digit_q - 1'b1;
      end
    end
  end

  assign phase_o          = phase_q;
  assign backward_o       = backward_q;
  assign digit_o          = digit_q;
  assign cycle_o          = cycle_q;
  assign hop_o            = batched ? plus_hop : hop_q;
  assign interval_first_o = first_q;
  assign minus_finished_o = minus_finished_q;

  // Slots of the longer and of the shorter way round a ring are kept less one, and of two nodes the shorter way has none.
  always @(posedge clk_i) begin : a_rings_have_three_nodes
    if (rst_ni && phase_q != Idle) assert (!ring_i || base_i >= (DigitWidth+1)'(3));
  end

  always @(posedge clk_i) begin : a_the_way_minus_ends_no_later
    if (rst_ni && batched && line_last_o) assert (minus_finished_q || minus_last);
  end

  initial begin : check_parameters
    if (DigitWidth < 1 || LengthWidth < 1) $fatal(1, "scan_timetable: DigitWidth and LengthWidth must be at least 1");
    if (LinkLatency < 0) $fatal(1, "scan_timetable: LinkLatency must not be negative");
  end
endmodule
