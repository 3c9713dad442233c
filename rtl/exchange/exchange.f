exchange/tree_sum.sv
exchange/exchange_timer.sv
exchange/class_stamp.sv
exchange/exchange_node.sv
exchange/linked_exchange_node.sv
