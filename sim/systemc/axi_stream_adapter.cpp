#include "sim/systemc/axi_stream_adapter.hpp"

#include <fmt/format.h>

#include <utility>

#include "cpp_model/graph/input.hpp"
#include "sim/library/task_problem.hpp"

namespace safnet {

AxiStreamAdapter::AxiStreamAdapter(const sc_core::sc_module_name& name, NetworkModule& network,
                                   std::uint32_t node)
    : sc_module(name),
      clock("clock"),
      reset("reset"),
      s_tvalid("s_tvalid"),
      s_tready("s_tready"),
      s_tdata("s_tdata"),
      s_tlast("s_tlast"),
      s_tdest("s_tdest"),
      m_tvalid("m_tvalid"),
      m_tready("m_tready"),
      m_tdata("m_tdata"),
      m_tlast("m_tlast"),
      m_tid("m_tid"),
      node_(node),
      most_words_(network.most_words()),
      sent_("sent", 2),
      arrived_("arrived", 2) {
  lab::require("node", node, 0, network.processors() - 1);
  if (most_words_ == 0) throw bad_input("flits 1: expected 2 or more with AXI4-Stream, a beat is a word");
  network.from_host[node](sent_);
  network.to_host[node](arrived_);
  SC_HAS_PROCESS(AxiStreamAdapter);
  SC_METHOD(on_edge);
  sensitive << clock.pos();
  dont_initialize();
}

void AxiStreamAdapter::on_edge() {
  if (reset.read()) {
    NetworkPacket forgotten;
    while (arrived_.nb_read(forgotten)) continue;
    coming_ = {};
    left_ = 0;
    s_tready.write(false);
    m_tvalid.write(false);
    return;
  }
  take_beat();
  give_beat();
}

void AxiStreamAdapter::take_beat() {
  if (s_tvalid.read() && s_tready.read()) {
    if (coming_.words.empty()) coming_.destination = s_tdest.read().to_uint();
    if (coming_.words.size() == most_words_) {
      SC_REPORT_ERROR("/safnet/axi",
                      fmt::format("node {}: a packet of more than {} beats", node_, most_words_).c_str());
    }
    coming_.words.push_back(s_tdata.read().to_uint64());
    if (s_tlast.read()) sent_.nb_write(std::exchange(coming_, {}));
  }
  s_tready.write(sent_.num_free() > 0);
}

void AxiStreamAdapter::give_beat() {
  if (m_tvalid.read() && m_tready.read()) --left_;
  if (left_ == 0 && arrived_.nb_read(leaving_)) {
    left_ = leaving_.words.size();
    if (left_ == 0) {
      SC_REPORT_ERROR(
          "/safnet/axi",
          fmt::format("node {}: a packet of node {} without a word", node_, leaving_.source).c_str());
    }
  }
  m_tvalid.write(left_ != 0);
  if (left_ == 0) return;
  m_tdata.write(leaving_.words[leaving_.words.size() - left_]);
  m_tlast.write(left_ == 1);
  m_tid.write(leaving_.source);
}

}  // namespace safnet
