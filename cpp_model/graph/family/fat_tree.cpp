#include "cpp_model/graph/family/fat_tree.hpp"

#include <algorithm>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

constexpr std::uint32_t kMaxHeight = 15;  // of a binary tree with kMaxNodes nodes

std::vector<std::uint32_t> parse_capacities(const Spelling& spelling, const std::vector<std::string>& words,
                                            std::size_t first, const std::vector<std::uint32_t>& arities) {
  if (first == words.size() || (words.size() == first + 1 && words[first] == "constant"))
    return std::vector<std::uint32_t>(arities.size(), 1);
  if (words.size() == first + 1 && words[first] == "exponential")
    return FatTree::exponential_capacities(arities);
  std::vector<std::uint32_t> capacities;
  for (std::size_t w = first; w < words.size(); ++w) {
    capacities.push_back(
        spelling.number(words[w], 1, kMaxDegree, "'constant', 'exponential' or one capacity per level,"));
  }
  if (capacities.size() != arities.size()) {
    throw bad_input(
        "{}: {} capacities; expected 'constant', 'exponential' or {}, one per "
        "level from the leaves up",
        one_line(spelling.text()), capacities.size(), arities.size());
  }
  return capacities;
}

FatTree parse_fat_tree(const Spelling& spelling) {
  const std::vector<std::string> words = split(spelling.arguments(), ',');
  std::vector<std::uint32_t> arities;
  std::size_t next = 1;
  if (words[0].find('x') != std::string::npos) {
    for (const std::string& word : split(words[0], 'x'))
      arities.push_back(spelling.number(word, 2, kMaxDegree, "an arity"));
    if (arities.size() > kMaxHeight) {
      throw bad_input("{}: {} levels; expected at most {}", one_line(spelling.text()), arities.size(),
                      kMaxHeight);
    }
  } else {
    if (words.size() < 2) {
      throw spelling.wrong(
          spelling.arguments(),
          "K,H[,CAPACITIES] such as 2,3,exponential, or K1xK2x...[,CAPACITIES] such as 4x2,1,3");
    }
    const std::uint32_t arity = spelling.number(words[0], 2, kMaxDegree, "an arity");
    arities.assign(spelling.number(words[1], 1, kMaxHeight, "a height"), arity);
    next = 2;
  }
  std::vector<std::uint32_t> capacities = parse_capacities(spelling, words, next, arities);
  try {
    return {std::move(arities), std::move(capacities)};
  } catch (const std::invalid_argument& error) {
    throw bad_input("{}: {}", one_line(spelling.text()), error.what());
  }
}

Graph build_fat_tree(const Spelling& spelling) { return fat_tree(parse_fat_tree(spelling)); }

// The root on top, every router above the middle of its leaves; the links of a branch side by side.
Layout fat_tree_layout(const Graph& graph) {
  const FatTree tree = *fat_tree_shape(graph);
  const double apart = 0.75, width = apart * tree.leaves();
  const double rise = std::max(1.15, width / (3.5 * tree.height()));
  Layout layout;
  for (NodeId v = 0; v < tree.node_count(); ++v) {
    const std::uint32_t level = tree.level_of(v);
    layout.nodes.push_back({apart * tree.leaves_below(level) * (tree.index_of(v) + 0.5), rise * level});
  }
  layout.line = [graph, tree, nodes = layout.nodes](NodeId v, PortId p) {
    const NodeId u = graph.peer(v, p).node, low = std::min(v, u);
    const std::uint32_t links = tree.capacity(tree.level_of(low) + 1);
    if (links == 1) return Line{};
    // Links of an edge have the same place in the branch at both ends.
    const std::uint32_t link = (low == v ? p : graph.peer(v, p).port) - tree.up_port(low);
    const Point along = unit_vector(nodes[tree.parent(low)] - nodes[low]);
    const double band = std::min(0.14 * (links - 1), 0.6);
    const double offset = band * (static_cast<double>(link) / (links - 1) - 0.5);
    return Line{.kind = Line::Kind::kBow,
                .bow = offset * Point{-along.y, along.x},
                .label = link == 0 ? fmt::format("{}", links) : ""};
  };
  return layout;
}

}  // namespace

