#include "cpp_model/interchange/sccl_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>
#include <unordered_map>

#include "cpp_model/graph/file/bounded_json.hpp"
#include "cpp_model/graph/file/link_matrix_file.hpp"
#include "cpp_model/graph/file/named_edges.hpp"
#include "cpp_model/graph/text.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/interchange/recognise.hpp"
#include "cpp_model/interchange/slot_finder.hpp"
#include "cpp_model/schedule/collective.hpp"

namespace safnet {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kMaxAddresses = std::uint64_t{1} << 24;
constexpr std::uint64_t kMaxRounds = std::uint64_t{1} << 31;
constexpr std::uint64_t kMaxSetWords = std::uint64_t{1} << 26;  // of all sets of contributions together
constexpr std::size_t kMaxNameTried = 256;
// Steps of one-port nodes that have to be coloured: packets times rounds.
constexpr std::uint64_t kMaxColouring = std::uint64_t{1} << 28;

// Which chunks of an address are in a packet.
using Bits = std::vector<std::uint64_t>;

bool subset(const Bits& a, const Bits& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] & ~b[i]) return false;
  }
  return true;
}
bool disjoint(const Bits& a, const Bits& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] & b[i]) return false;
  }
  return true;
}
void unite(Bits& a, const Bits& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] |= b[i];
}
void set_bit(Bits& bits, std::size_t i) { bits[i / 64] |= std::uint64_t{1} << (i % 64); }
int count(const Bits& bits) {
  int ones = 0;
  for (const std::uint64_t word : bits) ones += std::popcount(word);
  return ones;
}

// Number of links from v to u, by (v, u).
std::map<std::pair<NodeId, NodeId>, std::uint32_t> multiplicities(const Graph& graph) {
  std::map<std::pair<NodeId, NodeId>, std::uint32_t> links;
  for (NodeId v = 0; v < graph.node_count(); ++v) {
    for (PortId p = 0; p < graph.degree(v); ++p) ++links[{v, graph.peer(v, p).node}];
  }
  return links;
}

// What a packet is to the format: where it came to be, its address and which of that address's chunks.
struct Identity {
  std::uint32_t address = 0;
  NodeId origin = 0;
  Bits chunks;
  friend auto operator<=>(const Identity&, const Identity&) = default;
};

struct Import {
  ReadSchedule read;
  std::vector<Identity> identities;  // by packet
  std::string collective;            // a name of ours, or empty
};

class ScclReader {
 public:
  ScclReader(const Json& file, const std::string& shown) : file_(file), shown_(shown) {}

  Import run() {
    if (!file_.is_object()) throw wrong("expected an object, msccl_type 'algorithm'");
    const auto type = file_.find("msccl_type");
    if (type != file_.end() && *type != "algorithm")
      throw wrong(fmt::format("msccl_type: {}; expected 'algorithm'", show(*type)));
    const Graph graph = read_topology();
    n_ = graph.node_count();
    Schedule schedule(graph);
    links_ = multiplicities(graph);
    ports_ = read_ports();
    schedule.ports = ports_;
    read_instance();
    read_chunks();
    for (const char* key : {"input_map", "output_map"}) check_map(key);
    link_busy_.resize(graph.link_count());
    out_busy_.resize(ports_ == PortModel::kAllPort ? 0 : n_);
    in_busy_.resize(ports_ == PortModel::kOnePort ? n_ : 0);
    graph_ = &schedule.network;
    read_steps();
    deliver();
    fill(schedule);
    return finish(std::move(schedule));
  }

 private:
  struct Packet {
    NodeId origin = 0;
    std::uint32_t address = 0;  // index into addresses_
    std::uint64_t ready = 0;    // slot at the end of which it exists at its origin
    bool used = false;
    Bits bits;
    std::vector<PacketIndex> parts;
    std::vector<NodeId> destinations;
  };
  // What a node has at an address: packets that are to be combined as soon as that is needed.
  struct Content {
    Bits bits;
    std::vector<PacketIndex> parts;
  };
  struct Address {
    std::uint64_t number = 0;
    std::vector<std::uint32_t> chunks;  // indices into the file's
  };
  struct PlannedSend {
    PacketIndex packet;
    NodeId from, to;
    std::uint32_t address;
  };

  std::invalid_argument wrong(const std::string& what) const {
    return std::invalid_argument(fmt::format("file '{}': {}", shown_, what));
  }
  static std::string show(const Json& json) {
    if (json.is_structured()) return in_quotes(json.type_name());
    return in_quotes(json.is_string() ? json.get<std::string>() : json.dump(-1, ' ', true));
  }
  const Json& member(const Json& object, const std::string& key, const std::string& where) const {
    if (!object.is_object()) throw wrong(fmt::format("{}: expected an object", where));
    const auto found = object.find(key);
    if (found == object.end()) throw wrong(fmt::format("{}: '{}' is missing", where, key));
    return *found;
  }
  const Json& array(const Json& object, const std::string& key, const std::string& where) const {
    const Json& found = member(object, key, where);
    if (!found.is_array()) throw wrong(fmt::format("{}.{}: expected an array", where, key));
    return found;
  }
  std::uint64_t number(const Json& json, std::uint64_t least, std::uint64_t most,
                       const std::string& where) const {
    if (!json.is_number_unsigned() || json.get<std::uint64_t>() < least || json.get<std::uint64_t>() > most)
      throw wrong(fmt::format("{}: {}; expected a number from {} to {}", where, show(json), least, most));
    return json.get<std::uint64_t>();
  }
  std::vector<NodeId> nodes(const Json& json, const std::string& where) const {
    if (!json.is_array()) throw wrong(fmt::format("{}: expected an array of nodes", where));
    std::set<NodeId> result;
    for (const Json& node : json) {
      if (!result.insert(static_cast<NodeId>(number(node, 0, n_ - 1, where))).second)
        throw wrong(fmt::format("{}: node {} given twice", where, node.get<NodeId>()));
    }
    return {result.begin(), result.end()};
  }
  std::string word(const Json& object, const std::string& key) const {
    const auto found = object.is_object() ? object.find(key) : object.end();
    return object.is_object() && found != object.end() && found->is_string() ? found->get<std::string>() : "";
  }

