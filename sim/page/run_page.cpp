#include "sim/page/run_page.hpp"

#include <fmt/format.h>

#include "page_assets.hpp"
#include "sim/page/page.hpp"
#include "sim/page/recording_block.hpp"

namespace safnet {
namespace {

const char* css_class(RunStory::Tone tone) {
  return tone == RunStory::Tone::kGood ? "good" : tone == RunStory::Tone::kBad ? "bad" : "";
}

nlohmann::ordered_json head_of(const RunStory& story) {
  nlohmann::ordered_json head{
      {"title", story.title},          {"headline", story.headline}, {"verdict", story.verdict},
      {"tone", css_class(story.tone)}, {"command", story.command},   {"report", story.report},
      {"problems", story.problems},    {"waits", story.waits},       {"bound", nullptr}};
  if (!story.bound.reason.empty()) {
    head["bound"] = {{"words", fmt::format("No algorithm takes fewer than {}: {}.",
                                           counted(story.bound.steps, "step"), story.bound.reason)},
                     {"count", story.bound.witness.count},
                     {"nodes", story.bound.witness.nodes},
                     {"links", story.bound.witness.links}};
  }
  return head;
}

}  // namespace

std::string run_page(const RunStory& story, const Recording& recording, const CycleRange& shown) {
  return page(story.title, page_assets::kRunPage,
              page_block("recording", recording_block(recording, shown, head_of(story))),
              {page_assets::kBlockScript, page_assets::kRecordingScript, page_assets::kChartJs,
               page_assets::kRunScript},
              "openPage(async () => new RunPage(await recordingIn(\"recording\")));");
}

}  // namespace safnet
