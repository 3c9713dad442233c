// markup - text inside XML and HTML.
#pragma once

#include <string>

namespace safnet {

/// With &, <, > and " as entities.
std::string markup_escaped(const std::string& text);

}  // namespace safnet
