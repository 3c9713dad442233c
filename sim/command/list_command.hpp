// list_command - `safnet list`: the registries as tables.
#pragma once

#include <string>

namespace safnet {

/// Prints the registry named by `what`: topologies, collectives, algorithms or claims. Returns the exit code.
int list_command(const std::string& what);

}  // namespace safnet
