// run_page - a page that shows a run, or a schedule, in a browser: one file that fetches nothing.
#pragma once

#include <string>
#include <vector>

#include "cpp_model/bound/largest_bound.hpp"
#include "cpp_model/schedule/recording.hpp"

namespace safnet {

/// What a page says of a run in words.
struct RunStory {
  std::string title;                                            ///< "total-exchange on torus:4x4, all-port"
  std::string headline;                                         ///< what came of it, in a sentence or two
  std::string verdict;                                          ///< one word or two
  enum class Tone { kPlain, kGood, kBad } tone = Tone::kPlain;  ///< of the verdict
  std::string command;                                          ///< that repeats it
  std::string report;                                           ///< as printed on a terminal
  LowerBound bound;                                             ///< without a reason: none is known
  std::vector<std::string> problems, waits;
};

/// The page, with what is in these cycles.
std::string run_page(const RunStory& story, const Recording& recording, const CycleRange& shown);

}  // namespace safnet
