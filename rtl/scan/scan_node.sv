// scan_node - a node that takes part in partial collectives on-line: no node knows beforehand which nodes are active.
//
// Source: Varvarigos and Bertsekas, partial multinode broadcast in d-dimensional meshes; Varvarigos, folded cubes. An
// interval goes through the phases of scan_pkg by a timetable that every node keeps for itself (scan_timetable). In every
// class an engine (class_engine) works on digits of its own numbering, so that classes never want the same link; here
// the lines of the classes are joined to the ports.
//
// The configuration says where the node is: for every class and digit its coordinate and the ports that lead to the next
// and the previous node of the line. It does not depend on which nodes are active. pending_i: the host has a packet (or
// wants a sum) when an interval begins; active_o then holds for the interval.
//
// classed_i: packets are not split; a packet belongs to the class that its rank has modulo class_count_i. Otherwise
// every packet has a part in each class.
//
// The links that lead to the node are part of it (node_links). Everything that leaves for a neighbour is a function of
// registers. There is no flow control: the timetable sees to it that a packet finds its link and its place free.
module scan_node #(
  parameter int Radix       = 4,   // ports
  parameter int Digits      = 2,   // digits of a node's address
  parameter int DigitWidth  = 2,   // digits are below 2^DigitWidth
  parameter int Classes     = 2,   // engines
  parameter int FlitWidth   = 64,
  parameter int LengthWidth = 5,   // flits of a packet are less than 2^LengthWidth
  parameter int LinkLatency = 0,   // cycles
  parameter int Pieces      = 1,   // 2: packets may be broadcast in two pieces
  localparam int RemainderWidth = safnet_pkg::index_width(Classes),
  localparam int CountWidth     = (Digits + 1) * DigitWidth + RemainderWidth,
  localparam int AddressWidth   = Digits * DigitWidth,
  localparam int RankWidth      = (Digits + 1) * DigitWidth,
  localparam int IndexWidth     = safnet_pkg::index_width(Digits),
  localparam int PortWidth      = safnet_pkg::index_width(Radix),
  localparam int CycleWidth     = $clog2((1 << LengthWidth) + LinkLatency + 1),
  localparam int MemoryWidth    = AddressWidth + Pieces - 1 + LengthWidth,
  localparam int Lanes          = 3 * Classes
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic [31:0]                         cycle_i,
  input  logic                                slot_open_next_i,  // the network starts, or runs
  // configuration, constant while an interval goes on
  input  logic [scan_pkg::OperationWidth-1:0] operation_i,         // scan_pkg::OperationScan, ...
  input  logic                                repeat_i,            // intervals follow one another
  input  logic                                known_i,             // ranks and totals are known_*_i: no scans
  input  logic                                classed_i,           // see above
  input  logic [RemainderWidth:0]             class_count_i,       // engines in use, 1 to Classes
  input  logic [DigitWidth:0]                 base_i,              // p: nodes of a line
  input  logic                                ring_i,              // lines are rings
  input  logic                                two_pieces_i,        // packets are broadcast in two pieces (class_engine)
  input  logic                                alternate_i,         // rings: scan_timetable, way_reach
  input  logic                                pass_on_first_i,     // see broadcast_way
  input  logic                                header_flit_i,       // the first flit is header alone
  input  logic [LengthWidth-1:0]              pack_flits_i,        // flits of a packet in packing and unpacking
  input  logic [LengthWidth-1:0]              cast_flits_i,        // in broadcasting and combining
  input  logic [Classes*AddressWidth-1:0]     coordinates_i,     // [class][digit]
  input  logic [Classes*Digits*PortWidth-1:0] plus_port_i,
  input  logic [Classes*Digits*PortWidth-1:0] minus_port_i,
  input  logic [Classes*AddressWidth-1:0]     known_rank_i,
  input  logic [Classes*RankWidth-1:0]        known_total_i,     // packets of a class
  input  logic [RankWidth-1:0]                known_group_i,     // of the largest class
  input  logic [RemainderWidth-1:0]           known_class_i,
  // links
  output logic [Radix-1:0]                    tx_valid_o,
  output logic [Radix*FlitWidth-1:0]          tx_flit_o,
  input  logic [Radix-1:0]                    rx_valid_i,
  input  logic [Radix*FlitWidth-1:0]          rx_flit_i,
  // faults on the links that lead here
  input  logic [Radix-1:0]                    fault_drop_i,
  input  logic [Radix-1:0]                    fault_corrupt_i,
  // host
  input  logic                                pending_i,
  output logic                                active_o,
  output logic                                interval_first_o,
  output logic [Classes*LengthWidth-1:0]      own_index_o,
  input  logic [Classes*FlitWidth-1:0]        own_flit_i,
  input  logic                                load_valid_i,
  input  logic [RemainderWidth-1:0]           load_class_i,
  input  logic [MemoryWidth-1:0]              load_address_i,
  input  logic [FlitWidth-1:0]                load_flit_i,
  output logic                                deliver_whole_o,   // packets as packed, not pieces of a broadcast
  output logic [Lanes-1:0]                    deliver_valid_o,   // lanes of class_engine
  output logic [Lanes-1:0]                    deliver_last_o,
  output logic [Lanes*FlitWidth-1:0]          deliver_flit_o,
  // what the node has found out
  output logic [scan_pkg::PhaseWidth-1:0]     phase_o,
  output logic [Classes*AddressWidth-1:0]     rank_o,
  output logic [Classes*RankWidth-1:0]        total_o,
  output logic [RankWidth-1:0]                group_total_o,     // packets of the largest class: what the timetable goes by
  output logic [RemainderWidth-1:0]           class_o,
  // measurements
  output logic [31:0]                         intervals_o,
  output logic [31:0]                         last_cycle_o,
  output logic [scan_pkg::Phases*32-1:0]      phase_cycles_o,
  output logic [Radix*32-1:0]                 sent_o,            // flits per port
  output logic [Radix*32-1:0]                 received_o,        // the same, but for those that failed a check
  output logic [31:0]                         delivered_o,
  output logic [31:0]                         last_delivery_cycle_o,
  output logic [31:0]                         violations_o,      // cycles in which a check of what arrives failed
  output logic [31:0]                         first_violation_cycle_o,
  output logic                                idle_o
);
  localparam logic [scan_pkg::PhaseWidth-1:0] ClassScan = 3'(scan_pkg::PhaseClassScan);

  // ---- links
  logic [Radix-1:0]           link_valid, unused_credit, unused_request, unused_grant;
  logic [Radix*FlitWidth-1:0] link_flit;
  logic                       in_flight, unused_links;
  node_links #(.Radix(Radix), .FlitWidth(FlitWidth), .Latency(LinkLatency)) u_links (
    .clk_i, .rst_ni, .latency_i(16'(LinkLatency)), .rx_valid_i, .rx_flit_i,
    .rx_credit_i    ({Radix{1'b0}}),
    .rx_request_i   ({Radix{1'b0}}),
    .rx_grant_i     ({Radix{1'b0}}),
    .fault_drop_i, .fault_corrupt_i,
    .link_valid_o   (link_valid),
    .link_flit_o    (link_flit),
    .link_credit_o  (unused_credit),
    .link_request_o (unused_request),
    .link_grant_o   (unused_grant),
    .in_flight_o    (in_flight)
  );
  assign unused_links = &{1'b0, unused_credit, unused_request, unused_grant};

  // ---- timetable
  logic                  backward, slot_last, line_last, phase_last, interval_last, begins, done_q;
  logic [IndexWidth-1:0] digit;
  logic [CycleWidth-1:0] cycle;
  logic [DigitWidth-1:0] hop, hops, minus_hop;
  logic [RankWidth-1:0]  plus_batch, minus_batch, group_total_q, group_total, group_total_next, class_total_next;
  logic                  minus_finished, unused;

  assign begins = phase_o == '0 && slot_open_next_i && !done_q;
  scan_timetable #(
    .Digits(Digits), .DigitWidth(DigitWidth), .LengthWidth(LengthWidth), .LinkLatency(LinkLatency)
  ) u_timetable (
    .clk_i, .rst_ni,
    .begin_i          (begins),
    .operation_i, .repeat_i, .known_i, .classed_i, .base_i, .ring_i, .two_pieces_i, .alternate_i,
    .pack_flits_i, .cast_flits_i,
    .total_i          (group_total),
    .total_next_i     (group_total_next),
    .phase_o, .backward_o(backward), .digit_o(digit), .cycle_o(cycle), .slot_last_o(slot_last), .hop_o(hop), .hops_o(hops),
    .line_last_o(line_last), .phase_last_o(phase_last), .interval_first_o, .interval_last_o(interval_last),
    .plus_batch_o(plus_batch), .minus_batch_o(minus_batch), .minus_hop_o(minus_hop), .minus_finished_o(minus_finished)
  );

  // ---- who is active, in which class
  logic [RemainderWidth-1:0] class_q;
  logic [CountWidth-1:0]     before_next [Classes], total_next [Classes], total [Classes];
  logic [CountWidth-1:0]     group_sum;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      active_o      <= 1'b0;
      done_q        <= 1'b0;
      class_q       <= '0;
      group_total_q <= '0;
    end else begin
      if (begins || (interval_last && repeat_i)) active_o <= pending_i;
      if (interval_last && !repeat_i) done_q <= 1'b1;
      if (phase_o == ClassScan && phase_last) begin
        class_q       <= before_next[0][RemainderWidth-1:0];
        group_total_q <= class_total_next;
      end
    end
  end
  // The largest class has as many packets as all have, divided by the number of classes and rounded up.
  count_adder #(.Digits(Digits), .DigitWidth(DigitWidth), .RemainderWidth(RemainderWidth)) u_round_up (
    .base_i, .remainder_base_i((RemainderWidth+1)'(1)),
    .a_i   ({total_next[0][RemainderWidth +: RankWidth], {RemainderWidth{1'b0}}}),
    .b_i   (CountWidth'(total_next[0][RemainderWidth-1:0] != '0)),
    .sum_o (group_sum));
  assign class_total_next = group_sum[RemainderWidth +: RankWidth];
  assign group_total      = known_i ? known_group_i : classed_i ? group_total_q : total[0][RemainderWidth +: RankWidth];
  assign group_total_next = known_i ? known_group_i : classed_i ? group_total_q : total_next[0][RemainderWidth +: RankWidth];
  assign group_total_o    = group_total;
  assign class_o          = known_i ? known_class_i : class_q;

  // ---- engines, and the ports of their lines
  logic [Classes-1:0]           plus_received, minus_received, fault;
  logic [Classes-1:0]           deliver_whole, enable, tx_plus_valid, tx_minus_valid, rx_plus_valid, rx_minus_valid;
  logic [Classes*FlitWidth-1:0] tx_plus_flit, tx_minus_flit, rx_plus_flit, rx_minus_flit;
  logic [Classes*PortWidth-1:0] plus_port, minus_port;
  for (genvar c = 0; c < Classes; c++) begin : g_class
    logic [DigitWidth-1:0] coordinate;
    logic                  has_plus, has_minus, in_class;
    assign enable[c]  = phase_o == ClassScan ? c == 0 : (RemainderWidth+1)'(c) < class_count_i;
    assign in_class   = active_o && (!classed_i || phase_o == ClassScan || class_o == RemainderWidth'(c));
    assign coordinate = coordinates_i[(c*Digits+32'(digit))*DigitWidth +: DigitWidth];
    assign has_plus   = enable[c] && phase_o != '0 && (ring_i || {1'b0, coordinate} != base_i - 1'b1);
    assign has_minus  = enable[c] && phase_o != '0 && (ring_i || coordinate != '0);
    assign plus_port[c*PortWidth +: PortWidth]  = plus_port_i[(c*Digits+32'(digit))*PortWidth +: PortWidth];
    assign minus_port[c*PortWidth +: PortWidth] = minus_port_i[(c*Digits+32'(digit))*PortWidth +: PortWidth];
    assign rx_plus_valid[c]  = has_plus && link_valid[plus_port[c*PortWidth +: PortWidth]];
    assign rx_minus_valid[c] = has_minus && link_valid[minus_port[c*PortWidth +: PortWidth]];
    assign rx_plus_flit[c*FlitWidth +: FlitWidth]  = link_flit[32'(plus_port[c*PortWidth +: PortWidth])*FlitWidth +: FlitWidth];
    assign rx_minus_flit[c*FlitWidth +: FlitWidth] = link_flit[32'(minus_port[c*PortWidth +: PortWidth])*FlitWidth +: FlitWidth];
    assign total_o[c*RankWidth +: RankWidth] = total[c][RemainderWidth +: RankWidth];

    class_engine #(
      .Digits(Digits), .DigitWidth(DigitWidth), .RemainderWidth(RemainderWidth), .FlitWidth(FlitWidth),
      .LengthWidth(LengthWidth), .CycleWidth(CycleWidth), .Pieces(Pieces)
    ) u_engine (
      .clk_i, .rst_ni, .base_i,
      .remainder_base_i (phase_o == ClassScan ? class_count_i : (RemainderWidth+1)'(1)),
      .ring_i, .two_pieces_i, .alternate_i, .pass_on_first_i, .header_flit_i, .pack_flits_i, .cast_flits_i, .operation_i,
      .coordinates_i    (coordinates_i[c*AddressWidth +: AddressWidth]),
      .known_i,
      .known_rank_i     (known_rank_i[c*AddressWidth +: AddressWidth]),
      .known_total_i    (known_total_i[c*RankWidth +: RankWidth]),
      .phase_i          (phase_o),
      .enable_i         (enable[c]),
      .backward_i       (backward),
      .digit_i          (digit),
      .cycle_i          (cycle),
      .slot_last_i      (slot_last),
      .hop_i            (hop),
      .hops_i           (hops),
      .line_last_i      (line_last),
      .phase_last_i     (phase_last),
      .plus_batch_i     (plus_batch),
      .minus_batch_i    (minus_batch),
      .minus_hop_i      (minus_hop),
      .minus_finished_i (minus_finished),
      .active_i         (in_class),
      .before_next_o    (before_next[c]),
      .total_next_o     (total_next[c]),
      .total_o          (total[c]),
      .rank_o           (rank_o[c*AddressWidth +: AddressWidth]),
      .tx_plus_valid_o  (tx_plus_valid[c]),
      .tx_plus_flit_o   (tx_plus_flit[c*FlitWidth +: FlitWidth]),
      .tx_minus_valid_o (tx_minus_valid[c]),
      .tx_minus_flit_o  (tx_minus_flit[c*FlitWidth +: FlitWidth]),
      .rx_plus_valid_i  (rx_plus_valid[c]),
      .rx_plus_flit_i   (rx_plus_flit[c*FlitWidth +: FlitWidth]),
      .rx_minus_valid_i (rx_minus_valid[c]),
      .rx_minus_flit_i  (rx_minus_flit[c*FlitWidth +: FlitWidth]),
      .plus_received_o  (plus_received[c]),
      .minus_received_o (minus_received[c]),
      .fault_o          (fault[c]),
      .own_index_o      (own_index_o[c*LengthWidth +: LengthWidth]),
      .own_flit_i       (own_flit_i[c*FlitWidth +: FlitWidth]),
      .load_valid_i     (load_valid_i && load_class_i == RemainderWidth'(c)),
      .load_address_i, .load_flit_i,
      .deliver_whole_o  (deliver_whole[c]),
      .deliver_valid_o  (deliver_valid_o[3*c +: 3]),
      .deliver_last_o   (deliver_last_o[3*c +: 3]),
      .deliver_flit_o   (deliver_flit_o[3*c*FlitWidth +: 3*FlitWidth])
    );
  end

  assign deliver_whole_o = deliver_whole[0];

  logic [Radix-1:0] wanted_twice, heard, received;
  always_comb begin
    tx_valid_o   = '0;
    tx_flit_o    = '0;
    wanted_twice = '0;
    for (int c = 0; c < Classes; c++) begin
      if (tx_plus_valid[c]) begin
        wanted_twice[plus_port[c*PortWidth +: PortWidth]] = tx_valid_o[plus_port[c*PortWidth +: PortWidth]];
        tx_valid_o[plus_port[c*PortWidth +: PortWidth]]   = 1'b1;
        tx_flit_o[32'(plus_port[c*PortWidth +: PortWidth])*FlitWidth +: FlitWidth] = tx_plus_flit[c*FlitWidth +: FlitWidth];
      end
      if (tx_minus_valid[c]) begin
        wanted_twice[minus_port[c*PortWidth +: PortWidth]] = tx_valid_o[minus_port[c*PortWidth +: PortWidth]];
        tx_valid_o[minus_port[c*PortWidth +: PortWidth]]   = 1'b1;
        tx_flit_o[32'(minus_port[c*PortWidth +: PortWidth])*FlitWidth +: FlitWidth] = tx_minus_flit[c*FlitWidth +: FlitWidth];
      end
    end
  end
  // In a process of its own: if it stood in the one above, a flit that arrives would make a simulator evaluate anew what
  // leaves, and nodes that are connected by links of latency 0 would look like a combinational loop.
  always_comb begin
    heard    = '0;
    received = '0;
    for (int c = 0; c < Classes; c++) begin
      if (rx_plus_valid[c]) heard[plus_port[c*PortWidth +: PortWidth]] = 1'b1;
      if (rx_minus_valid[c]) heard[minus_port[c*PortWidth +: PortWidth]] = 1'b1;
      if (plus_received[c]) received[plus_port[c*PortWidth +: PortWidth]] = 1'b1;
      if (minus_received[c]) received[minus_port[c*PortWidth +: PortWidth]] = 1'b1;
    end
  end

  interval_counters #(.Radix(Radix), .Lanes(Lanes)) u_counters (
    .clk_i, .rst_ni, .cycle_i,
    .phase_i         (phase_o),
    .interval_last_i (interval_last),
    .tx_valid_i      (tx_valid_o),
    .received_i      (received),
    .violation_i     (fault != '0),
    .delivers_i      (deliver_valid_o & deliver_last_o),
    .intervals_o, .last_cycle_o, .phase_cycles_o, .sent_o, .received_o, .delivered_o, .last_delivery_cycle_o,
    .violations_o, .first_violation_cycle_o
  );
  assign idle_o = phase_o == '0 && (done_q || !slot_open_next_i) && !in_flight;

  always @(posedge clk_i) begin : a_a_link_serves_one_class
    if (rst_ni) assert (wanted_twice == '0);
  end
  always @(posedge clk_i) begin : a_nothing_arrives_unasked
    if (rst_ni) assert ((link_valid & ~heard) == '0);
  end
  always @(posedge clk_i) begin : a_all_classes_count_the_same_packets
    if (rst_ni && !classed_i && !known_i && phase_last && phase_o == 3'(scan_pkg::PhaseRankScan)) begin
      for (int c = 1; c < Classes; c++) assert (!enable[c] || total_next[c] == total_next[0]);
    end
  end
  logic [Classes-1:0] unused_counts;
  for (genvar c = 0; c < Classes; c++) begin : g_unused
    assign unused_counts[c] = &{1'b0, before_next[c], total_next[c], total[c]};
  end
  assign unused = &{1'b0, group_sum, deliver_whole, unused_counts};

  initial begin : check_parameters
    if (Radix < 1 || Digits < 1 || Classes < 1 || Classes > 16)
      $fatal(1, "scan_node: Radix and Digits must be at least 1, Classes 1 to 16");
    if (DigitWidth < 1 || Digits * DigitWidth > 16) $fatal(1, "scan_node: an address must fit into 16 bits");
    if (LinkLatency < 0) $fatal(1, "scan_node: LinkLatency must not be negative");
  end
endmodule
