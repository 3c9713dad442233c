// list - `safnet list`: what there is, as tables.
#include <fmt/format.h>

#include <memory>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/claim/claim.hpp"
#include "cpp_model/claim/claim_sizes.hpp"
#include "sim/command/commands.hpp"
#include "sim/command/options.hpp"
#include "sim/machine/limits.hpp"
#include "sim/report/table.hpp"
#include "sim/report/topology_page.hpp"
#include "sim/run/run.hpp"

namespace safnet {
namespace {

Table collectives_table() {
  Table table;
  for (const CollectiveName& each : collective_names()) {
    table.add(each.name, each.has_active ? "-" : each.mpi_name,
              each.description + (each.has_destination ? " (--root, --destination)"
                                  : each.has_root      ? " (--root)"
                                  : each.has_active    ? " (--active)"
                                                       : ""));
  }
  return table;
}

Table algorithms_table() {
  Table table;
  for (const Algorithm& each : algorithms()) {
    table.add(to_string(each.collective), each.name,
              to_string(each.policy ? NodeChoice::kRouter : NodeChoice::kTdm),
              fmt::format("{} [{}; {}]", each.description, each.domain, each.source));
  }
  return table;
}

void list_claims() {
  for (const Claim& claim : claims())
    fmt::print("{:<16} {:<26} {} [{}]\n", claim.id, claim.section, claim.statement, all_sizes_of(claim));
}

struct ListOptions {
  std::string what;
  TopologyPageOptions page;
};

int list(const ListOptions& options) {
  if (options.what == "topologies") return topology_page(options.page);
  if (options.page.markdown || !options.page.pictures.empty())
    throw bad_input("list {}: expected no --markdown or --pictures beside it", options.what);
  if (options.what == "collectives") fmt::print("{}", to_text(collectives_table()));
  if (options.what == "algorithms") fmt::print("{}", to_text(algorithms_table()));
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
