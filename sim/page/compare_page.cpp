#include "sim/page/compare_page.hpp"

#include "page_assets.hpp"
#include "sim/page/page.hpp"
#include "sim/page/recording_block.hpp"

namespace safnet {

std::string compare_page(const ComparisonStory& story, const Recording& first, const Recording& second) {
  nlohmann::ordered_json a{{"title", story.first_name}}, b{{"title", story.second_name}};
  a["comparison"] = {{"title", story.title},     {"headline", story.headline}, {"report", story.report},
                     {"command", story.command}, {"cycle", story.cycle},       {"links", story.links}};
  return page(story.title, page_assets::kComparePage,
              page_block("recording-a", recording_block(first, {}, std::move(a))) +
                  page_block("recording-b", recording_block(second, {}, std::move(b))),
              {page_assets::kBlockScript, page_assets::kRecordingScript, page_assets::kCompareScript},
              "openPage(async () => new ComparePage(await recordingIn(\"recording-a\"), await "
              "recordingIn(\"recording-b\")));");
}

}  // namespace safnet
