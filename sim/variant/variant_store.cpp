#include "sim/variant/variant_store.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "sim/variant/network_header.hpp"

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

void write_file(const fs::path& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  if (!out.flush()) throw std::runtime_error(fmt::format("cannot write {}", path.string()));
}

std::string hash_hex(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return fmt::format("{:016x}", hash);
}

std::string quoted(const std::string& word) {
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
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

// What a whole network of such nodes is made of, beside them.
std::vector<std::string> network_sources(const fs::path& root, const NodeKind& kind) {
  return {(root / "rtl/network/network_wiring.sv").string(),
          (root / "rtl/network" / (kind.network + ".sv")).string()};
}

// The lines of a source without its comments and blank lines: a change of words alone builds nothing anew.
std::vector<std::string> code_lines(const fs::path& path) {
  std::vector<std::string> lines;
  std::istringstream text(read_file(path));
  for (std::string line; std::getline(text, line);) {
    line.erase(std::min(line.find("//"), line.size()));
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

// The code of a source and of all that it includes from this project, each once: C++ from the root, RTL from
// rtl/.
void add_code(const fs::path& root, const fs::path& name, std::set<fs::path>& seen, std::string& code) {
  if (!seen.insert(name).second) return;
  for (const std::string& line : code_lines(root / name)) {
    code += line + "\n";
    const bool is_rtl = line.starts_with("`include \"");
    // Headers without a folder are generated, from sources that are hashed as well.
    if ((!is_rtl && !line.starts_with("#include \"")) || line.find('/') == std::string::npos) continue;
    const std::size_t begin = line.find('"') + 1;
    const fs::path included = fs::path(is_rtl ? "rtl" : "") / line.substr(begin, line.rfind('"') - begin);
    if (fs::exists(root / included)) add_code(root, included, seen, code);
  }
}

class FileLock {
 public:
  explicit FileLock(const fs::path& path)
      : descriptor_(::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644)) {
    if (descriptor_ < 0 || ::flock(descriptor_, LOCK_EX) != 0) {
      throw std::runtime_error(fmt::format("cannot lock {}", path.string()));
    }
  }
  ~FileLock() { ::close(descriptor_); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int descriptor_;
};

}  // namespace

Variant::Variant(const std::string& path)
    : handle_(::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)), path_(path) {
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
std::unique_ptr<Machine> Variant::make_network(std::uint32_t nodes, MachineObserver* observer) const {
  return std::unique_ptr<Machine>(symbol<MakeNetworkFunction>("safnet_make_network")(nodes, observer));
}

// One shared object: what goes in and where it ends up.
struct VariantStore::Recipe {
  Hardware hardware;
  std::string name;    // readable, unique with the hash
  std::string header;  // of a whole network: network_topology.svh
  fs::path folder;
  fs::path object() const { return folder / "variant.so"; }
};

struct VariantStore::Kept {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<const Variant>> variants;
  std::map<std::string, std::string> hashes;  // of the sources of a kind of node
};

VariantStore::VariantStore(std::string root, std::string build)
    : root_(std::move(root)), build_(std::move(build)), kept_(std::make_shared<Kept>()) {}

VariantStore& VariantStore::standard() {
  static VariantStore store = [] {
    const char* root = std::getenv("SAFNET_ROOT");
    const std::string root_path = root != nullptr ? root : SAFNET_ROOT;
    const char* build = std::getenv("SAFNET_BUILD");
    return VariantStore(root_path, build != nullptr ? build : root_path + "/build");
  }();
  return store;
}

const std::string& VariantStore::hash_of_sources(const NodeKind& kind) const {
  const std::lock_guard guard(kept_->mutex);
  std::string& hash = kept_->hashes[kind.name];
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
  Recipe recipe;
  recipe.hardware = hardware;
  std::string text;
  for (const auto& [name, value] : hardware.parameters) text += fmt::format("{}={} ", name, value);
  recipe.name =
      fmt::format("{}_{}", hardware.readable_name(), hash_hex(text + hash_of_sources(*hardware.kind)));
  recipe.folder = fs::path(build_) / "variants" / recipe.name;
  return recipe;
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
  whole.name = fmt::format("{}_{}", hardware.kind->network, hash_hex(code));
  whole.folder = fs::path(build_) / "variants" / whole.name;
  return whole;
}

std::vector<std::string> VariantStore::sources(const NodeKind& kind) const {
  return rtl_sources(fs::absolute(root_), kind);
}

bool VariantStore::is_built(const Hardware& hardware) const { return fs::exists(recipe(hardware).object()); }

void VariantStore::build(const Recipe& recipe) const {
  const fs::path variants = fs::path(build_) / "variants";
  fs::create_directories(variants);
  const FileLock lock(variants / (recipe.name + ".lock"));
  if (fs::exists(recipe.object())) return;
  // What interrupted builds of this variant have left; the lock keeps others out.
  for (const fs::directory_entry& entry : fs::directory_iterator(variants)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(recipe.name + ".") && name.ends_with(".tmp")) fs::remove_all(entry.path());
  }
  // Everything is made in a folder of its own and renamed at the end: an interrupted build leaves no variant.
  const fs::path work = variants / fmt::format("{}.{}.tmp", recipe.name, ::getpid());
  fs::create_directories(work);
  const NodeKind& kind = *recipe.hardware.kind;
  const bool whole = !recipe.header.empty();
  if (whole) write_file(work / "network_topology.svh", recipe.header);
  const std::string root = fs::absolute(root_).string();
  std::string command = fmt::format(
      "{} {} {} --top {} --timer {} --host {} --host-type {} --suffix {}{}{}",
      quoted(root + "/sim/variant/build_variant.sh"), quoted(root), quoted(fs::absolute(work).string()),
      whole ? kind.network : kind.top, kind.timer, quoted(kind.host_header), kind.host, hash_hex(recipe.name),
      whole ? " --whole-network" : "", recipe.hardware.quick_build ? " --quick-build" : "");
  for (const auto& [name, value] : recipe.hardware.parameters) command += fmt::format(" {}={}", name, value);
  command += " --";
  for (const std::string& source : rtl_sources(root, kind)) command += " " + quoted(source);
  if (whole) {
    for (const std::string& source : network_sources(root, kind)) command += " " + quoted(source);
  }
  command += fmt::format(" > {}/build.log 2>&1", quoted(work.string()));
  if (std::system(command.c_str()) != 0) {
    const fs::path log = variants / (recipe.name + ".log");
    fs::copy_file(work / "build.log", log, fs::copy_options::overwrite_existing);
    fs::remove_all(work);
    throw std::runtime_error(
        fmt::format("building the hardware variant {} failed; see {}", recipe.name, log.string()));
  }
  fs::remove_all(recipe.folder);
  fs::rename(work, recipe.folder);
}

std::shared_ptr<const Variant> VariantStore::load(const Recipe& recipe,
                                                  const std::function<void()>& on_build) {
  {
    const std::lock_guard guard(kept_->mutex);
    const auto known = kept_->variants.find(recipe.name);
    if (known != kept_->variants.end()) return known->second;
  }
  // Not under the lock: others may build meanwhile. Two that want the same variant meet at its file lock.
  double seconds = 0;
  if (!fs::exists(recipe.object())) {
    if (on_build) on_build();
    const auto begin = std::chrono::steady_clock::now();
    build(recipe);
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  const std::lock_guard guard(kept_->mutex);
  build_seconds_ += seconds;
  auto& slot = kept_->variants[recipe.name];
  if (!slot) slot = std::make_shared<const Variant>(fs::absolute(recipe.object()).string());
  return slot;
}

std::shared_ptr<const Variant> VariantStore::load(const Hardware& hardware,
                                                  const std::function<void()>& on_build) {
  return load(recipe(hardware), on_build);
}
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
    if (!known && !fs::exists(recipe.object())) missing.push_back(std::move(recipe));
  }
  if (missing.empty()) return 0;
  const auto begin = std::chrono::steady_clock::now();
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
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < workers; ++i) threads.emplace_back(worker);
  for (std::thread& thread : threads) thread.join();
  build_seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (failure) std::rethrow_exception(failure);
  return missing.size();
}

}  // namespace safnet
