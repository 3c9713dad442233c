#include <algorithm>
#include <array>

#include "sim/report/claim_report.hpp"
#include "sim/report/markup.hpp"

namespace safnet {
namespace {

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

// What a paper says that is not so.
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
