// rtl_bench - drives one verilated module: owns the model, its context and its clock.
//
// Order of a cycle: write inputs, settle(), read outputs, tick(). A failed assertion of the RTL throws.
#pragma once

#include <verilated.h>
#include <verilated_syms.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace safnet::testbench {

/// Field `index` of a flat vector of fields `width` bits wide each, at most 64.
template <class Port>
[[nodiscard]] std::uint64_t get_field(const Port& port, int index, int width) {
  const std::uint64_t ones = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  return (static_cast<std::uint64_t>(port) >> (index * width)) & ones;
}
template <std::size_t Words>
[[nodiscard]] std::uint64_t get_field(const VlWide<Words>& port, int index, int width) {
  std::uint64_t value = 0;
  for (int bit = width - 1; bit >= 0; --bit) {
    const int at = index * width + bit;
    value = value << 1 | (port.at(static_cast<std::size_t>(at / 32)) >> (at % 32) & 1U);
  }
  return value;
}

template <class Port>
void set_field(Port& port, int index, int width, std::uint64_t value) {
  const std::uint64_t ones = width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
  const int shift = index * width;
  port = static_cast<Port>((static_cast<std::uint64_t>(port) & ~(ones << shift)) | (value & ones) << shift);
}
template <std::size_t Words>
void set_field(VlWide<Words>& port, int index, int width, std::uint64_t value) {
  for (int bit = 0; bit < width; ++bit) {
    const int at = index * width + bit;
    auto& word = port.at(static_cast<std::size_t>(at / 32));
    const std::uint32_t mask = std::uint32_t{1} << (at % 32);
    word = (value >> bit & 1U) != 0 ? word | mask : word & ~mask;
  }
}

template <class Port>
void clear_port(Port& port) {
  port = 0;
}
template <std::size_t Words>
void clear_port(VlWide<Words>& port) {
  for (std::size_t w = 0; w < Words; ++w) port.at(w) = 0;
}

/// An assertion in the RTL failed, or the test ran for too long.
class BenchError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

template <class Model>
class RtlBench {
 public:
  explicit RtlBench(std::uint64_t cycle_limit = 1'000'000) : limit_(cycle_limit) {
    context_->threads(1);  // no thread pool: its threads and the next context write one variable of Verilator
    context_->fatalOnError(false);  // a failed assertion then throws here and does not abort
    context_->randReset(2);         // registers without a reset start with random contents
    context_->randSeed(1);
    model_ = std::make_unique<Model>(context_.get());
    model_->clk_i = 0;
  }
  ~RtlBench() {
    model_->final();
    // Scopes of a model leave the context of the thread, which may be that of another bench, already gone.
    Verilated::threadContextp(context_.get());
  }
  RtlBench(const RtlBench&) = delete;
  RtlBench& operator=(const RtlBench&) = delete;

  Model& dut() { return *model_; }
  Model* operator->() { return model_.get(); }
  /// Edges so far, reset included.
  [[nodiscard]] std::uint64_t edges() const { return edges_; }

  void settle() { evaluate(); }
  void tick() {
    if (++edges_ > limit_) fail("cycle limit reached");
    evaluate();
    model_->clk_i = 1;
    evaluate();
    model_->clk_i = 0;
    evaluate();
  }
  /// Inputs must be quiet.
  void reset() {
    model_->rst_ni = 0;
    tick();
    tick();
    model_->rst_ni = 1;
  }
  /// Sets the registers of that name, which presets.vlt lists, in all instances of their modules whose path
  /// has `part` in it; of one that is wider than 64 bits the 32 of field `field`. Between two cycles; outputs
  /// follow with settle().
  void preset(std::string_view name, std::uint64_t value, std::string_view part = "", std::size_t field = 0) {
    bool is_there = false;
    for (const auto& [path, scope] : *context_->scopeNameMap()) {
      if (scope->varsp() == nullptr || std::string_view(path).find(part) == std::string_view::npos) continue;
      for (const auto& [variable, where] : *scope->varsp()) {
        if (variable != name) continue;
        is_there = true;
        if (where.vltype() == VLVT_UINT32)
          *static_cast<std::uint32_t*>(where.datap()) = static_cast<std::uint32_t>(value);
        else if (where.vltype() == VLVT_UINT64)
          *static_cast<std::uint64_t*>(where.datap()) = value;
        else if (where.vltype() == VLVT_WDATA)
          static_cast<std::uint32_t*>(where.datap())[field] = static_cast<std::uint32_t>(value);
        else
          fail(std::string(name) + " has fewer than 32 bits");
      }
    }
    if (!is_there) fail("no register " + std::string(name) + " of presets.vlt in " + std::string(part));
  }

 private:
  void evaluate() {
    model_->eval();
    context_->timeInc(1);
    if (context_->gotError()) fail("assertion failed in the RTL");
  }
  [[noreturn]] void fail(const std::string& why) const {
    throw BenchError("edge " + std::to_string(edges_) + ": " + why);
  }
  std::unique_ptr<VerilatedContext> context_ = std::make_unique<VerilatedContext>();
  std::unique_ptr<Model> model_;
  std::uint64_t edges_ = 0;
  std::uint64_t limit_;
};

}  // namespace safnet::testbench
