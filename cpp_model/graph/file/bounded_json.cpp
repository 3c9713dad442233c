#include "cpp_model/graph/file/bounded_json.hpp"

#include <filesystem>
#include <fstream>
#include <set>
#include <vector>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

constexpr std::size_t kLongestParserMessage = 240;

}  // namespace

nlohmann::json parse_bounded_json(std::string_view text, const std::string& shown) {
  using Json = nlohmann::json;
  const BadFile wrong(shown);
  std::size_t values = 0;
  std::vector<std::set<std::string>> keys;  // of open objects; the parser keeps the last of equal ones
  const auto watch = [&](int depth, Json::parse_event_t event, Json& parsed) {
    switch (event) {
      case Json::parse_event_t::object_start:
        keys.emplace_back();
        [[fallthrough]];
      case Json::parse_event_t::array_start:
        if (depth >= kMaxJsonNesting) throw wrong("nested more than {} deep", kMaxJsonNesting);
        [[fallthrough]];
      case Json::parse_event_t::value:
        if (++values > kMaxJsonValues) throw wrong("expected at most {} values", kMaxJsonValues);
        break;
      case Json::parse_event_t::key:
        if (!keys.back().insert(parsed.get_ref<const std::string&>()).second)
          throw wrong("key {}: given twice", in_quotes(parsed.get_ref<const std::string&>()));
        break;
      case Json::parse_event_t::object_end:
        keys.pop_back();
        break;
      case Json::parse_event_t::array_end:
        break;
    }
    return true;
  };
  try {
    return Json::parse(text, watch);
  } catch (const Json::exception& error) {
    throw wrong("expected JSON; {}",
                printable(std::string_view(error.what()).substr(0, kLongestParserMessage)));
  }
}

std::string why_no_input(const std::string& path) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) return "not found";
  return std::filesystem::is_regular_file(status) ? "" : "expected a regular file";
}

std::string read_bounded_file(const std::string& path, std::uintmax_t max_bytes) {
  const BadFile wrong(one_line(path));
  if (const std::string why = why_no_input(path); !why.empty()) throw wrong("{}", why);
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (error || bytes > max_bytes) throw wrong("expected at most {} bytes", max_bytes);
  std::ifstream file(path, std::ios::binary);
  std::string text(static_cast<std::size_t>(bytes), '\0');
  if (bytes > 0) file.read(text.data(), static_cast<std::streamsize>(bytes));
  if (!file) throw wrong("cannot be read");
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);  // a byte order mark
  return text;
}

}  // namespace safnet
