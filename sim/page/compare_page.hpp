// compare_page - a page that shows two schedules on one network in lockstep, and where they part first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cpp_model/schedule/recording.hpp"

namespace safnet {

/// What the page says of the two in words.
struct ComparisonStory {
  std::string title, headline, report, command;
  std::string first_name, second_name;
  std::uint64_t cycle = 0;    ///< in which they part first; 0: they do not
  std::vector<LinkId> links;  ///< on which they part then, as far as known
};

std::string compare_page(const ComparisonStory& story, const Recording& first, const Recording& second);

}  // namespace safnet
