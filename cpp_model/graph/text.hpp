// text - reading words that a user typed, and showing them in one-line messages.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace safnet {

/// The value of a word of decimal digits; nothing if it is empty, holds anything else or does not fit 64
/// bits.
std::optional<std::uint64_t> parse_decimal(std::string_view word);

/// The word in single quotes, safe for a one-line message: shortened if long, unprintable characters as '?'.
std::string in_quotes(std::string_view word);

/// The text with unprintable characters, such as ends of lines, as '?'.
std::string printable(std::string_view text);

/// Like in_quotes(), without the quotes: for spellings and file names.
std::string one_line(std::string_view word);

/// "1 packet", "2 packets".
inline std::string counted(std::uint64_t number, const char* noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

/// The parts between separators; one empty part for an empty text.
std::vector<std::string> split(std::string_view text, char separator);

}  // namespace safnet
