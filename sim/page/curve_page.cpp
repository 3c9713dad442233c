#include "sim/page/curve_page.hpp"

#include <nlohmann/json.hpp>

#include "page_assets.hpp"
#include "sim/page/page.hpp"
#include "sim/page/recording_block.hpp"

namespace safnet {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const LinePlot& plot) {
  Json series = Json::array(), limits = Json::array();
  for (const PlotSeries& each : plot.series) {
    Json points = Json::array();
    for (const PlotPoint& point : each.points)
      points.push_back({{"x", point.x}, {"y", point.y}, {"hollow", point.hollow}});
    series.push_back({{"name", each.name}, {"marked", each.marked}, {"points", std::move(points)}});
  }
  for (const PlotLimit& limit : plot.limits) limits.push_back({{"x", limit.x}, {"name", limit.label}});
  const PlotExtent extent = extent_of(plot);
  return {{"x_label", plot.x_label},
          {"y_label", plot.y_label},
          {"logarithmic", plot.logarithmic},
          {"hollow_means", plot.hollow_means},
          {"extent", {{"x_most", extent.x_most}, {"low", extent.low}, {"high", extent.high}}},
          {"series", std::move(series)},
          {"limits", std::move(limits)}};
}

// A title or sentence begins with a capital.
std::string capitalised(std::string words) {
  if (!words.empty() && words[0] >= 'a' && words[0] <= 'z')
    words[0] = static_cast<char>(words[0] - 'a' + 'A');
  return words;
}

}  // namespace

std::string curve_page(const CurvePage& curves, bool with_index) {
  const std::string title = capitalised(curves.plot.title);
  Json rows = Json::array();
  for (const CurvePage::Row& row : curves.rows)
    rows.push_back({{"x", row.x}, {"cells", row.cells}, {"bad", row.bad}});
  const Json data{{"title", title},
                  {"headline", capitalised(curves.headline)},
                  {"sentences", curves.sentences},
                  {"problems", curves.problems},
                  {"command", curves.command},
                  {"index", with_index},
                  {"plot", json_of(curves.plot)},
                  {"columns", curves.columns},
                  {"rows", std::move(rows)}};
  return page(
      title, page_assets::kCurvePage,
      page_block("curve-data", in_base64(gzipped(data.dump(-1, ' ', false, Json::error_handler_t::replace)))),
      {page_assets::kBlockScript, page_assets::kChartJs, page_assets::kCurveScript},
      "openPage(async () => new CurvePage(await jsonIn(\"curve-data\")));");
}

}  // namespace safnet
