// pifo_settings - the quasi-static inputs of a pifo_node, and of a whole network of them.
`include "common/node_settings.svh"
`INPUT(16, grant_cycles_i)  // one-port: cycles from request to start, 2 * link_latency_i + 2; 0: nobody asks
`INPUT(16, queue_depth_i)   // packets per link, up to QueueDepth
