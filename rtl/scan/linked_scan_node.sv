// linked_scan_node - a scan_node with the links that lead to it: the unit that networks are wired from.
//
// Its outputs are functions of the node's registers, its inputs the far ends of wires without delay; the latency of a link
// is on its receiving side. For parameters and ports see scan_node.
module linked_scan_node #(
  parameter int Radix       = 4,
  parameter int Digits      = 2,
  parameter int DigitWidth  = 2,   // digits are below 2^DigitWidth
  parameter int Classes     = 2,
  parameter int FlitWidth   = 64,
  parameter int LengthWidth = 5,   // flits of a packet are less than 2^LengthWidth
  parameter int LinkLatency = 0,   // cycles
  parameter int Pieces      = 1,
  localparam int RemainderWidth = safnet_pkg::index_width(Classes),
  localparam int AddressWidth   = Digits * DigitWidth,
  localparam int RankWidth      = (Digits + 1) * DigitWidth,
  localparam int PortWidth      = safnet_pkg::index_width(Radix),
  localparam int MemoryWidth    = AddressWidth + Pieces - 1 + LengthWidth,
  localparam int Lanes          = 3 * Classes
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic [31:0]                         cycle_i,
  input  logic                                slot_open_next_i,  // the network starts, or runs
  // configuration, constant while an interval goes on
  input  logic [scan_pkg::OperationWidth-1:0] operation_i,
  input  logic                                repeat_i,
  input  logic                                known_i,
  input  logic                                classed_i,
  input  logic [RemainderWidth:0]             class_count_i,
  input  logic [DigitWidth:0]                 base_i,
  input  logic                                ring_i,
  input  logic                                two_pieces_i,
  input  logic                                alternate_i,
  input  logic                                pass_on_first_i,
  input  logic                                header_flit_i,
  input  logic [LengthWidth-1:0]              pack_flits_i,
  input  logic [LengthWidth-1:0]              cast_flits_i,
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
  output logic [7*32-1:0]                     phase_cycles_o,
  output logic [Radix*32-1:0]                 sent_o,
  output logic [31:0]                         delivered_o,
  output logic [31:0]                         last_delivery_cycle_o,
  output logic                                idle_o
);
  logic [Radix-1:0]           arriving, in_flight, unused_credit, unused_request, unused_grant;
  logic [Radix*FlitWidth-1:0] arriving_flit;
  logic                       node_idle, unused;
  assign unused = &{1'b0, unused_credit, unused_request, unused_grant};

  for (genvar p = 0; p < Radix; p++) begin : g_link
    link #(.FlitWidth(FlitWidth), .Latency(LinkLatency)) u_link (
      .clk_i, .rst_ni,
      .flit_valid_i    (rx_valid_i[p]),
      .flit_i          (rx_flit_i[p*FlitWidth +: FlitWidth]),
      .credit_i        (1'b0),
      .request_i       (1'b0),
      .grant_i         (1'b0),
      .flit_valid_o    (arriving[p]),
      .flit_o          (arriving_flit[p*FlitWidth +: FlitWidth]),
      .credit_o        (unused_credit[p]),
      .request_o       (unused_request[p]),
      .grant_o         (unused_grant[p]),
      .fault_drop_i    (fault_drop_i[p]),
      .fault_corrupt_i (fault_corrupt_i[p]),
      .in_flight_o     (in_flight[p])
    );
  end

  scan_node #(
    .Radix(Radix), .Digits(Digits), .DigitWidth(DigitWidth), .Classes(Classes), .FlitWidth(FlitWidth),
    .LengthWidth(LengthWidth), .LinkLatency(LinkLatency), .Pieces(Pieces)
  ) u_node (
    .clk_i, .rst_ni, .cycle_i, .slot_open_next_i, .operation_i, .repeat_i, .known_i, .classed_i, .class_count_i,
    .base_i, .ring_i, .two_pieces_i, .alternate_i, .pass_on_first_i, .header_flit_i, .pack_flits_i, .cast_flits_i,
    .coordinates_i, .plus_port_i, .minus_port_i, .known_rank_i, .known_total_i, .known_group_i, .known_class_i,
    .tx_valid_o, .tx_flit_o, .rx_valid_i(arriving), .rx_flit_i(arriving_flit), .pending_i, .active_o,
    .interval_first_o, .own_index_o, .own_flit_i, .load_valid_i, .load_class_i, .load_address_i, .load_flit_i,
    .deliver_whole_o, .deliver_valid_o, .deliver_last_o, .deliver_flit_o, .phase_o, .rank_o, .total_o,
    .group_total_o, .class_o, .intervals_o, .last_cycle_o, .phase_cycles_o, .sent_o, .delivered_o,
    .last_delivery_cycle_o, .idle_o(node_idle)
  );
  assign idle_o = node_idle && in_flight == '0;
endmodule
