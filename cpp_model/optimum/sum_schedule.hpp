// sum_schedule - what a search for sums has found, as a schedule.
#pragma once

#include <string>

#include "cpp_model/optimum/sum_search.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {

/// An allreduce of one message. Packet v is what node v contributes; equal sums of a node are one packet, and
/// what a node has already is not sent to it again.
Schedule schedule_of_sums(const Problem& problem, const std::string& algorithm, const SumSearchResult& found);

}  // namespace safnet
