// memory - what the machine has, and the refusal of networks that would not fit.
#pragma once

#include <string>

namespace safnet {

/// Memory that programs can still get, in bytes; what the machine has if the system does not say.
double available_bytes();

/// Throws std::invalid_argument, naming the network, if `bytes` are more than 85 % of what is free.
void require_memory(const std::string& network, double bytes);

}  // namespace safnet
