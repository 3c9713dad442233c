// invocation - the words that this program was called with, to be repeated.
#pragma once

#include <string>
#include <string_view>

namespace safnet {

/// A word for a shell: in quotes if it has other characters than letters, digits and _./:,=+@%-.
std::string shell_word(std::string_view word);

/// Keeps the words of main().
void remember_invocation(int argc, const char* const* argv);
/// The same as a line for a shell. The program itself is "build/safnet".
const std::string& invocation();

}  // namespace safnet
