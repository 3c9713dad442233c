#include "cpp_model/algorithm/koenig_colouring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>

#include "cpp_model/algorithm/dimension_rounds.hpp"
#include "cpp_model/algorithm/plan_from_policy.hpp"
#include "cpp_model/algorithm/shortest_path_routes.hpp"
#include "cpp_model/bound/exact.hpp"
#include "cpp_model/graph/families.hpp"

namespace safnet {
namespace {

constexpr std::uint32_t kNone = 0xffff'ffff;

// Which edge has which colour at which node. Nodes of high degree have a table of all colours, the others
// only a list of their coloured edges.
class EdgeColouring {
 public:
  EdgeColouring(std::span<const BipartiteEdge> edges, std::uint32_t left_count, std::uint32_t right_count)
      : edges_(edges), left_count_(left_count), colour_(edges.size(), kNone) {
    std::vector<std::uint32_t> degree(std::size_t{left_count} + right_count);
    for (const BipartiteEdge& edge : edges) {
      if (edge.left >= left_count || edge.right >= right_count) {
        throw std::invalid_argument(fmt::format("bipartite edge {}-{}: expected nodes below {} and {}",
                                                edge.left, edge.right, left_count, right_count));
      }
      ++degree[edge.left];
      ++degree[left_count + edge.right];
    }
    const std::uint32_t colours = degree.empty() ? 0 : *std::max_element(degree.begin(), degree.end());
    nodes_.resize(degree.size());
    for (std::size_t v = 0; v < degree.size(); ++v) {
      nodes_[v].has_table = std::uint64_t{degree[v]} * 16 >= colours;
      if (nodes_[v].has_table) {
        nodes_[v].edges.assign(colours, kNone);
      } else {
        nodes_[v].edges.reserve(degree[v]);
      }
    }
  }

  std::vector<std::uint32_t> run() {
    for (std::uint32_t e = 0; e < edges_.size(); ++e) {
      const std::uint32_t u = edges_[e].left, v = left_count_ + edges_[e].right;
      const std::uint32_t a = first_free(u), b = first_free(v);
      if (a != b && at(v, a) != kNone) {
        if (at(u, b) == kNone) {
          add(e, b);
          continue;
        }
        exchange(v, a, b);  // the path does not lead to u: it would arrive there with colour a
      }
      add(e, a);
    }
    return std::move(colour_);
  }

 private:
  struct Node {
    bool has_table = false;
    std::vector<std::uint32_t> edges;  // by colour if it has a table
    std::uint32_t not_free_below = 0;
  };

  std::uint32_t at(std::uint32_t v, std::uint32_t colour) const {
    const Node& node = nodes_[v];
    if (node.has_table) return node.edges[colour];
    for (const std::uint32_t e : node.edges) {
      if (colour_[e] == colour) return e;
    }
    return kNone;
  }
  std::uint32_t first_free(std::uint32_t v) {
    std::uint32_t& colour = nodes_[v].not_free_below;
    while (at(v, colour) != kNone) ++colour;
    return colour;
  }
  void add(std::uint32_t e, std::uint32_t colour) {
    colour_[e] = colour;
    for (const std::uint32_t v : {edges_[e].left, left_count_ + edges_[e].right}) {
      if (nodes_[v].has_table) {
        nodes_[v].edges[colour] = e;
      } else {
        nodes_[v].edges.push_back(e);
      }
    }
  }
  void remove(std::uint32_t e) {
    for (const std::uint32_t v : {edges_[e].left, left_count_ + edges_[e].right}) {
      Node& node = nodes_[v];
      node.not_free_below = std::min(node.not_free_below, colour_[e]);
      if (node.has_table) {
        node.edges[colour_[e]] = kNone;
      } else {
        node.edges.erase(std::find(node.edges.begin(), node.edges.end(), e));
      }
    }
    colour_[e] = kNone;
  }
  // Swaps the colours a and b on the path of these colours that begins at v with colour a.
  void exchange(std::uint32_t v, std::uint32_t a, std::uint32_t b) {
    path_.clear();
    for (std::uint32_t colour = a, e = at(v, a); e != kNone; e = at(v, colour)) {
      path_.emplace_back(e, a + b - colour);
      v = edges_[e].left + left_count_ + edges_[e].right - v;
      colour = a + b - colour;
    }
    for (const auto& [e, colour] : path_) remove(e);
    for (const auto& [e, colour] : path_) add(e, colour);
  }

