tree_sum.sv
exchange_timer.sv
class_stamp.sv
exchange_node.sv
linked_exchange_node.sv
