// test_rtl_constants - enumerations of the program that the hardware is given as numbers have the RTL's
// values.
#include "cpp_model/schedule/collective.hpp"
#include "cpp_model/schedule/schedule.hpp"
#include "rtl_constants.hpp"
#include "testbench/support/catch.hpp"

namespace safnet::testbench {
namespace {

template <class Enum>
constexpr int number(Enum value) {
  return static_cast<int>(value);
}

TEST_CASE("port models have the numbers of the RTL", "[rtl][constants]") {
  namespace rtl = rtl::safnet_pkg;
  STATIC_REQUIRE(number(PortModel::kAllPort) == rtl::kAllPort);
  STATIC_REQUIRE(number(PortModel::kOnePort) == rtl::kOnePort);
  STATIC_REQUIRE(number(PortModel::kOnePortSend) == rtl::kOnePortSend);
}

TEST_CASE("operations and actions of a tdm_node have the numbers of the RTL", "[rtl][constants]") {
  namespace rtl = rtl::tdm_pkg;
  STATIC_REQUIRE(number(Operation::kSum) == rtl::kCombineSum);
  STATIC_REQUIRE(number(Operation::kMinimum) == rtl::kCombineMinimum);
  STATIC_REQUIRE(number(Operation::kMaximum) == rtl::kCombineMaximum);
  STATIC_REQUIRE(number(Operation::kAnd) == rtl::kCombineAnd);
  STATIC_REQUIRE(number(Operation::kOr) == rtl::kCombineOr);
}

}  // namespace
}  // namespace safnet::testbench
