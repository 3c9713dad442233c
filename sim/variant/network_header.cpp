#include "sim/variant/network_header.hpp"

#include <fmt/format.h>

namespace safnet {

std::string network_header(const Graph& graph, int radix) {
  const auto ports = static_cast<std::size_t>(radix);
  const std::size_t entries = graph.node_count() * ports;
  // Where the other end of every port is; concatenations list the highest element first.
  const auto table = [&](const std::string& end, const char* exists, PortId (Graph::*count)(NodeId) const,
                         Endpoint (Graph::*other)(NodeId, PortId) const) {
    std::string nodes, other_ports, connected;
    for (std::size_t i = entries; i-- > 0;) {
      const auto v = static_cast<NodeId>(i / ports);
      const auto p = static_cast<PortId>(i % ports);
      const bool there = p < (graph.*count)(v);
      const Endpoint at = there ? (graph.*other)(v, p) : Endpoint{0, 0};
      const char* separator = i == 0 ? "" : (i % 8 == 0 ? ",\n    " : ", ");
      nodes += fmt::format("16'd{}{}", at.node, separator);
      other_ports += fmt::format("16'd{}{}", at.port, separator);
      connected += fmt::format("1'b{}{}", there ? 1 : 0, separator);
    }
    return fmt::format(
        "  localparam logic [{0}:0] {1}Node = {{\n    {2}}};\n"
        "  localparam logic [{0}:0] {1}Port = {{\n    {3}}};\n"
        "  localparam logic [{4}:0] {5} = {{\n    {6}}};\n",
        entries * 16 - 1, end, nodes, other_ports, entries - 1, exists, connected);
  };
  return fmt::format(
      "// Generated for {}. Element node * Radix + port, lowest last.\n"
      "package network_topology;\n"
      "  localparam int Nodes = {};\n"
      "  localparam int Radix = {};\n"
      "  // what comes in through a port, and where a port leads\n"
      "{}{}endpackage\n",
      graph.spelling(), graph.node_count(), radix,
      table("Feeder", "IsFed", &Graph::in_degree, &Graph::feeder),
      table("Target", "IsUsed", &Graph::degree, &Graph::peer));
}

}  // namespace safnet
