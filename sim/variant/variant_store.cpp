#include "sim/variant/variant_store.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "cpp_model/system/output_file.hpp"
#include "sim/machine/file_lock.hpp"
#include "sim/machine/process.hpp"
#include "sim/machine/system.hpp"

namespace safnet {
namespace fs = std::filesystem;
namespace {

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error(fmt::format("cannot read {}", path.string()));
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string hash_hex(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return fmt::format("{:016x}", hash);
}

std::vector<std::string> rtl_sources(const fs::path& root, const NodeKind& kind) {
  std::vector<std::string> sources;
  for (const std::string& folder : kind.folders) {
    std::istringstream list(read_file(root / "rtl" / folder / (folder + ".f")));
    for (std::string name; list >> name;) sources.push_back((root / "rtl" / name).string());
  }
  sources.insert(sources.end(), kind.sources.begin(), kind.sources.end());
  return sources;
}

// Whether a shared object is there, and all of it: loading a shorter one ends in SIGBUS. The linker puts the
// table of sections last.
bool is_whole(const fs::path& object) {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(object, error);
  Elf64_Ehdr header;
  std::ifstream in(object, std::ios::binary);
  if (error || !in.read(reinterpret_cast<char*>(&header), sizeof header)) return false;
  return std::equal(ELFMAG, ELFMAG + SELFMAG, header.e_ident) && header.e_shnum != 0 &&
         header.e_shoff + std::uint64_t{header.e_shnum} * header.e_shentsize <= bytes;
}

std::string from_environment(const char* name, const std::string& otherwise) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : otherwise;
}

// The library that this function is in; empty if it is in the program itself.
fs::path library_of_this() {
  Dl_info info;
  if (::dladdr(reinterpret_cast<const void*>(&library_of_this), &info) == 0) return {};
  const fs::path file = info.dli_fname;
  std::error_code error;
  return file.filename().string().starts_with("libsafnet") ? fs::canonical(file, error) : fs::path();
}

// Variants use Verilator's functions, which are in the library. One that was loaded for a module of Python
// alone, out of sight of all others, is put where they find it.
void make_library_global() {
  static const bool done = [] {
    const fs::path library = library_of_this();
    return !library.empty() && ::dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD) != nullptr;
  }();
  static_cast<void>(done);
}

// Where `make install` put rtl/ and sim/, seen from a program in PREFIX/bin or a library in PREFIX/lib; empty
// if this one was not installed.
std::string installed_root() {
  std::error_code error;
  const fs::path library = library_of_this();
  const fs::path file = library.empty() ? fs::read_symlink("/proc/self/exe", error) : library;
  const fs::path root = file.parent_path().parent_path() / "share/safnet";
  return fs::exists(root / "rtl", error) ? root.string() : std::string();
}

// Where a user's caches are, for an installed program: what it was installed to may not be written to.
std::string cache_folder() {
  const std::string home = from_environment("HOME", "/tmp");
  return from_environment("XDG_CACHE_HOME", home + "/.cache") + "/safnet";
}

// What a whole network of such nodes is made of, beside them.
std::vector<std::string> network_sources(const fs::path& root, const NodeKind& kind) {
  return {(root / "rtl/network/network_wiring.sv").string(),
          (root / "rtl/network" / (kind.network + ".sv")).string()};
}

