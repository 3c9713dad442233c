// certificate_text - the file of a proof, which scripts/check_certificate.py checks.
#pragma once

#include <string>

#include "cpp_model/proof/proof.hpp"
#include "cpp_model/schedule/problem.hpp"

namespace safnet {

/// Network, collective and argument as one line of JSON; README.md has the format. Flits and latency: those
/// that prove() was given.
std::string certificate_text(const Problem& problem, const Proof& proof, std::uint32_t flits = 1,
                             std::uint32_t link_latency = 0);

}  // namespace safnet
