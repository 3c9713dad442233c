// way_parameters - the parameters of a line_way and of its parts.
  parameter int Plus        = 1,  // 1: towards larger coordinates, 0: towards smaller
  parameter int Digits      = 2,
  parameter int DigitWidth  = 2,
  localparam int AddressWidth = Digits * DigitWidth,
  localparam int RankWidth    = (Digits + 1) * DigitWidth,
