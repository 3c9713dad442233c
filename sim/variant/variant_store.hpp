// variant_store - verilated nodes for sets of RTL parameters: each built once into a shared object, kept in
// build/variants, loaded at run time.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "sim/machine/node_batch.hpp"
#include "sim/variant/node_kind.hpp"

namespace safnet {

/// A loaded shared object. Lives as long as any machine made from it; hold it by shared_ptr.
class Variant {
 public:
  explicit Variant(const std::string& path);
  Variant(const Variant&) = delete;
  Variant& operator=(const Variant&) = delete;
  std::unique_ptr<NodeBatch> make_batch(const BatchConfig& config) const;
  /// Bytes of memory that one node takes.
  std::size_t node_bytes() const;
  std::unique_ptr<TimerModel> make_timer(VerilatedContext* context) const;
  /// The whole network; `observer` must outlive it. `wave`: its waveform; null: none.
  std::unique_ptr<Machine> make_network(std::uint32_t nodes, const NodeSettings& settings,
                                        MachineObserver* observer,
                                        std::unique_ptr<NetworkWave> wave = nullptr) const;

 private:
  template <class Function>
  Function symbol(const char* name) const;
  void* handle_;  // stays open: its code may still be on the stack of an exception
  std::string path_;
};

/// Progress of builds, for a terminal: how many are done of how many, and which one just finished.
using BuildProgress = std::function<void(std::size_t done, std::size_t total, const std::string& name)>;

/// Where variants are kept and built from. Safe to use from several threads and processes at once.
class VariantStore {
 public:
  /// `root`: the project's folder (rtl/ and sim/ below it); `build`: where build products go.
  VariantStore(std::string root, std::string build);
  /// The store of this installation: SAFNET_ROOT and SAFNET_BUILD from the environment, else as compiled in.
  static VariantStore& standard();

  /// Loads the variant. If it is not there, `on_build` is called and the variant is built first. Throws
  /// std::runtime_error if the build fails.
  std::shared_ptr<const Variant> load(const Hardware& hardware, const std::function<void()>& on_build = {});
  /// Whether it is there already.
  bool has(const Hardware& hardware) const;
  /// The same as load() for a whole network of such nodes, wired like `graph`, as one variant. Throws
  /// std::logic_error if the kind has no such network.
  std::shared_ptr<const Variant> load_network(const Hardware& hardware, const Graph& graph,
                                              const std::function<void()>& on_build = {});
  /// Builds all that are missing, in parallel; returns how many. Throws std::runtime_error if a build fails.
  std::size_t build_missing(const std::vector<Hardware>& wanted, const BuildProgress& progress);
  /// Seconds this store has spent building since it was made.
  double build_seconds() const { return build_seconds_; }
  /// The RTL of a kind of node: paths, in order of compilation.
  std::vector<std::string> sources(const NodeKind& kind) const;
  const std::string& build_folder() const { return build_; }
  const std::string& root() const { return root_; }
  const std::string& build() const { return build_; }
  std::string rtl_folder() const { return root_ + "/rtl"; }

 private:
  struct Recipe;
  Recipe recipe(const Hardware& hardware) const;
  Recipe network_recipe(const Hardware& hardware, const Graph& graph) const;
  void build(const Recipe& recipe) const;
  std::shared_ptr<const Variant> load(const Recipe& recipe, const std::function<void()>& on_build);
  const std::string& hash_of_sources(const NodeKind& kind) const;

  std::string root_, build_;
  std::atomic<double> build_seconds_ = 0;  // read while others build
  mutable std::mutex mutex_;               // of what follows
  std::map<std::string, std::shared_ptr<const Variant>> variants_;
  mutable std::map<std::string, std::string> hashes_;  // of the sources of a kind of node
};

}  // namespace safnet
