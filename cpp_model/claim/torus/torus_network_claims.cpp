// Fragopoulou and Akl, A Framework for Optimal Communication on the Multidimensional Torus Network, TR
// 94-363: the network, its rotation and the necklaces of nodes that it makes (N1 to N9, A1). Facts on graphs,
// decided by computation.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/claim/torus/equal_sides.hpp"
#include "cpp_model/graph/topology.hpp"

namespace safnet {
namespace {

using Torus = MultidimensionalTorus;

std::size_t neighbours_of_node_0(const Graph& graph) {
  std::set<NodeId> neighbours;
  for (PortId p = 0; p < graph.degree(0); ++p) neighbours.insert(graph.peer(0, p).node);
  return neighbours.size();
}

Checks degrees_checks(bool full) {
  return {against_print("torus:2x2", 2, {kExactly, 4, "neighbours of a node"},
                        []() -> Rational { return neighbours_of_node_0(make_topology("torus:2x2")); }),
          on_each("neighbours", tori(full, 2), [](const Torus& torus) -> std::string {
            const std::uint32_t expected = torus.dimensions() * (torus.radix() == 2 ? 1 : 2);
            const Graph graph = graph_of(torus);
            const std::size_t neighbours = neighbours_of_node_0(graph);
            if (neighbours != expected) return fmt::format("{} neighbours", neighbours);
            return unless(graph.min_degree() == expected && graph.max_degree() == expected, "not regular");
          })};
}

Checks distances_checks(bool full) {
  return {on_each("by search", tori(full, 2), [](const Torus& torus) -> std::string {
    const std::vector<std::uint32_t> found = graph_of(torus).distances_from(0);
    for (NodeId v = 0; v < torus.node_count(); ++v) {
      if (found[v] != torus.distance(v)) return fmt::format("{} is {} away", torus.label_text(v), found[v]);
    }
    const std::uint32_t diameter = *std::max_element(found.begin(), found.end());
    return unless(diameter == torus.diameter(), "diameter {}", diameter);
  })};
}

// Moving both ends of a link of node v by `move` gives the ends of the link at move(v) with label
// `label_of(label)`, for every label.
template <class Move, class LabelOf>
std::string fault_of_move(const Torus& torus, NodeId v, Move move, LabelOf label_of) {
  for (std::uint32_t label = 0; label < torus.label_count(); ++label) {
    if (torus.head({move(v), label_of(label)}) != move(torus.head({v, label})))
      return fmt::format("link {} of {}", label, torus.label_text(v));
  }
  return {};
}

Checks translations_checks(bool full) {
  std::vector<Torus> list = tori(false);
  std::erase_if(list, [&](const Torus& torus) { return torus.node_count() > (full ? 256 : 81); });
  return {reproduced("the examples", {3, 4},
                     [](const Torus& torus) {
                       const NodeId s = node(torus, "132"), v = node(torus, "231");
                       return torus.label_text(torus.translate(s, v)) == "323" &&
                              torus.label_text(torus.translate_back(s, v)) == "103";
                     }),
          on_each("all links", list, [](const Torus& torus) -> std::string {
            for (NodeId s = 0; s < torus.node_count(); ++s) {
              for (NodeId v = 0; v < torus.node_count(); ++v) {
                if (torus.translate_back(s, torus.translate(s, v)) != v) return "no inverse";
                const std::string wrong = fault_of_move(
                    torus, v, [&](NodeId u) { return torus.translate(s, u); },
                    [](std::uint32_t label) { return label; });
                if (!wrong.empty()) return wrong;
              }
            }
            return {};
          })};
}

Checks rotation_checks(bool full) {
  return {reproduced("the examples", {3, 4},
                     [](const Torus& torus) {
                       return torus.label_text(torus.rotate(node(torus, "321"))) == "332" &&
                              torus.label_text(torus.rotate(node(torus, "012"))) == "201";
                     }),
          on_each("all links", tori(full), [](const Torus& torus) -> std::string {
            const std::uint32_t n = torus.dimensions(), labels = torus.label_count();
            for (std::uint32_t label = 0; label < labels; ++label) {
              const std::uint32_t i = torus.label_digit(label), next = (label + 1) % labels;
              if (torus.label_digit(next) != (i + n - 1) % n) return "wrong digit";
              if (torus.label_sign(next) != (i == 0 ? -1 : 1) * torus.label_sign(label)) return "wrong sign";
            }
            for (NodeId v = 0; v < torus.node_count(); ++v) {
              if (torus.distance(torus.rotate(v)) != torus.distance(v)) return "another distance";
              const std::string wrong = fault_of_move(
                  torus, v, [&](NodeId u) { return torus.rotate(u); },
                  [&](std::uint32_t label) { return (label + 1) % labels; });
              if (!wrong.empty()) return wrong;
            }
            return {};
          })};
}

// Digits that the rotations of the link from node 0 with label 0 change; as (digit, target value) pairs,
// which is how links without labels can be told apart.
std::size_t rotated_dimensions(const Torus& torus) {
  std::set<std::pair<std::uint32_t, std::uint32_t>> changes;
  for (std::uint32_t i = 0; i < torus.label_count(); ++i) {
    const DimensionedLink link = torus.rotate(DimensionedLink{0, 0}, i);
    const std::uint32_t digit = torus.label_digit(link.label);
    changes.emplace(digit, torus.digit(torus.head(link), digit));
  }
  return changes.size();
}

Checks rotated_links_checks(bool full) {
  return {against_print({2, 2}, "without doubled edges", 2,
                        {kExactly, 4, "dimensions of the rotations of a link"},
                        [](const Torus& torus) -> Rational { return rotated_dimensions(torus); }),
          {"the example of MT_{2,4}",
           []() -> std::string {
             const Torus torus(2, 4);
             DimensionedLink link{node(torus, "01"), torus.label_between(1, 0, 3)};
             std::string seen;
             for (int i = 0; i < 4; ++i, link = torus.rotate(link))
               seen += fmt::format("{}{}g{}{:+} ", torus.label_text(link.tail),
                                   torus.label_text(torus.head(link)), torus.label_digit(link.label),
                                   torus.label_sign(link.label));
             return seen == "0131g1-1 3033g0-1 0313g1+1 1011g0+1 " ? "" : seen;
           }},
          on_each("all different", tori(full), [](const Torus& torus) {
            return unless(rotated_dimensions(torus) == torus.label_count(), "not so");
          })};
}

Checks necklaces_checks(bool full) {
  return {reproduced("the example", {3, 4},
                     [](const Torus& torus) { return torus.period(node(torus, "131")) == 2; }),
          on_each("all necklaces", tori(full, 2), [](const Torus& torus) -> std::string {
            const std::uint32_t whole = torus.radix() == 2 ? torus.dimensions() : torus.label_count();
            for (NodeId v = 0; v < torus.node_count(); ++v) {
              NodeId u = torus.rotate(v);
              std::uint32_t size = 1;
              for (; u != v && size <= whole; ++size, u = torus.rotate(u)) {
                if (torus.distance(u) != torus.distance(v)) return "two distances";
              }
              if (whole % size != 0 || size != torus.period(v))
                return fmt::format("{} is of a necklace of {}", torus.label_text(v), size);
            }
            return {};
          })};
}

std::uint32_t negated(const Torus& torus, std::uint32_t digit) {
  return (torus.radix() - digit) % torus.radix();
}

// The digits are a block of n/m digits repeated m times, every other time negated.
bool repeats(const Torus& torus, NodeId v, std::uint32_t m) {
  const std::uint32_t block = torus.dimensions() / m;
  for (std::uint32_t i = block; i < torus.dimensions(); ++i) {
    if (torus.digit(v, i) != negated(torus, torus.digit(v, i - block))) return false;
  }
  return true;
}

// As printed: repeats(m) for some divisor m > 1 of n.
bool nonfull_as_printed(const Torus& torus, NodeId v) {
  for (std::uint32_t m = 2; m <= torus.dimensions(); ++m) {
    if (torus.dimensions() % m == 0 && repeats(torus, v, m)) return true;
  }
  return false;
}

// Corrected: repeats(m) for some odd divisor m > 1 of n, or all digits are their own negatives, 0 or k/2.
bool nonfull_as_corrected(const Torus& torus, NodeId v) {
  for (std::uint32_t m = 3; m <= torus.dimensions(); m += 2) {
    if (torus.dimensions() % m == 0 && repeats(torus, v, m)) return true;
  }
  for (std::uint32_t i = 0; i < torus.dimensions(); ++i) {
    if (torus.digit(v, i) != negated(torus, torus.digit(v, i))) return false;
  }
  return true;
}

template <class Condition>
Rational nodes_where(const Torus& torus, const Condition& condition) {
  std::uint64_t count = 0;
  for (NodeId v = 0; v < torus.node_count(); ++v) count += condition(v) ? 1 : 0;
  return count;
}

Checks nonfull_nodes_checks(bool full) {
  return {against_print({1, 4}, "2 is of a nonfull necklace", 1,
                        {kExactly, 0, "nodes other than 0 of nonfull necklaces that are not described"},
                        [](const Torus& torus) {
                          return nodes_where(torus, [&](NodeId v) {
                            return v != 0 && !torus.is_full(v) && !nonfull_as_printed(torus, v);
                          });
                        }),
          against_print({2, 3}, "12 and 21 are of a full necklace", 2,
                        {kExactly, 0, "nodes that are described, m = 2, and are of full necklaces"},
                        [](const Torus& torus) {
                          return nodes_where(torus, [&](NodeId v) {
                            return torus.is_full(v) && nonfull_as_printed(torus, v);
                          });
                        }),
          reproduced("the example 311331", {6, 4},
                     [](const Torus& torus) { return torus.period(node(torus, "311331")) == 4; }),
          on_each("exactly those", tori(full),
                  [](const Torus& torus) -> std::string {
                    for (NodeId v = 0; v < torus.node_count(); ++v) {
                      if (nonfull_as_corrected(torus, v) == torus.is_full(v)) return torus.label_text(v);
                    }
                    return {};
                  }),
          on_each("fixed nodes", tori(full, 2), [](const Torus& torus) -> std::string {
            const std::uint32_t n = torus.dimensions(), k = torus.radix();
            for (std::uint32_t d = 1; d <= 2 * n; ++d) {
              if (2 * n % d != 0) continue;
              std::uint64_t fixed = 0;
              for (NodeId v = 0; v < torus.node_count(); ++v) fixed += torus.rotate(v, d) == v ? 1 : 0;
              const std::uint64_t formula = n % d != 0 ? power(k, d / 2) : k % 2 == 0 ? power(2, d) : 1;
              if (fixed != formula) return fmt::format("R^{} leaves {} nodes", d, fixed);
            }
            return {};
          })};
}

// A table of necklaces, each from its generator on: the rows that can be read in the scan.
struct PrintedNecklaces : EqualSides {
  std::size_t necklaces;
  std::set<std::string> rows;
};

std::string check_necklace_table(const PrintedNecklaces& table) {
  const Torus torus = table.torus();
  if (torus.generators().size() != table.necklaces) return "another number";
  std::set<std::string> computed;
  for (const NodeId g : torus.generators()) {
    std::string text;
    for (const NodeId v : torus.rotations(g, torus.period(g)))
      text += (text.empty() ? "" : " ") + torus.label_text(v);
    computed.insert(text);
  }
  return first_fault(table.rows, [&](const std::string& necklace) {
    return unless(computed.contains(necklace), "no necklace {}", necklace);
  });
}

Checks necklace_tables_checks(bool) {
  return check_each(
      std::vector<PrintedNecklaces>{
          {{3, 3},
           6,
           {"000", "200 020 002 100 010 001", "220 022 102 110 011 201", "210 021 202 120 012 101",
            "222 122 112 111 211 221", "212 121"}},
          {{3, 4},
           14,
           {"000", "300 030 003 100 010 001", "330 033 103 110 011 301", "310 031 303 130 013 101",
            "200 020 002", "333 133 113 111 311 331", "320 032 203 120 012 201", "230 023 102 210 021 302",
            "231 323 132 213 121 312", "220 022 202", "223 122 212 221 322 232", "222"}}},
      [](const PrintedNecklaces& table) {
        return fmt::format("{}: {} necklaces, {} of which can be read", table.name(), table.necklaces,
                           table.rows.size());
      },
      check_necklace_table);
}

Checks generators_checks(bool full) {
  return {reproduced(
              "the generator of (230, 023, 102, 210, 021, 302) is 230", {3, 4},
              [](const Torus& torus) { return torus.generator(node(torus, "210")) == node(torus, "230"); }),
          on_each("all nodes", tori(full, 2), [](const Torus& torus) -> std::string {
            for (NodeId v = 0; v < torus.node_count(); ++v) {
              std::uint32_t highest = 0;  // nodes of the necklace that none exceeds
              for (const NodeId u : torus.rotations(v, torus.period(v))) {
                highest += torus.generator_order(u) == torus.generator_order(torus.generator(v)) ? 1 : 0;
                if (torus.generator_order(u) > torus.generator_order(torus.generator(v)))
                  return "a generator that is not the highest";
              }
              if (highest != 1) return "several generators";
              if (torus.rotate(torus.generator(v), torus.displacement(v)) != v ||
                  torus.displacement(v) >= torus.period(v))
                return "a wrong displacement";
            }
            const NodeId first = torus.with_digit(0, torus.dimensions() - 1, torus.radix() - 1);
            for (std::uint32_t i = 0; i < torus.label_count(); ++i) {
              if (torus.head({0, i}) != torus.rotate(first, i)) return "a wrong port";
            }
            return {};
          })};
}

Checks average_diameter_checks(bool full) {
  return {on_each("by search", tori(full, 2), [](const Torus& torus) -> std::string {
    const std::uint64_t n = torus.dimensions(), k = torus.radix();
    const std::uint64_t sum = graph_of(torus).status(0);
    const bool even = k % 2 == 0;
    // sum / N = nk/4, or n(k^2 - 1)/4k
    const std::uint64_t left = sum * (even ? 4 : 4 * k);
    const std::uint64_t right = torus.node_count() * (even ? n * k : n * (k * k - 1));
    return unless(left == right, "the distances sum up to {}", sum);
  })};
}

}  // namespace

std::vector<Claim> torus_network_claims() {
  return {claim("torus.N1", "TR 94-363, 2", kCorrected,
                "every node of MT_{n,k} has 2n neighbours if k >= 3; MT_{n,2} is the n-cube, whose nodes "
                "have n unless every edge is doubled",
                degrees_checks),
          claim("torus.N2", "TR 94-363, 2", kHolds,
                "the diameter is n floor(k/2), the distance of v from 0 the sum of min(v_i, k - v_i)",
                distances_checks),
          claim("torus.N3", "TR 94-363, 2, Definition 1, Lemma 1", kHolds,
                "translation keeps the dimension of every edge; T_132(231) = 323, its inverse 103",
                translations_checks),
          claim("torus.N4", "TR 94-363, 2, Definition 2, Lemma 2", kHolds,
                "rotation maps dimension g_i^j to g_{i-1}^j, or g_{n-1}^{-j} for i = 0, and keeps distances; "
                "R(321) = 332, R(012) = 201",
                rotation_checks),
          claim("torus.N5", "TR 94-363, 2, Lemma 3", kCorrected,
                "the 2n rotations of a directed edge have 2n different dimensions, for k >= 3; for k = 2 "
                "only if parallel edges are told apart",
                rotated_links_checks),
          claim("torus.N6", "TR 94-363, 2, Lemma 4", kHolds,
                "a necklace has at most 2n nodes, a divisor of 2n, all at one distance; P(131) = 2 in "
                "MT_{3,4}. (For k = 2 its size divides n: no necklace is full)",
                necklaces_checks),
          claim("torus.N7", "TR 94-363, 2, after Lemma 4", kCorrected,
                "a node is of a nonfull necklace if its digits are n/m digits repeated m times, every other "
                "time negated, for an ODD divisor m >= 3 of n, or if all its digits are 0 or k/2; by formula "
                "the nodes that R^d leaves where they are, d a divisor of 2n, are 2^d (k even) or 1 (k odd) "
                "if d divides n, otherwise k^(d/2)",
                nonfull_nodes_checks),
          claim("torus.N8", "TR 94-363, 2, Tables 2 and 3, Definition 4", kHolds,
                "MT_{3,3} has 6 necklaces and MT_{3,4} 14, those printed, with the printed generators (see "
                "`safnet table necklaces`)",
                necklace_tables_checks),
          claim("torus.N9", "TR 94-363, 2, Definitions 4 to 7", kHolds,
                "every necklace has one generator, from which its nodes are displaced by 0, 1, ... P - 1 "
                "rotations; port i of node 0 leads to R^i((k-1)0...0)",
                generators_checks),
          claim("torus.A1", "TR 94-363, 5.1, Lemma 8", kHolds,
                "the distances from a node, itself included, are nk/4 on average for k even and n(k^2 - "
                "1)/4k for k odd; so all numbers of message transmissions of Tables 1 and 5 are whole",
                average_diameter_checks)};
}

}  // namespace safnet
