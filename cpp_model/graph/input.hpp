// input - text from outside, line by line: its words, and errors about it.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace safnet {

/// The words of a line between blanks, the first `most` of them; a # begins a comment.
inline std::vector<std::string> words_of_line(const std::string& line, std::size_t most = std::string::npos) {
  std::istringstream stream(line.substr(0, line.find('#')));
  std::vector<std::string> words;
  for (std::string word; words.size() < most && stream >> word;) words.push_back(word);
  return words;
}

/// A std::invalid_argument whose message is the text, one line.
template <class... Args>
std::invalid_argument bad_input(fmt::format_string<Args...> text, Args&&... args) {
  return std::invalid_argument(fmt::format(text, std::forward<Args>(args)...));
}

/// Makes the errors about a file, which messages call `name`.
class BadFile {
 public:
  explicit BadFile(std::string name) : name_(std::move(name)) {}
  /// "file 'NAME': WHAT".
  template <class... Args>
  std::invalid_argument operator()(fmt::format_string<Args...> what, Args&&... args) const {
    return bad_input("file '{}': {}", name_, fmt::format(what, std::forward<Args>(args)...));
  }
  /// "NAME:LINE: WHAT".
  template <class... Args>
  std::invalid_argument at(std::size_t line, fmt::format_string<Args...> what, Args&&... args) const {
    return bad_input("{}:{}: {}", name_, line, fmt::format(what, std::forward<Args>(args)...));
  }

 private:
  std::string name_;
};

}  // namespace safnet
