// node_pool - verilated nodes kept from one run to the next: making them takes longer than many a run.
#pragma once

#include <cstddef>
#include <list>
#include <memory>

#include "sim/machine/node_batch.hpp"
#include "sim/variant/variant_store.hpp"

class VerilatedContext;

namespace safnet {

/// A context for models: it outlives them, and one thread uses it at a time.
std::unique_ptr<VerilatedContext> make_verilated_context();

/// The models of one thread of a fabric. `variant` and `bytes` are set by a pool only.
struct PooledNodes {
  PooledNodes();
  ~PooledNodes();
  PooledNodes(PooledNodes&&) noexcept;
  PooledNodes& operator=(PooledNodes&&) noexcept;

  std::shared_ptr<const Variant> variant;
  std::unique_ptr<VerilatedContext> context;
  std::unique_ptr<NodeBatch> batch;
  std::unique_ptr<TimerModel> timer;
  std::size_t bytes = 0;
};

/// Not safe for several threads: each has a pool of its own.
class NodePool {
 public:
  /// `bytes`: memory that models may take which no run is using; beyond it the longest unused are freed.
  explicit NodePool(std::size_t bytes);
  /// `nodes` nodes of a variant. Used ones have to be reset; then they are as if just made.
  PooledNodes take(const std::shared_ptr<const Variant>& variant, std::uint32_t nodes);
  /// Takes nodes back. Those in which an assertion of the RTL failed are freed.
  void give_back(PooledNodes nodes);
  std::size_t kept_bytes() const;

 private:
  std::size_t most_bytes_;
  std::list<PooledNodes> kept_;  // last used first
};

}  // namespace safnet
