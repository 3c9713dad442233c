tdm/tdm_pkg.sv
tdm/stream_fifo.sv
tdm/combine_unit.sv
tdm/receive_sequencer.sv
tdm/buffer_table.sv
tdm/packet_buffers.sv
tdm/tdm_node.sv