  std::span<const BipartiteEdge> edges_;
  std::uint32_t left_count_;
  std::vector<std::uint32_t> colour_;
  std::vector<Node> nodes_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> path_;
};

// How often a word takes each generator.
using Word = std::vector<std::uint16_t>;

std::uint32_t length(const Word& word) { return std::accumulate(word.begin(), word.end(), std::uint32_t{0}); }

// Words of the elements of an abelian group, the shortest ones and some that are a generator longer.
struct Words {
  std::vector<std::vector<Word>> shortest, longer;  // [element]
};

constexpr std::size_t kMaxWords = 48;  // per element

Words words_of(const Graph& graph) {
  const NodeId n = graph.node_count();
  const PortId degree = graph.degree(0);
  const std::vector<std::uint32_t> distance = graph.distances_from(0);
  std::vector<NodeId> order(n);
  std::iota(order.begin(), order.end(), NodeId{0});
  std::stable_sort(order.begin(), order.end(), [&](NodeId a, NodeId b) { return distance[a] < distance[b]; });
  Words words;
  words.shortest.resize(n);
  words.longer.resize(n);
  words.shortest[0] = {Word(degree, 0)};
  const auto extend = [&](std::set<Word>& into, const std::vector<Word>& words_before, PortId p,
                          PortId back) {
    for (Word word : words_before) {
      if (into.size() >= kMaxWords) return;
      if (p != back && word[back] != 0) continue;  // there and back again
      ++word[p];
      into.insert(std::move(word));
    }
  };
  for (const NodeId r : order) {
    std::set<Word> shortest;
    for (PortId q = 0; q < degree; ++q) {
      const Endpoint before = graph.peer(r, q);
      if (distance[before.node] + 1 == distance[r])
        extend(shortest, words.shortest[before.node], before.port, q);
    }
    if (r != 0) words.shortest[r].assign(shortest.begin(), shortest.end());
  }
  // A generator longer: from elements as far away, or from the longer words of nearer ones.
  for (const NodeId r : order) {
    if (r == 0) continue;
    std::set<Word> longer;
    for (PortId q = 0; q < degree; ++q) {
      const Endpoint before = graph.peer(r, q);
      if (distance[before.node] == distance[r])
        extend(longer, words.shortest[before.node], before.port, q);
      else if (distance[before.node] < distance[r])
        extend(longer, words.longer[before.node], before.port, q);
    }
    words.longer[r].assign(longer.begin(), longer.end());
  }
  return words;
}

bool is_even_ring(const Graph& graph) {
  return graph.node_count() >= 4 && graph.node_count() % 2 == 0 && graph.max_degree() == 2 &&
         graph.min_degree() == 2;
}

bool is_abelian(const Graph& graph) {
  if (!graph.translations()) return false;
  const Translations& t = *graph.translations();
  for (PortId p = 0; p < graph.degree(0); ++p) {
    for (PortId q = 0; q < p; ++q) {
      const NodeId g = graph.peer(0, p).node, h = graph.peer(0, q).node;
      if (t.apply(g, h) != t.apply(h, g)) return false;
    }
  }
  return true;
}

// Total exchange by colouring relative destinations x generators.
class GeneratorColouring {
 public:
  explicit GeneratorColouring(const Problem& problem)
      : graph_(problem.graph), n_(graph_.node_count()), dimensions_(dimensions_of(graph_)) {
    PortId port = 0;
    for (const Graph& dimension : dimensions_) {
      first_port_.push_back(port);
      port += dimension.degree(0);
    }
    load_.resize(port);
    // The half-way packets of an even ring cannot be shared out evenly between its two directions if there is
    // an odd number of them per node. There is one such dimension at most.
    for (std::size_t i = 0; i < dimensions_.size(); ++i) {
      if (is_even_ring(dimensions_[i]) && n_ / dimensions_[i].node_count() % 2 == 1) split_ = i;
    }
  }