  Graph read_topology() {
    const Json& topology = member(file_, "topology", "algorithm");
    NamedEdges edges = read_link_matrix(member(topology, "links", "topology"), shown_);
    std::string spelling = edges.directed ? "links:" : "edges:";
    for (const auto& [u, v] : edges.edges)
      spelling += fmt::format("{}{}-{}", spelling.size() > 6 ? "," : "", u, v);
    Graph graph = graph_of_named_edges(std::move(edges), shown_, spelling);
    // A network of ours is better known by its name: it has coordinates. A name must never open a file.
    const std::string name = word(topology, "name");
    if (name.size() > kMaxNameTried || name.find("graph") != std::string::npos) return graph;
    try {
      const Graph named = make_topology(name);
      if (!named.has_routers() && named.node_count() == graph.node_count() &&
          multiplicities(named) == multiplicities(graph))
        return named;
    } catch (const std::invalid_argument&) {
      // Just a name.
    }
    return graph;
  }

  PortModel read_ports() {
    const Json& switches = array(file_["topology"], "switches", "topology");
    if (switches.empty()) return PortModel::kAllPort;
    std::vector<std::vector<NodeId>> successors(n_), predecessors(n_);
    for (const auto& [ends, links] : links_) {
      successors[ends.first].push_back(ends.second);
      predecessors[ends.second].push_back(ends.first);
    }
    std::vector<bool> out(n_), in(n_);
    std::uint64_t outs = 0, ins = 0;
    std::string an_out, an_in;
    for (std::size_t i = 0; i < switches.size(); ++i) {
      const Json& entry = switches[i];
      const std::string where = fmt::format("topology.switches[{}]", i);
      if (!entry.is_array() || entry.size() != 4 || !entry[3].is_string())
        throw wrong(fmt::format("{}: expected [sources, destinations, limit, name]", where));
      const std::string name = fmt::format("switch {}", in_quotes(entry[3].get<std::string>()));
      const std::vector<NodeId> sources = nodes(entry[0], name), targets = nodes(entry[1], name);
      if (number(entry[2], 0, kMaxRounds, name) == 1) {
        if (sources.size() == 1 && !out[sources[0]] && targets == successors[sources[0]]) {
          out[sources[0]] = true;
          ++outs;
          an_out = name;
          continue;
        }
        if (targets.size() == 1 && !in[targets[0]] && sources == predecessors[targets[0]]) {
          in[targets[0]] = true;
          ++ins;
          an_in = name;
          continue;
        }
      }
      throw wrong(
          fmt::format("{}: cannot be mapped; expected one-port nodes, ([node], its neighbours, 1) and "
                      "(its neighbours, [node], 1)",
                      name));
    }
    if (outs != n_ || (ins != 0 && ins != n_)) {
      const bool lacks_out = outs != n_ && outs > 0;
      throw wrong(fmt::format("{}: limits some nodes alone; expected such a switch at every node{}",
                              lacks_out ? an_out : an_in, outs == 0 ? ", and one for what leaves it" : ""));
    }
    return ins == 0 ? PortModel::kOnePortSend : PortModel::kOnePort;
  }

  void read_instance() {
    const auto instance = file_.find("instance");
    if (instance == file_.end()) return;
    if (!instance->is_object()) throw wrong("instance: expected an object");
    const auto pipeline = instance->find("pipeline");
    if (pipeline != instance->end() && !pipeline->is_null())
      throw wrong(fmt::format("instance.pipeline: {}; pipelined algorithms cannot be mapped, expected null",
                              show(*pipeline)));
    const auto chunks = instance->find("chunks");
    if (chunks != instance->end() && !chunks->is_null())
      chunk_up_ = number(*chunks, 1, kMaxAddresses, "instance.chunks");
  }

