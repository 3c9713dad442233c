// graph - a network as the hardware sees it: nodes with numbered ports, wired to each other.
//
// A graph is its node count and, for every node, a list of ports. Output port p of node v leads to an input
// port of another node. An edge is full duplex and is two links, one in each direction, that share a port
// number at each end. In a network with one-way links input ports are numbered on their own: a link has no
// opposite, or one that is just another link. Port numbers are dense (0 ... degree-1, 0 ... in_degree-1) and,
// on a graph with translations, mean the same generator at every node.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace safnet {

using NodeId = std::uint32_t;
using PortId = std::uint32_t;
/// Number of a directed link: the ports of node 0, then those of node 1, ...
using LinkId = std::uint32_t;
/// Largest network that is accepted: node ids are 16 bits wide in the hardware.
inline constexpr NodeId kMaxNodes = 65536;
/// Largest degree: as many ports as the hardware has for timetables (tdm_node).
inline constexpr PortId kMaxDegree = 128;
/// A set of ports of a node: bit p stands for port p.
__extension__ using PortSet = unsigned __int128;
constexpr PortSet port_bit(PortId port) { return PortSet{1} << port; }
/// The lowest port of a set that is not empty.
PortId lowest_port(PortSet ports);
/// How many ports a set has.
PortId port_count(PortSet ports);
inline constexpr NodeId kNoNode = std::numeric_limits<NodeId>::max();
inline constexpr std::uint32_t kUnreachable = std::numeric_limits<std::uint32_t>::max();

/// One end of a link. `node == kNoNode` means that nothing is connected.
struct Endpoint {
  NodeId node = kNoNode;
  PortId port = 0;
  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

/// What a link has of its own: cycles beside those that every link of a run takes, and its width.
struct LinkTiming {
  std::uint16_t latency = 0;          ///< cycles, in addition to the run's
  std::uint16_t cycles_per_flit = 1;  ///< a packet of f flits keeps the link busy for f times as many cycles
  friend bool operator==(const LinkTiming&, const LinkTiming&) = default;
};
inline constexpr std::uint16_t kMaxOwnLatency = 1024;   ///< largest LinkTiming::latency
inline constexpr std::uint16_t kMaxCyclesPerFlit = 64;  ///< largest LinkTiming::cycles_per_flit

/// The left translations of a Cayley graph (thesis 4.4.2): a set of automorphisms, one per node, that
/// satisfies (4.16). `apply(v, x)` maps node 0 to v; it also maps port numbers onto themselves: if port p
/// leads from x to y then port p leads from apply(v, x) to apply(v, y).
struct Translations {
  std::function<NodeId(NodeId v, NodeId x)> apply;
  std::function<NodeId(NodeId v, NodeId x)> invert;  ///< invert(v, apply(v, x)) == x
};

/// What a family's publication says of its distances, to stand beside what a search finds. Members that no
/// formula is known for are empty.
struct DistanceFormulas {
  std::function<std::uint32_t(NodeId)> degree;
  std::function<std::uint32_t(NodeId)> eccentricity;
  std::optional<std::uint32_t> diameter;
  std::function<std::uint64_t(NodeId)> status;  ///< thesis (4.2)
  std::optional<std::uint64_t> total_status;    ///< sum over all nodes; over the node count: thesis (4.3)
  std::string source;                           ///< where they are from: "thesis 2.3, (4.12)"
};

/// A network that another one is, with its nodes and ports in another order (recognise/known_network.hpp).
struct KnownNetwork;

/// Whether every link belongs to an edge, with its opposite at the same port numbers.
enum class LinkPairs { kAll, kNotAll };

/// A network in which every node can reach every other. Immutable once built; copies share their storage.
class Graph {
 public:
  /// `spelling`: the canonical text that names the graph ("torus:4x4").
  /// `ports[v][p]`: where output port p of node v leads. Throws std::invalid_argument if an endpoint does not
  /// exist, a node is connected to itself, a node cannot be reached from another or, with LinkPairs::kAll, an
  /// edge is not the same from both ends. With LinkPairs::kNotAll the links that lead to a node must take its
  /// input ports 0, 1, ..., each one of them; if all are paired nevertheless, the graph is as with kAll.
  Graph(std::string spelling, std::vector<std::vector<Endpoint>> ports, LinkPairs pairs = LinkPairs::kAll);

