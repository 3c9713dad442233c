// invocation - the words that this program was called with, to be repeated.
#pragma once

#include <string>

namespace safnet {

/// Keeps the words of main().
void remember_invocation(int argc, const char* const* argv);
/// The same as a line for a shell: words with other characters than letters, digits and _./:,=+@%- are
/// quoted. The program itself is "build/safnet".
const std::string& invocation();

}  // namespace safnet
