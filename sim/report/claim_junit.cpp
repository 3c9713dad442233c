#include <algorithm>

#include "sim/report/claim_report.hpp"
#include "sim/report/markup.hpp"

namespace safnet {

std::string claims_junit(const std::vector<ClaimRow>& rows) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const ClaimRow& row : rows) {
    const std::string id = markup_escaped(row.claim->id);
    const auto passed = std::ranges::count_if(row.outcomes, &std::string::empty, &ClaimOutcome::problem);
    const std::size_t failures = row.outcomes.size() - static_cast<std::size_t>(passed);
    text += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" time=\"{:.3f}\">\n", id,
                        row.outcomes.size() + 1, failures + (row.holds() ? 0 : 1), row.seconds());
    const auto add = [&](const std::string& name, double seconds, const std::string& failure) {
      text += fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\"", id,
                          markup_escaped(name), seconds);
      text += failure.empty()
                  ? "/>\n"
                  : fmt::format("><failure message=\"{}\"/></testcase>\n", markup_escaped(failure));
    };
    // The claim as a whole: also that something contradicts it where it does not hold as printed.
    add(row.claim->id + ": " + to_string(row.claim->finding), 0,
        row.holds() ? "" : "the claim did not come out so");
    for (const ClaimOutcome& o : row.outcomes) add(o.name, o.seconds, o.problem);
    text += "  </testsuite>\n";
  }
  return text + "</testsuites>\n";
}

}  // namespace safnet
