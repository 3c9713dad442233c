// task_problem - what a caller of the library said, as the rest of the program has it. Not part of the
// interface.
#pragma once

#include <cstdint>

#include "cpp_model/schedule/problem.hpp"
#include "sim/library/task.hpp"
#include "sim/library/topology.hpp"

namespace safnet::lab {

/// Throws std::invalid_argument, "WHAT VALUE: expected LOW to HIGH", for values outside.
void require(const char* what, std::uint64_t value, std::uint64_t low, std::uint64_t high);

/// Throws std::invalid_argument for a collective, port model, root or number of messages that there is not.
Problem problem_of(const Topology& topology, const Task& task);

}  // namespace safnet::lab
