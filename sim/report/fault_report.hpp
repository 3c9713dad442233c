// fault_report - what noticed the faults of a campaign: in words, as JSON and as a table of all.
#pragma once

#include <string>

#include "sim/fault/fault_campaign.hpp"
#include "sim/report/report.hpp"
#include "sim/report/table.hpp"

namespace safnet {

struct FaultStudy {
  std::string title;  ///< what is run, on which nodes
  Graph graph;
  FaultChoice choice;
  FaultCampaign campaign;
  bool each = false;  ///< in words: a line for each fault, too
};

Json to_json(const FaultStudy& study);
/// Kinds of faults, by what noticed them first; every silent fault in a line of its own.
std::string to_text(const FaultStudy& study);
/// A row for each fault.
Table table_of(const FaultStudy& study);

}  // namespace safnet
