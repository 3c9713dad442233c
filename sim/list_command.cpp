#include "sim/list_command.hpp"

#include <fmt/format.h>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/claim/claim.hpp"
#include "sim/topology_page.hpp"

namespace safnet {

int list_command(const std::string& what) {
  if (what == "topologies") {
    return topology_page({});
  } else if (what == "collectives") {
    for (const CollectiveName& name : collective_names()) {
      fmt::print("{:<15} {:<9} {}{}\n", name.name, name.mpi_name, name.description,
                 name.has_destination ? " (--root, --destination)"
                 : name.has_root      ? " (--root)"
                                      : "");
    }
  } else if (what == "algorithms") {
    for (const Algorithm& algorithm : algorithms()) {
      fmt::print("{:<15} {:<28} {} [{}; {}]\n", to_string(algorithm.collective), algorithm.name,
                 algorithm.description, algorithm.domain, algorithm.source);
    }
  } else {
    for (const Claim& claim : claims()) {
      fmt::print("{:<16} {:<26} {} [{}]\n", claim.id, claim.section, claim.statement, claim.sizes);
    }
  }
  return 0;
}

}  // namespace safnet
