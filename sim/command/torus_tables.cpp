// torus_tables - tables of Fragopoulou and Akl, TR 94-363.
#include <fmt/format.h>

#include <algorithm>

#include "cpp_model/algorithm/torus/torus_subtrees.hpp"
#include "cpp_model/claim/torus/printed_subtree_table.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/number/rational.hpp"
#include "sim/command/tables.hpp"
#include "sim/machine/limits.hpp"

namespace safnet {
namespace {

// Largest n and k of a row of the table of subtrees, whose numbers then have at most 160 digits.
constexpr std::uint32_t kMaxTableDimensions = 32, kMaxTableRadix = 65536;

std::string labels(const MultidimensionalTorus& torus, const std::vector<NodeId>& nodes) {
  std::string text;
  for (const NodeId v : nodes) text += (text.empty() ? "" : " ") + torus.label_text(v);
  return text;
}

struct Size {
  std::uint32_t n, k;
};

Size parse_torus_size(const std::string& word) {
  const std::vector<std::string> parts = split(word, ',');
  if (parts.size() == 2) {
    const std::optional<std::uint64_t> n = parse_decimal(parts[0]), k = parse_decimal(parts[1]);
    if (n && k && *n >= 1 && *n <= kMaxTableDimensions && *k >= 2 && *k <= kMaxTableRadix)
      return {static_cast<std::uint32_t>(*n), static_cast<std::uint32_t>(*k)};
  }
  throw bad_input(
      "table subtrees {}: expected N,K such as 4,3, N dimensions from 1 to {} of K nodes from 2 to {}",
      in_quotes(word), kMaxTableDimensions, kMaxTableRadix);
}

// What the paper prints otherwise; and the sizes of the subtrees by Definition 8, if they are not those that
// the formula gives.
std::string note_on(const Size& size, const NecklaceCounts& counts) {
  std::string note;
  for (const PrintedSubtreeRow& row : printed_subtree_table()) {
    if (row.n != size.n || row.k != size.k) continue;
    const std::string wrong = misprints(row);
    if (!wrong.empty()) note = "printed: " + wrong;
  }
  if (size.k % 2 == 1 || counts.nodes > kMaxNodes || 2 * size.n > kMaxDegree) return note;
  const MultidimensionalTorus torus(size.n, size.k);
  std::vector<std::uint32_t> nodes(torus.label_count());
  const std::vector<std::uint32_t> subtree = bst_subtree_of(torus, ParentRule::kCorrected);
  for (NodeId v = 1; v < torus.node_count(); ++v) ++nodes[subtree[v]];
  const auto [low, high] = std::minmax_element(nodes.begin(), nodes.end());
  if (*low == counts.smallest && *high == counts.largest) return note;
  return fmt::format("{}{}without the repair {} to {}", note, note.empty() ? "" : "; ", *low, *high);
}

int necklaces(const TableWords& options) {
  const std::vector<std::string> words =
      options.of.empty() ? std::vector<std::string>{"torus:3x3x3", "torus:4x4x4"} : options.of;
  Table table{{"network", "distance", "period", "generator", "necklace", "unfolded"}};
  for (const std::string& word : words) {
    const Graph graph = make_topology(word);
    const auto torus = MultidimensionalTorus::of(graph);
    if (!torus) {
      throw bad_input(
          "table necklaces {}: expected a torus of equal sides of 3 or more, or a doubled cube, "
          "such as torus:3x3x3",
          in_quotes(word));
    }
    for (const NodeId generator : torus->generators()) {
      const std::uint32_t period = torus->period(generator);
      table.add(graph.spelling(), torus->distance(generator), period, torus->label_text(generator),
                labels(*torus, torus->rotations(generator, period)),
                labels(*torus, torus->rotations(generator, torus->label_count())));
    }
  }
  print_table(table, options.csv);
  return 0;
}

int subtrees(const TableWords& options) {
  std::vector<Size> sizes;
  for (const std::string& word : options.of) sizes.push_back(parse_torus_size(word));
  if (sizes.empty()) {
    for (const PrintedSubtreeRow& row : printed_subtree_table()) sizes.push_back({row.n, row.k});
  }
  Table table{{"n", "k", "nodes", "nonfull", "necklaces", "smallest", "largest", "mean", "decimal mean",
               "ratio", "decimal ratio", "note"}};
  for (const Size& size : sizes) {
    const NecklaceCounts counts = necklace_counts(size.n, size.k);
    const NecklaceCounts::Integer others = counts.nodes - 1, all_largest = 2 * size.n * counts.largest;
    table.add(size.n, size.k, counts.nodes.str(), counts.nonfull.str(), counts.necklaces.str(),
              counts.smallest.str(), counts.largest.str(), Rational(others, 2 * size.n).str(),
              rounded_to_hundredths(others, 2 * size.n), Rational(all_largest, others).str(),
              rounded_to_hundredths(all_largest, others), note_on(size, counts));
  }
  print_table(table, options.csv);
  return 0;
}

}  // namespace

Action declare_necklaces(CLI::App&, std::shared_ptr<const TableWords> words) {
  return [words] { return necklaces(*words); };
}

Action declare_subtrees(CLI::App&, std::shared_ptr<const TableWords> words) {
  return [words] { return subtrees(*words); };
}

}  // namespace safnet
