// packet_memory - the flits of all packets in a node: a bank of places per input, which any output can read.
//
// Place {input, slot} holds the packet of that input in that slot; the last input, the host, may have more slots than
// the others, since its bank is the last. Banks of links are rounded up to a power of two. Each bank is written by its
// input alone. A place may be freed, and written again, while it is read: packet_places says why that is safe. A word
// that is read in a cycle is therefore never the one that is written in it, and the memory is assigned with `=`
// (rtl/README.md, "Written for speed").
module packet_memory #(
  parameter int FlitWidth = 64,  // bits
  parameter int Flits     = 1,   // flits in the longest packet
  parameter int Inputs    = 5,   // links, and the host as the last
  parameter int Outputs   = 4,   // that read at once
  parameter int Places    = 80,
  localparam int PlaceWidth = safnet_pkg::index_width(Places),
  localparam int IndexWidth = safnet_pkg::index_width(Flits)
) (
  input  logic                          clk_i,
  input  logic [Inputs-1:0]             write_valid_i,
  input  logic [Inputs*PlaceWidth-1:0]  write_place_i,
  input  logic [Inputs*IndexWidth-1:0]  write_index_i,  // which flit of the packet
  input  logic [Inputs*FlitWidth-1:0]   write_flit_i,
  input  logic [Outputs*PlaceWidth-1:0] read_place_i,
  input  logic [Outputs*IndexWidth-1:0] read_index_i,
  output logic [Outputs*FlitWidth-1:0]  read_flit_o     // follows place and index combinationally
);
  localparam int Words     = Places * Flits;
  localparam int WordWidth = safnet_pkg::index_width(Words);

  logic [FlitWidth-1:0] flit_q [Words];

  for (genvar i = 0; i < Inputs; i++) begin : g_input
    logic [WordWidth-1:0] word;
    // Packets of one flit lie at their places; the index is 0.
    assign word = WordWidth'(write_place_i[i*PlaceWidth +: PlaceWidth]) * WordWidth'(Flits) +
                  WordWidth'(write_index_i[i*IndexWidth +: IndexWidth]);
    always_ff @(posedge clk_i) begin
      if (write_valid_i[i]) flit_q[word] = write_flit_i[i*FlitWidth +: FlitWidth];
    end
  end
  for (genvar o = 0; o < Outputs; o++) begin : g_output
    logic [WordWidth-1:0] word;
    assign word = WordWidth'(read_place_i[o*PlaceWidth +: PlaceWidth]) * WordWidth'(Flits) +
                  WordWidth'(read_index_i[o*IndexWidth +: IndexWidth]);
    assign read_flit_o[o*FlitWidth +: FlitWidth] = flit_q[word];
  end

  initial begin : check_parameters
    if (FlitWidth < 1 || Flits < 1 || Inputs < 1 || Outputs < 1 || Places < 1)
      $fatal(1, "packet_memory: FlitWidth, Flits, Inputs, Outputs and Places must be at least 1");
  end
endmodule
