// link_balancer - deals the packets of a branch to its links in turn, as their headers arrive.
//
// A branch is one or more neighbouring ports that lead to the same node; branch_first_i marks the first port of each.
// A mask of the label table names a branch by its first port; this module, between the label table and the receive
// ports, replaces that port by the link whose turn it is. The first packet for a branch goes to its first link and
// each further one to the link after that of the packet before. Of headers that arrive in one cycle the lower input's
// counts as earlier, the host's as the last. With queues in order of arrival and packets of one length a branch of c
// links then behaves exactly like one queue with c servers: of every c packets in a row no two wait for each other. If
// every port is a branch of its own, masks pass through unchanged.
// mask_o follows the inputs combinationally; the state is one bit per port.
module link_balancer #(
  parameter int Radix  = 4,  // ports
  parameter int Inputs = 5   // links and host
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic [Radix-1:0]        branch_first_i,  // constant during a run; a port that leads nowhere is a branch, too
  input  logic [Inputs-1:0]       header_i,        // a packet's first flit arrives in this cycle
  input  logic [Inputs*Radix-1:0] mask_i,          // per input: branches that the packet goes to
  output logic [Inputs*Radix-1:0] mask_o           // per input: links that it goes to
);
  logic [Radix-1:0] last_q;     // per branch, one-hot: the link that got the last packet; no bit before the first packet
  logic [Radix-1:0] last_next;
  logic [Radix-1:0] turn;       // per branch: the link whose turn it is
  logic             begun;      // one of the branch's links from this one up to the last but one got the last packet
  logic             chosen;     // the packet is for this branch
  logic             deals;      // some branch has several links

  assign deals = branch_first_i != '1;
  always_comb begin
    last_next = last_q;
    turn      = '0;
    begun     = 1'b0;
    chosen    = 1'b0;
    mask_o    = mask_i;
    if (deals && header_i != '0) begin
      for (int i = 0; i < Inputs; i++) begin
        if (header_i[i]) begin
          // The turn passes from the link that got the branch's last packet to the one after it; at first to the first.
          begun  = 1'b0;
          chosen = 1'b0;
          for (int p = Radix - 1; p >= 0; p--) begin
            if (branch_first_i[(p + 1) % Radix]) begun = 1'b0;  // the next port begins a branch: this is the end of one
            else                                 begun = begun || last_next[p];
            turn[p] = branch_first_i[p] ? !begun : last_next[(p + Radix - 1) % Radix];
          end
          for (int p = 0; p < Radix; p++) begin
            if (branch_first_i[p]) chosen = mask_i[i*Radix + p];
            mask_o[i*Radix + p] = chosen && turn[p];
            if (chosen) last_next[p] = turn[p];
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                      last_q <= '0;
    else if (deals && header_i != '0) last_q <= last_next;
  end

  // Port 0 follows no other: a branch does not go on from the last port to the first.
  always @(posedge clk_i) begin : a_port_0_begins_a_branch
    if (rst_ni && header_i != '0) assert (branch_first_i[0]);
  end
  always @(posedge clk_i) begin : a_masks_name_branches
    if (rst_ni && deals && header_i != '0) begin
      for (int i = 0; i < Inputs; i++) begin
        if (header_i[i]) assert ((mask_i[i*Radix +: Radix] & ~branch_first_i) == '0);
      end
    end
  end
  always @(posedge clk_i) begin : a_the_first_port_is_first
    if (rst_ni && deals && header_i != '0) assert (branch_first_i[0]);
  end

  initial begin : check_parameters
    if (Radix < 1)  $fatal(1, "link_balancer: Radix must be at least 1");
    if (Inputs < 1) $fatal(1, "link_balancer: Inputs must be at least 1");
  end
endmodule
