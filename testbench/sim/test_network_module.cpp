// Networks as modules of SystemC platforms: the cycles are those of the fabric, with RTL inside as with the
// reference; sockets, AXI4-Stream; what is wrong is said.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cpp_model/graph/topology.hpp"
#include "cpp_model/schedule/problem.hpp"
#include "cpp_model/systemc/simulation_context.hpp"
#include "sim/pifo/packet_format.hpp"
#include "sim/run/traffic.hpp"
#include "sim/systemc/axi_stream_adapter.hpp"
#include "sim/systemc/network_module.hpp"
#include "sim/systemc/tlm_adapter.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/random_network.hpp"

using namespace safnet;
using namespace safnet::testbench;
using Catch::Matchers::Contains;
using sc_core::SC_NS;
using sc_core::sc_time;

namespace {

constexpr std::uint32_t kFifo = 4096;  // packets: what hosts have never fills a fifo

// A packet that came to a host: the cycle of its last flit, the node, its source, and how many of that
// source's packets for the node came before.
using Came = std::tuple<std::uint32_t, NodeId, NodeId, std::uint32_t>;

// A line for each, in order.
std::string in_words(std::vector<Came> came) {
  std::ranges::sort(came);
  std::string lines;
  for (const auto& [cycle, node, source, number] : came)
    lines += fmt::format("{} {}>{} #{}\n", cycle, source, node, number);
  return lines;
}

// What the hosts of the fabric get.
class HostTap final : public MachineTap {
 public:
  explicit HostTap(const PifoParameters& parameters) : format_(parameters) {}
  void on_reset() override {}
  void on_load(std::uint32_t, const NodeProgram&) override {}
  void on_offer(std::uint32_t, const HostPacket&) override {}
  void on_delivered_flit(const FlitEvent& flit) override {
    const auto lane = std::pair(flit.node, flit.port);
    if (!under_way_.contains(lane)) under_way_[lane] = format_.fields(flit.value()).packet.source;
    if (!flit.last) return;
    const NodeId source = under_way_[lane];
    under_way_.erase(lane);
    came.emplace_back(flit.now.cycle, flit.node, source, before_[{flit.node, source}]++);
  }
  std::vector<Came> came;

 private:
  PacketFormat format_;
  std::map<std::pair<NodeId, std::uint32_t>, NodeId> under_way_;
  std::map<std::pair<NodeId, NodeId>, std::uint32_t> before_;
};

// Hosts that write a list of packets into the fifos in time, and empty the others. An edge takes what was
// written at the one before.
class Hosts : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clock{"clock"};
  sc_core::sc_out<bool> reset{"reset"};
  std::vector<Came> came;
  std::uint32_t reset_at = 0;  // edge at which the hosts reset the network and begin anew; 0: none

  Hosts(const sc_core::sc_module_name& name, std::vector<TracedPackets> packets, std::uint32_t words,
        NetworkModule& network)
      : sc_module(name), packets_(std::move(packets)), words_(words), network_(network) {
    for (NodeId v = 0; v < network.processors(); ++v) {
      fifos_.push_back(std::make_unique<sc_core::sc_fifo<NetworkPacket>>(static_cast<int>(kFifo)));
      network.from_host[v](*fifos_.back());
      fifos_.push_back(std::make_unique<sc_core::sc_fifo<NetworkPacket>>(static_cast<int>(kFifo)));
      network.to_host[v](*fifos_.back());
    }
    SC_HAS_PROCESS(Hosts);
    SC_METHOD(on_edge);
    sensitive << clock.pos();
    dont_initialize();
  }

