// bounded_json - JSON from outside: its size and nesting are checked while it is read.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace safnet {

/// Most values (numbers, words, arrays, objects) that are kept, some tens of bytes each.
inline constexpr std::size_t kMaxJsonValues = std::size_t{1} << 24;
inline constexpr int kMaxJsonNesting = 64;

/// Parses JSON. `shown` names the file in messages. Throws std::invalid_argument with one line if it is not
/// JSON, too large or too deep, or an object has a key twice.
nlohmann::json parse_bounded_json(std::string_view text, const std::string& shown);

/// Why `path` cannot be read as a file, such as "not found"; empty if it can. A pipe or device is refused,
/// since reading it may never end.
std::string why_no_input(const std::string& path);

/// The text of a whole regular file of at most `max_bytes`, without a byte order mark. Throws
/// std::invalid_argument with one line.
std::string read_bounded_file(const std::string& path, std::uintmax_t max_bytes);

}  // namespace safnet
