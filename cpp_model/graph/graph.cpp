#include "cpp_model/graph/graph.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

std::vector<NodeId> coordinates_in(const std::vector<Graph>& dimensions, NodeId v) {
  std::vector<NodeId> at(dimensions.size());
  for (std::size_t i = at.size(); i-- > 0;) {
    at[i] = v % dimensions[i].node_count();
    v /= dimensions[i].node_count();
  }
  return at;
}

}  // namespace

// The ports of all nodes one after the other: node v owns endpoints[first[v]] ... endpoints[first[v + 1] -
// 1]. With one-way links, feeders[first_in[v]] ... are in the same way what drives its input ports.
struct Graph::Data {
  std::string spelling;
  std::vector<std::size_t> first;
  std::vector<Endpoint> endpoints;
  std::vector<NodeId> owner;          // whose port an endpoint describes
  std::vector<std::size_t> first_in;  // empty: input port p is driven from where output port p leads
  std::vector<Endpoint> feeders;
  std::vector<LinkTiming> timing;  // by link; empty: all are alike
  PortId max_degree = 0;
  PortId min_degree = 0;
  std::vector<Graph> factors;
  NodeId processors = 0;
  std::optional<Translations> translations;
  DistanceFormulas formulas;
  std::shared_ptr<const KnownNetwork> known_as;
  std::function<std::string(NodeId)> node_names;

  NodeId node_count() const { return static_cast<NodeId>(first.size() - 1); }
  PortId degree(NodeId v) const { return static_cast<PortId>(first.at(v + 1) - first[v]); }
  bool one_way() const { return !first_in.empty(); }
  // The first input port of every node in `sources`, and what drives the input ports.
  const std::vector<std::size_t>& in() const { return one_way() ? first_in : first; }
  const std::vector<Endpoint>& sources() const { return one_way() ? feeders : endpoints; }
  // Breadth-first search, along the links or against them; the second vector is the order of discovery.
  std::pair<std::vector<std::uint32_t>, std::vector<NodeId>> search(NodeId source,
                                                                    bool backwards = false) const {
    const std::vector<std::size_t>& begin = backwards ? in() : first;
    const std::vector<Endpoint>& next = backwards ? sources() : endpoints;
    std::vector<std::uint32_t> distance(node_count(), kUnreachable);
    std::vector<NodeId> order;
    order.reserve(node_count());
    distance.at(source) = 0;
    order.push_back(source);
    for (std::size_t head = 0; head < order.size(); ++head) {
      const NodeId v = order[head];
      for (std::size_t e = begin[v]; e < begin[v + 1]; ++e) {
        const NodeId u = next[e].node;
        if (distance[u] != kUnreachable) continue;
        distance[u] = distance[v] + 1;
        order.push_back(u);
      }
    }
    return {std::move(distance), std::move(order)};
  }
};

