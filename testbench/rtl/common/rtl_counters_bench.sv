// rtl_counters_bench - the counters of a node of two ports with four queues, whose host gets packets through three streams.
module rtl_counters_bench #(
  parameter int Radix           = 2,
  parameter int DeliveryStreams = 3,
  parameter int Queues          = 4,
  parameter int OccupancyWidth  = 16
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  input  logic [31:0]                      cycle_i,
  input  logic [31:0]                      step_i,
  input  logic [Radix-1:0]                 sent_i,
  input  logic [Radix-1:0]                 received_i,
  input  logic [DeliveryStreams-1:0]       delivered_i,
  input  logic                             violation_i,
  input  logic [Queues*OccupancyWidth-1:0] occupancy_i,
  input  logic [Queues*OccupancyWidth-1:0] transit_i,
  output logic [Radix*32-1:0]              sent_o,
  output logic [Radix*32-1:0]              received_o,
  output logic [31:0]                      delivered_o,
  output logic [31:0]                      last_delivery_cycle_o,
  output logic [31:0]                      last_delivery_step_o,
  output logic [63:0]                      delay_sum_o,
  output logic [OccupancyWidth-1:0]        occupancy_o,
  output logic [OccupancyWidth-1:0]        peak_occupancy_o,
  output logic [OccupancyWidth-1:0]        peak_transit_o,
  output logic [31:0]                      violations_o,
  output logic [31:0]                      first_violation_cycle_o
);
  counters #(
    .Radix(Radix), .DeliveryStreams(DeliveryStreams), .Queues(Queues), .OccupancyWidth(OccupancyWidth)
  ) u_counters (.*);
endmodule
