#include "cpp_model/graph/file/xml_tags.hpp"

#include <algorithm>
#include <string>

#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

constexpr std::size_t kMaxAttributes = 64;

}  // namespace

bool XmlTagScanner::next(XmlTag& tag) {
  text_before_ = {};
  for (;;) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '<') advance();
    if (at_ > begin) text_before_ = text_.substr(begin, at_ - begin);
    if (at_ == text_.size()) return false;
    if (starts_with("<!--")) {
      skip_past("-->");
    } else if (starts_with("<![CDATA[")) {
      skip_past("]]>");
    } else if (starts_with("<?")) {
      skip_past("?>");
    } else if (starts_with("<!DOCTYPE")) {
      skip_document_type();
    } else if (starts_with("<!")) {
      throw wrong_.at(line_, "'<!': expected an element, a comment or CDATA");
    } else {
      read(tag);
      return true;
    }
  }
}

bool XmlTagScanner::skip_blanks() {
  const std::size_t begin = at_;
  while (at_ < text_.size() && is_xml_blank(text_[at_])) advance();
  return at_ > begin;
}

void XmlTagScanner::skip_past(std::string_view end) {
  const std::size_t begin = line_;
  const std::string_view opening = text_.substr(at_, end.size() + 1);
  const std::size_t found = text_.find(end, at_ + opening.size());
  if (found == std::string_view::npos)
    throw wrong_.at(begin, "{}: expected '{}' after it", in_quotes(opening), end);
  while (at_ < found + end.size()) advance();
}

void XmlTagScanner::skip_document_type() {
  const std::size_t end = text_.find_first_of("[>", at_);
  if (end == std::string_view::npos || text_[end] == '[')
    throw wrong_.at(line_, "'<!DOCTYPE': entities of its own are not supported; expected '>' after a name");
  while (at_ <= end) advance();
}

std::string_view XmlTagScanner::word() {
  const std::size_t begin = at_;
  while (at_ < text_.size() && !is_xml_blank(text_[at_]) &&
         std::string_view("<>/=\"'").find(text_[at_]) == std::string_view::npos)
    ++at_;
  return text_.substr(begin, at_ - begin);
}

void XmlTagScanner::read(XmlTag& tag) {
  tag = XmlTag{};
  tag.line = line_;
  const std::size_t begin = at_;
  const auto wrong_tag = [&](const char* expected) {
    return wrong_.at(tag.line, "{}: expected {}",
                     in_quotes(text_.substr(begin, std::min<std::size_t>(at_ + 1 - begin, 40))), expected);
  };
  ++at_;
  tag.closes = starts_with("/");
  if (tag.closes) ++at_;
  tag.name = word();
  if (tag.name.empty()) throw wrong_tag("the name of an element");
  for (bool blank = skip_blanks(); !starts_with(">"); blank = skip_blanks()) {
    if (starts_with("/>") && !tag.closes) {
      tag.empty = true;
      ++at_;
      break;
    }
    const std::string_view key = word();
    if (key.empty() || !blank || tag.closes) throw wrong_tag("NAME=\"VALUE\" or '>'");
    if (tag.attribute(key) != nullptr) throw wrong_tag("an attribute only once");
    if (tag.attributes.size() == kMaxAttributes) throw wrong_tag("fewer attributes");
    skip_blanks();
    if (!starts_with("=")) throw wrong_tag("'=' after the name of an attribute");
    ++at_;
    skip_blanks();
    if (!starts_with("\"") && !starts_with("'")) throw wrong_tag("the value of an attribute in quotes");
    const std::size_t first = at_ + 1;
    const std::size_t end = text_.find_first_of(std::string{text_[at_], '<'}, first);
    if (end == std::string_view::npos || text_[end] == '<') throw wrong_tag("a quote at the end of a value");
    while (at_ <= end) advance();
    tag.attributes.emplace_back(key, text_.substr(first, end - first));
  }
  ++at_;
}

}  // namespace safnet
