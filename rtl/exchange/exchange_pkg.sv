// exchange_pkg - constants of the scan that comes before a partial exchange; the hosts' software needs them too.
package exchange_pkg;

  // Bits of the number of active nodes of a row or column. A host is told {class, column sum, row sum} in one flit.
  localparam int SumWidth = 16;

  // The last entries of the label table describe a node's part in the two trees, in this order.
  localparam int ScanLabels         = 4;
  localparam int LabelRowTowards    = 0;  // ports towards the root of the row; `deliver`: this host is active
  localparam int LabelRowAway       = 1;  // ports away from that root
  localparam int LabelColumnTowards = 2;  // the same of the column
  localparam int LabelColumnAway    = 3;

endpackage
