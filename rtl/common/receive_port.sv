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
  logic [LengthWidth-1:0] length;
  logic                   first;   // this flit is a header
  logic                   unused;
  assign label_o = flit_i[LabelWidth-1:0];
  assign length  = flit_i[LengthShift +: LengthWidth];
  assign unused  = &{1'b0, flit_i};  // only the header is read here

  if (Flits == 1) begin : g_one_flit
    assign mask_o    = mask_i;
    assign deliver_o = deliver_i;
    assign rank_o    = rank_i;
    assign index_o   = '0;
    assign first   = flit_valid_i;
    assign last_o    = flit_valid_i;
    assign busy_o    = 1'b0;
  end else begin : g_flits
    logic [LengthWidth-1:0] left_q;  // flits still to come
    logic [IndexWidth-1:0]  index_q;
    logic [Radix-1:0]       mask_q;
    logic                   deliver_q;
    logic [RankWidth-1:0]   rank_q;

    assign first   = flit_valid_i && left_q == '0;
    assign last_o    = flit_valid_i && (first ? length == LengthWidth'(1) : left_q == LengthWidth'(1));
    assign mask_o    = first ? mask_i : mask_q;
    assign deliver_o = first ? deliver_i : deliver_q;
    assign rank_o    = first ? rank_i : rank_q;
    assign index_o   = first ? '0 : index_q;
    assign busy_o    = left_q != '0;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        left_q <= '0;
      end else if (flit_valid_i) begin
        left_q    <= first ? length - LengthWidth'(1) : left_q - LengthWidth'(1);
        index_q   <= index_o + IndexWidth'(1);
        mask_q    <= mask_o;
        deliver_q <= deliver_o;
        rank_q    <= rank_o;
      end
    end
    always @(posedge clk_i) begin : a_flits_are_back_to_back
      if (rst_ni && busy_o) assert (flit_valid_i);
    end
  end

  always @(posedge clk_i) begin : a_length_is_not_zero
    if (rst_ni && first) assert (length != '0);
  end
  if (Flits < (1 << LengthWidth) - 1) begin : g_longest
    always @(posedge clk_i) begin : a_length_is_not_too_long
      if (rst_ni && first) assert (length <= LengthWidth'(Flits));
    end
  end
  always @(posedge clk_i) begin : a_label_has_an_entry
    if (rst_ni && first) assert (mask_i != '0 || deliver_i);
  end

  initial begin : check_parameters
    if (Flits < 1) $fatal(1, "receive_port: Flits must be at least 1");
    if (LengthShift + LengthWidth > FlitWidth) $fatal(1, "receive_port: the header does not fit a flit");
  end
endmodule
