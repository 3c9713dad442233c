// notes - lines for the user about a file that is read all the same: what in it has no effect.
#pragma once

#include <fmt/format.h>

#include <functional>
#include <string>
#include <utility>

namespace safnet {

/// Takes notes, one line each; nothing is done with them until the program sets it. Set before threads start.
inline std::function<void(const std::string&)>& note_taker() {
  static std::function<void(const std::string&)> taker;
  return taker;
}

template <class... Args>
void note(fmt::format_string<Args...> text, Args&&... args) {
  if (note_taker()) note_taker()(fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace safnet
