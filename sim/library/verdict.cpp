#include "sim/library/verdict.hpp"

#include "sim/run/verdict.hpp"

namespace safnet::lab {

const char* to_string(Verdict verdict) {
  return safnet::to_string(static_cast<safnet::Verdict>(verdict)).c_str();
}

}  // namespace safnet::lab
