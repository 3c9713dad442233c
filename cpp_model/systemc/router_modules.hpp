// router_modules - the modules of a network of reference routers, wired, in whatever simulation is current.
#pragma once

#include <cstdint>
#include <memory>
#include <systemc>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "cpp_model/schedule/policy.hpp"
#include "cpp_model/systemc/link.hpp"
#include "cpp_model/systemc/node.hpp"
#include "cpp_model/systemc/reference_run.hpp"
#include "cpp_model/systemc/run_log.hpp"

namespace safnet::reference {

class RouterModules {
 public:
  /// `policy`, `clock` and `log` must outlive the modules. Throws std::invalid_argument, naming a parameter,
  /// if it is out of range, and for a network with one-way links.
  RouterModules(const Graph& graph, const Policy& policy, const ReferenceParameters& parameters,
                const sc_core::sc_signal_in_if<bool>& clock, RunLog& log);
  ~RouterModules();
  RouterModules(const RouterModules&) = delete;
  RouterModules& operator=(const RouterModules&) = delete;

  Node& node(NodeId v) { return *nodes_[v]; }
  const Node& node(NodeId v) const { return *nodes_[v]; }
  /// From the next edge on, until it is called with false.
  void hold_in_reset(bool held);

 private:
  using Signal = sc_core::sc_signal<Drive>;
  Signal* make_signal() { return signals_.emplace_back(std::make_unique<Signal>()).get(); }
  void make_links(const Graph& graph, int latency, const sc_core::sc_signal_in_if<bool>& clock);

  std::vector<std::unique_ptr<Signal>> signals_;
  std::vector<std::unique_ptr<Link<Drive>>> links_;
  // By link: what drives it, and what is heard at its end. Without latency both are one.
  std::vector<Signal*> driven_, heard_;
  std::vector<std::unique_ptr<Node>> nodes_;
};

}  // namespace safnet::reference
