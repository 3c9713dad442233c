// output_file - files that are written whole or not at all.
#pragma once

#include <string>

namespace safnet {

/// Writes `text` to a file beside `path` and renames that to `path`. Throws std::invalid_argument, with one
/// line that names the path, if it cannot be written.
void write_whole_file(const std::string& path, const std::string& text);

/// Throws std::invalid_argument if --csv and --plot are the same file, however it is spelled. Either may be
/// empty.
void refuse_same_file(const std::string& csv, const std::string& plot);

}  // namespace safnet
