// scan_host - the host of one scan_node for one interval, with what it says written down in memories: what the node adds
// to the sums of others, before the start, and the flits of its own packet.
//
// A word of the file of what it adds is {flit, address, class}, of a stream_player. That of its packet has 2^LengthWidth
// flits for each class, the part of class 0 first.
module scan_host #(
  parameter int Active         = 1,  // 1: the host has a packet, or wants a sum
  parameter int Classes        = 1,
  parameter int LengthWidth    = 5,
  parameter int FlitWidth      = 64,
  parameter int RemainderWidth = 1,
  parameter int MemoryWidth    = 8,
  parameter int LoadDepth      = 2,
  parameter     LoadFile       = "",
  parameter     OwnFile        = ""
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  output logic                           pending_o,
  input  logic                           active_i,
  input  logic                           interval_first_i,
  input  logic [Classes*LengthWidth-1:0] own_index_i,
  output logic [Classes*FlitWidth-1:0]   own_flit_o,       // follows own_index_i in the same cycle
  output logic                           load_valid_o,
  output logic [RemainderWidth-1:0]      load_class_o,
  output logic [MemoryWidth-1:0]         load_address_o,
  output logic [FlitWidth-1:0]           load_flit_o,
  output logic                           moves_o,          // the node takes something in this cycle
  output logic                           done_o            // nothing is left
);
  localparam int AddressWidth = safnet_pkg::index_width(Classes << LengthWidth);

  logic load_more;
  stream_player #(.Streams(1), .Width(FlitWidth + MemoryWidth + RemainderWidth), .Depth(LoadDepth), .File(LoadFile)) u_load (
    .clk_i, .rst_ni,
    .enable_i (rst_ni),
    .more_o   (load_more),
    .valid_o  (load_valid_o),
    .ready_i  (1'b1),
    .word_o   ({load_flit_o, load_address_o, load_class_o})
  );

  logic [FlitWidth-1:0] own [0:(Classes << LengthWidth)-1];
  if (OwnFile != "") begin : g_file
    initial begin : read_file
      $readmemh(OwnFile, own);
    end
  end else begin : g_empty
    initial begin : clear
      for (int i = 0; i < (Classes << LengthWidth); i++) own[i] = '0;
    end
  end
  for (genvar c = 0; c < Classes; c++) begin : g_class
    assign own_flit_o[c*FlitWidth +: FlitWidth] =
      own[AddressWidth'(c << LengthWidth) + AddressWidth'(own_index_i[c*LengthWidth +: LengthWidth])];
  end

  logic pending_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni)                            pending_q <= (Active != 0);
    else if (interval_first_i && active_i)  pending_q <= 1'b0;
  end
  assign pending_o = pending_q;
  assign moves_o   = load_valid_o;
  assign done_o    = !load_more && !pending_q;
endmodule
