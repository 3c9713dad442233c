// A ring of three nodes: port 0 leads to the next node's port 1; port 2 leads nowhere.
package network_topology;
  localparam int Nodes = 3;
  localparam int Radix = 3;
  localparam logic [Nodes*Radix-1:0]    IsFed      = 9'b011_011_011;
  localparam logic [Nodes*Radix*16-1:0] FeederNode = {16'd0, 16'd1, 16'd0,  16'd0, 16'd0, 16'd2,  16'd0, 16'd2, 16'd1};
  localparam logic [Nodes*Radix*16-1:0] FeederPort = {16'd0, 16'd0, 16'd1,  16'd0, 16'd0, 16'd1,  16'd0, 16'd0, 16'd1};
  localparam logic [Nodes*Radix-1:0]    IsUsed     = IsFed;
  localparam logic [Nodes*Radix*16-1:0] TargetNode = FeederNode;
  localparam logic [Nodes*Radix*16-1:0] TargetPort = FeederPort;
endpackage