FatTree::FatTree(std::vector<std::uint32_t> arities, std::vector<std::uint32_t> capacities)
    : arities_(std::move(arities)), capacities_(std::move(capacities)) {
  if (arities_.empty() || arities_.size() > kMaxHeight || capacities_.size() != arities_.size()) {
    throw bad_input("fat tree: {} arities and {} capacities; expected as many, 1 to {}", arities_.size(),
                    capacities_.size(), kMaxHeight);
  }
  below_.push_back(1);
  for (std::uint32_t i = 1; i <= height(); ++i) {
    if (arity(i) < 2) throw bad_input("fat tree: arity {} of level {}; expected at least 2", arity(i), i);
    if (capacity(i) < 1) throw bad_input("fat tree: capacity 0 of level {}; expected at least 1", i);
    const std::uint64_t ports =
        std::uint64_t{arity(i)} * capacity(i) + (i < height() ? std::uint64_t{capacity(i + 1)} : 0);
    if (ports > kMaxDegree) {
      throw bad_input(
          "fat tree: a node of level {} would have {} ports ({} children x {} links{}); expected at "
          "most {}",
          i, ports, arity(i), capacity(i),
          i < height() ? fmt::format(", {} to its parent", capacity(i + 1)) : "", kMaxDegree);
    }
    const std::uint64_t leaves = std::uint64_t{below_.back()} * arity(i);
    if (leaves >= kMaxNodes)
      throw bad_input("fat tree: {} leaves or more; expected fewer than {}", leaves, kMaxNodes);
    below_.push_back(static_cast<std::uint32_t>(leaves));
  }
  std::uint64_t nodes = 0;
  for (std::uint32_t i = 0; i <= height(); ++i) {
    first_.push_back(static_cast<NodeId>(nodes));
    nodes += nodes_of(i);
  }
  if (nodes > kMaxNodes) throw bad_input("fat tree: {} nodes; expected at most {}", nodes, kMaxNodes);
}

FatTree FatTree::uniform(std::uint32_t arity, std::uint32_t height) {
  return {std::vector<std::uint32_t>(height, arity), std::vector<std::uint32_t>(height, 1)};
}

std::vector<std::uint32_t> FatTree::exponential_capacities(const std::vector<std::uint32_t>& arities) {
  std::vector<std::uint32_t> capacities;
  std::uint64_t leaves = 1;
  for (const std::uint32_t arity : arities) {
    // Capped against overflow: FatTree refuses whatever is above kMaxDegree.
    capacities.push_back(static_cast<std::uint32_t>(std::min<std::uint64_t>(leaves, kMaxNodes)));
    leaves = std::min<std::uint64_t>(leaves * arity, kMaxNodes);
  }
  return capacities;
}

std::uint64_t FatTree::usable_capacity(std::uint32_t level) const {
  std::uint64_t usable = capacity(1);
  for (std::uint32_t i = 2; i <= level; ++i)
    usable = std::min<std::uint64_t>(capacity(i), arity(i - 1) * usable);
  return usable;
}

bool FatTree::has_constant_capacities() const {
  return std::ranges::all_of(capacities_, [](std::uint32_t c) { return c == 1; });
}

bool FatTree::has_exponential_capacities() const { return capacities_ == exponential_capacities(arities_); }

bool FatTree::is_uniform() const {
  return std::ranges::all_of(arities_, [this](std::uint32_t k) { return k == arities_.front(); });
}

std::uint32_t FatTree::level_of(NodeId node) const {
  const auto after = std::ranges::upper_bound(first_, node);
  return static_cast<std::uint32_t>(after - first_.begin()) - 1;
}

