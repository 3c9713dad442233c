// problems - what is wrong with a run, one line each: the first so many, and how many there are.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace safnet {

/// Lines that each list of problems keeps.
inline constexpr std::size_t kProblemsKept = 20;

class Problems {
 public:
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
    if (++count_ <= kProblemsKept) lines_.push_back(fmt::format(text, std::forward<Arguments>(arguments)...));
  }
  std::size_t count() const { return count_; }
  const std::vector<std::string>& lines() const { return lines_; }
  /// The lines, and a last one that counts the others.
  std::vector<std::string> with_rest() const {
    std::vector<std::string> all = lines_;
    if (count_ > kProblemsKept) all.push_back(fmt::format("... and {} more", count_ - kProblemsKept));
    return all;
  }

 private:
  std::vector<std::string> lines_;
  std::size_t count_ = 0;
};

}  // namespace safnet
