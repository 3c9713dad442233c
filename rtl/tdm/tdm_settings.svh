// tdm_settings - the quasi-static inputs of a tdm_node, and of a whole network of them.
`include "common/node_settings.svh"
`INPUT(16, window_i)        // packets that a link may be granted ahead, up to Window
