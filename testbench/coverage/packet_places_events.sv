// packet_places_events - the rows of the cycle table of packet_places (rtl/common/README.md), and its other cases.
module packet_places_events #(
  parameter int Ports = 4,
  parameter int Depth = 16
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             commit_i,
  input logic [Ports-1:0] commit_mask_i,
  input logic             pass_i,
  input logic             room_o,
  input logic [Ports-1:0] taken_i,
  input logic             release_i,
  input logic             credit_o,
  input logic             owing_o
);
  logic several, arrives;
  assign arrives = rst_ni && commit_i;
  assign several = (commit_mask_i & (commit_mask_i - Ports'(1))) != '0;

  packet_for_several_outputs:    cover property (@(posedge clk_i) arrives && several && taken_i == '0);
  packet_comes_as_one_is_taken:  cover property (@(posedge clk_i) arrives && taken_i != '0);
  two_copies_taken_in_one_cycle: cover property (@(posedge clk_i) rst_ni && (taken_i & (taken_i - Ports'(1))) != '0);
  credit_and_another_to_come:    cover property (@(posedge clk_i) rst_ni && credit_o && owing_o);
  last_credit:                   cover property (@(posedge clk_i) rst_ni && credit_o && !owing_o);
  packet_for_the_host_alone:     cover property (@(posedge clk_i) rst_ni && pass_i);
  no_place_is_free:              cover property (@(posedge clk_i) rst_ni && !room_o);
  place_kept_until_the_start:    cover property (@(posedge clk_i) rst_ni && release_i);
  places_on_a_stack:             cover property (@(posedge clk_i) arrives && Depth > 16);
endmodule

bind packet_places packet_places_events #(.Ports(Ports), .Depth(Depth)) u_events (
  .clk_i, .rst_ni, .commit_i, .commit_mask_i, .pass_i, .room_o, .taken_i, .release_i, .credit_o, .owing_o
);
