#include "sim/report/fault_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

// What noticed a fault first; of one that no check noticed, what it was.
std::string noticed_by(const FaultTrial& trial) {
  if (!trial.notices.empty() && trial.outcome != FaultOutcome::kLate)
    return std::string(to_string(trial.notices.front().check));
  if (trial.outcome == FaultOutcome::kLate)
    return trial.notices.empty() ? "late: more cycles" : "late: verdict";
  return std::string(to_string(trial.outcome));
}

std::string all_checks(const FaultTrial& trial) {
  std::vector<std::string> checks;
  for (const Notice& notice : trial.notices) checks.emplace_back(to_string(notice.check));
  return fmt::format("{}", fmt::join(checks, " "));
}

std::string range(std::uint32_t low, std::uint32_t high) {
  return low == high ? std::to_string(low) : fmt::format("{}-{}", low, high);
}

// Faults of a kind that the same check noticed first.
struct Group {
  std::size_t faults = 0;
  std::uint32_t least = ~0U, most = 0;  // cycles until the notice
  std::array<std::size_t, 3> named{};
};

Table groups_of(const FaultStudy& study) {
  std::map<std::pair<FaultKind, std::string>, Group> groups;
  for (const FaultTrial& trial : study.campaign.trials) {
    Group& group = groups[{trial.fault.kind, noticed_by(trial)}];
    ++group.faults;
    if (trial.outcome != FaultOutcome::kNoticed) continue;
    group.least = std::min(group.least, trial.cycles_until_notice());
    group.most = std::max(group.most, trial.cycles_until_notice());
    ++group.named[static_cast<std::size_t>(trial.named())];
  }
  Table table{{"fault", "noticed first by", "faults", "after cycles", "named: place", "an end", "nothing"}};
  for (const auto& [key, group] : groups) {
    const bool noticed = group.most >= group.least;
    const auto of = [&](Named named) {
      return noticed ? std::to_string(group.named[static_cast<std::size_t>(named)]) : "";
    };
    table.rows.push_back({name_of(key.first).word, key.second, std::to_string(group.faults),
                          noticed ? range(group.least, group.most) : "", of(Named::kPlace), of(Named::kEnd),
                          of(Named::kNothing)});
  }
  return table;
}

std::string in_words(const FaultTrial& trial, const Graph& graph) {
  std::string text = fmt::format("{} at {}, {}", name_of(trial.fault.kind).word,
                                 one_line(place_in_words(trial.fault, graph)),
                                 trial.struck ? fmt::format("cycle {}", *trial.struck)
                                              : fmt::format("from cycle {} on", trial.fault.from));
  text += fmt::format(": {}", to_string(trial.outcome));
  for (const Notice& notice : trial.notices)
    text += fmt::format("; {} in cycle {}: {}", to_string(notice.check), notice.cycle, one_line(notice.text));
  return text;
}

}  // namespace

Table table_of(const FaultStudy& study) {
  Table table{{"fault", "place", "from", "struck", "outcome", "noticed_by", "after", "named", "checks",
               "cycles", "message"}};
  for (const FaultTrial& trial : study.campaign.trials) {
    const bool noticed = trial.outcome == FaultOutcome::kNoticed;
    table.rows.push_back({name_of(trial.fault.kind).word, place_in_words(trial.fault, study.graph),
                          std::to_string(trial.fault.from), trial.struck ? std::to_string(*trial.struck) : "",
                          std::string(to_string(trial.outcome)),
                          noticed ? std::string(to_string(trial.notices.front().check)) : "",
                          noticed ? std::to_string(trial.cycles_until_notice()) : "",
                          noticed ? std::string(to_string(trial.named())) : "", all_checks(trial),
                          trial.outcome == FaultOutcome::kLate ? std::to_string(trial.cycles) : "",
                          trial.notices.empty() ? "" : trial.notices.front().text});
  }
  return table;
}