// The text of network_topology.svh for `graph`: how a whole network in rtl/network is wired. `radix`: ports
// per node.
std::string network_header(const Graph& graph, int radix) {
  const auto ports = static_cast<std::size_t>(radix);
  const std::size_t entries = graph.node_count() * ports;
  // Node and port at the other end of every port, and whether there is one. Concatenations list the highest
  // element first.
  const auto table = [&](const std::string& end, const char* exists, PortId (Graph::*count)(NodeId) const,
                         Endpoint (Graph::*other)(NodeId, PortId) const) {
    std::string nodes, other_ports, connected;
    for (std::size_t i = entries; i-- > 0;) {
      const auto v = static_cast<NodeId>(i / ports);
      const auto p = static_cast<PortId>(i % ports);
      const bool there = p < (graph.*count)(v);
      const Endpoint at = there ? (graph.*other)(v, p) : Endpoint{0, 0};
      const char* separator = i == 0 ? "" : (i % 8 == 0 ? ",\n    " : ", ");
      nodes += fmt::format("16'd{}{}", at.node, separator);
      other_ports += fmt::format("16'd{}{}", at.port, separator);
      connected += fmt::format("1'b{}{}", there ? 1 : 0, separator);
    }
    return fmt::format(
        "  localparam logic [{0}:0] {1}Node = {{\n    {2}}};\n"
        "  localparam logic [{0}:0] {1}Port = {{\n    {3}}};\n"
        "  localparam logic [{4}:0] {5} = {{\n    {6}}};\n",
        entries * 16 - 1, end, nodes, other_ports, entries - 1, exists, connected);
  };
  return fmt::format(
      "// Generated for {}. Element node * Radix + port, lowest last.\n"
      "package network_topology;\n"
      "  localparam int Nodes = {};\n"
      "  localparam int Radix = {};\n"
      "  // what comes in through a port, and where a port leads\n"
      "{}{}endpackage\n",
      graph.spelling(), graph.node_count(), radix,
      table("Feeder", "IsFed", &Graph::in_degree, &Graph::feeder),
      table("Target", "IsUsed", &Graph::degree, &Graph::peer));
}

// Appends the code of a source and of all that it includes from this project, each once: C++ from the root,
// RTL from rtl/. Line comments and blank lines are left out, so that changing them builds nothing anew.
void add_code(const fs::path& root, const fs::path& name, std::set<fs::path>& seen, std::string& code) {
  if (!seen.insert(name).second) return;
  std::istringstream text(read_file(root / name));
  for (std::string line; std::getline(text, line);) {
    line.erase(std::min(line.find("//"), line.size()));
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (line.empty()) continue;
    code += line + "\n";
    const bool is_rtl = line.starts_with("`include \"");
    // Headers without a folder are generated, from sources that are hashed as well.
    if ((!is_rtl && !line.starts_with("#include \"")) || line.find('/') == std::string::npos) continue;
    const std::size_t begin = line.find('"') + 1;
    const fs::path included = fs::path(is_rtl ? "rtl" : "") / line.substr(begin, line.rfind('"') - begin);
    if (fs::exists(root / included)) add_code(root, included, seen, code);
  }
}

}  // namespace

Variant::Variant(const std::string& path) : path_(path) {
  make_library_global();
  handle_ = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle_ == nullptr) throw std::runtime_error(fmt::format("cannot load {}: {}", path, ::dlerror()));
}

template <class Function>
Function Variant::symbol(const char* name) const {
  void* address = ::dlsym(handle_, name);
  if (address == nullptr) throw std::runtime_error(fmt::format("{} does not export {}", path_, name));
  return reinterpret_cast<Function>(address);
}
std::unique_ptr<NodeBatch> Variant::make_batch(const BatchConfig& config) const {
  return std::unique_ptr<NodeBatch>(symbol<MakeBatchFunction>("safnet_make_batch")(&config));
}
std::size_t Variant::node_bytes() const { return symbol<NodeBytesFunction>("safnet_node_bytes")(); }
std::unique_ptr<TimerModel> Variant::make_timer(VerilatedContext* context) const {
  return std::unique_ptr<TimerModel>(symbol<MakeTimerFunction>("safnet_make_timer")(context));
}
std::unique_ptr<Machine> Variant::make_network(std::uint32_t nodes, const NodeSettings& settings,
                                               MachineObserver* observer,
                                               std::unique_ptr<NetworkWave> wave) const {
  const auto make = symbol<MakeNetworkFunction>("safnet_make_network");
  return std::unique_ptr<Machine>(make(nodes, &settings, observer, wave.release()));
}

// One shared object: what goes in and where it ends up.
struct VariantStore::Recipe {
  Hardware hardware;
  std::string name;    // readable, unique with the hash
  std::string header;  // of a whole network: network_topology.svh
  fs::path variants;   // all of them
  fs::path folder() const { return variants / name; }
  fs::path object() const { return folder() / "variant.so"; }
};

VariantStore::VariantStore(std::string root, std::string build)
    : root_(std::move(root)), build_(std::move(build)) {}

