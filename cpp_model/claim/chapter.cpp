#include "cpp_model/claim/chapter.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>

namespace safnet {

std::vector<std::string> listed(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

std::string linear_word(std::uint64_t nodes) { return fmt::format("linear:{}", nodes); }
std::string ring_word(std::uint64_t nodes) { return fmt::format("ring:{}", nodes); }
std::string square(std::string_view family, std::uint64_t side) {
  return fmt::format("{}:{}x{}", family, side, side);
}

std::vector<std::string> with_more(bool full, const std::string& quick, const std::string& more) {
  return with_more(full, listed(quick), listed(more));
}

std::uint64_t power(std::uint64_t base, std::uint32_t exponent) {
  std::uint64_t product = 1;
  while (exponent-- > 0) product *= base;
  return product;
}

ClaimCase all_port_case(const std::string& topology, CollectiveKind collective, const std::string& algorithm,
                        std::uint64_t steps, Inspection inspect) {
  return {topology, collective, kAllPort, algorithm, 0, "", steps, std::move(inspect)};
}
ClaimCase exchange_case(const std::string& topology, PortModel ports, const std::string& algorithm,
                        std::uint64_t steps, Inspection inspect) {
  return {topology, kTotalExchange, ports, algorithm, 0, "", steps, std::move(inspect)};
}

ClaimCase printed(ClaimCase entry, Printed<RunOutcome> statement) {
  entry.printed = std::move(statement);
  return entry;
}
ClaimCase messages(ClaimCase entry, std::uint32_t count) {
  entry.messages = count;
  return entry;
}
ClaimCase at_least(ClaimCase entry) {
  entry.relation = kAtLeast;
  return entry;
}
ClaimCase at_most_on_routers(ClaimCase entry) {
  entry.relation_on_routers = kAtMost;
  return entry;
}

std::uint64_t steps_to_inform_all(std::vector<std::uint64_t> times_of_children) {
  std::ranges::sort(times_of_children, std::greater<>());
  std::uint64_t steps = 0;
  for (std::size_t i = 0; i < times_of_children.size(); ++i)
    steps = std::max(steps, times_of_children[i] + i + 1);
  return steps;
}

std::map<PortId, std::uint64_t> packets_per_root_port(const RunOutcome& outcome) {
  std::map<PortId, std::uint64_t> packets;
  for (const Transfer& t : outcome.trace->transfers) {
    if (t.from == 0) ++packets[t.port];
  }
  return packets;
}

Inspection transfers_are(std::uint64_t expected) {
  return [expected](const RunOutcome& o) -> std::string {
    const std::size_t found = o.trace->transfers.size();
    return unless(found == expected, "{} packets crossed links, expected {}", found, expected);
  };
}

Inspection steps_between(std::uint64_t fewest, std::uint64_t most) {
  return [fewest, most](const RunOutcome& o) {
    return unless(o.steps >= fewest && o.steps <= most, "{} steps, {} to {} are claimed", o.steps, fewest,
                  most);
  };
}

}  // namespace safnet
