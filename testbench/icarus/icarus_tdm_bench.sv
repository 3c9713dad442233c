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
  localparam int Outputs         = Radix;
  localparam int OwnStreams      = Radix + 1;
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

  localparam int OccupancyWidth  = 2;

  logic        clk_i, rst_ni, start, running, slot_open_next;
  logic [31:0] cycle, step;
`include "common/as_signals.svh"
`include "common/link_wires.svh"
`include "tdm/tdm_ports.svh"
`include "tdm/tdm_settings.svh"

  assign slot_cycles_i  = 32'd1;
  assign link_latency_i = 16'd1;
  assign port_model_i   = 2'(safnet_pkg::AllPort);
  assign window_i       = 16'd3;
  slot_timer u_timer (
    .slot_cycles_i,
    .clk_i, .rst_ni, .start_i (start), .running_o (running), .cycle_o (cycle), .step_o (step),
    .slot_open_next_o (slot_open_next)
  );

  for (genvar w = 0; w < Ports; w++) begin : g_wire
    localparam int Peer = (w % Radix == 0) ? w / Radix + 1 : w / Radix - 1;
    if (Peer >= 0 && Peer < Nodes) begin : g_peer
      localparam int There = Peer * Radix + 1 - w % Radix;
      assign rx_valid_i[w]                       = tx_valid_o[There];
      assign rx_flit_i[w*FlitWidth +: FlitWidth] = tx_flit_o[There*FlitWidth +: FlitWidth];
      assign rx_credit_i[w]                      = tx_credit_o[There];
    end else begin : g_no_peer
      assign rx_valid_i[w]                       = 1'b0;
      assign rx_flit_i[w*FlitWidth +: FlitWidth] = '0;
      assign rx_credit_i[w]                      = 1'b0;
    end
  end
  assign fault_drop_i    = '0;
  assign fault_corrupt_i = '0;
  assign {rx_latency_i, rx_interval_i, credit_latency_i, tx_interval_i} = '0;  // all links are alike
  assign operation_i     = tdm_pkg::OperationWidth'(tdm_pkg::CombineSum);
  assign receive_more_i  = '0;
  assign send_more_i     = '0;
  tdm_node #(
    .Radix(Radix), .FlitWidth(FlitWidth), .Flits(Flits), .LinkLatency(2), .Buffers(Buffers),
    .ProgramDepth(4), .Window(4), .NameWidth(NameWidth), .GenerationWidth(GenerationWidth),
    .CountWidth(CountWidth), .Combining(1)
  ) u_node [Nodes-1:0] (.*, .cycle_i (cycle), .step_i (step), .slot_open_next_i (slot_open_next));

  function logic [FlitWidth-1:0] packet_flit(input int name, input int index);
    packet_flit = (index == 0) ? {32'(name) * 32'h9e37_79b9, 32'(name) | (32'd2 << NameWidth)}
                               : {32'(name) * 32'h7f4a_7c15, 32'(name) * 32'hc5a3_96e1};
  endfunction
  function logic [FlitWidth-1:0] sum_flit(input int index);  // of packets 2 and 3, under name 4
    sum_flit = {packet_flit(2, index) >> 32, 32'd0};
    sum_flit[63:32] = 32'(packet_flit(2, index) >> 32) + 32'(packet_flit(3, index) >> 32);
    sum_flit[31:0]  = (index == 0) ? 32'd4 | (32'd2 << NameWidth) : 32'(packet_flit(2, 1)) + 32'(packet_flit(3, 1));
  endfunction

  always #5 clk_i = ~clk_i;
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
  always @(posedge clk_i) begin : monitor
    if (rst_ni === 1'b1) begin
      for (int w = 0; w < Ports; w++) begin
        name_now  = sent_name(w, 32'(cycle));
        index_now = sent_index(w, 32'(cycle));
        check(tx_valid_o[w] === (name_now != 0), 100 + w);
        if (name_now == 4)      check(tx_flit_o[w*FlitWidth +: FlitWidth] === sum_flit(index_now), 110 + w);
        else if (name_now != 0) check(tx_flit_o[w*FlitWidth +: FlitWidth] === packet_flit(name_now, index_now), 120 + w);
        check(late_o[w] === (w == 2 && (cycle == 9 || cycle == 10)), 130 + w);
        check(wait_packet_o[w] === (w == 2 && (cycle == 9 || cycle == 10)), 140 + w);
      end
      for (int s = 0; s < Streams; s++) begin
        check(deliver_valid_o[s] === 1'b0 || deliver_valid_o[s] === 1'b1, 150 + s);
        if (deliver_valid_o[s] === 1'b1) begin
          // lane 0 of node 0 delivers a, lane 0 of node 1 the sum, lane 1 of node 2 first a, then the sum, then d
          index_now = got[s] % 2;
          check(deliver_last_o[s] === (index_now == 1), 160 + s);
          case (s)
            0: check(deliver_flit_o[s*FlitWidth +: FlitWidth] === packet_flit(1, index_now), 170);
            3: check(deliver_flit_o[s*FlitWidth +: FlitWidth] === sum_flit(index_now) && (cycle == 5 || cycle == 6), 171);
            7: check(deliver_flit_o[s*FlitWidth +: FlitWidth] ===
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
    receive_valid_i[stream] = 1'b1;
    receive_i[stream*ReceiveWidth +: ReceiveWidth] = {name, actions, uses, parts, generation, buffer};
    check(receive_ready_o[stream] === 1'b1, 1);
    @(negedge clk_i);
    receive_valid_i = '0;
  endtask
  task give_send(input int port, input logic [31:0] slot, input logic own, input logic [3:0] generation,
                 input logic buffer);
    send_valid_i[port] = 1'b1;
    send_i[port*SendWidth +: SendWidth] = {slot, own, generation, buffer};
    check(send_ready_o[port] === 1'b1, 2);
    @(negedge clk_i);
    send_valid_i = '0;
  endtask
  task give_packet(input int stream, input int name);
    for (int k = 0; k < 2; k++) begin
      own_valid_i[stream] = 1'b1;
      own_flit_i[stream*FlitWidth +: FlitWidth] = packet_flit(name, k);
      while (own_ready_o[stream] !== 1'b1) @(negedge clk_i);
      @(negedge clk_i);
      own_valid_i[stream] = 1'b0;
    end
  endtask

  initial begin : run
    clk_i = 1'b0; rst_ni = 1'b0; start = 1'b0;
    receive_valid_i = '0; receive_i = '0; send_valid_i = '0; send_i = '0; own_valid_i = '0; own_flit_i = '0;
    for (int s = 0; s < Streams; s++) got[s] = 0;
    repeat (3) @(negedge clk_i);
    rst_ni = 1'b1;
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
    repeat (4) @(negedge clk_i);
    check(cycle === 0 && running === 1'b0 && wait_credit_o === '0, 3);
    start = 1'b1;
    own_valid_i[0] = 1'b1;  // the rest of node 0's packets follow as the first leaves
    own_flit_i[0 +: FlitWidth] = packet_flit(2, 0);
    check(own_ready_o[0] === 1'b0, 4);
    @(negedge clk_i);
    start = 1'b0;
    give_packet(0, 2);
    give_packet(0, 5);
    while (idle_o !== 3'b111) @(negedge clk_i);
    repeat (4) @(negedge clk_i);
    check(got[0] == 2 && got[3] == 2 && got[7] == 6, 5);
    check(delivered_o === {32'd3, 32'd1, 32'd1}, 6);
    check(last_delivery_cycle_o === {32'd13, 32'd5, 32'd6}, 7);
    check(last_delivery_step_o === last_delivery_cycle_o, 8);
    check(delay_sum_o === {64'd6 + 64'd8 + 64'd13, 64'd5, 64'd6}, 9);
    check(sent_o === {32'd1, 32'd0, 32'd1, 32'd3, 32'd0, 32'd3}, 10);
    check(received_o === {32'd3, 32'd0, 32'd3, 32'd1, 32'd0, 32'd1}, 11);
    check(peak_occupancy_o === {2'd0, 2'd2, 2'd0} && occupancy_o === '0, 12);
    check(violations_o === '0 && first_violation_cycle_o === '0 && dry_o === '0 && first_dry_cycle_o === '0, 13);
    check(mismatches_o === '0 && first_mismatch_cycle_o === '0 && wait_buffer_o === '0 && late_o === '0, 14);
    $display("tdm_bench: relay, multicast, combination and a late send as planned, last delivery in cycle %0d",
             last_delivery_cycle_o[95:64]);
    $display("tdm_bench: PASS");
    $finish;
  end
endmodule
