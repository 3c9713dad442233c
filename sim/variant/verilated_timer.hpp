// verilated_timer - the verilated timer of a fabric, in the shared object of each variant of single nodes.
#pragma once

#include <verilated.h>

#include <memory>
#include <stdexcept>

#include "sim/machine/node_batch.hpp"
#include "sim/variant/wave_code.hpp"

namespace safnet {

template <class Timer>
class VerilatedTimer final : public TimerModel {
 public:
  explicit VerilatedTimer(VerilatedContext* context)
      : context_(context), timer_(std::make_unique<Timer>(context, "network")) {}
  ~VerilatedTimer() override {
    timer_->final();
    Verilated::threadContextp(context_);
    timer_.reset();
  }
  void reset(std::uint32_t slot_cycles) override {
    timer_->slot_cycles_i = slot_cycles;
    timer_->rst_ni = 0;
    clock();
    falling_edge();
    timer_->rst_ni = 1;
    timer_->eval();
  }
  void start() override { timer_->start_i = 1; }
  SlotSignals sample() override {
    timer_->eval();
    return {{timer_->cycle_o, timer_->step_o}, timer_->slot_open_next_o != 0};
  }
  void clock() override {
    timer_->clk_i = 1;
    timer_->eval();
    timer_->start_i = 0;
    if (context_->gotError()) throw std::runtime_error("the run is longer than the 32-bit cycle counter");
  }
  void falling_edge() override {
    timer_->clk_i = 0;
    timer_->eval();
  }
  void trace(VerilatedFstC* file) override { add_to_wave(*timer_, file); }

 private:
  VerilatedContext* context_;
  std::unique_ptr<Timer> timer_;
};

}  // namespace safnet
