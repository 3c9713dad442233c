// order_ports - the ports that all orders of packets have.
`INPUT(Inputs, push_i)
`INPUT(Inputs*PlaceWidth, push_place_i)
`INPUT(Inputs*RankWidth, push_rank_i)
`INPUT(1, pop_i)                    // the head leaves
`INPUT(1, again_i)                  // HasAgain: the head is moved; not together with pop_i
`INPUT(RankWidth, again_rank_i)
`OUTPUT(1, head_valid_o)            // functions of registers
`OUTPUT(PlaceWidth, head_place_o)
`OUTPUT(RankWidth, head_rank_o)
