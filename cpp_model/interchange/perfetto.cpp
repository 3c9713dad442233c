#include "cpp_model/interchange/perfetto.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "cpp_model/graph/text.hpp"
#include "cpp_model/interchange/protobuf_message.hpp"
#include "cpp_model/number/groups.hpp"
#include "cpp_model/schedule/journeys.hpp"
#include "cpp_model/schedule/schedule_metrics.hpp"
#include "cpp_model/schedule/streamed_file.hpp"

namespace safnet {
namespace {

// Numbers of fields and values in Perfetto's schema, protos/perfetto/trace/*.proto and track_event/*.proto
// there.
namespace trace {
constexpr std::uint32_t kPacket = 1;
}
namespace trace_packet {
constexpr std::uint32_t kTimestamp = 8, kSequence = 10, kTrackEvent = 11, kInternedData = 12,
                        kSequenceFlags = 13, kTrackDescriptor = 60;
constexpr std::uint32_t kNamesBegin = 1, kNeedsNames = 2;  // values of kSequenceFlags
}  // namespace trace_packet
namespace interned_data {
constexpr std::uint32_t kAnnotationNames = 3, kNumber = 1, kName = 2;
}
namespace track_descriptor {
constexpr std::uint32_t kUuid = 1, kName = 2, kProcess = 3, kParent = 5, kCounter = 8, kChildOrdering = 11,
                        kRank = 12, kProcessOrdering = 19;
constexpr std::uint32_t kChildrenByRank = 3, kProcessesByRank = 1;  // values of the orderings
constexpr std::uint32_t kProcessPid = 1, kProcessName = 6;          // in kProcess
constexpr std::uint32_t kCounterUnitName = 6;                       // in kCounter
}  // namespace track_descriptor
namespace track_event {
constexpr std::uint32_t kAnnotation = 4, kType = 9, kTrack = 11, kName = 23, kCounterValue = 30, kFlow = 47,
                        kCorrelation = 52;
constexpr std::uint32_t kSliceBegin = 1, kSliceEnd = 2, kCounter = 4;  // values of kType
constexpr std::uint32_t kAnnotationNameNumber = 1, kAnnotationNumber = 3,
                        kAnnotationText = 6;  // in kAnnotation
}  // namespace track_event

// What is said of a slice. Names are written once for each track; slices then say their number, from 1 on.
enum Argument : std::uint32_t {
  kArgPacket = 1,
  kArgSource,
  kArgTag,
  kArgDestinations,
  kArgFlits,
  kArgStep,
  kArgHop,
  kArgWaited
};
constexpr std::array kArgumentNames{"packet", "source", "tag", "destinations",
                                    "flits",  "step",   "hop", "waited_cycles"};

// A change of the number of packets that wait: from this cycle on.
struct Change {
  std::uint64_t cycle;
  std::int64_t by;
};

class PerfettoWriter {
 public:
  PerfettoWriter(const Recording& recording, const CycleRange& shown, const std::string& path)
      : schedule_(recording.schedule),
        network_(schedule_.network),
        shown_(shown),
        journeys_(recording),
        by_link_(network_.link_count(),
                 [this](const auto& put) {
                   for (Journeys::SendNumber i = 0; i < schedule_.sends.size(); ++i)
                     put(schedule_.sends[i].link, i);
                 }),
        out_(path) {
    for (NodeId v = 0; v < network_.node_count(); ++v) names_.push_back(one_line(network_.node_name(v)));
  }

  void write() {
    put_run();
    for (LinkId link = 0; link < network_.link_count(); ++link) put_link(link);
    out_.commit();
  }

 private:
  using SendNumber = Journeys::SendNumber;

  bool is_shown(SendNumber send) const {
    return schedule_.cycle(schedule_.sends[send]) <= shown_.last &&
           journeys_.last_cycle(send) >= shown_.first;
  }

  // Tracks have numbers: 1 is the run's, then nodes, then links, each with its queue. 0 is that of the trace.
  static constexpr std::uint64_t kRunTrack = 1;
  std::uint64_t node_track(NodeId v) const { return 2 + std::uint64_t{v}; }
  std::uint64_t link_track(LinkId link) const {
    return node_track(network_.node_count()) + 2 * std::uint64_t{link};
  }
  std::uint64_t queue_track(LinkId link) const { return link_track(link) + 1; }

  void put_run();
  void put_link(LinkId link);
  void put_node(NodeId v);
  void put_tracks_of(LinkId link, bool waits);
  std::vector<Change> changes_of_queue(LinkId link) const;
  void put_counts(LinkId link, std::uint64_t up_to, std::span<const Change>& changes, std::int64_t& waiting);
  void put_begin(LinkId link, SendNumber send);
  void put_end(std::uint64_t track, std::uint64_t time);