Graph::Graph(std::string spelling, std::vector<std::vector<Endpoint>> ports, LinkPairs pairs) {
  const auto wrong = [&]<class... Args>(fmt::format_string<Args...> what, Args&&... args) {
    return bad_input("{}: {}", one_line(spelling), fmt::format(what, std::forward<Args>(args)...));
  };
  if (ports.empty() || ports.size() > kMaxNodes)
    throw wrong("{} nodes; expected 1 to {}", ports.size(), kMaxNodes);
  auto data = std::make_shared<Data>();
  std::vector<std::size_t>& first_in = data->first_in;  // at first, how many links enter each node
  if (pairs == LinkPairs::kNotAll) {
    first_in.resize(ports.size() + 1);
    for (const std::vector<Endpoint>& at_node : ports) {
      for (const Endpoint there : at_node) {
        if (there.node < ports.size()) ++first_in[there.node + 1];
      }
    }
    for (std::size_t v = 0; v < ports.size(); ++v) first_in[v + 1] += first_in[v];
    data->feeders.resize(first_in.back());
  }
  const auto inputs = [&](NodeId v) {
    return pairs == LinkPairs::kAll ? ports[v].size() : first_in[v + 1] - first_in[v];
  };
  bool all_paired = true;
  for (NodeId v = 0; v < ports.size(); ++v) {
    for (PortId p = 0; p < ports[v].size(); ++p) {
      const Endpoint there = ports[v][p];
      const auto leads = [&](const char* what) {
        return wrong("port {} of node {} leads to port {} of node {}, which {}", p, v, there.port, there.node,
                     what);
      };
      if (there.node >= ports.size() || there.port >= inputs(there.node)) throw leads("does not exist");
      if (there.node == v) throw wrong("node {} is connected to itself", v);
      const std::vector<Endpoint>& back = ports[there.node];
      const bool paired = there.port < back.size() && back[there.port] == Endpoint{v, p};
      if (pairs == LinkPairs::kAll && !paired) throw leads("does not lead back");
      all_paired = all_paired && paired;
      if (pairs == LinkPairs::kAll) continue;
      Endpoint& feeder = data->feeders[first_in[there.node] + there.port];
      if (feeder.node != kNoNode) throw leads("another link leads to");
      feeder = {v, p};
    }
  }
  data->first.reserve(ports.size() + 1);
  data->first.push_back(0);
  for (const std::vector<Endpoint>& at_node : ports) {
    data->endpoints.insert(data->endpoints.end(), at_node.begin(), at_node.end());
    data->owner.insert(data->owner.end(), at_node.size(), static_cast<NodeId>(data->first.size() - 1));
    data->first.push_back(data->endpoints.size());
  }
  if (all_paired) {
    first_in.clear();
    data->feeders.clear();
  }
  data->min_degree = static_cast<PortId>(ports.front().size());
  for (NodeId v = 0; v < ports.size(); ++v) {
    const auto in = static_cast<PortId>(data->in()[v + 1] - data->in()[v]);
    data->max_degree = std::max({data->max_degree, data->degree(v), in});
    data->min_degree = std::min({data->min_degree, data->degree(v), in});
  }
  for (const bool backwards : {false, true}) {
    if (backwards && !data->one_way()) break;
    const std::vector<std::uint32_t> distance = data->search(0, backwards).first;
    const auto unreached = std::ranges::find(distance, kUnreachable);
    if (unreached == distance.end()) continue;
    throw wrong("node {} cannot {} node 0; expected {} graph", unreached - distance.begin(),
                backwards ? "reach" : "be reached from",
                data->one_way() ? "a strongly connected" : "a connected");
  }
  data->processors = static_cast<NodeId>(ports.size());
  data->spelling = std::move(spelling);
  data_ = std::move(data);
}

const std::string& Graph::spelling() const { return data_->spelling; }

std::string Graph::family() const { return data_->spelling.substr(0, data_->spelling.find_first_of(":(")); }

NodeId Graph::node_count() const { return data_->node_count(); }

NodeId Graph::processor_count() const { return data_->processors; }

bool Graph::has_unequal_links() const { return !data_->timing.empty(); }

LinkTiming Graph::timing(LinkId link) const {
  return data_->timing.empty() ? LinkTiming{} : data_->timing[link];
}

std::uint16_t Graph::largest_own_latency() const {
  std::uint16_t largest = 0;
  for (const LinkTiming& timing : data_->timing) largest = std::max(largest, timing.latency);
  return largest;
}

std::uint16_t Graph::most_cycles_per_flit() const {
  std::uint16_t most = 1;
  for (const LinkTiming& timing : data_->timing) most = std::max(most, timing.cycles_per_flit);
  return most;
}

PortId lowest_port(PortSet ports) {
  const auto low = static_cast<std::uint64_t>(ports);
  return static_cast<PortId>(low != 0 ? std::countr_zero(low)
                                      : 64 + std::countr_zero(static_cast<std::uint64_t>(ports >> 64)));
}
PortId port_count(PortSet ports) {
  return static_cast<PortId>(std::popcount(static_cast<std::uint64_t>(ports)) +
                             std::popcount(static_cast<std::uint64_t>(ports >> 64)));
}

PortId Graph::degree(NodeId v) const { return data_->degree(v); }

PortId Graph::in_degree(NodeId v) const {
  return static_cast<PortId>(data_->in().at(v + 1) - data_->in()[v]);
}

bool Graph::has_one_way_links() const { return data_->one_way(); }

bool Graph::is_tree() const {
  return !has_one_way_links() && link_count() == 2 * (node_count() - std::uint64_t{1});
}

PortId Graph::max_degree() const { return data_->max_degree; }

PortId Graph::min_degree() const { return data_->min_degree; }

std::uint64_t Graph::link_count() const { return data_->endpoints.size(); }