VariantStore& VariantStore::standard() {
  static VariantStore store = [] {
    const std::string installed = installed_root();
    const std::string root = from_environment("SAFNET_ROOT", installed.empty() ? SAFNET_ROOT : installed);
    return VariantStore(
        root, from_environment("SAFNET_BUILD", installed.empty() ? root + "/build" : cache_folder()));
  }();
  return store;
}

const std::string& VariantStore::hash_of_sources(const NodeKind& kind) const {
  const std::lock_guard guard(mutex_);
  std::string& hash = hashes_[kind.name];
  if (!hash.empty()) return hash;
  std::string code;
  for (const char* name :
       {"sim/variant/build_variant.sh", "rtl/common/public.vlt", "scripts/rtl_constants.awk"})
    code += read_file(fs::path(root_) / name);
  std::set<fs::path> seen;
  for (const std::string& source : rtl_sources(fs::absolute(root_), kind))
    add_code(root_, source, seen, code);
  add_code(root_, "sim/variant/glue.cpp", seen, code);
  add_code(root_, kind.host_header, seen, code);
  return hash = hash_hex(code);
}

VariantStore::Recipe VariantStore::recipe(const Hardware& hardware) const {
  std::string text;
  for (const auto& [name, value] : hardware.parameters) text += fmt::format("{}={} ", name, value);
  return {.hardware = hardware,
          .name = fmt::format("{}{}_{}", hardware.readable_name(), hardware.waves ? "_waves" : "",
                              hash_hex(text + hash_of_sources(*hardware.kind))),
          .header = {},
          .variants = fs::path(build_) / "variants"};
}

VariantStore::Recipe VariantStore::network_recipe(const Hardware& hardware, const Graph& graph) const {
  if (hardware.kind->network.empty())
    throw std::logic_error(fmt::format("there is no whole network of {}_nodes", hardware.kind->name));
  Recipe whole = recipe(hardware);
  whole.header = network_header(graph, hardware.value("Radix"));
  std::string code = whole.name + whole.header;
  std::set<fs::path> seen;
  for (const std::string& source : network_sources(fs::absolute(root_), *hardware.kind))
    add_code(root_, source, seen, code);
  whole.name = fmt::format("{}{}_{}", hardware.kind->network, hardware.waves ? "_waves" : "", hash_hex(code));
  return whole;
}

namespace {

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw WriteError(folder.string(), error.message());
}

// A full disk is the likely reason why a build failed, and its log can then be empty.
void require_space(const fs::path& folder) {
  constexpr std::uintmax_t kMegabyte = 1'000'000, kNeeded = 100;
  std::error_code error;
  const std::uintmax_t free = fs::space(folder, error).available / kMegabyte;
  if (!error && free < kNeeded)
    throw WriteError(
        folder.string(),
        fmt::format("{} MB are free, and a build of hardware takes up to some {} MB", free, kNeeded));
}

}  // namespace

std::vector<std::string> VariantStore::sources(const NodeKind& kind) const {
  return rtl_sources(fs::absolute(root_), kind);
}

