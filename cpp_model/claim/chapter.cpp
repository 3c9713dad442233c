#include "cpp_model/claim/chapter.hpp"

#include <fmt/format.h>

#include <iterator>
#include <sstream>

namespace safnet {

std::vector<std::string> listed(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

std::vector<std::uint64_t> range(std::uint64_t first, std::uint64_t last, std::uint64_t step) {
  std::vector<std::uint64_t> numbers;
  for (std::uint64_t n = first; n <= last; n += step) numbers.push_back(n);
  return numbers;
}

std::uint64_t power(std::uint64_t base, std::uint32_t exponent) {
  std::uint64_t product = 1;
  while (exponent-- > 0) product *= base;
  return product;
}

ClaimCase all_port_case(const std::string& topology, CollectiveKind collective, const std::string& algorithm,
                        std::uint64_t steps) {
  return {topology, collective, kAllPort, algorithm, 0, "", steps};
}
ClaimCase exchange_case(const std::string& topology, PortModel ports, const std::string& algorithm,
                        std::uint64_t steps) {
  return {topology, kTotalExchange, ports, algorithm, 0, "", steps};
}

ClaimCase printed(ClaimCase entry, std::string what) {
  entry.printed = std::move(what);
  return entry;
}
ClaimCase messages(ClaimCase entry, std::uint32_t count) {
  entry.messages = count;
  return entry;
}

Inspection transfers_are(std::uint64_t expected) {
  return [expected](const RunOutcome& o) -> std::string {
    const std::size_t found = o.trace->transfers.size();
    return found == expected ? "" : fmt::format("{} packets crossed links, expected {}", found, expected);
  };
}

Inspection steps_between(std::uint64_t fewest, std::uint64_t most) {
  return [fewest, most](const RunOutcome& o) -> std::string {
    return o.steps >= fewest && o.steps <= most
               ? ""
               : fmt::format("{} steps, {} to {} are claimed", o.steps, fewest, most);
  };
}

}  // namespace safnet
