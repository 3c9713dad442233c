network/pifo_network.sv
network/tdm_network.sv
