// variant - verilated nodes for one set of RTL parameters: built once into a shared object, kept, loaded at
// run time.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "sim/machine/machine.hpp"
#include "sim/scan/scan_machine.hpp"

namespace safnet {

/// A loaded shared object. Lives as long as any machine made from it; hold it by shared_ptr.
class Variant {
 public:
  explicit Variant(const std::string& path);
  ~Variant();
  Variant(const Variant&) = delete;
  Variant& operator=(const Variant&) = delete;
  std::unique_ptr<NodeBatch> make_batch(const BatchConfig& config) const;
  /// Memory that one node takes.
  std::size_t node_bytes() const;
  std::unique_ptr<TimerModel> make_timer(VerilatedContext* context) const;
  std::unique_ptr<Machine> make_network(MachineObserver* observer) const;
  std::unique_ptr<TdmMachine> make_tdm_network(MachineObserver* observer) const;

 private:
  void* symbol(const char* name) const;
  void* handle_;
  std::string path_;
};

/// Parameters of rtl/exchange/linked_exchange_node.sv and rtl/exchange/exchange_timer.sv. Of `node` those
/// that the module has: it is all-port.
struct ExchangeParameters {
  NodeParameters node;
  friend auto operator<=>(const ExchangeParameters&, const ExchangeParameters&) = default;
};

/// Parameters of any kind of node.
using AnyParameters = std::variant<NodeParameters, TdmParameters, ScanParameters, ExchangeParameters>;

/// Progress of builds, for a terminal: how many are done of how many, and which one just finished.
using BuildProgress = std::function<void(std::size_t done, std::size_t total, const std::string& name)>;

/// Where variants are kept and built from. Safe to use from several threads and processes at once.
class VariantStore {
 public:
  /// `root`: the project's folder (rtl/ and sim/ below it); `build`: where build products go.
  VariantStore(std::string root, std::string build);
  /// The store of this installation: SAFNET_ROOT and SAFNET_BUILD from the environment, else as compiled in.
  static VariantStore& standard();

  /// Loads the variant, building it first if it is not there. Throws std::runtime_error if the build fails.
  std::shared_ptr<const Variant> load(const AnyParameters& parameters);
  /// The variant that is the whole network.sv for `graph`.
  std::shared_ptr<const Variant> load_network(const AnyParameters& parameters, const Graph& graph);
  /// Builds all that are missing, in parallel. Returns how many were built.
  std::size_t build_missing(const std::vector<AnyParameters>& wanted, const BuildProgress& progress);
  /// Seconds this store has spent building since it was made.
  double build_seconds() const { return build_seconds_; }
  bool is_built(const AnyParameters& parameters) const;

 private:
  struct Recipe;
  Recipe node_recipe(const NodeParameters& parameters) const;
  Recipe node_recipe(const TdmParameters& parameters) const;
  Recipe node_recipe(const ExchangeParameters& parameters) const;
  Recipe node_recipe(const ScanParameters& parameters) const;
  Recipe node_recipe(const AnyParameters& parameters) const;
  Recipe network_recipe(const TdmParameters& parameters, const Graph& graph) const;
  Recipe network_recipe(const NodeParameters& parameters, const Graph& graph) const;
  void build(const Recipe& recipe) const;
  std::shared_ptr<const Variant> load(const Recipe& recipe);

  std::string root_, build_;
  std::string sources_hash_, exchange_hash_, scan_sources_hash_;
  std::atomic<double> build_seconds_ = 0;  // read while others build
  struct Loaded;
  std::shared_ptr<Loaded> loaded_;
};

/// The generated header that rtl/network/pifo_network.sv is wired from. `radix`: ports per node.
std::string network_header(const Graph& graph, int radix);

}  // namespace safnet
