// table - `safnet table`: tables of the papers, computed, and what is optimal where.
#include <fmt/format.h>

#include <array>
#include <memory>
#include <set>
#include <utility>

#include "cpp_model/system/output_file.hpp"
#include "sim/command/options.hpp"
#include "sim/command/tables.hpp"
#include "sim/machine/limits.hpp"
#include "sim/page/table_page.hpp"

namespace safnet {
namespace {

struct NamedTable {
  const char* name;
  Action (*declare)(CLI::App&, std::shared_ptr<const TableWords>);
  bool is_page;  // can be written with --html and --report
};
constexpr std::array kTables{
    NamedTable{"necklaces", declare_necklaces, false}, NamedTable{"subtrees", declare_subtrees, false},
    NamedTable{"optimality", declare_optimality, true},
    NamedTable{"finite-queues", declare_finite_queues, true}, NamedTable{"areas", declare_areas, true}};

struct TableOptions {
  std::string what, report;
  std::shared_ptr<TableWords> words = std::make_shared<TableWords>();
  std::vector<Action> actions;                                       // one for each of kTables
  std::vector<std::pair<const CLI::Option*, std::size_t>> owned_by;  // options that only one table has
};

int table(const TableOptions& options) {
  std::size_t chosen = 0;
  while (kTables.at(chosen).name != options.what) ++chosen;
  for (const auto& [option, owner] : options.owned_by) {
    const bool of_pages = option->get_name() == "--html" || option->get_name() == "--report";
    const bool used = owner == chosen || (of_pages && kTables.at(chosen).is_page);
    if (option->count() != 0 && !used) {
      throw bad_input("{}: expected `table {}` before it, not `table {}`", option->get_name(),
                      kTables.at(owner).name, options.what);
    }
  }
  require_writable_folder("--csv", options.words->csv.value_or(""));
  require_writable_folder("--html", options.words->html.value_or(""));
  if (options.report.empty()) return options.actions[chosen]();
  if (options.words->html) throw bad_input("--report: expected no --html beside it");
  const PageFolder folder("--report", options.report);
  options.words->html = options.report + "/" + options.what + ".html";
  options.words->in_folder = true;
  const int code = options.actions[chosen]();
  fmt::print("pages: {}\n", write_page_index(options.report));
  return code;
}

}  // namespace

void print_table(const Table& table, const std::optional<std::string>& csv) {
  if (csv && !csv->empty()) write_whole_file(*csv, to_csv(table));
  fmt::print("{}", to_text(table));
}

Action declare_table(CLI::App& command) {
  command.description("tables of the papers, and what is optimal where");
  auto options = std::make_shared<TableOptions>();
  std::vector<std::string> names;
  for (const NamedTable& each : kTables) names.emplace_back(each.name);
  command.add_option("what", options->what, fmt::format("{}", fmt::join(names, ", ")))
      ->required()
      ->check(CLI::IsMember(names));
  command.add_option(
      "of", options->words->of,
      "necklaces: networks such as torus:3x3x3; subtrees: N,K such as 4,3; optimality: "
      "networks; finite-queues: fat trees; areas: nodes; default: the paper's, two dozen networks, "
      "all nodes");
  command.add_option("--csv", options->words->csv,
                     "also write it to a file, as CSV; optimality: optimality.csv unless it says otherwise");
  std::set<const CLI::Option*> declared;
  for (const CLI::Option* option : command.get_options()) declared.insert(option);
  for (std::size_t i = 0; i < kTables.size(); ++i) {
    if (kTables[i].is_page && command.get_option_no_throw("--html") == nullptr) {
      command.add_option("--html", options->words->html,
                         "optimality, finite-queues and areas: a table in HTML; optimality: "
                         "optimality.html unless it says otherwise");
      command.add_option("--report", options->report, "the same as a page of this folder, with an index");
    }
    options->actions.push_back(kTables[i].declare(command, options->words));
    for (const CLI::Option* option : command.get_options()) {
      if (declared.insert(option).second) options->owned_by.emplace_back(option, i);
    }
  }
  return [options] { return table(*options); };
}

}  // namespace safnet
