common/safnet_pkg.sv
common/link.sv
common/node_links.sv
common/slot_timer.sv
common/credit_counter.sv
common/port_limiter.sv
common/transmit_port.sv
common/counters.sv
