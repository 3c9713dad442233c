// describe - `safnet describe`: what a network is, each distance found by search beside its published
// formula.
#include <memory>

#include "cpp_model/graph/topology.hpp"
#include "sim/command/commands.hpp"
#include "sim/command/options.hpp"
#include "sim/report/description_report.hpp"

namespace safnet {
namespace {

struct DescribeOptions {
  std::string topology;
  bool json = false;
};

}  // namespace

Action declare_describe(CLI::App& command) {
  command.description("what a network is: degrees, distances, cuts, and the nodes its hardware needs");
  auto options = std::make_shared<DescribeOptions>();
  declare_topology(command, options->topology);
  declare_json(command, options->json);
  return [options] {
    const NetworkDescription description = describe_network(make_topology(options->topology));
    print_report(options->json, description);
    return description.agrees() ? 0 : 1;
  };
}

}  // namespace safnet
