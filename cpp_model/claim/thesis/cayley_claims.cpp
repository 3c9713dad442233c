// Thesis 4.4, one-port total exchange on Cayley graphs: what is run for each statement and what must come
// out.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "cpp_model/claim/chapter.hpp"
#include "cpp_model/claim/claim_networks.hpp"
#include "cpp_model/claim/ledger.hpp"
#include "cpp_model/graph/family/families.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

using Sizes = std::vector<std::uint64_t>;

std::uint64_t torus_status(const std::vector<std::uint64_t>& sizes) {
  std::uint64_t nodes = 1, status = 0;
  for (const std::uint64_t n : sizes) nodes *= n;
  for (const std::uint64_t n : sizes) status += nodes / n * quarter_square(n);  // (4.12), Theorem 5.1
  return status;
}

void cayley_one_port_runs(bool full, Cases& cases) {
  std::vector<std::pair<std::string, std::uint64_t>> graphs;
  for (const std::uint64_t n : full ? joined(range(3, 24), {64, 101}) : Sizes{3, 4, 5, 8, 9, 16})
    graphs.emplace_back(ring_word(n), quarter_square(n));
  for (const Sizes& sizes :
       with_more<Sizes>(full, {{3, 3}, {4, 3}, {4, 4}, {5, 4}, {3, 4, 2}, {8, 8}},
                        {{6, 5}, {7, 7}, {4, 4, 4}, {3, 3, 3, 3}, {4, 4, 4, 4}, {16, 16}}))
    graphs.emplace_back(with_sides("torus", sizes), torus_status(sizes));
  for (const std::string& word : cayley_networks(full))
    graphs.emplace_back(word, searched_status(make_topology(word), 0));
  for (const auto& [topology, status] : graphs) {
    for (const char* rule : {"message-shift", "furthest-first", "closest-first", "transit-first",
                             "message-shift-highest-port"}) {
      for (const PortModel ports : {kOnePort, kOnePortSend}) {
        // One-port-send hardware of a wider radix is built for the full ledger only.
        if (!full && ports == kOnePortSend && make_topology(topology).max_degree() > 4) continue;
        cases.push_back(exchange_case(topology, ports, rule, status));
      }
    }
  }
}

void hypercube_one_port_runs(bool full, Cases& cases) {
  for (std::uint64_t d = 1; d <= (full ? 8U : 6U); ++d)
    cases.push_back(exchange_case(fmt::format("hypercube:{}", d), kOnePort, "message-shift", d << (d - 1)));
}

// Lemma 4.8 and condition (4.14) on the hardware: no node receives two packets at once (the run would be
// flagged), and every node sends in every step.
std::string check_everyone_busy(const RunOutcome& outcome) {
  const std::uint64_t most = outcome.steps * outcome.graph->node_count();
  return unless(outcome.transmissions == most, "{} transmissions in {} steps of {} nodes: some node was idle",
                outcome.transmissions, outcome.steps, outcome.graph->node_count());
}

std::set<NodeId> neighbours_of(const Graph& graph, NodeId v) {
  std::set<NodeId> nodes;
  for (PortId p = 0; p < graph.degree(v); ++p) nodes.insert(graph.peer(v, p).node);
  return nodes;
}

// Lemma 4.7, translations are automorphisms; (4.16) for all nodes; and Lemma 4.8 for each neighbour that node
// 0 may pick.
std::string check_translations(const Graph& graph) {
  const Translations& t = *graph.translations();
  const NodeId n = graph.node_count();
  for (NodeId v = 0; v < n; ++v) {
    if (t.apply(v, 0) != v) return fmt::format("the translation of node 0 to {} does not move it there", v);
    for (NodeId u = 0; u < n; ++u) {
      const auto neighbours = neighbours_of(graph, t.apply(v, u));
      for (PortId p = 0; p < graph.degree(u); ++p) {
        if (!neighbours.contains(t.apply(v, graph.peer(u, p).node)))
          return fmt::format("the translation to node {} is no automorphism", v);
      }
    }
    for (PortId p = 0; p < graph.degree(0); ++p) {
      const NodeId u = graph.peer(0, p).node;
      for (NodeId x = 0; x < n; ++x) {
        if (t.apply(t.apply(v, u), x) != t.apply(v, t.apply(u, x)))
          return fmt::format("(4.16) fails for node {} and neighbour {}", v, u);
      }
    }
  }
  for (PortId p = 0; p < graph.degree(0); ++p) {
    std::vector<bool> picked(n, false);
    for (NodeId v = 0; v < n; ++v) picked[t.apply(v, graph.peer(0, p).node)] = true;
    if (std::count(picked.begin(), picked.end(), true) != n) return "a node is picked by none";
  }
  return {};
}

std::vector<std::string> translated_words(bool full) {
  return joined(cayley_networks(full), listed("ring:9 torus:5x4 hypercube:5"));
}

void translations_runs(bool full, Cases& cases) {
  for (const std::string& word : translated_words(full))
    cases.push_back(exchange_case(word, kOnePort, "message-shift", searched_status(make_topology(word), 0),
                                  check_everyone_busy));
}

Checks translations_checks(bool full) {
  return check_each(translated_words(full), "{}: (4.16), everyone picked once",
                    [](const std::string& word) { return check_translations(make_topology(word)); });
}

