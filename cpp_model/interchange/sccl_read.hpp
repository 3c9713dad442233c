// sccl_read - algorithms of SCCL and msccl-tools from JSON (*.msccl.json): topology, chunks, global steps.
//
// What maps onto what is in README.md here.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cpp_model/interchange/chunk_set.hpp"
#include "cpp_model/interchange/read_schedule.hpp"

namespace safnet {

/// The collectives that both know: SCCL's names and ours.
inline const std::map<std::string, std::string>& sccl_collectives() {
  static const std::map<std::string, std::string> names{{"Broadcast", "broadcast"},
                                                        {"Scatter", "scatter"},
                                                        {"Gather", "gather"},
                                                        {"Reduce", "reduction"},
                                                        {"Alltoall", "total-exchange"}};
  return names;
}

/// An algorithm as its file has it, before stray sends are left out and the collective is recognised.
struct ScclImport {
  ReadSchedule read;
  std::vector<Identity> identities;  ///< by packet
  std::string collective;            ///< a name of ours, or empty
  std::uint64_t rounds = 0;          ///< of all published steps together
};

/// `shown` names the file in messages. Where every step has one round, sends keep their rounds as steps;
/// otherwise they are scheduled in the order of the file, each as early as links, ports and its data allow,
/// within the published number of rounds. Throws std::invalid_argument with one line.
ScclImport import_sccl(std::string_view text, const std::string& shown);

/// The same without sends that nobody needs, as the collective that its packets are, if they are one.
ReadSchedule read_sccl(std::string_view text, const std::string& shown);

}  // namespace safnet
