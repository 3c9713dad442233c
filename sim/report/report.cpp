#include "sim/report/report.hpp"

#include "cpp_model/graph/text.hpp"

namespace safnet {

std::string in_words(const Graph& graph) {
  return fmt::format("{} ({} nodes, {} links)", one_line(graph.spelling()), graph.node_count(),
                     graph.link_count());
}

Json network_json(const Graph& graph) {
  return {{"topology", printable(graph.spelling())},
          {"nodes", graph.node_count()},
          {"links", graph.link_count()}};
}

std::string counted(std::uint64_t count, std::string_view what) {
  return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void TextReport::outcome(const Account& account) {
  line("time", "{:.2f} s build, {:.2f} s run", account.build_seconds, account.run_seconds);
  for (const std::string& problem : account.problems) sentence("problem: " + problem);
  for (const std::string& wait : account.waits) sentence("stuck: " + wait);
}

}  // namespace safnet
