// safnet_pkg - constants and functions that every module shares.
package safnet_pkg;

  // Port models (parameter PortModel).
  localparam int AllPort     = 0;  // every link may be busy in both directions at once
  localparam int OnePort     = 1;  // at most one packet being sent and one being received
  localparam int OnePortSend = 2;  // at most one being sent, any number being received

  // Bits that number `count` things; at least 1, so that a vector of one element still has an index.
  function automatic int index_width(input int count);
    index_width = (count <= 2) ? 1 : $clog2(count);
  endfunction

  function automatic int larger(input int a, input int b);
    larger = (a > b) ? a : b;
  endfunction

  // Places for the packets of a router's inputs: the first of each, and their number in all. Each link has `depth` of them,
  // rounded up so that a place's number is {link, slot}; those of the host, the last input, follow.
  function automatic int first_place(input int number_of_input, input int depth);
    first_place = number_of_input << index_width(depth);
  endfunction

  // Whether the label of an injected packet is looked up: not if each of several injection ports feeds one output.
  function automatic bit looks_up_injected(input int radix, input int inject_ports);
    looks_up_injected = inject_ports < radix || radix == 1;
  endfunction

  function automatic int places(input int links, input int depth, input int host_depth);
    places = first_place(links, depth) + host_depth;
  endfunction

endpackage