  Schedule plan(const Problem& problem, const std::string& name) {
    choose_words();
    colour();
    Schedule schedule = empty_schedule(problem, name);
    expand(schedule);
    return schedule;
  }

 private:
  struct Hop {
    NodeId type;    // relative destination
    NodeId before;  // where a packet of node 0 is when it makes the hop
    PortId port;
  };
  using Quality = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;

  NodeId coordinate(NodeId v, std::size_t i) const {
    for (std::size_t j = dimensions_.size() - 1; j > i; --j) v /= dimensions_[j].node_count();
    return v % dimensions_[i].node_count();
  }
  // Types that differ in the dimension `split_` alone are left to total exchanges of that ring.
  bool is_split(NodeId type) const {
    if (!split_) return false;
    for (std::size_t i = 0; i < dimensions_.size(); ++i) {
      if (i != *split_ && coordinate(type, i) != 0) return false;
    }
    return true;
  }

  void change_load(std::size_t dimension, const Word& word, bool add) {
    for (std::size_t p = 0; p < word.size(); ++p) {
      auto& load = load_[first_port_[dimension] + p];
      load = add ? load + word[p] : load - word[p];
    }
  }
  // Of the loads of the generators: the largest, how many have it, the sum of the squares.
  Quality quality() const {
    const std::uint64_t largest = *std::max_element(load_.begin(), load_.end());
    std::uint64_t squares = 0;
    for (const std::uint64_t load : load_) squares += load * load;
    return {largest, std::count(load_.begin(), load_.end(), largest), squares};
  }
  std::uint64_t squares() const { return std::get<2>(quality()); }

  // A word for every type and dimension, so that the generators are used equally often.
  void choose_words() {
    std::vector<Words> words;
    for (const Graph& dimension : dimensions_) {
      // Equal dimensions, as in cubes, are looked at once.
      const auto same =
          std::find_if(dimensions_.begin(), dimensions_.begin() + static_cast<std::ptrdiff_t>(words.size()),
                       [&](const Graph& other) { return same_network(other, dimension); });
      const auto index = static_cast<std::size_t>(same - dimensions_.begin());
      words.push_back(index < words.size() ? words[index] : words_of(dimension));
    }
    chosen_.assign(n_, std::vector<const Word*>(dimensions_.size(), nullptr));
    struct Choice {
      NodeId type;
      std::size_t dimension;
      NodeId element;
    };
    std::vector<Choice> choices;
    for (NodeId type = 1; type < n_; ++type) {
      if (is_split(type)) continue;
      for (std::size_t i = 0; i < dimensions_.size(); ++i) {
        const NodeId element = coordinate(type, i);
        if (element == 0) continue;
        const auto& shortest = words[i].shortest[element];
        chosen_[type][i] = &shortest[0];
        if (shortest.size() == 1) {
          change_load(i, shortest[0], true);
        } else {
          choices.push_back({type, i, element});
        }
      }
    }
    for (const Choice& choice : choices) {
      const Word* best = nullptr;
      std::uint64_t best_squares = 0;
      for (const Word& word : words[choice.dimension].shortest[choice.element]) {
        change_load(choice.dimension, word, true);
        const std::uint64_t now = squares();
        change_load(choice.dimension, word, false);
        if (best == nullptr || now < best_squares) {
          best = &word;
          best_squares = now;
        }
      }
      chosen_[choice.type][choice.dimension] = best;
      change_load(choice.dimension, *best, true);
    }
    improve(words);
    words_ = std::move(words);  // keeps what chosen_ points to
  }