  // The file's chunks are before chunk-up: each stands for chunk_up_ chunks with addresses of their own.
  void read_chunks() {
    const Json& collective = member(file_, "collective", "algorithm");
    if (number(member(collective, "nodes", "collective"), 0, kMaxNodes, "collective.nodes") != n_)
      throw wrong(
          fmt::format("collective.nodes: {}; expected {} as in the topology", show(collective["nodes"]), n_));
    const auto triggers = collective.find("triggers");
    if (triggers != collective.end() && !triggers->is_null() && !triggers->empty())
      throw wrong("collective.triggers: cannot be mapped; expected none");
    const Json& chunks = array(collective, "chunks", "collective");
    if (chunks.empty() || chunks.size() > kMaxAddresses / chunk_up_)
      throw wrong(fmt::format("collective.chunks: {} chunks times {}; expected 1 to {}", chunks.size(),
                              chunk_up_, kMaxAddresses));
    std::map<std::uint64_t, std::vector<std::uint32_t>> by_address;
    pre_.resize(chunks.size());
    post_.resize(chunks.size());
    std::uint64_t copies = 0;
    for (std::uint32_t i = 0; i < chunks.size(); ++i) {
      const std::string where = fmt::format("collective.chunks[{}]", i);
      const std::uint64_t address =
          number(member(chunks[i], "addr", where), 0, kMaxAddresses / chunk_up_ - 1, where + ".addr");
      pre_[i] = nodes(member(chunks[i], "pre", where), where + ".pre");
      post_[i] = nodes(member(chunks[i], "post", where), where + ".post");
      if (pre_[i].empty()) throw wrong(where + ".pre: expected a node that has it");
      copies += (pre_[i].size() + post_[i].size()) * chunk_up_;
      by_address[address].push_back(i);
    }
    if (copies > PacketList::kMaxPackets)
      throw wrong(fmt::format("collective.chunks: expected at most {} entries in 'pre' and 'post'",
                              PacketList::kMaxPackets));
    for (const auto& [address, of_it] : by_address) {
      for (std::uint64_t k = 0; k < chunk_up_; ++k) {
        const auto index = static_cast<std::uint32_t>(addresses_.size());
        addresses_.push_back({address * chunk_up_ + k, of_it});
        index_of_[address * chunk_up_ + k] = index;
        for (std::uint32_t c = 0; c < of_it.size(); ++c) {
          for (const NodeId v : pre_[of_it[c]]) set_bit(content(index, v).bits, c);
        }
        for (std::uint32_t c = 0; c < of_it.size(); ++c) {
          for (const NodeId v : pre_[of_it[c]]) {
            Content& at = content(index, v);
            if (at.parts.empty()) at.parts.push_back(add_packet({v, index, 0, false, at.bits, {}, {}}));
          }
        }
      }
    }
  }

  std::uint64_t place(std::uint32_t address, NodeId v) const { return std::uint64_t{address} * n_ + v; }
  Bits no_bits(std::uint32_t address) {
    const std::size_t words = (addresses_[address].chunks.size() + 63) / 64;
    if ((set_words_ += words) > kMaxSetWords) throw wrong("expected fewer chunks that share addresses");
    return Bits(words);
  }
  Content& content(std::uint32_t address, NodeId v) {
    const auto [at, is_new] = contents_.try_emplace(place(address, v));
    if (is_new) at->second.bits = no_bits(address);
    return at->second;
  }
  PacketIndex add_packet(Packet packet) {
    if ((set_words_ += packet.bits.size()) > kMaxSetWords)
      throw wrong("expected fewer combinations of chunks");
    packets_.push_back(std::move(packet));
    return static_cast<PacketIndex>(packets_.size() - 1);
  }

  void check_map(const std::string& key) {
    const auto map = file_.find(key);
    if (map == file_.end()) return;
    if (!map->is_object()) throw wrong(fmt::format("{}: expected an object", key));
    std::set<std::uint64_t> expected, given;  // places
    for (std::uint32_t a = 0; a < addresses_.size(); ++a) {
      for (const std::uint32_t chunk : addresses_[a].chunks) {
        for (const NodeId v : key == "input_map" ? pre_[chunk] : post_[chunk]) expected.insert(place(a, v));
      }
    }
    for (const auto& [node, list] : map->items()) {
      const std::optional<std::uint64_t> v = parse_decimal(node);
      if (!v || *v >= n_)
        throw wrong(fmt::format("{}: node {}; expected 0 to {}", key, in_quotes(node), n_ - 1));
      if (!list.is_array()) throw wrong(fmt::format("{}['{}']: expected an array of addresses", key, *v));
      for (const Json& address : list) {
        const std::uint64_t a = number(address, 0, kMaxAddresses - 1, key);
        const auto index = index_of_.find(a);
        if (index == index_of_.end() || !expected.contains(place(index->second, static_cast<NodeId>(*v))))
          throw wrong(fmt::format("{}['{}']: address {}; the chunks say otherwise", key, *v, a));
        given.insert(place(index->second, static_cast<NodeId>(*v)));
      }
    }
    for (const std::uint64_t at : expected) {
      if (!given.contains(at))
        throw wrong(fmt::format("{}['{}']: address {} is missing, the chunks have it", key, at % n_,
                                addresses_[at / n_].number));
    }
  }

  void read_steps() {
    const Json& steps = array(file_, "steps", "algorithm");
    std::vector<std::uint64_t> rounds;
    bool timetable = true;
    for (std::size_t s = 0; s < steps.size(); ++s) {
      const std::string where = fmt::format("steps[{}]", s);
      rounds.push_back(number(member(steps[s], "rounds", where), 0, kMaxRounds, where + ".rounds"));
      published_ += rounds.back();
      if (published_ > kMaxRounds) throw wrong(fmt::format("steps: expected at most {} rounds", kMaxRounds));
      const Json& sends = array(steps[s], "sends", where);
      timetable = timetable && (sends.empty() || rounds.back() == 1);
      if ((published_sends_ += sends.size()) > PacketList::kMaxPackets)
        throw wrong(fmt::format("steps: expected at most {} sends", PacketList::kMaxPackets));
    }
    std::uint64_t before = 0;
    for (std::size_t s = 0; s < steps.size(); ++s) {
      const std::string where = fmt::format("steps[{}]", s);
      std::vector<PlannedSend> sends = read_sends(steps[s]["sends"], where);
      check_capacity(sends, rounds[s], where);
      apply(sends, where);
      if (timetable) {
        for (const PlannedSend& send : sends) take(send, before + 1);
      } else {
        list_schedule(sends, before, rounds[s], where);
      }
      before += rounds[s];
    }
  }

