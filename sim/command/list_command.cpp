#include "sim/command/list_command.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/claim/claim.hpp"
#include "sim/report/topology_page.hpp"
#include "sim/run/run.hpp"
#include "sim/run/scan_run.hpp"

namespace safnet {

int list_command(const std::string& what) {
  if (what == "topologies") {
    return topology_page({});
  } else if (what == "collectives") {
    std::size_t name_width = 0, mpi_width = 0;
    for (const CollectiveName& name : collective_names()) {
      name_width = std::max(name_width, name.name.size());
      if (name.mpi_name != name.name) mpi_width = std::max(mpi_width, name.mpi_name.size());
    }
    for (const ScanCollectiveName& name : scan_collective_names())
      name_width = std::max(name_width, name.name.size());
    for (const CollectiveName& name : collective_names()) {
      fmt::print("{:<{}}  {:<{}}  {}{}\n", name.name, name_width, name.has_active ? "-" : name.mpi_name,
                 mpi_width, name.description,
                 name.has_destination ? " (--root, --destination)"
                 : name.has_root      ? " (--root)"
                 : name.has_active    ? " (--active)"
                                      : "");
    }
    for (const ScanCollectiveName& name : scan_collective_names()) {
      fmt::print("{:<{}}  {:<{}}  {} (--active)\n", name.name, name_width, "-", mpi_width, name.description);
    }
  } else if (what == "algorithms") {
    std::size_t collective_width = 0, name_width = 0;
    for (const Algorithm& algorithm : algorithms()) {
      collective_width = std::max(collective_width, to_string(algorithm.collective).size());
      name_width = std::max(name_width, algorithm.name.size());
    }
    for (const Algorithm& algorithm : algorithms()) {
      fmt::print("{:<{}}  {:<{}}  {:<4}  {} [{}; {}]\n", to_string(algorithm.collective), collective_width,
                 algorithm.name, name_width, to_string(algorithm.policy ? NodeChoice::kPifo : NodeChoice::kTdm),
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