  // Changes single words, also to longer ones, as long as that makes the loads more equal.
  void improve(const std::vector<Words>& words) {
    std::uint32_t longest = 0;
    for (NodeId type = 1; type < n_; ++type) longest = std::max(longest, word_length(type));
    Quality best = quality();
    const auto even = [&] {
      const std::uint64_t sum = std::accumulate(load_.begin(), load_.end(), std::uint64_t{0});
      return std::get<0>(best) <= std::max<std::uint64_t>(longest, divide_up(sum, load_.size()));
    };
    for (bool changed = true; changed && !even();) {
      changed = false;
      for (NodeId type = 1; type < n_; ++type) {
        if (is_split(type)) continue;
        for (std::size_t i = 0; i < dimensions_.size(); ++i) {
          const NodeId element = coordinate(type, i);
          if (element == 0) continue;
          for (const auto* list : {&words[i].shortest[element], &words[i].longer[element]}) {
            for (const Word& word : *list) {
              const Word* old = chosen_[type][i];
              if (word_length(type) - length(*old) + length(word) > std::get<0>(best)) continue;
              change_load(i, *old, false);
              change_load(i, word, true);
              if (const Quality now = quality(); now < best) {
                best = now;
                chosen_[type][i] = &word;
                changed = true;
              } else {
                change_load(i, word, false);
                change_load(i, *old, true);
              }
            }
          }
        }
      }
    }
  }

  std::uint32_t word_length(NodeId type) const {
    std::uint32_t sum = 0;
    for (const Word* word : chosen_[type]) sum += word == nullptr ? 0 : length(*word);
    return sum;
  }

  void colour() {
    std::vector<BipartiteEdge> edges;
    for (NodeId type = 1; type < n_; ++type) {
      for (std::size_t i = 0; i < dimensions_.size(); ++i) {
        if (chosen_[type][i] == nullptr) continue;
        const Word& word = *chosen_[type][i];
        for (PortId p = 0; p < word.size(); ++p) {
          for (std::uint16_t times = 0; times < word[p]; ++times) edges.push_back({type, first_port_[i] + p});
        }
      }
    }
    // Steps set aside for the total exchanges of the ring: edges to nodes of their own. Its two directions
    // have nothing to do with each other, so the steps need not be the same ones.
    const std::size_t own = edges.size();
    const auto ring_steps =
        split_ ? static_cast<std::uint32_t>(eighth_square(dimensions_[*split_].node_count())) : 0;
    for (std::uint32_t step = 0; step < ring_steps; ++step) {
      for (std::uint32_t p = 0; p < 2; ++p) edges.push_back({n_ + 2 * step + p, first_port_[*split_] + p});
    }
    const std::vector<std::uint32_t> colours =
        colour_bipartite(edges, n_ + 2 * ring_steps, static_cast<std::uint32_t>(load_.size()));
    steps_ = colours.empty() ? 0 : *std::max_element(colours.begin(), colours.end()) + 1;

    hops_.resize(steps_);
    std::vector<std::pair<std::uint32_t, PortId>> mine;
    for (std::size_t e = 0; e < own;) {
      const NodeId type = edges[e].left;
      mine.clear();
      for (; e < own && edges[e].left == type; ++e) mine.emplace_back(colours[e], edges[e].right);
      std::sort(mine.begin(), mine.end());
      NodeId at = 0;
      for (const auto& [colour, port] : mine) {
        hops_[colour].push_back({type, at, port});
        at = graph_.peer(at, port).node;
      }
    }
    for (std::size_t e = own; e < edges.size(); ++e)
      ring_steps_[edges[e].right - first_port_[*split_]].push_back(colours[e] + 1);
    for (auto& steps : ring_steps_) std::sort(steps.begin(), steps.end());
  }

  void expand(Schedule& schedule) const {
    const Translations& t = *graph_.translations();
    std::vector<std::uint16_t> sum(std::size_t{n_} * n_);
    std::vector<NodeId> inverse(n_);
    for (NodeId a = 0; a < n_; ++a) {
      for (NodeId b = 0; b < n_; ++b) {
        const NodeId c = t.apply(a, b);
        sum[std::size_t{a} * n_ + b] = static_cast<std::uint16_t>(c);
        if (c == 0) inverse[a] = b;
      }
    }
    std::size_t count = 0;
    for (const auto& hops : hops_) count += hops.size();
    schedule.sends.reserve(count * n_ + (split_ ? all_hops(dimensions_[*split_]) * n_ : 0));
    for (std::uint32_t step = 1; step <= steps_; ++step) {
      std::vector<Hop> hops = hops_[step - 1];
      std::sort(hops.begin(), hops.end(), [](const Hop& a, const Hop& b) { return a.port < b.port; });
      for (NodeId v = 0; v < n_; ++v) {
        for (const Hop& hop : hops) {
          const NodeId origin = sum[std::size_t{inverse[hop.before]} * n_ + v];
          const NodeId destination = sum[std::size_t{hop.type} * n_ + origin];
          schedule.sends.push_back(
              {step, graph_.link(v, hop.port), exchange_packet(origin, destination, n_)});
        }
      }
    }
    if (split_) {
      expand_rings(schedule);
      sort_sends(schedule);
    }
  }

