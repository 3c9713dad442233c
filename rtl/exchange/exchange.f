exchange/exchange_pkg.sv
exchange/tree_sum.sv
exchange/exchange_timer.sv
exchange/class_stamp.sv
exchange/exchange_scan.sv