Json to_json(const FaultStudy& study) {
  const FaultCampaign& campaign = study.campaign;
  Json json = network_json(study.graph);
  json["run"] = study.title;
  Json sound;
  ADD_MEMBERS(sound, campaign.sound, steps, cycles, transmissions, delivered, verdict);
  json["sound_run"] = sound;
  ADD_MEMBERS(json, campaign, cycles, possible, same);
  ADD_MEMBERS(json, study.choice, seed);
  json["sampled"] = campaign.drawn < campaign.possible;
  json["delay"] = study.choice.trial.delay;
  json["without_checks"] =
      json_array(study.choice.trial.without, [](Check check) { return to_string(check); });
  json["runs"] = campaign.trials.size();
  json.update({{"not_struck", campaign.count(FaultOutcome::kNotStruck)},
               {"noticed", campaign.count(FaultOutcome::kNoticed)},
               {"late", campaign.count(FaultOutcome::kLate)},
               {"harmless", campaign.count(FaultOutcome::kHarmless)},
               {"silent", campaign.count(FaultOutcome::kSilent)}});
  json["faults"] = json_array(campaign.trials, [&](const FaultTrial& trial) {
    Json each{{"fault", name_of(trial.fault.kind).word},
              {"place", place_in_words(trial.fault, study.graph)},
              {"node", trial.fault.node}};
    if (!name_of(trial.fault.kind).of_node) each["port"] = trial.fault.port;
    each.update({{"from", trial.fault.from},
                 {"struck", or_null(trial.struck)},
                 {"outcome", to_string(trial.outcome)}});
    if (trial.outcome == FaultOutcome::kNoticed)
      each.update({{"after", trial.cycles_until_notice()}, {"named", to_string(trial.named())}});
    if (trial.outcome == FaultOutcome::kLate) ADD_MEMBERS(each, trial, steps, cycles);
    each["notices"] = json_array(trial.notices, [](const Notice& notice) {
      return Json{{"check", to_string(notice.check)},
                  {"cycle", notice.cycle},
                  {"named", to_string(notice.named)},
                  {"message", notice.text}};
    });
    return each;
  });
  return json;
}

std::string to_text(const FaultStudy& study) {
  const FaultCampaign& campaign = study.campaign;
  TextReport text(fmt::format("faults in {}", study.title));
  text.line("sound run", "{} steps, {} cycles, {}", campaign.sound.steps, campaign.sound.cycles,
            campaign.sound.verdict);
  text.line("faults", "{}, from cycle {} on; {} of them strike what another one does",
            campaign.drawn == campaign.possible
                ? fmt::format("all {} of the choice", campaign.drawn)
                : fmt::format("a sample: {} of {}, drawn at random, seed {}", campaign.drawn,
                              campaign.possible, study.choice.seed),
            fmt::join(campaign.cycles, ", "), campaign.same);
  if (!study.choice.trial.without.empty()) {
    std::vector<std::string_view> left_out;
    for (const Check check : study.choice.trial.without) left_out.push_back(to_string(check));
    text.line("left out", "{}: what these checks say does not count", fmt::join(left_out, ", "));
  }
  text.line("outcome", "of {} runs {} noticed, {} late, {} harmless, {} not struck, {} SILENT",
            campaign.trials.size(), campaign.count(FaultOutcome::kNoticed),
            campaign.count(FaultOutcome::kLate), campaign.count(FaultOutcome::kHarmless),
            campaign.count(FaultOutcome::kNotStruck), campaign.count(FaultOutcome::kSilent));
  std::string all = text.text() + "\n" + to_text(groups_of(study));
  const auto add_lines = [&](auto wanted) {
    for (const FaultTrial& trial : campaign.trials) {
      if (wanted(trial)) all += in_words(trial, study.graph) + "\n";
    }
  };
  if (study.each) {
    all += "\n";
    add_lines([](const FaultTrial&) { return true; });
  } else if (campaign.count(FaultOutcome::kSilent) != 0) {
    all += "\n";
    add_lines([](const FaultTrial& trial) { return trial.outcome == FaultOutcome::kSilent; });
  }
  return all;
}

}  // namespace safnet
