// bindings - the Python module safnet._safnet: the C++ library (sim/library) for Python, and its traces as
// arrays.
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "cpp_model/system/version.hpp"
#include "sim/library/bound.hpp"
#include "sim/library/plan.hpp"
#include "sim/library/run.hpp"

namespace py = pybind11;

namespace safnet::lab {
namespace {

constexpr std::uint64_t kWhole = 0xffff'ffff;

// A whole number as C++ has it; negative ones and such as have no room are refused in the library's words.
std::uint32_t number(const char* what, const py::int_& value) {
  const py::int_ low(0), high(kWhole);
  if (value < low || value > high)
    throw std::invalid_argument(std::string(what) + " " + std::string(py::str(py::handle(value))) +
                                ": expected 0 to " + std::to_string(kWhole));
  return value.cast<std::uint32_t>();
}

Task task_of(const std::string& collective, const std::string& ports, const py::int_& root,
             const py::int_& messages, const std::string& algorithm) {
  return {collective, ports, number("root", root), number("messages", messages), algorithm};
}

Nodes nodes_of(const std::string& kind, const py::int_& flits, const py::int_& link_latency,
               const py::int_& queue_depth, bool fitted, bool reference, bool trace) {
  Nodes nodes{.kind = kind,
              .flits = number("flits", flits),
              .link_latency = number("link_latency", link_latency),
              .queue_depth = number("queue_depth", queue_depth),
              .fitted = fitted,
              .reference = reference,
              .trace = trace};
  // Ctrl-C: Python has noted the signal; what this throws ends the run.
  nodes.on_progress = [](std::uint64_t, std::uint64_t, std::uint32_t) {
    const py::gil_scoped_acquire lock;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  };
  return nodes;
}

// An array of what a vector holds, which the array keeps alive: nothing is copied.
template <class Row>
py::array_t<Row> as_array(const std::shared_ptr<Outcome>& owner, std::vector<Row>& rows) {
  const py::capsule keeper(new std::shared_ptr<Outcome>(owner),
                           [](void* kept) { delete static_cast<std::shared_ptr<Outcome>*>(kept); });
  return py::array_t<Row>(static_cast<py::ssize_t>(rows.size()), rows.data(), keeper);
}

void bind_network(py::module_& module) {
  py::class_<Topology>(module, "Topology", "A network, by its spelling: \"torus:4x4\".")
      .def(py::init<const std::string&>(), py::arg("spelling"), py::call_guard<py::gil_scoped_release>())
      .def_property_readonly("spelling", &Topology::spelling)
      .def_property_readonly("nodes", &Topology::nodes)
      .def_property_readonly("processors", &Topology::processors)
      .def("neighbours", &Topology::neighbours, py::arg("node"))
      .def("name", &Topology::name, py::arg("node"))
      .def("__repr__", [](const Topology& t) { return "safnet.Topology('" + t.spelling() + "')"; });
  PYBIND11_NUMPY_DTYPE(PlannedSend, step, from, to, port, packet);
  py::class_<Plan>(module, "Plan", "A collective on a network as a schedule.")
      .def(py::init([](const Topology& topology, const std::string& collective, const std::string& ports,
                       const py::int_& root, const py::int_& messages, const std::string& algorithm) {
             const Task task = task_of(collective, ports, root, messages, algorithm);
             const py::gil_scoped_release release;
             return Plan(topology, task);
           }),
           py::arg("topology"), py::arg("collective"), py::kw_only(), py::arg("ports") = "all",
           py::arg("root") = 0, py::arg("messages") = 1, py::arg("algorithm") = "auto")
      .def_static("load", &Plan::load, py::arg("path"))
      .def("save", &Plan::save, py::arg("path"))
      .def_property_readonly("topology", &Plan::topology)
      .def_property_readonly("algorithm", &Plan::algorithm)
      .def_property_readonly("steps", &Plan::steps)
      .def_property_readonly("lower_bound", &Plan::lower_bound)
      .def_property_readonly("bound_reason", &Plan::bound_reason)
      .def_property_readonly("sends", [](const Plan& plan) {
        const std::vector<PlannedSend> sends = plan.sends();
        return py::array_t<PlannedSend>(static_cast<py::ssize_t>(sends.size()), sends.data());
      });
}

void bind_outcome(py::module_& module) {
  PYBIND11_NUMPY_DTYPE(Crossing, step, cycle, from, port, source, tag, flits);
  PYBIND11_NUMPY_DTYPE(Arrival, step, cycle, node, port, source, tag);
  py::class_<Outcome, std::shared_ptr<Outcome>>(module, "Outcome", "What came of a run, by the hardware.")
      .def_readonly("algorithm", &Outcome::algorithm)
      .def_readonly("steps", &Outcome::steps)
      .def_readonly("cycles", &Outcome::cycles)
      .def_readonly("crossings_counted", &Outcome::crossings)
      .def_readonly("delivered", &Outcome::delivered)
      .def_readonly("expected", &Outcome::expected)
      .def_readonly("lost", &Outcome::lost)
      .def_readonly("duplicated", &Outcome::duplicated)
      .def_readonly("lower_bound", &Outcome::lower_bound)
      .def_property_readonly("verdict", [](const Outcome& o) { return to_string(o.verdict); })
      .def_readonly("problems", &Outcome::problems)
      .def_readonly("waits", &Outcome::waits)
      .def_property_readonly(
          "crossings", [](const std::shared_ptr<Outcome>& o) { return as_array(o, o->trace.crossings); })
      .def_property_readonly(
          "arrivals", [](const std::shared_ptr<Outcome>& o) { return as_array(o, o->trace.arrivals); });
}

void bind_runs(py::module_& module) {
  module.def(
      "run",
      [](const Topology& topology, const std::string& collective, const std::string& ports,
         const py::int_& root, const py::int_& messages, const std::string& algorithm,
         const std::string& kind, const py::int_& flits, const py::int_& link_latency,
         const py::int_& queue_depth, bool fitted, bool reference, bool trace) {
        const Task task = task_of(collective, ports, root, messages, algorithm);
        const Nodes nodes = nodes_of(kind, flits, link_latency, queue_depth, fitted, reference, trace);
        const py::gil_scoped_release release;
        return std::make_shared<Outcome>(run(topology, task, nodes));
      },
      py::arg("topology"), py::arg("collective"), py::kw_only(), py::arg("ports") = "all",
      py::arg("root") = 0, py::arg("messages") = 1, py::arg("algorithm") = "auto", py::arg("kind") = "auto",
      py::arg("flits") = 1, py::arg("link_latency") = 0, py::arg("queue_depth") = 0,
      py::arg("fitted") = false, py::arg("reference") = false, py::arg("trace") = false,
      "Runs a collective on verilated nodes.");
  module.def(
      "replay",
      [](const Plan& plan, const py::int_& flits, const py::int_& link_latency, bool fitted, bool reference,
         bool trace) {
        const Nodes nodes = nodes_of("auto", flits, link_latency, py::int_(0), fitted, reference, trace);
        const py::gil_scoped_release release;
        return std::make_shared<Outcome>(run(plan, nodes));
      },
      py::arg("plan"), py::kw_only(), py::arg("flits") = 1, py::arg("link_latency") = 0,
      py::arg("fitted") = false, py::arg("reference") = false, py::arg("trace") = false,
      "Runs a plan on nodes that obey it.");
  module.def(
      "lower_bound",
      [](const Topology& topology, const std::string& collective, const std::string& ports,
         const py::int_& root, const py::int_& messages) {
        const Bound bound = lower_bound(topology, task_of(collective, ports, root, messages, "auto"));
        return std::pair(bound.steps, bound.reason);
      },
      py::arg("topology"), py::arg("collective"), py::kw_only(), py::arg("ports") = "all",
      py::arg("root") = 0, py::arg("messages") = 1, "(steps that no schedule can beat, the argument)");
  module.def(
      "certificate",
      [](const Topology& topology, const std::string& collective, const std::string& ports,
         const py::int_& root, const py::int_& messages) {
        return certificate(topology, task_of(collective, ports, root, messages, "auto"));
      },
      py::arg("topology"), py::arg("collective"), py::kw_only(), py::arg("ports") = "all",
      py::arg("root") = 0, py::arg("messages") = 1,
      "The proof of that bound, as JSON for scripts/check_certificate.py.");
}

}  // namespace
}  // namespace safnet::lab

PYBIND11_MODULE(_safnet, module) {
  module.attr("__version__") = safnet::kVersion;
  safnet::lab::bind_network(module);
  safnet::lab::bind_outcome(module);
  safnet::lab::bind_runs(module);
}
