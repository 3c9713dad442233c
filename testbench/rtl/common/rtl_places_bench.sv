// rtl_places_bench - the store of a router with one link, a host and three outputs: a packet_places for each of the two
// inputs and a packet_memory for both, in several sizes; case_i says which of them gets the traffic. The queues between
// the places and the outputs are in the test.
module rtl_places_bench #(
  parameter int FlitWidth = 32,
  parameter int Cases     = 10,
  localparam int Inputs  = 2,  // a link, and the host
  localparam int Outputs = 3
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic [3:0]                   case_i,
  output logic [7:0]                   depth_o,       // of the link
  output logic [7:0]                   host_depth_o,
  output logic [7:0]                   flits_o,
  output logic                         holds_taken_o,
  // arriving packets, the link's and the host's
  input  logic [Inputs-1:0]            write_valid_i,
  input  logic [Inputs*3-1:0]          write_index_i,
  input  logic [Inputs*FlitWidth-1:0]  write_flit_i,
  input  logic [Inputs-1:0]            commit_i,
  input  logic [Inputs*Outputs-1:0]    commit_mask_i,
  input  logic [Inputs-1:0]            pass_i,
  output logic [Inputs*8-1:0]          write_slot_o,
  output logic [Inputs-1:0]            room_o,
  // what each output takes and reads; with one queue for all outputs its head and its reader are those of output 0
  input  logic [Outputs-1:0]           taken_i,
  input  logic [Outputs-1:0]           head_input_i,
  input  logic [Outputs*8-1:0]         head_slot_i,
  output logic [Outputs-1:0]           head_left_o,
  input  logic [Outputs-1:0]           read_input_i,
  input  logic [Outputs*8-1:0]         read_slot_i,
  input  logic [Outputs*3-1:0]         read_index_i,
  output logic [Outputs*FlitWidth-1:0] read_flit_o,
  input  logic                         release_i,     // of the place that output 0 reads
  output logic [Inputs-1:0]            credit_o,
  output logic [Inputs-1:0]            owing_o
);
  localparam logic [Cases*8-1:0] Depths =
      {8'd17, 8'd16, 8'd3, 8'd1, 8'd40, 8'd17, 8'd16, 8'd16, 8'd2, 8'd1};
  localparam logic [Cases*8-1:0] HostDepths =
      {8'd1,  8'd20, 8'd5, 8'd3, 8'd16, 8'd64, 8'd3,  8'd16, 8'd5, 8'd1};
  localparam logic [Cases*8-1:0] Flits =
      {8'd8,  8'd1,  8'd4, 8'd3, 8'd1,  8'd3,  8'd8,  8'd1,  8'd4, 8'd1};
  localparam logic [Cases-1:0] Holds = 10'b1111_000000;

  logic [Inputs*8-1:0]          write_slot [Cases];
  logic [Inputs-1:0]            room       [Cases];
  logic [Outputs-1:0]           head_left  [Cases];
  logic [Outputs*FlitWidth-1:0] read_flit  [Cases];
  logic [Inputs-1:0]            credit     [Cases];
  logic [Inputs-1:0]            owing      [Cases];

  for (genvar c = 0; c < Cases; c++) begin : g_case
    localparam int CaseFlits  = 32'(Flits[c*8 +: 8]);
    localparam int LinkDepth  = 32'(Depths[c*8 +: 8]);
    localparam int HostDepth  = 32'(HostDepths[c*8 +: 8]);
    localparam int Queues     = Holds[c] ? 1 : Outputs;
    localparam int HostPlace  = safnet_pkg::first_place(1, LinkDepth);
    localparam int Places     = HostPlace + HostDepth;
    localparam int PlaceWidth = safnet_pkg::index_width(Places);
    localparam int IndexWidth = safnet_pkg::index_width(CaseFlits);

    logic                         here;
    logic [Inputs*PlaceWidth-1:0] write_place;
    logic [Inputs*IndexWidth-1:0] write_index;
    logic [Queues*PlaceWidth-1:0] read_place;
    logic [Queues*IndexWidth-1:0] read_index;
    logic [Queues*FlitWidth-1:0]  flit;
    logic [Outputs-1:0]           left [Inputs];
    assign here = case_i == 4'(c);

    for (genvar i = 0; i < Inputs; i++) begin : g_input
      localparam int Depth     = (i == 0) ? LinkDepth : HostDepth;
      localparam int SlotWidth = safnet_pkg::index_width(Depth);
      logic [SlotWidth-1:0]        slot;
      logic [Queues*SlotWidth-1:0] head_slot;
      logic [Outputs-1:0]          taken;
      for (genvar q = 0; q < Queues; q++) begin : g_queue
        assign head_slot[q*SlotWidth +: SlotWidth] = SlotWidth'(head_slot_i[q*8 +: 8]);
      end
      for (genvar o = 0; o < Outputs; o++) begin : g_output
        assign taken[o] = here && taken_i[o] && head_input_i[Holds[c] ? 0 : o] == 1'(i);
      end
      packet_places #(
        .Depth(Depth), .Ports(Outputs), .Queues(Queues), .HoldsTaken(32'(Holds[c])), .HasSender((i == 0) ? 1 : 0)
      ) u_places (
        .clk_i, .rst_ni,
        .depth_i        (16'(Depth)),
        .commit_i       (here && commit_i[i]),
        .commit_mask_i  (commit_mask_i[i*Outputs +: Outputs]),
        .pass_i         (here && pass_i[i]),
        .write_slot_o   (slot),
        .room_o         (room[c][i]),
        .taken_i        (taken),
        .head_slot_i    (head_slot),
        .head_left_o    (left[i]),
        .release_i      (Holds[c] && here && release_i && read_input_i[0] == 1'(i)),
        .release_slot_i (SlotWidth'(read_slot_i[7:0])),
        .credit_o       (credit[c][i]),
        .owing_o        (owing[c][i])
      );
      assign write_slot[c][i*8 +: 8]                   = 8'(slot);
      assign write_place[i*PlaceWidth +: PlaceWidth]   = PlaceWidth'(slot) + PlaceWidth'((i == 0) ? 0 : HostPlace);
      assign write_index[i*IndexWidth +: IndexWidth]   = IndexWidth'(write_index_i[i*3 +: 3]);
    end
    assign head_left[c] = left[head_input_i[0]];

    for (genvar q = 0; q < Queues; q++) begin : g_reader
      assign read_place[q*PlaceWidth +: PlaceWidth] =
          PlaceWidth'(read_slot_i[q*8 +: 8]) + PlaceWidth'(read_input_i[q] ? HostPlace : 0);
      assign read_index[q*IndexWidth +: IndexWidth] = IndexWidth'(read_index_i[q*3 +: 3]);
    end
    packet_memory #(
      .FlitWidth(FlitWidth), .Flits(CaseFlits), .Inputs(Inputs), .Outputs(Queues), .Places(Places)
    ) u_memory (
      .clk_i,
      .write_valid_i (here ? write_valid_i : '0),
      .write_place_i (write_place),
      .write_index_i (write_index),
      .write_flit_i,
      .read_place_i  (read_place),
      .read_index_i  (read_index),
      .read_flit_o   (flit)
    );
    assign read_flit[c] = (Outputs*FlitWidth)'(flit);
  end

  assign depth_o       = Depths[32'(case_i)*8 +: 8];
  assign host_depth_o  = HostDepths[32'(case_i)*8 +: 8];
  assign flits_o       = Flits[32'(case_i)*8 +: 8];
  assign holds_taken_o = Holds[case_i];
  assign write_slot_o  = write_slot[case_i];
  assign room_o        = room[case_i];
  assign head_left_o   = head_left[case_i];
  assign read_flit_o   = read_flit[case_i];
  assign credit_o      = credit[case_i];
  assign owing_o       = owing[case_i];
endmodule
