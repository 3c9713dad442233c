// icarus_tdm_bench - three tdm_nodes in a row in Icarus Verilog: a second simulator, with X propagation, for the
// same RTL. Self-checking; the last line is "tdm_bench: PASS", or the bench ends with $fatal.
//
// Port 0 of a node leads to the next one's port 1; node 0's port 1 and node 2's port 0 lead nowhere. Links have a latency
// of 1, packets 2 flits, slots are cycles. A packet sent in cycle c has arrived after cycle c + 2.
//   a  (name 1)   node 0, cycle 1: relayed by node 1 in cycle 4 to node 2, in the same cycle back to node 0 (multicast)
//   b  (name 2)   node 0, cycle 3, and c (name 3) node 2, cycle 3: combined at node 1, which delivers their sum (name 4)
//                 and sends it to node 2 in cycle 6
//   d  (name 5)   node 0, cycle 8: into a's buffer; planned to leave node 1 in cycle 9, before it is there: it starts two
//                 cycles late, in cycle 11
// Inputs change on the falling edge of the clock; outputs are sampled at the rising edge, before registers change. Tasks
// are static, as in icarus_two_node_bench.
module icarus_tdm_bench;
  localparam int Nodes           = 3;
  localparam int Radix           = 2;
  localparam int Lanes           = Radix + 1;
  localparam int FlitWidth       = 64;
  localparam int Flits           = 2;
  localparam int Buffers         = 2;
  localparam int BufferWidth     = 1;
  localparam int GenerationWidth = 4;
  localparam int CountWidth      = 3;
  localparam int NameWidth       = 8;
  localparam int ReceiveWidth    = BufferWidth + GenerationWidth + 2 * CountWidth + tdm_pkg::Actions + NameWidth;
  localparam int SendWidth       = BufferWidth + GenerationWidth + 1 + tdm_pkg::SlotWidth;
  localparam int Ports           = Nodes * Radix;
  localparam int Streams         = Nodes * Lanes;
  localparam logic [2:0] Store = 3'd1, CombineDeliver = 3'd6, Deliver = 3'd4;

  logic                            clk, rst_n, start, running, slot_open_next;
  logic [31:0]                     cycle, step;
  logic [Ports-1:0]                tx_valid, tx_credit, rx_valid, rx_credit;
  logic [Ports*FlitWidth-1:0]      tx_flit, rx_flit;
  logic [Streams-1:0]              receive_valid, receive_ready, own_valid, own_ready, deliver_valid, deliver_last;
  logic [Streams*ReceiveWidth-1:0] receive;
  logic [Ports-1:0]                send_valid, send_ready;
  logic [Ports*SendWidth-1:0]      send;
  logic [Streams*FlitWidth-1:0]    own_flit, deliver_flit;
  logic [Ports*32-1:0]             sent, received;
  logic [Nodes*32-1:0]             delivered, last_cycle, last_step, violations, first_violation, dry, first_dry,
                                   mismatches, first_mismatch;
  logic [Nodes*64-1:0]             delay_sum;
  logic [Nodes*2-1:0]              occupancy, peak_occupancy;
  logic [Ports-1:0]                late, wait_packet, wait_credit;
  logic [Streams-1:0]              wait_buffer;
  logic [Nodes-1:0]                idle;

  slot_timer #(.SlotCycles(1)) u_timer (
    .clk_i (clk), .rst_ni (rst_n), .start_i (start), .running_o (running), .cycle_o (cycle), .step_o (step),
    .slot_open_next_o (slot_open_next)
  );

  for (genvar n = 0; n < Nodes; n++) begin : g_node
    if (n < Nodes - 1) begin : g_next
      assign rx_valid[n*Radix]                        = tx_valid[(n+1)*Radix + 1];
      assign rx_flit[n*Radix*FlitWidth +: FlitWidth]  = tx_flit[((n+1)*Radix + 1)*FlitWidth +: FlitWidth];
      assign rx_credit[n*Radix]                       = tx_credit[(n+1)*Radix + 1];
    end else begin : g_no_next
      assign rx_valid[n*Radix]                        = 1'b0;
      assign rx_flit[n*Radix*FlitWidth +: FlitWidth]  = '0;
      assign rx_credit[n*Radix]                       = 1'b0;
    end
    if (n > 0) begin : g_previous
      assign rx_valid[n*Radix + 1]                         = tx_valid[(n-1)*Radix];
      assign rx_flit[(n*Radix + 1)*FlitWidth +: FlitWidth] = tx_flit[(n-1)*Radix*FlitWidth +: FlitWidth];
      assign rx_credit[n*Radix + 1]                        = tx_credit[(n-1)*Radix];
    end else begin : g_no_previous
      assign rx_valid[n*Radix + 1]                         = 1'b0;
      assign rx_flit[(n*Radix + 1)*FlitWidth +: FlitWidth] = '0;
      assign rx_credit[n*Radix + 1]                        = 1'b0;
    end
    tdm_node #(
      .Radix(Radix), .FlitWidth(FlitWidth), .Flits(Flits), .LinkLatency(1), .SlotCycles(1), .Buffers(Buffers),
      .ProgramDepth(4), .Window(3), .PortModel(0), .NameWidth(NameWidth), .GenerationWidth(GenerationWidth),
      .CountWidth(CountWidth), .Combining(1)
    ) u_node (
      .clk_i (clk), .rst_ni (rst_n), .cycle_i (cycle), .step_i (step), .slot_open_next_i (slot_open_next),
      .tx_valid_o       (tx_valid[n*Radix +: Radix]),
      .tx_flit_o        (tx_flit[n*Radix*FlitWidth +: Radix*FlitWidth]),
      .tx_credit_o      (tx_credit[n*Radix +: Radix]),
      .rx_valid_i       (rx_valid[n*Radix +: Radix]),
      .rx_flit_i        (rx_flit[n*Radix*FlitWidth +: Radix*FlitWidth]),
      .rx_credit_i      (rx_credit[n*Radix +: Radix]),
      .fault_drop_i     (2'b00),
      .fault_corrupt_i  (2'b00),
      .operation_i      (tdm_pkg::OperationWidth'(tdm_pkg::CombineSum)),
      .receive_valid_i  (receive_valid[n*Lanes +: Lanes]),
      .receive_ready_o  (receive_ready[n*Lanes +: Lanes]),
      .receive_i        (receive[n*Lanes*ReceiveWidth +: Lanes*ReceiveWidth]),
      .receive_more_i   (3'b000),
      .send_valid_i     (send_valid[n*Radix +: Radix]),
      .send_ready_o     (send_ready[n*Radix +: Radix]),
      .send_i           (send[n*Radix*SendWidth +: Radix*SendWidth]),
      .send_more_i      (2'b00),
      .own_valid_i      (own_valid[n*Lanes +: Lanes]),
      .own_ready_o      (own_ready[n*Lanes +: Lanes]),
      .own_flit_i       (own_flit[n*Lanes*FlitWidth +: Lanes*FlitWidth]),
      .deliver_valid_o  (deliver_valid[n*Lanes +: Lanes]),
      .deliver_last_o   (deliver_last[n*Lanes +: Lanes]),
      .deliver_flit_o   (deliver_flit[n*Lanes*FlitWidth +: Lanes*FlitWidth]),
      .sent_o           (sent[n*Radix*32 +: Radix*32]),
      .received_o       (received[n*Radix*32 +: Radix*32]),
      .delivered_o      (delivered[n*32 +: 32]),
      .last_delivery_cycle_o   (last_cycle[n*32 +: 32]),
      .last_delivery_step_o    (last_step[n*32 +: 32]),
      .delay_sum_o             (delay_sum[n*64 +: 64]),
      .occupancy_o             (occupancy[n*2 +: 2]),
      .peak_occupancy_o        (peak_occupancy[n*2 +: 2]),
      .violations_o            (violations[n*32 +: 32]),
      .first_violation_cycle_o (first_violation[n*32 +: 32]),
      .dry_o                   (dry[n*32 +: 32]),
      .first_dry_cycle_o       (first_dry[n*32 +: 32]),
      .mismatches_o            (mismatches[n*32 +: 32]),
      .first_mismatch_cycle_o  (first_mismatch[n*32 +: 32]),
      .late_o                  (late[n*Radix +: Radix]),
      .wait_packet_o           (wait_packet[n*Radix +: Radix]),
      .wait_credit_o           (wait_credit[n*Radix +: Radix]),
      .wait_buffer_o           (wait_buffer[n*Lanes +: Lanes]),
      .idle_o                  (idle[n])
    );
  end

  function logic [FlitWidth-1:0] packet_flit(input int name, input int index);
    packet_flit = (index == 0) ? {32'(name) * 32'h9e37_79b9, 32'(name) | (32'd2 << NameWidth)}
                               : {32'(name) * 32'h7f4a_7c15, 32'(name) * 32'hc5a3_96e1};
  endfunction
  function logic [FlitWidth-1:0] sum_flit(input int index);  // of packets 2 and 3, under name 4
    sum_flit = {packet_flit(2, index) >> 32, 32'd0};
    sum_flit[63:32] = 32'(packet_flit(2, index) >> 32) + 32'(packet_flit(3, index) >> 32);
    sum_flit[31:0]  = (index == 0) ? 32'd4 | (32'd2 << NameWidth) : 32'(packet_flit(2, 1)) + 32'(packet_flit(3, 1));
  endfunction

  always #5 clk = ~clk;
  initial begin : time_limit
    #100_000 $fatal(1, "tdm_bench: FAIL, not finished");
  end
  task check(input logic good, input int what);
    if (good !== 1'b1) begin
      $display("tdm_bench: FAIL in cycle %0d: check %0d", cycle, what);
      $fatal(1, "tdm_bench: FAIL");
    end
  endtask

  // Which packet is to be on a wire in a cycle (0: none), and with which flit.
  function int sent_name(input int wire_number, input int now);
    case (wire_number)
      0:       sent_name = (now == 1 || now == 2) ? 1 : (now == 3 || now == 4) ? 2 : (now == 8 || now == 9) ? 5 : 0;
      2:       sent_name = (now == 4 || now == 5) ? 1 : (now == 6 || now == 7) ? 4 : (now == 11 || now == 12) ? 5 : 0;
      3:       sent_name = (now == 4 || now == 5) ? 1 : 0;
      5:       sent_name = (now == 3 || now == 4) ? 3 : 0;
      default: sent_name = 0;
    endcase
  endfunction
  function int sent_index(input int wire_number, input int now);
    sent_index = (sent_name(wire_number, now - 1) == sent_name(wire_number, now)) ? 1 : 0;
  endfunction
  int name_now, index_now;
  int got [Streams];  // flits delivered
  always @(posedge clk) begin : monitor
    if (rst_n === 1'b1) begin
      for (int w = 0; w < Ports; w++) begin
        name_now  = sent_name(w, 32'(cycle));
        index_now = sent_index(w, 32'(cycle));
        check(tx_valid[w] === (name_now != 0), 100 + w);
        if (name_now == 4)      check(tx_flit[w*FlitWidth +: FlitWidth] === sum_flit(index_now), 110 + w);
        else if (name_now != 0) check(tx_flit[w*FlitWidth +: FlitWidth] === packet_flit(name_now, index_now), 120 + w);
        check(late[w] === (w == 2 && (cycle == 9 || cycle == 10)), 130 + w);
        check(wait_packet[w] === (w == 2 && (cycle == 9 || cycle == 10)), 140 + w);
      end
      for (int s = 0; s < Streams; s++) begin
        check(deliver_valid[s] === 1'b0 || deliver_valid[s] === 1'b1, 150 + s);
        if (deliver_valid[s] === 1'b1) begin
          // a at nodes 0 and 2 and the sum at node 2 arrive a link later than they were sent; at node 1 it is both parts
          index_now = got[s] % 2;
          check(deliver_last[s] === (index_now == 1), 160 + s);
          case (s)
            0: check(deliver_flit[s*FlitWidth +: FlitWidth] === packet_flit(1, index_now), 170);
            3: check(deliver_flit[s*FlitWidth +: FlitWidth] === sum_flit(index_now) && (cycle == 5 || cycle == 6), 171);
            7: check(deliver_flit[s*FlitWidth +: FlitWidth] ===
                     ((got[s] / 2 == 1) ? sum_flit(index_now) : packet_flit((got[s] / 2 == 0) ? 1 : 5, index_now)), 172);
            default: check(1'b0, 173);
          endcase
          got[s] = got[s] + 1;
        end
      end
    end
  end

  task give_receive(input int stream, input logic [7:0] name, input logic [2:0] actions, input logic [2:0] uses,
                    input logic [2:0] parts, input logic [3:0] generation, input logic buffer);
    receive_valid[stream] = 1'b1;
    receive[stream*ReceiveWidth +: ReceiveWidth] = {name, actions, uses, parts, generation, buffer};
    check(receive_ready[stream] === 1'b1, 1);
    @(negedge clk);
    receive_valid = '0;
  endtask
  task give_send(input int port, input logic [31:0] slot, input logic own, input logic [3:0] generation,
                 input logic buffer);
    send_valid[port] = 1'b1;
    send[port*SendWidth +: SendWidth] = {slot, own, generation, buffer};
    check(send_ready[port] === 1'b1, 2);
    @(negedge clk);
    send_valid = '0;
  endtask
  task give_packet(input int stream, input int name);
    for (int k = 0; k < 2; k++) begin
      own_valid[stream] = 1'b1;
      own_flit[stream*FlitWidth +: FlitWidth] = packet_flit(name, k);
      while (own_ready[stream] !== 1'b1) @(negedge clk);
      @(negedge clk);
      own_valid[stream] = 1'b0;
    end
  endtask

  initial begin : run
    clk = 1'b0; rst_n = 1'b0; start = 1'b0;
    receive_valid = '0; receive = '0; send_valid = '0; send = '0; own_valid = '0; own_flit = '0;
    for (int s = 0; s < Streams; s++) got[s] = 0;
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    // node 0: its packets through port 0, and a comes back
    give_send(0, 1, 1'b1, 0, 0);
    give_send(0, 3, 1'b1, 0, 0);
    give_send(0, 8, 1'b1, 0, 0);
    give_receive(0, 1, Deliver, 0, 0, 0, 0);
    // node 1: a and then d in buffer 0, the sum in buffer 1
    give_receive(4, 1, Store, 2, 1, 0, 0);
    give_receive(4, 4, CombineDeliver, 1, 2, 0, 1);
    give_receive(4, 5, Store, 1, 1, 1, 0);
    give_receive(3, 4, CombineDeliver, 1, 2, 0, 1);
    give_send(2, 4, 1'b0, 0, 0);
    give_send(2, 6, 1'b0, 0, 1);
    give_send(2, 9, 1'b0, 1, 0);
    give_send(3, 4, 1'b0, 0, 0);
    // node 2: c through port 1
    give_send(5, 3, 1'b1, 0, 0);
    give_receive(7, 1, Deliver, 0, 0, 0, 0);
    give_receive(7, 4, Deliver, 0, 0, 0, 0);
    give_receive(7, 5, Deliver, 0, 0, 0, 0);
    give_packet(0, 1);
    give_packet(7, 3);
    repeat (4) @(negedge clk);
    check(cycle === 0 && running === 1'b0 && wait_credit === '0, 3);
    start = 1'b1;
    own_valid[0] = 1'b1;  // the rest of node 0's packets follow as the first leaves
    own_flit[0 +: FlitWidth] = packet_flit(2, 0);
    check(own_ready[0] === 1'b0, 4);
    @(negedge clk);
    start = 1'b0;
    give_packet(0, 2);
    give_packet(0, 5);
    while (idle !== 3'b111) @(negedge clk);
    repeat (4) @(negedge clk);
    check(got[0] == 2 && got[3] == 2 && got[7] == 6, 5);
    check(delivered === {32'd3, 32'd1, 32'd1}, 6);
    check(last_cycle === {32'd13, 32'd5, 32'd6}, 7);
    check(last_step === last_cycle, 8);
    check(delay_sum === {64'd6 + 64'd8 + 64'd13, 64'd5, 64'd6}, 9);
    check(sent === {32'd1, 32'd0, 32'd1, 32'd3, 32'd0, 32'd3}, 10);
    check(received === {32'd3, 32'd0, 32'd3, 32'd1, 32'd0, 32'd1}, 11);
    check(peak_occupancy === {2'd0, 2'd2, 2'd0} && occupancy === '0, 12);
    check(violations === '0 && first_violation === '0 && dry === '0 && first_dry === '0, 13);
    check(mismatches === '0 && first_mismatch === '0 && wait_buffer === '0 && late === '0, 14);
    $display("tdm_bench: relay, multicast, combination and a late send as planned, last delivery in cycle %0d",
             last_cycle[95:64]);
    $display("tdm_bench: PASS");
    $finish;
  end
endmodule
