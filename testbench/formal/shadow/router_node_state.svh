// router_node_state - what the registers of a fifo_node or pifo_node are in every state, expressed in what router_node_packets knows:
// which packets come and have come, which have left, and the marks of the two that are watched. That module includes it. A place is
// numbered as in the node: two to an input, of which the second is there if its bank has two.
  localparam int Places      = 2 * Inputs;
  localparam int Queues      = PortModel == safnet_pkg::AllPort ? Radix : 1;
  localparam int CountWidth  = $clog2(QueueDepth + 1), HostCountWidth = $clog2(HostDepth + 1);
  localparam int OccupancyWidth = $clog2(safnet_pkg::larger(QueueDepth, HostDepth) * Inputs + 1);
  localparam int Entries     = Radix * QueueDepth;
  localparam int EntryWidth  = safnet_pkg::index_width(Entries), EntriesWidth = $clog2(Entries + 1);
  `REGISTERS(reserved, 3, 1, g_node.u_dut.u_frame.g_bank[%].g_any_output.u_places.reserved_q)
  `REGISTERS(has_place, 3, 1, g_node.u_dut.u_frame.g_bank[%].g_any_output.u_places.room_q)
  `REGISTERS(credit_leaves, 3, 1, g_node.u_dut.u_frame.g_bank[%].g_any_output.u_places.credit_q)
  `REGISTERS(link_held, 2, QueueDepth, g_node.u_dut.u_frame.g_bank[%].g_any_output.u_places.held_q)
  `REGISTERS(host_held, 1, HostDepth, g_node.u_dut.u_frame.g_bank[2].g_any_output.u_places.held_q)
  `REGISTERS(credits_owed, 2, CountWidth, g_node.u_dut.u_frame.g_bank[%].g_any_output.u_places.owed_q)
  `REGISTERS(host_credits_owed, 1, HostCountWidth, g_node.u_dut.u_frame.g_bank[2].g_any_output.u_places.owed_q)
  `REGISTERS(uncredited, 2, CountWidth, g_node.u_dut.u_frame.g_bank[%].g_any_output.u_places.g_sender.uncredited_q)
  `MEMORY(own_left_0, 2, Radix, g_node.u_dut.u_frame.g_bank[0].g_any_output.u_places.left_q)
  `MEMORY(own_left_1, 2, Radix, g_node.u_dut.u_frame.g_bank[1].g_any_output.u_places.left_q)
  `MEMORY(own_left_2, 2, Radix, g_node.u_dut.u_frame.g_bank[2].g_any_output.u_places.left_q)
  `MEMORY(shared_left_0, 2, Radix, g_node.u_dut.u_frame.g_bank[0].g_any_output.u_places.g_one_queue.mask_q)
  `MEMORY(shared_left_1, 2, Radix, g_node.u_dut.u_frame.g_bank[1].g_any_output.u_places.g_one_queue.mask_q)
  `MEMORY(shared_left_2, 2, Radix, g_node.u_dut.u_frame.g_bank[2].g_any_output.u_places.g_one_queue.mask_q)
  `REGISTERS(receive_left, 3, LengthWidth, g_node.u_dut.u_frame.u_receive_port[%].u_flits.g_flits.left_q)
  `REGISTERS(receive_index, 3, 1, g_node.u_dut.u_frame.u_receive_port[%].u_flits.g_flits.index_q)
  `REGISTERS(receive_kept, 3, Radix + 2, g_node.u_dut.u_frame.u_receive_port[%].g_flits.kept_q)
  `MEMORY(stored, 12, FlitWidth, g_node.u_dut.u_frame.u_memory.flit_q)
  `REGISTERS(credits, 1, Radix * CountWidth, g_node.u_dut.u_frame.u_credit_counter.credits_q)
  `REGISTERS(transmit_held, 2, 1, g_node.u_dut.u_frame.u_transmit_port[%].held_q)
  `REGISTERS(transmit_left, 2, LengthWidth, g_node.u_dut.u_frame.u_transmit_port[%].g_flits.left_q)
  `REGISTERS(transmit_index, 2, 1, g_node.u_dut.u_frame.u_transmit_port[%].g_flits.index_q)
  `REGISTERS(transmit_place, 2, 3, g_node.u_dut.u_frame.u_transmit_port[%].place_q)
  `MEMORY(route_entry, 2, Radix + 1, g_node.u_dut.u_route_table.entry_q)
  `MEMORY(label_entry, 2, Radix + 2, g_node.u_dut.u_label_table.entry_q)
  `MEMORY(label_order, 2, Radix, g_node.u_dut.u_label_table.g_order.order_q)
  `REGISTERS(ring_read_0, 3, 1, g_node.u_dut.g_queue[0].u_queue.g_input[%].u_ring.read_q)
  `REGISTERS(ring_read_1, 3, 1, g_node.u_dut.g_queue[1].u_queue.g_input[%].u_ring.read_q)
  `REGISTERS(ring_write_0, 3, 1, g_node.u_dut.g_queue[0].u_queue.g_input[%].u_ring.write_q)
  `REGISTERS(ring_write_1, 3, 1, g_node.u_dut.g_queue[1].u_queue.g_input[%].u_ring.write_q)
  `REGISTERS(link_count_0, 2, CountWidth, g_node.u_dut.g_queue[0].u_queue.g_input[%].u_ring.count_q)
  `REGISTERS(link_count_1, 2, CountWidth, g_node.u_dut.g_queue[1].u_queue.g_input[%].u_ring.count_q)
  `REGISTERS(host_count, 2, HostCountWidth, g_node.u_dut.g_queue[%].u_queue.g_input[2].u_ring.count_q)
  `MEMORY(cells_00, 2, 1, g_node.u_dut.g_queue[0].u_queue.g_input[0].u_ring.slot_q)
  `MEMORY(cells_01, 2, 1, g_node.u_dut.g_queue[0].u_queue.g_input[1].u_ring.slot_q)
  `MEMORY(cells_02, 2, 1, g_node.u_dut.g_queue[0].u_queue.g_input[2].u_ring.slot_q)
  `MEMORY(cells_10, 2, 1, g_node.u_dut.g_queue[1].u_queue.g_input[0].u_ring.slot_q)
  `MEMORY(cells_11, 2, 1, g_node.u_dut.g_queue[1].u_queue.g_input[1].u_ring.slot_q)
  `MEMORY(cells_12, 2, 1, g_node.u_dut.g_queue[1].u_queue.g_input[2].u_ring.slot_q)
  `MEMORY(arrived_0, 4, Radix, g_node.u_dut.g_queue[0].u_queue.arrived_q)
  `MEMORY(arrived_1, 4, Radix, g_node.u_dut.g_queue[1].u_queue.arrived_q)
  `REGISTERS(taken, 2, Radix, g_node.u_dut.g_queue[%].u_queue.taken_q)
  `REGISTERS(entry_read, 2, EntryWidth, g_node.u_dut.g_queue[%].u_queue.read_q)
  `REGISTERS(entry_write, 2, EntryWidth, g_node.u_dut.g_queue[%].u_queue.write_q)
  `REGISTERS(entries, 2, EntriesWidth, g_node.u_dut.g_queue[%].u_queue.entries_q)
  `REGISTERS(link_valid_0, 2, QueueDepth, g_node.u_dut.g_queue[0].u_order.g_sorted.u_order.g_input[%].valid_q)
  `REGISTERS(link_valid_1, 2, QueueDepth, g_node.u_dut.g_queue[1].u_order.g_sorted.u_order.g_input[%].valid_q)
  `REGISTERS(host_valid, 2, HostDepth, g_node.u_dut.g_queue[%].u_order.g_sorted.u_order.g_input[2].valid_q)
  `REGISTERS(link_slot_0, 2, QueueDepth, g_node.u_dut.g_queue[0].u_order.g_sorted.u_order.g_input[%].slot_q)
  `REGISTERS(link_slot_1, 2, QueueDepth, g_node.u_dut.g_queue[1].u_order.g_sorted.u_order.g_input[%].slot_q)
  `REGISTERS(host_slot, 2, HostDepth, g_node.u_dut.g_queue[%].u_order.g_sorted.u_order.g_input[2].slot_q)
  `REGISTERS(link_rank_0, 2, QueueDepth, g_node.u_dut.g_queue[0].u_order.g_sorted.u_order.g_input[%].rank_q)
  `REGISTERS(link_rank_1, 2, QueueDepth, g_node.u_dut.g_queue[1].u_order.g_sorted.u_order.g_input[%].rank_q)
  `REGISTERS(host_rank_of, 2, HostDepth, g_node.u_dut.g_queue[%].u_order.g_sorted.u_order.g_input[2].rank_q)
  `MEMORY(list_next, 6, 3, g_node.u_dut.g_queue[0].u_order.g_listed.u_order.next_q)
  `MEMORY(list_first, 4, 3, g_node.u_dut.g_queue[0].u_order.g_listed.u_order.first_q)
  `MEMORY(list_last, 4, 3, g_node.u_dut.g_queue[0].u_order.g_listed.u_order.last_q)
  `MEMORY(list_used, 1, 4, g_node.u_dut.g_queue[0].u_order.g_listed.u_order.used_q)
  `REGISTERS(lists_used, 1, 1, g_node.u_dut.g_queue[0].u_order.g_listed.u_order.group_used_q)
  `REGISTERS(list_head_valid, 1, 1, g_node.u_dut.g_queue[0].u_order.g_listed.u_order.head_valid_q)
  `REGISTERS(list_head_level, 1, 2, g_node.u_dut.g_queue[0].u_order.g_listed.u_order.head_level_q)
  `REGISTERS(list_head, 1, 3, g_node.u_dut.g_queue[0].u_order.g_listed.u_order.head_q)
  `REGISTERS(list_push, 1, Inputs, g_node.u_dut.g_queue[0].u_order.push_i)
  `REGISTERS(list_push_place, 1, 3*Inputs, g_node.u_dut.g_queue[0].u_order.push_place_i)
  `REGISTERS(list_push_rank, 1, Inputs, g_node.u_dut.g_queue[0].u_order.push_rank_i)
  `REGISTERS(list_again, 1, 1, g_node.u_dut.g_queue[0].u_order.again_i)
  `REGISTERS(list_again_rank, 1, 1, g_node.u_dut.g_queue[0].u_order.again_rank_i)
  `MEMORY(label_rest, 2, 2, g_node.u_dut.u_label_table.g_rest.rest_q)
  `REGISTERS(occupancy, 2, OccupancyWidth, g_node.u_dut.u_frame.g_queue[%].occupancy_q)
  `REGISTERS(last_copy, 1, 1, g_node.u_dut.u_frame.u_transmit_port[0].last_copy_q)
  `REGISTERS(committed_of, 1, Radix, g_node.u_dut.u_frame.u_port_limiter.g_grants.committed_q)
  `REGISTERS(reserved_for, 1, Radix, g_node.u_dut.u_frame.u_port_limiter.g_grants.reserved_q)
  `REGISTERS(is_granted, 1, 1, g_node.u_dut.u_frame.u_port_limiter.g_grants.granted_q)
  `REGISTERS(is_asking, 1, 1, g_node.u_dut.u_frame.u_port_limiter.g_grants.asking_q)
  `REGISTERS(left_to_ask, 1, 1, g_node.u_dut.u_frame.u_port_limiter.g_grants.ask_left_q)
  `REGISTERS(slot_is_open, 1, 1, g_node.u_dut.u_frame.slot_open_o)
  `REGISTERS(free_running, 1, 1, g_node.u_dut.u_frame.g_settings.free_running_q)
  `REGISTERS(port_model, 1, 2, g_node.u_dut.u_frame.g_settings.port_model_q)
  `REGISTERS(grant_cycles, 1, 16, g_node.u_dut.u_frame.g_settings.grant_cycles_q)
  `REGISTERS(output_of, 1, Radix, g_node.u_dut.u_frame.g_shared.port_q)

  // ---- with grants: the copy that has been taken and waits for its grant, or leaves in this cycle
  logic [Radix-1:0]  committed;
  logic [2:0]        taken_place;
  logic [Places-1:0] is_taken, is_last;
  assign committed   = Grants == 0 ? '0 : committed_of;
  assign taken_place = transmit_place[2:0];
  for (genvar k = 0; k < Places; k++) begin : g_taken
    assign is_taken[k] = committed != '0 && 32'(taken_place) == k;
    assign is_last[k]  = is_taken[k] && last_copy;
  end

  // ---- the places: which hold a packet, through which outputs it is still to leave, and what is stored of it
  logic [Places-1:0]             held, there;  // there: it exists in a bank of this depth
  logic [Places*Radix-1:0]       to_leave;
  logic [Places*2-1:0]           mark_of;
  logic [Places*LengthWidth-1:0] length_of;
  logic [Places-1:0]             right_packet;  // a watched packet is stored unaltered, and is to leave through those that it has not
  assign there    = {2'(HostDepth == 2 ? 2'b11 : 2'b01), {Radix{2'(QueueDepth == 2 ? 2'b11 : 2'b01)}}};
  assign held     = {2'(host_held), 2'(link_held[QueueDepth +: QueueDepth]), 2'(link_held[0 +: QueueDepth])};
  assign to_leave = Queues == Radix ? {own_left_2, own_left_1, own_left_0} : {shared_left_2, shared_left_1, shared_left_0};
  for (genvar k = 0; k < Places; k++) begin : g_place
    logic [Radix-1:0] began_here;
    logic [Flits-1:0] right_flit;
    assign mark_of[2*k +: 2] = stored[k*Flits*FlitWidth + MarkAt +: 2];
    assign length_of[k*LengthWidth +: LengthWidth] = stored[k*Flits*FlitWidth + LengthAt +: LengthWidth];
    for (genvar p = 0; p < Radix; p++) begin : g_output
      assign began_here[p] = (left_began_q[2*p +: 2] & mark_of[2*k +: 2]) != '0;
    end
    for (genvar f = 0; f < Flits; f++) begin : g_flit
      assign right_flit[f] = f >= 32'(watched_flits[(mark_of[2*k] ? 0 : 1)*LengthWidth +: LengthWidth]) ||
        stored[(k*Flits + f)*FlitWidth +: FlitWidth] == packet[((mark_of[2*k] ? 0 : 1)*Flits + f)*FlitWidth +: FlitWidth];
    end
    assign right_packet[k] = length_of[k*LengthWidth +: LengthWidth] != '0 && 32'(length_of[k*LengthWidth +: LengthWidth]) <= Flits &&
      (mark_of[2*k +: 2] == '0 || (32'(watched_input) == k / 2 && mark_of[2*k +: 2] != 2'b11 && (mark_of[2*k +: 2] & ~came_q) == '0 &&
       (to_leave[Radix*k +: Radix] | (is_taken[k] ? committed : '0)) == (goes & ~began_here) && right_flit == '1));
  end

  // ---- the inputs
  logic [Inputs-1:0] right_receiving, right_marks, right_places, right_room, right_kept, right_arriving;
  for (genvar i = 0; i < Inputs; i++) begin : g_input_state
    logic [2:0]             in_places;
    logic [LengthWidth-1:0] left_now, at_now;
    logic [1:0]             mark_now;
    logic [2:0]             place_now;
    assign left_now  = left_q[i*LengthWidth +: LengthWidth] + LengthWidth'(1);
    assign at_now    = at_q[i*LengthWidth +: LengthWidth];
    assign mark_now  = marked_q[2*i +: 2];
    assign in_places = 3'($countones(held[2*i +: 2]));
    assign place_now = 3'(2*i) + 3'(reserved[i]);
    assign right_receiving[i] = Flits == 1 ? !in_packet_q[i] : in_packet_q[i] ?
      left_now != '0 && at_now != '0 && 32'(left_now) + 32'(at_now) <= Flits && receive_left[i*LengthWidth +: LengthWidth] == left_now &&
      32'(receive_index[i]) == 32'(at_now) : receive_left[i*LengthWidth +: LengthWidth] == '0;
    assign right_marks[i] = !in_packet_q[i] ? 32'(watched_input) != i || began_q == came_q :
      32'(watched_input) != i ? mark_now == '0 : mark_now == (began_q & ~came_q) &&
      (mark_now == '0 || left_now + at_now == watched_flits[(mark_now[0] ? 0 : 1)*LengthWidth +: LengthWidth]);
    assign right_places[i] = (held[2*i +: 2] & ~there[2*i +: 2]) == '0 && there[place_now] &&
      has_place[i] == (held[2*i +: 2] != there[2*i +: 2]) && !(has_place[i] && held[place_now]) &&
      (!held[2*i] || is_last[2*i] || to_leave[Radix*2*i +: Radix] != '0) &&
      (!held[2*i+1] || is_last[2*i+1] || to_leave[Radix*(2*i+1) +: Radix] != '0) &&
      (!in_packet_q[i] || has_place[i]);
    if (i < Radix) begin : g_link
      assign right_room[i] = 3'(uncredited[i*CountWidth +: CountWidth]) == in_places + 3'(credits_owed[i*CountWidth +: CountWidth]) +
        3'(credit_leaves[i]) && 32'(room_q[2*i +: 2]) + 32'(uncredited[i*CountWidth +: CountWidth]) + 32'(in_packet_q[i]) == QueueDepth;
    end else begin : g_host
      assign right_room[i] = host_credits_owed == '0 && !credit_leaves[i];
    end
    assign right_kept[i] = Flits == 1 || !in_packet_q[i] || mark_now == '0 ||
      receive_kept[i*(Radix+2) +: Radix+2] == {goes, deliver[watched_label], watched_rank};
    assign right_arriving[i] = !in_packet_q[i] || (length_of[place_now*LengthWidth +: LengthWidth] == left_now + at_now &&
      mark_of[2*place_now +: 2] == mark_now &&
      (mark_now == '0 || stored[32'(place_now)*Flits*FlitWidth +: FlitWidth] == packet[(mark_now[0] ? 0 : Flits)*FlitWidth +: FlitWidth]));
  end

  // ---- what is watched is stored once, as long as it is to leave
  logic [1:0]        right_waiting;
  logic [Places-1:0] once;
  for (genvar m = 0; m < 2; m++) begin : g_waiting
    logic [Radix-1:0]  yet;
    logic [Places-1:0] here;
    for (genvar p = 0; p < Radix; p++) begin : g_output
      assign yet[p] = came_q[m] && goes[p] && !left_began_q[2*p + m];
    end
    for (genvar k = 0; k < Places; k++) begin : g_place
      assign here[k] = held[k] && mark_of[2*k + m];
    end
    assign right_waiting[m] = yet == '0 || here != '0;
  end
  for (genvar k = 0; k < Places; k++) begin : g_once
    assign once[k] = k % 2 == 0 || !(held[k] && held[k - k % 2]) || mark_of[2*k +: 2] == '0 || mark_of[2*k +: 2] != mark_of[2*(k - k % 2) +: 2];
  end

  // ---- the queues: of each input the packets that are to leave through the output, each once, and of two that are watched the first first
  logic [Queues*Inputs-1:0] right_queue, right_order, right_ranks, right_links;
  logic [Queues-1:0]        right_entries, right_occupancy;
  for (genvar q = 0; q < Queues; q++) begin : g_queue_state
    logic [Inputs*2-1:0]  counts;      // packets of an input
    logic [Inputs-1:0]    head, next;  // in which of its places the first of them is, and the second
    logic [Inputs-1:0]    sound;
    logic [Places-1:0]    waits_at;
    assign right_occupancy[q] = 32'(occupancy[q*OccupancyWidth +: OccupancyWidth]) ==
                                32'(counts[1:0]) + 32'(counts[3:2]) + 32'(counts[5:4]) + 32'(is_last != '0);
    for (genvar i = 0; i < Inputs; i++) begin : g_input
      logic [1:0] waits, count_now;
      assign count_now = counts[2*i +: 2];
      assign waits = {held[2*i+1] && (Queues == 1 ? !is_last[2*i+1] : to_leave[Radix*(2*i+1) + q]),
                      held[2*i] && (Queues == 1 ? !is_last[2*i] : to_leave[Radix*2*i + q])};
      assign waits_at[2*i +: 2] = waits;
      assign right_queue[q*Inputs + i] = sound[i] && 32'(count_now) == $countones(waits) && (count_now == '0 || waits[head[i]]) &&
                                         (count_now != 2'd2 || (waits[next[i]] && next[i] != head[i]));
      assign right_order[q*Inputs + i] = Rest != 0 || count_now != 2'd2 || !(mark_of[2*(2*i + 32'(head[i])) + 1] && mark_of[2*(2*i + 32'(next[i]))]);
    end
    if (Kind == 0) begin : g_rings
      logic [Inputs*2-1:0]  cells;
      logic [Inputs-1:0]    read, write;
      logic [3:0]           in_use, is_live, right_entry;
      logic [4*Radix-1:0]   live, arrived;
      logic [2:0]           first, count;
      assign cells  = q == 0 ? {cells_02, cells_01, cells_00} : {cells_12, cells_11, cells_10};
      assign read   = q == 0 ? ring_read_0 : ring_read_1;
      assign write  = q == 0 ? ring_write_0 : ring_write_1;
      assign counts = {2'(host_count[q*HostCountWidth +: HostCountWidth]),
                       2'(q == 0 ? link_count_0[CountWidth +: CountWidth] : link_count_1[CountWidth +: CountWidth]),
                       2'(q == 0 ? link_count_0[0 +: CountWidth] : link_count_1[0 +: CountWidth])};
      for (genvar i = 0; i < Inputs; i++) begin : g_ring
        localparam int Depth = i < Radix ? QueueDepth : HostDepth;
        assign head[i]  = cells[2*i + 32'(read[i])];
        assign next[i]  = cells[2*i + (Depth == 2 && !read[i] ? 1 : 0)];
        assign sound[i] = 32'(read[i]) < Depth && 32'(write[i]) == (32'(read[i]) + 32'(counts[2*i +: 2])) % Depth;
      end
      // Of each link as many packets wait as entries of the order name it.
      assign arrived = q == 0 ? arrived_0 : arrived_1;
      assign first   = 3'(entry_read[q*EntryWidth +: EntryWidth]);
      assign count   = 3'(entries[q*EntriesWidth +: EntriesWidth]);
      for (genvar e = 0; e < 4; e++) begin : g_entry
        assign in_use[e] = e < Entries && (32'(first) <= e ? e - 32'(first) : e + Entries - 32'(first)) < 32'(count);
        assign live[e*Radix +: Radix] = !in_use[e] ? '0 : 32'(first) == e ? arrived[e*Radix +: Radix] & ~taken[q*Radix +: Radix] :
                                        arrived[e*Radix +: Radix];
        assign is_live[e]     = live[e*Radix +: Radix] != '0;
        assign right_entry[e] = 32'(first) != e || (taken[q*Radix +: Radix] & ~(in_use[e] ? arrived[e*Radix +: Radix] : '0)) == '0;
      end
      assign right_entries[q] = 32'(first) < Entries && 32'(count) <= Entries && is_live == in_use && right_entry == '1 &&
                                32'(entry_write[q*EntryWidth +: EntryWidth]) == (32'(first) + 32'(count)) % Entries;
      for (genvar i = 0; i < Inputs; i++) begin : g_link
        if (i < Radix) begin : g_counted
          assign right_links[q*Inputs + i] = 32'(counts[2*i +: 2]) ==
                                             32'(live[i]) + 32'(live[Radix+i]) + 32'(live[2*Radix+i]) + 32'(live[3*Radix+i]);
        end else begin : g_host
          assign right_links[q*Inputs + i] = 1'b1;
        end
      end
      assign right_ranks[q*Inputs +: Inputs] = '1;
    end else if (Rest == 0) begin : g_vectors
      logic [Inputs*2-1:0] valid, slot, rank_of;
      assign valid   = {2'(host_valid[q*HostDepth +: HostDepth]),
                        2'(q == 0 ? link_valid_0[QueueDepth +: QueueDepth] : link_valid_1[QueueDepth +: QueueDepth]),
                        2'(q == 0 ? link_valid_0[0 +: QueueDepth] : link_valid_1[0 +: QueueDepth])};
      assign slot    = {2'(host_slot[q*HostDepth +: HostDepth]),
                        2'(q == 0 ? link_slot_0[QueueDepth +: QueueDepth] : link_slot_1[QueueDepth +: QueueDepth]),
                        2'(q == 0 ? link_slot_0[0 +: QueueDepth] : link_slot_1[0 +: QueueDepth])};
      assign rank_of = {2'(host_rank_of[q*HostDepth +: HostDepth]),
                        2'(q == 0 ? link_rank_0[QueueDepth +: QueueDepth] : link_rank_1[QueueDepth +: QueueDepth]),
                        2'(q == 0 ? link_rank_0[0 +: QueueDepth] : link_rank_1[0 +: QueueDepth])};
      for (genvar i = 0; i < Inputs; i++) begin : g_vector
        assign counts[2*i +: 2] = {valid[2*i+1], valid[2*i] && !valid[2*i+1]};
        assign sound[i] = valid[2*i] || !valid[2*i+1];
        assign head[i]  = slot[2*i];
        assign next[i]  = slot[2*i+1];
        // The packets are sorted, and those that are watched have their rank.
        assign right_ranks[q*Inputs + i] = (!valid[2*i+1] || rank_of[2*i] <= rank_of[2*i+1]) &&
          (!valid[2*i] || mark_of[2*(2*i + 32'(head[i])) +: 2] == '0 || rank_of[2*i] == watched_rank) &&
          (!valid[2*i+1] || mark_of[2*(2*i + 32'(next[i])) +: 2] == '0 || rank_of[2*i+1] == watched_rank);
      end
      assign {right_entries[q], right_links[q*Inputs +: Inputs]} = '1;
    end else begin : g_lists
      localparam int ListPlaces = 2*Radix + HostDepth;
      logic [2*ListPlaces-1:0]          level;   // by place: {rank, host}
      logic [ListPlaces*ListPlaces-1:0] before;
      logic [ListPlaces-1:0]            in_part, right_part, right_level, right_pair;
      logic                             ordered, unused;
      logic [4:0]                       sound_lists;
      for (genvar i = 0; i < Inputs; i++) begin : g_counts
        assign counts[2*i +: 2] = 2'($countones(waits_at[2*i +: 2]));
      end
      assign {sound, next} = '1;
      for (genvar i = 0; i < Inputs; i++) begin : g_head
        assign head[i] = !waits_at[2*i];
      end
      arrival_order #(.Inputs(Inputs), .Places(ListPlaces), .RankWidth(1)) u_arrivals (
        .clk_i, .push_i(list_push), .push_place_i(list_push_place), .push_rank_i(list_push_rank), .again_i(list_again),
        .again_rank_i(list_again_rank), .head_i(list_head), .waits_i(waits_at[ListPlaces-1:0]), .p_i('0), .q_i('0), .p_first_i(1'b0),
        .p_level_i('0), .q_level_i('0), .level_o(level), .before_o(before), .ordered_o(ordered), .shadow_o(unused)
      );
      listed_order_state #(.Places(ListPlaces), .RankLevels(2)) u_lists (
        .head_valid_i(list_head_valid), .head_i(list_head), .head_level_i(list_head_level), .group_used_i(lists_used),
        .used_i(list_used), .next_i(list_next[3*ListPlaces-1:0]), .first_i(list_first), .last_i(list_last),
        .waits_i(waits_at[ListPlaces-1:0]), .level_i(level), .before_i(before), .head_o(sound_lists[0]), .used_o(sound_lists[1]),
        .first_o(sound_lists[2]), .last_o(sound_lists[3]), .next_o(sound_lists[4])
      );
      // A watched packet that has been sent in part has the second rank, if its label has one, as packets of links have. Of two the
      // first has been sent in part if the second has, and if both have one level it joined that before.
      for (genvar k = 0; k < ListPlaces; k++) begin : g_level
        logic [ListPlaces-1:0] right_after;
        logic                  is_moved;
        assign in_part[k]     = to_leave[Radix*k +: Radix] != goes;
        assign right_part[k]  = !waits_at[k] || mark_of[2*k +: 2] == '0 || !in_part[k] ||
                                to_leave[Radix*k +: Radix] == (second_first[watched_label] ? Radix'(1) : Radix'(2));
        assign is_moved       = in_part[k] && rest[watched_label] && rest_rank[watched_label] != watched_rank;
        assign right_level[k] = !waits_at[k] || mark_of[2*k +: 2] == '0 ||
                                level[2*k +: 2] == (is_moved ? {rest_rank[watched_label], 1'b0} : {watched_rank, k >= 2*Radix});
        for (genvar l = 0; l < ListPlaces; l++) begin : g_after
          assign right_after[l] = !(waits_at[k] && waits_at[l] && mark_of[2*k] && mark_of[2*l + 1]) ||
                                  ((in_part[k] || !in_part[l]) &&
                                   (level[2*k +: 2] != level[2*l +: 2] || before[k*ListPlaces + l]));
        end
        assign right_pair[k] = right_after == '1;
      end
      assign right_links[q*Inputs +: Inputs] = {right_level == '1 && right_part == '1, right_pair == '1, ordered};
      assign right_ranks[q*Inputs +: Inputs] = sound_lists[2:0];
      assign right_entries[q]                = sound_lists[4:3] == '1;
    end
  end

  // ---- the outputs
  logic [Radix-1:0]  right_credits, right_leaving, right_began;
  logic [Queues-1:0] right_sending;
  for (genvar p = 0; p < Radix; p++) begin : g_output_state
    localparam int Q = Queues == 1 ? 0 : p;
    logic [1:0] mark_now;
    assign mark_now = out_marked_q[2*p +: 2];
    assign right_credits[p] = 32'(credits[p*CountWidth +: CountWidth]) + 32'(owed_q[2*p +: 2]) == QueueDepth;
    // While its second flit leaves it is still stored: nothing of the next packet in its place has come so far.
    assign right_leaving[p] = Flits == 1 ? !in_out_q[p] : !in_out_q[p] || (mark_now != 2'b11 &&
      32'(out_left_q[p*LengthWidth +: LengthWidth]) == 1 && 32'(out_at_q[p*LengthWidth +: LengthWidth]) == 1 &&
      (mark_now == '0 || (32'(watched_flits[(mark_now[0] ? 0 : 1)*LengthWidth +: LengthWidth]) == 2 &&
       stored[(32'(transmit_place[3*Q +: 3])*Flits + Flits - 1)*FlitWidth +: FlitWidth] ==
       packet[((mark_now[0] ? 0 : 1)*Flits + Flits - 1)*FlitWidth +: FlitWidth])));
    assign right_began[p] = (left_began_q[2*p +: 2] & ~(goes[p] ? came_q : 2'b00)) == '0 &&
                            !(left_began_q[2*p + 1] && !left_began_q[2*p]) &&
                            gone_q[2*p +: 2] == (left_began_q[2*p +: 2] & ~(in_out_q[p] ? mark_now : 2'b00)) &&
                            (!in_out_q[p] || (mark_now & ~left_began_q[2*p +: 2]) == '0);
  end
  for (genvar q = 0; q < Queues; q++) begin : g_sending_state
    logic sending;
    assign sending = Queues == 1 ? in_out_q[Radix-1:0] != '0 : in_out_q[q];
    assign right_sending[q] = transmit_held[q] == (sending || committed != '0) &&
      (Flits == 1 || (32'(transmit_left[q*LengthWidth +: LengthWidth]) == 32'(sending) &&
      (!sending || (transmit_index[q] && 32'(transmit_place[3*q +: 3]) < Places && there[transmit_place[3*q +: 3]])))) &&
      (Queues != 1 || !sending || output_of == in_out_q[Radix-1:0]);
  end

  // With grants the copy that was taken is of a packet that is stored, and for a neighbour that has room. If it is of the second that is
  // watched, the first has left.
  logic             right_taken;
  logic [Radix-1:0] right_asked, right_grants, first_yet;
  // With slots a node asks in the cycle in which one opens and in the next, is granted then or not, and sends in the one after that.
  logic may_be_asked, in_step;
  assign may_be_asked = SlotCycles == 1 || 32'(phase_q) == 2 || 32'(phase_q) == 3 % SlotCycles;
  assign in_step      = Grants == 0 || SlotCycles == 1 || (
    (asks_q == '0 || slot_open || (32'(phase_q) == 2 && (grant | may_send_q) != '0)) && (grant == '0 || 32'(phase_q) == 2) &&
    (may_send_q == '0 || (in_packet_q[Radix-1:0] == '0 ? 32'(phase_q) == 3 % SlotCycles : 32'(phase_q) == 4 % SlotCycles)) &&
    (!is_granted || 32'(phase_q) == 3 % SlotCycles) &&
    is_asking == (32'(phase_q) == 2 && committed != '0) &&
    !left_to_ask);
  assign right_taken = committed == '0 || ($onehot(committed) && in_out_q[Radix-1:0] == '0 && 32'(taken_place) < Places && held[taken_place] &&
    last_copy == (to_leave[Radix*taken_place +: Radix] == '0) && (committed & (to_leave[Radix*taken_place +: Radix] | full)) == '0 &&
    (!mark_of[2*taken_place + 1] || (committed & first_yet) == '0) &&
    (mark_of[2*taken_place +: 2] == '0 || committed[higher_first] || !to_leave[Radix*taken_place + 32'(higher_first)]));
  for (genvar p = 0; p < Radix; p++) begin : g_grants_state
    assign first_yet[p]    = goes[p] && !left_began_q[2*p];
    assign right_asked[p]  = Grants == 0 || (asked_q[p] == (committed[p] && !is_granted && may_be_asked) &&
      granted_q[p] == (committed[p] && is_granted) && !(is_granted && committed == '0) && !(is_asking && (is_granted || committed == '0)));
    assign right_grants[p] = Grants == 0 ? {asks_q[p], may_send_q[p], grant[p]} == '0 : (reserved_for[p] == (may_send_q[p] || grant[p]) &&
      !(may_send_q[p] && (grant[p] || asks_q[p])) && (!grant[p] || asks_q[p]) && (!in_packet_q[p] || may_send_q[p]) &&
      (!(asks_q[p] || (may_send_q[p] && !in_packet_q[p])) || room_q[2*p +: 2] != '0));
  end

  // ---- the host gets each flit a cycle after it has come
  logic [Radix-1:0] right_delivering;
  for (genvar p = 0; p < Radix; p++) begin : g_deliver_state
    localparam int S = Radix + p;
    logic       after, passes_on;
    logic [1:0] mark_now;
    assign after     = out_valid[S] ? !out_ends[S] : in_out_q[S];
    assign mark_now  = in_out_q[S] ? out_marked_q[2*S +: 2] : out_flit[S*FlitWidth + MarkAt +: 2];
    assign passes_on = Flits > 1 && in_packet_q[p] && receive_kept[p*(Radix+2) + 1];
    assign right_delivering[p] = after == passes_on && !(in_out_q[S] && !out_valid[S]) && (!after || (out_valid[S] &&
      g_stream[S].left_after == LengthWidth'(left_q[p*LengthWidth +: LengthWidth] + LengthWidth'(1)) &&
      LengthWidth'(g_stream[S].at + LengthWidth'(1)) == at_q[p*LengthWidth +: LengthWidth] && mark_now == marked_q[2*p +: 2]));
  end

  logic [1:0] right_entry_of;  // a label
  for (genvar l = 0; l < 2; l++) begin : g_label
    assign right_entry_of[l] = 32'(since_reset) < 2 + l || (Kind == 0 ?
      route_entry[l*(Radix+1) +: Radix+1] == {deliver[l], mask[l*Radix +: Radix]} :
      label_entry[l*(Radix+2) +: Radix+2] == {rank[l], deliver[l], mask[l*Radix +: Radix]} &&
      (Queues != 1 || label_order[l*Radix +: Radix] == {!second_first[l], second_first[l]}) &&
      (Rest == 0 || label_rest[l*2 +: 2] == {rest[l], rest_rank[l]}));
  end
  logic is_empty, has_sent_nothing;
  assign has_sent_nothing = {committed, in_out_q[Radix-1:0], left_began_q[2*Radix-1:0], owed_q, asks_q, may_send_q, grant} == '0;
  assign is_empty = {asks_q, may_send_q, committed, in_packet_q, began_q, came_q, in_out_q, left_began_q, gone_q, owed_q, held,
                     credit_leaves, credits_owed, out_valid} == '0;
  always @(posedge clk_i) begin
    if (rst_n) begin
      h_start      : assert ((runs || is_empty) && (running_q || has_sent_nothing) && (runs || !running_q));
      h_time       : assert (slot_is_open == slot_open && 32'(phase_q) < SlotCycles && (running_q || phase_q == '0) &&
                             (SlotCycles == 1 || in_out_q[Radix-1:0] == '0 || 32'(phase_q) == (2 + 2*Grants) % SlotCycles));
      h_table      : assert (right_entry_of == '1);
      h_settings   : assert (Queues != 1 || (32'(port_model) == PortModel && 32'(grant_cycles) == 2*Grants &&
                                             free_running == (SlotCycles == 1)));
      h_watched    : assert ((came_q & ~began_q) == '0 && !(began_q[1] && !came_q[0]));
      h_receiving  : assert (right_receiving == '1);
      h_marks      : assert (right_marks == '1);
      h_places     : assert (right_places == '1);
      h_room       : assert (right_room == '1);
      h_kept       : assert (right_kept == '1);
      h_arriving   : assert (right_arriving == '1);
      h_packets    : assert ((held & ~right_packet) == '0);
      h_waiting    : assert (right_waiting == '1);
      h_once       : assert (once == '1);
      h_queues     : assert (right_queue == '1);
      h_order      : assert (right_order == '1);
      h_ranks      : assert (right_ranks == '1);
      h_occupancy  : assert (right_occupancy == '1);
      h_entries    : assert (right_entries == '1);
      h_links      : assert (right_links == '1);
      h_credits    : assert (right_credits == '1);
      h_leaving    : assert (right_leaving == '1);
      h_began      : assert (right_began == '1);
      h_sending    : assert (right_sending == '1);
      h_taken      : assert (right_taken);
      h_in_step    : assert (in_step);
      h_asked      : assert (right_asked == '1);
      h_grants     : assert (right_grants == '1 && $onehot0(may_send_q | grant));
      h_delivering : assert (right_delivering == '1);
    end
  end
