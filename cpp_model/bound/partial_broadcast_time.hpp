// partial_broadcast_time - how long partial multinode broadcasts take: the exact ends of their schedules and
// what is published about them.
//
// M of N nodes have a packet for all others. Varvarigos and Bertsekas 1994 ("meshes"), section 3, on arrays
// and tori; Varvarigos ("folded cubes"), section 3. Parallel prefixes give ranks, packets are packed onto
// nodes 0, 1, ..., then broadcast digit by digit. With splitting every packet becomes a part per class, and
// all classes run at once; without, packet number r joins class r modulo the number of classes, which takes a
// second prefix.
//
// Every phase is made of steps; all nodes keep the same steps, whoever is active. A step with packets of f
// flits lasts f + latency cycles. The papers' unit is the slot, in which a whole packet crosses a link, and
// t_p the part of it that a prefix packet takes.
#pragma once

#include <cstdint>

#include "cpp_model/graph/family/digit_network.hpp"
#include "cpp_model/number/rational.hpp"

namespace safnet {

struct PartialBroadcastSettings {
  std::uint32_t flits = 1;         ///< payload flits of a packet; prefix packets have one flit
  std::uint32_t header_flits = 0;  ///< of every packet and every part of one; not of prefix packets
  std::uint32_t latency = 0;       ///< cycles that a link adds
  bool split = false;              ///< packets become a part per class; on rings, while broadcast, two halves
  bool single_class = false;       ///< all packets in class 0: meshes, Lemma 2
  bool alternating = false;  ///< rings, beyond the paper: packing the short way round; without splitting
                             ///< also batches that take turns at the long way round
  bool known_ranks = false;  ///< no prefixes: everyone knows who is active
};

/// Classes that are in use.
std::uint32_t classes_in_use(const DigitShape& shape, const PartialBroadcastSettings& settings);
/// Whether a prefix precedes that gives every packet its class.
bool has_class_scan(const DigitShape& shape, const PartialBroadcastSettings& settings);
/// Packets that a class can have if M nodes are active.
std::uint64_t packets_of_a_class(const DigitShape& shape, const PartialBroadcastSettings& settings,
                                 std::uint64_t active);
/// Parts of a packet in flight at once in a class: 2 where halves go both ways round a ring, otherwise 1.
std::uint32_t pieces(const DigitShape& shape, const PartialBroadcastSettings& settings);
/// Into how many parts a packet falls while it is packed, and while it is broadcast.
std::uint32_t packing_parts(const DigitShape& shape, const PartialBroadcastSettings& settings);
std::uint32_t broadcast_parts(const DigitShape& shape, const PartialBroadcastSettings& settings);
/// Flits of such a part, header included.
std::uint32_t packing_flits(const DigitShape& shape, const PartialBroadcastSettings& settings);
std::uint32_t broadcast_flits(const DigitShape& shape, const PartialBroadcastSettings& settings);

/// The most hops of a batch of packets along a digit, with the digit rising (`plus`) and falling (`minus`).
struct HopsOfBatch {
  std::uint32_t plus = 0, minus = 0;
};
/// For batch b: p - 1 both ways on arrays and with halves; otherwise half the ring each way, the longer half
/// up, or, if `alternating`, up and down in turn.
HopsOfBatch hops_of_batch(const DigitShape& shape, const PartialBroadcastSettings& settings, std::uint64_t b);

/// Steps of a prefix (forward and reverse), of packing along one digit, and of the broadcast along `digit`
/// where a class has so many packets, W = ceil(packets / p^(digit + 1)) batches.
std::uint64_t scan_steps(const DigitShape& shape);
std::uint64_t packing_steps_of_a_digit(const DigitShape& shape, const PartialBroadcastSettings& settings);
std::uint64_t broadcast_batches(const DigitShape& shape, std::uint32_t digit, std::uint64_t packets);
std::uint64_t broadcast_steps(const DigitShape& shape, const PartialBroadcastSettings& settings,
                              std::uint32_t digit, std::uint64_t packets);
/// The broadcast along all digits.
std::uint64_t broadcast_steps(const DigitShape& shape, const PartialBroadcastSettings& settings,
                              std::uint64_t packets);

/// Cycles.
struct PartialBroadcastTime {
  std::uint64_t class_scan = 0, rank_scan = 0, packing = 0, broadcast = 0;
  std::uint64_t total() const { return class_scan + rank_scan + packing + broadcast; }
  friend bool operator==(const PartialBroadcastTime&, const PartialBroadcastTime&) = default;
};
/// When the schedule, or that of an accumulation, ends with M = `active`. The last packet may arrive earlier.
PartialBroadcastTime partial_broadcast_time(const DigitShape& shape, const PartialBroadcastSettings& settings,
                                            std::uint64_t active);
/// The same in slots, parts being exact fractions of a packet: flits, header and latency do not count.
Rational partial_broadcast_slots(const DigitShape& shape, const PartialBroadcastSettings& settings,
                                 std::uint64_t active, const Rational& prefix_step);

// ---- What is published, in slots. M = `active`, t_p = `prefix_step`.

/// Meshes (3): no algorithm takes less than (M - 1) / (gamma d); with M = N it is (4).
Rational mesh_broadcast_lower_bound(const DigitShape& shape, std::uint64_t active);
/// Meshes, Lemma 1: the broadcast phase of a single class, with halves on rings.
Rational mesh_broadcast_phase_bound(const DigitShape& shape, std::uint64_t active);
/// Meshes, Lemma 2: a single class.
Rational mesh_single_class_bound(const DigitShape& shape, std::uint64_t active, const Rational& prefix_step);
/// Meshes (7), (8); the same as (5a), (6a): with splitting.
Rational mesh_split_bound(const DigitShape& shape, std::uint64_t active, const Rational& prefix_step);
/// Meshes (5b), (6b) as printed: without splitting. The term 4 (p-1) t_p lacks a factor d.
Rational mesh_whole_bound_as_printed(const DigitShape& shape, std::uint64_t active,
                                     const Rational& prefix_step);
/// Meshes 3.2, in the text: without splitting, with 4 d (p-1) t_p.
Rational mesh_whole_bound(const DigitShape& shape, std::uint64_t active, const Rational& prefix_step);
/// Meshes 3.2: multinode broadcast by known ranks, without splitting.
Rational mesh_multinode_bound(const DigitShape& shape);

/// Folded cubes (2): max(ceil(d/2), ceil((M-1)/(d+1))).
std::uint64_t folded_broadcast_lower_bound(const DigitShape& shape, std::uint64_t active);
/// Folded cubes (3): hypercubes, a single class.
Rational cube_single_class_bound(const DigitShape& shape, std::uint64_t active, const Rational& prefix_step);
/// Folded cubes 3, in the text: the part after classes are known, as printed, without rounding M/(d+1) up.
Rational folded_main_part_as_printed(const DigitShape& shape, std::uint64_t active,
                                     const Rational& prefix_step);
/// Folded cubes (4).
Rational folded_whole_bound(const DigitShape& shape, std::uint64_t active, const Rational& prefix_step);
/// Beyond the paper: all d + 1 classes on parts of every packet, (M + 2d - 1)/(d + 1) + 2 d t_p.
Rational folded_split_bound(const DigitShape& shape, std::uint64_t active, const Rational& prefix_step);

/// A time of at most per_packet M + constant for all M.
struct LinearTime {
  Rational per_packet, constant;  ///< X and V of the papers
  Rational at(std::uint64_t active) const { return per_packet * active + constant; }
};
/// Meshes (9a)-(10b), folded cubes Corollary 1 (without splitting); of a split folded cube beyond the paper.
LinearTime linear_slots(const DigitShape& shape, bool split, const Rational& prefix_step);
/// The same in cycles, from the flits that parts really have.
LinearTime linear_cycles(const DigitShape& shape, const PartialBroadcastSettings& settings);

}  // namespace safnet
