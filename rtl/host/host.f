common/safnet_pkg.sv
tdm/tdm_pkg.sv
host/stream_player.sv
host/router_host.sv
host/tdm_host.sv
host/scan_host.sv
host/delivery_checker.sv
host/axi_stream_host.sv
