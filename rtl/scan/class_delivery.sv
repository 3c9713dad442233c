// class_delivery - what one class hands to the host: packets that have arrived where they belong, and what was at the
// node already.
//
// In a broadcast the host gets every packet that arrives. In unpacking, and in packing if no unpacking follows, it gets
// those that have reached their target. A packet that is at its target when unpacking begins, or packing as the only
// phase, is delivered in the first slot. Lane 0 has what moved towards smaller coordinates, lane 1 what moved towards
// larger ones, lane 2 what was here, each one cycle later.
module class_delivery #(
  parameter int FlitWidth    = 64,
  parameter int LengthWidth  = 5,
  parameter int AddressWidth = 4
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  // timetable
  input  logic [scan_pkg::OperationWidth-1:0] operation_i,
  input  logic                    enable_i,
  input  logic                    packing_i,
  input  logic                    unpacking_i,
  input  logic                    broadcasting_i,
  input  logic                    first_of_pack_i,
  input  logic                    first_of_unpack_i,
  input  logic [LengthWidth-1:0]  index_i,           // number of the flit that may leave in this cycle
  input  logic                    in_packet_i,       // the cycle is one of a packet's flits, not of the link's latency
  input  logic [LengthWidth-1:0]  length_i,          // flits of the packets of this phase
  // what arrives
  input  logic                    minus_valid_i,
  input  logic                    minus_last_i,
  input  logic                    minus_home_i,      // at its target
  input  logic [FlitWidth-1:0]    minus_flit_i,
  input  logic                    plus_valid_i,
  input  logic                    plus_last_i,
  input  logic                    plus_home_i,
  input  logic [FlitWidth-1:0]    plus_flit_i,
  // what is here
  input  logic                    resident_home_i,   // a packet rests here and this is its target
  input  logic [AddressWidth-1:0] resident_destination_i,
  input  logic [FlitWidth-1:0]    resident_stored_i,
  input  logic [FlitWidth-1:0]    own_flit_i,        // of the node's own packet when packing begins
  // to the host, registered
  output logic                    deliver_whole_o,   // a packet as it is packed, not a piece of a broadcast
  output logic [2:0]              deliver_valid_o,
  output logic [2:0]              deliver_last_o,
  output logic [3*FlitWidth-1:0]  deliver_flit_o
);
  localparam int HeaderWidth = scan_pkg::HeaderWidth;
  logic                 packs_alone, final_phase, begins_here;
  logic [FlitWidth-1:0] kept, here;

  assign packs_alone = operation_i == scan_pkg::OperationWidth'(scan_pkg::OperationPack);
  assign final_phase = unpacking_i || (packing_i && (packs_alone ||
                         operation_i == scan_pkg::OperationWidth'(scan_pkg::OperationBroadcast)));
  assign begins_here = enable_i && resident_home_i && in_packet_i &&
                       ((first_of_pack_i && packs_alone) || first_of_unpack_i);
  assign kept        = first_of_pack_i ? own_flit_i : resident_stored_i;
  // The field's other bits stay as they came, so that the host sees one that is wrong.
  always_comb begin
    here = kept;
    if (first_of_unpack_i && index_i == '0) here[scan_pkg::DestinationField +: AddressWidth] = resident_destination_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      deliver_valid_o <= '0;
      deliver_last_o  <= '0;
    end else begin
      deliver_valid_o <= {begins_here, plus_valid_i && (broadcasting_i || (final_phase && plus_home_i)),
                          minus_valid_i && (broadcasting_i || (final_phase && minus_home_i))};
      deliver_last_o  <= {index_i == length_i - 1'b1, plus_last_i, minus_last_i};
    end
    deliver_whole_o <= packing_i || unpacking_i;
    deliver_flit_o  <= {here, plus_flit_i, minus_flit_i};
  end

  initial begin : check_parameters
    if (FlitWidth <= HeaderWidth) $fatal(1, "class_delivery: FlitWidth must be above %0d", HeaderWidth);
    if (AddressWidth > scan_pkg::FieldWidth)
      $fatal(1, "class_delivery: an address must fit into %0d bits", scan_pkg::FieldWidth);
  end
endmodule
