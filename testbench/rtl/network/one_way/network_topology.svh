// The ring of three nodes one way: output 0 of a node leads to input 1 of the next; outputs 1 and 2, inputs 0 and 2 are not used.
package network_topology;
  localparam int Nodes = 3;
  localparam int Radix = 3;
  localparam logic [Nodes*Radix-1:0]    IsFed      = 9'b010_010_010;
  localparam logic [Nodes*Radix*16-1:0] FeederNode = {16'd0, 16'd1, 16'd0,  16'd0, 16'd0, 16'd0,  16'd0, 16'd2, 16'd0};
  localparam logic [Nodes*Radix*16-1:0] FeederPort = '0;
  localparam logic [Nodes*Radix-1:0]    IsUsed     = 9'b001_001_001;
  localparam logic [Nodes*Radix*16-1:0] TargetNode = {16'd0, 16'd0, 16'd0,  16'd0, 16'd0, 16'd2,  16'd0, 16'd0, 16'd1};
  localparam logic [Nodes*Radix*16-1:0] TargetPort = {16'd0, 16'd0, 16'd1,  16'd0, 16'd0, 16'd1,  16'd0, 16'd0, 16'd1};
endpackage
