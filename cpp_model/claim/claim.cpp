#include "cpp_model/claim/claim.hpp"

#include "cpp_model/claim/ledger.hpp"

namespace safnet {

const std::vector<Claim>& claims() {
  static const std::vector<Claim> all = [] {
    std::vector<Claim> list = single_source_claims();
    for (Claim& claim : total_exchange_claims()) list.push_back(std::move(claim));
    return list;
  }();
  return all;
}

}  // namespace safnet