 private:
  void start_of_simulation() override { write_packets(); }
  void on_edge() {
    ++edge_;
    if (was_reset_) begin_anew();
    was_reset_ = reset_at != 0 && edge_ == reset_at;
    if (was_reset_) reset_at = 0;
    reset.write(was_reset_);
    for (NodeId v = 0; v < network_.processors(); ++v) read_packets(v);
    write_packets();
  }
  void begin_anew() {
    was_reset_ = false;
    edge_ = 0;
    came.clear();
    sequence_.clear();
    before_.clear();
    next_ = 0;
    NetworkPacket old;
    for (const auto& fifo : fifos_) {
      while (fifo->nb_read(old)) continue;
    }
  }
  // What is read was written an edge ago, at the end of the cycle before that.
  void read_packets(NodeId v) {
    NetworkPacket packet;
    while (fifos_[2 * v + 1]->nb_read(packet)) {
      CHECK(packet.destination == v);
      const std::uint32_t number = before_[{v, packet.source}]++;
      if (words_ != 0) {
        CHECK(packet.words.size() == words_);
        CHECK(packet.words.back() == number);
      }
      came.emplace_back(edge_ - 2, v, packet.source, number);
    }
  }
  void write_packets() {
    for (; next_ < packets_.size() && packets_[next_].cycle == edge_ + 1; ++next_) {
      const TracedPackets& p = packets_[next_];
      for (std::uint32_t m = 0; m < p.messages; ++m) {
        const std::uint64_t number = sequence_[{p.destination, p.source}]++;
        REQUIRE(
            fifos_[2 * p.source]->nb_write({0, p.destination, std::vector<std::uint64_t>(words_, number)}));
      }
    }
  }

  std::vector<TracedPackets> packets_;
  std::uint32_t words_;
  NetworkModule& network_;
  std::vector<std::unique_ptr<sc_core::sc_fifo<NetworkPacket>>> fifos_;
  std::map<std::pair<NodeId, NodeId>, std::uint32_t> sequence_, before_;
  std::size_t next_ = 0;
  std::uint32_t edge_ = 0;
  bool was_reset_ = false;
};

// Some packets, in order of cycle.
std::vector<TracedPackets> random_packets(Dice& dice, NodeId nodes, std::uint32_t packets) {
  std::vector<TracedPackets> list;
  for (std::uint32_t i = 0; i < packets; ++i) {
    const NodeId source = dice.below(nodes);
    const NodeId destination = (source + dice.between(1, nodes - 1)) % nodes;
    list.push_back({dice.between(1, 60), source, destination, dice.between(1, 3)});
  }
  std::ranges::stable_sort(list, {}, &TracedPackets::cycle);
  return list;
}

std::string run_fabric(const lab::Topology& topology, const NetworkOptions& options,
                       const std::vector<TracedPackets>& packets) {
  const PacketRoutes routes(topology.graph(), parse_port_model(options.ports), options.routes);
  TrafficRequest request;
  request.flits = static_cast<int>(options.flits);
  request.link_latency = static_cast<int>(options.link_latency);
  request.queue_depth = static_cast<int>(options.queue_depth);
  request.host_depth = static_cast<int>(options.host_depth);
  request.phases = {0, 60, 20'000};
  HostTap tap(traffic_parameters(request, routes));
  request.machine_tap = &tap;
  const TrafficResult result = run_traffic(request, routes, packets, VariantStore::standard());
  REQUIRE(result.problems.empty());
  return in_words(tap.came);
}

std::string run_platform(const lab::Topology& topology, const NetworkOptions& options,
                         const std::vector<TracedPackets>& packets, std::uint32_t reset_at = 0) {
  const reference::SimulationContext context;
  sc_core::sc_clock clock("clock", sc_time(1, SC_NS));
  sc_core::sc_signal<bool> reset("reset");
  NetworkModule network("network", topology, options);
  Hosts hosts("hosts", packets, options.flits - 1, network);
  hosts.reset_at = reset_at;
  network.clock(clock);
  network.reset(reset);
  hosts.clock(clock);
  hosts.reset(reset);
  sc_core::sc_start(5000, SC_NS);
  CHECK(network.on_the_way() == 0);
  CHECK(network.sent() == hosts.came.size());
  return in_words(hosts.came);
}

const std::vector<NetworkOptions>& settings() {
  static const std::vector<NetworkOptions> list{
      {.flits = 1},
      {.flits = 4, .link_latency = 1},
      {.flits = 3, .link_latency = 1, .queue_depth = 16, .host_depth = 2},
      {.ports = "one", .flits = 2},
      {.ports = "one", .flits = 4, .link_latency = 1, .queue_depth = 16},
  };
  return list;
}

}  // namespace

