#include "sim/variant/variant.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <thread>

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

std::string quoted(const std::string& path) {
  std::string result = "'";
  for (const char c : path) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

// The sources of the hardware in some lists of rtl/, in order of compilation.
std::vector<std::string> rtl_sources(const fs::path& root, const std::vector<std::string>& lists) {
  std::vector<std::string> sources;
  for (const std::string& name_of_list : lists) {
    std::istringstream list(read_file(root / "rtl" / name_of_list / (name_of_list + ".f")));
    for (std::string name; list >> name;) sources.push_back((root / "rtl" / name).string());
  }
  return sources;
}

// What a kind of node is made from: lists of RTL sources, and what its C++ side includes.
struct Sources {
  std::vector<std::string> lists;
  std::vector<std::string> further;
};

const Sources kPifoAndTdmSources{
    {"common", "pifo", "tdm"},
    {"rtl/network/network_wiring.sv", "rtl/network/pifo_network.sv", "rtl/network/tdm_network.sv",
     "sim/machine/machine.hpp", "sim/machine/model_bits.hpp", "sim/machine/timer_model.hpp",
     "sim/tdm/tdm_format.hpp", "sim/tdm/tdm_feeder.hpp", "sim/tdm/tdm_ports.hpp", "sim/pifo/pifo_variant.cpp",
     "sim/pifo/pifo_network_variant.cpp", "sim/tdm/tdm_variant.cpp", "sim/tdm/tdm_network_variant.cpp"}};

const Sources kExchangeSources{{"common", "pifo", "exchange"},
                               {"sim/machine/machine.hpp", "sim/machine/model_bits.hpp",
                                "sim/machine/timer_model.hpp", "sim/pifo/pifo_variant.cpp"}};
const Sources kScanSources{
    {"common", "scan"},
    {"sim/machine/machine.hpp", "sim/scan/scan_machine.hpp", "sim/machine/model_bits.hpp",
     "sim/machine/timer_model.hpp", "sim/scan/scan_variant.cpp"}};

// The parameters of a node that its C++ side can read.
constexpr const char* kPublicParameters = "rtl/common/public.vlt";

// Stands for how variants are built: to be raised when the commands in build() change what comes out.
constexpr const char* kBuildVersion = "2";

std::string hash_of_sources(const fs::path& root, const Sources& sources) {
  std::string all = kBuildVersion + read_file(root / kPublicParameters);
  for (const std::string& source : rtl_sources(root, sources.lists)) all += read_file(source);
  for (const std::string& name : sources.further) all += read_file(root / name);
  return hash_hex(all);
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
// The object stays mapped: its code may still be on the stack of an exception, and a variant is loaded once.
Variant::~Variant() = default;

void* Variant::symbol(const char* name) const {
  void* address = ::dlsym(handle_, name);
  if (address == nullptr) throw std::runtime_error(fmt::format("{} does not export {}", path_, name));
  return address;
}
std::unique_ptr<NodeBatch> Variant::make_batch(const BatchConfig& config) const {
  return std::unique_ptr<NodeBatch>(
      reinterpret_cast<MakeBatchFunction>(symbol("safnet_make_batch"))(&config));
}
std::size_t Variant::node_bytes() const {
  return reinterpret_cast<NodeBytesFunction>(symbol("safnet_node_bytes"))();
}
std::unique_ptr<TimerModel> Variant::make_timer(VerilatedContext* context) const {
  return std::unique_ptr<TimerModel>(
      reinterpret_cast<MakeTimerFunction>(symbol("safnet_make_timer"))(context));
}
std::unique_ptr<Machine> Variant::make_network(MachineObserver* observer) const {
  return std::unique_ptr<Machine>(
      reinterpret_cast<MakeNetworkFunction>(symbol("safnet_make_network"))(observer));
}
std::unique_ptr<TdmMachine> Variant::make_tdm_network(MachineObserver* observer) const {
  return std::unique_ptr<TdmMachine>(
      reinterpret_cast<MakeTdmNetworkFunction>(symbol("safnet_make_tdm_network"))(observer));
}

// One shared object: what goes in and where it ends up.
struct VariantStore::Recipe {
  std::string name;  // readable, unique with the hash
  int slot_cycles = 1;
  std::string timer = "slot_timer";   // module that is the network's clock
  bool wide = false;                  // so large that it is built for a quick build
  std::string top;                    // module to be verilated
  std::vector<std::string> generics;  // -GName=value
  std::string header;                 // network_topology.svh, if any
  std::string glue;                   // the C++ side
  std::vector<std::string> lists = kPifoAndTdmSources.lists;
  fs::path folder;
  fs::path object;
};

struct VariantStore::Loaded {
  std::mutex mutex;
  std::map<std::string, std::shared_ptr<const Variant>> variants;
};

VariantStore::VariantStore(std::string root, std::string build)
    : root_(std::move(root)),
      build_(std::move(build)),
      sources_hash_(hash_of_sources(root_, kPifoAndTdmSources)),
      exchange_hash_(hash_of_sources(root_, kExchangeSources)),
      scan_sources_hash_(hash_of_sources(root_, kScanSources)),
      loaded_(std::make_shared<Loaded>()) {}

VariantStore& VariantStore::standard() {
  static VariantStore store = [] {
    const char* root = std::getenv("SAFNET_ROOT");
    const std::string root_path = root != nullptr ? root : SAFNET_ROOT;
    const char* build = std::getenv("SAFNET_BUILD");
    return VariantStore(root_path, build != nullptr ? build : root_path + "/build");
  }();
  return store;
}

VariantStore::Recipe VariantStore::node_recipe(const NodeParameters& p) const {
  Recipe recipe;
  recipe.slot_cycles = p.slot_cycles;
  recipe.wide = p.port_model == 0 && p.radix > 16;
  recipe.top = "pifo_node";
  recipe.glue = "sim/pifo/pifo_variant.cpp";
  const std::vector<std::pair<std::string, int>> values = {{"Radix", p.radix},
                                                           {"FlitWidth", p.flit_width},
                                                           {"Flits", p.flits},
                                                           {"LinkLatency", p.link_latency},
                                                           {"SlotCycles", p.slot_cycles},
                                                           {"QueueDepth", p.queue_depth},
                                                           {"HostDepth", p.host_depth},
                                                           {"LabelDepth", p.label_depth},
                                                           {"RankLevels", p.rank_levels},
                                                           {"PortModel", p.port_model},
                                                           {"GrantCycles", p.grant_cycles},
                                                           {"NodeIdWidth", p.node_id_width},
                                                           {"TagWidth", p.tag_width},
                                                           {"DealsLinks", p.deals_links},
                                                           {"RestRanks", p.rest_ranks}};
  for (const auto& [name, value] : values) recipe.generics.push_back(fmt::format("-G{}={}", name, value));
  std::string text;
  for (const std::string& generic : recipe.generics) text += generic;
  static const char* const kModels[] = {"all", "one", "onesend"};
  recipe.name = fmt::format("node_r{}_{}{}_f{}_l{}_s{}_{}", p.radix, kModels[p.port_model],
                            p.grant_cycles != 0 ? "_grant" : "", p.flits, p.link_latency, p.slot_cycles,
                            hash_hex(text + sources_hash_));
  recipe.folder = fs::path(build_) / "variants" / recipe.name;
  recipe.object = recipe.folder / "variant.so";
  return recipe;
}

VariantStore::Recipe VariantStore::network_recipe(const NodeParameters& p, const Graph& graph) const {
  Recipe recipe = node_recipe(p);
  recipe.top = "pifo_network";
  recipe.glue = "sim/pifo/pifo_network_variant.cpp";
  recipe.generics.erase(recipe.generics.begin());  // the radix stands in the header
  recipe.header = network_header(graph, p.radix);
  recipe.name = fmt::format("network_{}", hash_hex(recipe.name + recipe.header));
  recipe.folder = fs::path(build_) / "variants" / recipe.name;
  recipe.object = recipe.folder / "variant.so";
  return recipe;
}

VariantStore::Recipe VariantStore::node_recipe(const TdmParameters& p) const {
  Recipe recipe;
  recipe.slot_cycles = p.slot_cycles;
  recipe.wide = p.radix > 16;
  recipe.top = "tdm_node";
  recipe.glue = "sim/tdm/tdm_variant.cpp";
  const std::vector<std::pair<std::string, int>> values = {{"Radix", p.radix},
                                                           {"FlitWidth", p.flit_width},
                                                           {"Flits", p.flits},
                                                           {"LinkLatency", p.link_latency},
                                                           {"SlotCycles", p.slot_cycles},
                                                           {"Buffers", p.buffers},
                                                           {"ProgramDepth", p.program_depth},
                                                           {"Window", p.window},
                                                           {"PortModel", p.port_model},
                                                           {"NameWidth", p.name_width},
                                                           {"GenerationWidth", p.generation_width},
                                                           {"CountWidth", p.count_width},
                                                           {"Combining", p.combining}};
  for (const auto& [name, value] : values) recipe.generics.push_back(fmt::format("-G{}={}", name, value));
  std::string text = recipe.top;
  for (const std::string& generic : recipe.generics) text += generic;
  static const char* const kModels[] = {"all", "one", "onesend"};
  recipe.name = fmt::format("tdm_r{}_{}_f{}_l{}_s{}_b{}_{}", p.radix, kModels[p.port_model], p.flits,
                            p.link_latency, p.slot_cycles, p.buffers, hash_hex(text + sources_hash_));
  recipe.folder = fs::path(build_) / "variants" / recipe.name;
  recipe.object = recipe.folder / "variant.so";
  return recipe;
}

VariantStore::Recipe VariantStore::network_recipe(const TdmParameters& p, const Graph& graph) const {
  Recipe recipe = node_recipe(p);
  recipe.top = "tdm_network";
  recipe.glue = "sim/tdm/tdm_network_variant.cpp";
  recipe.generics.erase(recipe.generics.begin());  // the radix stands in the header
  recipe.header = network_header(graph, p.radix);
  recipe.name = fmt::format("tdm_network_{}", hash_hex(recipe.name + recipe.header));
  recipe.folder = fs::path(build_) / "variants" / recipe.name;
  recipe.object = recipe.folder / "variant.so";
  return recipe;
}

// A pifo_node that scans first: its C++ side is the same.
VariantStore::Recipe VariantStore::node_recipe(const ExchangeParameters& p) const {
  Recipe recipe = node_recipe(p.node);
  recipe.lists = kExchangeSources.lists;
  recipe.generics.push_back("-GScansFirst=1");
  recipe.timer = "exchange_timer";
  std::erase_if(recipe.generics, [](const std::string& generic) {
    return generic.starts_with("-GPortModel=") || generic.starts_with("-GGrantCycles=") ||
           generic.starts_with("-GDealsLinks=") || generic.starts_with("-GRestRanks=");
  });
  std::string text;
  for (const std::string& generic : recipe.generics) text += generic;
  recipe.name = fmt::format("exchange_r{}_f{}_l{}_s{}_{}", p.node.radix, p.node.flits, p.node.link_latency,
                            p.node.slot_cycles, hash_hex(text + exchange_hash_));
  recipe.folder = fs::path(build_) / "variants" / recipe.name;
  recipe.object = recipe.folder / "variant.so";
  return recipe;
}

VariantStore::Recipe VariantStore::node_recipe(const ScanParameters& p) const {
  Recipe recipe;
  recipe.top = "scan_node";
  recipe.glue = "sim/scan/scan_variant.cpp";
  recipe.lists = kScanSources.lists;
  const std::vector<std::pair<std::string, int>> values = {{"Radix", p.radix},
                                                           {"Digits", p.digits},
                                                           {"DigitWidth", p.digit_width},
                                                           {"Classes", p.classes},
                                                           {"LengthWidth", p.length_width},
                                                           {"LinkLatency", p.link_latency},
                                                           {"Pieces", p.pieces}};
  std::string text = recipe.top;
  for (const auto& [name, value] : values) recipe.generics.push_back(fmt::format("-G{}={}", name, value));
  for (const std::string& generic : recipe.generics) text += generic;
  recipe.name = fmt::format("scan_r{}_d{}x{}_c{}_{}", p.radix, p.digits, p.digit_width, p.classes,
                            hash_hex(text + scan_sources_hash_));
  recipe.folder = fs::path(build_) / "variants" / recipe.name;
  recipe.object = recipe.folder / "variant.so";
  return recipe;
}

VariantStore::Recipe VariantStore::node_recipe(const AnyParameters& parameters) const {
  return std::visit([&](const auto& p) { return node_recipe(p); }, parameters);
}

bool VariantStore::is_built(const AnyParameters& parameters) const {
  return fs::exists(node_recipe(parameters).object);
}

void VariantStore::build(const Recipe& recipe) const {
  fs::create_directories(fs::path(build_) / "variants");
  const FileLock lock(fs::path(build_) / "variants" / (recipe.name + ".lock"));
  if (fs::exists(recipe.object)) return;
  // Everything is made in a folder of its own and renamed at the end: an interrupted build leaves no variant.
  const fs::path work = fs::path(build_) / "variants" / fmt::format("{}.{}.tmp", recipe.name, ::getpid());
  // What interrupted builds of this variant have left; the lock keeps others out.
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(build_) / "variants")) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(recipe.name + ".") && name.ends_with(".tmp")) fs::remove_all(entry.path());
  }
  fs::create_directories(work);
  const std::string suffix = hash_hex(recipe.name);
  const std::string model = "V" + recipe.top + "_" + suffix;
  const std::string timer = "V" + recipe.timer + "_" + suffix;
  if (!recipe.header.empty()) write_file(work / "network_topology.svh", recipe.header);

  std::string sources = quoted((fs::path(root_) / kPublicParameters).string()) + " ";
  for (const std::string& source : rtl_sources(root_, recipe.lists)) sources += quoted(source) + " ";
  const bool whole = !recipe.header.empty();
  if (whole)
    for (const std::string& source : rtl_sources(root_, {"network"})) sources += quoted(source) + " ";
  std::string generics;
  for (const std::string& generic : recipe.generics) generics += generic + " ";

  std::string script = "set -e\n";
  script += fmt::format("cd {}\n", quoted(fs::absolute(work).string()));
  // A whole network is for comparison: it is built for a quick build, without waveforms. So are all-port
  // nodes of a wide radix, whose code grows with the square of it.
  const std::string optimisation = whole || recipe.wide ? "-O1" : "-O2";
  const std::string common = fmt::format(
      "verilator --cc -O3 --assert --x-assign fast --x-initial fast {} "
      "--timescale-override 1ns/1ns -Wno-fatal --output-split 20000 ",
      whole ? "" : "--trace-fst --trace-max-array 0");
  script += common + fmt::format("--prefix {} --top-module {} --Mdir model -I. {} {}\n", model, recipe.top,
                                 generics, sources);
  script += common + fmt::format("--prefix {} --top-module {} --Mdir timer -GSlotCycles={} {}\n", timer,
                                 recipe.timer, recipe.slot_cycles, sources);
  script += fmt::format("root={}\n", quoted(fs::absolute(root_).string()));
  script += "awk -f \"$root\"/scripts/rtl_constants.awk \"$root\"/rtl/*/*_pkg.sv > rtl_constants.hpp\n";
  script += "include=$(verilator --getenv VERILATOR_ROOT)/include\n";
  script +=
      "flags=\"-std=c++20 -fPIC -w -DVM_TRACE=1 -DVM_TRACE_FST=1 -DVM_COVERAGE=0 -DVM_SC=0 -DVL_TIME_CONTEXT "
      "-I$root -I. -Imodel -Itimer -isystem $include -isystem $include/vltstd\"\n";
  // The code that runs every cycle is optimised; construction and trace set-up are not worth the compiler's
  // time.
  script +=
      "for f in model/*.cpp; do case $f in *Slow*|*Syms*|*Trace*) echo \"#include \\\"$f\\\"\" >> slow.cpp;; "
      "*) n=$((1 - ${n:-1})); echo \"#include \\\"$f\\\"\" >> fast$n.cpp;; esac; done\n";
  script += "for f in timer/*.cpp; do echo \"#include \\\"$f\\\"\" >> slow.cpp; done\n";
  script += "g++ $flags -O0 -c slow.cpp -o slow.o & slow=$!\n";
  script += fmt::format(
      "g++ $flags {0} -c fast0.cpp -o fast0.o & fast=$!\n"
      "[ ! -e fast1.cpp ] || g++ $flags {0} -c fast1.cpp -o fast1.o\n",
      optimisation);
  script += fmt::format(
      "g++ $flags -O2 -DSAFNET_NODE_HEADER='\"{0}.h\"' -DSAFNET_NODE_MODEL={0} "
      "-DSAFNET_NODE_SYMBOLS_HEADER='\"{0}__Syms.h\"' -DSAFNET_NODE_SYMBOLS={0}__Syms "
      "-DSAFNET_NODE_CLASS={0}_{2} "
      "-DSAFNET_TIMER_HEADER='\"{1}.h\"' -DSAFNET_TIMER_MODEL={1} -c $root/{3} -o glue.o\n",
      model, timer, recipe.top, recipe.glue);
  script +=
      "wait $slow\nwait $fast\ng++ -shared -o variant.so *.o\nrm -rf *.o fast*.cpp slow.cpp model timer\n";
  write_file(work / "build.sh", script);
  const std::string command = fmt::format("sh {0}/build.sh > {0}/build.log 2>&1", quoted(work.string()));
  if (std::system(command.c_str()) != 0) {
    const fs::path log = fs::path(build_) / "variants" / (recipe.name + ".log");
    fs::copy_file(work / "build.log", log, fs::copy_options::overwrite_existing);
    fs::remove_all(work);
    throw std::runtime_error(
        fmt::format("building the hardware variant {} failed; see {}", recipe.name, log.string()));
  }
  fs::remove_all(recipe.folder);
  fs::rename(work, recipe.folder);
}

