// timetable_node - the node of rtl/tdm/README.md with its host: one clocked process that takes in what came
// over its links in the cycle before and decides what it drives in this one.
#pragma once

#include <memory>
#include <vector>

#include "cpp_model/systemc/clocked.hpp"
#include "cpp_model/systemc/run_log.hpp"
#include "cpp_model/systemc/timetable.hpp"
#include "cpp_model/systemc/timetable_run.hpp"

namespace safnet::reference {

/// What crosses a link, or reaches a lane, in one cycle.
struct TimetableFlit {
  bool valid = false;  ///< false: nothing
  PacketIndex packet = 0;
  std::uint32_t flits = 0;  ///< of the packet
  std::uint32_t index = 0;  ///< of this flit within it, from 0
  ReferenceWords words{};
  friend bool operator==(const TimetableFlit&, const TimetableFlit&) = default;
};

/// sc_signal asks for these two; nothing prints or traces a flit.
inline std::ostream& operator<<(std::ostream& out, const TimetableFlit& flit) {
  return out << flit.packet << '.' << flit.index;
}
inline void sc_trace(sc_core::sc_trace_file*, const TimetableFlit&, const std::string&) {}

class TimetableNode : public Clocked {
 public:
  sc_core::sc_in<bool> started;  ///< low before the start
  sc_core::sc_vector<sc_core::sc_in<TimetableFlit>> in;
  sc_core::sc_vector<sc_core::sc_out<TimetableFlit>> out;
  sc_core::sc_vector<sc_core::sc_in<bool>> credit_in;    ///< per output
  sc_core::sc_vector<sc_core::sc_out<bool>> credit_out;  ///< per input

  /// All but `parameters` must outlive the node.
  TimetableNode(const sc_core::sc_module_name& name, const Graph& graph, NodeId id,
                const ReferenceProgram& program, const TimetableParameters& parameters, ReferenceHosts& hosts,
                RunLog& log);

  const TimetableNodeRecord& record() const { return record_; }

 private:
  using Words = std::shared_ptr<std::vector<ReferenceWords>>;  // of a packet, flit by flit

  /// The life of one buffer; all but the generation is that of the packet in it.
  struct Buffer {
    std::uint32_t generation = 0;
    bool granted = false, held = false;
    std::uint32_t parts = 0;  ///< 0: not known, as nothing has come
    std::uint32_t uses = 0;
    std::uint32_t begun = 0, ended = 0;  ///< parts
    std::uint32_t sends_begun = 0;
    std::uint64_t last_began_at = 0;  ///< the clock edge at which a part began last, ...
    std::size_t last_lane = 0;        ///< ... and through which lane, the lowest of several
    Words words = std::make_shared<std::vector<ReferenceWords>>();
    bool complete() const { return parts != 0 && ended == parts; }
    bool used_up() const { return complete() && sends_begun == uses; }
  };
  struct Lane {
    const ReferenceReceive* program = nullptr;
    std::size_t length = 0;
    std::size_t granted = 0, begun = 0;  ///< packets
    std::uint32_t flits = 0;             ///< of the packet that arrives
    bool just_granted = false;           ///< in this cycle: the credit leaves in the next
    bool leads_from_link = false;
    Words passing;  ///< of a packet that no buffer keeps
  };
  struct Output {
    const ReferenceSend* program = nullptr;
    std::size_t length = 0;
    std::size_t begun = 0;  ///< sends
    std::uint32_t credits = 0;
    std::uint32_t cycles_per_flit = 1;  ///< of the line that it leads to
    std::uint32_t line_free_from = 0;   ///< the first cycle in which the line can take another packet
    const ReferenceSend* sending = nullptr;
    std::uint32_t flits_sent = 0;
    Words words;                 ///< of what is being sent, unless it is the host's
    std::size_t noted_late = 0;  ///< the send that was noted as late last, plus 1
  };

  void on_edge() override;
  void free_buffers();
  void take_arrivals();
  void take_flit(std::size_t lane, const TimetableFlit& flit);
  void begin_packet(std::size_t lane, const ReferenceReceive& what);
  void store(const ReferenceReceive& what, const TimetableFlit& flit);
  void pass_to_host(std::size_t lane, const TimetableFlit& flit);
  void deliver(std::size_t lane, const TimetableFlit& last, const ReferenceReceive& what, const Words& words);
  void take_credits();
  void drive_credits();
  void grant();
  void start_sends();
  bool is_ready(const ReferenceSend& send) const;
  bool is_busy(const Output& output) const;
  void begin_send(Output& output);
  void note_wait(PortId port);
  void drive_flits();
  TimetableFlit next_flit(Output& output);
  void give_load();

  bool slot_opens() const { return (cycle_ - 1) % slot_cycles_ == 0; }
  std::uint32_t step_of(std::uint32_t cycle) const { return cycle == 0 ? 0 : (cycle - 1) / slot_cycles_ + 1; }
  std::uint32_t cycle_before() const { return cycle_ == 0 ? 0 : cycle_ - 1; }
  const ReferenceReceive& current(const Lane& lane) const { return lane.program[lane.begun - 1]; }
  std::size_t host_lane() const { return inputs_; }
  static std::vector<Buffer> make_buffers(const ReferenceProgram& program);

  NodeId id_;
  PortId inputs_, outputs_;  // links
  ReferenceHosts& hosts_;
  RunLog& log_;
  PortModel port_model_;
  Operation operation_;
  std::uint32_t slot_cycles_, window_;

  std::uint32_t cycle_ = 0;  // 0 before the start
  std::uint64_t edge_ = 0;   // as cycle_, but before the start too
  std::vector<Buffer> buffers_;
  std::vector<std::uint32_t> used_up_;  // buffers that are free from the next cycle on
  std::vector<Lane> lanes_;             // input ports, the host's, loopbacks
  std::vector<Output> sends_;           // output ports, loopbacks
  std::vector<TimetableFlit> inside_;   // what the host's lane and the loopbacks carry in this cycle
  std::vector<bool> loopback_credit_;   // on its way in this cycle
  const std::vector<ReferenceLoad>& loads_;
  std::size_t loads_begun_ = 0;
  std::uint32_t load_flits_ = 0;   // of the load that is being given
  std::size_t loads_allowed_ = 0;  // granted in a cycle before this one
  std::uint32_t granted_buffers_ = 0, held_buffers_ = 0;
  std::vector<ReferenceReceive> load_receives_;
  TimetableNodeRecord record_;
};

}  // namespace safnet::reference
