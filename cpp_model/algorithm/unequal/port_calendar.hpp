// port_calendar - until when links and ports are busy, where links differ in latency and width.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cpp_model/graph/link_times.hpp"
#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// Asked and told in order of time. Under one-port a node that receives one packet may have been promised
/// others: those that were sent earlier over slower links.
class PortCalendar {
 public:
  PortCalendar(const Graph& graph, const LinkTimes& times, PortModel ports)
      : graph_(graph),
        times_(times),
        ports_(ports),
        link_free_(graph.link_count(), 1),
        sender_free_(graph.node_count(), 1),
        receptions_(graph.node_count()) {}

  /// The first cycle, `now` or a later one, in which a packet may begin to cross the link.
  std::uint32_t free_from(LinkId link, std::uint32_t now) const {
    std::uint32_t free = std::max(now, link_free_[link]);
    if (ports_ == PortModel::kAllPort) return free;
    free = std::max(free, sender_free_[graph_.link_source(link)]);
    if (ports_ == PortModel::kOnePortSend) return free;
    const std::uint32_t latency = times_.latency(link), busy = times_.busy[link];
    for (const Reception& other : receptions_[graph_.link_target(link)]) {  // ascending
      const std::uint32_t begin = free + latency, end = begin + busy - 1;
      if (other.first <= end && begin <= other.last) free = other.last + 1 - latency;
    }
    return free;
  }
  /// A packet begins to cross the link in cycle `now`, which free_from() has allowed.
  void take(LinkId link, std::uint32_t now) {
    const std::uint32_t busy = times_.busy[link];
    link_free_[link] = now + busy;
    if (ports_ == PortModel::kAllPort) return;
    sender_free_[graph_.link_source(link)] = now + busy;
    if (ports_ == PortModel::kOnePortSend) return;
    std::vector<Reception>& of_target = receptions_[graph_.link_target(link)];
    std::erase_if(of_target, [now](const Reception& past) { return past.last < now; });
    const std::uint32_t first = now + times_.latency(link);
    const Reception reception{first, first + busy - 1};
    const auto place = std::ranges::lower_bound(of_target, first, {}, &Reception::first);
    of_target.insert(place, reception);
  }

 private:
  struct Reception {
    std::uint32_t first, last;  // cycles
  };
  const Graph& graph_;
  const LinkTimes& times_;
  PortModel ports_;
  std::vector<std::uint32_t> link_free_, sender_free_;  // first free cycle
  std::vector<std::vector<Reception>> receptions_;      // by node, ascending, those that may still matter
};

}  // namespace safnet
