// xml_tags - the tags of an XML file one by one, for readers that keep nothing else of it.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "cpp_model/graph/input.hpp"

namespace safnet {

inline bool is_xml_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Elements that may be open at once.
inline constexpr std::size_t kMostOpenTags = 128;

/// Views into the text of the file.
struct XmlTag {
  std::string_view name;
  std::vector<std::pair<std::string_view, std::string_view>> attributes;
  bool closes = false;  ///< </name>
  bool empty = false;   ///< <name/>
  std::size_t line = 0;

  /// The value of an attribute, with entities as they stand there; nullptr if there is none.
  const std::string_view* attribute(std::string_view key) const {
    for (const auto& [name_of_attribute, value] : attributes) {
      if (name_of_attribute == key) return &value;
    }
    return nullptr;
  }
};

/// Leaves out comments, processing instructions and CDATA. Functions throw std::invalid_argument with one
/// line.
class XmlTagScanner {
 public:
  /// Both must live as long as the scanner.
  XmlTagScanner(std::string_view text, const BadFile& wrong) : text_(text), wrong_(wrong) {}

  /// False at the end of the file.
  bool next(XmlTag& tag);
  std::size_t line() const { return line_; }
  /// The text between the last tag and the one before it, or the last part of it if comments part it.
  std::string_view text_before() const { return text_before_; }

 private:
  bool starts_with(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  void advance() { line_ += text_[at_++] == '\n' ? 1 : 0; }
  bool skip_blanks();
  void skip_past(std::string_view end);
  void skip_document_type();
  std::string_view word();
  void read(XmlTag& tag);

  std::string_view text_;
  const BadFile& wrong_;
  std::string_view text_before_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
};

}  // namespace safnet