TEST_CASE("a platform's network takes the cycles of the fabric, with RTL inside as with the reference",
          "[network_module]") {
  Dice dice(21);
  for (const char* spelling : {"ring:5", "torus:3x3", "hypercube:3", "fat-tree:2,2", "linear:2"}) {
    for (NetworkOptions options : settings()) {
      if (lab::Topology(spelling).processors() != lab::Topology(spelling).nodes() && options.ports == "one")
        continue;  // there is no policy for that
      INFO(spelling << ", " << options.ports << "-port, " << options.flits << "+" << options.link_latency);
      const lab::Topology topology(spelling);
      const std::vector<TracedPackets> packets = random_packets(dice, topology.processors(), 80);
      const std::string expected = run_fabric(topology, options, packets);
      CHECK(std::ranges::count(expected, '\n') >= 80);
      CHECK(run_platform(topology, options, packets) == expected);
      options.model = "systemc";
      CHECK(run_platform(topology, options, packets) == expected);
    }
  }
}

// The table of sim/systemc/README.md: n = 1.
TEST_CASE("a packet of two flits is at its neighbour's host after three cycles", "[network_module]") {
  for (const char* model : {"rtl", "systemc"})
    CHECK(run_platform(lab::Topology("linear:2"), {.model = model, .flits = 2}, {{1, 0, 1, 1}}) ==
          "4 0>1 #0\n");
}

TEST_CASE("a network's figures can be traced beside a platform's signals", "[network_module]") {
  const std::string path = "/tmp/safnet_network_module_" + std::to_string(::getpid());
  {
    const reference::SimulationContext context;
    sc_core::sc_clock clock("clock", sc_time(1, SC_NS));
    sc_core::sc_signal<bool> reset("reset");
    NetworkModule network("network", lab::Topology("linear:2"), {.model = "systemc", .flits = 2});
    Hosts hosts("hosts", {{1, 0, 1, 1}, {2, 1, 0, 1}}, 1, network);
    network.clock(clock);
    network.reset(reset);
    hosts.clock(clock);
    hosts.reset(reset);
    sc_core::sc_trace_file* file = sc_core::sc_create_vcd_trace_file(path.c_str());
    network.trace(file);
    sc_core::sc_start(100, SC_NS);
    sc_core::sc_close_vcd_trace_file(file);
    CHECK(network.cycle() >= 99);
    CHECK(network.delivered() == 2);
  }
  std::ifstream in(path + ".vcd");
  const std::string vcd(std::istreambuf_iterator<char>(in), {});
  for (const char* name : {"cycle", "sent", "delivered"}) CHECK_THAT(vcd, Catch::Contains(name));
  CHECK(std::remove((path + ".vcd").c_str()) == 0);
}

TEST_CASE("after a reset a platform's network does the same again", "[network_module]") {
  Dice dice(22);
  const lab::Topology topology("torus:3x3");
  const std::vector<TracedPackets> packets = random_packets(dice, topology.processors(), 80);
  for (const char* model : {"rtl", "systemc"}) {
    for (NetworkOptions options : settings()) {
      INFO(model << ", " << options.ports << "-port, " << options.flits << "+" << options.link_latency);
      options.model = model;
      CHECK(run_platform(topology, options, packets, 30) == run_platform(topology, options, packets));
    }
  }
}

namespace {

// Two processors at the sockets of nodes 0 and 2 of a ring: each sends its packets and notes what comes.
class SocketUser : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<SocketUser> send{"send"};
  tlm_utils::simple_target_socket<SocketUser> receive{"receive"};
  std::vector<std::pair<std::uint64_t, std::vector<std::uint64_t>>> came;
  std::vector<tlm::tlm_response_status> answers;
  struct Request {
    tlm::tlm_command command = tlm::TLM_WRITE_COMMAND;
    std::uint64_t address = 0;
    std::vector<std::uint64_t> words = {};
    unsigned bytes_less = 0;
  };
  std::vector<Request> requests;
  tlm::tlm_response_status answer = tlm::TLM_OK_RESPONSE;

  explicit SocketUser(const sc_core::sc_module_name& name) : sc_module(name) {
    receive.register_b_transport(this, &SocketUser::get);
    SC_HAS_PROCESS(SocketUser);
    SC_THREAD(run);
  }

