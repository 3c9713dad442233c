// way_ports - what a line_way and its parts are told of the line, of the node on it and of the timetable.
`INPUT(DigitWidth + 1, base_i)
`INPUT(1, ring_i)
`INPUT(1, two_pieces_i)
`INPUT(1, alternate_i)
`INPUT(RankWidth, own_digits_i)    // the node's digits up to the current one, zeros above
`INPUT(DigitWidth, coordinate_i)   // its current digit
`INPUT(IndexWidth, digit_i)
`INPUT(DigitWidth, hop_i)          // slot within the batch, on this way
`INPUT(1, finished_i)              // this way has no batches left
`INPUT(RankWidth, total_i)         // number of packets
