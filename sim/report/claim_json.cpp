#include "sim/report/claim_report.hpp"

namespace safnet {
namespace {

Json outcome_json(const ClaimOutcome& o) {
  if (!o.on_hardware) return {{"check", o.name}, {"printed", o.printed}, {"problem", o.problem}};
  return {{"run", o.name},
          {"nodes", o.nodes},
          {o.unit == ClaimOutcome::Unit::kCycles ? "cycles" : "steps", o.measured},
          {"expected", o.expected},
          {"goes_wrong_as_expected", !o.completed},
          {"printed", o.printed},
          {"problem", o.problem}};
}

}  // namespace

Json claims_json(const std::vector<ClaimRow>& rows) {
  Json all = Json::array();
  for (const ClaimRow& row : rows) {
    Json json{{"claim", row.claim->id},
              {"section", row.claim->section},
              {"statement", row.claim->statement},
              {"holds_as_printed", row.claim->finding == Finding::kHolds},
              {"sizes", row.claim->sizes},
              {"verdict", row.verdict()},
              {"runs", Json::array()}};
    for (const ClaimOutcome& o : row.outcomes) json["runs"].push_back(outcome_json(o));
    if (const ClaimOutcome* o = row.counterexample())
      json["counterexample"] = {{"case", o->name + o->in_words()}, {"printed", o->printed}};
    all.push_back(std::move(json));
  }
  return all;
}

}  // namespace safnet
