#include "sim/machine/node_fabric.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <verilated.h>
#include <verilated_fst_c.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

// A barrier for phases of microseconds: spins for a while, then lets others run.
class SpinBarrier {
 public:
  explicit SpinBarrier(unsigned parties) : parties_(parties) {}
  void wait() {
    const unsigned phase = phase_.load(std::memory_order_acquire);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == parties_) {
      arrived_.store(0, std::memory_order_relaxed);
      phase_.store(phase + 1, std::memory_order_release);
      return;
    }
    for (unsigned spins = 0; phase_.load(std::memory_order_acquire) == phase; ++spins) {
      if (spins > 2000) std::this_thread::yield();
    }
  }

 private:
  const unsigned parties_;
  std::atomic<unsigned> arrived_{0};
  std::atomic<unsigned> phase_{0};
};

// Memory that programs can still get, in bytes; what the machine has if the system does not say.
double available_bytes() {
  std::ifstream meminfo("/proc/meminfo");
  for (std::string word; meminfo >> word;) {
    double kibibytes = 0;
    if (word == "MemAvailable:" && meminfo >> kibibytes) return kibibytes * 1024;
  }
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

// Refuses a network that would not fit into the memory that is free.
void require_memory(const Graph& graph, double node_bytes) {
  const double needed = node_bytes * graph.node_count() / 1e9;
  const double free = available_bytes() / 1e9;
  if (needed > 0.85 * free) {
    throw std::invalid_argument(
        fmt::format("{}: the network would take about {:.1f} GB of memory (estimate), {:.1f} GB are free; "
                    "expected a smaller "
                    "network or a smaller --queue-depth",
                    one_line(graph.spelling()), needed, free));
  }
}

}  // namespace

// Threads 1 ... n-1; thread 0 is the caller.
struct NodeFabric::Workers {
  explicit Workers(unsigned parties) : barrier(parties), failures(parties) {}
  SpinBarrier barrier;
  std::vector<std::exception_ptr> failures;
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
};

void NodeFabric::CloseWave::operator()(VerilatedFstC* file) const {
  file->close();
  delete file;
}

NodeFabric::NodeFabric(const Graph& graph, std::uint32_t radix, std::uint32_t flit_width, double model_bytes,
                       std::shared_ptr<const Variant> variant, MachineObserver* observer,
                       const FabricOptions& options)
    : variant_(std::move(variant)), observer_(observer), wave_(options.wave) {
  const NodeId nodes = graph.node_count();
  if (graph.max_degree() > radix) throw std::logic_error("fabric: the radix is smaller than the degree");
  require_memory(graph, static_cast<double>(variant_->node_bytes()) + model_bytes);
  wires_.outputs.resize(nodes);
  wires_.flits.resize(static_cast<std::size_t>(nodes) * radix * static_cast<std::size_t>(flit_width / 32));
  wires_.feeders.resize(static_cast<std::size_t>(nodes) * radix);
  wires_.targets.resize(static_cast<std::size_t>(nodes) * radix);
  for (NodeId v = 0; v < nodes; ++v) {
    for (PortId p = 0; p < graph.degree(v); ++p) {
      const Endpoint to = graph.peer(v, p);
      wires_.targets[static_cast<std::size_t>(v) * radix + p] = {to.node, to.port};
      wires_.feeders[static_cast<std::size_t>(to.node) * radix + to.port] = {v, p};
    }
  }
  const bool traced = !wave_.path.empty();
  const unsigned threads =
      traced ? 1 : std::clamp<unsigned>(options.threads, 1, std::max<unsigned>(1, nodes));
  if (options.pool != nullptr && threads == 1 && !traced && options.skip_idle) {
    pool_ = options.pool;
    PooledNodes nodes_from_pool = pool_->take(variant_, nodes);
    contexts_.push_back(std::move(nodes_from_pool.context));
    batches_.push_back(std::move(nodes_from_pool.batch));
    timer_ = std::move(nodes_from_pool.timer);
    pooled_bytes_ = nodes_from_pool.bytes;
    first_node_.push_back(0);
    return;
  }
  for (unsigned t = 0; t < threads; ++t) {
    contexts_.push_back(make_verilated_context());
    BatchConfig config;
    config.context = contexts_.back().get();
    config.first_node = static_cast<std::uint32_t>(std::uint64_t{nodes} * t / threads);
    const auto end = static_cast<std::uint32_t>(std::uint64_t{nodes} * (t + 1) / threads);
    for (std::uint32_t v = config.first_node; v < end; ++v)
      config.node_names.push_back("node_" + graph.node_name(v));
    config.skip_idle = options.skip_idle && !traced;  // a waveform shows every node's clock in every cycle
    config.two_edges = traced;
    first_node_.push_back(config.first_node);
    batches_.push_back(variant_->make_batch(config));
  }
  timer_ = variant_->make_timer(contexts_[0].get());
  if (traced) {
    wave_file_.reset(new VerilatedFstC);
    timer_->trace(wave_file_.get());
    std::vector<NodeId> chosen = wave_.nodes;
    if (chosen.empty()) {
      for (NodeId v = 0; v < nodes; ++v) chosen.push_back(v);
    }
    for (const NodeId v : chosen) place(v).batch->trace(place(v).index, wave_file_.get());
    wave_file_->open(wave_.path.c_str());
    if (!wave_file_->isOpen()) throw std::runtime_error("cannot write the waveform " + wave_.path);
  }
  if (threads > 1) {
    workers_ = std::make_unique<Workers>(threads);
    for (unsigned t = 1; t < threads; ++t) {
      workers_->threads.emplace_back([this, t] {
        for (;;) {
          workers_->barrier.wait();  // a cycle begins, or the end
          if (workers_->stop) return;
          batches_[t]->gather(wires_, signals_);
          workers_->barrier.wait();
          try {
            batches_[t]->clock(wires_, signals_, observer_);
          } catch (...) {
            workers_->failures[t] = std::current_exception();
          }
          workers_->barrier.wait();
        }
      });
    }
  }
}