  const std::string& spelling() const;
  /// What the family is called ("torus"), the part of the spelling before the colon or parenthesis.
  std::string family() const;
  NodeId node_count() const;
  /// Nodes 0 ... processor_count()-1 process: packets originate and end there. All others only route; most
  /// networks have none of those.
  NodeId processor_count() const;
  bool has_routers() const { return processor_count() < node_count(); }
  /// Number of output ports of node v; equal to its degree.
  PortId degree(NodeId v) const;
  /// Number of input ports of node v; degree(v) unless the network has one-way links.
  PortId in_degree(NodeId v) const;
  /// The largest and the smallest number of output or of input ports of a node.
  PortId max_degree() const;
  PortId min_degree() const;
  /// Some link has no opposite at the same port numbers.
  bool has_one_way_links() const;
  /// All links belong to edges, and there is one edge less than nodes.
  bool is_tree() const;
  /// Every link turned round: link (v, p) -> (u, q) becomes (u, q) -> (v, p), with the same port numbers, so
  /// output ports become input ports and the link there is link(u, q). Factors are turned round, names stay,
  /// formulas and translations do not. A graph without one-way links is its own transpose.
  Graph transposed() const;
  /// Number of directed links (two per edge).
  std::uint64_t link_count() const;
  /// Where output port `p` of `v` leads.
  Endpoint peer(NodeId v, PortId p) const;
  /// The source of what comes in through input port `q` of `v`, and its output port there.
  Endpoint feeder(NodeId v, PortId q) const;
  /// The link that leaves through output port `p` of `v`; links are numbered 0 ... link_count()-1.
  LinkId link(NodeId v, PortId p) const;
  NodeId link_source(LinkId link) const;
  PortId link_port(LinkId link) const;  ///< output port at its source
  NodeId link_target(LinkId link) const;
  PortId link_target_port(LinkId link) const;  ///< input port at its target
  /// The lowest port of `v` that leads to `u`, if they are adjacent.
  std::optional<PortId> port_to(NodeId v, NodeId u) const;

  /// Some link has another latency or width than the others that a run is made of.
  bool has_unequal_links() const;
  /// What the link has of its own; LinkTiming{} on every link unless has_unequal_links().
  LinkTiming timing(LinkId link) const;
  /// LinkTiming::latency of the link with the largest.
  std::uint16_t largest_own_latency() const;
  /// LinkTiming::cycles_per_flit of the slowest link.
  std::uint16_t most_cycles_per_flit() const;

  /// Dimensions of a cartesian product: the factor graphs in the order of the coordinates. A graph that is
  /// not a product has one factor: itself is not listed and the vector is empty.
  const std::vector<Graph>& factors() const;
  /// Coordinates of a node, one per factor; {v} for a graph without factors.
  std::vector<NodeId> coordinates(NodeId v) const;
  /// Inverse of coordinates().
  NodeId node_at(const std::vector<NodeId>& coordinates) const;
  /// What the family calls the node, or the coordinates joined by "_" ("2_3"); usable as a scope name in a
  /// waveform.
  std::string node_name(NodeId v) const;
  /// Reads a node from text: an index ("17"), coordinates ("1,2") or a name that the family gives it.
  /// Throws std::invalid_argument.
  NodeId parse_node(const std::string& text) const;

  /// Hops from `source` to every node, by breadth-first search. Size node_count().
  std::vector<std::uint32_t> distances_from(NodeId source) const;
  /// Hops from every node to `target`; distances_from(target) unless the network has one-way links.
  std::vector<std::uint32_t> distances_to(NodeId target) const;
  /// The largest distance from `v`.
  std::uint32_t eccentricity(NodeId v) const;
  std::uint32_t diameter() const;
  /// Status (total distance) of a node: the sum of the distances from it to all others. Thesis (4.2).
  std::uint64_t status(NodeId v) const;
  /// Sum of the statuses of all nodes. The average status AS(G) of thesis (4.3) is this over node_count().
  std::uint64_t total_status() const;

  /// The translations, if this graph was built as a Cayley graph.
  const std::optional<Translations>& translations() const;

  /// What is published about the distances.
  const DistanceFormulas& formulas() const;

  /// The network of a family, or the product of several, that this one was found to be with its nodes and
  /// ports in another order; nullptr: none is known.
  const std::shared_ptr<const KnownNetwork>& known_as() const;

  /// Builders' side: attach what a family knows about itself. Return the changed copy.
  Graph with_factors(std::vector<Graph> factors) const;
  /// Nodes from `first` on only route; 1 <= first <= node_count().
  Graph with_routers_from(NodeId first) const;
  Graph with_translations(Translations translations) const;
  /// `timing`: by link. Throws std::invalid_argument if it has another number of them, or one is out of
  /// range.
  Graph with_link_timing(std::vector<LinkTiming> timing) const;
  Graph with_spelling(std::string spelling) const;
  Graph with_formulas(DistanceFormulas formulas) const;
  /// Routers and links that differ, if they are added later, make another network of it: then it is known as
  /// none.
  Graph with_known_network(std::shared_ptr<const KnownNetwork> known) const;
  /// Names are made of letters, digits and '_' and are not numbers.
  Graph with_node_names(std::function<std::string(NodeId)> names) const;

 private:
  struct Data;
  template <class Change>
  Graph changed(Change change) const;
  std::shared_ptr<const Data> data_;
};

/// Cartesian product (thesis 2.1.1). Node (c_0, ..., c_k-1) has index ((c_0 * n_1) + c_1) * n_2 + ...; the
/// ports of dimension 0 come first. A factor that is a product itself gives its own dimensions. The product
/// has translations if every factor has them, and formulas as far as all factors do (thesis (2.1)-(2.3),
/// Theorem 5.1, Corollary 5.2). One-way links of a factor are one-way in the product, and links have the
/// latency and width of their factor's.
Graph cartesian_product(const std::vector<Graph>& factors, std::string spelling);

}  // namespace safnet
