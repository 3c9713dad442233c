// tdm_node_state - what the registers of a tdm_node are in every state, said of what tdm_node_programs knows of it: its instructions and
// packets, and how many of them have come, been granted, begun and left. That module includes it. Queues of instructions do not turn
// round, as a program has two.
  `MEMORY(stored, 4, FlitWidth, u_dut.u_packet_buffers.memory_q)
  `MEMORY(table_generation, 2, GenerationWidth, u_dut.u_buffer_table.generation_q)
  `MEMORY(table_parts, 2, CountWidth, u_dut.u_buffer_table.parts_q)
  `MEMORY(table_uses, 2, CountWidth, u_dut.u_buffer_table.uses_q)
  `MEMORY(table_started, 2, CountWidth, u_dut.u_buffer_table.started_q)
  `MEMORY(table_finished, 2, CountWidth, u_dut.u_buffer_table.finished_q)
  `MEMORY(table_sent, 2, CountWidth, u_dut.u_buffer_table.sent_q)
  `REGISTERS(program_count, 4, 2, u_dut.g_lane[%].u_receive_sequencer.u_program.count_q)
  `REGISTERS(program_head, 4, 1, u_dut.g_lane[%].u_receive_sequencer.u_program.head_q)
  `REGISTERS(program_tail, 4, 1, u_dut.g_lane[%].u_receive_sequencer.u_program.tail_q)
  `REGISTERS(program_0, 4, ReceiveWidth, u_dut.g_lane[%].u_receive_sequencer.u_program.memory_q[0])
  `REGISTERS(program_1, 4, ReceiveWidth, u_dut.g_lane[%].u_receive_sequencer.u_program.memory_q[1])
  `REGISTERS(granted_count, 4, AheadWidth, u_dut.g_lane[%].u_receive_sequencer.u_granted.count_q)
  `REGISTERS(granted_head, 4, 1, u_dut.g_lane[%].u_receive_sequencer.u_granted.head_q)
  `REGISTERS(granted_tail, 4, 1, u_dut.g_lane[%].u_receive_sequencer.u_granted.tail_q)
  `REGISTERS(granted_0, 4, ActionWidth, u_dut.g_lane[%].u_receive_sequencer.u_granted.memory_q[0])
  `REGISTERS(granted_1, 4, ActionWidth, u_dut.g_lane[%].u_receive_sequencer.u_granted.memory_q[1])
  `REGISTERS(flits_left, 4, LengthWidth, u_dut.g_lane[%].u_receive_sequencer.u_flits.g_flits.left_q)
  `REGISTERS(flits_index, 4, 1, u_dut.g_lane[%].u_receive_sequencer.u_flits.g_flits.index_q)
  `REGISTERS(flits_action, 4, ActionWidth, u_dut.g_lane[%].u_receive_sequencer.g_flits.action_q)
  `REGISTERS(sends_count, 3, 2, u_dut.g_output[%].u_program.count_q)
  `REGISTERS(sends_head, 3, 1, u_dut.g_output[%].u_program.head_q)
  `REGISTERS(sends_tail, 3, 1, u_dut.g_output[%].u_program.tail_q)
  `REGISTERS(sends_0, 3, SendWidth, u_dut.g_output[%].u_program.memory_q[0])
  `REGISTERS(sends_1, 3, SendWidth, u_dut.g_output[%].u_program.memory_q[1])
  `REGISTERS(own_count, 2, 2, u_dut.g_output[%].g_link.u_own.count_q)
  `REGISTERS(own_head, 2, 1, u_dut.g_output[%].g_link.u_own.head_q)
  `REGISTERS(own_tail, 2, 1, u_dut.g_output[%].g_link.u_own.tail_q)
  `REGISTERS(own_stored_0, 2, FlitWidth, u_dut.g_output[%].g_link.u_own.memory_q[0])
  `REGISTERS(own_stored_1, 2, FlitWidth, u_dut.g_output[%].g_link.u_own.memory_q[1])
  `REGISTERS(sending_held, 3, 1, u_dut.g_output[%].u_transmit_port.held_q)
  `REGISTERS(sending_left, 3, LengthWidth, u_dut.g_output[%].u_transmit_port.g_flits.left_q)
  `REGISTERS(sending_index, 3, 1, u_dut.g_output[%].u_transmit_port.g_flits.index_q)
  `REGISTERS(sending_place, 3, 1 + BufferWidth, u_dut.g_output[%].u_transmit_port.place_q)
  `REGISTERS(credits, 3, AheadWidth, u_dut.g_output[%].u_credit_counter.credits_q)
  (* hierconn *) wire [Buffers-1:0] \u_dut.u_buffer_table.granted_q , \u_dut.u_buffer_table.complete_q , \u_dut.u_buffer_table.first_q ;
  (* hierconn *) wire [1:0]         \u_dut.u_buffer_table.occupancy_q , \u_dut.port_model_q ;
  (* hierconn *) wire [Buffers*Flits-1:0] \u_dut.u_packet_buffers.g_combine.written_q ;
  (* hierconn *) wire               \u_dut.slot_open_q ;
  (* hierconn *) wire [31:0]        \u_dut.slot_q ;
  (* hierconn *) wire [15:0]        \u_dut.window_q ;

  logic [All-1:0]     is_granted;
  logic [Lanes-1:0]   right_counts, right_credits, right_programs, right_granted, right_flits, right_held;
  for (genvar l = 0; l < Lanes; l++) begin : g_lane_state
    logic [1:0]              granted;
    logic [ActionWidth-1:0]  action_0, action_1;
    logic [ReceiveWidth-1:0] first, second;
    assign granted  = granted_q[2*l +: 2];
    assign first    = receive[l*Each*ReceiveWidth +: ReceiveWidth];
    assign second   = receive[(l*Each + 1)*ReceiveWidth +: ReceiveWidth];
    assign action_0 = {first[ReceiveWidth-1:ActionsAt], first[BufferWidth-1:0]};
    assign action_1 = {second[ReceiveWidth-1:ActionsAt], second[BufferWidth-1:0]};
    assign right_counts[l] = begun_q[2*l +: 2] <= granted && granted <= given_q[2*l +: 2] && 32'(given_q[2*l +: 2]) <= Each &&
      !(in_packet_q[l] && (begun_q[2*l +: 2] == '0 || Flits == 1 || 32'(length[(l*Each + 32'(which[l]))*LengthWidth +: LengthWidth]) != 2)) &&
      right_credits[l];
    if (l < Radix) begin : g_link
      assign right_credits[l] = granted == 2'(credits_q[2*l +: 2] + 2'(\u_dut.credit_q [l])) && credits_q[2*l +: 2] >= begun_q[2*l +: 2];
    end else if (l == Radix) begin : g_host
      assign right_credits[l] = !\u_dut.credit_q [l];
    end else begin : g_loopback  // what leaves through the output arrives in the same cycle
      assign right_credits[l] = granted == 2'(started_q[2*(l-1) +: 2] + room_q[2*(l-1) +: 2] + 2'(\u_dut.credit_q [l])) &&
        begun_q[2*l +: 2] == started_q[2*(l-1) +: 2] && in_packet_q[l] == in_out_q[l-1] && 32'(room_q[2*(l-1) +: 2]) <= 32'(granted);
    end
    assign right_programs[l] = program_count[2*l +: 2] == 2'(given_q[2*l +: 2] - granted) && program_head[l] == granted[0] &&
      program_tail[l] == given_q[2*l] && (given_q[2*l +: 2] == '0 || program_0[l*ReceiveWidth +: ReceiveWidth] == first) &&
      (32'(given_q[2*l +: 2]) < 2 || program_1[l*ReceiveWidth +: ReceiveWidth] == second);
    if (Window == 1) begin : g_one
      assign right_granted[l] = 2'(granted_count[l]) == 2'(granted - begun_q[2*l +: 2]) && !granted_head[l] && !granted_tail[l] &&
        (granted_count[l] == '0 || granted_0[l*ActionWidth +: ActionWidth] == (begun_q[2*l] ? action_1 : action_0));
    end else begin : g_more
      assign right_granted[l] = granted_count[2*l +: 2] == 2'(granted - begun_q[2*l +: 2]) && granted_head[l] == begun_q[2*l] &&
        granted_tail[l] == granted[0] && (granted == '0 || granted_0[l*ActionWidth +: ActionWidth] == action_0) &&
        (32'(granted) < 2 || granted_1[l*ActionWidth +: ActionWidth] == action_1);
    end
    assign right_flits[l] = Flits == 1 || (flits_left[l*LengthWidth +: LengthWidth] == LengthWidth'(in_packet_q[l]) &&
      (!in_packet_q[l] || (flits_index[l] && flits_action[l*ActionWidth +: ActionWidth] == (which[l] ? action_1 : action_0))));
    // Who passes a packet on to the host: of a sum the part that began last, with which all others are, or have been, in step.
    assign right_held[l] = Flits == 1 || !in_packet_q[l] || (deliver_valid[l] == \u_dut.deliver_held_q [l] &&
      (!instruction[l*ReceiveWidth + CombineAt] ? \u_dut.deliver_held_q [l] == instruction[l*ReceiveWidth + DeliverAt] :
       !\u_dut.deliver_held_q [l] || (instruction[l*ReceiveWidth + DeliverAt] &&
         (instruction[l*ReceiveWidth +: PlaceWidth] != watched || all_begun[0]))));
  end
  logic [Outputs-1:0] right_sends, right_own, right_sending, right_room;
  for (genvar p = 0; p < Outputs; p++) begin : g_output_state
    localparam int S = p * Each * SendBits;
    assign right_sends[p] = started_q[2*p +: 2] <= send_given_q[2*p +: 2] && 32'(send_given_q[2*p +: 2]) <= Each &&
      !(in_out_q[p] && (started_q[2*p +: 2] == '0 || Flits == 1)) &&
      sends_count[2*p +: 2] == 2'(send_given_q[2*p +: 2] - started_q[2*p +: 2]) && sends_head[p] == started_q[2*p] &&
      sends_tail[p] == send_given_q[2*p] && (send_given_q[2*p +: 2] == '0 || sends_0[p*SendWidth +: SendWidth] == SendWidth'(send[S +: SendBits])) &&
      (32'(send_given_q[2*p +: 2]) < 2 || sends_1[p*SendWidth +: SendWidth] == SendWidth'(send[S + SendBits +: SendBits]));
    if (p < Radix) begin : g_link
      logic [1:0]            own_started;
      logic [2:0]            boundary, waits;
      logic [Each*Flits-1:0] right_flit;
      assign own_started = 2'(has_started[p*Each] && send[S + PlaceWidth]) + 2'(has_started[p*Each + 1] && send[S + SendBits + PlaceWidth]);
      assign boundary    = own_started == '0 ? '0 : own_started == 2'd1 ? own_first[3*p +: 3] : own_all[3*p +: 3];
      assign waits       = own_in_q[3*p +: 3] - own_out_q[3*p +: 3];
      for (genvar j = 0; j < Each * Flits; j++) begin : g_flit
        assign right_flit[j] = !(32'(own_out_q[3*p +: 3]) <= j && j < 32'(own_in_q[3*p +: 3])) ||
          (j % 2 == 0 ? own_stored_0[p*FlitWidth +: FlitWidth] : own_stored_1[p*FlitWidth +: FlitWidth]) ==
          own_flits[(p*Each*Flits + j)*FlitWidth +: FlitWidth];
      end
      assign right_own[p] = own_in_q[3*p +: 3] <= own_all[3*p +: 3] && own_out_q[3*p +: 3] <= own_in_q[3*p +: 3] && waits <= 3'd2 &&
        3'(own_count[2*p +: 2]) == waits && own_head[p] == own_out_q[3*p] && own_tail[p] == own_in_q[3*p] && right_flit == '1 &&
        own_out_q[3*p +: 3] == boundary - 3'(in_out_q[p] && is_own[p]) && !(in_out_q[p] && is_own[p] && waits == '0);
    end else begin : g_loopback
      assign right_own[p] = 1'b1;
    end
    assign right_sending[p] = Flits == 1 ? !sending_held[p] :
      sending_held[p] == in_out_q[p] && sending_left[p*LengthWidth +: LengthWidth] == LengthWidth'(in_out_q[p]) &&
      (!in_out_q[p] || (sending_index[p] && sending_place[p*(1 + BufferWidth) +: 1 + BufferWidth] ==
                                            {is_own[p], now[p*SendBits +: BufferWidth]}));
    assign right_room[p] = 32'(room_q[2*p +: 2]) <= Window && 2'(credits[p*AheadWidth +: AheadWidth]) == room_q[2*p +: 2];
  end

  // ---- the life of a buffer in its generation: what the instructions say that name both
  logic [Buffers-1:0]                 right_generation, right_table, right_uses, right_header;
  logic [Buffers*GenerationWidth-1:0] generation;
  for (genvar i = 0; i < All; i++) begin : g_is_granted
    assign is_granted[i] = 32'(granted_q[2*(i/Each) +: 2]) > i % Each;
  end
  for (genvar b = 0; b < Buffers; b++) begin : g_buffer
    logic [GenerationWidth-1:0] g;
    logic [All-1:0]             here, right_instruction, right_fields, right_length;
    logic [AllSends-1:0]        sent_here, right_send;
    logic [All-1:0]             right_before;
    logic                       granted, complete_here;
    logic [LengthWidth-1:0]     stored_length;
    assign g             = \u_dut.u_buffer_table.first_q [b] ? '0 : table_generation[b*GenerationWidth +: GenerationWidth];
    assign generation[b*GenerationWidth +: GenerationWidth] = g;
    assign granted       = \u_dut.u_buffer_table.granted_q [b];
    assign complete_here = \u_dut.u_buffer_table.complete_q [b];
    assign stored_length = stored[b*Flits*FlitWidth + NameWidth +: LengthWidth];
    for (genvar i = 0; i < All; i++) begin : g_of_instruction
      logic                       of_it;
      logic [GenerationWidth-1:0] its;
      assign of_it   = has_buffer[i] && 32'(place[i*PlaceWidth +: BufferWidth]) == b;
      assign its     = place[i*PlaceWidth + BufferWidth +: GenerationWidth];
      assign here[i] = of_it && its == g;
      assign right_instruction[i] = !of_it || !((is_granted[i] && its > g) || (its < g && !has_ended[i]));
      assign right_fields[i] = !here[i] || !granted || (table_parts[b*CountWidth +: CountWidth] == parts[i*CountWidth +: CountWidth] &&
                                                        table_uses[b*CountWidth +: CountWidth] == uses[i*CountWidth +: CountWidth]);
      assign right_length[i] = !here[i] || !has_begun[i] || stored_length == length[i*LengthWidth +: LengthWidth];
    end
    // Every generation before this one had an instruction, of which there are All.
    for (genvar k = 0; k < All; k++) begin : g_before
      logic [All-1:0] had;
      for (genvar i = 0; i < All; i++) begin : g_had
        assign had[i] = has_buffer[i] && 32'(place[i*PlaceWidth +: BufferWidth]) == b &&
                        32'(place[i*PlaceWidth + BufferWidth +: GenerationWidth]) == k;
      end
      assign right_before[k] = 32'(g) <= k || had != '0;
    end
    for (genvar j = 0; j < AllSends; j++) begin : g_of_send
      logic of_it;
      assign of_it         = !send[j*SendBits + PlaceWidth] && 32'(send[j*SendBits +: BufferWidth]) == b;
      assign sent_here[j]  = of_it && has_started[j] && send[j*SendBits + BufferWidth +: GenerationWidth] == g;
      assign right_send[j] = !of_it || !has_started[j] || send[j*SendBits + BufferWidth +: GenerationWidth] <= g;
    end
    assign right_generation[b] = right_instruction == '1 && right_send == '1 && right_before == '1 && 32'(g) <= All;
    assign right_table[b] = granted == ((here & is_granted) != '0) && (!granted || (right_fields == '1 &&
      4'(table_started[b*CountWidth +: CountWidth]) == 4'($countones(here & has_begun)) &&
      4'(table_finished[b*CountWidth +: CountWidth]) == 4'($countones(here & has_ended)) &&
      complete_here == (table_finished[b*CountWidth +: CountWidth] == table_parts[b*CountWidth +: CountWidth]))) &&
      !(complete_here && !granted);
    assign right_uses[b]   = complete_here ? table_sent[b*CountWidth +: CountWidth] == CountWidth'($countones(sent_here)) &&
                                             table_sent[b*CountWidth +: CountWidth] != table_uses[b*CountWidth +: CountWidth] :
                                             sent_here == '0 && (!granted || table_sent[b*CountWidth +: CountWidth] == '0);
    assign right_header[b] = right_length == '1;
  end

  // ---- what is stored of what is watched
  logic [Watches-1:0] right_past, right_stored, right_leaving;
  logic [Lanes-1:0]   passes_on;
  logic               right_results;
  for (genvar v = 0; v < Watches; v++) begin : g_stored
    localparam int W = v * PlaceWidth;
    logic [GenerationWidth-1:0] now_in;
    logic                       current;  // its buffer has been granted to it and is not yet free
    logic [Flits-1:0]           right_flit;
    logic [Outputs-1:0]         right_output;
    assign now_in  = generation[32'(watch[W +: BufferWidth])*GenerationWidth +: GenerationWidth];
    assign current = \u_dut.u_buffer_table.granted_q [watch[W +: BufferWidth]] && now_in == watch[W + BufferWidth +: GenerationWidth];
    assign right_past[v] = now_in <= watch[W + BufferWidth +: GenerationWidth] ||
                           (complete[v] && sent[v*CountWidth +: CountWidth] == expected_uses[v*CountWidth +: CountWidth]);
    for (genvar f = 0; f < Flits; f++) begin : g_flit
      assign right_flit[f] = !current || ((!some_wrote[v*Flits + f] ||
        stored[(32'(watch[W +: BufferWidth])*Flits + f)*FlitWidth +: FlitWidth] == so_far[v*PacketWidth + f*FlitWidth +: FlitWidth]) &&
        (Combining == 0 || \u_dut.u_packet_buffers.g_combine.written_q [32'(watch[W +: BufferWidth])*Flits + f] == some_wrote[v*Flits + f]));
    end
    // While its second flit leaves it is still stored: nothing of the next packet in its buffer has come yet.
    for (genvar p = 0; p < Outputs; p++) begin : g_output
      assign right_output[p] = Flits == 1 || !(in_out_q[p] && leaves[v*Outputs + p]) ||
        stored[(32'(watch[W +: BufferWidth])*Flits + Flits - 1)*FlitWidth +: FlitWidth] == expected[(v+1)*PacketWidth-FlitWidth +: FlitWidth];
    end
    assign right_stored[v]  = right_flit == '1;
    assign right_leaving[v] = right_output == '1;
  end
  for (genvar l = 0; l < Lanes; l++) begin : g_passes_on
    assign passes_on[l] = Flits > 1 && in_packet_q[l] && \u_dut.deliver_held_q [l] && instruction[l*ReceiveWidth + CombineAt] &&
                          instruction[l*ReceiveWidth +: PlaceWidth] == watched;
  end
  assign right_results = 4'(results_q) + 4'($countones(result_ends)) + 4'($countones(passes_on)) ==
                         4'(is_sum[0] && expected_delivers[0] && all_begun[0]);

  always @(posedge clk_i) begin
    if (rst_n) begin
      h_time       : assert (\u_dut.slot_open_q == open_q && \u_dut.slot_q == 32'(step_q) && running_q == (step_q != '0) && (!open_q || running_q) &&
                             32'(phase_q) < SlotCycles && open_q == (running_q && phase_q == '0) &&
                             (SlotCycles == 1 || in_out_q == '0 || 32'(phase_q) == 1));
      h_settings   : assert (32'(\u_dut.window_q ) == Window && 32'(\u_dut.port_model_q ) == PortModel);
      h_counts     : assert (right_counts == '1);
      h_programs   : assert (right_programs == '1);
      h_granted    : assert (right_granted == '1);
      h_flits      : assert (right_flits == '1);
      h_held       : assert (right_held == '1);
      h_sends      : assert (right_sends == '1);
      h_own        : assert (right_own == '1);
      h_sending    : assert (right_sending == '1);
      h_room       : assert (right_room == '1);
      h_generation : assert (right_generation == '1);
      h_table      : assert (right_table == '1);
      h_uses       : assert (right_uses == '1);
      h_header     : assert (right_header == '1);
      h_occupancy  : assert (\u_dut.u_buffer_table.occupancy_q == 2'($countones(\u_dut.u_buffer_table.granted_q )));
      h_past       : assert (right_past == '1);
      h_stored     : assert (right_stored == '1);
      h_leaving    : assert (right_leaving == '1);
      h_results    : assert (right_results);
    end
  end
