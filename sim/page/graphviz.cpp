#include "sim/page/graphviz.hpp"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <vector>

#include "cpp_model/graph/text.hpp"
#include "cpp_model/system/output_file.hpp"
#include "sim/machine/limits.hpp"
#include "sim/machine/process.hpp"

namespace safnet {
namespace {

constexpr std::chrono::seconds kLongest{60};

struct Closing {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
// A temporary file without a name: it is gone when closed, and unlike a pipe it cannot fill up and block.
using NamelessFile = std::unique_ptr<std::FILE, Closing>;

NamelessFile nameless_file(const std::string& text = "") {
  NamelessFile file(std::tmpfile());
  if (!file) throw WriteError("a temporary file", std::strerror(errno));
  if (std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() || std::fflush(file.get()) != 0)
    throw WriteError("a temporary file", std::strerror(errno));
  std::rewind(file.get());
  return file;
}

std::string text_in(const NamelessFile& file) {
  std::rewind(file.get());
  std::string text;
  char block[65536];
  while (const std::size_t bytes = std::fread(block, 1, sizeof block, file.get())) text.append(block, bytes);
  return text;
}

}  // namespace

std::string run_graphviz(const std::string& dot, const std::string& format, bool pinned) {
  const NamelessFile input = nameless_file(dot), output = nameless_file(), errors = nameless_file();
  std::vector<std::string> words{"neato", "-T" + format};
  if (pinned) words.push_back("-n2");
  std::optional<int> code;
  try {
    code = run_process({.words = words,
                        .input = ::fileno(input.get()),
                        .output = ::fileno(output.get()),
                        .errors = ::fileno(errors.get()),
                        .longest = kLongest});
  } catch (const std::runtime_error&) {
    throw bad_input("neato: cannot be run; expected Graphviz to be installed");
  }
  if (!code) throw bad_input("neato: stopped after {} seconds; expected a smaller network", kLongest.count());
  std::string picture = text_in(output);
  if (*code != 0 || picture.empty()) throw bad_input("neato: failed; it said {}", in_quotes(text_in(errors)));
  return picture;
}

}  // namespace safnet
