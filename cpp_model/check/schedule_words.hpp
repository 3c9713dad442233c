// schedule_words - what is wrong with a schedule, in words: where, what was found and what was expected.
#pragma once

#include <string>

#include "cpp_model/check/findings.hpp"

namespace safnet {

class ScheduleWords {
 public:
  /// Both must outlive it.
  ScheduleWords(const Schedule& schedule, const Findings& findings);

  std::string node(std::uint64_t v) const;
  std::string packet(std::uint64_t p) const;
  /// One line.
  std::string words(const Finding& finding) const;

 private:
  std::string sending(const Send& send) const;
  std::string what(const Finding& finding) const;
  std::string what_of_send(Wrong wrong, std::uint64_t detail, const Send& send) const;
  const char* missing(std::uint64_t v) const;
  std::string expected_packet() const;
  std::uint64_t cycle(const Send& send) const;

  const Schedule& schedule_;
  const Findings& findings_;
  const Graph& graph_;
  const PacketList& packets_;
  NodeId nodes_, processors_;  // all; those that process
};

}  // namespace safnet