LinkId Graph::link(NodeId v, PortId p) const { return static_cast<LinkId>(data_->first[v] + p); }
NodeId Graph::link_source(LinkId link) const { return data_->owner[link]; }
PortId Graph::link_port(LinkId link) const {
  return static_cast<PortId>(link - data_->first[data_->owner[link]]);
}
NodeId Graph::link_target(LinkId link) const { return data_->endpoints[link].node; }
PortId Graph::link_target_port(LinkId link) const { return data_->endpoints[link].port; }

Endpoint Graph::peer(NodeId v, PortId p) const {
  if (v >= node_count() || p >= degree(v)) {
    throw std::out_of_range(fmt::format("{}: node {} has no port {}", spelling(), v, p));
  }
  return data_->endpoints[data_->first[v] + p];
}

Endpoint Graph::feeder(NodeId v, PortId q) const {
  if (v >= node_count() || q >= in_degree(v)) {
    throw std::out_of_range(fmt::format("{}: node {} has no input port {}", spelling(), v, q));
  }
  return data_->sources()[data_->in()[v] + q];
}

std::optional<PortId> Graph::port_to(NodeId v, NodeId u) const {
  for (PortId p = 0; p < degree(v); ++p) {
    if (peer(v, p).node == u) return p;
  }
  return std::nullopt;
}

const std::vector<Graph>& Graph::factors() const { return data_->factors; }

std::vector<NodeId> Graph::coordinates(NodeId v) const {
  if (v >= node_count()) throw std::out_of_range(fmt::format("{}: no node {}", spelling(), v));
  return factors().empty() ? std::vector<NodeId>{v} : coordinates_in(factors(), v);
}

NodeId Graph::node_at(const std::vector<NodeId>& coordinates) const {
  const std::size_t dimensions = std::max<std::size_t>(factors().size(), 1);
  if (coordinates.size() != dimensions)
    throw bad_input("{}: {} coordinates; expected {}", spelling(), coordinates.size(), dimensions);
  NodeId v = 0;
  for (std::size_t i = 0; i < dimensions; ++i) {
    const NodeId size = factors().empty() ? node_count() : factors()[i].node_count();
    if (coordinates[i] >= size)
      throw bad_input("{}: coordinate {} is {}; expected 0 to {}", spelling(), i, coordinates[i], size - 1);
    v = v * size + coordinates[i];
  }
  return v;
}

std::string Graph::node_name(NodeId v) const {
  if (data_->node_names) return data_->node_names(v);
  return fmt::format("{}", fmt::join(coordinates(v), family() == "hypercube" ? "" : "_"));
}

NodeId Graph::parse_node(const std::string& text) const {
  const std::string expected =
      factors().size() < 2 ? fmt::format("expected 0 to {}", node_count() - 1)
                           : fmt::format("expected 0 to {}, or {} coordinates such as {}", node_count() - 1,
                                         factors().size(), fmt::join(coordinates(node_count() - 1), ","));
  const auto wrong = [&] {
    return bad_input("node {} of {}: {}", in_quotes(text), one_line(spelling()), expected);
  };
  if (data_->node_names && !parse_decimal(text)) {
    for (NodeId v = 0; v < node_count(); ++v) {
      if (data_->node_names(v) == text) return v;
    }
    throw bad_input("node {} of {}: expected 0 to {}, or a name such as {}", in_quotes(text),
                    one_line(spelling()), node_count() - 1, data_->node_names(node_count() - 1));
  }
  const std::vector<std::string> words = split(text, text.find('_') == std::string::npos ? ',' : '_');
  if (words.size() != 1 && words.size() != factors().size()) throw wrong();
  std::vector<NodeId> values;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::optional<std::uint64_t> value = parse_decimal(words[i]);
    const NodeId size = words.size() == 1 ? node_count() : factors()[i].node_count();
    // "010" may be meant as an index or as the name of a node of a hypercube: refused rather than guessed.
    const bool padded = words[i].size() > 1 && words[i].front() == '0';
    if (!value || *value >= size || padded) throw wrong();
    values.push_back(static_cast<NodeId>(*value));
  }
  return values.size() == 1 ? values.front() : node_at(values);
}

std::vector<std::uint32_t> Graph::distances_from(NodeId source) const { return data_->search(source).first; }

std::vector<std::uint32_t> Graph::distances_to(NodeId target) const {
  return data_->search(target, true).first;
}

