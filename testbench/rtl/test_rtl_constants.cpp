// test_rtl_constants - enumerations of the program that the hardware is given as numbers have the RTL's
// values.
#include "cpp_model/schedule/collective.hpp"
#include "cpp_model/schedule/schedule.hpp"
#include "rtl_constants.hpp"
#include "sim/machine/machine.hpp"
#include "sim/scan/scan_machine.hpp"
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
  STATIC_REQUIRE(kTdmStore == 1 << rtl::kStoreBit);
  STATIC_REQUIRE(kTdmCombine == 1 << rtl::kCombineBit);
  STATIC_REQUIRE(kTdmDeliver == 1 << rtl::kDeliverBit);
}

TEST_CASE("operations and phases of a scan_node have the numbers of the RTL", "[rtl][constants]") {
  namespace rtl = rtl::scan_pkg;
  STATIC_REQUIRE(number(ScanOperation::kScan) == rtl::kOperationScan);
  STATIC_REQUIRE(number(ScanOperation::kPack) == rtl::kOperationPack);
  STATIC_REQUIRE(number(ScanOperation::kMonotone) == rtl::kOperationMonotone);
  STATIC_REQUIRE(number(ScanOperation::kBroadcast) == rtl::kOperationBroadcast);
  STATIC_REQUIRE(number(ScanOperation::kAccumulate) == rtl::kOperationAccumulate);
  STATIC_REQUIRE(number(ScanPhase::kIdle) == rtl::kPhaseIdle);
  STATIC_REQUIRE(number(ScanPhase::kClassScan) == rtl::kPhaseClassScan);
  STATIC_REQUIRE(number(ScanPhase::kRankScan) == rtl::kPhaseRankScan);
  STATIC_REQUIRE(number(ScanPhase::kPack) == rtl::kPhasePack);
  STATIC_REQUIRE(number(ScanPhase::kBroadcast) == rtl::kPhaseBroadcast);
  STATIC_REQUIRE(number(ScanPhase::kCombine) == rtl::kPhaseCombine);
  STATIC_REQUIRE(number(ScanPhase::kUnpack) == rtl::kPhaseUnpack);
  STATIC_REQUIRE(kScanPhases == rtl::kPhases);
}

}  // namespace
}  // namespace safnet::testbench
