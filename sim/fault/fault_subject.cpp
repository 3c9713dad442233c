#include "sim/fault/fault_subject.hpp"

#include <bit>
#include <memory>
#include <utility>
#include <variant>

#include "cpp_model/number/bits.hpp"
#include "rtl_constants.hpp"
#include "sim/run/run.hpp"
#include "sim/run/scan_check.hpp"

namespace safnet {
namespace {

std::uint64_t bits_at(int first, int width) {
  return (width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1) << first;
}

// Lowest bits first: label, source, tag, length; above them a check (packet_format.hpp).
FlitFields router_fields(const PifoParameters& p) {
  FlitFields fields;
  const int label = index_width(p.label_depth);
  const int length = std::bit_width(static_cast<unsigned>(p.built_flits()));
  fields.label = bits_at(0, label);
  fields.header = bits_at(label, p.node_id_width + p.tag_width + length);
  fields.flit_bits = static_cast<std::uint32_t>(p.flit_width);
  fields.flits = static_cast<std::uint32_t>(p.flits);
  return fields;
}

// Lowest bits first: name, length; the upper half is data (tdm_format.hpp).
FlitFields timetable_fields(const TdmParameters& p, std::uint32_t flits) {
  FlitFields fields;
  fields.label = bits_at(0, p.name_width);
  fields.header = bits_at(p.name_width, std::bit_width(static_cast<unsigned>(p.flits)));
  fields.first_payload = bits_at(32, 32);
  fields.flits = flits;
  return fields;
}

}  // namespace

FaultSubject subject_of(const RunPlan& plan, VariantStore& store) {
  FaultSubject subject{.graph = plan.request.problem.graph};
  if (const auto* routers = std::get_if<RunPlan::Routers>(&plan.what)) {
    subject.fields = router_fields(routers->parameters);
    subject.has_grants = routers->parameters.grant_cycles != 0;
  } else {
    const auto& timetable = std::get<RunPlan::Timetable>(plan.what);
    subject.fields = timetable_fields(timetable.parameters, timetable.schedule->packets.longest());
  }
  subject.run = [planned = std::make_shared<RunPlan>(plan), &store](const HardwareOptions& options) {
    static_cast<HardwareOptions&>(planned->request) = options;
    RunResult result = run(*planned, store);
    return JudgedRun{std::move(result), to_string(result.verdict), result.scan_cycles};
  };
  return subject;
}

FaultSubject subject_of(const ScanRequest& request, VariantStore& store) {
  FaultSubject subject{.graph = request.network.graph(), .has_credits = false};
  subject.fields.header = bits_at(0, rtl::scan_pkg::kHeaderWidth);
  subject.run = [asked = std::make_shared<ScanRequest>(request), &store](const HardwareOptions& options) {
    static_cast<HardwareOptions&>(*asked) = options;
    ScanResult result = run_scan(*asked, store);
    judge_scan(*asked, result);
    const char* verdict = result.problems.empty() ? "as-published" : "failed";
    return JudgedRun{std::move(result), verdict};
  };
  return subject;
}

}  // namespace safnet
