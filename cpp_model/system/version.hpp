// version - of the program, its library and its files.
#pragma once

namespace safnet {

/// Major, minor, patch. A new major number may change commands, options, formats of files and headers; a new
/// minor one adds to them; a patch changes none of them. Cycles that a network takes may change with any: RTL
/// gets better.
inline constexpr const char* kVersion = "1.0.0";

}  // namespace safnet
