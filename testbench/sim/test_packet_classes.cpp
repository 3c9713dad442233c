// Every kind of node, in each port model, with packets of each length that nodes are built for (packet_class
// in sim/machine/limits.hpp): in lockstep a packet's length changes the cycles of a run and nothing else.
#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "cpp_model/graph/topology.hpp"
#include "sim/run/run.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

constexpr PortModel kPortModels[] = {PortModel::kAllPort, PortModel::kOnePort, PortModel::kOnePortSend};
// One length of each class, not its longest.
constexpr int kLengths[] = {1, 3, 13, 50};

RunRequest request_for(const std::string& node, PortModel ports, int flits) {
  RunRequest request(Problem{
      .graph = make_topology("ring:4"), .collective = CollectiveKind::kTotalExchange, .ports = ports});
  request.flits = flits;
  request.keep_trace = true;
  request.node = node == "tdm" ? NodeChoice::kTdm : NodeChoice::kRouter;
  if (node != "tdm") request.router = find_router_kind(node);
  return request;
}

// The packets on links in the steps in which they begin, whatever these last.
using Crossing = std::tuple<std::uint32_t, NodeId, PortId, NodeId, std::uint32_t>;
std::vector<Crossing> crossings(const RunResult& result) {
  std::vector<Crossing> all;
  for (const Transfer& t : result.trace.transfers)
    all.emplace_back(t.step, t.from, t.port, t.packet.source, t.packet.tag);
  std::ranges::sort(all);
  return all;
}

}  // namespace

TEST_CASE("in lockstep packets of any length cross the same links in the same steps", "[packet_classes]") {
  for (const std::string node : {"pifo", "fifo", "tdm"}) {
    for (const PortModel ports : kPortModels) {
      std::vector<Crossing> of_one_flit;
      for (const int flits : kLengths) {
        CAPTURE(node, to_string(ports), flits);
        RunRequest request = request_for(node, ports, flits);
        const RunResult rtl = run_collective(request, VariantStore::standard());
        REQUIRE(rtl.exit_code() == 0);
        CHECK(rtl.delivered == 12);
        // A slot is as long as the packet, and a request and its grant where the nodes ask for it.
        const auto slot = static_cast<std::uint32_t>(std::max(1, rtl.parameters.slot_cycles));
        CHECK(slot >= static_cast<std::uint32_t>(flits));
        CHECK(rtl.cycles <= rtl.steps * slot);
        CHECK(rtl.cycles > (rtl.steps - 1) * slot);
        if (flits == 1) of_one_flit = crossings(rtl);
        CHECK(!of_one_flit.empty());
        CHECK(crossings(rtl) == of_one_flit);
        if (node == "fifo") continue;  // it has no reference
        request.model = NetworkModel::kSystemC;
        const RunResult reference = run_collective(request, VariantStore::standard());
        CHECK(reference.cycles == rtl.cycles);
        CHECK(reference.trace.transfers == rtl.trace.transfers);
        CHECK(reference.trace.deliveries == rtl.trace.deliveries);
      }
    }
  }
}