NodeId FatTree::parent(NodeId v) const {
  const std::uint32_t level = level_of(v);
  return node(level + 1, (v - first_[level]) / arity(level + 1));
}

NodeId FatTree::child(NodeId v, std::uint32_t number) const {
  const std::uint32_t level = level_of(v);
  return node(level - 1, (v - first_[level]) * arity(level) + number);
}

std::uint32_t FatTree::child_number(NodeId v) const {
  const std::uint32_t level = level_of(v);
  return (v - first_[level]) % arity(level + 1);
}

std::uint32_t FatTree::turning_level(NodeId leaf, NodeId other) const {
  std::uint32_t level = 0;
  while (leaf / leaves_below(level) != other / leaves_below(level)) ++level;
  return level;
}

PortId FatTree::up_port(NodeId node) const {
  const std::uint32_t level = level_of(node);
  return level == 0 ? 0 : arity(level) * capacity(level);
}

std::string FatTree::spelling() const {
  const std::string arities = is_uniform() ? fmt::format("{},{}", arities_.front(), height())
                                           : fmt::format("{}", fmt::join(arities_, "x"));
  const std::string capacities = has_constant_capacities() ? ""
                                 : has_exponential_capacities()
                                     ? ",exponential"
                                     : fmt::format(",{}", fmt::join(capacities_, ","));
  return "fat-tree:" + arities + capacities;
}

Graph fat_tree(const FatTree& shape) {
  std::vector<std::vector<Endpoint>> ports(shape.node_count());
  for (NodeId v = 0; v < shape.node_count(); ++v) {
    const std::uint32_t level = shape.level_of(v);
    for (std::uint32_t c = 0; level > 0 && c < shape.arity(level); ++c) {
      const NodeId child = shape.child(v, c);
      for (std::uint32_t link = 0; link < shape.capacity(level); ++link)
        ports[v].push_back({child, shape.up_port(child) + link});
    }
    for (std::uint32_t link = 0; level < shape.height() && link < shape.capacity(level + 1); ++link)
      ports[v].push_back({shape.parent(v), shape.down_port(level + 1, shape.child_number(v)) + link});
  }
  DistanceFormulas formulas;
  formulas.degree = [shape](NodeId v) {
    const std::uint32_t level = shape.level_of(v);
    return (level > 0 ? shape.arity(level) * shape.capacity(level) : 0) +
           (level < shape.height() ? shape.capacity(level + 1) : 0);
  };
  formulas.eccentricity = [shape](NodeId v) { return 2 * shape.height() - shape.level_of(v); };
  formulas.diameter = 2 * shape.height();
  formulas.source = "levels of the tree, thesis 6.1";
  return Graph(shape.spelling(), std::move(ports))
      .with_formulas(std::move(formulas))
      .with_routers_from(shape.leaves())
      .with_node_names([shape](NodeId v) {
        const std::uint32_t level = shape.level_of(v);
        return level == 0 ? fmt::format("leaf_{}", v) : fmt::format("router_{}_{}", level, shape.index_of(v));
      });
}

std::optional<FatTree> fat_tree_shape(const Graph& graph) {
  constexpr std::string_view kPrefix = "fat-tree:";
  if (!graph.spelling().starts_with(kPrefix)) return std::nullopt;
  return parse_fat_tree(Spelling(graph.spelling(), graph.spelling().substr(kPrefix.size())));
}

std::vector<TopologyFamily> fat_tree_families() {
  return {{"fat-tree", ":K,H[,CAPACITIES]", "fat-tree:2,3,exponential",
           "complete tree whose leaves process and whose inner nodes only route; the branch below level i is "
           "c_i links: constant (1), exponential (as many links per level as leaves) or C1,C2,...; K1xK2x... "
           "for arities by level",
           build_fat_tree, fat_tree_layout}};
}

}  // namespace safnet
