#include <algorithm>

#include "sim/report/claim_report.hpp"

namespace safnet {

std::string claims_text(const std::vector<ClaimRow>& rows) {
  std::size_t id = 5, section = 7, range = 24;
  for (const ClaimRow& row : rows) {
    id = std::max(id, row.claim->id.size());
    section = std::max(section, row.claim->section.size());
    range = std::max(range, row.range().size());
  }
  std::string text =
      fmt::format("{:<{}}  {:<{}}  {:>5} {:>6}  {:<{}}  {:<9}  statement [sizes]\n", "claim", id, "section",
                  section, "runs", "checks", "steps measured/expected", range, "verdict");
  for (const ClaimRow& row : rows) {
    text += fmt::format("{:<{}}  {:<{}}  {:>5} {:>6}  {:<{}}  {:<9}  {} [{}]\n", row.claim->id, id,
                        row.claim->section, section, row.runs(), row.checks(), row.range(), range,
                        row.verdict(), row.claim->statement, row.claim->sizes);
    if (const ClaimOutcome* o = row.counterexample()) {
      text += fmt::format("  counterexample: {}{}; printed: {}\n", o->name, o->in_words(), o->printed);
    } else if (row.claim->finding != Finding::kHolds) {
      text += "  failed: nothing contradicts the printed statement\n";
    }
    std::size_t shown = 0;
    for (const ClaimOutcome& o : row.outcomes) {
      if (!o.problem.empty() && shown++ < 3) text += fmt::format("  failed: {}: {}\n", o.name, o.problem);
    }
  }
  return text;
}

}  // namespace safnet
