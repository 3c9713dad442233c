// router_frame - what routers that decide by labels have in common: receive ports, the store of packets, transmit ports,
// the port model, credits and the host's ports.
//
// The node around it has the links, the table of labels, and the order in which packets leave: a queue per output under
// all-port, one for the node otherwise. A queue holds numbers of places; the packets themselves are here, each once. The
// frame asks the table for each packet that arrives, tells the queues that the answer names where it lies (push_*_o),
// is told which outputs the heads want (wanted_i), takes a copy of a head when the port model and the credits allow
// (taken_o, pop_o) and sends it.
//
// What leaves for another node is a function of registers if wanted_i and head_*_i are functions of registers.
module router_frame #(
  parameter int Radix       = 4,
  parameter int FlitWidth   = 64,
  parameter int Flits       = 1,
  parameter int QueueDepth  = 16,
  parameter int HostDepth   = 16,
  parameter int PortModel   = 0,
  parameter int GrantCycles = 0,
  parameter int LabelWidth  = 6,
  parameter int RankWidth   = 1,   // of ranks that travel with packets to the queues
  parameter int LengthShift = 22,  // position of the length field in a header
  parameter int InjectPorts = 1,   // all-port: 1 to Radix; port j feeds the queues of outputs j, j + InjectPorts, ...
  localparam int Inputs      = Radix + InjectPorts,  // links, then injection ports
  localparam int QueueInputs = Radix + 1,            // of one queue: links, and the injection port that feeds it
  localparam int Queues     = (PortModel == safnet_pkg::AllPort) ? Radix : 1,
  localparam int MaskWidth  = (PortModel == safnet_pkg::AllPort) ? 1 : Radix,
  localparam int MaxDepth   = safnet_pkg::larger(QueueDepth, HostDepth),
  localparam int Places     = safnet_pkg::places(Radix, QueueDepth, HostDepth),
  localparam int PlaceWidth = safnet_pkg::index_width(Places),
  localparam int QueuedWidth = $clog2(MaxDepth * QueueInputs + 1)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  logic                         slot_open_next_i,
  // quasi-static: change in reset only
  input  logic [31:0]                  slot_cycles_i,
  input  logic [1:0]                   port_model_i,
  input  logic [15:0]                  grant_cycles_i,
  input  logic [15:0]                  queue_depth_i,
  // links
  input  logic [Radix-1:0]             link_valid_i,
  input  logic [Radix*FlitWidth-1:0]   link_flit_i,
  input  logic [Radix-1:0]             link_credit_i,
  input  logic [Radix-1:0]             link_request_i,
  input  logic [Radix-1:0]             link_grant_i,
  output logic [Radix-1:0]             tx_valid_o,
  output logic [Radix*FlitWidth-1:0]   tx_flit_o,
  output logic [Radix-1:0]             tx_credit_o,
  output logic [Radix-1:0]             tx_request_o,
  output logic [Radix-1:0]             tx_grant_o,
  // host
  input  logic [InjectPorts-1:0]       inject_valid_i,
  output logic [InjectPorts-1:0]       inject_ready_o,
  input  logic [InjectPorts*FlitWidth-1:0] inject_flit_i,
  output logic [Radix-1:0]             deliver_valid_o,
  output logic [Radix-1:0]             deliver_last_o,
  output logic [Radix*FlitWidth-1:0]   deliver_flit_o,
