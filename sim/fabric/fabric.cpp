#include "sim/fabric/fabric.hpp"

#include <verilated.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <exception>
#include <stdexcept>
#include <thread>
#include <utility>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "sim/machine/system.hpp"

namespace safnet {
namespace {

// A barrier for phases of microseconds: a thread spins for a while, then yields.
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

// The first node of each part, one for each thread. A node of its own clock is a part of its own.
std::vector<std::uint32_t> first_of_parts(NodeId nodes, unsigned threads, std::uint32_t own_clock) {
  std::vector<std::uint32_t> first;
  if (own_clock == Wire::kNowhere) {
    for (unsigned t = 0; t < threads; ++t)
      first.push_back(static_cast<std::uint32_t>(std::uint64_t{nodes} * t / threads));
    return first;
  }
  if (own_clock != 0) first.push_back(0);
  first.push_back(own_clock);
  if (own_clock + 1 < nodes) first.push_back(own_clock + 1);
  return first;
}

// An assertion that fails is an error of the context of the thread that finds it. This has to be the context
// of the nodes, in which their batch looks for errors: in another one nobody would, and a thread that was
// given none has one in which errors end the program. Verilator notes the last context of all threads in one
// place, which is written only if need be.
void use_context(const PooledNodes& part) {
  if (Verilated::threadContextp() != part.context.get()) Verilated::threadContextp(part.context.get());
}

}  // namespace

// Threads 1 ... n-1; thread 0 is the caller.
struct Fabric::Workers {
  explicit Workers(unsigned parties) : barrier(parties), failures(parties) {}
  SpinBarrier barrier;
  std::vector<std::exception_ptr> failures;
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
};

Fabric::Fabric(const Graph& graph, const Hardware& hardware, std::shared_ptr<const Variant> variant,
               MachineObserver* observer, const FabricOptions& options)
    : variant_(std::move(variant)), settings_(hardware.settings), observer_(observer), tap_(options.tap) {
  const NodeId nodes = graph.node_count();
  const auto radix = static_cast<std::uint32_t>(hardware.value("Radix"));
  if (graph.max_degree() > radix) throw std::logic_error("fabric: the radix is smaller than the degree");
  if (graph.has_unequal_links() && hardware.value("UnequalLinks", 0) == 0) {
    throw bad_input(
        "{}: links differ in latency or width; expected a timetable for tdm_nodes, which know that",
        one_line(graph.spelling()));
  }
  auto of_node = static_cast<double>(variant_->node_bytes());
  if (hardware.used_bytes != 0) of_node = std::min(of_node, hardware.used_bytes);
  require_memory(graph.spelling(), {{"nodes", nodes * (of_node + hardware.scope_bytes), "--queue-depth"}});
  wire(graph, radix, static_cast<std::uint32_t>(hardware.value("FlitWidth") / 32));
  const bool traced = !options.wave.path.empty();
  const unsigned threads =
      traced || tap_ != nullptr ? 1 : std::clamp<unsigned>(options.threads, 1, std::max<unsigned>(1, nodes));
  const std::uint32_t clocked = tap_ != nullptr ? tap_->clocked_node() : Wire::kNowhere;
  if (options.pool != nullptr && threads == 1 && !traced && options.skip_idle && clocked == Wire::kNowhere) {
    pool_ = options.pool;
    parts_.push_back(pool_->take(variant_, nodes));
    wires_.first_node.push_back(0);
  } else {
    make_batches(graph, first_of_parts(nodes, threads, clocked), options.skip_idle, traced);
  }
  clocked_part_ = clocked == Wire::kNowhere ? parts_.size() : wires_.part_of(clocked);
  for (WireValues* values : {&wires_.now, &wires_.next})
    values->wakes.assign(parts_.size(), std::vector<std::uint64_t>((std::size_t{nodes} + 63) / 64));
  two_phases_ = tap_ != nullptr || parts_[0].batch->needs_two_phases();
  if (traced) open_wave(options.wave, hardware.waved_network(graph, false));
  if (threads > 1) start_workers();
}

void Fabric::wire(const Graph& graph, std::uint32_t radix, std::uint32_t words_per_flit) {
  const std::size_t ports = std::size_t{graph.node_count()} * radix;
  wires_.radix = radix;
  for (WireValues* values : {&wires_.now, &wires_.next}) {
    values->outputs.resize(std::size_t{graph.node_count()} * wires_.output_words());
    values->flits.resize(ports * words_per_flit);
  }
  wires_.feeders.resize(ports);
  wires_.targets.resize(ports);
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    for (PortId p = 0; p < graph.degree(v); ++p) {
      const Endpoint to = graph.peer(v, p);
      wires_.targets[std::size_t{v} * radix + p] = {to.node, to.port};
      wires_.feeders[std::size_t{to.node} * radix + to.port] = {v, p};
    }
  }
}

