// torus_multinode_broadcast - multinode broadcast (allgather) with M messages per node on the n-dimensional
// k-ary torus and on cubes, all-port, and multinode accumulation (reduce-scatter), which is the same
// backwards.
//
// Fragopoulou and Akl, TR 94-363, section 5.3, and what attains its bound for every M. All functions say what
// the packets of node 0 do; see relative_sends.hpp. 2n is the number of links of a node, #necklaces that of
// necklaces, node 0 included, P the number of nodes of a necklace.
#pragma once

#include <cstdint>
#include <vector>

#include "cpp_model/algorithm/algorithm.hpp"
#include "cpp_model/algorithm/torus/relative_sends.hpp"
#include "cpp_model/algorithm/torus/torus_subtrees.hpp"

namespace safnet {

/// Subtree 0 of the spanning graph BSG (Definition 9) in the order of the traversal.
struct FirstSubtree {
  std::vector<NodeId> order;          ///< depth first, parents before children, node 0 left out
  std::vector<DimensionedLink> link;  ///< by node: from its parent
};
/// All generators with the corrected rule; with the printed one only what hangs together with node 0.
FirstSubtree first_subtree(const MultidimensionalTorus& torus, ParentRule rule);

/// Depth-first over the 2n subtrees at once, without acknowledgements: a necklace after the other, in
/// ceil(MP/2n) steps each. A node with P < 2n gets a subgroup of the messages through each of its 2n/P
/// subtrees.
std::vector<RelativeSend> bsg_broadcast(const MultidimensionalTorus& torus, const FirstSubtree& subtree,
                                        std::uint32_t messages);

/// The same with the acknowledgements of the text, each a packet that takes a step: they add #necklaces - 1
/// steps and 2n (#necklaces - 1) sends per node.
struct AcknowledgedBroadcast {
  std::vector<RelativeSend> sends;
  /// From a child to its parent; `message` is not used.
  std::vector<RelativeSend> acknowledgements;
};
AcknowledgedBroadcast acknowledged_bsg_broadcast(const MultidimensionalTorus& torus,
                                                 const FirstSubtree& subtree, std::uint32_t messages);

/// Step 2 of the text to the letter: messages are split by the period of the node that forwards them, not of
/// the child that gets them. Nodes get messages twice, or (k even) never.
std::vector<RelativeSend> bsg_broadcast_split_by_parent(const MultidimensionalTorus& torus,
                                                        const FirstSubtree& subtree, std::uint32_t messages);

/// Over the spanning tree BST: M (#necklaces - 1) steps.
std::vector<RelativeSend> bst_broadcast(const MultidimensionalTorus& torus, const FirstSubtree& subtree,
                                        std::uint32_t messages);

/// ceil(M (k^n - 1) / 2n) steps for every M; k >= 3. First full necklaces, nearest first, M steps each, from
/// full necklaces, then the nodes of the others, 2n messages a step, the j-th through label j modulo 2n:
/// all neighbours of a nonfull node are full.
std::vector<RelativeSend> packed_broadcast(const MultidimensionalTorus& torus, std::uint32_t messages);

/// On cubes, k = 2: in every step as many links as a matching of links and of messages that nodes lack has.
/// Nodes are looked at nearest first, or, where that takes more than matched_broadcast_steps(), in some other
/// orders. Time grows with the square of messages times nodes.
std::vector<RelativeSend> matched_broadcast(const TorusNetwork& network, std::uint32_t messages);
/// No broadcast takes fewer: max(n, 1 + ceil((M (2^n - 1) - f) / links)), where f messages at most leave in
/// the first step: one over every link, M to every neighbour. For single cubes, and for doubled ones of M >=
/// 2, this is max(n, ceil(M (2^n - 1) / links)).
std::uint64_t matched_broadcast_steps(const TorusNetwork& network, std::uint32_t messages);

/// "torus-packed-necklaces", "cube-matching", "torus-bsg", "torus-bst", also backwards; others by name only.
std::vector<Algorithm> torus_multinode_broadcast_algorithms();

}  // namespace safnet
