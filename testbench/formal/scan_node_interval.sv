// scan_node_interval - in an interval of a scan network every packet comes to every node that it is for, once and unaltered, whichever
// nodes are active: that the algorithms of Varvarigos and Bertsekas, section 3, do what they are for, of a network of the nodes themselves.
//
// A whole mesh, or torus, of Base ** Digits scan_nodes, any set of active nodes, any payloads. A node learns nothing but what arrives.
// What the operation promises is said by the nodes' numbers: rank i is the i-th active node, in the order of each class's own numbering.
//
//   pack        the packet of rank i comes to the node with number i
//   monotone    the packet of the i-th active node comes to the i-th of any as many nodes
//   broadcast   every node gets all packets of active nodes; its own only if the packet was packed to another node
//   accumulate  the i-th active node gets the sum of what all nodes have for rank i
//
// The first cycle is a reset, or the first cycle of an interval: then the timetable is at its beginning, no packet has arrived in part,
// and all other registers have any values. It is shown to be so again when the next interval begins, whatever the one before left
// behind, so that what holds of one interval holds of all. Accumulations are looked at after a reset alone, when hosts have written what
// nodes have for each rank: an interval leaves sums there.
module scan_node_interval #(
  parameter int Base       = 3,
  parameter int Digits     = 1,
  parameter int DigitWidth = 2,
  parameter int Ring       = 0,
  parameter int Alternate  = 0,
  parameter int Classes    = 1,
  parameter int Flits      = 1,
  parameter int Operation  = 3,
  parameter int Cycles     = 40,  // an interval has ended so many cycles after the first
  localparam int PayloadWidth   = 1,
  localparam int FlitWidth      = scan_pkg::HeaderWidth + PayloadWidth,
  localparam int LengthWidth    = Flits,   // wide enough for one and for two
  localparam int AddressWidth   = Digits * DigitWidth,
  localparam int RankWidth      = (Digits + 1) * DigitWidth,
  localparam int IndexWidth     = safnet_pkg::index_width(Digits),
  localparam int Nodes          = Base ** Digits,
  localparam int Radix          = 2 * Digits,
  localparam int PortWidth      = safnet_pkg::index_width(Radix),
  localparam int RemainderWidth = safnet_pkg::index_width(Classes),
  localparam int CycleWidth     = $clog2((1 << LengthWidth) + 1),
  localparam int Lanes          = 3 * Classes,
  localparam int NumberWidth    = $clog2(Nodes + 1)  // of a node, or of how many
) (
  input logic             clk_i,
  input logic [Nodes-1:0] pending_i
);
  localparam bit Packs      = Operation == scan_pkg::OperationPack;
  localparam bit Routes     = Operation == scan_pkg::OperationMonotone;
  localparam bit Broadcasts = Operation == scan_pkg::OperationBroadcast;
  localparam bit Sums       = Operation == scan_pkg::OperationAccumulate;
  localparam int Loads      = Sums ? Classes * Nodes * Flits : 0;

  // ---- numbers: class c counts the digits of a node from its digit c on