// By (4.16) the translation of every node is a product of those of node 0's neighbours, so trying all choices
// for the three neighbours, twelve automorphisms each, is exhaustive.
std::string check_petersen() {
  const Graph graph = generalized_petersen(5, 2);
  const NodeId n = graph.node_count();
  std::vector<std::vector<Automorphism>> choices;
  for (PortId p = 0; p < 3; ++p) {
    choices.push_back(automorphisms(graph, {graph.peer(0, p).node}));
    if (choices.back().size() != 12) return fmt::format("{} automorphisms", choices.back().size());
  }
  for (const Automorphism& a : choices[0]) {
    for (const Automorphism& b : choices[1]) {
      for (const Automorphism& c : choices[2]) {
        const std::array<const Automorphism*, 3> of_neighbour{&a, &b, &c};
        std::vector<Automorphism> sigma(n);
        sigma[0] = range<NodeId>(0, n - 1);
        std::vector<NodeId> known{0};
        bool consistent = true;
        for (std::size_t head = 0; consistent && head < known.size(); ++head) {
          const NodeId v = known[head];
          for (PortId p = 0; consistent && p < 3; ++p) {
            Automorphism product(n);
            for (NodeId x = 0; x < n; ++x) product[x] = sigma[v][(*of_neighbour[p])[x]];
            const NodeId target = product[0];
            if (sigma[target].empty()) {
              sigma[target] = std::move(product);
              known.push_back(target);
            } else {
              consistent = sigma[target] == product;
            }
          }
        }
        if (consistent) return "a set of automorphisms satisfies (4.16)";
      }
    }
  }
  return {};
}

void petersen_runs(bool, Cases& cases) {
  for (NodeId root = 0; root < 10; ++root) {
    cases.push_back({"generalized-petersen:5,2", kBroadcast, kAllPort, "shortest-path-tree", root, "", 2});
    cases.back().inspect = [](const RunOutcome& o) -> std::string {
      const auto near = std::count_if(o.trace->deliveries.begin(), o.trace->deliveries.end(),
                                      [](const Delivery& d) { return d.step == 1; });
      return unless(near == 3 && o.deliveries == 9, "not 3 nodes at distance 1 and 6 at distance 2");
    };
  }
}

void rotation_runs(bool full, Cases& cases) {
  for (std::uint64_t n = 3; n <= (full ? 40U : 16U); ++n) {
    cases.push_back(exchange_case(ring_word(n), kOnePort, "one-way-rotation", n * (n - 1) / 2));
    cases.back().printed = {{kExactly, quarter_square(n), "", "(4.5), which it is said to reach"}};
    cases.push_back(exchange_case(ring_word(n), kOnePort, "message-shift", quarter_square(n)));
  }
}

void queues_runs(bool full, Cases& cases) {
  for (const std::string& word : joined(cayley_networks(full), listed("ring:9 torus:8x8 hypercube:6"))) {
    const Graph graph = make_topology(word);
    const std::uint64_t status = searched_status(graph, 0);
    const bool one_hop = graph.degree(0) + 1 == graph.node_count();
    const std::uint64_t fifo = graph.node_count() - 1 - graph.degree(0);
    for (const auto& [rule, peak] : {std::pair<const char*, std::uint64_t>{"message-shift", fifo},
                                     {"transit-first", one_hop ? 0 : 1},
                                     {"closest-first", one_hop ? 0 : 1}}) {
      cases.push_back(exchange_case(word, kOnePort, rule, status, [expected = peak](const RunOutcome& o) {
        return unless(o.peak_transit_queue == expected, "{} packets in transit queued, expected {}",
                      o.peak_transit_queue, expected);
      }));
    }
    if (graph.max_degree() > 4) continue;
    cases.emplace_back(exchange_case(word, kOnePort, "transit-first", status)).queue_depth = 3;
  }
  for (const char* word : {"ring:16", "torus:4x4", "torus:8x8", "hypercube:4"}) {
    cases.push_back(exchange_case(word, kOnePort, "message-shift", 0));
    cases.back().queue_depth = 3;
    cases.back().expected_problem = "cycle of waiting nodes";
  }
}

}  // namespace

std::vector<Claim> cayley_claims() {
  return {
      claim("thesis.T15", "4.4.2, (4.16), Lemmas 4.7, 4.8", kHolds,
            "the left translations of a Cayley graph satisfy (4.16): in every step every node is sent "
            "exactly one packet, and all nodes are busy to the end",
            translations_runs, translations_checks),
      claim("thesis.T16", "4.4.3, end, which leaves it open", kBeyond,
            "(4.16) is no property of all node-symmetric networks: no set of automorphisms of the Petersen "
            "graph has it",
            petersen_runs,
            ClaimCheck{"none of 1,728 choices of automorphisms of the Petersen graph satisfies (4.16)",
                       check_petersen}),
      claim("thesis.T17", "4.4, Theorem 4.11", kHolds,
            "one-port, any node-invariant shortest-path rule on a Cayley graph: as many steps as the status, "
            "optimal",
            cayley_one_port_runs),
      claim("thesis.T17-queue", "4.4.4, Fig. 4.5, beyond the text", kBeyond,
            "the published first in, first out queues n - 1 - d packets in transit at a node of degree d; "
            "forwarding what just arrived first queues 1 (none on complete graphs), and shallow queues (3 "
            "packets per input) do: with them first in, first out gets stuck",
            queues_runs),
      claim("thesis.T18", "4.4.5, Fig. 4.6", kHolds,
            "one-port total exchange on a d-cube by e-cube paths takes d 2^(d-1) steps",
            hypercube_one_port_runs),
      claim("thesis.T19", "4.3, on [60]", kCorrected,
            "rotation around a ring is optimal one-port if every packet takes its shorter side; one way it "
            "takes n(n - 1)/2 steps",
            rotation_runs)};
}

}  // namespace safnet