void VariantStore::build(const Recipe& recipe) const {
  const fs::path& variants = recipe.variants;
  make_folder(variants);
  const FileLock lock((variants / (recipe.name + ".lock")).string());
  if (is_whole(recipe.object())) return;
  // Remove what builds of this variant that were killed have left. The lock says that no build of it is
  // running; a compiler of a killed one may still be, which then fails.
  for (const fs::directory_entry& entry : fs::directory_iterator(variants)) {
    const std::string name = entry.path().filename().string();
    std::error_code error;
    if (name.starts_with(recipe.name + ".") && name.ends_with(".tmp")) fs::remove_all(entry.path(), error);
  }
  // Everything is made in a folder of its own and renamed at the end: an interrupted build leaves no variant.
  Temporary folder(variants / fmt::format("{}.{}.tmp", recipe.name, ::getpid()));
  const fs::path work = folder.path();
  make_folder(work);
  const NodeKind& kind = *recipe.hardware.kind;
  const bool whole = !recipe.header.empty();
  if (whole) write_whole_file(work / "network_topology.svh", recipe.header);
  const std::string root = fs::absolute(root_).string();
  std::string command = fmt::format(
      "{} {} {} --top {} --timer {} --host {} --host-type {} --suffix {}{}{}{}",
      shell_quoted(root + "/sim/variant/build_variant.sh"), shell_quoted(root),
      shell_quoted(fs::absolute(work).string()), whole ? kind.network : kind.top, kind.timer,
      shell_quoted(kind.host_header), kind.host, hash_hex(recipe.name), whole ? " --whole-network" : "",
      recipe.hardware.quick_build ? " --quick-build" : "", recipe.hardware.waves ? " --waves" : "");
  for (const auto& [name, value] : recipe.hardware.parameters) command += fmt::format(" {}={}", name, value);
  command += " --";
  std::vector<std::string> sources = rtl_sources(root, kind);
  if (whole) std::ranges::copy(network_sources(root, kind), std::back_inserter(sources));
  for (const std::string& source : sources) command += " " + shell_quoted(source);
  command += fmt::format(" > {}/build.log 2>&1", shell_quoted(work.string()));
  if (!run_shell(command) || !is_whole(work / "variant.so")) {
    require_space(variants);
    const fs::path log = variants / (recipe.name + ".log");
    std::error_code error;
    fs::copy_file(work / "build.log", log, fs::copy_options::overwrite_existing, error);
    throw std::runtime_error(
        fmt::format("building the hardware variant {} failed; see {}", recipe.name, log.string()));
  }
  fs::remove_all(recipe.folder());
  if (const std::error_code error = folder.rename_to(recipe.folder()))
    throw WriteError(recipe.folder(), error.message());
}

std::shared_ptr<const Variant> VariantStore::load(const Recipe& recipe,
                                                  const std::function<void()>& on_build) {
  {
    const std::lock_guard guard(mutex_);
    const auto known = variants_.find(recipe.name);
    if (known != variants_.end()) return known->second;
  }
  // Built without holding mutex_, so that other threads can build other variants meanwhile. Of two that want
  // the same one, the second waits at its file lock.
  double seconds = 0;
  if (!is_whole(recipe.object())) {
    if (on_build) on_build();
    const Stopwatch watch;
    build(recipe);
    seconds = watch.seconds();
  }
  const std::lock_guard guard(mutex_);
  build_seconds_ += seconds;
  auto& slot = variants_[recipe.name];
  if (!slot) slot = std::make_shared<const Variant>(fs::absolute(recipe.object()).string());
  return slot;
}

std::shared_ptr<const Variant> VariantStore::load(const Hardware& hardware,
                                                  const std::function<void()>& on_build) {
  return load(recipe(hardware), on_build);
}
bool VariantStore::has(const Hardware& hardware) const { return is_whole(recipe(hardware).object()); }
std::shared_ptr<const Variant> VariantStore::load_network(const Hardware& hardware, const Graph& graph,
                                                          const std::function<void()>& on_build) {
  return load(network_recipe(hardware, graph), on_build);
}

std::size_t VariantStore::build_missing(const std::vector<Hardware>& wanted, const BuildProgress& progress) {
  std::vector<Recipe> missing;
  for (const Hardware& hardware : wanted) {
    Recipe recipe = this->recipe(hardware);
    const bool known =
        std::any_of(missing.begin(), missing.end(), [&](const Recipe& r) { return r.name == recipe.name; });
    if (!known && !is_whole(recipe.object())) missing.push_back(std::move(recipe));
  }
  if (missing.empty()) return 0;
  const Stopwatch watch;
  std::atomic<std::size_t> next{0};
  std::size_t done = 0;
  std::mutex mutex;
  std::exception_ptr failure;
  const auto worker = [&] {
    for (std::size_t i = next++; i < missing.size(); i = next++) {
      try {
        build(missing[i]);
      } catch (...) {
        const std::lock_guard guard(mutex);
        if (!failure) failure = std::current_exception();
      }
      const std::lock_guard guard(mutex);
      ++done;
      if (progress) progress(done, missing.size(), missing[i].name);
    }
  };
  const std::size_t workers =
      std::min<std::size_t>(missing.size(), std::max(1U, std::thread::hardware_concurrency()));
  if (progress) progress(0, missing.size(), missing[0].name);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < workers; ++i) threads.emplace_back(worker);
  }
  build_seconds_ += watch.seconds();
  if (failure) std::rethrow_exception(failure);
  return missing.size();
}

}  // namespace safnet
