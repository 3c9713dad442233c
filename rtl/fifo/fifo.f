fifo/route_table.sv
fifo/place_ring.sv
fifo/fifo_queue.sv
fifo/fifo_node.sv