NodeFabric::~NodeFabric() {
  if (workers_) {
    workers_->stop = true;
    workers_->barrier.wait();
    for (std::thread& thread : workers_->threads) thread.join();
  }
  wave_file_.reset();  // before the models it reads from
  if (pool_ != nullptr) {
    PooledNodes nodes;
    nodes.variant = variant_;
    nodes.context = std::move(contexts_[0]);
    nodes.batch = std::move(batches_[0]);
    nodes.timer = std::move(timer_);
    nodes.bytes = pooled_bytes_;
    pool_->give_back(std::move(nodes));
  }
}

NodeFabric::Place NodeFabric::place(std::uint32_t node) const {
  const auto after = std::upper_bound(first_node_.begin(), first_node_.end(), node);
  const auto batch = static_cast<std::size_t>(after - first_node_.begin()) - 1;
  return {batches_[batch].get(), node - first_node_[batch]};
}

void NodeFabric::reset() {
  timer_->reset();
  for (auto& batch : batches_) batch->reset();
}

void NodeFabric::dump(std::uint32_t cycle, bool rising) {
  // Before the start all cycles are number 0, and time would not advance; the cycle of the start opens a
  // slot.
  if (signals_.now.cycle == 0 && !signals_.slot_open_next) return;
  if (!wave_file_ || cycle < wave_.first_cycle || cycle > wave_.last_cycle) return;
  const std::uint64_t time = std::uint64_t{cycle} * 10 + (rising ? 0 : 5);
  if (time <= last_dump_) return;  // the network's time may stand still
  last_dump_ = time;
  wave_file_->dump(time);
}

void NodeFabric::run_cycle() {
  signals_ = timer_->sample();
  if (workers_) {
    workers_->barrier.wait();
    batches_[0]->gather(wires_, signals_);
    workers_->barrier.wait();
    try {
      batches_[0]->clock(wires_, signals_, observer_);
    } catch (...) {
      workers_->failures[0] = std::current_exception();
    }
    workers_->barrier.wait();
    for (std::exception_ptr& failure : workers_->failures) {
      if (failure) std::rethrow_exception(std::exchange(failure, nullptr));
    }
  } else {
    for (auto& batch : batches_) batch->gather(wires_, signals_);
    for (auto& batch : batches_) batch->clock(wires_, signals_, observer_);
  }
  timer_->clock();
  // The edge that ends cycle c begins cycle c + 1.
  dump(signals_.now.cycle + 1, true);
  if (wave_file_) {
    for (auto& batch : batches_) batch->falling_edge();
  }
  timer_->falling_edge();
  dump(signals_.now.cycle + 1, false);
}

void NodeFabric::start() {
  timer_->start();
  run_cycle();
}
NetworkTime NodeFabric::clock() {
  run_cycle();
  return signals_.now;
}
bool NodeFabric::finished() const {
  return std::all_of(batches_.begin(), batches_.end(),
                     [](const auto& batch) { return batch->active_nodes() == 0; });
}
std::uint64_t NodeFabric::progress() const {
  std::uint64_t sum = 0;
  for (const auto& batch : batches_) sum += batch->progress();
  return sum;
}
std::uint64_t NodeFabric::evaluations() const {
  std::uint64_t sum = 0;
  for (const auto& batch : batches_) sum += batch->evaluations();
  return sum;
}

}  // namespace safnet
