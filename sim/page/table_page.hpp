// table_page - a page with a table that can be filtered, and the index of a folder of pages.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace safnet {

struct TableOfPage {
  struct Column {
    std::string title;
    bool facet = false;   ///< rows can be filtered by its values
    bool number = false;  ///< aligned to the right
    bool bar = false;     ///< behind each number a bar as long as it is large
    bool wide = false;    ///< its cells are sentences: no narrower than that suits them
  };
  struct Row {
    std::vector<std::string> cells;
    std::string link = {};                ///< page that the first cell leads to, or empty
    std::vector<std::string> lines = {};  ///< shown when the row is opened
    bool good = false, bad = false;       ///< how the cell of `judged` is coloured
  };
  std::string title, headline, command;
  std::vector<Column> columns;
  std::size_t judged = 0;  ///< a column
  std::vector<Row> rows;
  std::vector<std::string> notes = {};  ///< below the table
  bool with_index = true;               ///< it leads to index.html beside it
};

std::string table_page(const TableOfPage& table);

/// A folder for pages, which is made; if it is still empty in the end, it is removed again.
class PageFolder {
 public:
  /// Throws std::invalid_argument, with `option`, if it cannot be made or written to.
  PageFolder(const char* option, std::string path);
  ~PageFolder();
  PageFolder(const PageFolder&) = delete;
  PageFolder& operator=(const PageFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  void remove_empty() const;
  std::string path_;
  std::vector<std::string> made_;  // the inner ones first
};

/// Whether a file is a page of this name in a folder of pages that has an index already.
bool is_in_page_folder(const std::string& path);
/// Writes index.html, which leads to those pages of safnet that are in the folder. Returns its path.
std::string write_page_index(const std::string& folder);

}  // namespace safnet