 private:
  void run() {
    for (Request& request : requests) {
      tlm::tlm_generic_payload transaction;
      const auto bytes = static_cast<unsigned>(request.words.size() * 8) - request.bytes_less;
      transaction.set_command(request.command);
      transaction.set_address(request.address);
      transaction.set_data_ptr(reinterpret_cast<unsigned char*>(request.words.data()));
      transaction.set_data_length(bytes);
      transaction.set_streaming_width(bytes);
      sc_time delay(3, SC_NS);
      send->b_transport(transaction, delay);
      answers.push_back(transaction.get_response_status());
    }
  }
  void get(tlm::tlm_generic_payload& transaction, sc_time&) {
    const auto* words = reinterpret_cast<const std::uint64_t*>(transaction.get_data_ptr());
    came.emplace_back(transaction.get_address(),
                      std::vector<std::uint64_t>(words, words + transaction.get_data_length() / 8));
    transaction.set_response_status(answer);
  }
};

// A ring of four nodes: sockets at 0 and 2, fifos at the others.
struct SocketPlatform {
  explicit SocketPlatform(const NetworkOptions& options)
      : network("network", lab::Topology("ring:4"), options) {
    network.clock(clock);
    network.reset(reset);
    for (const NodeId v : {1U, 3U}) {
      network.from_host[v](idle[v]);
      network.to_host[v](idle[v + 4]);
    }
    for (std::size_t i = 0; i < 2; ++i) {
      users[i].send.bind(adapters[i].send);
      adapters[i].receive.bind(users[i].receive);
    }
  }
  const reference::SimulationContext context;
  sc_core::sc_clock clock{"clock", sc_time(1, SC_NS)};
  sc_core::sc_signal<bool> reset{"reset"};
  NetworkModule network;
  sc_core::sc_fifo<NetworkPacket> idle[8];
  TlmAdapter adapters[2] = {{"adapter_0", network, 0}, {"adapter_2", network, 2}};
  SocketUser users[2] = {SocketUser("user_0"), SocketUser("user_2")};
};

}  // namespace

TEST_CASE("a write to a socket is a packet, and a packet a write through the other one", "[network_module]") {
  for (const char* model : {"rtl", "systemc"}) {
    INFO(model);
    SocketPlatform platform({.model = model, .flits = 4});
    platform.users[0].requests = {{.address = 2, .words = {5, 6, 7}}, {.address = 2}};
    platform.users[1].requests = {{.address = 0, .words = {8}}};
    sc_core::sc_start(100, SC_NS);
    using List = std::vector<std::pair<std::uint64_t, std::vector<std::uint64_t>>>;
    CHECK(platform.users[1].came == List{{0, {5, 6, 7}}, {0, {}}});
    CHECK(platform.users[0].came == List{{2, {8}}});
    CHECK(platform.users[0].answers == std::vector(2, tlm::TLM_OK_RESPONSE));
  }
}

TEST_CASE("wrong transactions are answered, and send nothing", "[network_module]") {
  SocketPlatform platform({.flits = 4});
  platform.users[0].requests = {{.command = tlm::TLM_READ_COMMAND, .address = 2},
                                {.address = 4},
                                {.address = 0},
                                {.address = 2, .words = {1, 2, 3, 4}},
                                {.address = 2, .words = {1}, .bytes_less = 1}};
  sc_core::sc_start(100, SC_NS);
  CHECK(platform.users[0].answers ==
        std::vector{tlm::TLM_COMMAND_ERROR_RESPONSE, tlm::TLM_ADDRESS_ERROR_RESPONSE,
                    tlm::TLM_ADDRESS_ERROR_RESPONSE, tlm::TLM_BURST_ERROR_RESPONSE,
                    tlm::TLM_BURST_ERROR_RESPONSE});
  CHECK(platform.network.sent() == 0);
}

