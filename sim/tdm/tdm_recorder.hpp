// tdm_recorder - watches a network of tdm_nodes obey a schedule: every transfer against the plan, every
// delivery by its data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cpp_model/schedule/schedule.hpp"
#include "sim/machine/recorder.hpp"
#include "sim/tdm/tdm_program.hpp"

namespace safnet {

class TdmRecorder final : public Recorder {
 public:
  /// `keep_trace`: write down transfers and deliveries. Schedule and program must outlive the recorder.
  TdmRecorder(const Schedule& schedule, const TdmProgram& program, const TdmParameters& parameters,
              bool keep_trace);

  void on_link_flit(const FlitEvent& flit) override;
  void on_delivered_flit(const FlitEvent& flit) override;
  PacketInWords packet_in_words(const FlitEvent& first) const override;

  /// Packets that entered a link in the very cycle of the plan.
  std::uint64_t on_time() const { return sum_of(outputs_, &Outgoing::on_time); }
  /// Adds a line to `problems` for every node whose count of late sends its links contradict: a send that
  /// started in its cycle was not late, and where none was late all did.
  void judge_late(const Machine& machine, Problems& problems) const;
  std::vector<std::string> missing(std::size_t limit) const override;

 private:
  struct Arriving {  // packet being delivered through one lane
    PacketIndex packet = kNoPacket;
    std::uint32_t flits = 0;      // arrived so far
    std::uint32_t announced = 0;  // length by its header
    bool intact = true;
  };
  struct Outgoing {                                 // one output
    const TdmSend *next = nullptr, *end = nullptr;  // its next send in the program
    std::uint64_t on_time = 0;
    std::uint32_t flits_left = 0;
  };
  struct Expected {  // one packet for this node
    PacketIndex packet;
    std::uint8_t got;
  };
  struct NodeRecord {
    std::vector<Arriving> lanes;
    std::vector<Expected> expected;  // by packet
  };
  std::string arrived(const FlitEvent& last, const Arriving& packet);
  std::string name(PacketIndex packet) const;
  std::uint32_t expected_word(PacketIndex packet, std::uint32_t index) const;

  const Schedule& schedule_;
  const TdmProgram& program_;
  int name_width_, longest_;
  std::vector<std::vector<std::uint32_t>> combined_;  // data of combined packets that hosts get
  std::vector<Outgoing> outputs_;                     // of all nodes
  std::vector<NodeRecord> nodes_;                     // each is touched by the thread of its node alone
};

}  // namespace safnet
