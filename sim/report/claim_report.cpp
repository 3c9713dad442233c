#include "sim/report/claim_report.hpp"

#include <algorithm>
#include <array>

#include "sim/report/markup.hpp"

namespace safnet {

std::string ClaimOutcome::in_words() const {
  if (!on_hardware || unit == Unit::kNothing) return "";
  return completed ? fmt::format(": {} {}", measured, unit == Unit::kCycles ? "cycles" : "steps")
                   : ": goes wrong";
}

const ClaimOutcome* ClaimRow::counterexample() const {
  const ClaimOutcome* smallest = nullptr;
  for (const ClaimOutcome& o : outcomes) {
    if (o.printed.empty() || !o.problem.empty()) continue;
    if (smallest == nullptr || o.nodes < smallest->nodes) smallest = &o;
  }
  return smallest;
}

bool ClaimRow::holds() const {
  return !outcomes.empty() && std::ranges::all_of(outcomes, &std::string::empty, &ClaimOutcome::problem) &&
         (claim->finding == Finding::kHolds) == (counterexample() == nullptr);
}

std::string ClaimRow::verdict() const { return holds() ? to_string(claim->finding) : "FAILED"; }

std::size_t ClaimRow::runs() const {
  return static_cast<std::size_t>(std::ranges::count(outcomes, true, &ClaimOutcome::on_hardware));
}

double ClaimRow::seconds() const {
  double sum = 0;
  for (const ClaimOutcome& o : outcomes) sum += o.seconds;
  return sum;
}

std::string ClaimRow::range() const {
  std::vector<std::uint64_t> measured, expected;
  bool cycles = false;
  for (const ClaimOutcome& o : outcomes) {
    if (!o.on_hardware || !o.completed || o.unit == ClaimOutcome::Unit::kNothing) continue;
    measured.push_back(o.measured);
    expected.push_back(o.expected);
    cycles |= o.unit == ClaimOutcome::Unit::kCycles;
  }
  if (measured.empty()) return "-";
  const auto [low, high] = std::ranges::minmax(measured);
  const auto [expected_low, expected_high] = std::ranges::minmax(expected);
  return fmt::format("{}..{} / {}..{}{}", low, high, expected_low, expected_high, cycles ? " cycles" : "");
}

namespace {

Json outcome_json(const ClaimOutcome& o) {
  if (!o.on_hardware) return {{"check", o.name}, {"printed", o.printed}, {"problem", o.problem}};
  Json json{{"run", o.name},
            {"nodes", o.nodes},
            {o.unit == ClaimOutcome::Unit::kCycles ? "cycles" : "steps", o.measured},
            {"expected", o.expected},
            {"goes_wrong_as_expected", !o.completed}};
  ADD_MEMBERS(json, o, printed, problem);
  return json;
}

constexpr const char* kIntroduction =
    "Routers and nodes written in SystemVerilog carried out what the papers below describe, and their clock "
    "cycles were counted. A *step* is the time a packet takes over one link. Each statement was run on "
    "several "
    "networks, or, where it is about numbers alone, computed; what came out is held against what the "
    "statement's own formula says for that network.\n\n"
    "- **confirmed**: it holds as printed, wherever it was tried;\n"
    "- **misprint**: a slip of the pen, what was meant holds;\n"
    "- **corrected**: it holds after a correction;\n"
    "- **refuted**: it does not hold, and no small change makes it true;\n"
    "- **FAILED**: it came out neither as printed nor as was expected here: an error of this program.\n\n";

constexpr std::array kVerdicts{"confirmed", "misprint", "corrected", "refuted", "FAILED"};

std::size_t count(const std::vector<const ClaimRow*>& rows, const std::string& verdict) {
  return static_cast<std::size_t>(
      std::ranges::count_if(rows, [&](const ClaimRow* row) { return row->verdict() == verdict; }));
}

std::vector<const ClaimRow*> rows_of(const Paper& paper, const std::vector<ClaimRow>& rows) {
  std::vector<const ClaimRow*> found;
  for (const ClaimRow& row : rows) {
    if (row.claim->id.starts_with(paper.prefix + ".")) found.push_back(&row);
  }
  return found;
}

// "12 runs on 4 to 64 nodes and 3 checks"
std::string effort(const ClaimRow& row) {
  std::vector<std::uint64_t> nodes;
  for (const ClaimOutcome& o : row.outcomes) {
    if (o.on_hardware && o.nodes != 0) nodes.push_back(o.nodes);
  }
  std::string text;
  if (row.runs() != 0) text = counted(row.runs(), "run");
  if (!nodes.empty())
    text += fmt::format(" on {} to {} nodes", std::ranges::min(nodes), std::ranges::max(nodes));
  if (row.checks() != 0) text += (text.empty() ? "" : " and ") + counted(row.checks(), "check");
  return text;
}

// A section on a statement that does not hold as printed.
std::string finding(const ClaimRow& row) {
  const Claim& claim = *row.claim;
  std::string text = fmt::format("#### {}: {}\n\nPublished in {}.\n\n", claim.id, row.verdict(),
                                 markdown_escaped(claim.section));
  text += fmt::format("- What holds: {}\n", markdown_escaped(claim.statement));
  if (const ClaimOutcome* o = row.counterexample()) {
    text += fmt::format("- Smallest counterexample: `{}`{}; as printed it would be: {}\n", o->name,
                        o->in_words(), markdown_escaped(o->printed));
  }
  for (const ClaimOutcome& o : row.outcomes) {
    if (!o.problem.empty()) text += fmt::format("- Failed: `{}`: {}\n", o.name, markdown_escaped(o.problem));
  }
  return text + fmt::format("- Tried: {} ({})\n\n", effort(row), markdown_escaped(claim.sizes));
}

std::string section(const Paper& paper, const std::vector<const ClaimRow*>& rows) {
  std::string text = fmt::format("## {}\n\n{}\n\n", paper.title, paper.about);
  if (count(rows, "confirmed") != rows.size()) {
    text += "### What does not hold as printed\n\n";
    for (const ClaimRow* row : rows) {
      if (row->verdict() != "confirmed") text += finding(*row);
    }
  }
  text +=
      "### All statements\n\n| claim | published in | verdict | what holds | tried |\n"
      "| --- | --- | --- | --- | --- |\n";
  for (const ClaimRow* row : rows) {
    text += fmt::format("| {} | {} | {} | {} | {} |\n", row->claim->id, markdown_escaped(row->claim->section),
                        row->verdict(), markdown_escaped(row->claim->statement), effort(*row));
  }
  return text + "\n";
}

}  // namespace

std::string claims_text(const std::vector<ClaimRow>& rows) {
  std::size_t id = 5, section = 7, range = 24;
  for (const ClaimRow& row : rows) {
    id = std::max(id, row.claim->id.size());
    section = std::max(section, row.claim->section.size());
    range = std::max(range, row.range().size());
  }
  std::string text;
  const auto add_line = [&](const auto& claim, const auto& published, const auto&... numbers) {
    text += fmt::format("{:<{}}  {:<{}}", claim, id, published, section);
    text += fmt::format("  {:>5} {:>6}  {:<{}}  {:<9}  {} [{}]\n", numbers...);
  };
  add_line("claim", "section", "runs", "checks", "steps measured/expected", range, "verdict", "statement",
           "sizes");
  for (const ClaimRow& row : rows) {
    const Claim& claim = *row.claim;
    add_line(claim.id, claim.section, row.runs(), row.checks(), row.range(), range, row.verdict(),
             claim.statement, claim.sizes);
    if (const ClaimOutcome* o = row.counterexample()) {
      text += fmt::format("  counterexample: {}{}; printed: {}\n", o->name, o->in_words(), o->printed);
    } else if (claim.finding != Finding::kHolds) {
      text += "  failed: nothing contradicts the printed statement\n";
    }
    std::size_t shown = 0;
    for (const ClaimOutcome& o : row.outcomes) {
      if (!o.problem.empty() && shown++ < 3) text += fmt::format("  failed: {}: {}\n", o.name, o.problem);
    }
  }
  return text;
}

Json claims_json(const std::vector<ClaimRow>& rows) {
  return json_array(rows, [](const ClaimRow& row) {
    Json json{{"claim", row.claim->id}};
    ADD_MEMBERS(json, *row.claim, section, statement);
    json["holds_as_printed"] = row.claim->finding == Finding::kHolds;
    ADD_MEMBERS(json, *row.claim, sizes);
    json.update({{"verdict", row.verdict()}, {"runs", json_array(row.outcomes, outcome_json)}});
    if (const ClaimOutcome* o = row.counterexample())
      json["counterexample"] = {{"case", o->name + o->in_words()}, {"printed", o->printed}};
    return json;
  });
}

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
    // A test case for the whole claim: fails also if it should not hold as printed and nothing contradicts
    // it.
    add(row.claim->id + ": " + to_string(row.claim->finding), 0,
        row.holds() ? "" : "the claim did not come out so");
    for (const ClaimOutcome& o : row.outcomes) add(o.name, o.seconds, o.problem);
    text += "  </testsuite>\n";
  }
  return text + "</testsuites>\n";
}

std::string claims_page(const std::vector<ClaimRow>& rows) {
  std::string summary = fmt::format("| | statements | {} |\n| --- | --- |", fmt::join(kVerdicts, " | "));
  for (std::size_t i = 0; i < kVerdicts.size(); ++i) summary += " --- |";
  summary += "\n";
  std::string sections;
  for (const Paper& paper : papers()) {
    const std::vector<const ClaimRow*> found = rows_of(paper, rows);
    if (found.empty()) continue;
    summary += fmt::format("| {} (claims {}.\\*) | {} |", paper.title, paper.prefix, found.size());
    for (const char* verdict : kVerdicts) summary += fmt::format(" {} |", count(found, verdict));
    summary += "\n";
    sections += section(paper, found);
  }
  return fmt::format("# What the hardware says of the papers\n\n{}{}\n{}", kIntroduction, summary, sections);
}

}  // namespace safnet