  std::vector<PlannedSend> read_sends(const Json& list, const std::string& where) {
    std::vector<PlannedSend> sends;
    sends.reserve(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Json& send = list[i];
      const auto at = [&] { return fmt::format("{}.sends[{}]", where, i); };
      if (!send.is_array() || send.size() != 3)
        throw wrong(at() + ": expected [address, source, destination]");
      const auto from = static_cast<NodeId>(number(send[1], 0, n_ - 1, at()));
      const auto to = static_cast<NodeId>(number(send[2], 0, n_ - 1, at()));
      const std::uint64_t address = number(send[0], 0, kMaxAddresses - 1, at());
      if (!links_.contains({from, to}))
        throw wrong(fmt::format("{}: there is no link from {} to {}", at(), from, to));
      const auto index = index_of_.find(address);
      const auto has =
          index == index_of_.end() ? contents_.end() : contents_.find(place(index->second, from));
      if (has == contents_.end())
        throw wrong(
            fmt::format("{}: node {} has nothing at address {} when the step begins", at(), from, address));
      sends.push_back({combined(has->second, index->second, from), from, to, index->second});
    }
    return sends;
  }

  // The one packet of what a node has at an address.
  PacketIndex combined(Content& at, std::uint32_t address, NodeId v) {
    if (at.parts.size() > 1) {
      Packet whole{v, address, 0, true, at.bits, at.parts, {}};
      for (const PacketIndex part : at.parts) {
        packets_[part].used = true;
        whole.ready = std::max(whole.ready, ready(part, v));
      }
      at.parts = {add_packet(std::move(whole))};
    }
    return at.parts.front();
  }

  // The end of the slot in which a packet has come to a node.
  std::uint64_t ready(PacketIndex packet, NodeId v) const {
    if (packets_[packet].origin == v) return packets_[packet].ready;
    return arrival_.at(std::uint64_t{packet} * n_ + v);
  }

  void check_capacity(const std::vector<PlannedSend>& sends, std::uint64_t rounds,
                      const std::string& where) const {
    std::map<std::pair<NodeId, NodeId>, std::uint64_t> on_link;
    std::map<NodeId, std::uint64_t> out, in;
    for (const PlannedSend& send : sends) {
      const std::uint64_t most = rounds * links_.at({send.from, send.to});
      if (++on_link[{send.from, send.to}] > most)
        throw wrong(fmt::format("{}: more than {} packets from {} to {}, {} links for {} rounds", where, most,
                                send.from, send.to, links_.at({send.from, send.to}), rounds));
      if (ports_ != PortModel::kAllPort && ++out[send.from] > rounds)
        throw wrong(
            fmt::format("{}: node {} sends more than {} packets, one a round", where, send.from, rounds));
      if (ports_ == PortModel::kOnePort && ++in[send.to] > rounds)
        throw wrong(
            fmt::format("{}: node {} receives more than {} packets, one a round", where, send.to, rounds));
    }
  }

  // What arrives joins what is there. Keeps the sends that bring something.
  void apply(std::vector<PlannedSend>& sends, const std::string& where) {
    std::vector<std::size_t> order(sends.size());
    std::vector<int> sizes(sends.size());
    for (std::size_t i = 0; i < order.size(); ++i) {
      order[i] = i;
      sizes[i] = count(packets_[sends[i].packet].bits);
    }
    // The most complete first, so that the others are seen to add nothing.
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
    std::vector<bool> needless(sends.size());
    for (const std::size_t i : order) {
      const PlannedSend& send = sends[i];
      Content& at = content(send.address, send.to);
      const Bits& bits = packets_[send.packet].bits;
      if (subset(bits, at.bits)) {
        needless[i] = true;
        ++needless_;
      } else if (subset(at.bits, bits)) {
        at.bits = bits;
        at.parts = {send.packet};
      } else if (disjoint(at.bits, bits)) {
        unite(at.bits, bits);
        at.parts.push_back(send.packet);
      } else {
        throw wrong(
            fmt::format("{}: address {} from {} to {}: holds chunks that node {} has combined already, and "
                        "others; they would count twice",
                        where, addresses_[send.address].number, send.from, send.to, send.to));
      }
      if (!needless[i]) packets_[send.packet].used = true;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < sends.size(); ++i) {
      if (!needless[i]) sends[kept++] = sends[i];
    }
    sends.resize(kept);
  }

  // The first slot at or after `slot` in which link and ports are free.
  std::pair<std::uint64_t, LinkId> earliest(NodeId from, NodeId to, std::uint64_t slot) const {
    std::pair<std::uint64_t, LinkId> best{~std::uint64_t{0}, 0};
    for (PortId p = 0; p < graph_->degree(from); ++p) {
      if (graph_->peer(from, p).node != to) continue;
      const LinkId link = graph_->link(from, p);
      std::uint64_t at = slot;
      for (std::uint64_t last = 0; last != at;) {
        last = at;
        at = link_busy_[link].free_from(at);
        if (!out_busy_.empty()) at = out_busy_[from].free_from(at);
        if (!in_busy_.empty()) at = in_busy_[to].free_from(at);
      }
      best = std::min(best, {at, link});
    }
    return best;
  }

