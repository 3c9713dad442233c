#include "cpp_model/optimum/sum_schedule.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

namespace safnet {
namespace {

class SumWriter {
 public:
  SumWriter(const Problem& problem, const std::string& algorithm)
      : schedule_(empty_schedule(problem, algorithm)) {}

  void send(const SumSend& send) {
    const NodeId from = schedule_.network.link_source(send.link),
                 to = schedule_.network.link_target(send.link);
    const PacketIndex packet = packet_of(from, send.sum);
    sent_.push_back(packet);
    if (schedule_.packets.origin(packet) == to || !there_.emplace(packet, to).second) return;
    schedule_.sends.push_back({send.step, send.link, packet});
  }
  void result(NodeId v, const SumOf& sum) {
    schedule_.packets.add(v, schedule_.packets.size(), 1, std::span(&v, 1), parts_of(v, sum));
  }
  Schedule finish() {
    sort_sends(schedule_);
    return std::move(schedule_);
  }

 private:
  std::vector<PacketIndex> parts_of(NodeId v, const SumOf& sum) const {
    std::vector<PacketIndex> parts;
    if (sum.own) parts.push_back(v);
    for (const std::uint32_t k : sum.sends) parts.push_back(sent_[k]);
    std::ranges::sort(parts);
    return parts;
  }
  PacketIndex packet_of(NodeId v, const SumOf& sum) {
    PacketList& packets = schedule_.packets;
    const std::vector<PacketIndex> parts = parts_of(v, sum);
    if (parts.size() == 1) return parts.front();
    const auto [known, is_new] = known_.try_emplace({v, parts}, packets.size());
    if (is_new) packets.add(v, packets.size(), 1, {}, parts);
    return known->second;
  }

  Schedule schedule_;
  std::vector<PacketIndex> sent_;  // by number of the send
  std::set<std::pair<PacketIndex, NodeId>> there_;
  std::map<std::pair<NodeId, std::vector<PacketIndex>>, PacketIndex> known_;
};

}  // namespace

Schedule schedule_of_sums(const Problem& problem, const std::string& algorithm,
                          const SumSearchResult& found) {
  SumWriter writer(problem, algorithm);
  for (const SumSend& send : found.sends) writer.send(send);
  for (NodeId v = 0; v < problem.graph.processor_count(); ++v) writer.result(v, found.results[v]);
  return writer.finish();
}

}  // namespace safnet
