#include "cpp_model/algorithm/product/generator_colouring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>

#include "cpp_model/algorithm/product/factor_exchange.hpp"
#include "cpp_model/algorithm/tools/dimensions.hpp"
#include "cpp_model/algorithm/tools/shortest_path_routes.hpp"
#include "cpp_model/algorithm/tools/translated_sends.hpp"
#include "cpp_model/graph/bipartite_colouring.hpp"
#include "cpp_model/graph/family/families.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

// How often a word takes each generator.
using Word = std::vector<std::uint16_t>;

std::uint32_t length(const Word& word) { return std::accumulate(word.begin(), word.end(), std::uint32_t{0}); }

// Words of the elements of an abelian group: the shortest ones, those that are one generator longer, ...
class Words {
 public:
  explicit Words(const Graph& graph)
      : graph_(graph), distance_(graph.distances_from(0)), order_(distance_.size()) {
    std::iota(order_.begin(), order_.end(), NodeId{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](NodeId a, NodeId b) { return distance_[a] < distance_[b]; });
    add_longer();
  }
  std::size_t levels() const { return of_.size(); }
  /// Words of the element that are `by` generators longer than its shortest.
  const std::vector<Word>& longer(std::size_t by, NodeId element) const { return of_[by][element]; }

  /// Adds words one generator longer than the longest so far; pointers to the others stay valid.
  void add_longer() {
    const std::size_t level = of_.size();
    of_.emplace_back(order_.size());
    for (const NodeId r : order_) {
      std::vector<Word> words;
      if (r == 0 && level == 0) words.emplace_back(graph_.degree(0), 0);
      for (PortId q = 0; q < graph_.degree(0); ++q) {
        const Endpoint before = graph_.peer(r, q);
        const std::size_t length = distance_[r] + level;  // of the words wanted
        const std::size_t nearest = distance_[before.node] + std::size_t{1};
        if (length < nearest || length - nearest > level) continue;
        for (const Word& word : of_[length - nearest][before.node]) {
          if (before.port != q && word[q] != 0) continue;  // there and back again
          words.push_back(word);
          ++words.back()[before.port];
        }
      }
      std::sort(words.begin(), words.end());
      words.erase(std::unique(words.begin(), words.end()), words.end());
      // Of many, some that differ.
      const std::size_t keep = std::min(words.size(), kMaxWords);
      for (std::size_t i = 0; i < keep; ++i) of_[level][r].push_back(words[i * words.size() / keep]);
    }
  }

 private:
  static constexpr std::size_t kMaxWords = 32;  // per element and length
  Graph graph_;
  std::vector<std::uint32_t> distance_;
  std::vector<NodeId> order_;                       // nearest first
  std::vector<std::vector<std::vector<Word>>> of_;  // [how much longer][element]
};

