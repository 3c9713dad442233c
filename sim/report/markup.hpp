// markup - text inside XML, HTML and Markdown.
#pragma once

#include <string>

namespace safnet {

/// For XML and HTML: with &, <, > and " as entities.
std::string markup_escaped(const std::string& text);

/// For Markdown, in tables too: characters that mean something there stand for themselves.
std::string markdown_escaped(const std::string& text);

}  // namespace safnet
