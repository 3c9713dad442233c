#include "sim/fabric/wave.hpp"

#include <verilated_fst_c.h>

namespace safnet {

Wave::Wave(const WaveRequest& request, const WavedNetwork& network, const MachineObserver* observer)
    : request_(request),
      network_(network),
      observer_(observer),
      nodes_(request.nodes),
      writer_(request.path) {
  const NodeId nodes = network_.graph().node_count();
  if (nodes_.empty()) {
    for (NodeId v = 0; v < nodes; ++v) nodes_.push_back(v);
  } else if (network_.is_one_model()) {
    constexpr int kAllLevels = 99;
    for (const NodeId v : nodes_) file()->dumpvars(kAllLevels, network_.scope_of(v));
    file()->dumpvars(kAllLevels, network_.timer_scope());
  }
}

void Wave::open() {
  writer_.open();
  add_links();
}

// Links that leave or enter a node that is shown.
void Wave::add_links() {
  const Graph& graph = network_.graph();
  std::vector<bool> is_shown(graph.node_count());
  for (const NodeId v : nodes_) is_shown[v] = true;
  writer_.begin_scope(WavedNetwork::kLinks);
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    std::vector<std::size_t>& places = place_.emplace_back(graph.degree(v), kNotShown);
    bool in_scope = false;
    for (PortId p = 0; p < graph.degree(v); ++p) {
      if (!is_shown[v] && !is_shown[graph.peer(v, p).node]) continue;
      if (!in_scope) writer_.begin_scope(network_.link_scope(v));
      in_scope = true;
      places[p] = links_.size();
      links_.push_back({.signal = writer_.add_words(network_.link_name(v, p))});
    }
    if (in_scope) writer_.end_scope();
  }
  writer_.end_scope();
}

void Wave::on_link_flit(const FlitEvent& flit) {
  const std::vector<std::size_t>& places = place_[flit.node];
  if (flit.port >= places.size() || places[flit.port] == kNotShown) return;
  Link& link = links_[places[flit.port]];
  if (link.packet.flits == 0)
    link.packet = observer_ != nullptr ? observer_->packet_in_words(flit) : PacketInWords{};
  if (link.packet.flits != 0) --link.packet.flits;
  link.carries_flit = true;
}

void Wave::write_links() {
  for (Link& link : links_) {
    const std::string_view words = link.carries_flit ? std::string_view(link.packet.words) : "";
    if (link.is_written && link.written == words) continue;
    writer_.set_words(link.signal, words);
    link.written = words;
    link.is_written = true;
  }
}

// Time stands still between a scan and its exchange.
void Wave::dump_at(std::uint64_t time) {
  if (last_dump_ && time <= *last_dump_) return;
  last_dump_ = time;
  writer_.dump(time);
  write_links();
}

void Wave::dump_start() {
  if (request_.first_cycle == 0) dump_at(0);
}

void Wave::dump(std::uint32_t cycle, bool rising) {
  if (cycle != 0 && cycle >= request_.first_cycle && cycle <= request_.last_cycle)
    dump_at(wave_time(cycle) + (rising ? 0 : wave_time(1) / 2));
  if (rising) return;
  for (Link& link : links_) link.carries_flit = false;
}

}  // namespace safnet
