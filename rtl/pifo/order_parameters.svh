// order_parameters - the parameters that all orders of packets have.
  parameter int Inputs     = 5,   // links, and the host as the last
  parameter int Depth      = 16,  // places of a link
  parameter int HostDepth  = 16,  // places of the host
  parameter int RankLevels = 4,   // ranks, at most 4096
  localparam int Places     = safnet_pkg::places(Inputs - 1, Depth, HostDepth),
  localparam int PlaceWidth = safnet_pkg::index_width(Places),
  localparam int RankWidth  = safnet_pkg::index_width(RankLevels),
