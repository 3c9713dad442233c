// queue_parameters - the parameters that the queues of all routers have.
  parameter int Lanes     = 5,   // inputs; the last is the local host
  parameter int FlitWidth = 64,  // bits
  parameter int Flits     = 1,   // flits in the longest packet
  parameter int Depth     = 16,  // packets per lane
  parameter int HostDepth = 16,  // packets in the last lane
  parameter int MaskWidth = 1,   // more than 1: one-port nodes, packets have a mask of ports
  localparam int MaxDepth   = safnet_pkg::larger(Depth, HostDepth),
  localparam int LaneWidth  = safnet_pkg::index_width(Lanes),
  localparam int SlotWidth  = safnet_pkg::index_width(MaxDepth),
  localparam int IndexWidth = safnet_pkg::index_width(Flits),
  localparam int CountWidth = $clog2(MaxDepth + 1),
  localparam int TotalWidth = $clog2(MaxDepth * Lanes + 1),
