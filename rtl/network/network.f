network/network_wiring.sv
network/pifo_network.sv
network/tdm_network.sv
