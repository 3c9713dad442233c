// reference_core - a network of reference routers inside of a NetworkModule.
#pragma once

#include <memory>

#include "cpp_model/traffic/packet_routes.hpp"
#include "sim/pifo/pifo_parameters.hpp"
#include "sim/systemc/network_core.hpp"

namespace safnet {

/// Its modules are below the one that is under construction. `routes` must outlive it.
std::unique_ptr<NetworkCore> make_reference_core(const PacketRoutes& routes, const PifoParameters& parameters,
                                                 TellArrival tell);

}  // namespace safnet