  void begin_event(std::uint32_t type, std::uint64_t track) {
    event_.clear();
    event_.add_number(track_event::kType, type);
    event_.add_number(track_event::kTrack, track);
  }
  void annotate(Argument argument, std::uint64_t value) {
    part_.clear();
    part_.add_number(track_event::kAnnotationNameNumber, argument);
    part_.add_number(track_event::kAnnotationNumber, value);
    event_.add_message(track_event::kAnnotation, part_);
  }
  void annotate(Argument argument, const std::string& text) {
    part_.clear();
    part_.add_number(track_event::kAnnotationNameNumber, argument);
    part_.add_text(track_event::kAnnotationText, text);
    event_.add_message(track_event::kAnnotation, part_);
  }
  // A track's packets are a sequence of their own: Perfetto expects a sequence, not the file, in order of
  // time.
  void put_event(std::uint64_t sequence, std::uint64_t time) {
    packet_.clear();
    packet_.add_number(trace_packet::kTimestamp, time);
    packet_.add_message(trace_packet::kTrackEvent, event_);
    packet_.add_number(trace_packet::kSequence, sequence);
    packet_.add_number(trace_packet::kSequenceFlags, trace_packet::kNeedsNames);
    put_packet();
  }
  void put_track(const ProtobufMessage& track, std::uint64_t sequence) {
    packet_.clear();
    packet_.add_message(trace_packet::kTrackDescriptor, track);
    packet_.add_number(trace_packet::kSequence, sequence);
    put_packet();
  }
  void put_names(std::uint64_t sequence) {
    ProtobufMessage names;
    for (std::size_t i = 0; i < kArgumentNames.size(); ++i) {
      ProtobufMessage name;
      name.add_number(interned_data::kNumber, i + 1);
      name.add_text(interned_data::kName, kArgumentNames[i]);
      names.add_message(interned_data::kAnnotationNames, name);
    }
    packet_.clear();
    packet_.add_message(trace_packet::kInternedData, names);
    packet_.add_number(trace_packet::kSequence, sequence);
    packet_.add_number(trace_packet::kSequenceFlags, trace_packet::kNamesBegin);
    put_packet();
  }
  void put_packet() {
    framed_.clear();
    framed_.add_message(trace::kPacket, packet_);
    out_.put(framed_.bytes());
  }

