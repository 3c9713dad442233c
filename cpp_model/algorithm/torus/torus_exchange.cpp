#include "cpp_model/algorithm/torus/torus_exchange.hpp"

#include <algorithm>
#include <string>
#include <tuple>

#include "cpp_model/algorithm/tools/dimensions.hpp"
#include "cpp_model/algorithm/tools/list_scheduling.hpp"
#include "cpp_model/algorithm/torus/torus_subtrees.hpp"
#include "cpp_model/graph/bipartite_colouring.hpp"
#include "cpp_model/number/exact.hpp"

namespace safnet {
namespace {

// Messages first ... end - 1 of node 0 for R^turn(generator) go down subtree `turn`, a hop in `pace` steps.
struct Block {
  NodeId generator;
  std::uint32_t turn, first, end;
};
void move_block(const MultidimensionalTorus& torus, const Block& block, std::uint32_t before,
                std::uint32_t pace, std::vector<RelativeSend>& sends) {
  const NodeId destination = torus.rotate(block.generator, block.turn);
  for (const DimensionedLink& link : path_in_subtree(torus, block.generator, block.turn)) {
    for (std::uint32_t m = block.first; m < block.end; ++m)
      sends.push_back({before + 1 + m - block.first, link.tail, link.label, m, destination});
    before += pace;
  }
}

}  // namespace

std::vector<RelativeSend> bsg_exchange(const MultidimensionalTorus& torus, std::uint32_t messages) {
  std::vector<RelativeSend> sends;
  std::uint32_t step = 0;
  for (const NodeId v : torus.entries(true)) {
    const std::uint32_t period = torus.period(v);
    const auto size =
        static_cast<std::uint32_t>(divide_up(std::uint64_t{messages} * period, torus.label_count()));
    for (std::uint32_t i = 0; i < torus.label_count(); ++i) {
      const std::uint32_t first = std::min(messages, i / period * size);
      move_block(torus, {v, i, first, std::min(messages, first + size)}, step, size, sends);
    }
    step += torus.distance(v) * size;
  }
  return sends;
}

std::vector<RelativeSend> bst_exchange(const MultidimensionalTorus& torus, std::uint32_t messages) {
  std::vector<RelativeSend> sends;
  std::uint32_t step = 0;
  for (const NodeId v : torus.entries(true)) {
    for (std::uint32_t i = 0; i < torus.period(v); ++i)
      move_block(torus, {v, i, 0, messages}, step, messages, sends);
    step += torus.distance(v) * messages;
  }
  return sends;
}

namespace {

// The label that brings a digit from 0 to its value, for message m.
std::uint32_t label_towards(const TorusNetwork& network, NodeId v, std::uint32_t i, std::uint32_t m) {
  const MultidimensionalTorus& torus = network.torus;
  const std::uint32_t k = torus.radix(), digit = torus.digit(v, i);
  const std::uint32_t next = torus.digit(v, (i + 1) % torus.dimensions());
  const bool up = 2 * digit == k ? (next + m) % 2 == 0 && !network.has_single_links : 2 * digit < k;
  return torus.dimensions() - 1 - i + (up ? torus.dimensions() : 0);
}
std::uint32_t hops_of(const MultidimensionalTorus& torus, NodeId v, std::uint32_t i) {
  return std::min(torus.digit(v, i), torus.radix() - torus.digit(v, i));
}

}  // namespace

std::vector<RelativeSend> koenig_exchange(const TorusNetwork& network, std::uint32_t messages) {
  const MultidimensionalTorus& torus = network.torus;
  std::vector<BipartiteEdge> edges;
  for (NodeId v = 1; v < torus.node_count(); ++v) {
    for (std::uint32_t m = 0; m < messages; ++m) {
      for (std::uint32_t i = 0; i < torus.dimensions(); ++i) {
        const std::uint32_t label = label_towards(network, v, i, m);
        for (std::uint32_t hop = hops_of(torus, v, i); hop > 0; --hop)
          edges.push_back({v * messages + m, label});
      }
    }
  }
  const std::vector<std::uint32_t> colours =
      colour_bipartite(edges, torus.node_count() * messages, torus.label_count());
  std::vector<RelativeSend> sends;
  sends.reserve(edges.size());
  for (std::size_t e = 0; e < edges.size(); ++e)
    sends.push_back({colours[e] + 1, 0, edges[e].right, edges[e].left % messages, edges[e].left / messages});
  std::sort(sends.begin(), sends.end(), [](const RelativeSend& a, const RelativeSend& b) {
    return std::tie(a.destination, a.message, a.step) < std::tie(b.destination, b.message, b.step);
  });
  for (std::size_t i = 1; i < sends.size(); ++i) {
    const RelativeSend& before = sends[i - 1];
    if (before.destination == sends[i].destination && before.message == sends[i].message)
      sends[i].at = torus.head({before.at, before.label});
  }
  return sends;
}

std::uint64_t koenig_exchange_steps(const TorusNetwork& network, std::uint32_t messages) {
  const MultidimensionalTorus& torus = network.torus;
  const std::uint64_t n = torus.dimensions(), k = torus.radix(), m = messages;
  const std::uint64_t copies = torus.node_count() / k;  // of a ring along one dimension
  std::uint64_t uses = 0;                               // of the busier direction
  if (network.has_single_links) {
    uses = m * copies;
  } else if (k % 2 == 1) {
    uses = m * copies * (k * k - 1) / 8;
  } else {
    // Up and down to less than k/2 hops, and half-way messages, those up and down differing by one at most.
    uses = m * copies * (k / 2) * (k / 2 - 1) / 2 + divide_up(m * copies, 2) * (k / 2);
  }
  return std::max<std::uint64_t>(uses, n * (k / 2));
}

Schedule parity_exchange(const Problem& problem, const std::string& algorithm) {
  const NodeId k = problem.graph.node_count();
  Schedule schedule = empty_schedule(problem, algorithm);
  Hops hops;
  for (std::uint32_t m = 0; m < problem.messages; ++m) {
    for (NodeId v = 0; v < k; ++v) {
      for (NodeId distance = 1; distance < k; ++distance) {
        const bool half_way_up = m + 1 == problem.messages && m % 2 == 0 ? v % 2 == 0 : m % 2 == 0;
        const bool up = 2 * distance == k ? half_way_up : 2 * distance < k;
        const NodeId destination = (v + distance) % k;
        const PacketIndex packet = m * k * (k - 1) + exchange_packet(v, destination, k);
        HopIndex last = kNoHop;
        for (NodeId at = v; at != destination;) {
          last = hops.add(problem.graph.link(at, up ? 0 : 1), last, packet);
          at = (at + (up ? 1 : k - 1)) % k;
        }
      }
    }
  }
  schedule_trees(schedule, hops);
  return schedule;
}

namespace {

// Is there a half-way message per pair left over, which no rule that is the same for all nodes can share out
// evenly?
bool goes_by_parity(const TorusNetwork& network, std::uint32_t messages) {
  const MultidimensionalTorus& torus = network.torus;
  return torus.dimensions() == 1 && torus.radix() > 2 && torus.radix() % 2 == 0 && messages % 2 == 1;
}

Algorithm by_colouring() {
  Algorithm algorithm = relative_algorithm(
      "torus-koenig-exchange", CollectiveKind::kTotalExchange,
      "optimal for any number of messages, by colouring messages x links; rings of odd M by parity",
      [](const TorusNetwork& network, std::uint32_t messages) {
        const std::uint64_t k = network.torus.radix();
        return goes_by_parity(network, messages) ? divide_up(messages * k * k, 8)
                                                 : koenig_exchange_steps(network, messages);
      },
      koenig_exchange);
  algorithm.source = "beyond Fragopoulou and Akl, TR 94-363, 5.5; Koenig 1916";
  algorithm.domain = "tori of equal sides, cubes and doubled cubes, all-port";
  algorithm.why_not = [](const Problem& p) {
    return why_not_relative(
        p, [](const TorusNetwork&) { return true; }, "needs a torus of equal sides or a cube");
  };
  algorithm.plan = [name = algorithm.name](const Problem& p) {
    const TorusNetwork network = *TorusNetwork::of(p.graph);
    return goes_by_parity(network, p.messages)
               ? parity_exchange(p, name)
               : relative_schedule(p, name, koenig_exchange(network, p.messages));
  };
  return algorithm;
}

// Necklace by necklace: their hops, a block of messages in `pace(P)` steps each.
template <class Pace>
std::uint64_t block_steps(const MultidimensionalTorus& torus, Pace pace) {
  std::uint64_t steps = 0;
  for (const NodeId v : torus.generators()) steps += torus.distance(v) * pace(torus.period(v));
  return steps;
}

}  // namespace

std::vector<Algorithm> torus_exchange_algorithms() {
  const CollectiveKind exchange = CollectiveKind::kTotalExchange;
  return {by_colouring(),
          relative_algorithm(
              "torus-bsg-exchange", exchange,
              "necklace by necklace over the spanning graph BSG, messages as a block",
              [](const TorusNetwork& network, std::uint64_t messages) {
                const MultidimensionalTorus& torus = network.torus;
                return block_steps(torus, [&](std::uint32_t period) {
                  return divide_up(messages * period, torus.label_count());
                });
              },
              [](const TorusNetwork& network, std::uint32_t messages) {
                return bsg_exchange(network.torus, messages);
              }),
          relative_algorithm(
              "torus-bst-exchange", exchange, "necklace by necklace over the spanning tree BST",
              [](const TorusNetwork& network, std::uint64_t messages) {
                return block_steps(network.torus, [&](std::uint32_t) { return messages; });
              },
              [](const TorusNetwork& network, std::uint32_t messages) {
                return bst_exchange(network.torus, messages);
              })};
}

}  // namespace safnet
