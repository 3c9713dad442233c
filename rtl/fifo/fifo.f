fifo/route_table.sv
fifo/fifo_lane.sv
fifo/fifo_queue.sv
fifo/fifo_node.sv