constexpr std::size_t kMostLonger = 16;
constexpr std::size_t kMostLists = 20'000;              // elements times lengths
constexpr std::uint64_t kMaxImprovement = 500'000'000;  // loads looked at: a second or so

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
    Schedule schedule = translated_schedule(problem, name, hops_, translations_of(graph_));
    if (split_) {
      expand_rings(schedule);
      sort_sends(schedule);
    }
    return schedule;
  }

 private:
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
    for (const Graph& dimension : dimensions_) words_.emplace_back(dimension);
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
        const auto& shortest = words_[i].longer(0, element);
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
      for (const Word& word : words_[choice.dimension].longer(0, choice.element)) {
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
    improve();
  }

  // Changes single words, also to longer ones, as long as that makes the loads more equal; each time the word
  // that helps most.
  void improve() {
    std::uint32_t longest = 0;
    // Types with the same element of a dimension and the same word for it are alike.
    struct Group {
      const Word* word;
      std::vector<NodeId> types;
    };
    std::vector<std::vector<std::vector<Group>>> groups(dimensions_.size());
    const auto group = [&](std::size_t i, NodeId element, const Word* word) -> std::vector<NodeId>& {
      auto& list = groups[i][element];
      for (Group& g : list) {
        if (g.word == word) return g.types;
      }
      return list.emplace_back(Group{word, {}}).types;
    };
    for (std::size_t i = 0; i < dimensions_.size(); ++i) groups[i].resize(dimensions_[i].node_count());
    for (NodeId type = 1; type < n_; ++type) {
      longest = std::max(longest, word_length(type));
      for (std::size_t i = 0; i < dimensions_.size(); ++i) {
        if (chosen_[type][i] != nullptr) group(i, coordinate(type, i), chosen_[type][i]).push_back(type);
      }
    }
    struct Change {
      std::size_t dimension = 0;
      NodeId element = 0, type = 0;
      const Word* from = nullptr;
      const Word* to = nullptr;
    };
    std::uint64_t budget = kMaxImprovement;
    Quality best = quality();
    for (;;) {
      const std::uint64_t sum = std::accumulate(load_.begin(), load_.end(), std::uint64_t{0});
      if (std::get<0>(best) <= std::max<std::uint64_t>(longest, divide_up(sum, load_.size()))) return;
      const std::uint64_t most_hops = std::max<std::uint64_t>(longest, std::get<0>(best));
      Change change;
      for (std::size_t i = 0; i < dimensions_.size(); ++i) {
        for (NodeId element = 1; element < dimensions_[i].node_count(); ++element) {
          for (const auto& [from, types] : groups[i][element]) {
            if (types.empty()) continue;
            for (std::size_t by = 0; by < words_[i].levels(); ++by) {
              for (const Word& to : words_[i].longer(by, element)) {
                if (budget < load_.size()) return;
                budget -= load_.size();
                change_load(i, *from, false);
                change_load(i, to, true);
                const Quality now = quality();
                change_load(i, to, false);
                change_load(i, *from, true);
                if (now >= best) continue;
                const std::uint32_t less = length(*from), more = length(to);
                const auto type = std::find_if(types.begin(), types.end(), [&](NodeId t) {
                  return word_length(t) - less + more <= most_hops;
                });
                if (type == types.end()) continue;
                best = now;
                change = {i, element, *type, from, &to};
              }
            }
          }
        }
      }
      if (change.to == nullptr) {
        std::size_t elements = 0;
        for (const Graph& dimension : dimensions_) elements += dimension.node_count();
        const std::size_t levels = words_[0].levels() + 1;
        if (levels > kMostLonger || levels * elements > kMostLists) return;
        for (Words& words : words_) words.add_longer();
        continue;
      }
      change_load(change.dimension, *change.from, false);
      change_load(change.dimension, *change.to, true);
      chosen_[change.type][change.dimension] = change.to;
      std::erase(group(change.dimension, change.element, change.from), change.type);
      group(change.dimension, change.element, change.to).push_back(change.type);
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
    std::vector<std::pair<std::uint32_t, PortId>> mine;
    std::vector<NodeId> been(n_, 0);        // the type whose packet has been at the node, ...
    std::vector<std::size_t> place(n_, 0);  // ... and after how many hops
    for (std::size_t e = 0; e < own;) {
      const NodeId type = edges[e].left;
      mine.clear();
      for (; e < own && edges[e].left == type; ++e) mine.emplace_back(colours[e], edges[e].right);
      std::sort(mine.begin(), mine.end());
      // A longer word may lead back to where the packet has been: it waits there instead.
      std::vector<TranslatedHop> path;
      NodeId at = 0;
      for (const auto& [colour, port] : mine) {
        if (been[at] != type) place[at] = path.size();
        been[at] = type;
        path.push_back({colour + 1, 0, at, port, type});
        at = graph_.peer(at, port).node;
        if (been[at] == type) {
          for (std::size_t i = place[at] + 1; i < path.size(); ++i) been[path[i].from] = 0;
          path.resize(place[at]);
        }
      }
      hops_.insert(hops_.end(), path.begin(), path.end());
    }
    for (std::size_t e = own; e < edges.size(); ++e)
      ring_steps_[edges[e].right - first_port_[*split_]].push_back(colours[e] + 1);
    for (auto& steps : ring_steps_) std::sort(steps.begin(), steps.end());
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
  std::vector<TranslatedHop> hops_;
  std::vector<std::uint32_t> ring_steps_[2];  // of the split dimension, by direction
};

Algorithm generator_colouring() {
  return {.name = "generator-colouring",
          .collective = CollectiveKind::kTotalExchange,
          .source = "Koenig 1916, edge colouring; beyond thesis chapter 5",
          .description =
              "all nodes alike: relative destinations and generators as a bipartite graph, colours are steps",
          .domain = "Cayley graphs of abelian groups, all-port: tori, cubes, circulants, their products",
          .why_not = [](const Problem& p) -> std::string {
            if (std::string reason = why_not_all_port(p); !reason.empty()) return reason;
            if (p.graph.node_count() > kMaxRoutedNodes)
              return fmt::format("needs a network of at most {} nodes", kMaxRoutedNodes);
            if (!is_abelian(p.graph))
              return "needs a Cayley graph whose generators commute, such as a torus or circulant";
            return why_exchange_too_large(p.graph);
          },
          .closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
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
          },
          .plan = [](const Problem& p) { return GeneratorColouring(p).plan(p, "generator-colouring"); }};
}

}  // namespace

std::vector<Algorithm> generator_colouring_algorithms() { return {generator_colouring()}; }

}  // namespace safnet
