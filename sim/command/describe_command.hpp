// describe_command - `safnet describe`: what is known of a network before anything runs on it.
#pragma once

#include <string>

namespace safnet {

/// Prints sizes, degrees, cuts and distances of a topology, each distance found by search beside its
/// published formula. Returns the exit code: 1 if a formula does not agree. Throws std::invalid_argument with
/// one line.
int describe_command(const std::string& topology, bool json);

}  // namespace safnet
