// wave_code - adding a verilated model to a waveform, if it was verilated with the code that this takes.
#pragma once

#include <stdexcept>

class VerilatedFstC;

namespace safnet {

/// Adds all levels of a model. Throws std::logic_error if it belongs to a variant without `Hardware::waves`.
template <class Model>
void add_to_wave(Model& model, VerilatedFstC* file) {
  if constexpr (requires { model.trace(file, 99); }) {
    model.trace(file, 99);
  } else {
    throw std::logic_error("the variant was built without waveforms");
  }
}

}  // namespace safnet
