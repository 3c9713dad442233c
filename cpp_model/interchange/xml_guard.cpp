#include "cpp_model/interchange/xml_guard.hpp"

#include <algorithm>
#include <vector>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

constexpr std::size_t kLongestValue = 4096;

class Guard {
 public:
  Guard(std::string_view text, const BadFile& wrong) : text_(text), wrong_(wrong) {}

  void run() {
    for (;;) {
      skip_blanks();
      if (rest().empty()) break;
      if (rest()[0] != '<') throw wrong("{}: expected an element", in_quotes(rest().substr(0, 20)));
      if (rest().starts_with("<!--")) {
        skip_past("-->", 4);
      } else if (rest().starts_with("<?")) {
        skip_past("?>", 2);
      } else if (rest().starts_with("<!")) {
        throw wrong("'<!': document types, entities and CDATA are not supported");
      } else {
        element();
      }
    }
    if (!open_.empty()) throw wrong("the file ends inside an element");
    if (elements_ == 0) throw wrong("expected an element");
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }
  template <class... Args>
  std::invalid_argument wrong(fmt::format_string<Args...> what, Args&&... args) const {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
    return wrong_.at(static_cast<std::size_t>(line), what, std::forward<Args>(args)...);
  }
  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || (text_[at_] >= '\t' && text_[at_] <= '\r'))) ++at_;
  }
  void skip_past(std::string_view end, std::size_t opening) {
    const std::size_t found = text_.find(end, at_ + opening);
    if (found == std::string_view::npos) throw wrong("expected '{}'", end);
    at_ = found + end.size();
  }
  std::string_view name() {
    const auto legal = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
             c == '-' || c == ':' || c == '.';
    };
    const std::size_t begin = at_;
    while (at_ < text_.size() && legal(text_[at_])) ++at_;
    if (at_ == begin) throw wrong("{}: expected a name", in_quotes(rest().substr(0, 20)));
    return text_.substr(begin, at_ - begin);
  }
  void expect(std::string_view word) {
    if (!rest().starts_with(word)) throw wrong("{}: expected '{}'", in_quotes(rest().substr(0, 20)), word);
    at_ += word.size();
  }

  void element() {
    if (rest().starts_with("</")) {
      at_ += 2;
      const std::string_view closed = name();
      skip_blanks();
      expect(">");
      if (open_.empty() || open_.back() != closed)
        throw wrong("{}: an end tag without its start", in_quotes(closed));
      open_.pop_back();
      return;
    }
    if (++elements_ > kMaxXmlElements) throw wrong("expected at most {} elements", kMaxXmlElements);
    if (open_.empty() && elements_ > 1) throw wrong("a second outermost element; expected one");
    ++at_;
    const std::string_view opened = name();
    for (std::size_t attributes = 0;;) {
      skip_blanks();
      if (rest().starts_with("/>")) {
        at_ += 2;
        return;
      }
      if (rest().starts_with(">")) {
        ++at_;
        open_.push_back(opened);
        if (open_.size() > kMaxXmlNesting) throw wrong("nested more than {} deep", kMaxXmlNesting);
        return;
      }
      if (++attributes > kMaxXmlAttributes) throw wrong("expected at most {} attributes", kMaxXmlAttributes);
      name();
      skip_blanks();
      expect("=");
      skip_blanks();
      value();
    }
  }
  void value() {
    const char quote = rest().empty() ? '\0' : rest()[0];
    if (quote != '"' && quote != '\'') throw wrong("an attribute without quotes");
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos || end - at_ > kLongestValue)
      throw wrong("an attribute that does not end");
    if (text_.substr(at_, end - at_).find('<') != std::string_view::npos) throw wrong("'<' in an attribute");
    at_ = end + 1;
  }

  std::string_view text_;
  const BadFile& wrong_;
  std::size_t at_ = 0, elements_ = 0;
  std::vector<std::string_view> open_;
};

}  // namespace

void guard_xml(std::string_view text, const std::string& shown) {
  const BadFile wrong(shown);
  if (text.find('\0') != std::string_view::npos) throw wrong("a byte 0; expected text");
  Guard(text, wrong).run();
}

}  // namespace safnet