`include "rank_digits.svh"
  function automatic int number_in(input int node, input int c);
    number_in = 0;
    for (int j = Digits - 1; j >= 0; j--) number_in = number_in * Base + node / Base ** ((j + c) % Digits) % Base;
  endfunction

  // ---- the first cycle
  (* anyconst *) logic from_reset, repeats;
  logic started = 1'b0;
  logic rst_n;
  always @(posedge clk_i) started <= 1'b1;
  assign rst_n = started || !from_reset;

  // ---- hosts
  (* anyconst *) logic [Nodes-1:0]                      wanted;   // where packets of a monotone routing go
  (* anyconst *) logic [Nodes*Classes*Flits-1:0]        payload;  // of each node's packet
  (* anyconst *) logic [Nodes*Classes*Nodes*Flits-1:0]  operand;  // what each node has for each rank
  // Before an accumulation the hosts write what they have for each rank, an operand a cycle.
  logic [7:0]                load_q, load_class;
  logic [AddressWidth-1:0]   load_rank;
  logic [LengthWidth-1:0]    load_index;
  logic                      loads, opens;
  assign loads = started && 32'(load_q) < Loads;
  assign opens = started && !loads;
  always @(posedge clk_i) load_q <= !started ? '0 : load_q + 8'(loads);
  always_comb begin
    {load_class, load_rank, load_index} = '0;
    for (int k = 0; k < Loads; k++) begin
      if (32'(load_q) == k) begin
        load_class = 8'(k / (Nodes * Flits));
        load_rank  = AddressWidth'(digits_of(k / Flits % Nodes));
        load_index = LengthWidth'(k % Flits);
      end
    end
  end

  // ---- the active nodes of the interval, and what each has to get
  // What is delivered is registered, so that it belongs to the cycle before, and to the nodes that were active then.
  logic [Nodes-1:0]                     active, active_q;
  logic [NumberWidth-1:0]               total;
  logic [Nodes*Classes*NumberWidth-1:0] rank_of;  // how many active nodes have a smaller number, of each node and class
  logic [Nodes*NumberWidth-1:0]         goes_to;  // monotone: the node that a node's packet is for
  logic [NumberWidth-1:0]               wanted_before [Nodes+1];
  logic [Nodes*Classes*Nodes-1:0]       gets;     // [node][class][whose packet]
  always @(posedge clk_i) active_q <= active;
  always_comb begin
    total = '0;
    for (int v = 0; v < Nodes; v++) total = total + NumberWidth'(active_q[v]);
    for (int v = 0; v < Nodes; v++) begin
      for (int c = 0; c < Classes; c++) begin
        rank_of[(v*Classes+c)*NumberWidth +: NumberWidth] = '0;
        for (int w = 0; w < Nodes; w++) begin
          if (number_in(w, c) < number_in(v, c))
            rank_of[(v*Classes+c)*NumberWidth +: NumberWidth] =
                rank_of[(v*Classes+c)*NumberWidth +: NumberWidth] + NumberWidth'(active_q[w]);
        end
      end
    end
    wanted_before[0] = '0;
    for (int w = 0; w < Nodes; w++) wanted_before[w+1] = wanted_before[w] + NumberWidth'(wanted[w]);
    for (int v = 0; v < Nodes; v++) begin
      goes_to[v*NumberWidth +: NumberWidth] = '0;
      for (int w = 0; w < Nodes; w++) begin
        if (wanted[w] && wanted_before[w] == rank_of[v*Classes*NumberWidth +: NumberWidth])
          goes_to[v*NumberWidth +: NumberWidth] = NumberWidth'(w);
      end
    end
    gets = '0;
    for (int v = 0; v < Nodes; v++) begin
      for (int c = 0; c < Classes; c++) begin
        for (int s = 0; s < Nodes; s++) begin
          gets[(v*Classes+c)*Nodes+s] = active_q[s] && (
            Packs  ? 32'(rank_of[(s*Classes+c)*NumberWidth +: NumberWidth]) == number_in(v, c) :
            Routes ? 32'(goes_to[s*NumberWidth +: NumberWidth]) == v :
            Sums   ? s == v :
            Broadcasts && !(s == v && 32'(rank_of[(s*Classes+c)*NumberWidth +: NumberWidth]) == number_in(v, c)));
        end
      end
    end
  end

  // ---- the network: port 2j leads up in digit j, port 2j + 1 down
  logic [Nodes*Radix-1:0]           tx_valid, rx_valid;
  logic [Nodes*Radix*FlitWidth-1:0] tx_flit, rx_flit;
  for (genvar v = 0; v < Nodes; v++) begin : g_wires
    for (genvar j = 0; j < Digits; j++) begin : g_digit
      localparam int Digit = v / Base ** j % Base;
      localparam int Up    = Digit != Base - 1 ? v + Base ** j : v - (Base - 1) * Base ** j;
      localparam int Down  = Digit != 0 ? v - Base ** j : v + (Base - 1) * Base ** j;
      assign rx_valid[v*Radix+2*j]                                     = tx_valid[Up*Radix+2*j+1] && (Ring != 0 || Digit != Base - 1);
      assign rx_flit[(v*Radix+2*j)*FlitWidth +: FlitWidth]             = tx_flit[(Up*Radix+2*j+1)*FlitWidth +: FlitWidth];
      assign rx_valid[v*Radix+2*j+1]                                   = tx_valid[Down*Radix+2*j] && (Ring != 0 || Digit != 0);
      assign rx_flit[(v*Radix+2*j+1)*FlitWidth +: FlitWidth]           = tx_flit[(Down*Radix+2*j)*FlitWidth +: FlitWidth];
    end
  end

  logic [Nodes-1:0]                           first;
  logic [Nodes*scan_pkg::PhaseWidth-1:0]      phase;
  logic [Nodes*Classes*AddressWidth-1:0]      rank_told;
  logic [Nodes*Classes*RankWidth-1:0]         total_told;
  logic [Nodes*Classes*LengthWidth-1:0]       own_index;
  logic [Nodes*Lanes-1:0]                     valid, last;
  logic [Nodes*Lanes*FlitWidth-1:0]           flit;
  for (genvar v = 0; v < Nodes; v++) begin : g_node
    logic [Classes*AddressWidth-1:0]     coordinates;
    logic [Classes*Digits*PortWidth-1:0] plus_port, minus_port;
    logic [Classes*FlitWidth-1:0]        own_flit;
    logic [FlitWidth-1:0]                load_flit;
    always_comb begin
      load_flit = '0;
      if (load_index == '0) load_flit[scan_pkg::RankField +: AddressWidth] = load_rank;
      for (int k = 0; k < Classes * Nodes * Flits; k++) if (32'(load_q) == k) load_flit[FlitWidth-1] = operand[v*Classes*Nodes*Flits + k];
      for (int c = 0; c < Classes; c++) begin
        for (int j = 0; j < Digits; j++) begin
          coordinates[(c*Digits+j)*DigitWidth +: DigitWidth] = DigitWidth'(v / Base ** ((j + c) % Digits) % Base);
          plus_port[(c*Digits+j)*PortWidth +: PortWidth]     = PortWidth'(2 * ((j + c) % Digits));
          minus_port[(c*Digits+j)*PortWidth +: PortWidth]    = PortWidth'(2 * ((j + c) % Digits) + 1);
        end
        own_flit[c*FlitWidth +: FlitWidth] = '0;
        if (own_index[(v*Classes+c)*LengthWidth +: LengthWidth] == '0) begin
          own_flit[c*FlitWidth + scan_pkg::SourceField +: NumberWidth] = NumberWidth'(v);
          for (int w = 0; w < Nodes; w++) begin
            if (32'(goes_to[v*NumberWidth +: NumberWidth]) == w)
              own_flit[c*FlitWidth + scan_pkg::DestinationField +: AddressWidth] = AddressWidth'(digits_of(number_in(w, c)));
          end
        end
        for (int f = 0; f < Flits; f++) begin
          if (32'(own_index[(v*Classes+c)*LengthWidth +: LengthWidth]) == f)
            own_flit[(c+1)*FlitWidth-1] = payload[(v*Classes+c)*Flits + f];
        end
      end
    end
    scan_node #(
      .Radix(Radix), .Digits(Digits), .DigitWidth(DigitWidth), .Classes(Classes), .FlitWidth(FlitWidth), .LengthWidth(LengthWidth)
    ) u_dut (
      .clk_i, .rst_ni(rst_n), .cycle_i('0), .slot_open_next_i(opens), .operation_i(3'(Operation)), .repeat_i(repeats), .known_i(1'b0),
      .classed_i(1'b0), .class_count_i((RemainderWidth+1)'(Classes)), .base_i((DigitWidth+1)'(Base)), .ring_i(Ring != 0),
      .two_pieces_i(1'b0), .alternate_i(Alternate != 0), .pass_on_first_i(1'b0), .header_flit_i(1'b0),
      .pack_flits_i(LengthWidth'(Flits)), .cast_flits_i(LengthWidth'(Flits)), .coordinates_i(coordinates), .plus_port_i(plus_port),
      .minus_port_i(minus_port), .known_rank_i('0), .known_total_i('0), .known_group_i('0), .known_class_i('0),
      .tx_valid_o(tx_valid[v*Radix +: Radix]), .tx_flit_o(tx_flit[v*Radix*FlitWidth +: Radix*FlitWidth]),
      .rx_valid_i(rx_valid[v*Radix +: Radix]), .rx_flit_i(rx_flit[v*Radix*FlitWidth +: Radix*FlitWidth]),
      .fault_drop_i('0), .fault_corrupt_i('0), .pending_i(pending_i[v]), .active_o(active[v]), .interval_first_o(first[v]),
      .own_index_o(own_index[v*Classes*LengthWidth +: Classes*LengthWidth]), .own_flit_i(own_flit), .load_valid_i(loads),
      .load_class_i(RemainderWidth'(load_class)), .load_address_i({load_rank, load_index}),
      .load_flit_i(load_flit), .deliver_whole_o(), .deliver_valid_o(valid[v*Lanes +: Lanes]), .deliver_last_o(last[v*Lanes +: Lanes]),
      .deliver_flit_o(flit[v*Lanes*FlitWidth +: Lanes*FlitWidth]), .phase_o(phase[v*scan_pkg::PhaseWidth +: scan_pkg::PhaseWidth]),
      .rank_o(rank_told[v*Classes*AddressWidth +: Classes*AddressWidth]), .total_o(total_told[v*Classes*RankWidth +: Classes*RankWidth]),
      .group_total_o(), .class_o(), .intervals_o(), .last_cycle_o(), .phase_cycles_o(), .sent_o(), .received_o(), .delivered_o(),
      .last_delivery_cycle_o(), .violations_o(), .first_violation_cycle_o(), .idle_o()
    );
  end

  // ---- where the interval stands
  logic       begun_q, over_q, ends;
  logic [7:0] age_q;
  assign ends = begun_q && !over_q && (first[0] || phase[scan_pkg::PhaseWidth-1:0] == 3'(scan_pkg::PhaseIdle));
  always @(posedge clk_i) begin
    begun_q <= started ? begun_q || first[0] : !from_reset;
    over_q  <= started && (over_q || ends);
    age_q   <= started ? age_q + 8'd1 : 8'd1;
  end

  // ---- what comes to the hosts
  logic [Nodes*Classes*Flits*FlitWidth-1:0] sent;  // every flit as it has to come: of a node's packet, or of the sum that it wants
  logic [Classes*Nodes*Flits-1:0] sum;  // of what all nodes have, for each rank
  for (genvar k = 0; k < Classes * Nodes * Flits; k++) begin : g_sum
    logic [Nodes-1:0] part;
    for (genvar w = 0; w < Nodes; w++) begin : g_part
      assign part[w] = operand[w*Classes*Nodes*Flits + k];
    end
    assign sum[k] = ^part;
  end
  always_comb begin
    sent = '0;
    for (int v = 0; v < Nodes; v++) begin
      for (int c = 0; c < Classes; c++) begin
        for (int r = 0; r < Nodes; r++) begin
          if (32'(rank_of[(v*Classes+c)*NumberWidth +: NumberWidth]) == r)
            sent[(v*Classes+c)*Flits*FlitWidth + scan_pkg::RankField +: AddressWidth] = AddressWidth'(digits_of(r));
          if (Sums ? v == r : 32'(goes_to[v*NumberWidth +: NumberWidth]) == r)
            sent[(v*Classes+c)*Flits*FlitWidth + scan_pkg::DestinationField +: AddressWidth] = AddressWidth'(digits_of(number_in(r, c)));
        end
        if (!Sums) sent[(v*Classes+c)*Flits*FlitWidth + scan_pkg::SourceField +: NumberWidth] = NumberWidth'(v);
        for (int f = 0; f < Flits; f++) begin
          for (int r = 0; r < Nodes; r++) begin
            if (Sums && 32'(rank_of[(v*Classes+c)*NumberWidth +: NumberWidth]) == r)
              sent[((v*Classes+c)*Flits+f+1)*FlitWidth-1] = sum[(c*Nodes+r)*Flits+f];
          end
          if (!Sums) sent[((v*Classes+c)*Flits+f+1)*FlitWidth-1] = payload[(v*Classes+c)*Flits+f];
        end
      end
    end
  end

  logic [Nodes*Lanes*LengthWidth-1:0] at_q;    // the number of the next flit of each lane
  logic [Nodes*Lanes*NumberWidth-1:0] from_q, from;  // whose packet it is
  logic [Nodes*Lanes-1:0]             altered, in_part;
  logic [Nodes*Classes*Nodes-1:0]     got_q, got, twice;
  for (genvar n = 0; n < Nodes * Lanes; n++) begin : g_lane
    logic [FlitWidth-1:0] expected;
    assign from[n*NumberWidth +: NumberWidth] = Sums ? NumberWidth'(n / Lanes)
         : at_q[n*LengthWidth +: LengthWidth] != '0 ? from_q[n*NumberWidth +: NumberWidth]
         : flit[n*FlitWidth + scan_pkg::SourceField +: NumberWidth];
    always_comb begin
      expected = ~flit[n*FlitWidth +: FlitWidth];
      for (int s = 0; s < Nodes; s++) begin
        for (int f = 0; f < Flits; f++) begin
          if (32'(from[n*NumberWidth +: NumberWidth]) == s && 32'(at_q[n*LengthWidth +: LengthWidth]) == f)
            expected = sent[((s*Classes+n/3%Classes)*Flits+f)*FlitWidth +: FlitWidth];
        end
      end
    end
    assign in_part[n] = valid[n] ? !last[n] : at_q[n*LengthWidth +: LengthWidth] != '0;
    assign altered[n] = started && valid[n] && (flit[n*FlitWidth +: FlitWidth] != expected ||
                        last[n] != (32'(at_q[n*LengthWidth +: LengthWidth]) == Flits - 1));
  end
  for (genvar k = 0; k < Nodes * Classes * Nodes; k++) begin : g_packet
    logic [2:0] come;
    for (genvar l = 0; l < 3; l++) begin : g_lane
      assign come[l] = started && valid[k/Nodes*3+l] && last[k/Nodes*3+l] &&
                       32'(from[(k/Nodes*3+l)*NumberWidth +: NumberWidth]) == k % Nodes;
    end
    assign got[k]   = got_q[k] || come != '0;
    assign twice[k] = (got_q[k] && come != '0) || (come & (come - 3'd1)) != '0;
  end
  always @(posedge clk_i) begin
    got_q <= started ? got : '0;
    for (int k = 0; k < Nodes * Lanes; k++) begin
      if (!started) at_q[k*LengthWidth +: LengthWidth] <= '0;
      else if (valid[k]) begin
        at_q[k*LengthWidth +: LengthWidth] <= last[k] ? '0 : at_q[k*LengthWidth +: LengthWidth] + LengthWidth'(1);
        if (at_q[k*LengthWidth +: LengthWidth] == '0) from_q[k*NumberWidth +: NumberWidth] <= flit[k*FlitWidth + scan_pkg::SourceField +: NumberWidth];
      end
    end
  end

  // ---- what the nodes have found out
  logic [Nodes*Classes-1:0] knows;
  always_comb begin
    knows = '0;
    for (int k = 0; k < Nodes * Classes; k++) begin
      for (int r = 0; r <= Nodes; r++) begin
        if (32'(total) == r && total_told[k*RankWidth +: RankWidth] == digits_of(r)) knows[k] = 1'b1;
      end
      for (int r = 0; r < Nodes; r++) begin
        if (active_q[k/Classes] && 32'(rank_of[k*NumberWidth +: NumberWidth]) == r && rank_told[k*AddressWidth +: AddressWidth] != AddressWidth'(digits_of(r)))
          knows[k] = 1'b0;
      end
    end
  end

  // ---- whether an interval begins: the timetable is at its first scan, and no packet has arrived in part
  logic [Nodes-1:0] at_rest;
  `REGISTERS(done_q, 16, 1, g_node[%].u_dut.done_q)
  `REGISTERS(backward_q, 16, 1, g_node[%].u_dut.u_timetable.backward_q)
  `REGISTERS(digit_q, 16, IndexWidth, g_node[%].u_dut.u_timetable.digit_q)
  `REGISTERS(hop_q, 16, DigitWidth, g_node[%].u_dut.u_timetable.hop_q)
  `REGISTERS(cycle_q, 16, CycleWidth, g_node[%].u_dut.u_timetable.cycle_q)
  `REGISTERS(plus_batch_q, 16, RankWidth, g_node[%].u_dut.u_timetable.u_plus.batch_q)
  `REGISTERS(plus_hop_q, 16, DigitWidth, g_node[%].u_dut.u_timetable.u_plus.hop_q)
  `REGISTERS(minus_batch_q, 16, RankWidth, g_node[%].u_dut.u_timetable.u_minus.batch_q)
  `REGISTERS(minus_hop_q, 16, DigitWidth, g_node[%].u_dut.u_timetable.u_minus.hop_q)
  `REGISTERS(minus_index_0, 16, LengthWidth, g_node[%].u_dut.g_class[0].u_engine.u_minus.u_arrival.index_q)
  `REGISTERS(plus_index_0, 16, LengthWidth, g_node[%].u_dut.g_class[0].u_engine.u_plus.u_arrival.index_q)
  `REGISTERS(minus_index_1, 16, LengthWidth, g_node[%].u_dut.g_class[1].u_engine.u_minus.u_arrival.index_q)
  `REGISTERS(plus_index_1, 16, LengthWidth, g_node[%].u_dut.g_class[1].u_engine.u_plus.u_arrival.index_q)
  `REGISTERS(minus_finished_q, 16, 1, g_node[%].u_dut.u_timetable.minus_finished_q)
  always_comb begin
    for (int v = 0; v < Nodes; v++) begin
      at_rest[v] = phase[v*scan_pkg::PhaseWidth +: scan_pkg::PhaseWidth] == 3'(scan_pkg::PhaseRankScan) && first[v] && !done_q[v] &&
                   !backward_q[v] && {digit_q[v*IndexWidth +: IndexWidth], hop_q[v*DigitWidth +: DigitWidth],
                                      cycle_q[v*CycleWidth +: CycleWidth]} == '0 &&
                   {plus_batch_q[v*RankWidth +: RankWidth], plus_hop_q[v*DigitWidth +: DigitWidth],
                    minus_batch_q[v*RankWidth +: RankWidth], minus_hop_q[v*DigitWidth +: DigitWidth], minus_finished_q[v]} == '0 &&
                   {minus_index_0[v*LengthWidth +: LengthWidth], plus_index_0[v*LengthWidth +: LengthWidth]} == '0 &&
                   (Classes == 1 || {minus_index_1[v*LengthWidth +: LengthWidth], plus_index_1[v*LengthWidth +: LengthWidth]} == '0);
    end
  end

  logic [NumberWidth-1:0] wanted_in_all;
  always_comb begin
    wanted_in_all = '0;
    for (int v = 0; v < Nodes; v++) wanted_in_all = wanted_in_all + NumberWidth'(wanted[v]);
  end
  always @(posedge clk_i) begin
    assume (started || from_reset || (&at_rest && !Sums));
    assume (!Routes || !begun_q || wanted_in_all == total);
    assume (!over_q || !repeats);  // what comes after it begins as this one did
    if (started) begin
      a_every_packet_comes           : assert (!ends || got == gets);
      a_nothing_comes_but_what_should : assert ((got & ~gets) == '0);
      a_nothing_comes_twice          : assert (twice == '0);
      a_packets_are_unaltered        : assert (altered == '0);
      a_nodes_know_rank_and_number   : assert (!begun_q || over_q || !(ends || phase[scan_pkg::PhaseWidth-1:0] > 3'(scan_pkg::PhaseRankScan)) || &knows);
      a_all_begin_together           : assert (first == '0 || &first);
      a_packets_come_whole           : assert (!ends || in_part == '0);
      a_the_interval_ends            : assert (over_q || 32'(age_q) < Cycles);
      a_an_interval_begins_anew      : assert (first == '0 || &at_rest);
      a_nothing_follows              : assert (!over_q || (valid == '0 && phase == '0));
      c_some_are_active : cover (ends && !active_q[0] && active_q[Nodes-1] && 32'(total) == Nodes - 1 && got != '0);
      c_goes_on         : cover (ends && first[0] && (Sums || !from_reset));
    end
  end
endmodule
