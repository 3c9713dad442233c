// allreduce_platform - eight processors that compute and then add up what they have, over a network of
// routers.
//
//     allreduce_platform rtl|systemc [WAVES]    writes WAVES.vcd if it is given
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <safnet/network_module.hpp>
#include <string>
#include <vector>

using sc_core::SC_NS;
using sc_core::sc_time;

constexpr std::uint32_t kProcessors = 8, kRounds = 3;
const sc_time kCycle(1, SC_NS);

/// Computes for a while, each processor longer than the one before; then, round by round, exchanges its sum
/// with that of a partner, twice as far away each time (recursive doubling).
class Processor : public sc_core::sc_module {
 public:
  sc_core::sc_fifo<safnet::NetworkPacket> sends{"sends", 2}, receives{"receives", 2};
  sc_core::sc_signal<bool> computes{"computes"};
  sc_core::sc_signal<std::uint64_t> sum{"sum"};

  Processor(const sc_core::sc_module_name& name, std::uint32_t number) : sc_module(name), number_(number) {
    SC_HAS_PROCESS(Processor);
    SC_THREAD(work);
  }
  sc_time end() const { return end_; }

 private:
  void work() {
    computes.write(true);
    wait((10 + 7 * number_) * kCycle);
    computes.write(false);
    std::uint64_t total = (number_ + 1) * 100;
    sum.write(total);
    std::map<std::uint64_t, std::uint64_t> came;  // by round: partners of later rounds may be early
    for (std::uint64_t round = 0; round < kRounds; ++round) {
      sends.write({.destination = number_ ^ (1U << round), .words = {round, total}});
      while (came.count(round) == 0) {
        const safnet::NetworkPacket packet = receives.read();
        came[packet.words[0]] = packet.words[1];
      }
      total += came[round];
      sum.write(total);
    }
    end_ = sc_core::sc_time_stamp();
  }
  std::uint32_t number_;
  sc_time end_;
};

int sc_main(int count, char** words) {
  if (count < 2) {
    std::cerr << "expected rtl or systemc\n";
    return 2;
  }
  std::unique_ptr<safnet::NetworkModule> network;
  try {
    network = std::make_unique<safnet::NetworkModule>(
        "network", safnet::lab::Topology("hypercube:3"),
        safnet::NetworkOptions{.model = words[1], .flits = 3, .link_latency = 2});
  } catch (const std::invalid_argument& error) {
    std::cerr << error.what() << "\n";
    return 2;
  }
  sc_core::sc_clock clock("clock", kCycle);
  sc_core::sc_signal<bool> reset("reset");
  network->clock(clock);
  network->reset(reset);
  std::vector<std::unique_ptr<Processor>> processors;
  for (std::uint32_t v = 0; v < kProcessors; ++v) {
    processors.push_back(std::make_unique<Processor>(("processor_" + std::to_string(v)).c_str(), v));
    network->from_host[v](processors[v]->sends);
    network->to_host[v](processors[v]->receives);
  }
  sc_core::sc_trace_file* waves = count > 2 ? sc_core::sc_create_vcd_trace_file(words[2]) : nullptr;
  if (waves != nullptr) {
    sc_core::sc_trace(waves, clock, "clock");
    network->trace(waves);
    for (const auto& processor : processors) {
      sc_core::sc_trace(waves, processor->computes, processor->computes.name());
      sc_core::sc_trace(waves, processor->sum, processor->sum.name());
    }
  }
  sc_core::sc_start(1000 * kCycle);
  if (waves != nullptr) sc_core::sc_close_vcd_trace_file(waves);
  for (const auto& processor : processors)
    std::cout << processor->name() << ": sum " << processor->sum.read() << " at " << processor->end() << "\n";
  std::cout << network->sent() << " packets sent, " << network->delivered() << " delivered\n";
  return 0;
}
