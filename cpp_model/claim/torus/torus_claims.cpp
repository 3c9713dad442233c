// Fragopoulou and Akl, A Framework for Optimal Communication on the Multidimensional Torus Network, TR
// 94-363: the network and its necklaces (N1 to N9, A1) and the spanning tree and graph (T1 to T8). Facts on
// graphs, decided by computation.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>

#include "cpp_model/algorithm/torus/torus_subtrees.hpp"
#include "cpp_model/bound/exact.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/claim/torus/printed_subtree_table.hpp"
#include "cpp_model/graph/topology.hpp"

namespace safnet {
namespace {

using Torus = MultidimensionalTorus;

// MT_{n,k} with n <= 5 and k from 3 (or 2) to 8: 300 nodes, in full 4096.
std::vector<Torus> tori(bool full, std::uint32_t smallest_k = 3) {
  std::vector<Torus> list;
  for (std::uint32_t n = 1; n <= 5; ++n) {
    for (std::uint32_t k = smallest_k; k <= 8; ++k) {
      if (necklace_counts(n, k).nodes <= (full ? 4096 : 300)) list.emplace_back(n, k);
    }
  }
  return list;
}
constexpr const char* kToriInWords = "n <= 5, k from 3 to 8, to 300 nodes; full: to 4096";

std::string name_of(const Torus& torus) {
  return fmt::format("MT_{{{},{}}}", torus.dimensions(), torus.radix());
}

// "torus:4x4", also of sides 2, where it is the hypercube.
Graph graph_of(const Torus& torus) {
  return make_topology(
      fmt::format("torus:{}", fmt::join(std::vector<std::uint32_t>(torus.dimensions(), torus.radix()), "x")));
}

NodeId node(const Torus& torus, const std::string& digits) {
  NodeId v = 0;
  for (const char c : digits) v = v * torus.radix() + static_cast<NodeId>(c - '0');
  return v;
}

// A check on every torus of a list; the name of the first that fails, and why.
ClaimCheck on_each(const std::string& name, std::vector<Torus> list,
                   std::function<std::string(const Torus&)> check) {
  return {fmt::format("{}, {} tori", name, list.size()),
          [list = std::move(list), check = std::move(check)]() -> std::string {
            for (const Torus& torus : list) {
              const std::string wrong = check(torus);
              if (!wrong.empty()) return name_of(torus) + ": " + wrong;
            }
            return {};
          }};
}

// A single fact that contradicts the print.
ClaimCheck against_print(const std::string& name, const std::string& printed, std::function<bool()> holds) {
  return {name, [holds = std::move(holds)] { return holds() ? "" : "is not so"; }, printed};
}

Claim facts(const std::string& id, const std::string& section, const std::string& statement, Finding finding,
            const std::string& sizes, std::function<std::vector<ClaimCheck>(bool)> checks) {
  Claim claim{id, section, statement, finding, sizes};
  claim.checks = std::move(checks);
  return claim;
}

std::size_t neighbours_of_node_0(const Graph& graph) {
  std::set<NodeId> neighbours;
  for (PortId p = 0; p < graph.degree(0); ++p) neighbours.insert(graph.peer(0, p).node);
  return neighbours.size();
}

Claim degrees() {
  return facts(
      "torus.N1", "TR 94-363, 2",
      "every node of MT_{n,k} has 2n neighbours if k >= 3; MT_{n,2} is the n-cube, whose nodes have n unless "
      "every edge is doubled",
      Finding::kCorrected, std::string("also k = 2; ") + kToriInWords, [](bool full) {
        return std::vector<ClaimCheck>{
            against_print("torus:2x2: 2 neighbours", "4",
                          [] { return neighbours_of_node_0(make_topology("torus:2x2")) == 2; }),
            on_each("neighbours", tori(full, 2), [](const Torus& torus) -> std::string {
              const std::uint32_t expected = torus.dimensions() * (torus.radix() == 2 ? 1 : 2);
              const Graph graph = graph_of(torus);
              const std::size_t neighbours = neighbours_of_node_0(graph);
              if (neighbours != expected) return fmt::format("{} neighbours", neighbours);
              return graph.min_degree() == expected && graph.max_degree() == expected ? "" : "not regular";
            })};
      });
}

Claim distances() {
  return facts("torus.N2", "TR 94-363, 2",
               "the diameter is n floor(k/2), the distance of v from 0 the sum of min(v_i, k - v_i)",
               Finding::kHolds, std::string("also k = 2; ") + kToriInWords, [](bool full) {
                 return std::vector<ClaimCheck>{
                     on_each("by search", tori(full, 2), [](const Torus& torus) -> std::string {
                       const std::vector<std::uint32_t> found = graph_of(torus).distances_from(0);
                       for (NodeId v = 0; v < torus.node_count(); ++v) {
                         if (found[v] != torus.distance(v))
                           return fmt::format("{} is {} away", torus.label_text(v), found[v]);
                       }
                       const std::uint32_t diameter = *std::max_element(found.begin(), found.end());
                       return diameter == torus.diameter() ? "" : fmt::format("diameter {}", diameter);
                     })};
               });
}

// Both ends of every link of node v, moved by `move`, are the ends of a link with the label `label_of`.
template <class Move, class LabelOf>
std::string fault_of_move(const Torus& torus, NodeId v, Move move, LabelOf label_of) {
  for (std::uint32_t label = 0; label < torus.label_count(); ++label) {
    if (torus.head({move(v), label_of(label)}) != move(torus.head({v, label})))
      return fmt::format("link {} of {}", label, torus.label_text(v));
  }
  return {};
}

Claim translations() {
  return facts(
      "torus.N3", "TR 94-363, 2, Definition 1, Lemma 1",
      "translation keeps the dimension of every edge; T_132(231) = 323, its inverse 103", Finding::kHolds,
      "all nodes, links and translations of tori to 81 nodes; full: to 256", [](bool full) {
        std::vector<Torus> list;
        for (const Torus& torus : tori(false)) {
          if (torus.node_count() <= (full ? 256 : 81)) list.push_back(torus);
        }
        return std::vector<ClaimCheck>{{"the examples",
                                        []() -> std::string {
                                          const Torus torus(3, 4);
                                          const NodeId s = node(torus, "132"), v = node(torus, "231");
                                          return torus.label_text(torus.translate(s, v)) == "323" &&
                                                         torus.label_text(torus.translate_back(s, v)) == "103"
                                                     ? ""
                                                     : "not reproduced";
                                        }},
                                       on_each("all links", list, [](const Torus& torus) -> std::string {
                                         for (NodeId s = 0; s < torus.node_count(); ++s) {
                                           for (NodeId v = 0; v < torus.node_count(); ++v) {
                                             if (torus.translate_back(s, torus.translate(s, v)) != v)
                                               return "no inverse";
                                             const std::string wrong = fault_of_move(
                                                 torus, v, [&](NodeId u) { return torus.translate(s, u); },
                                                 [](std::uint32_t label) { return label; });
                                             if (!wrong.empty()) return wrong;
                                           }
                                         }
                                         return {};
                                       })};
      });
}

Claim rotation() {
  return facts(
      "torus.N4", "TR 94-363, 2, Definition 2, Lemma 2",
      "rotation maps dimension g_i^j to g_{i-1}^j, or g_{n-1}^{-j} for i = 0, and keeps distances; R(321) = "
      "332, R(012) = 201",
      Finding::kHolds, kToriInWords, [](bool full) {
        return std::vector<ClaimCheck>{
            {"the examples",
             []() -> std::string {
               const Torus torus(3, 4);
               return torus.label_text(torus.rotate(node(torus, "321"))) == "332" &&
                              torus.label_text(torus.rotate(node(torus, "012"))) == "201"
                          ? ""
                          : "not reproduced";
             }},
            on_each("all links", tori(full), [](const Torus& torus) -> std::string {
              const std::uint32_t n = torus.dimensions(), labels = torus.label_count();
              for (std::uint32_t label = 0; label < labels; ++label) {
                const std::uint32_t i = torus.label_digit(label), next = (label + 1) % labels;
                if (torus.label_digit(next) != (i + n - 1) % n) return "wrong digit";
                if (torus.label_sign(next) != (i == 0 ? -1 : 1) * torus.label_sign(label))
                  return "wrong sign";
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
      });
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

Claim rotated_links() {
  return facts(
      "torus.N5", "TR 94-363, 2, Lemma 3",
      "the 2n rotations of a directed edge have 2n different dimensions, for k >= 3; for k = 2 only if "
      "parallel edges are told apart",
      Finding::kCorrected, std::string("also k = 2; ") + kToriInWords, [](bool full) {
        return std::vector<ClaimCheck>{
            against_print("MT_{2,2}: 2 dimensions without doubled edges", "4",
                          [] { return rotated_dimensions(Torus(2, 2)) == 2; }),
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
              return rotated_dimensions(torus) == torus.label_count() ? "" : "not so";
            })};
      });
}

Claim necklaces() {
  return facts(
      "torus.N6", "TR 94-363, 2, Lemma 4",
      "a necklace has at most 2n nodes, a divisor of 2n, all at one distance; P(131) = 2 in MT_{3,4}. (For k "
      "= 2 its size divides n: no necklace is full)",
      Finding::kHolds, std::string("also k = 2; ") + kToriInWords, [](bool full) {
        return std::vector<ClaimCheck>{
            {"the example",
             [] {
               const Torus torus(3, 4);
               return torus.period(node(torus, "131")) == 2 ? "" : "not reproduced";
             }},
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
      });
}

std::uint32_t negated(const Torus& torus, std::uint32_t digit) {
  return (torus.radix() - digit) % torus.radix();
}

// A substring of n/m digits repeated m times, every other one negated.
bool repeats(const Torus& torus, NodeId v, std::uint32_t m) {
  const std::uint32_t block = torus.dimensions() / m;
  for (std::uint32_t i = block; i < torus.dimensions(); ++i) {
    if (torus.digit(v, i) != negated(torus, torus.digit(v, i - block))) return false;
  }
  return true;
}
// As printed: for some divisor m of n other than 1.
bool nonfull_as_printed(const Torus& torus, NodeId v) {
  for (std::uint32_t m = 2; m <= torus.dimensions(); ++m) {
    if (torus.dimensions() % m == 0 && repeats(torus, v, m)) return true;
  }
  return false;
}
// m odd; or all digits their own negatives, 0 or k/2.
bool nonfull_as_corrected(const Torus& torus, NodeId v) {
  for (std::uint32_t m = 3; m <= torus.dimensions(); m += 2) {
    if (torus.dimensions() % m == 0 && repeats(torus, v, m)) return true;
  }
  for (std::uint32_t i = 0; i < torus.dimensions(); ++i) {
    if (torus.digit(v, i) != negated(torus, torus.digit(v, i))) return false;
  }
  return true;
}

Claim nonfull_nodes() {
  return facts(
      "torus.N7", "TR 94-363, 2, after Lemma 4",
      "a node is of a nonfull necklace if its digits are n/m digits repeated m times, every other time "
      "negated, for an ODD divisor m >= 3 of n, or if all its digits are 0 or k/2; by formula the nodes that "
      "R^d leaves where they are, d a divisor of 2n, are 2^d (k even) or 1 (k odd) if d divides n, otherwise "
      "k^(d/2)",
      Finding::kCorrected, kToriInWords, [](bool full) {
        const auto described = [](const Torus& torus, const char* digits) {
          return nonfull_as_printed(torus, node(torus, digits));
        };
        return std::vector<ClaimCheck>{
            against_print("MT_{1,4}: 2 is of a nonfull necklace", "not one of those described",
                          [=] {
                            const Torus torus(1, 4);
                            return !torus.is_full(node(torus, "2")) && !described(torus, "2");
                          }),
            against_print("MT_{2,3}: 12 is of a full necklace", "one of those described, m = 2",
                          [=] {
                            const Torus torus(2, 3);
                            return torus.is_full(node(torus, "12")) && described(torus, "12");
                          }),
            {"the example 311331 of MT_{6,4}",
             [] {
               const Torus torus(6, 4);
               return torus.period(node(torus, "311331")) == 4 ? "" : "not reproduced";
             }},
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
                std::uint64_t fixed = 0, formula = n % d != 0 || k % 2 == 0 ? 1 : 0;
                for (NodeId v = 0; v < torus.node_count(); ++v) fixed += torus.rotate(v, d) == v ? 1 : 0;
                if (n % d != 0) {
                  for (std::uint32_t i = 0; i < d / 2; ++i) formula *= k;
                } else {
                  formula = k % 2 == 0 ? std::uint64_t{1} << d : 1;
                }
                if (fixed != formula) return fmt::format("R^{} leaves {} nodes", d, fixed);
              }
              return {};
            })};
      });
}

// Each necklace from its generator on, as printed where the tables can be read.
std::string check_necklace_table(const Torus& torus, const std::set<std::string>& printed) {
  std::set<std::string> computed;
  for (const NodeId g : torus.generators()) {
    std::string text;
    for (const NodeId v : torus.rotations(g, torus.period(g)))
      text += (text.empty() ? "" : " ") + torus.label_text(v);
    computed.insert(text);
  }
  for (const std::string& necklace : printed) {
    if (!computed.contains(necklace)) return "no necklace " + necklace;
  }
  return {};
}

Claim necklace_tables() {
  return facts(
      "torus.N8", "TR 94-363, 2, Tables 2 and 3, Definition 4",
      "MT_{3,3} has 6 necklaces and MT_{3,4} 14, those printed, with the printed generators (see `safnet "
      "table necklaces`)",
      Finding::kHolds, "6 and 12 rows; 2 of MT_{3,4} cannot be read in the scan", [](bool) {
        return std::vector<ClaimCheck>{
            {"MT_{3,3}",
             []() -> std::string {
               const Torus torus(3, 3);
               if (torus.generators().size() != 6) return "another number";
               return check_necklace_table(torus,
                                           {"000", "200 020 002 100 010 001", "220 022 102 110 011 201",
                                            "210 021 202 120 012 101", "222 122 112 111 211 221", "212 121"});
             }},
            {"MT_{3,4}", []() -> std::string {
               const Torus torus(3, 4);
               if (torus.generators().size() != 14) return "another number";
               return check_necklace_table(
                   torus, {"000", "300 030 003 100 010 001", "330 033 103 110 011 301",
                           "310 031 303 130 013 101", "200 020 002", "333 133 113 111 311 331",
                           "320 032 203 120 012 201", "230 023 102 210 021 302", "231 323 132 213 121 312",
                           "220 022 202", "223 122 212 221 322 232", "222"});
             }}};
      });
}

Claim generators() {
  return facts(
      "torus.N9", "TR 94-363, 2, Definitions 4 to 7",
      "every necklace has one generator, from which its nodes are displaced by 0, 1, ... P - 1 rotations; "
      "port "
      "i of node 0 leads to R^i((k-1)0...0)",
      Finding::kHolds, std::string("also k = 2; ") + kToriInWords, [](bool full) {
        return std::vector<ClaimCheck>{
            {"the generator of (230, 023, 102, 210, 021, 302) is 230",
             [] {
               const Torus torus(3, 4);
               return torus.generator(node(torus, "210")) == node(torus, "230") ? "" : "not reproduced";
             }},
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
      });
}

Claim average_diameter() {
  return facts("torus.A1", "TR 94-363, 5.1, Lemma 8",
               "the distances from a node, itself included, are nk/4 on average for k even and n(k^2 - 1)/4k "
               "for k odd; so all numbers of message transmissions of Tables 1 and 5 are whole",
               Finding::kHolds, std::string("also k = 2; ") + kToriInWords, [](bool full) {
                 return std::vector<ClaimCheck>{
                     on_each("by search", tori(full, 2), [](const Torus& torus) -> std::string {
                       const std::uint64_t n = torus.dimensions(), k = torus.radix();
                       const std::uint64_t sum = graph_of(torus).status(0);
                       const bool even = k % 2 == 0;
                       // sum / N = nk/4, or n(k^2 - 1)/4k
                       const std::uint64_t left = sum * (even ? 4 : 4 * k);
                       const std::uint64_t right = torus.node_count() * (even ? n * k : n * (k * k - 1));
                       return left == right ? "" : fmt::format("the distances sum up to {}", sum);
                     })};
               });
}

// Generators whose parent is no generator.
std::vector<NodeId> strange_parents(const Torus& torus, ParentRule rule) {
  std::vector<NodeId> list;
  for (const NodeId g : torus.generators()) {
    if (g != 0 && torus.displacement(link_into(torus, g, rule).tail) != 0) list.push_back(g);
  }
  return list;
}

// Necklaces of n bits under shifts: orbits of the doubled cube of n dimensions.
std::uint64_t binary_necklaces(std::uint32_t n) {
  return necklace_counts(n, 2).necklaces.convert_to<std::uint64_t>();
}

Claim parent_rule() {
  return facts(
      "torus.T1", "TR 94-363, 3 and 4, Definitions 8 and 9",
      "v_p^- = v_p - 1 if v_p < k/2, otherwise (v_p + 1) mod k. The print has v_p <= floor(k/2) (with k for "
      "v_p): then the parent of a displacement-0 node need not be one, if k is even",
      Finding::kCorrected, kToriInWords, [](bool full) {
        return std::vector<ClaimCheck>{
            against_print("MT_{1,4}: the parent of 2 is 3, the generator of its necklace", "1",
                          [] {
                            const Torus torus(1, 4);
                            return link_into(torus, 2, ParentRule::kAsPrinted).tail == 1 &&
                                   torus.displacement(1) == 1 &&
                                   link_into(torus, 2, ParentRule::kCorrected).tail == 3 &&
                                   torus.displacement(3) == 0;
                          }),
            against_print("MT_{3,4}: the parent of 200 is 300", "100",
                          [] {
                            const Torus torus(3, 4);
                            const NodeId v = node(torus, "200");
                            return link_into(torus, v, ParentRule::kAsPrinted).tail == node(torus, "100") &&
                                   link_into(torus, v, ParentRule::kCorrected).tail == node(torus, "300");
                          }),
            on_each(
                "corrected: none; as printed, k even: as many generators as binary necklaces of n digits, "
                "less one",
                tori(full), [](const Torus& torus) -> std::string {
                  if (!strange_parents(torus, ParentRule::kCorrected).empty()) return "corrected";
                  const std::size_t printed = strange_parents(torus, ParentRule::kAsPrinted).size();
                  const std::uint64_t expected =
                      torus.radix() % 2 == 0 ? binary_necklaces(torus.dimensions()) - 1 : 0;
                  return printed == expected ? "" : fmt::format("as printed {}", printed);
                })};
      });
}

// Every node has a parent one hop nearer to node 0.
std::string fault_of_tree(const Torus& torus, ParentRule rule) {
  const std::vector<DimensionedLink> links = bst_links(torus, rule);
  for (NodeId v = 1; v < torus.node_count(); ++v) {
    if (torus.head(links[v]) != v || torus.distance(links[v].tail) + 1 != torus.distance(v))
      return torus.label_text(v);
  }
  return {};
}

Claim shortest_paths() {
  return facts(
      "torus.T2", "TR 94-363, 3, Lemma 6.1",
      "the parent of a displacement-0 node has displacement 0, with the rule of T1, and is one hop nearer; "
      "the "
      "BST is a spanning tree of shortest paths",
      Finding::kCorrected, kToriInWords, [](bool full) {
        return std::vector<ClaimCheck>{
            against_print("MT_{1,4}: the parent of 2 by the printed rule has displacement 1", "0",
                          [] {
                            const Torus torus(1, 4);
                            return torus.displacement(link_into(torus, 2, ParentRule::kAsPrinted).tail) == 1;
                          }),
            on_each("shortest paths by every rule", tori(full), [](const Torus& torus) -> std::string {
              for (const ParentRule rule :
                   {ParentRule::kAsPrinted, ParentRule::kCorrected, ParentRule::kRepaired}) {
                const std::string wrong = fault_of_tree(torus, rule);
                if (!wrong.empty()) return wrong;
              }
              return strange_parents(torus, ParentRule::kRepaired).empty() ? ""
                                                                           : "a parent that is displaced";
            })};
      });
}

// Generators of nonfull necklaces, other than 0, that have children in subtree 0.
std::set<NodeId> nonfull_inner(const Torus& torus, ParentRule rule) {
  std::set<NodeId> inner;
  for (const NodeId g : torus.generators()) {
    if (g == 0) continue;
    const NodeId parent = link_into(torus, g, rule).tail;
    // A child as nonfull as its parent is in as few subtrees.
    if (parent != 0 && !torus.is_full(parent) && torus.period(parent) < torus.period(g)) inner.insert(parent);
  }
  return inner;
}

Claim nonfull_leaves() {
  return facts(
      "torus.T3", "TR 94-363, 3, Lemma 6.1",
      "nodes of nonfull necklaces are leaves of subtree 0, for k odd; for k even the parent of a node may be "
      "one, so that subtree i is not connected, unless such a node takes the parent that its next higher "
      "nonzero digit gives",
      Finding::kCorrected, kToriInWords, [](bool full) {
        return std::vector<ClaimCheck>{
            against_print("MT_{2,4}: 23 hangs under 20, which is of a nonfull necklace", "20 is a leaf",
                          [] {
                            const Torus torus(2, 4);
                            const NodeId parent =
                                link_into(torus, node(torus, "23"), ParentRule::kCorrected).tail;
                            return parent == node(torus, "20") && !torus.is_full(parent);
                          }),
            against_print("MT_{2,4}: the parent of 21, of displacement 2, is 20, of displacement 0",
                          "a node of displacement 2",
                          [] {
                            const Torus torus(2, 4);
                            const NodeId v = node(torus, "21");
                            const NodeId parent = bst_links(torus, ParentRule::kCorrected)[v].tail;
                            return torus.displacement(v) == 2 && parent == node(torus, "20") &&
                                   torus.displacement(parent) == 0;
                          }),
            on_each("inner nodes of nonfull necklaces: some if k is even and n > 1", tori(full),
                    [](const Torus& torus) -> std::string {
                      const bool expected = torus.radix() % 2 == 0 && torus.dimensions() > 1;
                      if (nonfull_inner(torus, ParentRule::kCorrected).empty() == expected) return "not so";
                      return nonfull_inner(torus, ParentRule::kRepaired).empty() ? ""
                                                                                 : "repaired, and some left";
                    })};
      });
}

std::uint32_t strays(const Torus& torus, ParentRule rule) {
  const std::vector<std::uint32_t> subtree = bst_subtree_of(torus, rule);
  std::uint32_t count = 0;
  for (NodeId v = 1; v < torus.node_count(); ++v) count += subtree[v] != torus.displacement(v) ? 1 : 0;
  return count;
}

Claim subtrees_are_displacements() {
  return facts(
      "torus.T4", "TR 94-363, 3",
      "subtree i of the BST holds exactly the nodes of displacement i, if k is odd or with the repair "
      "of T3",
      Finding::kCorrected, kToriInWords, [](bool full) {
        return std::vector<ClaimCheck>{
            against_print("MT_{2,4}: 2 nodes are in another subtree", "none",
                          [] { return strays(Torus(2, 4), ParentRule::kCorrected) == 2; }),
            against_print("MT_{3,4}: 12", "none",
                          [] { return strays(Torus(3, 4), ParentRule::kCorrected) == 12; }),
            on_each("repaired: none; without: some if k is even and n > 1", tori(full),
                    [](const Torus& torus) -> std::string {
                      if (strays(torus, ParentRule::kRepaired) != 0) return "repaired";
                      const bool some = torus.radix() % 2 == 0 && torus.dimensions() > 1;
                      return (strays(torus, ParentRule::kCorrected) > 0) == some ? "" : "not so";
                    })};
      });
}

// Sizes of the root's subtrees by label, or of the displacements.
std::vector<std::uint64_t> subtree_sizes(const Torus& torus, ParentRule rule) {
  std::vector<std::uint64_t> sizes(torus.label_count(), 0);
  const std::vector<std::uint32_t> subtree = bst_subtree_of(torus, rule);
  for (NodeId v = 1; v < torus.node_count(); ++v) ++sizes[subtree[v]];
  return sizes;
}
std::pair<std::uint64_t, std::uint64_t> extremes(const std::vector<std::uint64_t>& sizes) {
  const auto [low, high] = std::minmax_element(sizes.begin(), sizes.end());
  return {*low, *high};
}
using Extremes = std::pair<std::uint64_t, std::uint64_t>;

// The printed sum over the divisors m > 1 of n of k^(n/m).
NecklaceCounts::Integer printed_nonfull(std::uint32_t n, std::uint32_t k, bool prime_only) {
  NecklaceCounts::Integer sum = 0;
  for (std::uint32_t m = 2; m <= n; ++m) {
    bool prime = true;
    for (std::uint32_t d = 2; d < m; ++d) prime = prime && m % d != 0;
    if (n % m == 0 && (prime || !prime_only))
      sum += boost::multiprecision::pow(NecklaceCounts::Integer(k), n / m);
  }
  return sum;
}

Claim balance() {
  return facts(
      "torus.T5", "TR 94-363, 3, Lemma 6.2",
      "nonfull nodes are O(k^(n/2)) for k even, O(k^(n/3)) for k odd, so subtrees are balanced; the printed "
      "sum of k^(n/m) over divisors m of n is no bound for k even, and for k = 2 half of the subtrees are "
      "empty",
      Finding::kCorrected, "n to 12, k to 12 by formula", [](bool full) {
        std::vector<ClaimCheck> checks;
        for (const auto& [n, k, printed, actual] :
             std::vector<std::array<std::uint32_t, 4>>{{3, 4, 4, 10}, {5, 4, 4, 34}, {7, 4, 4, 130}}) {
          checks.push_back(against_print(fmt::format("MT_{{{},{}}}: {} nonfull nodes", n, k, actual),
                                         fmt::format("at most {}", printed), [=] {
                                           return printed_nonfull(n, k, true) == printed &&
                                                  printed_nonfull(n, k, false) == printed &&
                                                  necklace_counts(n, k).nonfull == actual;
                                         }));
        }
        checks.push_back(against_print("MT_{3,2}: subtrees 3, 4 and 5 are empty", "balanced", [] {
          const std::vector<std::uint64_t> sizes = subtree_sizes(Torus(3, 2), ParentRule::kCorrected);
          return sizes == std::vector<std::uint64_t>{3, 2, 2, 0, 0, 0};
        }));
        checks.push_back(
            {"with 2^n more for k even, 1 for k odd, it is a bound; nonfull^2 <= 4 n^2 k^n, for k odd "
             "nonfull^3 <= "
             "n^3 k^n",
             [full] {
               for (std::uint32_t n = 1; n <= (full ? 12 : 8); ++n) {
                 for (std::uint32_t k = 3; k <= 12; ++k) {
                   const NecklaceCounts counts = necklace_counts(n, k);
                   const NecklaceCounts::Integer& some = counts.nonfull;
                   const bool even = k % 2 == 0;
                   const NecklaceCounts::Integer more = even ? NecklaceCounts::Integer(1) << n : 1;
                   const bool grows_so = even ? some * some <= 4 * n * n * counts.nodes
                                              : some * some * some <= n * n * n * counts.nodes;
                   if (some > printed_nonfull(n, k, true) + more || !grows_so)
                     return fmt::format("MT_{{{},{}}}", n, k);
                 }
               }
               return std::string();
             }});
        return checks;
      });
}

Claim printed_table() {
  return facts(
      "torus.T6", "TR 94-363, 3, Table 4",
      "29 rows of nonfull nodes, necklaces, smallest and largest displacement and their mean, which is "
      "(k^n - 1)/2n (the heading says k^n/2n); the ratio is 1.02 for (4,6), 1.05 for (5,4), 1.01 for "
      "(5,5) and (7,3)",
      Finding::kMisprint, "29 rows by formula; to 300 nodes, full: to 65536, by enumeration", [](bool full) {
        std::vector<ClaimCheck> checks;
        for (const PrintedSubtreeRow& row : printed_subtree_table()) {
          const std::string name = fmt::format("MT_{{{},{}}}", row.n, row.k);
          const std::string wrong = misprints(row);
          const bool known = (row.n == 4 && row.k == 6) || (row.n == 5 && (row.k == 4 || row.k == 5)) ||
                             (row.n == 7 && row.k == 3);
          checks.push_back({name + (known ? ": the ratio" : ""),
                            [wrong, known, row] {
                              return wrong == (known ? fmt::format("ratio {}", row.ratio) : "") ? "" : wrong;
                            },
                            known ? row.ratio : ""});
          if (row.nodes > (full ? kMaxNodes : 300)) continue;
          checks.push_back({name + ", counted", [row] {
                              const Torus torus(row.n, row.k);
                              std::vector<std::uint64_t> sizes(torus.label_count(), 0);
                              for (NodeId v = 1; v < torus.node_count(); ++v) ++sizes[torus.displacement(v)];
                              return extremes(sizes) == Extremes{row.smallest, row.largest} ? "" : "another";
                            }});
        }
        return checks;
      });
}

Claim real_subtrees() {
  return facts(
      "torus.T7", "TR 94-363, 3, Table 4",
      "Table 4 lists displacements; those are the subtrees of the BST if k is odd or with the repair of T3. "
      "As "
      "defined the ratio of the largest to the mean is 1.54, 1.48, 1.47, 1.42, 1.41 for k = 4 and n = 4 to 8",
      Finding::kCorrected, "the rows of k even to 1296 nodes; full: to 65536", [](bool full) {
        struct Real {
          std::uint32_t n, k;
          std::uint64_t low, high;
          const char* ratio;
        };
        std::vector<ClaimCheck> checks;
        for (const Real& real : std::vector<Real>{{4, 4, 16, 49, "1.54"},
                                                  {4, 6, 98, 227, "1.40"},
                                                  {5, 4, 55, 151, "1.48"},
                                                  {5, 6, 474, 1083, "1.39"},
                                                  {6, 4, 185, 501, "1.47"},
                                                  {6, 6, 2376, 5405, "1.39"},
                                                  {7, 4, 685, 1657, "1.42"},
                                                  {8, 4, 2423, 5772, "1.41"}}) {
          const NecklaceCounts counts = necklace_counts(real.n, real.k);
          if (!full && counts.nodes > 1296) continue;
          checks.push_back(
              {fmt::format("MT_{{{},{}}}: subtrees of {} to {} nodes", real.n, real.k, real.low, real.high),
               [real, counts]() -> std::string {
                 const Torus torus(real.n, real.k);
                 if (extremes(subtree_sizes(torus, ParentRule::kCorrected)) != Extremes{real.low, real.high})
                   return "others";
                 if (rounded_to_hundredths(2 * real.n * NecklaceCounts::Integer(real.high),
                                           counts.nodes - 1) != real.ratio)
                   return "another ratio";
                 const Extremes table{counts.smallest.convert_to<std::uint64_t>(),
                                      counts.largest.convert_to<std::uint64_t>()};
                 return extremes(subtree_sizes(torus, ParentRule::kRepaired)) == table ? "" : "repaired";
               },
               fmt::format("{} to {}", counts.smallest.str(), counts.largest.str())});
        }
        return checks;
      });
}

// The links of the 2n subtrees of the BSG: whether no two subtrees share one, and how often every node is
// reached.
std::string fault_of_graph(const Torus& torus) {
  std::map<DimensionedLink, std::uint32_t> owner;
  std::vector<std::uint32_t> reached(torus.node_count(), 0);
  for (const NodeId g : torus.generators()) {
    if (g == 0) continue;
    for (std::uint32_t i = 0; i < torus.label_count(); ++i) {
      const DimensionedLink link = torus.rotate(link_into(torus, g, ParentRule::kCorrected), i);
      if (owner.emplace(link, i).first->second != i) return "two subtrees share a link";
      // The subtree is connected if the parent is in it.
      if (link.tail != 0 && torus.displacement(link.tail) != i % torus.period(link.tail))
        return "a parent of another subtree";
      ++reached[torus.head(link)];
    }
  }
  for (NodeId v = 1; v < torus.node_count(); ++v) {
    if (reached[v] * torus.period(v) != torus.label_count()) return torus.label_text(v) + " has other paths";
  }
  return {};
}

Claim spanning_graph() {
  return facts("torus.T8", "TR 94-363, 4, Definition 9, Lemma 7",
               "the BSG is 2n isomorphic subtrees of shortest paths, with the rule of T1, in 2n/P of which a "
               "node of period P is: those with i = D(v) modulo P. No two share a link",
               Finding::kCorrected, std::string("also k = 2; ") + kToriInWords, [](bool full) {
                 return std::vector<ClaimCheck>{
                     against_print("MT_{1,4}: by the printed rule 2 is not connected to subtree 0",
                                   "its parent there is 1",
                                   [] {
                                     const Torus torus(1, 4);
                                     const NodeId parent = link_into(torus, 2, ParentRule::kAsPrinted).tail;
                                     return parent == 1 && torus.generator(parent) == 3;
                                   }),
                     on_each("all subtrees", tori(full, 2), fault_of_graph)};
               });
}

// Destinations of a scatter that goes through the table of necklaces, or starts the first of them again and
// again.
std::size_t nodes_reached(const Torus& torus, bool goes_on_with_the_entry) {
  std::set<NodeId> reached;
  const std::vector<NodeId> table = torus.generators();
  for (std::size_t entry = 1; entry < table.size(); ++entry) {
    const NodeId v = goes_on_with_the_entry ? table[entry] : table[1];
    for (const NodeId u : torus.rotations(v, torus.label_count())) reached.insert(u);
  }
  return reached.size();
}

// The digits of a node in parts of `length`: is every part the one before it, each digit d now k - d?
bool repeats_negated(const Torus& torus, NodeId v, std::uint32_t length) {
  for (std::uint32_t i = 0; i + length < torus.dimensions(); ++i) {
    if ((torus.digit(v, i) + torus.digit(v, i + length)) % torus.radix() != 0) return false;
  }
  return true;
}

Claim errata() {
  Claim claim{
      "torus.E1", "TR 94-363, 3, 5.4 and 5.5",
      "slips: the second time that 5.5 says \"for k even\" it means k odd, (k^2 - 1) k^(n-1) / 8 steps; step "
      "3 "
      "of 5.4 goes on with the nodes R^i(u) of the next entry u, not again with R^i(v); the substrings of "
      "Lemma 6.1 have n/m digits, not m",
      Finding::kMisprint, "3 x 3, 5 x 5 and 3 x 3 x 3; full: also 7 x 7 and 5 x 5 x 5; one network each"};
  claim.cases = [](bool full) {
    std::vector<std::pair<std::uint32_t, std::uint64_t>> sizes{{2, 3}, {2, 5}, {3, 3}};  // n, k
    if (full) sizes.insert(sizes.end(), {{2, 7}, {3, 5}});
    std::vector<ClaimCase> cases;
    for (const auto& [n, k] : sizes) {
      std::uint64_t power = 1;  // k^(n-1)
      for (std::uint32_t i = 1; i < n; ++i) power *= k;
      ClaimCase wanted;
      wanted.topology = graph_of(Torus(n, static_cast<std::uint32_t>(k))).spelling();
      wanted.algorithm = "torus-koenig-exchange";
      wanted.expected_steps = (k * k - 1) * power / 8;
      const std::uint64_t for_k_even = divide_up(power * k * k, 8);
      wanted.printed = fmt::format("{} by the only formula that is left, \"for k even\" or not", for_k_even);
      cases.push_back(std::move(wanted));
    }
    return cases;
  };
  claim.checks = [](bool) {
    return std::vector<ClaimCheck>{
        {"MT_{2,3}: the next entry of the table, and the next, reach all nodes",
         [] { return nodes_reached(Torus(2, 3), true) == 8 ? "" : "they do not"; }},
        against_print("MT_{2,3}: going on with R^i(v) reaches 4 nodes", "all 8 destinations",
                      [] { return nodes_reached(Torus(2, 3), false) == 4; }),
        against_print("MT_{6,4}: 311331, m = 3, is made of parts of 2 digits", "parts of m = 3 digits", [] {
          const Torus torus(6, 4);
          NodeId v = 0;
          for (const NodeId digit : {3U, 1U, 1U, 3U, 3U, 1U}) v = v * 4 + digit;
          return repeats_negated(torus, v, 2) && !repeats_negated(torus, v, 3);
        })};
  };
  return claim;
}

}  // namespace

std::vector<Claim> torus_claims() {
  return {degrees(),        distances(),
          translations(),   rotation(),
          rotated_links(),  necklaces(),
          nonfull_nodes(),  necklace_tables(),
          generators(),     average_diameter(),
          parent_rule(),    shortest_paths(),
          nonfull_leaves(), subtrees_are_displacements(),
          balance(),        printed_table(),
          real_subtrees(),  spanning_graph(),
          errata()};
}

}  // namespace safnet
