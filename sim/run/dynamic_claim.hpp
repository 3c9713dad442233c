// dynamic_claim - claims on dynamic broadcasting, as runs.
#pragma once

#include <string>

#include "cpp_model/claim/claim.hpp"
#include "sim/run/dynamic_broadcast.hpp"

namespace safnet {

/// Throws std::invalid_argument if no hardware can run it.
DynamicBroadcastRequest dynamic_request(const DynamicCase& wanted);
/// The command that does the same.
std::string name_of(const DynamicCase& wanted);
/// What is wrong with a run's outcome; empty if it is as expected.
std::string judge(const DynamicCase& wanted, const DynamicBroadcastResult& result);

}  // namespace safnet