  void take(const PlannedSend& send, std::uint64_t slot) {
    const auto [at, link] = earliest(send.from, send.to, slot);
    link_busy_[link].take(at);
    if (!out_busy_.empty()) out_busy_[send.from].take(at);
    if (!in_busy_.empty()) in_busy_[send.to].take(at);
    arrival_[std::uint64_t{send.packet} * n_ + send.to] = at;
    sends_.push_back({static_cast<std::uint32_t>(at), link, send.packet});
  }

  void list_schedule(const std::vector<PlannedSend>& sends, std::uint64_t before, std::uint64_t rounds,
                     const std::string& where) {
    const std::size_t first = sends_.size();
    bool late = false;
    for (const PlannedSend& send : sends) {
      take(send, ready(send.packet, send.from) + 1);
      late = late || sends_.back().start > before + rounds;
    }
    if (!late) return;
    // With one port to send and one to receive, first come first served may need more rounds than there are:
    // then the step keeps to its own rounds, coloured.
    if (ports_ != PortModel::kOnePort)
      throw wrong(fmt::format("{}: cannot be scheduled within its {} rounds", where, rounds));
    for (std::size_t i = 0; i < sends.size(); ++i) {
      const Send& send = sends_[first + i];
      link_busy_[send.link].release(send.start);
      out_busy_[sends[i].from].release(send.start);
      in_busy_[sends[i].to].release(send.start);
    }
    sends_.resize(first);
    const std::vector<std::uint32_t> colours = coloured(sends, where);
    for (std::size_t i = 0; i < sends.size(); ++i) take(sends[i], before + 1 + colours[i]);
  }

  // Rounds of a step of one-port nodes: colours of the edges of a bipartite graph, as few as its degree
  // (Koenig), by exchanging two colours along a path.
  std::vector<std::uint32_t> coloured(const std::vector<PlannedSend>& sends, const std::string& where) const {
    std::map<NodeId, std::uint32_t> sender, receiver;
    std::map<NodeId, std::uint32_t> sent, received;
    std::uint32_t degree = 0;
    for (const PlannedSend& send : sends) {
      sender.try_emplace(send.from, static_cast<std::uint32_t>(sender.size()));
      receiver.try_emplace(send.to, static_cast<std::uint32_t>(receiver.size()));
      degree = std::max({degree, ++sent[send.from], ++received[send.to]});
    }
    if ((std::uint64_t{sends.size()} + sender.size() + receiver.size()) * degree > kMaxColouring)
      throw wrong(fmt::format("{}: too many packets in one step of one-port nodes", where));
    constexpr std::uint32_t kNone = ~std::uint32_t{0};
    std::vector<std::uint32_t> by_sender(sender.size() * degree, kNone),
        by_receiver(receiver.size() * degree, kNone);
    std::vector<std::uint32_t> colour(sends.size());
    const auto slot_s = [&](std::uint32_t i, std::uint32_t c) -> std::uint32_t& {
      return by_sender[std::size_t{sender.at(sends[i].from)} * degree + c];
    };
    const auto slot_r = [&](std::uint32_t i, std::uint32_t c) -> std::uint32_t& {
      return by_receiver[std::size_t{receiver.at(sends[i].to)} * degree + c];
    };
    for (std::uint32_t i = 0; i < sends.size(); ++i) {
      std::uint32_t a = 0, b = 0;
      while (slot_s(i, a) != kNone) ++a;
      while (slot_r(i, b) != kNone) ++b;
      // The path from the receiver whose edges are a, b, a, ...: exchanged, a is free there. It cannot come
      // back to the sender, where a is free.
      std::vector<std::uint32_t> path;
      bool at_receiver = true;
      for (std::uint32_t edge = slot_r(i, a); edge != kNone; at_receiver = !at_receiver) {
        path.push_back(edge);
        edge = at_receiver ? slot_s(edge, b) : slot_r(edge, a);
      }
      for (const std::uint32_t edge : path) slot_s(edge, colour[edge]) = slot_r(edge, colour[edge]) = kNone;
      for (const std::uint32_t edge : path) {
        colour[edge] = colour[edge] == a ? b : a;
        slot_s(edge, colour[edge]) = slot_r(edge, colour[edge]) = edge;
      }
      colour[i] = a;
      slot_s(i, a) = slot_r(i, a) = i;
    }
    return colour;
  }

  // Destinations: what must be at a node and is not its own.
  void deliver() {
    std::vector<std::pair<NodeId, std::uint32_t>> wanted;
    for (std::uint32_t a = 0; a < addresses_.size(); ++a) {
      wanted.clear();
      const std::vector<std::uint32_t>& chunks = addresses_[a].chunks;
      for (std::uint32_t c = 0; c < chunks.size(); ++c) {
        for (const NodeId v : post_[chunks[c]]) wanted.emplace_back(v, c);
      }
      std::sort(wanted.begin(), wanted.end());
      for (std::size_t i = 0; i < wanted.size();) {
        const NodeId v = wanted[i].first;
        Bits required = no_bits(a);
        for (; i < wanted.size() && wanted[i].first == v; ++i) set_bit(required, wanted[i].second);
        const auto found = contents_.find(place(a, v));
        const Bits has = found == contents_.end() ? no_bits(a) : found->second.bits;
        if (has != required)
          throw wrong(fmt::format("node {}, address {}: ends with {} of the {} chunks that it must get{}", v,
                                  addresses_[a].number, count(has), count(required),
                                  subset(required, has) ? ", too many" : ""));
        const PacketIndex packet = combined(found->second, a, v);
        if (packets_[packet].origin == v && packets_[packet].parts.empty()) continue;
        packets_[packet].destinations.push_back(v);
        packets_[packet].used = true;
      }
    }
  }

