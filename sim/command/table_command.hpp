// table_command - `safnet table`: tables of the papers, computed.
#pragma once

#include <string>
#include <vector>

namespace safnet {

struct TableOptions {
  std::string what;                ///< one of table_names()
  std::vector<std::string> words;  ///< what the table is of; empty: what the paper has
  std::string csv;                 ///< a file for it, in CSV; empty: none
};

const std::vector<std::string>& table_names();

/// Prints the table and returns the exit code. Throws std::invalid_argument with one line.
int table_command(const TableOptions& options);

/// Tables 2 and 3 of Fragopoulou and Akl, TR 94-363: the necklaces of tori of equal sides and of doubled
/// cubes, and the same unfolded. Words are topologies.
int table_necklaces(const TableOptions& options);

/// Their Table 4: how many nodes the subtrees of the balanced spanning tree have, by formula, and what is
/// printed otherwise. Words are N,K.
int table_subtrees(const TableOptions& options);

}  // namespace safnet
