// small_picture - what Graphviz drew, made small enough for a page.
#pragma once

#include <string>

namespace safnet {

/// The picture that Graphviz made of a DOT text of kSmall style, in few bytes: 160 x 120 pixels, lines of a
/// colour in one path, coordinates with one decimal, nothing that depends on the version of Graphviz.
/// `description` goes into the picture. Throws std::invalid_argument if it is not such a picture.
std::string small_picture(const std::string& svg, const std::string& description);

/// The SVG without comments, which name versions.
std::string without_comments(std::string svg);

}  // namespace safnet