void Fabric::make_batches(const Graph& graph, const std::vector<std::uint32_t>& first, bool skip_idle,
                          bool traced) {
  for (std::size_t t = 0; t < first.size(); ++t) {
    PooledNodes& part = parts_.emplace_back();
    part.context = make_verilated_context();
    BatchConfig config;
    config.context = part.context.get();
    config.first_node = first[t];
    const std::uint32_t end = t + 1 < first.size() ? first[t + 1] : graph.node_count();
    for (std::uint32_t v = config.first_node; v < end; ++v)
      config.node_names.push_back("node_" + graph.node_name(v));
    config.skip_idle = skip_idle && !traced;  // a waveform shows every node's clock in every cycle
    config.two_edges = traced;
    wires_.first_node.push_back(config.first_node);
    part.batch = variant_->make_batch(config);
  }
  parts_[0].timer = variant_->make_timer(parts_[0].context.get());
}

void Fabric::open_wave(const WaveRequest& request, const WavedNetwork& network) {
  wave_ = std::make_unique<Wave>(request, network, observer_);
  timer().trace(wave_->file());
  for (const NodeId v : wave_->nodes()) batch_of(v).trace(v, wave_->file());
  wave_->open();
}

void Fabric::start_workers() {
  const auto threads = static_cast<unsigned>(parts_.size());
  workers_ = std::make_unique<Workers>(threads);
  std::atomic<unsigned> ready{1};  // one after the other, since use_context() writes what all threads share
  for (unsigned t = 1; t < threads; ++t) {
    workers_->threads.emplace_back([this, t, &ready] {
      use_context(parts_[t]);
      ready = t + 1;
      for (;;) {
        workers_->barrier.wait();  // until a cycle begins or the fabric ends
        if (workers_->stop) return;
        clock_batch(t);
      }
    });
    while (ready != t + 1) std::this_thread::yield();
  }
}

Fabric::~Fabric() {
  if (workers_) {
    workers_->stop = true;
    workers_->barrier.wait();
    for (std::thread& thread : workers_->threads) thread.join();
  }
  wave_.reset();  // before the models it reads from
  if (pool_ != nullptr) pool_->give_back(std::move(parts_[0]));
}

NodeBatch& Fabric::batch_of(std::uint32_t node) const { return *parts_[wires_.part_of(node)].batch; }
std::uint64_t Fabric::sum(std::uint64_t (NodeBatch::*of_batch)() const) const {
  std::uint64_t sum = 0;
  for (const PooledNodes& part : parts_) sum += (*part.batch.*of_batch)();
  return sum;
}

// A node that was left says what it said when it was clocked last.
std::uint64_t Fabric::progress() const {
  const std::uint64_t of_left = is_left_ ? parts_[clocked_part_].batch->progress() : 0;
  return sum(&NodeBatch::progress) - of_left + kept_back();
}

void Fabric::reset() {
  timer().reset(settings_.slot_cycles);
  for (PooledNodes& part : parts_) {
    part.batch->set(settings_);
    part.batch->reset();
  }
  // A network that is reset while it runs has flits and grants on its wires.
  for (WireValues* values : {&wires_.now, &wires_.next}) {
    std::ranges::fill(values->outputs, NodeOutputs{});
    for (std::vector<std::uint64_t>& woken : values->wakes) std::ranges::fill(woken, 0);
  }
}

