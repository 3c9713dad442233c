// scan_pkg - constants that the parts of a scan_node share.
package scan_pkg;

  // What an interval consists of (input operation_i of a scan_node).
  localparam int OperationWidth      = 3;
  localparam int OperationScan       = 0;  // ranks and their number: prefixes alone
  localparam int OperationPack       = 1;  // packet of rank i to node i
  localparam int OperationMonotone   = 2;  // the same, then to its own destination
  localparam int OperationBroadcast  = 3;  // packed, then from there to all nodes
  localparam int OperationAccumulate = 4;  // what all nodes have for a rank, combined, to the node of that rank

  // Phases of an interval.
  localparam int PhaseWidth     = 3;
  localparam int PhaseIdle      = 0;
  localparam int PhaseClassScan = 1;  // ranks, modulo the number of classes
  localparam int PhaseRankScan  = 2;  // ranks within every class
  localparam int PhasePack      = 3;
  localparam int PhaseBroadcast = 4;
  localparam int PhaseCombine   = 5;  // a broadcast backwards
  localparam int PhaseUnpack    = 6;  // packing backwards
  localparam int Phases         = 7;

  // The first flit of a packet: rank, destination and, for the hosts alone, source, a field of each, at these bits; the
  // bits above are payload.
  localparam int FieldWidth       = 16;
  localparam int RankField        = 0;
  localparam int DestinationField = 16;
  localparam int SourceField      = 32;
  localparam int HeaderWidth      = 48;

  // A header with another rank, and one with another destination.
  function automatic logic [HeaderWidth-1:0] with_rank(input logic [HeaderWidth-1:0] header,
                                                       input logic [FieldWidth-1:0] rank);
    with_rank = header;
    with_rank[RankField +: FieldWidth] = rank;
  endfunction
  function automatic logic [HeaderWidth-1:0] with_destination(input logic [HeaderWidth-1:0] header,
                                                              input logic [FieldWidth-1:0] destination);
    with_destination = header;
    with_destination[DestinationField +: FieldWidth] = destination;
  endfunction

endpackage
