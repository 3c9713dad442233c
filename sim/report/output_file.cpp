#include "sim/report/output_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "cpp_model/graph/text.hpp"
#include "sim/machine/limits.hpp"

namespace safnet {

void write_whole_file(const std::string& path, const std::string& text) {
  const auto cannot = [&] { throw bad_input("{}: cannot be written", in_quotes(path)); };
  std::error_code error;
  if (std::filesystem::is_directory(path, error))
    throw bad_input("{}: expected a file, this is a folder", in_quotes(path));
  if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)) {
    std::ofstream out(path, std::ios::binary);  // a device or pipe, which is written to and not replaced
    if (!(out << text).flush()) cannot();
    return;
  }
  const std::string beside = fmt::format("{}.{}.part", path, ::getpid());
  std::ofstream out(beside, std::ios::binary);
  const bool written = out && (out << text).flush();
  out.close();
  if (written) std::filesystem::rename(beside, path, error);
  if (!written || error) {
    std::filesystem::remove(beside, error);
    cannot();
  }
}

void refuse_same_file(const std::string& csv, const std::string& plot) {
  const auto place = [](const std::string& path) {
    std::error_code error;
    const std::filesystem::path absolute = std::filesystem::absolute(path, error);
    const std::filesystem::path canonical = std::filesystem::weakly_canonical(absolute, error);
    return error ? absolute : canonical;
  };
  if (!csv.empty() && !plot.empty() && place(csv) == place(plot))
    throw bad_input("--plot {}: expected another file than that of --csv", in_quotes(plot));
}

}  // namespace safnet