`include "common/as_ports.svh"
`include "common/frame_wires.svh"
  output logic [Radix-1:0]             wait_credit_o,
  output logic [Radix-1:0]             wait_grant_o,
  output logic                         idle_o  // nothing to do here; links not counted
);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) slot_open_o <= 1'b0;
    else         slot_open_o <= slot_open_next_i;
  end

  // ---- inputs: links 0 ... Radix-1, then the injection ports ----
  localparam int IndexWidth = safnet_pkg::index_width(Flits);
  logic [Inputs-1:0]            in_valid, in_last, in_deliver, in_busy;
  logic [Inputs*Radix-1:0]      wanted_mask, in_mask;
  logic [Inputs*FlitWidth-1:0]  in_flit;
  logic [Inputs*IndexWidth-1:0] in_index;
  logic [InjectPorts-1:0]       inject_accept;
  logic                         unused;
  assign in_valid   = {inject_accept, link_valid_i};
  assign in_flit    = {inject_flit_i, link_flit_i};
  assign header_o   = in_valid & ~in_busy;
  assign arrived_o  = in_last[Radix-1:0];
  assign for_host_o = in_last[Radix-1:0] & in_deliver[Radix-1:0];
  assign unused     = &{1'b0, in_deliver[Inputs-1:Radix]};  // the host gets no copy of its own packets

  // What an injection port carries goes to those outputs that the port feeds. A port that feeds one output needs no table
  // to know which that is.
  assign wanted_mask[Radix*Radix-1:0] = mask_i[Radix*Radix-1:0];
  for (genvar j = 0; j < InjectPorts; j++) begin : g_feeds
    for (genvar p = 0; p < Radix; p++) begin : g_output
      if (p % InjectPorts != j) begin : g_other
        assign wanted_mask[(Radix + j)*Radix + p] = 1'b0;
      end else if (safnet_pkg::looks_up_injected(Radix, InjectPorts)) begin : g_by_label
        assign wanted_mask[(Radix + j)*Radix + p] = mask_i[(Radix + j)*Radix + p];
      end else begin : g_alone
        assign wanted_mask[(Radix + j)*Radix + p] = 1'b1;
      end
    end
  end
  logic unused_masks_of_injected;
  assign unused_masks_of_injected = &{1'b0, mask_i[Inputs*Radix-1:Radix*Radix]};

  receive_port #(
    .Radix(Radix), .FlitWidth(FlitWidth), .Flits(Flits), .LabelWidth(LabelWidth), .RankWidth(RankWidth),
    .LengthShift(LengthShift)
  ) u_receive_port [Inputs-1:0] (
    .clk_i, .rst_ni, .flit_valid_i(in_valid), .flit_i(in_flit), .label_o, .mask_i(wanted_mask), .deliver_i, .rank_i,
    .mask_o(in_mask), .deliver_o(in_deliver), .rank_o(push_rank_o), .index_o(in_index), .last_o(in_last),
    .busy_o(in_busy)
  );
  for (genvar q = 0; q < Queues; q++) begin : g_push
    for (genvar i = 0; i < QueueInputs; i++) begin : g_input
      localparam int Input = (i < Radix) ? i : Radix + q % InjectPorts;
      if (PortModel == safnet_pkg::AllPort) begin : g_one_output
        assign push_o[q*QueueInputs + i] = in_last[Input] && in_mask[Input*Radix + q];
      end else begin : g_all_outputs
        assign push_o[q*QueueInputs + i] = in_last[Input] && in_mask[Input*Radix +: Radix] != '0;
      end
    end
  end

  // ---- the store: a bank of places per input. All injection ports number theirs alike: a queue knows one of them. ----
  localparam int LinkSlotWidth = safnet_pkg::index_width(QueueDepth);
  localparam int HostPlace     = safnet_pkg::first_place(Radix, QueueDepth);
  localparam int LaneWidth     = safnet_pkg::index_width(Inputs);
  localparam int Stored        = safnet_pkg::places(Radix, QueueDepth, InjectPorts * HostDepth);
  localparam int StoreWidth    = safnet_pkg::index_width(Stored);
  logic [Radix-1:0]             accept;  // outputs to which a copy of a head is taken
  logic [Inputs*StoreWidth-1:0] write_place;
  logic [Queues*StoreWidth-1:0] stored_at;
  logic [Queues*PlaceWidth-1:0] read_place;
  logic [Queues*IndexWidth-1:0] read_index;
  logic [Queues*LaneWidth-1:0]  head_lane, read_lane;  // the input in whose bank they are
  logic [Inputs*Radix-1:0]      left_here;             // one-port: what each bank says of a head in it
  logic [Radix-1:0]             owing;
  logic [InjectPorts-1:0]       inject_room;
  for (genvar q = 0; q < Queues; q++) begin : g_lane_of
    localparam int FedBy = Radix + q % InjectPorts;
    logic [PlaceWidth-1:0] head, read;
    assign head = head_place_i[q*PlaceWidth +: PlaceWidth];
    assign read = read_place[q*PlaceWidth +: PlaceWidth];
    assign head_lane[q*LaneWidth +: LaneWidth] =
        (32'(head) >= 32'(HostPlace)) ? LaneWidth'(FedBy) : LaneWidth'(head >> LinkSlotWidth);
    assign read_lane[q*LaneWidth +: LaneWidth] =
        (32'(read) >= 32'(HostPlace)) ? LaneWidth'(FedBy) : LaneWidth'(read >> LinkSlotWidth);
  end

  for (genvar i = 0; i < Inputs; i++) begin : g_bank
    localparam bit IsLink     = i < Radix;
    localparam int Depth      = IsLink ? QueueDepth : HostDepth;
    localparam int SlotWidth  = safnet_pkg::index_width(Depth);
    localparam int FirstPlace = IsLink ? safnet_pkg::first_place(i, QueueDepth) : HostPlace;
    logic [SlotWidth-1:0] write_slot;
    logic                 room, credit, bank_owing;
    if (IsLink || safnet_pkg::looks_up_injected(Radix, InjectPorts)) begin : g_any_output
      logic [Queues*SlotWidth-1:0] head_slot;
      logic [SlotWidth-1:0]        read_slot;
      logic [Radix-1:0]            taken;
      logic                        kept, release_here;
      assign kept = in_mask[i*Radix +: Radix] != '0;
      for (genvar q = 0; q < Queues; q++) begin : g_queue
        logic here;
        assign here = head_lane[q*LaneWidth +: LaneWidth] == LaneWidth'(i);
        assign head_slot[q*SlotWidth +: SlotWidth] =
            SlotWidth'(head_place_i[q*PlaceWidth +: PlaceWidth] - PlaceWidth'(FirstPlace));
        if (PortModel == safnet_pkg::AllPort) begin : g_own_port
          assign taken[q] = accept[q] && here;
        end else begin : g_shared
          assign taken = here ? accept : '0;
        end
      end
      assign release_here = PortModel != safnet_pkg::AllPort && release_o[0] && read_lane[LaneWidth-1:0] == LaneWidth'(i);
      assign read_slot    = SlotWidth'(read_place[PlaceWidth-1:0] - PlaceWidth'(FirstPlace));
      packet_places #(
        .Depth(Depth), .Ports(Radix), .Queues(Queues), .HoldsTaken((PortModel == safnet_pkg::AllPort) ? 0 : 1),
        .HasSender(IsLink ? 1 : 0)
      ) u_places (
        .clk_i, .rst_ni,
        .depth_i        (queue_depth_i),
        .commit_i       (in_last[i] && kept),
        .commit_mask_i  (in_mask[i*Radix +: Radix]),
        .pass_i         (in_last[i] && !kept),
        .write_slot_o   (write_slot),
        .room_o         (room),
        .taken_i        (taken),
        .head_slot_i    (head_slot),
        .head_left_o    (left_here[i*Radix +: Radix]),
        .release_i      (release_here),
        .release_slot_i (read_slot),
        .credit_o       (credit),
        .owing_o        (bank_owing)
      );
    end else begin : g_one_output
      localparam int Output = i - Radix;
      logic left;
      packet_places #(.Depth(Depth), .Ports(1), .Queues(1), .HasSender(0)) u_places (
        .clk_i, .rst_ni,
        .depth_i        (queue_depth_i),
        .commit_i       (in_last[i]),
        .commit_mask_i  (1'b1),
        .pass_i         (1'b0),
        .write_slot_o   (write_slot),
        .room_o         (room),
        .taken_i        (accept[Output] && head_lane[Output*LaneWidth +: LaneWidth] == LaneWidth'(i)),
        .head_slot_i    (SlotWidth'(head_place_i[Output*PlaceWidth +: PlaceWidth] - PlaceWidth'(HostPlace))),
        .head_left_o    (left),
        .release_i      (1'b0),
        .release_slot_i (SlotWidth'(0)),
        .credit_o       (credit),
        .owing_o        (bank_owing)
      );
      assign left_here[i*Radix +: Radix] = {Radix{left}};
    end
    assign push_place_o[i*PlaceWidth +: PlaceWidth] = PlaceWidth'(write_slot) + PlaceWidth'(FirstPlace);
    assign write_place[i*StoreWidth +: StoreWidth] =
        StoreWidth'(write_slot) + StoreWidth'(FirstPlace + (IsLink ? 0 : (i - Radix) * HostDepth));
    if (IsLink) begin : g_link
      logic unused_room;
      assign tx_credit_o[i] = credit;
      assign owing[i]       = bank_owing;
      assign unused_room    = room;
    end else begin : g_host
      logic unused_credit;
      assign inject_room[i - Radix] = room;
      assign unused_credit          = &{1'b0, credit, bank_owing};
    end
  end

  // In the store the places of the injection ports lie one port's after the other's.
  for (genvar q = 0; q < Queues; q++) begin : g_stored_at
    logic [PlaceWidth-1:0] place;
    assign place = read_place[q*PlaceWidth +: PlaceWidth];
    assign stored_at[q*StoreWidth +: StoreWidth] =
        StoreWidth'(place) + ((32'(place) >= 32'(HostPlace)) ? StoreWidth'(q % InjectPorts * HostDepth) : '0);
  end
  packet_memory #(
    .FlitWidth(FlitWidth), .Flits(Flits), .Inputs(Inputs), .Outputs(Queues), .Places(Stored)
  ) u_memory (
    .clk_i,
    .write_valid_i (in_valid),
    .write_place_i (write_place),
    .write_index_i (in_index),
    .write_flit_i  (in_flit),
    .read_place_i  (stored_at),
    .read_index_i  (read_index),
    .read_flit_o
  );

  // ---- queues: what is taken from them, how many packets they have ----
  for (genvar q = 0; q < Queues; q++) begin : g_queue
    logic [QueuedWidth-1:0] occupancy_q, transit_q;
    if (PortModel == safnet_pkg::AllPort) begin : g_own_port
      assign taken_o[q]     = accept[q];
      assign pop_o[q]       = accept[q];
      assign head_left_o[q] = 1'b1;
    end else begin : g_shared
      assign head_left_o = left_here[32'(head_lane)*Radix +: Radix];
      assign taken_o     = accept != '0;
      assign pop_o       = accept != '0 && (head_left_o & ~accept) == '0;
    end
    assign queued_o[q*QueuedWidth +: QueuedWidth]  = occupancy_q;
    assign transit_o[q*QueuedWidth +: QueuedWidth] = transit_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        occupancy_q <= '0;
        transit_q   <= '0;
      end else if (release_o[q] || push_o[q*QueueInputs +: QueueInputs] != '0) begin : update
        logic [QueuedWidth-1:0] from_links;
        from_links = '0;
        for (int i = 0; i < Radix; i++) from_links = from_links + QueuedWidth'(push_o[q*QueueInputs + i]);
        occupancy_q <= occupancy_q + from_links + QueuedWidth'(push_o[q*QueueInputs + Radix]) - QueuedWidth'(release_o[q]);
        transit_q   <= transit_q + from_links -
                       QueuedWidth'(release_o[q] && 32'(read_lane[q*LaneWidth +: LaneWidth]) < 32'(Radix));
      end
    end
  end
  if (PortModel == safnet_pkg::AllPort) begin : g_masks_are_not_read
    logic unused_masks;
    assign unused_masks = &{1'b0, left_here};
  end

  // ---- outputs ----
  logic [Radix-1:0]            want, credit_available;
  logic [Queues-1:0]           start_here, transmit_valid;
  logic [Queues*FlitWidth-1:0] transmit_flit;
  transmit_port #(
    .FlitWidth(FlitWidth), .Flits(Flits), .PlaceWidth(PlaceWidth), .LengthShift(LengthShift)
  ) u_transmit_port [Queues-1:0] (
    .clk_i, .rst_ni, .accept_i(taken_o), .start_i(start_here), .last_copy_i(pop_o), .head_place_i,
    .read_place_o(read_place), .read_index_o(read_index), .read_flit_i(read_flit_o), .release_o,
    .flit_valid_o(transmit_valid), .flit_o(transmit_flit), .sending_o
  );
  if (PortModel == safnet_pkg::AllPort) begin : g_own_port
    assign want       = wanted_i & credit_available & ~sending_o;
    assign start_here = start_o;
    assign tx_valid_o = transmit_valid;
    assign tx_flit_o  = transmit_flit;
  end else begin : g_shared
    logic [Radix-1:0] port_q;  // one-hot: where the packet being sent goes
    logic             unused_valid;
    assign want         = wanted_i & credit_available;
    assign start_here   = start_o != '0;
    assign unused_valid = transmit_valid;
    always_ff @(posedge clk_i) begin
      if (start_here) port_q <= start_o;
    end
    for (genvar p = 0; p < Radix; p++) begin : g_port
      assign tx_valid_o[p] = start_o[p] || (sending_o && port_q[p]);
      assign tx_flit_o[p*FlitWidth +: FlitWidth] = tx_valid_o[p] ? transmit_flit : '0;
    end
  end

  // ---- port model ----
  logic        limiter_idle, free_running;
  logic [1:0]  port_model;
  logic [15:0] grant_cycles;
  if (PortModel == safnet_pkg::AllPort) begin : g_all_port
    assign port_model   = 2'(safnet_pkg::AllPort);
    assign grant_cycles = '0;
    assign free_running = 1'b1;  // it does not matter
  end else begin : g_settings
    logic [1:0]  port_model_q;
    logic [15:0] grant_cycles_q;
    logic        free_running_q;
    assign {port_model, grant_cycles, free_running} = {port_model_q, grant_cycles_q, free_running_q};
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        port_model_q   <= port_model_i;
        grant_cycles_q <= grant_cycles_i;
        free_running_q <= slot_cycles_i == 32'd1;
      end
    end
  end
  port_limiter #(.Radix(Radix), .GrantCycles(GrantCycles)) u_port_limiter (
    .clk_i, .rst_ni,
    .port_model_i   (port_model),
    .grant_cycles_i (grant_cycles),
    .free_running_i (free_running),
    .slot_open_i    (slot_open_o),
    .want_i         (want),
    .sending_i      (sending_o[0]),
    .accept_o       (accept),
    .start_o,
    .request_o      (tx_request_o),
    .grant_i        (link_grant_i),
    .receiving_i    (link_valid_i),
    .received_i     (arrived_o),
    .request_i      (link_request_i),
    .grant_o        (tx_grant_o),
    .violation_o,
    .waiting_o      (wait_grant_o),
    .idle_o         (limiter_idle)
  );
  // A one-port node chooses its next packet when this one has left: until then it waits for no further credit.
  assign wait_credit_o = (wait_grant_o != '0 || (Queues == 1 && start_o != '0)) ? '0 : wanted_i & ~credit_available;

  credit_counter #(.Links(Radix), .Depth(QueueDepth)) u_credit_counter (
    .clk_i, .rst_ni, .depth_i(queue_depth_i), .spend_i(start_o), .credit_i(link_credit_i),
    .available_o(credit_available)
  );

  // ---- host ----
  host_interface #(.Radix(Radix), .FlitWidth(FlitWidth), .InjectPorts(InjectPorts)) u_host_interface (
    .clk_i, .rst_ni, .inject_valid_i, .inject_ready_o,
    .inject_accept_o (inject_accept),
    .receiving_i     (in_busy[Inputs-1:Radix]),
    .room_i          (inject_room),
    .deliver_valid_i (link_valid_i & in_deliver[Radix-1:0]),
    .deliver_last_i  (for_host_o),
    .deliver_flit_i  (link_flit_i),
    .deliver_valid_o, .deliver_last_o, .deliver_flit_o
  );

  assign idle_o = head_valid_i == '0 && sending_o == '0 && limiter_idle && in_busy == '0 && owing == '0 &&
                  tx_credit_o == '0 && deliver_valid_o == '0 && queued_o == '0;

  always @(posedge clk_i) begin : a_only_a_head_is_taken
    if (rst_ni) assert ((taken_o & ~head_valid_i) == '0);
  end
  always @(posedge clk_i) begin : a_one_port_node_wants_one_output_at_a_time
    if (rst_ni && PortModel != safnet_pkg::AllPort) assert ($onehot0(wanted_i));
  end
  always @(posedge clk_i) begin : a_the_port_model_is_built
    if (!rst_ni) assert ((port_model_i == 2'(safnet_pkg::AllPort)) == (PortModel == safnet_pkg::AllPort) &&
                         32'(grant_cycles_i) <= GrantCycles);
  end
  always @(posedge clk_i) begin : a_packets_fit_into_slots
    if (rst_ni && slot_open_o && sending_o != '0) assert (slot_cycles_i == 32'd1);
  end

  initial begin : check_parameters
    if (InjectPorts < 1 || InjectPorts > Radix) $fatal(1, "router_frame: InjectPorts must be 1 to Radix");
    if (InjectPorts > 1 && PortModel != safnet_pkg::AllPort)
      $fatal(1, "router_frame: a node that sends one packet at a time has one injection port");
  end
endmodule
