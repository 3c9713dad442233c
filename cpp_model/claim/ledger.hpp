// ledger - the claims by chapter; claim.hpp joins them.
#pragma once

#include <vector>

#include "cpp_model/claim/claim.hpp"

namespace safnet {

/// Thesis chapter 2: degrees, distances, disjoint paths.
std::vector<Claim> network_claims();
/// Thesis chapter 3.
std::vector<Claim> broadcast_claims();
std::vector<Claim> scatter_claims();
/// Thesis chapter 4: total exchange.
std::vector<Claim> total_exchange_claims();

}  // namespace safnet
