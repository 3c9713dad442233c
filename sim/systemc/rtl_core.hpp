// rtl_core - a network of verilated routers inside of a NetworkModule.
#pragma once

#include <memory>

#include "cpp_model/traffic/packet_routes.hpp"
#include "sim/pifo/pifo_parameters.hpp"
#include "sim/run/router_kinds.hpp"
#include "sim/systemc/network_core.hpp"

namespace safnet {

/// `routes` must outlive it. Throws std::invalid_argument or std::runtime_error if the nodes cannot be built.
std::unique_ptr<NetworkCore> make_rtl_core(const PacketRoutes& routes, const SharedRouterKind& kind,
                                           const PifoParameters& parameters, TellArrival tell);

}  // namespace safnet
