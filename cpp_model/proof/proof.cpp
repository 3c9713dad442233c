#include "cpp_model/proof/proof.hpp"

namespace safnet {

const char* to_string(ProofKind kind) {
  switch (kind) {
    case ProofKind::kWays:
      return "ways";
    case ProofKind::kEntries:
      return "entries";
    case ProofKind::kInformed:
      return "informed";
    case ProofKind::kTree:
      return "tree";
    case ProofKind::kCarried:
      return "carried";
    default:
      return "refutation";
  }
}

}  // namespace safnet
