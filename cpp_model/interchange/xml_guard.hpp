// xml_guard - XML from outside, before a recursive parser that copies everything sees it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace safnet {

inline constexpr std::size_t kMaxXmlElements = std::size_t{1} << 18;  ///< three kilobytes each when parsed
inline constexpr std::size_t kMaxXmlAttributes = 32;                  ///< of an element
inline constexpr std::size_t kMaxXmlNesting = 16;

/// Accepts elements, attributes in quotes, comments and declarations `<?...?>`. Refuses what programs do not
/// need: document types, entities of one's own, CDATA; also text between tags. Throws std::invalid_argument
/// with one line that names file and line.
void guard_xml(std::string_view text, const std::string& shown);

}  // namespace safnet
