// draw_command - `safnet draw`: a network as DOT, SVG or PNG.
#pragma once

#include <string>

namespace safnet {

/// Draws a topology. `path` says by its extension (.dot, .gv, .svg or .png) what is written; if it is empty,
/// DOT is printed. Returns the exit code. Throws std::invalid_argument with one line.
int draw_command(const std::string& topology, const std::string& path);

}  // namespace safnet
