#include "sim/report/claim_report.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "cpp_model/claim/claim_sizes.hpp"
#include "sim/page/markup.hpp"
#include "sim/page/table_page.hpp"

namespace safnet {

const std::string& to_string(Decider decider) {
  static const std::string names[kDeciders] = {"router",         "scan node", "dynamic",
                                               "planned router", "timetable", "computation"};
  return names[static_cast<std::size_t>(decider)];
}

std::string to_words(const ByDecider& counts) {
  std::vector<std::string> words;
  for (const auto& [decider, number] : counts)
    words.push_back(fmt::format("{} {}", to_string(decider), number));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string ClaimOutcome::contradiction() const {
  const bool has_steps = on_hardware() && unit != Unit::kNothing;
  std::string came = !has_steps  ? ""
                     : completed ? fmt::format(": {} {}", measured, unit_word())
                                 : ": goes wrong";
  if (!printed->quantity.empty()) came += fmt::format("; {} {}", found.str(), printed->quantity);
  return fmt::format("{}; printed: {}", came, printed->in_words(unit_word()));
}

const ClaimOutcome* ClaimRow::counterexample() const {
  const ClaimOutcome* smallest = nullptr;
  for (const ClaimOutcome& o : outcomes) {
    if (!o.printed || !o.problem.empty()) continue;
    const auto rank = [](const ClaimOutcome& each) { return std::pair(!each.on_hardware(), each.nodes); };
    if (smallest == nullptr || rank(o) < rank(*smallest)) smallest = &o;
  }
  return smallest;
}

bool ClaimRow::holds() const {
  return !outcomes.empty() && std::ranges::all_of(outcomes, &std::string::empty, &ClaimOutcome::problem) &&
         needs_counterexample(claim->finding) == (counterexample() != nullptr);
}

std::string ClaimRow::verdict() const { return holds() ? to_string(claim->finding) : "FAILED"; }

ByDecider ClaimRow::decided() const {
  ByDecider counts;
  for (const ClaimOutcome& o : outcomes) ++counts[o.decided_by];
  return counts;
}

Decider ClaimRow::decided_by() const {
  return outcomes.empty() ? Decider::kComputation : decided().begin()->first;
}

double ClaimRow::seconds() const {
  double sum = 0;
  for (const ClaimOutcome& o : outcomes) sum += o.seconds;
  return sum;
}

std::string ClaimRow::range() const {
  std::vector<std::uint64_t> measured, expected;
  std::set<Relation> relations;
  bool cycles = false;
  for (const ClaimOutcome& o : outcomes) {
    if (!o.on_hardware() || !o.completed || o.unit == ClaimOutcome::Unit::kNothing) continue;
    measured.push_back(o.measured);
    expected.push_back(o.expected);
    relations.insert(o.relation);
    cycles |= o.unit == ClaimOutcome::Unit::kCycles;
  }
  if (measured.empty()) return "-";
  const auto span = [](const std::vector<std::uint64_t>& numbers) {
    const auto [low, high] = std::ranges::minmax(numbers);
    return fmt::format("{}..{}", low, high);
  };
  const bool only_lower = relations == std::set{Relation::kAtLeast};
  const bool only_upper = relations == std::set{Relation::kAtMost};
  return fmt::format("{} / {}{}{}", span(measured),
                     only_lower   ? ">="
                     : only_upper ? "<="
                                  : "",
                     span(expected), cycles ? " cycles" : "");
}

std::string ClaimRow::more_with_empty_hosts() const {
  std::vector<std::uint64_t> more;
  for (const ClaimOutcome& o : outcomes) {
    if (o.with_empty_hosts) more.push_back(*o.with_empty_hosts - o.measured);
  }
  if (more.empty()) return {};
  const auto [least, most] = std::ranges::minmax(more);
  return least == most ? fmt::format("+{}", least) : fmt::format("+{}..{}", least, most);
}

namespace {

Json printed_json(const ClaimOutcome& o) {
  if (!o.printed) return nullptr;
  const PrintedValue& printed = *o.printed;
  return {{"quantity", printed.quantity.empty() ? o.unit_word() : printed.quantity},
          {"relation", printed.relation == Relation::kExactly ? "exactly " : to_words(printed.relation)},
          {"value", printed.value.str()},
          {"found", o.found.str()},
          {"source", printed.source}};
}

Json outcome_json(const ClaimOutcome& o) {
  Json json{{o.on_hardware() ? "run" : "check", o.name}, {"decided_by", to_string(o.decided_by)}};
  if (o.on_hardware()) {
    json.update({{"nodes", o.nodes},
                 {o.unit_word(), o.measured},
                 {"expected", o.expected},
                 {"goes_wrong_as_expected", !o.completed}});
    if (o.with_empty_hosts) json["steps_with_empty_hosts"] = *o.with_empty_hosts;
  }
  json.update({{"printed", printed_json(o)}, {"problem", o.problem}});
  return json;
}

constexpr const char* kIntroduction =
    "Routers and nodes written in SystemVerilog carried out what the papers below describe, and their clock "
    "cycles were counted. A *step* is the time a packet takes over one link. Each statement was run on "
    "several networks, or, where it is about graphs or numbers alone, computed; what came out is held "
    "against what the statement's own formula says for that network. `safnet verify --markdown` writes this "
    "page. Under *tried* it says on what: first what is tried without `--full`, then what is tried with it. "
    "Both write the same page.\n\n"
    "- **confirmed**: it holds as printed, wherever it was tried;\n"
    "- **misprint**: a slip of the pen, what was meant holds;\n"
    "- **corrected**: it holds after a correction;\n"
    "- **refuted**: it does not hold, and no small change makes it true;\n"
    "- **beyond**: no paper says it; it was found here and holds wherever it was tried;\n"
    "- **FAILED**: it came out neither as printed nor as was expected here: an error of this program.\n\n"
    "What decided it stands beside each verdict:\n\n"
    "- **router**: routers on the hardware, each of which chooses by itself what it sends next;\n"
    "- **scan node**: nodes on the hardware that find out by themselves who is active;\n"
    "- **dynamic**: such nodes, with packets that arrive at random;\n"
    "- **planned router**: routers that were given the ways and ranks of a plan, and may be ahead of it;\n"
    "- **timetable**: nodes on the hardware that carry out a plan, which sets the number of steps: the "
    "hardware shows that the plan can be carried out and delivers everything in that time;\n"
    "- **computation**: graphs or numbers, without hardware.\n\n";

constexpr std::array kVerdicts{"confirmed", "misprint", "corrected", "refuted", "beyond", "FAILED"};

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

// "router, timetable, computation".
std::string deciders(const ClaimRow& row) {
  std::vector<std::string> words;
  for (const auto& [decider, number] : row.decided()) words.push_back(to_string(decider));
  return fmt::format("{}", fmt::join(words, ", "));
}

// A section on a statement that does not hold as printed.
std::string finding(const ClaimRow& row) {
  const Claim& claim = *row.claim;
  std::string text = fmt::format("#### {}: {}\n\nPublished in {}.\n\n", claim.id, row.verdict(),
                                 markdown_escaped(claim.section));
  text += fmt::format("- What holds: {}\n", markdown_escaped(claim.statement));
  if (const ClaimOutcome* o = row.counterexample()) {
    text += fmt::format("- Smallest counterexample ({}): `{}`{}\n", to_string(o->decided_by), o->name,
                        markdown_escaped(o->contradiction()));
  }
  for (const ClaimOutcome& o : row.outcomes) {
    if (!o.problem.empty()) text += fmt::format("- Failed: `{}`: {}\n", o.name, markdown_escaped(o.problem));
  }
  return text + fmt::format("- Decided by: {}\n- Tried: {}\n\n", deciders(row),
                            markdown_escaped(all_sizes_of(claim)));
}

std::string section(const Paper& paper, const std::vector<const ClaimRow*>& rows) {
  std::string text = fmt::format("## {}\n\n{}\n\n", paper.title, paper.about);
  const auto needs_words = [](const ClaimRow* row) {
    return !row->holds() || needs_counterexample(row->claim->finding);
  };
  if (std::ranges::any_of(rows, needs_words)) {
    text += "### What does not hold as printed\n\n";
    for (const ClaimRow* row : rows) {
      if (needs_words(row)) text += finding(*row);
    }
  }
  text +=
      "### All statements\n\n| claim | published in | verdict | decided by | what holds | tried |\n"
      "| --- | --- | --- | --- | --- | --- |\n";
  for (const ClaimRow* row : rows) {
    text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", row->claim->id,
                        markdown_escaped(row->claim->section), row->verdict(), deciders(*row),
                        markdown_escaped(row->claim->statement), markdown_escaped(all_sizes_of(*row->claim)));
  }
  return text + "\n";
}

}  // namespace

ClaimLines::ClaimLines(const std::vector<ClaimRow>& rows) {
  for (const ClaimRow& row : rows) {
    id_ = std::max(id_, row.claim->id.size());
    section_ = std::max(section_, row.claim->section.size());
  }
}

template <class... Words>
std::string ClaimLines::line(const Words&... words) const {
  return fmt::format("{:<{id}}  {:<{section}}  {:<46}  {:<24}  {:<5}  {:<9}  {} [{}]\n", words...,
                     fmt::arg("id", id_), fmt::arg("section", section_));
}

std::string ClaimLines::heading() const {
  return line("claim", "section", "decided by", "steps measured/expected", "empty", "verdict", "statement",
              "sizes");
}

std::string ClaimLines::of(const ClaimRow& row) const {
  const Claim& claim = *row.claim;
  std::string text = line(claim.id, claim.section, to_words(row.decided()), row.range(),
                          row.more_with_empty_hosts(), row.verdict(), claim.statement, row.sizes);
  if (const ClaimOutcome* o = row.counterexample()) {
    text +=
        fmt::format("  counterexample ({}): {}{}\n", to_string(o->decided_by), o->name, o->contradiction());
  } else if (needs_counterexample(claim.finding)) {
    text += "  failed: nothing contradicts the printed statement\n";
  }
  std::size_t shown = 0;
  for (const ClaimOutcome& o : row.outcomes) {
    if (!o.problem.empty() && shown++ < 3) text += fmt::format("  failed: {}: {}\n", o.name, o.problem);
  }
  return text;
}

Json claims_json(const std::vector<ClaimRow>& rows) {
  return json_array(rows, [](const ClaimRow& row) {
    Json json{{"claim", row.claim->id}};
    ADD_MEMBERS(json, *row.claim, section, statement);
    json["holds_as_printed"] = row.claim->finding == Finding::kHolds;
    ADD_MEMBERS(json, row, sizes);
    json.update({{"verdict", row.verdict()},
                 {"decided_by", to_string(row.decided_by())},
                 {"runs", json_array(row.outcomes, outcome_json)}});
    if (const ClaimOutcome* o = row.counterexample())
      json["counterexample"] = {{"case", o->name + o->contradiction()}, {"printed", printed_json(*o)}};
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

std::string ledger_page(const std::vector<ClaimRow>& rows, const std::string& command) {
  TableOfPage table;
  table.title = "Published statements, tried on the hardware";
  table.headline =
      "A click on a claim shows its runs: each line is a command that repeats one, and what came of it.";
  table.command = command;
  table.columns = {{"claim"},
                   {"published in"},
                   {"paper", true},
                   {"verdict", true},
                   {"decided by", true},
                   {"steps measured/expected"},
                   {"statement"},
                   {"sizes"}};
  table.judged = 3;
  for (const ClaimRow& row : rows) {
    TableOfPage::Row shown;
    const std::string& id = row.claim->id;
    shown.cells = {id,
                   row.claim->section,
                   id.substr(0, id.find('.')),
                   row.verdict(),
                   to_string(row.decided_by()),
                   row.range(),
                   row.claim->statement,
                   row.sizes};
    shown.lines.push_back(fmt::format("build/safnet verify --claim {}", id));
    if (const ClaimOutcome* o = row.counterexample())
      shown.lines.push_back("counterexample: " + o->name + o->contradiction());
    for (const ClaimOutcome& o : row.outcomes) {
      std::string line = o.name;
      if (o.on_hardware())
        line += fmt::format(": {} {}, expected {} [{}]", o.measured, o.unit_word(), o.expected,
                            to_string(o.decided_by));
      shown.lines.push_back(line + (o.problem.empty() ? "" : "  FAILED: " + o.problem));
    }
    shown.good = row.claim->finding == Finding::kHolds && row.holds();
    shown.bad = !row.holds();
    table.rows.push_back(std::move(shown));
  }
  return table_page(table);
}

}  // namespace safnet
