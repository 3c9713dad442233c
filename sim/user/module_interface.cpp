#include "sim/user/module_interface.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "cpp_model/graph/input.hpp"
#include "sim/machine/file_lock.hpp"
#include "sim/machine/process.hpp"

namespace safnet {
namespace {

namespace fs = std::filesystem;

// The value of an attribute of the element in this line; empty if it has none of that name.
std::string attribute(const std::string& line, const std::string& name) {
  const std::string begin = " " + name + "=\"";
  const std::size_t at = line.find(begin);
  if (at == std::string::npos) return {};
  const std::size_t from = at + begin.size();
  return line.substr(from, line.find('"', from) - from);
}

// A constant as Verilator writes it: 32&apos;sh40.
std::optional<std::int64_t> constant(const std::string& text) {
  const std::size_t h = text.rfind('h');
  if (h == std::string::npos) return std::nullopt;
  const std::string digits = text.substr(h + 1);
  if (digits.empty() || digits.size() > 8 ||
      digits.find_first_not_of("0123456789abcdef") != std::string::npos)
    return std::nullopt;
  return static_cast<std::int32_t>(std::stoul(digits, nullptr, 16));
}

// Verilator writes one element per line: the modules with their variables, and behind them the table of
// types.
ModuleInterface read_interface(const std::string& path) {
  ModuleInterface result;
  std::map<std::string, std::uint32_t> bits_of_type;
  std::map<std::string, std::string> type_of_port;
  std::ifstream in(path);
  bool in_top = false;
  std::string parameter;  // whose value follows
  for (std::string line; std::getline(in, line);) {
    if (line.find("<module ") != std::string::npos) in_top = attribute(line, "topModule") == "1";
    if (line.find("</module>") != std::string::npos) in_top = false;
    if (line.find("<basicdtype ") != std::string::npos) {
      const std::string left = attribute(line, "left"), right = attribute(line, "right");
      bits_of_type[attribute(line, "id")] =
          left.empty() ? 1 : static_cast<std::uint32_t>(std::abs(std::stol(left) - std::stol(right)) + 1);
    }
    if (!in_top) continue;
    if (line.find("<var ") != std::string::npos) {
      parameter.clear();
      const std::string name = attribute(line, "origName"), direction = attribute(line, "dir");
      const bool settable = attribute(line, "param") == "true";
      if (!direction.empty() && !attribute(line, "pinIndex").empty()) {
        result.ports[name].is_input = direction == "input";
        type_of_port[name] = attribute(line, "dtype_id");
      } else if (settable || attribute(line, "localparam") == "true") {
        if (!result.parameters.try_emplace(name).second) continue;  // of a block within the module
        if (settable) result.settable.push_back(name);
        parameter = name;
      }
    } else if (!parameter.empty() && line.find("<const ") != std::string::npos) {
      result.parameters[parameter] = constant(attribute(line, "name"));
      parameter.clear();
    }
  }
  for (const auto& [name, type] : type_of_port) {
    const auto found = bits_of_type.find(type);
    if (found != bits_of_type.end()) result.ports[name].bits = found->second;
  }
  return result;
}

// The first line of the log that says what is wrong, with the sources' names without their folders.
std::string first_error(const ModuleQuery& query, const std::string& log) {
  std::ifstream in(log);
  std::string first;
  for (std::string line; std::getline(in, line);) {
    const bool is_error = line.starts_with("%Error");
    if (is_error || first.empty()) first = line;
    if (is_error) break;
  }
  for (const std::string& source : query.sources) {
    const std::string folder = fs::path(source).parent_path().string() + "/";
    for (std::size_t at = first.find(folder); at != std::string::npos; at = first.find(folder))
      first.erase(at, folder.size());
  }
  constexpr std::size_t kMostShown = 300;
  if (first.size() > kMostShown) first = first.substr(0, kMostShown) + "...";
  for (char& c : first) {
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = ' ';
  }
  return first;
}

}  // namespace

ModuleInterface module_interface(const ModuleQuery& query) {
  fs::create_directories(query.folder);
  const FileLock lock(query.folder + "/lock");  // another process may check a router of the same name
  const std::string xml = query.folder + "/interface.xml", log = query.folder + "/check.log";
  fs::remove(xml);
  std::string command = fmt::format(
      "verilator --xml-only --assert -Wno-fatal --timescale-override 1ns/1ns --top-module {} "
      "--Mdir {} --xml-output {} -I{}",
      shell_quoted(query.top), shell_quoted(query.folder), shell_quoted(xml), shell_quoted(query.includes));
  for (const auto& [name, value] : query.parameters) command += fmt::format(" -G{}={}", name, value);
  for (const std::string& source : query.sources) command += " " + shell_quoted(source);
  command += fmt::format(" > {} 2>&1", shell_quoted(log));
  if (!run_shell(command) || !fs::exists(xml))
    throw bad_input("Verilator says {}; expected RTL that it compiles, see {}", first_error(query, log), log);
  return read_interface(xml);
}

}  // namespace safnet
