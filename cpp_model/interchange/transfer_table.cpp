#include "cpp_model/interchange/transfer_table.hpp"

#include <string_view>
#include <vector>

#include "cpp_model/schedule/journeys.hpp"
#include "cpp_model/schedule/streamed_file.hpp"

namespace safnet {
namespace {

constexpr std::string_view kColumns =
    "step,cycle,arrival_cycle,from_node,from,to_node,to,port,link,packet,source_node,source,tag,flits,hop,"
    "waited_cycles\n";

}  // namespace

void write_transfer_table(const Recording& recording, const std::string& path) {
  const Schedule& schedule = recording.schedule;
  const Graph& network = schedule.network;
  const Journeys journeys(recording);
  // Names are letters, digits and '_' (Graph::with_node_names), so that no field needs quotes.
  std::vector<std::string> names;
  for (NodeId v = 0; v < network.node_count(); ++v) names.push_back(network.node_name(v));

  StreamedOutput out(path);
  const auto number = [&](std::uint64_t value) {
    out.put_number(value);
    out.put(',');
  };
  const auto node = [&](NodeId v) {
    number(v);
    out.put(names[v]);
    out.put(',');
  };
  out.put(kColumns);
  for (Journeys::SendNumber i = 0; i < schedule.sends.size(); ++i) {
    const Send& send = schedule.sends[i];
    number(send.start);
    number(schedule.cycle(send));
    number(journeys.arrival_cycle(i));
    node(network.link_source(send.link));
    node(network.link_target(send.link));
    number(network.link_port(send.link));
    number(send.link);
    number(send.packet);
    node(schedule.packets.origin(send.packet));
    number(schedule.packets.tag(send.packet));
    number(journeys.flits(i));
    number(journeys.hop(i));
    out.put_number(journeys.waited_cycles(i));
    out.put('\n');
  }
  out.commit();
}

}  // namespace safnet
