// receive_port - turns the flits of one link into packets: reads the header, asks the label table, steers the flits.
//
// A packet's flits arrive back to back. The header is the first of them; its label is looked up in the cycle in which
// it arrives and the answer is kept for the rest of the packet. Outputs follow the flit combinationally and go to
// memories of this node only.
module receive_port #(
  parameter int Radix       = 4,
  parameter int FlitWidth   = 64,
  parameter int Flits       = 1,   // flits in the longest packet
  parameter int LabelWidth  = 6,
  parameter int RankWidth   = 2,
  parameter int LengthShift = 40,  // position of the length field in a header
  localparam int LengthWidth = $clog2(Flits + 1),
  localparam int IndexWidth  = safnet_pkg::index_width(Flits)
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  flit_valid_i,
  input  logic [FlitWidth-1:0]  flit_i,
  // label table
  output logic [LabelWidth-1:0] label_o,
  input  logic [Radix-1:0]      mask_i,
  input  logic                  deliver_i,
  input  logic [RankWidth-1:0]  rank_i,
  // towards the queues and the host, for the flit that arrives in this cycle
  output logic [Radix-1:0]      mask_o,     // outputs that the packet goes to
  output logic                  deliver_o,  // the local host gets it
  output logic [RankWidth-1:0]  rank_o,
  output logic [IndexWidth-1:0] index_o,    // number of the flit within the packet
  output logic                  last_o,     // the packet is complete with this flit
  output logic                  busy_o      // registered: in the middle of a packet
);
  logic first;   // this flit is a header
  logic unused;
  assign label_o = flit_i[LabelWidth-1:0];
  assign unused  = &{1'b0, flit_i};  // only the header is read here
  packet_flits #(.Flits(Flits)) u_flits (
    .clk_i, .rst_ni, .flit_valid_i, .length_i(flit_i[LengthShift +: LengthWidth]), .first_o(first), .last_o, .index_o,
    .busy_o
  );

  if (Flits == 1) begin : g_one_flit
    assign {mask_o, deliver_o, rank_o} = {mask_i, deliver_i, rank_i};
  end else begin : g_flits
    logic [Radix+RankWidth:0] kept_q;  // what the table said of the packet
    assign {mask_o, deliver_o, rank_o} = busy_o ? kept_q : {mask_i, deliver_i, rank_i};
    always_ff @(posedge clk_i) begin
      if (flit_valid_i) kept_q <= {mask_o, deliver_o, rank_o};
    end
  end

  always @(posedge clk_i) begin : a_label_has_an_entry
    if (rst_ni && first) assert (mask_i != '0 || deliver_i);
  end

  initial begin : check_parameters
    if (LengthShift + LengthWidth > FlitWidth) $fatal(1, "receive_port: the header does not fit a flit");
  end
endmodule
