// page - the frame of every page for browsers: one file, which fetches nothing and opens offline.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace safnet {

/// A whole page. `body` and `blocks` are markup; `scripts` follow it in this order, then `start` is run.
std::string page(const std::string& title, std::string_view body, const std::string& blocks,
                 const std::vector<std::string_view>& scripts, std::string_view start);

/// Data for the page's scripts, under a name; `text` is of letters, digits, + / and = only.
std::string page_block(std::string_view name, std::string_view text);

}  // namespace safnet
