pifo/label_table.sv
pifo/packet_store.sv
pifo/rank_buckets.sv
pifo/pifo_queue.sv
pifo/queue_peaks.sv
pifo/link_balancer.sv
pifo/pifo_node.sv
