// place_shadow - the places of packet_places as they should be: which have a packet, and which outputs are still to take a copy
// of it. It also says whether what queues and transmit ports do is within the protocol: a copy is taken once, of a packet that is
// there, and a place is let go when all copies have been taken.
module place_shadow #(
  parameter int Depth      = 4,
  parameter int Ports      = 2,
  parameter int HoldsTaken = 0,
  localparam int Queues    = (HoldsTaken != 0) ? 1 : Ports,
  localparam int SlotWidth = safnet_pkg::index_width(Depth)
) (
  input  logic                        clk_i, rst_ni,
  input  logic                        commit_i, release_i,
  input  logic [Ports-1:0]            commit_mask_i, taken_i,
  input  logic [SlotWidth-1:0]        write_slot_i,
  input  logic [Queues*SlotWidth-1:0] head_slot_i,
  input  logic [SlotWidth-1:0]        release_slot_i,
  output logic [Depth-1:0]            kept_o,  // registered: places with a packet
  output logic [Depth*Ports-1:0]      left_o,  // registered: outputs that have not taken their copy
  output logic                        takes_legal_o,   // copies are taken of packets that are there, each once
  output logic                        release_legal_o  // HoldsTaken: a place is let go when all copies have been taken
);
  logic [Depth-1:0]       kept;
  logic [Depth*Ports-1:0] left;
  always_comb begin
    kept    = kept_o;
    left    = left_o;
    takes_legal_o   = 1'b1;
    release_legal_o = !release_i || HoldsTaken != 0;
    for (int o = 0; o < Ports; o++) begin
      if (taken_i[o]) begin
        for (int d = 0; d < Depth; d++) begin
          if (32'(head_slot_i[(HoldsTaken != 0 ? 0 : o)*SlotWidth +: SlotWidth]) == d) begin
            takes_legal_o = takes_legal_o && kept_o[d] && left_o[d*Ports + o];
            left[d*Ports + o] = 1'b0;
          end
        end
        takes_legal_o = takes_legal_o && 32'(head_slot_i[(HoldsTaken != 0 ? 0 : o)*SlotWidth +: SlotWidth]) < Depth;
      end
    end
    if (HoldsTaken == 0) begin
      for (int d = 0; d < Depth; d++) if (left[d*Ports +: Ports] == '0) kept[d] = 1'b0;
    end else if (release_i) begin  // all copies have been taken, the last perhaps in this cycle
      release_legal_o = release_legal_o && 32'(release_slot_i) < Depth;
      for (int d = 0; d < Depth; d++) begin
        if (32'(release_slot_i) == d) begin
          release_legal_o = release_legal_o && kept_o[d] && left[d*Ports +: Ports] == '0;
          kept[d] = 1'b0;
        end
      end
    end
    if (commit_i) begin
      for (int d = 0; d < Depth; d++) begin
        if (32'(write_slot_i) == d) begin
          kept[d]                = 1'b1;
          left[d*Ports +: Ports] = commit_mask_i;
        end
      end
    end
  end
  always @(posedge clk_i) begin
    if (!rst_ni) {kept_o, left_o} <= '0;
    else         {kept_o, left_o} <= {kept, left};
  end
endmodule
