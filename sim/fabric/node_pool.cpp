#include "sim/fabric/node_pool.hpp"

#include <verilated.h>

#include <algorithm>
#include <utility>

namespace safnet {

std::unique_ptr<VerilatedContext> make_verilated_context() {
  auto context = std::make_unique<VerilatedContext>();
  context->threads(1);           // no thread pool: the fabric has its own threads
  context->fatalOnError(false);  // batches look for failed assertions themselves
  context->traceEverOn(true);
  return context;
}

PooledNodes::PooledNodes() = default;
PooledNodes::PooledNodes(PooledNodes&&) noexcept = default;
PooledNodes& PooledNodes::operator=(PooledNodes&&) noexcept = default;
PooledNodes::~PooledNodes() {
  // Models unregister from the thread's current context.
  if (context) Verilated::threadContextp(context.get());
}

NodePool::NodePool(std::size_t bytes) : most_bytes_(bytes) {}

std::size_t NodePool::kept_bytes() const {
  std::size_t bytes = 0;
  for (const PooledNodes& kept : kept_) bytes += kept.bytes;
  return bytes;
}

PooledNodes NodePool::take(const std::shared_ptr<const Variant>& variant, std::uint32_t nodes) {
  PooledNodes taken;
  const auto found = std::find_if(kept_.begin(), kept_.end(),
                                  [&](const PooledNodes& kept) { return kept.variant == variant; });
  if (found != kept_.end()) {
    taken = std::move(*found);
    kept_.erase(found);
  } else {
    taken.variant = variant;
    taken.context = make_verilated_context();
    BatchConfig config;
    config.context = taken.context.get();
    taken.batch = variant->make_batch(config);
    taken.timer = variant->make_timer(taken.context.get());
  }
  taken.batch->resize(nodes);
  taken.bytes = std::max(taken.bytes, variant->node_bytes() * nodes);
  return taken;
}

void NodePool::give_back(PooledNodes nodes) {
  if (nodes.context->gotError()) return;
  kept_.push_front(std::move(nodes));
  std::size_t bytes = 0;
  kept_.remove_if([&](const PooledNodes& kept) {
    const bool fits = bytes + kept.bytes <= most_bytes_;
    if (fits) bytes += kept.bytes;
    return !fits;
  });
}

}  // namespace safnet
