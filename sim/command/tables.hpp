// tables - the tables of `safnet table`. Each stands in a file that declares the options it alone has; a new
// one needs that and its line in table.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/command/commands.hpp"
#include "sim/report/table.hpp"

namespace safnet {

/// Arguments and options that all tables have.
struct TableWords {
  std::vector<std::string> of;           ///< rows, such as networks; empty: those of the paper, or a few
  std::optional<std::string> csv, html;  ///< files that the table is written to as well
  bool in_folder = false;                ///< the HTML is a page of a folder with an index
};

/// Prints a table, and writes it as CSV if a file is given.
void print_table(const Table& table, const std::optional<std::string>& csv);

/// Tables 2 and 3 of Fragopoulou and Akl, TR 94-363: the necklaces of tori of equal sides and of doubled
/// cubes, and the same unfolded. Words are topologies.
Action declare_necklaces(CLI::App& command, std::shared_ptr<const TableWords> words);
/// Their Table 4: how many nodes the subtrees of the balanced spanning tree have, by formula, and what is
/// printed otherwise. Words are N,K.
Action declare_subtrees(CLI::App& command, std::shared_ptr<const TableWords> words);
/// Every collective of MPI's on a row of networks: the fewest steps that are known here, on the hardware,
/// against the lower bound. The root is node 0.
Action declare_optimality(CLI::App& command, std::shared_ptr<const TableWords> words);
/// Multinode broadcasts and total exchanges on fat trees, with queues of each depth of --depths and of the
/// depth that they need.
Action declare_finite_queues(CLI::App& command, std::shared_ptr<const TableWords> words);
/// What the nodes of rtl/ cost in gates, flip-flops and standard cells. Words are names of nodes.
Action declare_areas(CLI::App& command, std::shared_ptr<const TableWords> words);

}  // namespace safnet
