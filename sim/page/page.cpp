#include "sim/page/page.hpp"

#include <fmt/format.h>

#include "page_assets.hpp"
#include "sim/page/markup.hpp"

namespace safnet {

std::string page(const std::string& title, std::string_view body, const std::string& blocks,
                 const std::vector<std::string_view>& scripts, std::string_view start) {
  // The policy keeps a page from fetching anything, whatever is in it.
  std::string text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src 'unsafe-inline'; img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n"
      "<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n{}"
      "<noscript><p>This page is drawn by its own script, which the browser was told not to "
      "run.</p></noscript>\n"
      "{}",
      markup_escaped(title), page_assets::kStyle, body, blocks);
  for (const std::string_view script : scripts) text += fmt::format("<script>\n{}\n</script>\n", script);
  return text + fmt::format("<script>{}</script>\n</body>\n</html>\n", start);
}

std::string page_block(std::string_view name, std::string_view text) {
  return fmt::format("<script id=\"{}\" type=\"application/octet-stream\">{}</script>\n", name, text);
}

}  // namespace safnet