  const Schedule& schedule_;
  const Graph& network_;
  const CycleRange shown_;
  Journeys journeys_;
  Groups by_link_;
  std::vector<std::string> names_;
  NodeId last_node_ = kNoNode;  // whose track was written
  StreamedOutput out_;
  ProtobufMessage event_, part_, packet_, framed_;
  std::vector<SendNumber> neighbours_;
};

// The track above all others: a slice from cycle 0 to the end, so that the ruler of the whole trace counts
// cycles, and the order of the nodes.
void PerfettoWriter::put_run() {
  ProtobufMessage track;
  track.add_number(track_descriptor::kUuid, 0);
  track.add_number(track_descriptor::kProcessOrdering, track_descriptor::kProcessesByRank);
  put_track(track, kRunTrack);
  track.clear();
  track.add_number(track_descriptor::kUuid, kRunTrack);
  track.add_text(track_descriptor::kName, "run");
  put_track(track, kRunTrack);

  const std::uint64_t end = last_arrival_cycle(schedule_) + 1;
  const std::uint64_t begin = shown_.first == 1 ? 0 : shown_.first;
  if (begin >= end) return;  // nothing happens in what is shown
  begin_event(track_event::kSliceBegin, kRunTrack);
  std::string name = one_line(network_.spelling());
  if (!schedule_.collective.empty()) name = one_line(schedule_.collective) + " on " + name;
  if (!schedule_.algorithm.empty()) name += ", " + one_line(schedule_.algorithm);
  event_.add_text(track_event::kName, name);
  put_names(kRunTrack);
  put_event(kRunTrack, begin);
  put_end(kRunTrack, shown_.last < end ? shown_.last + 1 : end);
}

void PerfettoWriter::put_node(NodeId v) {
  ProtobufMessage process, track;
  // Perfetto takes process 0 for the idle processor.
  process.add_number(track_descriptor::kProcessPid, std::uint64_t{v} + 1);
  process.add_text(track_descriptor::kProcessName, "node " + names_[v]);
  track.add_number(track_descriptor::kUuid, node_track(v));
  track.add_message(track_descriptor::kProcess, process);
  track.add_number(track_descriptor::kChildOrdering, track_descriptor::kChildrenByRank);
  track.add_number(track_descriptor::kRank, v);
  put_track(track, kRunTrack);
}

void PerfettoWriter::put_tracks_of(LinkId link, bool waits) {
  const NodeId node = network_.link_source(link);
  if (node != std::exchange(last_node_, node)) put_node(node);
  const PortId port = network_.link_port(link);
  const std::string where = fmt::format("{}, port {}", names_[network_.link_target(link)], port);
  ProtobufMessage track;
  track.add_number(track_descriptor::kUuid, link_track(link));
  track.add_number(track_descriptor::kParent, node_track(node));
  track.add_text(track_descriptor::kName, "to " + where);
  track.add_number(track_descriptor::kRank, 2 * std::uint64_t{port});
  put_track(track, link_track(link));
  if (waits) {
    ProtobufMessage counter;
    counter.add_text(track_descriptor::kCounterUnitName, "packets");
    track.clear();
    track.add_number(track_descriptor::kUuid, queue_track(link));
    track.add_number(track_descriptor::kParent, node_track(node));
    track.add_text(track_descriptor::kName, "waiting for " + where);
    track.add_message(track_descriptor::kCounter, counter);
    track.add_number(track_descriptor::kRank, 2 * std::uint64_t{port} + 1);
    put_track(track, link_track(link));
  }
  put_names(link_track(link));
}

// A packet waits from the cycle in which it is ready to the one before it starts.
std::vector<Change> PerfettoWriter::changes_of_queue(LinkId link) const {
  std::vector<Change> changes;
  for (const SendNumber send : by_link_.of(link)) {
    const std::uint64_t ready = journeys_.ready_cycle(send), start = schedule_.cycle(schedule_.sends[send]);
    if (ready == start || ready > shown_.last || start <= shown_.first) continue;
    changes.push_back({std::max(ready, shown_.first), 1});
    if (start <= shown_.last) changes.push_back({start, -1});
  }
  std::ranges::sort(changes, {}, &Change::cycle);
  return changes;
}

// The counts that change up to this time. What comes and goes in one cycle is one change.
void PerfettoWriter::put_counts(LinkId link, std::uint64_t up_to, std::span<const Change>& changes,
                                std::int64_t& waiting) {
  while (!changes.empty() && changes.front().cycle <= up_to) {
    const std::uint64_t cycle = changes.front().cycle;
    const std::int64_t before = waiting;
    for (; !changes.empty() && changes.front().cycle == cycle; changes = changes.subspan(1))
      waiting += changes.front().by;
    if (waiting == before) continue;
    begin_event(track_event::kCounter, queue_track(link));
    event_.add_number(track_event::kCounterValue, static_cast<std::uint64_t>(waiting));
    put_event(link_track(link), cycle);
  }
}

void PerfettoWriter::put_begin(LinkId link, SendNumber send) {
  const PacketList& packets = schedule_.packets;
  const PacketIndex packet = schedule_.sends[send].packet;
  const std::string& source = names_[packets.origin(packet)];
  begin_event(track_event::kSliceBegin, link_track(link));
  event_.add_text(track_event::kName, fmt::format("{} tag {}", source, packets.tag(packet)));
  annotate(kArgPacket, packet);
  annotate(kArgSource, source);
  annotate(kArgTag, packets.tag(packet));
  annotate(kArgDestinations, packets.destinations(packet).size());
  annotate(kArgFlits, journeys_.flits(send));
  annotate(kArgStep, schedule_.sends[send].start);
  annotate(kArgHop, journeys_.hop(send));
  annotate(kArgWaited, journeys_.waited_cycles(send));
  // An arrow has its own number, made of those of the sends at its ends: the slices that share it are these
  // two.
  const auto arrow = [&](SendNumber from, SendNumber to) {
    if (is_shown(from) && is_shown(to))
      event_.add_fixed64(track_event::kFlow, std::uint64_t{from} << 32 | to);
  };
  journeys_.before(send, neighbours_);
  for (const SendNumber from : neighbours_) arrow(from, send);
  journeys_.next(send, neighbours_);
  for (const SendNumber to : neighbours_) arrow(send, to);
  event_.add_number(track_event::kCorrelation, std::uint64_t{packet} + 1);
  put_event(link_track(link), schedule_.cycle(schedule_.sends[send]));
}

void PerfettoWriter::put_end(std::uint64_t track, std::uint64_t time) {
  begin_event(track_event::kSliceEnd, track);
  put_event(track, time);
}

void PerfettoWriter::put_link(LinkId link) {
  const std::vector<Change> all = changes_of_queue(link);
  std::span<const Change> changes(all);
  std::int64_t waiting = 0;
  bool begun = !all.empty();
  if (begun) {
    put_tracks_of(link, true);
    // The curve begins where the picture does.
    if (all.front().cycle > shown_.first) {
      begin_event(track_event::kCounter, queue_track(link));
      event_.add_number(track_event::kCounterValue, 0);
      put_event(link_track(link), shown_.first == 1 ? 0 : shown_.first);
    }
  }
  for (const SendNumber send : by_link_.of(link)) {
    if (!is_shown(send)) continue;
    if (!std::exchange(begun, true)) put_tracks_of(link, false);
    put_counts(link, schedule_.cycle(schedule_.sends[send]), changes, waiting);
    put_begin(link, send);
    put_counts(link, journeys_.last_cycle(send), changes, waiting);
    put_end(link_track(link), journeys_.last_cycle(send) + 1);
  }
  put_counts(link, ~std::uint64_t{0}, changes, waiting);
}

}  // namespace

void write_perfetto(const Recording& recording, const CycleRange& shown, const std::string& path) {
  PerfettoWriter(recording, shown, path).write();
}

}  // namespace safnet