std::shared_ptr<const Variant> VariantStore::load(const Recipe& recipe) {
  {
    const std::lock_guard guard(loaded_->mutex);
    const auto known = loaded_->variants.find(recipe.name);
    if (known != loaded_->variants.end()) return known->second;
  }
  // Not under the lock: others may build meanwhile. Two that want the same variant meet at its file lock.
  double seconds = 0;
  if (!fs::exists(recipe.object)) {
    const auto begin = std::chrono::steady_clock::now();
    build(recipe);
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  const std::lock_guard guard(loaded_->mutex);
  build_seconds_ += seconds;
  auto& slot = loaded_->variants[recipe.name];
  if (!slot) slot = std::make_shared<const Variant>(fs::absolute(recipe.object).string());
  return slot;
}

std::shared_ptr<const Variant> VariantStore::load(const AnyParameters& parameters) {
  return load(node_recipe(parameters));
}
std::shared_ptr<const Variant> VariantStore::load_network(const AnyParameters& parameters,
                                                          const Graph& graph) {
  return load(std::visit(
      [&](const auto& p) -> Recipe {
        if constexpr (requires { network_recipe(p, graph); }) {
          return network_recipe(p, graph);
        } else {
          throw std::logic_error("there is no network of these nodes to be elaborated");
        }
      },
      parameters));
}

std::size_t VariantStore::build_missing(const std::vector<AnyParameters>& wanted,
                                        const BuildProgress& progress) {
  std::vector<Recipe> missing;
  for (const AnyParameters& parameters : wanted) {
    Recipe recipe = node_recipe(parameters);
    const bool known =
        std::any_of(missing.begin(), missing.end(), [&](const Recipe& r) { return r.name == recipe.name; });
    if (!known && !fs::exists(recipe.object)) missing.push_back(std::move(recipe));
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

std::string network_header(const Graph& graph, int radix) {
  const auto ports = static_cast<std::size_t>(radix);
  const std::size_t entries = graph.node_count() * ports;
  // Where the other end of every port is; concatenations list the highest element first.
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

}  // namespace safnet
