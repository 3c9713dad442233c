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

/// The models of a fabric that runs in one thread, or those of one of its threads. A pool knows the variant.
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
  /// Keeps models of at most so many bytes that no run is using.
  explicit NodePool(std::size_t bytes);
  /// `nodes` nodes of a variant, as if just made once they are reset.
  PooledNodes take(const std::shared_ptr<const Variant>& variant, std::uint32_t nodes);
  /// Gives them back. What an assertion has stopped is dropped.
  void give_back(PooledNodes nodes);
  std::size_t kept_bytes() const;

 private:
  std::size_t most_bytes_;
  std::list<PooledNodes> kept_;  // last used first
};

}  // namespace safnet
