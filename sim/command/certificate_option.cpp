#include "sim/command/certificate_option.hpp"

#include "cpp_model/graph/input.hpp"
#include "cpp_model/proof/certificate_text.hpp"
#include "cpp_model/proof/prove.hpp"
#include "cpp_model/system/output_file.hpp"
#include "sim/command/options.hpp"

namespace safnet {

CLI::Option* CertificateOption::declare(CLI::App& command) {
  return command.add_option("--certificate", path,
                            "write why no fewer steps than the lower bound are possible, for "
                            "scripts/check_certificate.py, FILE.json");
}

void CertificateOption::check(bool in_steps) const {
  refuse_unless(in_steps, "--certificate", path, "steps, that is no --slot free or --hosts empty beside it");
  require_writable_folder("--certificate", path);
}

void CertificateOption::write(const Problem& problem, const LowerBound& bound, std::uint32_t flits,
                              std::uint32_t link_latency) const {
  if (path.empty()) return;
  const std::optional<Proof> proof = prove(problem, bound, flits, link_latency);
  if (!proof) {
    throw bad_input("--certificate: there is none yet for this lower bound, {} steps: {}", bound.steps,
                    bound.reason.empty() ? "no bound is known" : bound.reason);
  }
  write_whole_file(path, certificate_text(problem, *proof, flits, link_latency));
}

}  // namespace safnet
