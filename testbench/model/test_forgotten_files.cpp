// What is declared below cpp_model/algorithm and cpp_model/claim must be in the registry and in the ledger.
// Read from the sources: a list that nobody calls does not link in, and no other test would miss it.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "testbench/support/catch.hpp"

namespace {

namespace fs = std::filesystem;

fs::path root() {
  const char* moved = std::getenv("SAFNET_ROOT");
  return moved != nullptr ? moved : SAFNET_ROOT;
}

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Names of the functions that return a list of `what` (Algorithm or Claim), declared or defined in the files
// of that ending below a folder.
std::set<std::string> lists_of(const std::string& what, const fs::path& folder, const std::string& ending) {
  const std::regex list("(?:^|\n)std::vector<" + what + "> (\\w+_" +
                        (what == "Claim" ? "claims" : "algorithms") + ")\\(\\)");
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(root() / folder)) {
    if (entry.path().extension() != ending) continue;
    const std::string text = text_of(entry.path());
    for (std::sregex_iterator i(text.begin(), text.end(), list), end; i != end; ++i) names.insert((*i)[1]);
  }
  return names;
}

// Those that a source calls without arguments.
std::set<std::string> called_in(const fs::path& source, const std::set<std::string>& names) {
  const std::string text = text_of(root() / source);
  std::set<std::string> called;
  for (const std::string& name : names) {
    if (std::regex_search(text, std::regex("\\b" + name + "\\(\\)"))) called.insert(name);
  }
  return called;
}

}  // namespace

TEST_CASE("the registry has every list of algorithms", "[algorithm][sources]") {
  const std::set<std::string> declared = lists_of("Algorithm", "cpp_model/algorithm", ".hpp");
  CHECK(declared.size() > 30);
  CHECK(called_in("cpp_model/algorithm/algorithm.cpp", declared) == declared);
}

TEST_CASE("the ledger has every chapter", "[claim][sources]") {
  const std::set<std::string> defined = lists_of("Claim", "cpp_model/claim", ".cpp");
  CHECK(defined.size() > 20);
  CHECK(lists_of("Claim", "cpp_model/claim", ".hpp") == defined);
  CHECK(called_in("cpp_model/claim/claim.cpp", defined) == defined);
}

TEST_CASE("below algorithm/ and transform/ every source has a header of its own", "[sources]") {
  for (const char* folder : {"cpp_model/algorithm", "cpp_model/transform"}) {
    for (const auto& entry : fs::recursive_directory_iterator(root() / folder)) {
      if (entry.path().extension() != ".cpp") continue;
      CAPTURE(entry.path().string());
      fs::path header = entry.path();
      CHECK(fs::exists(header.replace_extension(".hpp")));
    }
  }
}