  void fill(Schedule& schedule) {
    // Plain packets by address, then combined ones as they came to be: parts have smaller numbers.
    std::vector<PacketIndex> order;
    for (const bool plain : {true, false}) {
      for (PacketIndex p = 0; p < packets_.size(); ++p) {
        if (packets_[p].used && packets_[p].parts.empty() == plain) order.push_back(p);
      }
    }
    if (order.empty()) throw wrong("nothing is sent or delivered; expected a collective");
    std::vector<PacketIndex> renumbered(packets_.size(), kNoPacket);
    std::uint64_t tag = addresses_.back().number;
    std::vector<PacketIndex> parts;
    for (const PacketIndex p : order) {
      const Packet& packet = packets_[p];
      parts.clear();
      for (const PacketIndex part : packet.parts) parts.push_back(renumbered[part]);
      const std::uint64_t own = packet.parts.empty() ? addresses_[packet.address].number : ++tag;
      renumbered[p] =
          schedule.packets.add(packet.origin, static_cast<std::uint32_t>(own), 1, packet.destinations, parts);
      identities_.push_back(
          {static_cast<std::uint32_t>(addresses_[packet.address].number), packet.origin, packet.bits});
    }
    schedule.sends = std::move(sends_);
    for (Send& send : schedule.sends) send.packet = renumbered[send.packet];
    sort_sends(schedule);
  }

  Import finish(Schedule schedule) {
    const std::string name = word(file_["collective"], "name"), of = word(file_["topology"], "name");
    schedule.algorithm = one_line(word(file_, "name"));
    schedule.description = fmt::format("{} on {}", one_line(name), one_line(of));
    std::uint32_t steps = 0;
    for (const Send& send : schedule.sends) steps = std::max(steps, send.start);
    static const std::map<std::string, std::string> ours{{"Broadcast", "broadcast"},
                                                         {"Scatter", "scatter"},
                                                         {"Gather", "gather"},
                                                         {"Alltoall", "total-exchange"}};
    const auto kind = ours.find(name.substr(0, name.find('(')));
    Import result{{std::move(schedule), {}}, std::move(identities_), kind == ours.end() ? "" : kind->second};
    std::vector<std::string>& remarks = result.read.remarks;
    remarks.push_back(fmt::format("published rounds {}, imported in {} steps", published_, steps));
    if (needless_ > 0)
      remarks.push_back(fmt::format("{} of {} published sends left out: what they bring is there already",
                                    needless_, published_sends_));
    if (ports_ != PortModel::kAllPort)
      remarks.push_back(fmt::format("the switches are {} nodes: ports {}",
                                    ports_ == PortModel::kOnePort ? "one-port" : "one-port-send",
                                    to_string(ports_)));
    return result;
  }

  const Json& file_;
  const std::string& shown_;
  NodeId n_ = 0;
  PortModel ports_ = PortModel::kAllPort;
  std::map<std::pair<NodeId, NodeId>, std::uint32_t> links_;
  const Graph* graph_ = nullptr;
  std::uint64_t chunk_up_ = 1;
  std::vector<std::vector<NodeId>> pre_, post_;  // by chunk of the file
  std::vector<Address> addresses_;               // ascending
  std::unordered_map<std::uint64_t, std::uint32_t> index_of_;
  std::unordered_map<std::uint64_t, Content> contents_;  // by place()
  std::vector<Packet> packets_;
  std::unordered_map<std::uint64_t, std::uint64_t> arrival_;
  std::vector<BusySlots> link_busy_, out_busy_, in_busy_;
  std::vector<Send> sends_;
  std::vector<Identity> identities_;
  std::uint64_t published_ = 0, published_sends_ = 0, needless_ = 0, set_words_ = 0;
};

Import import_sccl(std::string_view text, const std::string& shown) {
  const Json file = parse_bounded_json(text, shown);
  return ScclReader(file, shown).run();
}

}  // namespace

ReadSchedule read_sccl(std::string_view text, const std::string& shown) {
  Import result = import_sccl(text, shown);
  recognise_collective(result.read.schedule, result.collective);
  return std::move(result.read);
}

namespace {

// Writes, reads what it wrote, and compares: what a node may hold at an address follows from all sends.
class ScclWriter {
 public:
  explicit ScclWriter(const Schedule& schedule) : schedule_(schedule), packets_(schedule.packets) {}

  std::string run() {
    check();
    assign_addresses();
    const std::string text = write();
    compare(text);
    return text;
  }

 private:
  static std::invalid_argument cannot(const std::string& what) {
    return std::invalid_argument(fmt::format("schedule: {}: SCCL files cannot hold it", what));
  }
  std::string name(PacketIndex p) const {
    return fmt::format("packet {} of node {}", packets_.tag(p), packets_.origin(p));
  }