  // Thesis Theorem 4.6 in every copy of the ring.
  void expand_rings(Schedule& schedule) const {
    const NodeId size = dimensions_[*split_].node_count();
    const Problem problem{ring(size), CollectiveKind::kTotalExchange, PortModel::kAllPort};
    const Schedule exchange = find_planner(problem, "parity-message-shift").plan(problem);
    const PortId clockwise = first_port_[*split_];
    for (NodeId base = 0; base < n_; ++base) {
      if (coordinate(base, *split_) != 0) continue;
      std::vector<NodeId> around{base};
      while (around.size() < size) around.push_back(graph_.peer(around.back(), clockwise).node);
      for (const Send& send : exchange.sends) {
        const PortId p = exchange.network.link_port(send.link);
        const NodeId from = exchange.packets.origin(send.packet);
        const NodeId to = exchange.packets.destinations(send.packet)[0];
        schedule.sends.push_back({ring_steps_[p][send.start - 1],
                                  graph_.link(around[exchange.network.link_source(send.link)], clockwise + p),
                                  exchange_packet(around[from], around[to], n_)});
      }
    }
  }

  Graph graph_;
  NodeId n_;
  std::vector<Graph> dimensions_;
  std::vector<PortId> first_port_;
  std::optional<std::size_t> split_;
  std::vector<Words> words_;
  std::vector<std::vector<const Word*>> chosen_;  // [type][dimension]
  std::vector<std::uint64_t> load_;               // of each generator
  std::uint32_t steps_ = 0;
  std::vector<std::vector<Hop>> hops_;        // [step - 1]
  std::vector<std::uint32_t> ring_steps_[2];  // of the split dimension, by direction
};

// The common reasons of planners for all-port total exchange.
std::string why_not_all_port(const Problem& problem) {
  if (!problem.tree.empty()) return "has no use for --tree";
  if (problem.ports != PortModel::kAllPort) return "needs --ports all";
  return {};
}

Algorithm generator_colouring() {
  Algorithm algorithm;
  algorithm.name = "generator-colouring";
  algorithm.collective = CollectiveKind::kTotalExchange;
  algorithm.source = "Koenig 1916, edge colouring; beyond thesis chapter 5";
  algorithm.description =
      "all nodes alike: relative destinations and generators as a bipartite graph, colours are steps";
  algorithm.domain = "Cayley graphs of abelian groups, all-port: tori, cubes, circulants, their products";
  algorithm.why_not = [](const Problem& p) -> std::string {
    if (const std::string reason = why_not_all_port(p); !reason.empty()) return reason;
    if (p.graph.node_count() > kMaxRoutedNodes)
      return fmt::format("needs a network of at most {} nodes", kMaxRoutedNodes);
    if (!is_abelian(p.graph))
      return "needs a Cayley graph whose generators commute, such as a torus or circulant";
    if (all_hops(p.graph) > kMaxPlannedSends)
      return fmt::format("needs a network whose total exchange takes at most {} hops", kMaxPlannedSends);
    return {};
  };
  algorithm.closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
    // The busiest generator, where there is no choice but the direction of half-way packets.
    std::uint64_t steps = 0, diameter = 0;
    for (const Graph& dimension : dimensions_of(p.graph)) {
      const std::uint64_t n = dimension.node_count(), copies = p.graph.node_count() / n;
      if (n == 1) continue;
      if (dimension.degree(0) + 1 == n) {
        steps = std::max(steps, copies);
        diameter += 1;
      } else if (dimension.max_degree() == 2) {
        steps = std::max(steps, n % 2 == 1 ? copies * (n * n - 1) / 8 : divide_up(copies * n * n, 8));
        diameter += n / 2;
      } else {
        return std::nullopt;
      }
    }
    return std::max(steps, diameter);
  };
  algorithm.plan = [name = algorithm.name](const Problem& p) { return GeneratorColouring(p).plan(p, name); };
  return algorithm;
}

Schedule plan_rounds(const Problem& problem, const std::string& name) {
  const Graph& graph = problem.graph;
  const std::vector<Graph> dimensions = dimensions_of(graph);
  const NodeId n = dimensions[0].node_count();
  const Schedule exchange = shortest_exchange(dimensions[0], problem.ports);
  const std::uint32_t steps = last_step(exchange);
  // Types and (dimension, difference): every type in a round of each dimension that it differs in.
  std::vector<BipartiteEdge> edges;
  for (NodeId type = 1; type < graph.node_count(); ++type) {
    const std::vector<NodeId> difference = graph.coordinates(type);
    for (std::uint32_t i = 0; i < dimensions.size(); ++i) {
      if (difference[i] != 0) edges.push_back({type, i * n + difference[i]});
    }
  }
  const auto colours =
      colour_bipartite(edges, graph.node_count(), static_cast<std::uint32_t>(dimensions.size()) * n);
  const std::uint32_t rounds = *std::max_element(colours.begin(), colours.end()) + 1;
  std::vector<DimensionRound> list;
  for (std::uint32_t round = 0; round < rounds; ++round) {
    for (std::uint32_t i = 0; i < dimensions.size(); ++i)
      list.push_back({i, round * steps, std::vector<NodeId>(n, kNoType)});
  }
  for (std::size_t e = 0; e < edges.size(); ++e)
    list[colours[e] * dimensions.size() + edges[e].right / n].types[edges[e].right % n] = edges[e].left;
  return schedule_of_rounds(problem, name, std::vector<Schedule>(dimensions.size(), exchange), list);
}

Algorithm colouring_of_rounds() {
  Algorithm algorithm;
  algorithm.name = "colouring-of-rounds";
  algorithm.collective = CollectiveKind::kTotalExchange;
  algorithm.source = "Koenig 1916, edge colouring; beyond thesis Corollary 5.7";
  algorithm.description =
      "total exchanges of all dimensions at once, round by round, for any number of equal dimensions";
  algorithm.domain = "powers of a network, all-port";
  algorithm.why_not = [](const Problem& p) -> std::string {
    if (const std::string reason = why_not_all_port(p); !reason.empty()) return reason;
    const std::vector<Graph>& factors = p.graph.factors();
    const bool power =
        factors.size() >= 2 && std::all_of(factors.begin(), factors.end(),
                                           [&](const Graph& f) { return same_network(f, factors[0]); });
    if (!power) return "needs a product of two or more equal networks";
    if (factors[0].node_count() < 2) return "needs dimensions of two or more nodes";
    if (p.graph.node_count() > kMaxRoutedNodes)
      return fmt::format("needs a network of at most {} nodes", kMaxRoutedNodes);
    if (all_hops(p.graph) > kMaxPlannedSends)
      return fmt::format("needs a network whose total exchange takes at most {} hops", kMaxPlannedSends);
    return {};
  };
  algorithm.closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
    const Graph factor = dimensions_of(p.graph)[0];
    const auto steps = promised_exchange_steps(factor, p.ports);
    if (!steps) return std::nullopt;
    return p.graph.node_count() / factor.node_count() * *steps;
  };
  algorithm.plan = [name = algorithm.name](const Problem& p) { return plan_rounds(p, name); };
  return algorithm;
}

}  // namespace

std::vector<std::uint32_t> colour_bipartite(std::span<const BipartiteEdge> edges, std::uint32_t left_count,
                                            std::uint32_t right_count) {
  return EdgeColouring(edges, left_count, right_count).run();
}

std::vector<Algorithm> koenig_algorithms() { return {generator_colouring(), colouring_of_rounds()}; }

}  // namespace safnet
