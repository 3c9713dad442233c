pifo/label_table.sv
pifo/listed_order.sv
pifo/sorted_order.sv
pifo/packet_order.sv
pifo/queue_peaks.sv
pifo/link_balancer.sv
pifo/pifo_node.sv