  void check() const {
    if (packets_.size() == 0) throw cannot("no packets");
    if (schedule_.network.has_routers()) throw cannot("nodes that only route");
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      if (packets_.flits(p) != packets_.longest())
        throw cannot(
            fmt::format("{} has {} flits, others {}", name(p), packets_.flits(p), packets_.longest()));
    }
    const std::uint64_t takes = std::uint64_t{packets_.longest()} + schedule_.link_latency;
    if (takes > schedule_.slot_cycles)
      throw cannot(
          fmt::format("packets take {} cycles and slots {}, not in lockstep", takes, schedule_.slot_cycles));
    if (packets_.combines() && schedule_.operation != Operation::kSum)
      throw cannot(fmt::format("operation '{}', not sum", to_string(schedule_.operation)));
    if (schedule_.network.node_count() > kMaxWrittenNodes)
      throw cannot(fmt::format("a link matrix of more than {} nodes", kMaxWrittenNodes));
    for (const Send& send : schedule_.sends) {
      if (send.start == 0 || send.link >= schedule_.network.link_count() || send.packet >= packets_.size())
        throw cannot("a send without slot, link or packet");
    }
  }

  // Packets that are combined with each other share an address.
  void assign_addresses() {
    std::vector<PacketIndex> part_of(packets_.size());
    for (PacketIndex p = 0; p < packets_.size(); ++p) part_of[p] = p;
    const auto root = [&](PacketIndex p) {
      while (part_of[p] != p) p = part_of[p] = part_of[part_of[p]];
      return p;
    };
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      for (const PacketIndex part : packets_.parts(p)) {
        if (part >= p) throw cannot(fmt::format("{} has a part that comes later", name(p)));
        const std::pair<PacketIndex, PacketIndex> ends = std::minmax(root(part), root(p));
        part_of[ends.second] = ends.first;  // the smallest number is the root
      }
    }
    std::vector<std::uint32_t> chunks;  // by address
    address_.resize(packets_.size());
    chunk_.resize(packets_.size());
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      if (root(p) == p) {
        address_[p] = static_cast<std::uint32_t>(chunks.size());
        chunks.push_back(0);
      }
      address_[p] = address_[root(p)];
      if (packets_.parts(p).empty()) chunk_[p] = chunks[address_[p]]++;
    }
    std::uint64_t words = 0;
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      Identity identity{address_[p], packets_.origin(p), Bits((chunks[address_[p]] + 63) / 64)};
      if ((words += identity.chunks.size()) > kMaxSetWords) throw cannot("too many combinations");
      if (packets_.parts(p).empty()) set_bit(identity.chunks, chunk_[p]);
      for (const PacketIndex part : packets_.parts(p)) {
        if (!disjoint(identity.chunks, identities_[part].chunks))
          throw cannot(name(p) + " counts a part twice");
        unite(identity.chunks, identities_[part].chunks);
      }
      identities_.push_back(std::move(identity));
    }
  }

  // Nodes that must have a chunk in the end: the destinations of all packets that it is in.
  std::vector<std::vector<NodeId>> posts() const {
    std::vector<std::vector<PacketIndex>> chunks(packets_.size());  // plain packets by address
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      if (packets_.parts(p).empty()) chunks[address_[p]].push_back(p);
    }
    std::vector<std::vector<NodeId>> post(packets_.size());
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      if (packets_.destinations(p).empty()) continue;
      for (const PacketIndex c : chunks[address_[p]]) {
        if (identities_[p].chunks[chunk_[c] / 64] >> (chunk_[c] % 64) & 1)
          post[c].insert(post[c].end(), packets_.destinations(p).begin(), packets_.destinations(p).end());
      }
    }
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      std::sort(post[p].begin(), post[p].end());
      if (std::adjacent_find(post[p].begin(), post[p].end()) != post[p].end())
        throw cannot(name(p) + " reaches a node in two results");
    }
    return post;
  }

  std::string collective_name() const {
    const NodeId n = schedule_.network.node_count();
    static const std::map<std::string, std::string> theirs{{"broadcast", "Broadcast"},
                                                           {"scatter", "Scatter"},
                                                           {"gather", "Gather"},
                                                           {"reduction", "Reduce"},
                                                           {"total-exchange", "Alltoall"}};
    const auto found = theirs.find(schedule_.collective);
    if (found == theirs.end()) return fmt::format("Custom(n={})", n);
    if (schedule_.collective == "total-exchange") return fmt::format("Alltoall(n={})", n);
    return fmt::format("{}(n={},root={})", found->second, n, schedule_.root);
  }

  std::string write() const {
    const Graph& graph = schedule_.network;
    const NodeId n = graph.node_count();
    const std::vector<std::vector<NodeId>> post = posts();
    Json chunks = Json::array();
    std::vector<std::set<std::uint32_t>> input(n), output(n);
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      if (!packets_.parts(p).empty()) continue;
      const NodeId origin = packets_.origin(p);
      chunks.push_back(
          {{"msccl_type", "chunk"}, {"pre", {origin}}, {"post", post[p]}, {"addr", address_[p]}});
      input[origin].insert(address_[p]);
      for (const NodeId v : post[p]) output[v].insert(address_[p]);
    }
    Json steps = Json::array();
    std::uint32_t slot = 0;
    for (const Send& send : schedule_.sends) {
      if (send.start < slot) throw cannot("sends that are not in order");
      if (send.start > slot + 1) steps.push_back(step(send.start - slot - 1));
      if (send.start > slot) steps.push_back(step(1));
      slot = send.start;
      steps.back()["sends"].push_back(
          {address_[send.packet], graph.link_source(send.link), graph.link_target(send.link)});
    }
    Json links = Json::array();
    for (NodeId v = 0; v < n; ++v) links.push_back(std::vector<std::uint32_t>(n));
    Json switches = Json::array();
    for (NodeId v = 0; v < n; ++v) {
      std::set<NodeId> successors, predecessors;
      for (PortId p = 0; p < graph.degree(v); ++p) {
        const NodeId u = graph.peer(v, p).node;
        links[u][v] = links[u][v].get<std::uint32_t>() + 1;
        successors.insert(u);
      }
      for (PortId q = 0; q < graph.in_degree(v); ++q) predecessors.insert(graph.feeder(v, q).node);
      const Json self = Json::array({v});
      if (schedule_.ports != PortModel::kAllPort)
        switches.push_back({self, Json(successors), 1, fmt::format("node_{}_out", v)});
      if (schedule_.ports == PortModel::kOnePort)
        switches.push_back({Json(predecessors), self, 1, fmt::format("node_{}_in", v)});
    }
    Json input_map = Json::object(), output_map = Json::object();
    for (NodeId v = 0; v < n; ++v) {
      if (!input[v].empty()) input_map[std::to_string(v)] = input[v];
      if (!output[v].empty()) output_map[std::to_string(v)] = output[v];
    }
    const Json instance{{"msccl_type", "instance"},
                        {"steps", steps.size()},
                        {"extra_rounds", extra_rounds(steps)},
                        {"chunks", 1},
                        {"pipeline", nullptr},
                        {"extra_memory", nullptr},
                        {"allow_exchange", false}};
    const Json collective{
        {"msccl_type", "collective"},  {"name", collective_name()},  {"nodes", n},
        {"chunks", std::move(chunks)}, {"triggers", Json::object()}, {"runtime_name", "custom"}};
    const Json topology{{"msccl_type", "topology"},
                        {"name", printable(graph.spelling())},
                        {"switches", std::move(switches)},
                        {"links", std::move(links)}};
    const Json algorithm{{"msccl_type", "algorithm"},
                         {"name", printable(schedule_.algorithm)},
                         {"instance", instance},
                         {"input_map", std::move(input_map)},
                         {"output_map", std::move(output_map)},
                         {"steps", std::move(steps)},
                         {"collective", collective},
                         {"topology", topology}};
    return algorithm.dump() + "\n";
  }

  static Json step(std::uint32_t rounds) {
    return {{"msccl_type", "step"}, {"rounds", rounds}, {"sends", Json::array()}};
  }
  static std::uint64_t extra_rounds(const Json& steps) {
    std::uint64_t rounds = 0;
    for (const Json& one : steps) rounds += one["rounds"].get<std::uint64_t>();
    return rounds - steps.size();
  }

  // Everything that must survive, by packets' identities: destinations, and sends up to parallel links.
  using Delivered = std::map<Identity, std::vector<NodeId>>;
  using Sent = std::vector<std::tuple<std::uint32_t, NodeId, NodeId, std::uint32_t>>;

  Delivered delivered(const PacketList& packets, const std::vector<Identity>& identities) const {
    Delivered result;
    for (PacketIndex p = 0; p < packets.size(); ++p) {
      std::vector<NodeId> nodes(packets.destinations(p).begin(), packets.destinations(p).end());
      std::sort(nodes.begin(), nodes.end());
      if (!result.emplace(identities[p], std::move(nodes)).second)
        throw cannot(fmt::format("{} is made of the same as another packet", name(p)));
    }
    return result;
  }
  static Sent sent(const Schedule& schedule, const std::vector<Identity>& identities, const Delivered& all) {
    std::vector<std::uint32_t> rank(identities.size());
    std::map<Identity, std::uint32_t> ranks;
    for (const auto& [identity, nodes] : all)
      ranks.emplace(identity, static_cast<std::uint32_t>(ranks.size()));
    for (std::size_t p = 0; p < rank.size(); ++p) rank[p] = ranks.at(identities[p]);
    Sent result;
    for (const Send& send : schedule.sends)
      result.emplace_back(send.start, schedule.network.link_source(send.link),
                          schedule.network.link_target(send.link), rank[send.packet]);
    std::sort(result.begin(), result.end());
    return result;
  }

  void compare(const std::string& text) const {
    const Delivered mine = delivered(packets_, identities_);
    const Import read = [&] {
      try {
        return import_sccl(text, "what would be written");
      } catch (const std::invalid_argument& error) {
        throw cannot(error.what());
      }
    }();
    const Schedule& other = read.read.schedule;
    Delivered theirs;
    for (PacketIndex p = 0; p < other.packets.size(); ++p) {
      std::vector<NodeId> nodes(other.packets.destinations(p).begin(), other.packets.destinations(p).end());
      std::sort(nodes.begin(), nodes.end());
      theirs.emplace(read.identities[p], std::move(nodes));
    }
    for (PacketIndex p = 0; p < packets_.size(); ++p) {
      const auto found = theirs.find(identities_[p]);
      if (found == theirs.end() || found->second != mine.at(identities_[p]))
        throw cannot(fmt::format("{}, which shared addresses do not express,", name(p)));
    }
    if (theirs.size() != mine.size()) throw cannot("combinations that shared addresses do not express");
    if (sent(schedule_, identities_, mine) != sent(other, read.identities, theirs))
      throw cannot("sends that bring a node what it has, or that shared addresses do not express");
  }

  static constexpr NodeId kMaxWrittenNodes = 2048;

  const Schedule& schedule_;
  const PacketList& packets_;
  std::vector<std::uint32_t> address_, chunk_;  // by packet; the chunk's number within its address
  std::vector<Identity> identities_;
};

}  // namespace

std::string sccl_text(const Schedule& schedule) { return ScclWriter(schedule).run(); }

}  // namespace safnet