std::uint32_t Graph::eccentricity(NodeId v) const {
  if (!factors().empty()) {
    const std::vector<NodeId> at = coordinates(v);
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < at.size(); ++i) sum += factors()[i].eccentricity(at[i]);
    return sum;
  }
  const auto [distance, order] = data_->search(v);
  return distance[order.back()];
}

std::uint32_t Graph::diameter() const {
  if (!factors().empty()) {
    std::uint32_t sum = 0;
    for (const Graph& factor : factors()) sum += factor.diameter();
    return sum;
  }
  if (translations()) return eccentricity(0);
  // In a tree the node farthest from any node is one end of a longest path.
  if (is_tree()) return eccentricity(data_->search(0).second.back());
  std::uint32_t largest = 0;
  for (NodeId v = 0; v < node_count(); ++v) largest = std::max(largest, eccentricity(v));
  return largest;
}

std::uint64_t Graph::status(NodeId v) const {
  if (!factors().empty()) {
    // Thesis 5.2: each dimension's distances occur once for every choice of the other coordinates.
    const std::vector<NodeId> at = coordinates(v);
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
      sum += factors()[i].status(at[i]) * (node_count() / factors()[i].node_count());
    }
    return sum;
  }
  const std::vector<std::uint32_t> distance = distances_from(v);
  return std::accumulate(distance.begin(), distance.end(), std::uint64_t{0});
}

std::uint64_t Graph::total_status() const {
  if (!factors().empty()) {
    std::uint64_t sum = 0;
    for (const Graph& factor : factors()) {
      const std::uint64_t copies = node_count() / factor.node_count();
      sum += factor.total_status() * copies * copies;
    }
    return sum;
  }
  if (translations()) return status(0) * node_count();
  if (is_tree()) {
    // An edge that parts the nodes in two lies on all shortest paths between the parts.
    const auto [distance, order] = data_->search(0);
    std::vector<std::uint64_t> subtree(node_count(), 1);
    std::uint64_t sum = 0;
    for (auto v = order.rbegin(); *v != 0; ++v) {
      sum += 2 * subtree[*v] * (node_count() - subtree[*v]);
      for (PortId p = 0; p < degree(*v); ++p) {
        const NodeId u = peer(*v, p).node;
        if (distance[u] < distance[*v]) subtree[u] += subtree[*v];
      }
    }
    return sum;
  }
  std::uint64_t sum = 0;
  for (NodeId v = 0; v < node_count(); ++v) sum += status(v);
  return sum;
}

const std::optional<Translations>& Graph::translations() const { return data_->translations; }

const DistanceFormulas& Graph::formulas() const { return data_->formulas; }

const std::shared_ptr<const KnownNetwork>& Graph::known_as() const { return data_->known_as; }

template <class Change>
Graph Graph::changed(Change change) const {
  auto data = std::make_shared<Data>(*data_);
  change(*data);
  Graph result = *this;
  result.data_ = std::move(data);
  return result;
}

Graph Graph::transposed() const {
  std::vector<LinkTiming> turned_timing;
  if (has_unequal_links()) {
    for (NodeId v = 0; v < node_count(); ++v) {
      for (PortId q = 0; q < in_degree(v); ++q) {
        const Endpoint from = feeder(v, q);
        turned_timing.push_back(timing(link(from.node, from.port)));
      }
    }
  }
  if (!has_one_way_links())
    return turned_timing == data_->timing ? *this : with_link_timing(std::move(turned_timing));
  std::vector<std::vector<Endpoint>> ports(node_count());
  for (NodeId v = 0; v < node_count(); ++v) {
    const auto begin = data_->feeders.begin();
    ports[v].assign(begin + static_cast<std::ptrdiff_t>(data_->first_in[v]),
                    begin + static_cast<std::ptrdiff_t>(data_->first_in[v + 1]));
  }
  constexpr std::string_view kPrefix = "transpose(";
  const bool turned = spelling().starts_with(kPrefix) && spelling().ends_with(')');
  std::string name = turned ? spelling().substr(kPrefix.size(), spelling().size() - kPrefix.size() - 1)
                            : fmt::format("{}{})", kPrefix, spelling());
  std::vector<Graph> factors;
  for (const Graph& factor : data_->factors) factors.push_back(factor.transposed());
  Graph graph = Graph(std::move(name), std::move(ports), LinkPairs::kNotAll)
                    .with_factors(std::move(factors))
                    .with_routers_from(processor_count());
  if (has_unequal_links()) graph = graph.with_link_timing(std::move(turned_timing));
  return data_->node_names ? graph.with_node_names(data_->node_names) : graph;
}

