// certificate_option - --certificate of `plan`, `run` and `check`: the argument for the lower bound that is
// reported.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cpp_model/bound/largest_bound.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {

struct CertificateOption {
  std::string path;  ///< empty: none is asked for

  CLI::Option* declare(CLI::App& command);
  /// Throws std::invalid_argument if the file cannot be written, or the reported bound is not one `in_steps`
  /// of the collective alone.
  void check(bool in_steps) const;
  /// Writes the certificate of a bound, after all else has been reported; where links differ, of one in
  /// cycles for packets of so many flits. Throws std::invalid_argument, and writes no file, if no argument is
  /// known.
  void write(const Problem& problem, const LowerBound& bound, std::uint32_t flits,
             std::uint32_t link_latency) const;
};

}  // namespace safnet
