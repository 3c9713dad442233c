// tdm_parameters - the parameters of a tdm_node, behind Radix, and of a whole network of them.
  parameter int FlitWidth       = 64,  // bits of a flit: two words; the header fits the lower one
  parameter int Flits           = 1,   // flits in the longest packet
  parameter int LinkLatency     = 0,   // most cycles of a link
  parameter int Buffers         = 8,   // packets that the node can hold
  parameter int ProgramDepth    = 4,   // instructions waiting in each program queue
  parameter int Window          = 4,   // most packets that a link may be granted ahead
  parameter int NameWidth       = 24,  // bits of a packet's name
  parameter int GenerationWidth = 12,  // bits of a buffer's generation
  parameter int CountWidth      = 4,   // bits of the parts of a packet and of its sends by one node
  parameter int Combining       = 1,   // 0: a node without combine units
  localparam int Lanes          = Radix + 1,  // the last is the local host's
  localparam int BufferWidth    = safnet_pkg::index_width(Buffers),
  localparam int ReceiveWidth   = BufferWidth + GenerationWidth + 2 * CountWidth + tdm_pkg::Actions + NameWidth,
  localparam int SendWidth      = BufferWidth + GenerationWidth + 1 + tdm_pkg::SlotWidth,
  localparam int OccupancyWidth = $clog2(Buffers + 1),
