// graphviz - runs Graphviz as a child process.
#pragma once

#include <string>

namespace safnet {

/// What `neato -T<format>` makes of a DOT text; with `pinned`, nodes stay where the text puts them. Throws
/// std::invalid_argument with one line if Graphviz is not installed, fails, or takes more than a minute.
std::string run_graphviz(const std::string& dot, const std::string& format, bool pinned);

}  // namespace safnet
