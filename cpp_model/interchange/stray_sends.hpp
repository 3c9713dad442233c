// stray_sends - sends of an imported schedule that bring a packet where nobody needs it.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "cpp_model/schedule/schedule.hpp"

namespace safnet {

/// Leaves out every send that contributes to no delivery: its packet is at the receiver already, or the
/// receiver is none of its destinations, does not send it on to one, and makes no sum of it that is needed.
/// Packets that nobody needs are left out with their sends; the others keep their order, and sends their
/// steps. A schedule that delivers nothing stays as it is. Linear in packets, parts and sends.
/// Returns a remark that names the first of them, by `name` of their packets; empty if there are none.
std::string leave_out_stray_sends(Schedule& schedule, const std::function<std::string(PacketIndex)>& name);

/// "WHAT: FIRST; SECOND; ...": the first few of `count` things, whose names are `names`.
std::string first_named(const std::string& what, const std::vector<std::string>& names, std::size_t count);
/// As many are named.
inline constexpr std::size_t kMostNamedSends = 4;

}  // namespace safnet
