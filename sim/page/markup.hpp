// markup - text inside XML, HTML and Markdown; pages with tables whose cells are coloured by how far a number
// is above its bound.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace safnet {

/// For XML and HTML: with &, <, > and " as entities.
std::string markup_escaped(const std::string& text);

/// For Markdown, also within tables: characters that have a meaning there are escaped.
std::string markdown_escaped(const std::string& text);

/// A whole page; `body` is markup that follows the heading. `with_index`: it leads to index.html beside it.
std::string html_page(const std::string& title, const std::string& body, bool with_index = false);

/// A table below a heading of its own; the cells of its head and its rows are markup.
std::string html_table(const std::string& heading, const std::string& head, const std::string& rows);

/// A legend of the colours: pairs of a class of cells and of words, which may be markup.
std::string html_legend(const std::vector<std::pair<std::string, std::string>>& classes);

/// The class of a cell: "optimal" for the bound itself, "near" for at most a fifth more, "gap" for less than
/// twice the bound, "far" from there on. Pages have two further classes, "none" and "failed".
const char* gap_class(std::uint64_t value, std::uint64_t bound);

/// A cell with markup in it, and with plain words that are shown when it is pointed at.
std::string html_cell(const std::string& css_class, const std::string& hint, const std::string& markup);

}  // namespace safnet