namespace {

// What an error of a simulation says.
std::string error_of(const std::function<void()>& simulate) {
  try {
    simulate();
  } catch (const sc_core::sc_report& report) {
    return report.what();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

std::string error_of(const NetworkOptions& options) {
  return error_of([&] { SocketPlatform platform(options); });
}

// What comes of packets that nodes of a ring are given, all of them `messages` times.
std::string error_of(const std::string& ring, const NetworkOptions& options,
                     const std::vector<NetworkPacket>& packets, int messages = 1) {
  return error_of([&] {
    const reference::SimulationContext context;
    sc_core::sc_clock clock("clock", sc_time(1, SC_NS));
    sc_core::sc_signal<bool> reset("reset");
    NetworkModule network("network", lab::Topology(ring), options);
    network.clock(clock);
    network.reset(reset);
    sc_core::sc_fifo<NetworkPacket> fifos[12];
    for (NodeId v = 0; v < network.processors(); ++v) {
      network.from_host[v](fifos[v]);
      network.to_host[v](fifos[v + network.processors()]);
    }
    for (int m = 0; m < messages; ++m) {
      for (const NetworkPacket& packet : packets) REQUIRE(fifos[packet.source].nb_write(packet));
    }
    sc_core::sc_start(1000, SC_NS);
  });
}

}  // namespace

TEST_CASE("what is wrong with a platform is said", "[network_module][throws_between_stacks]") {
  CHECK(error_of({.model = "rlt"}) == "model 'rlt': expected rtl or systemc");
  CHECK_THAT(error_of({.node = "pfio"}), Contains("'pfio'"));
  CHECK(error_of({.model = "systemc", .node = "fifo"}) ==
        "node 'fifo': expected pifo with model systemc, whose routers are those");
  CHECK_THAT(error_of({.ports = "two"}), Contains("two"));
  CHECK(error_of({.flits = 65}) == "flits 65: expected 1 to 64");
  for (const char* model : {"rtl", "systemc"}) {
    const NetworkOptions options{.model = model, .flits = 2};
    CHECK_THAT(error_of("ring:3", options, {{0, 3, {}}}),
               Contains("packet of node 0 for node 3: expected another node from 0 to 2"));
    CHECK_THAT(error_of("ring:3", options, {{0, 0, {}}}), Contains("packet of node 0 for node 0"));
    CHECK_THAT(error_of("ring:3", options, {{0, 1, {1, 2}}}), Contains("2 words; expected at most 1"));
    CHECK(error_of("ring:3", options, {{0, 1, {1}}}) == "none");
    // Each node's packets go two hops on, and there is room for one on a link: links wait in a circle. So do
    // they if packets go the other way round as well, where two neighbours wait for each other, for places of
    // both circles.
    const NetworkOptions one_place{.model = model, .flits = 1, .queue_depth = 1, .host_depth = 1};
    const std::string circle =
        "on their way: cycle of waiting links: 0>1 -> 1>2 -> 2>3 -> 3>4 -> 4>0 -> 0>1\n";
    std::vector<NetworkPacket> packets;
    for (NodeId v = 0; v < 5; ++v) packets.push_back({v, (v + 2) % 5, {}});
    CHECK_THAT(error_of("ring:5", one_place, packets, 16), Contains(circle));
    for (NodeId v = 0; v < 5; ++v) packets.push_back({v, (v + 3) % 5, {}});
    CHECK_THAT(error_of("ring:5", one_place, packets, 8), Contains(circle));
  }
  CHECK_THAT(error_of([] {
               const reference::SimulationContext context;
               const sc_core::sc_clock clock("clock", sc_time(1, SC_NS));
               NetworkModule network("network", lab::Topology("ring:3"));
               network.clock(clock);
               sc_core::sc_start(1, SC_NS);
             }),
             Contains("network.") && Contains("not bound"));
  CHECK_THAT(error_of([] {
               SocketPlatform platform({.flits = 4});
               TlmAdapter("adapter_4", platform.network, 4);
             }),
             Contains("node 4: expected 0 to 3"));
  CHECK_THAT(error_of([] {
               SocketPlatform platform({.flits = 4});
               platform.users[0].requests = {{.address = 2, .words = {5}}};
               platform.users[1].answer = tlm::TLM_GENERIC_ERROR_RESPONSE;
               sc_core::sc_start(100, SC_NS);
             }),
             Contains("packet of node 0 for node 2: the processor answered TLM_GENERIC_ERROR_RESPONSE"));
}

namespace {

// Two nodes in a row, each with AXI4-Stream ports, and a clock that rises at whole nanoseconds. Signals are
// driven between edges.
struct AxiPlatform {
  struct Side {
    sc_core::sc_signal<bool> s_tvalid, s_tready, s_tlast, m_tvalid, m_tready, m_tlast;
    sc_core::sc_signal<AxiStreamAdapter::Data> s_tdata, m_tdata;
    sc_core::sc_signal<AxiStreamAdapter::Node> s_tdest, m_tid;
    std::unique_ptr<AxiStreamAdapter> adapter;
  };
  const reference::SimulationContext context;
  sc_core::sc_clock clock{"clock", sc_time(1, SC_NS)};
  sc_core::sc_signal<bool> reset{"reset"};
  NetworkModule network;
  Side from, to;

  explicit AxiPlatform(const std::string& model)
      : network("network", lab::Topology("linear:2"), {.model = model, .flits = 4}) {
    network.clock(clock);
    network.reset(reset);
    connect(from, 0);
    connect(to, 1);
    sc_core::sc_start(500, sc_core::SC_PS);
  }

 private:
  void connect(Side& s, NodeId node) {
    s.adapter = std::make_unique<AxiStreamAdapter>(fmt::format("axi_{}", node).c_str(), network, node);
    s.adapter->clock(clock);
    s.adapter->reset(reset);
    s.adapter->s_tvalid(s.s_tvalid);
    s.adapter->s_tready(s.s_tready);
    s.adapter->s_tdata(s.s_tdata);
    s.adapter->s_tlast(s.s_tlast);
    s.adapter->s_tdest(s.s_tdest);
    s.adapter->m_tvalid(s.m_tvalid);
    s.adapter->m_tready(s.m_tready);
    s.adapter->m_tdata(s.m_tdata);
    s.adapter->m_tlast(s.m_tlast);
    s.adapter->m_tid(s.m_tid);
  }
};

// Node 0 sends packets of 3, 1, 2 and 3 beats; node 1 takes a beat in two cycles of three.
void check_beats(AxiPlatform& platform) {
  AxiPlatform::Side &from = platform.from, &to = platform.to;
  const std::vector<std::uint64_t> lengths{3, 1, 2, 3};
  std::vector<std::pair<std::uint64_t, bool>> sent, came;
  for (std::size_t p = 0; p < lengths.size(); ++p) {
    for (std::uint64_t b = 0; b < lengths[p]; ++b) sent.emplace_back(10 * p + b, b + 1 == lengths[p]);
  }
  std::size_t next = 0;
  for (int cycle = 0; cycle < 100; ++cycle) {
    from.s_tdest.write(1);
    from.s_tvalid.write(next < sent.size());
    if (next < sent.size()) {
      from.s_tdata.write(sent[next].first);
      from.s_tlast.write(sent[next].second);
    }
    to.m_tready.write(cycle % 3 != 0);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const bool taken = from.s_tvalid.read() && from.s_tready.read();
    if (to.m_tvalid.read() && to.m_tready.read()) {
      came.emplace_back(to.m_tdata.read().to_uint64(), to.m_tlast.read());
      CHECK(to.m_tid.read() == 0);
    }
    sc_core::sc_start(1, SC_NS);
    if (taken) ++next;
  }
  CHECK(came == sent);
}

}  // namespace

TEST_CASE("AXI4-Stream: a packet's words as beats, there and back", "[network_module]") {
  for (const char* model : {"rtl", "systemc"}) {
    AxiPlatform platform(model);
    check_beats(platform);
  }
  CHECK_THAT(error_of([] {
               const reference::SimulationContext context;
               NetworkModule network("network", lab::Topology("linear:2"), {.flits = 1});
               AxiStreamAdapter adapter("axi", network, 0);
             }),
             Contains("flits 1: expected 2 or more with AXI4-Stream"));
}

TEST_CASE("AXI4-Stream: what has begun before a reset is forgotten", "[network_module]") {
  for (const char* model : {"rtl", "systemc"}) {
    AxiPlatform platform(model);
    AxiPlatform::Side &from = platform.from, &to = platform.to;
    // Two packets for node 1, which takes nothing, and the first beat of a third one.
    from.s_tdest.write(1);
    from.s_tvalid.write(true);
    for (const bool last : {true, true, false}) {
      from.s_tlast.write(last);
      int cycles = 0;
      do {
        sc_core::sc_start(1, SC_NS);
        REQUIRE(++cycles < 20);
      } while (!from.s_tready.read());
    }
    from.s_tvalid.write(false);
    sc_core::sc_start(20, SC_NS);
    CHECK(to.m_tvalid.read());
    platform.reset.write(true);
    sc_core::sc_start(2, SC_NS);
    CHECK_FALSE(to.m_tvalid.read());
    CHECK_FALSE(from.s_tready.read());
    platform.reset.write(false);
    check_beats(platform);
  }
}
