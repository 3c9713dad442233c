#include "sim/page/table_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/system/output_file.hpp"
#include "page_assets.hpp"
#include "sim/page/markup.hpp"
#include "sim/page/page.hpp"
#include "sim/page/recording_block.hpp"

namespace safnet {
namespace {

using Json = nlohmann::ordered_json;

struct KnownPage {
  const char *file, *title, *words;
};
constexpr std::array kKnownPages{
    KnownPage{
        "survey.html", "Runs",
        "Every collective on a row of networks; each run has a page on which one can watch it, packet by "
        "packet."},
    KnownPage{
        "ledger.html", "Published statements",
        "What papers say of collectives, what came of it on the hardware, and the runs behind each verdict."},
    KnownPage{"optimality.html", "What is left to gain",
              "Every collective on many networks against its lower bound."},
    KnownPage{
        "traffic.html", "Traffic: latency against load",
        "Routers under packets that nodes generate at random, from an idle network to a saturated one."},
    KnownPage{"traffic-one-port.html", "Traffic with one-port nodes",
              "The same with nodes that send one packet and receive one at a time."},
    KnownPage{
        "dynamic-broadcast.html", "Dynamic broadcasting: delay against rate",
        "Packets that arrive at random and are broadcast by nodes that find out who has one, against the "
        "published bound."},
    KnownPage{"areas.html", "Area of each node",
              "What the hardware costs: gates, flip-flops, memory, and an estimate of area and speed in "
              "standard cells."},
    KnownPage{"finite-queues.html", "Finite queues", "Collectives on fat trees with queues of each depth."}};

}  // namespace

std::string table_page(const TableOfPage& table) {
  Json columns = Json::array(), rows = Json::array();
  for (const TableOfPage::Column& column : table.columns)
    columns.push_back({{"title", column.title},
                       {"facet", column.facet},
                       {"number", column.number},
                       {"bar", column.bar},
                       {"wide", column.wide}});
  for (const TableOfPage::Row& row : table.rows) {
    Json json{{"cells", row.cells}};
    if (!row.link.empty()) json["link"] = row.link;
    if (!row.lines.empty()) json["lines"] = row.lines;
    if (row.good || row.bad) json["tone"] = {{"column", table.judged}, {"kind", row.good ? "good" : "bad"}};
    rows.push_back(std::move(json));
  }
  const Json data{{"title", table.title},          {"headline", table.headline}, {"command", table.command},
                  {"columns", std::move(columns)}, {"rows", std::move(rows)},    {"notes", table.notes},
                  {"index", table.with_index}};
  return page(
      table.title, page_assets::kTablePage,
      page_block("table-data", in_base64(gzipped(data.dump(-1, ' ', false, Json::error_handler_t::replace)))),
      {page_assets::kBlockScript, page_assets::kTableScript},
      "openPage(async () => new TablePage(await jsonIn(\"table-data\")));");
}

PageFolder::PageFolder(const char* option, std::string path) : path_(std::move(path)) {
  namespace fs = std::filesystem;
  std::error_code error;
  for (fs::path at = fs::absolute(path_).lexically_normal(); !fs::exists(at, error) && at.has_relative_path();
       at = at.parent_path())
    made_.push_back(at.string());
  fs::create_directories(path_, error);
  if (!error && !fs::is_directory(path_)) error = std::make_error_code(std::errc::not_a_directory);
  const std::string why = error ? error.message() : why_no_output(path_ + "/index.html");
  if (why.empty()) return;
  remove_empty();
  throw bad_input("{} {}: {}", option, in_quotes(path_), why);
}

PageFolder::~PageFolder() { remove_empty(); }

void PageFolder::remove_empty() const {
  std::error_code error;
  for (const std::string& each : made_) std::filesystem::remove(each, error);  // refuses what is not empty
}

bool is_in_page_folder(const std::string& path) {
  const std::filesystem::path file(path);
  return std::ranges::find(kKnownPages, file.filename().string(),
                           [](const KnownPage& page) { return std::string(page.file); }) !=
             kKnownPages.end() &&
         std::filesystem::exists(file.parent_path() / "index.html");
}

std::string write_page_index(const std::string& folder) {
  std::string body =
      "<header><h1>safnet</h1><p>Collective communication on real routers, cycle by "
      "cycle.</p></header>\n<main>\n";
  for (const auto& [file, title, words] : kKnownPages) {
    if (std::filesystem::exists(std::filesystem::path(folder) / file))
      body += fmt::format("<section><h2><a href=\"{}\">{}</a></h2><p>{}</p></section>\n", file, title, words);
  }
  const std::string path = folder + "/index.html";
  write_whole_file(path, page("safnet", body + "</main>\n", "", {}, ""));
  return path;
}

}  // namespace safnet
