// list - `safnet list`: what there is, as tables.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/claim/claim.hpp"
#include "sim/command/commands.hpp"
#include "sim/command/options.hpp"
#include "sim/report/topology_page.hpp"
#include "sim/run/run.hpp"

namespace safnet {
namespace {

void list_collectives() {
  std::size_t name_width = 0, mpi_width = 0;
  for (const CollectiveName& each : collective_names()) {
    name_width = std::max(name_width, each.name.size());
    if (each.mpi_name != each.name) mpi_width = std::max(mpi_width, each.mpi_name.size());
  }
  for (const CollectiveName& each : collective_names()) {
    fmt::print("{:<{}}  {:<{}}  {}{}\n", each.name, name_width, each.has_active ? "-" : each.mpi_name,
               mpi_width, each.description,
               each.has_destination ? " (--root, --destination)"
               : each.has_root      ? " (--root)"
               : each.has_active    ? " (--active)"
                                    : "");
  }
}

void list_algorithms() {
  std::size_t collective_width = 0, name_width = 0;
  for (const Algorithm& algorithm : algorithms()) {
    collective_width = std::max(collective_width, to_string(algorithm.collective).size());
    name_width = std::max(name_width, algorithm.name.size());
  }
  for (const Algorithm& algorithm : algorithms()) {
    fmt::print("{:<{}}  {:<{}}  {:<4}  {} [{}; {}]\n", to_string(algorithm.collective), collective_width,
               algorithm.name, name_width,
               to_string(algorithm.policy ? NodeChoice::kRouter : NodeChoice::kTdm), algorithm.description,
               algorithm.domain, algorithm.source);
  }
}

void list_claims() {
  for (const Claim& claim : claims())
    fmt::print("{:<16} {:<26} {} [{}]\n", claim.id, claim.section, claim.statement, claim.sizes);
}

struct ListOptions {
  std::string what;
  TopologyPageOptions page;
};

int list(const ListOptions& options) {
  if (options.what == "topologies") return topology_page(options.page);
  if (options.page.markdown || !options.page.pictures.empty())
    throw std::invalid_argument(
        fmt::format("list {}: expected no --markdown or --pictures beside it", options.what));
  if (options.what == "collectives") list_collectives();
  if (options.what == "algorithms") list_algorithms();
  if (options.what == "claims") list_claims();
  return 0;
}

}  // namespace

Action declare_list(CLI::App& command) {
  command.description("what there is");
  auto options = std::make_shared<ListOptions>();
  command.add_option("what", options->what, "topologies, collectives, algorithms or claims")
      ->required()
      ->check(CLI::IsMember({"topologies", "collectives", "algorithms", "claims"}));
  command.add_option("--pictures", options->page.pictures,
                     "topologies: write a small SVG of each family to this folder");
  command.add_flag("--markdown", options->page.markdown,
                   "topologies: print the table of cpp_model/graph/family/README.md");
  return [options] { return list(*options); };
}

}  // namespace safnet
