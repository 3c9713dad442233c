// wave_writer - a waveform (FST) that appears under its name whole or not at all, whatever happens to the
// disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "cpp_model/system/output_file.hpp"

class VerilatedFstC;

namespace safnet {

/// One at a time in a program. Verilator's writer keeps several files while it runs; all of them are in a
/// folder beside the waveform, which is removed at the end.
class WaveWriter {
 public:
  explicit WaveWriter(std::string path);
  /// Closes the waveform, which appears under its name if all of it was written.
  ~WaveWriter();
  WaveWriter(const WaveWriter&) = delete;
  WaveWriter& operator=(const WaveWriter&) = delete;

  /// For models to be traced, before open().
  VerilatedFstC* file() { return file_.get(); }
  /// These throw WriteError as soon as something could not be written.
  void open();
  void dump(std::uint64_t time);

  /// Signals beside those of the models, whose values are words: declared after open() and before the first
  /// dump, in scopes one inside the other.
  void begin_scope(const std::string& name);
  void end_scope();
  using Signal = std::uint32_t;
  Signal add_words(const std::string& name);
  /// The value of such a signal from the time of the last dump on.
  void set_words(Signal signal, std::string_view words);

 private:
  void require_written() const;

  std::string path_;
  Temporary folder_;
  std::unique_ptr<VerilatedFstC> file_;
};

/// Throws WriteError if the last waveform `path` could not be written when it was closed.
void require_wave_written(const std::string& path);

}  // namespace safnet