Graph Graph::with_factors(std::vector<Graph> factors) const {
  std::uint64_t nodes = 1;
  for (const Graph& factor : factors) nodes *= factor.node_count();
  if (!factors.empty() && nodes != node_count())
    throw bad_input("{}: factors of {} nodes in all; expected {}", one_line(spelling()), nodes, node_count());
  return changed([&](Data& data) { data.factors = std::move(factors); });
}

Graph Graph::with_routers_from(NodeId first) const {
  if (first < 1 || first > node_count()) {
    throw bad_input("{}: routers from node {} on; expected 1 to {}", one_line(spelling()), first,
                    node_count());
  }
  return changed([&](Data& data) {
    data.processors = first;
    if (first < data.node_count()) data.known_as = nullptr;
  });
}

Graph Graph::with_translations(Translations translations) const {
  return changed([&](Data& data) { data.translations = std::move(translations); });
}

Graph Graph::with_link_timing(std::vector<LinkTiming> timing) const {
  if (timing.size() != link_count()) {
    throw bad_input("{}: latencies of {} links; expected {}", one_line(spelling()), timing.size(),
                    link_count());
  }
  for (const LinkTiming& of_link : timing) {
    if (of_link.latency > kMaxOwnLatency)
      throw bad_input("{}: a link's own latency of {}; expected 0 to {} cycles", one_line(spelling()),
                      of_link.latency, kMaxOwnLatency);
    if (of_link.cycles_per_flit < 1 || of_link.cycles_per_flit > kMaxCyclesPerFlit)
      throw bad_input("{}: {} cycles per flit; expected 1 to {}", one_line(spelling()),
                      of_link.cycles_per_flit, kMaxCyclesPerFlit);
  }
  const bool alike = std::ranges::all_of(timing, [](const LinkTiming& t) { return t == LinkTiming{}; });
  if (alike) timing.clear();
  return changed([&](Data& data) {
    data.timing = std::move(timing);
    if (!alike) data.known_as = nullptr;
  });
}

Graph Graph::with_spelling(std::string spelling) const {
  return changed([&](Data& data) { data.spelling = std::move(spelling); });
}

Graph Graph::with_formulas(DistanceFormulas formulas) const {
  return changed([&](Data& data) { data.formulas = std::move(formulas); });
}

Graph Graph::with_known_network(std::shared_ptr<const KnownNetwork> known) const {
  return changed([&](Data& data) { data.known_as = std::move(known); });
}

Graph Graph::with_node_names(std::function<std::string(NodeId)> names) const {
  return changed([&](Data& data) { data.node_names = std::move(names); });
}

namespace {

// Applies a translation of every factor to its own coordinate.
class ProductTranslation {
 public:
  ProductTranslation(const std::vector<Graph>& factors, bool inverse) {
    for (const Graph& factor : factors) {
      const Translations& translations = *factor.translations();
      parts_.push_back({inverse ? translations.invert : translations.apply, factor.node_count()});
    }
  }
  NodeId operator()(NodeId v, NodeId x) const {
    NodeId result = 0;
    NodeId stride = 1;
    for (auto part = parts_.rbegin(); part != parts_.rend(); ++part) {
      result += stride * part->map(v % part->size, x % part->size);
      v /= part->size;
      x /= part->size;
      stride *= part->size;
    }
    return result;
  }

