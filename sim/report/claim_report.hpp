// claim_report - the outcomes of `safnet verify`, each in a file of its own: lines for people, JSON and JUnit
// for programs, a page on the findings.
#pragma once

#include <string>
#include <vector>

#include "sim/report/claim_outcome.hpp"
#include "sim/report/report.hpp"

namespace safnet {

/// A line for each claim, with the smallest counterexample and what failed below it.
std::string claims_text(const std::vector<ClaimRow>& rows);
Json claims_json(const std::vector<ClaimRow>& rows);
/// A test suite for each claim, a test case for each run and check.
std::string claims_junit(const std::vector<ClaimRow>& rows);
/// What was found of the papers, in Markdown, for readers who do not know them: by paper, what does not hold
/// as printed, then all statements. It says what these rows have, no more.
std::string claims_page(const std::vector<ClaimRow>& rows);

}  // namespace safnet