// The cycle that begins with the edge that was just made: what is on the links then, and all signals.
void Fabric::dump_cycle() {
  const std::size_t words = wires_.now.flits.size() / wires_.targets.size();
  const NetworkTime now = timer().sample().now;
  for (std::uint32_t word = 0; word < wires_.now.outputs.size(); ++word) {
    const std::uint32_t v = word / wires_.output_words(), first = word % wires_.output_words() * 64;
    for (std::uint64_t valid = wires_.now.outputs[word].valid; valid != 0; valid &= valid - 1) {
      const std::uint32_t port = first + static_cast<std::uint32_t>(std::countr_zero(valid));
      wave_->on_link_flit({now, v, port, &wires_.now.flits[(std::size_t{v} * wires_.radix + port) * words]});
    }
  }
  wave_->dump(now.cycle, true);
  for (PooledNodes& part : parts_) part.batch->falling_edge();
  timer().falling_edge();
  wave_->dump(now.cycle, false);
}

// A thread's part of a cycle. Where it has two halves, all threads gather before any clocks its nodes.
void Fabric::clock_batch(std::size_t batch) {
  use_context(parts_[batch]);
  NodeBatch& nodes = *parts_[batch].batch;
  if (two_phases_) {
    nodes.gather(wires_, signals_);
    if (workers_) workers_->barrier.wait();
  }
  try {
    two_phases_ ? nodes.clock(wires_, signals_, observer_) : nodes.cycle(wires_, signals_, observer_);
  } catch (...) {
    if (!workers_) throw;
    workers_->failures[batch] = std::current_exception();
  }
  if (workers_) workers_->barrier.wait();
}

// A cycle of a fabric with a tap, which one thread evaluates.
void Fabric::clock_tapped() {
  tap_->before_sampling(signals_.now, wires_);
  const NodeClock clock = clocked_part_ < parts_.size() ? tap_->clock_of_node() : NodeClock::kRuns;
  is_left_ = clock != NodeClock::kRuns;
  const auto runs = [&](std::size_t part) { return part != clocked_part_ || !is_left_; };
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    if (runs(part)) parts_[part].batch->gather(wires_, signals_);
  }
  tap_->after_sampling(wires_);
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    use_context(parts_[part]);
    runs(part) ? parts_[part].batch->clock(wires_, signals_, observer_)
               : leave_part(part, clock == NodeClock::kResets);
  }
}

// The only node of a part is not clocked: it drives what it drove or, after a reset, nothing.
void Fabric::leave_part(std::size_t part, bool reset) {
  const std::uint32_t node = wires_.first_node[part];
  const std::size_t words = wires_.output_words();
  const std::size_t flit_words = wires_.now.flits.size() / wires_.targets.size() * wires_.radix;
  std::copy_n(&wires_.now.flits[node * flit_words], flit_words, &wires_.next.flits[node * flit_words]);
  std::copy_n(&wires_.now.outputs[node * words], words, &wires_.next.outputs[node * words]);
  wires_.next.wakes[part] = wires_.now.wakes[part];
  if (!reset) return;
  parts_[part].batch->reset();
  std::fill_n(&wires_.next.outputs[node * words], words, NodeOutputs{});
}

void Fabric::run_cycle() {
  signals_ = timer().sample();
  if (tap_ != nullptr) {
    signals_.now = tap_->told(signals_.now);
    clock_tapped();
  } else {
    if (workers_) workers_->barrier.wait();
    clock_batch(0);
  }
  if (workers_) {
    for (std::exception_ptr& failure : workers_->failures) {
      if (failure) std::rethrow_exception(std::exchange(failure, nullptr));
    }
  }
  std::swap(wires_.now, wires_.next);
  timer().clock();
  wave_ ? dump_cycle() : timer().falling_edge();
}

void Fabric::start() {
  if (wave_) wave_->dump_start();
  timer().start();
  run_cycle();
}
NetworkTime Fabric::clock() {
  run_cycle();
  return signals_.now;
}

}  // namespace safnet