 private:
  struct Part {
    std::function<NodeId(NodeId, NodeId)> map;
    NodeId size;
  };
  std::vector<Part> parts_;
};

// The dimensions of a product whose factors may be products.
std::vector<Graph> dimensions_of(const std::vector<Graph>& factors) {
  std::vector<Graph> dimensions;
  for (const Graph& factor : factors) {
    if (factor.factors().empty()) {
      dimensions.push_back(factor);
    } else {
      dimensions.insert(dimensions.end(), factor.factors().begin(), factor.factors().end());
    }
  }
  return dimensions;
}

// What the formulas of all dimensions say, each times its weight, added up; nothing if one of them says
// nothing.
template <class Value, class Weight>
std::optional<Value> sum_of(const std::vector<Graph>& dimensions, std::optional<Value> DistanceFormulas::*of,
                            Weight weight) {
  Value sum = 0;
  for (const Graph& d : dimensions) {
    if (!(d.formulas().*of)) return std::nullopt;
    sum += *(d.formulas().*of) * weight(d);
  }
  return sum;
}

// The same for what they say of the coordinates of a node.
template <class Value, class Weight>
std::function<Value(NodeId)> sum_of(const std::vector<Graph>& dimensions,
                                    std::function<Value(NodeId)> DistanceFormulas::*of, Weight weight) {
  if (!std::ranges::all_of(dimensions, [&](const Graph& d) { return static_cast<bool>(d.formulas().*of); }))
    return {};
  return [=](NodeId v) {
    const std::vector<NodeId> at = coordinates_in(dimensions, v);
    Value sum = 0;
    for (std::size_t i = 0; i < at.size(); ++i)
      sum += (dimensions[i].formulas().*of)(at[i]) * weight(dimensions[i]);
    return sum;
  };
}

DistanceFormulas product_formulas(const std::vector<Graph>& dimensions) {
  std::uint64_t nodes = 1;
  for (const Graph& d : dimensions) nodes *= d.node_count();
  const auto once = [](const Graph&) { return 1U; };
  const auto copies = [nodes](const Graph& d) { return nodes / d.node_count(); };
  const auto pairs_of_copies = [copies](const Graph& d) { return copies(d) * copies(d); };
  return {.degree = sum_of(dimensions, &DistanceFormulas::degree, once),
          .eccentricity = sum_of(dimensions, &DistanceFormulas::eccentricity, once),
          .diameter = sum_of(dimensions, &DistanceFormulas::diameter, once),
          .status = sum_of(dimensions, &DistanceFormulas::status, copies),
          .total_status = sum_of(dimensions, &DistanceFormulas::total_status, pairs_of_copies),
          .source = "thesis (2.1), (2.2), Theorem 5.1, Corollary 5.2"};
}

}  // namespace

Graph cartesian_product(const std::vector<Graph>& product_of, std::string spelling) {
  const std::vector<Graph> factors = dimensions_of(product_of);
  for (const Graph& factor : factors) {
    if (factor.has_routers()) {
      throw bad_input("{}: {} has nodes that only route; expected factors whose nodes all process",
                      one_line(spelling), in_quotes(factor.spelling()));
    }
  }
  std::uint64_t nodes = 1;
  PortId degree = 0;
  for (const Graph& factor : factors) {
    nodes *= factor.node_count();
    degree += factor.max_degree();
    if (nodes > kMaxNodes || degree > kMaxDegree) break;
  }
  if (factors.empty() || nodes > kMaxNodes || degree > kMaxDegree) {
    throw bad_input("{}: expected a product of at most {} nodes with at most {} ports each",
                    one_line(spelling), kMaxNodes, kMaxDegree);
  }
  std::vector<std::vector<Endpoint>> ports(nodes);
  const bool unequal = std::ranges::any_of(factors, &Graph::has_unequal_links);
  std::vector<LinkTiming> timing;
  for (NodeId v = 0; v < nodes; ++v) {
    const std::vector<NodeId> at = coordinates_in(factors, v);
    NodeId stride = static_cast<NodeId>(nodes);
    PortId first_in = 0;  // of the dimension; equal at both ends of a link, as earlier coordinates are
    for (std::size_t i = 0; i < factors.size(); ++i) {
      const Graph& factor = factors[i];
      stride /= factor.node_count();
      for (PortId p = 0; p < factor.degree(at[i]); ++p) {
        const Endpoint there = factor.peer(at[i], p);
        ports[v].push_back({v - at[i] * stride + there.node * stride, first_in + there.port});
        if (unequal) timing.push_back(factor.timing(factor.link(at[i], p)));
      }
      first_in += factor.in_degree(at[i]);
    }
  }
  const bool one_way = std::ranges::any_of(factors, &Graph::has_one_way_links);
  Graph graph = Graph(std::move(spelling), std::move(ports), one_way ? LinkPairs::kNotAll : LinkPairs::kAll)
                    .with_factors(factors)
                    .with_formulas(product_formulas(factors));
  if (unequal) graph = graph.with_link_timing(std::move(timing));
  if (!std::ranges::all_of(factors, [](const Graph& f) { return f.translations().has_value(); }))
    return graph;
  return graph.with_translations({ProductTranslation(factors, false), ProductTranslation(factors, true)});
}

}  // namespace safnet
