#include "sim/report/deadlock_report.hpp"

#include <algorithm>

#include "cpp_model/graph/node_words.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

constexpr std::size_t kShownLinks = 8;

std::string circle_in_words(const Graph& graph, const std::vector<LinkId>& circle) {
  std::string words;
  for (std::size_t i = 0; i < std::min(circle.size(), kShownLinks); ++i)
    words += (i == 0 ? "" : " -> ") + link_in_words(graph, circle[i]);
  return words + (circle.size() > kShownLinks ? " -> ..." : "") + " -> " +
         link_in_words(graph, circle.front());
}

std::string trial_in_words(const RunResult& trial) {
  if (trial.stuck) return "stuck";
  return trial.exit_code() == 0 ? fmt::format("all delivered after {}", counted(trial.cycles, "cycle"))
                                : "failed: " + trial.problems.front();
}

// What is said of each kind of analysis.
void add(Json& json, const Graph& graph, const DeadlockAnalysis& analysis) {
  const auto link_json = [&](LinkId link) {
    return Json{{"link", link},
                {"from", graph.link_source(link)},
                {"port", graph.link_port(link)},
                {"to", graph.link_target(link)}};
  };
  ADD_MEMBERS(json["analysis"], analysis, links, waits);
  json["circle"] = json_array(analysis.circle, link_json);
  json["numbered_links"] = Json::array();
  for (LinkId link = 0; link < analysis.chain.size(); ++link) {
    if (analysis.chain[link] == 0) continue;
    json["numbered_links"].push_back(link_json(link));
    json["numbered_links"].back()["number"] = analysis.chain[link];
  }
}
void add(Json& json, const Graph& graph, const TdmWaits& analysis) {
  ADD_MEMBERS(json["analysis"], analysis, instructions, waits, never, longest);
  json["circle"] = json_array(analysis.circle, [&](const TdmInstruction& i) { return in_words(graph, i); });
  json["unfed"] = analysis.unfed ? Json(in_words(graph, *analysis.unfed)) : Json();
}

void add(TextReport& text, const Graph& graph, const DeadlockAnalysis& analysis) {
  text.line("links", "{} that packets cross; {} of one for a place behind another", analysis.links,
            counted(analysis.waits, "wait"));
  if (analysis.circle.empty()) {
    const std::uint32_t longest = analysis.chain.empty() ? 0 : *std::ranges::max_element(analysis.chain);
    text.line("circle", "none: links have numbers of 1 to {}, and every wait leads to a smaller one",
              longest);
    text.line("deadlock", "none, however short the queues");
  } else {
    text.line("circle", "{}: {}", counted(analysis.circle.size(), "link"),
              circle_in_words(graph, analysis.circle));
    text.line("deadlock", "possible, if queues are short and full at the same time");
  }
}
void add(TextReport& text, const Graph& graph, const TdmWaits& analysis) {
  text.line("instructions", "{} of sends and receives; {} of one for another", analysis.instructions,
            counted(analysis.waits, "wait"));
  if (analysis.never == 0) {
    text.line("circle", "none: the longest chain of waits has {}", counted(analysis.longest, "instruction"));
    text.line("deadlock", "none, however late packets and hosts are");
    return;
  }
  for (std::size_t i = 0; i < std::min(analysis.circle.size(), kShownLinks); ++i)
    text.line(i == 0 ? "circle" : "", "{} waits for the next{}", in_words(graph, analysis.circle[i]),
              i + 1 == analysis.circle.size() ? ", the first" : "");
  if (analysis.circle.size() > kShownLinks)
    text.line("", "... and {} more", analysis.circle.size() - kShownLinks);
  if (analysis.unfed) text.line("unfed", "{} waits for what never comes", in_words(graph, *analysis.unfed));
  text.line("deadlock", "certain: {} never begin", counted(analysis.never, "instruction"));
}

}  // namespace

bool DeadlockStudy::is_free() const {
  const auto* routers = std::get_if<DeadlockAnalysis>(&analysis);
  return routers != nullptr ? routers->circle.empty() : std::get<TdmWaits>(analysis).never == 0;
}

Json to_json(const DeadlockStudy& study) {
  Json json{{"title", study.title}};
  json.update(network_json(study.graph));
  json["deadlock_free"] = study.is_free();
  std::visit([&](const auto& analysis) { add(json, study.graph, analysis); }, study.analysis);
  if (study.trial) {
    json["trial"] = {{"queue_depth", study.trial->parameters.queue_depth},
                     {"stuck", study.trial->stuck},
                     {"cycles", study.trial->cycles},
                     {"waits", study.trial->waits}};
  }
  return json;
}

std::string to_text(const DeadlockStudy& study) {
  TextReport text(study.title);
  std::visit([&](const auto& analysis) { add(text, study.graph, analysis); }, study.analysis);
  if (study.trial) {
    text.line("trial", "queues of {}: {}",
              counted(static_cast<std::uint64_t>(study.trial->parameters.queue_depth), "place"),
              trial_in_words(*study.trial));
    for (const std::string& line : study.trial->waits) text.line("", "{}", line);
  }
  return text.text();
}

}  // namespace safnet
