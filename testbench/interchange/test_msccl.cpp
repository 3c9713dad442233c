// MSCCL programs in XML: the schedule that they amount to on a network, what is refused, and that what is
// written reads back in no more steps.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "cpp_model/algorithm/choose.hpp"
#include "cpp_model/graph/topology.hpp"
#include "cpp_model/interchange/msccl_collective.hpp"
#include "cpp_model/interchange/msccl_placement.hpp"
#include "cpp_model/interchange/msccl_read.hpp"
#include "cpp_model/interchange/msccl_write.hpp"
#include "cpp_model/interchange/sccl_read.hpp"
#include "cpp_model/interchange/sccl_write.hpp"
#include "testbench/support/catch.hpp"
#include "testbench/support/interchange_schedules.hpp"

using namespace safnet;
using namespace safnet::testbench;

namespace {

struct XmlStep {
  std::string type;
  char source;
  std::uint32_t source_offset;
  char destination;
  std::uint32_t destination_offset;
  int depid = -1, deps = -1;
  std::uint32_t count = 1;
};
struct XmlBlock {
  int send, receive, channel;
  std::vector<XmlStep> steps;
};

std::string xml(const std::string& coll, std::uint32_t loop, bool in_place,
                const std::vector<std::vector<XmlBlock>>& ranks, const std::string& more = "",
                std::uint32_t scratch = 4, std::uint32_t declared = 0) {
  std::string out = fmt::format(
      "<?xml version=\"1.0\"?>\n<!-- a program -->\n<algo name=\"test\" proto=\"Simple\" nchannels=\"1\" "
      "nchunksperloop=\"{}\" ngpus=\"{}\" coll=\"{}\" inplace=\"{}\"{}>\n",
      loop, ranks.size(), coll, in_place ? 1 : 0, more);
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    out += fmt::format("<gpu id=\"{0}\" i_chunks=\"{2}\" o_chunks=\"{2}\" s_chunks=\"{1}\">\n", r, scratch,
                       declared);
    for (std::size_t b = 0; b < ranks[r].size(); ++b) {
      const XmlBlock& block = ranks[r][b];
      out += fmt::format("<tb id=\"{}\" send=\"{}\" recv=\"{}\" chan=\"{}\">\n", b, block.send, block.receive,
                         block.channel);
      for (std::size_t s = 0; s < block.steps.size(); ++s) {
        const XmlStep& step = block.steps[s];
        out += fmt::format(
            "<step s=\"{}\" type=\"{}\" srcbuf=\"{}\" srcoff=\"{}\" dstbuf=\"{}\" dstoff=\"{}\" cnt=\"{}\" "
            "depid=\"{}\" deps=\"{}\" hasdep=\"0\"/>\n",
            s, step.type, step.source, step.source_offset, step.destination, step.destination_offset,
            step.count, step.depid, step.deps);
      }
      out += "</tb>\n";
    }
    out += "</gpu>\n";
  }
  return out + "</algo>\n";
}

// Chunk r starts at rank r and is summed around the ring; then the sums go round once more.
std::string ring_allreduce(std::uint32_t n, const std::string& broken = "") {
  std::vector<std::vector<XmlBlock>> ranks(n);
  for (std::uint32_t r = 0; r < n; ++r) {
    XmlBlock block{static_cast<int>((r + 1) % n), static_cast<int>((r + n - 1) % n), 0, {}};
    for (std::uint32_t k = 0; k < 2 * (n - 1); ++k) {
      const std::uint32_t out = (r + 2 * n - k) % n, in = (r + 2 * n - k - 1) % n;
      block.steps.push_back({"s", 'i', out, 'i', out});
      const bool keep = broken == "receive" && r == 3 && k == 1;
      block.steps.push_back({k < n - 1 && !keep ? "rrc" : "r", 'i', in, 'i', in});
    }
    ranks[r].push_back(block);
  }
  return xml("allreduce", n, true, ranks);
}

ReadSchedule read_on(const std::string& topology, const std::string& text,
                     PortModel ports = PortModel::kAllPort) {
  return read_msccl(text, "file.xml", make_topology(topology), ports);
}

std::string xml_error(const std::string& topology, const std::string& text) {
  const std::string error = error_of([&] { read_on(topology, text); });
  check_one_line(error);
  return error;
}

}  // namespace

TEST_CASE("an import is told what it amounts to, combined or of several messages", "[interchange][msccl]") {
  const Schedule ring = read_on("ring:4", ring_allreduce(4)).schedule;
  CHECK(ring.collective == "allreduce");
  CHECK(check_schedule(ring).valid());
}

TEST_CASE("the name of the algorithm is written so that XML holds it", "[interchange][msccl]") {
  Schedule schedule = read_on("ring:3", ring_allreduce(3)).schedule;
  schedule.algorithm = "a&b<c\"d\x01>e";
  CHECK_THAT(msccl_text(schedule), Catch::StartsWith("<algo name=\"a&amp;b&lt;c&quot;d?>e\" proto="));
}

TEST_CASE("comments stand anywhere in a program, and quotes may be single ones", "[interchange][msccl]") {
  std::string single = ring_allreduce(3);
  std::ranges::replace(single, '"', '\'');
  CHECK(read_on("ring:3", single).schedule.sends == read_on("ring:3", ring_allreduce(3)).schedule.sends);
  std::string text = ring_allreduce(3);
  for (const std::string tag : {"</algo>", "</gpu>", "</tb>"}) {
    for (std::size_t at = text.find(tag); at != std::string::npos; at = text.find(tag, at + 20 + tag.size()))
      text.insert(at, "<!-- <gpu id=\"7\"> -->");
  }
  CHECK(read_on("ring:3", text).schedule.sends == read_on("ring:3", ring_allreduce(3)).schedule.sends);
}

TEST_CASE("what is no name in XML is shown by its first twenty characters", "[interchange][msccl]") {
  CHECK_THAT(xml_error("ring:3", "<%2345678901234567890123456789 />"),
             Catch::Contains("'%2345678901234567890': expected a name"));
  CHECK_THAT(xml_error("ring:3", "<algo name%2345678901234567890123456789 />"),
             Catch::Contains("'%2345678901234567890': expected '='"));
}

TEST_CASE("a rank without output chunks of its own has them where its input is", "[interchange][msccl]") {
  MscclCollective custom{.kind = MscclKind::kCustom, .ranks = 3};
  custom.inputs = {4, 4, 4};
  custom.outputs = {0, 1, 2};
  CHECK(custom.place(0, 'o', 3) == std::pair<char, std::uint64_t>{'i', 3});
  CHECK(custom.place(1, 'o', 0) == std::pair<char, std::uint64_t>{'o', 0});
  CHECK(custom.place(2, 'o', 1) == std::pair<char, std::uint64_t>{'o', 1});
  CHECK(custom.place(0, 's', 3) == std::pair<char, std::uint64_t>{'s', 3});
}

TEST_CASE("a step that does nothing stands only where a sum waits for two others", "[interchange][msccl]") {
  const auto count = [](const std::string& text, const std::string& what) {
    std::size_t found = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
    return found;
  };
  for (const auto& [topology, sums, nothing] :
       {std::tuple{"ring:5", 10, 0}, std::tuple{"hypercube:3", 32, 6}}) {
    Problem problem{.graph = make_topology(topology), .collective = CollectiveKind::kAllreduce};
    const std::string program = msccl_text(plan_of(*choose_algorithm(problem, true).algorithm, problem));
    CAPTURE(topology);
    CHECK(count(program, "type=\"re\"") == static_cast<std::size_t>(sums));
    CHECK(count(program, "type=\"nop\"") == static_cast<std::size_t>(nothing));
  }
}

TEST_CASE("a packet for its own origin is none of MSCCL's collectives", "[interchange][msccl]") {
  const auto placement = [](std::uint32_t first) {
    Schedule schedule(make_topology("complete:3"));
    for (NodeId v = 0; v < 3; ++v)
      schedule.packets.add(v, 0, 1, std::vector<NodeId>{(v + first) % 3, (v + 2) % 3});
    return MscclPlacement(schedule).collective.kind;
  };
  CHECK(placement(1) == MscclKind::kAllGather);
  CHECK_THAT(error_of([&] { placement(0); }), Catch::Contains("packets that are no allreduce"));
}

TEST_CASE("a program has as many channels as the most links that two nodes have", "[interchange][msccl]") {
  for (const auto& [topology, channels] :
       {std::pair{"ring:3", "nchannels=\"1\""}, std::pair{"edges:0-1,0-1,1-2,1-2", "nchannels=\"2\""}}) {
    const Schedule exchange = planned(topology, CollectiveKind::kTotalExchange, PortModel::kAllPort, 0, 11);
    CHECK_THAT(msccl_text(exchange), Catch::Contains(channels));
  }
}

TEST_CASE("a ring allreduce takes 2 (n-1) steps", "[interchange][msccl]") {
  for (const std::uint32_t n : {3u, 4u, 5u, 8u, 13u}) {
    const ReadSchedule result = read_on(fmt::format("ring:{}", n), ring_allreduce(n));
    const Schedule& schedule = result.schedule;
    CAPTURE(n);
    CHECK(fault_of(schedule) == "");
    CHECK(steps_of(schedule) == 2 * (n - 1));
    CHECK(schedule.sends.size() == 2 * n * (n - 1));
    CHECK(schedule.packets.size() == n * n + n * (n - 1));  // ranks' own chunks, a sum per combination
    CHECK(demand(schedule, true).size() == n);
    for (const auto& [origin, destinations] : demand(schedule, true)) CHECK(destinations.size() == n);
    CHECK_THAT(result.remarks.at(0), Catch::Contains(fmt::format("scheduled in {} steps", 2 * (n - 1))));
  }
  CHECK_THAT(
      xml_error("ring:8", ring_allreduce(8, "receive")),
      Catch::Contains("output chunk 1: expected the sum of input chunk 1 of ranks 0...7, got the sum of"));
}

TEST_CASE("every collective of MSCCL starts and ends where it should", "[interchange][msccl]") {
  // Two ranks, one exchange, out of place.
  const XmlStep own{"cpy", 'i', 0, 'o', 0};
  const auto both = [](const XmlBlock& a, const XmlBlock& b) {
    return std::vector<std::vector<XmlBlock>>{{a}, {b}};
  };
  const std::string gathered =
      xml("allgather", 2, false,
          both({1, 1, 0, {own, {"s", 'i', 0, 'o', 0}, {"r", 'i', 0, 'o', 1}}},
               {0, 0, 0, {{"cpy", 'i', 0, 'o', 1}, {"s", 'i', 0, 'o', 0}, {"r", 'i', 0, 'o', 0}}}));
  Schedule schedule = read_on("linear:2", gathered).schedule;
  CHECK(steps_of(schedule) == 1);
  CHECK(demand(schedule, false) == Demand{{0, {1}}, {1, {0}}});
  const std::string exchanged =
      xml("alltoall", 2, false,
          both({1, 1, 0, {own, {"s", 'i', 1, 'o', 0}, {"r", 'i', 0, 'o', 1}}},
               {0, 0, 0, {{"cpy", 'i', 1, 'o', 1}, {"s", 'i', 0, 'o', 0}, {"r", 'i', 0, 'o', 0}}}));
  CHECK(read_on("linear:2", exchanged).schedule.collective == "total-exchange");
  const std::string scattered = xml("reduce_scatter", 2, true,
                                    both({1, 1, 0, {{"s", 'i', 1, 'o', 0}, {"rrc", 'i', 0, 'o', 0}}},
                                         {0, 0, 0, {{"s", 'i', 0, 'o', 0}, {"rrc", 'i', 1, 'i', 1}}}));
  schedule = read_on("linear:2", scattered).schedule;
  CHECK(demand(schedule, true) == Demand{{0, {0}}, {1, {1}}});
  const std::string broadcast = xml(
      "broadcast", 2, true,
      both({1, -1, 0, {{"s", 'i', 0, 'o', 0, -1, -1, 2}}}, {-1, 0, 0, {{"r", 'i', 0, 'o', 0, -1, -1, 2}}}));
  const ReadSchedule two = read_on("linear:2", broadcast);
  CHECK(demand(two.schedule, false) == Demand{{0, {1}}, {0, {1}}});
  CHECK(steps_of(two.schedule) == 2);
  CHECK_THAT(two.remarks.at(1), Catch::Contains("taken as rank 0"));
  CHECK(steps_of(read_on("edges:0-1,0-1", broadcast).schedule) == 1);
  const auto to_root = both({-1, 1, 0, {{"rrc", 'i', 0, 'o', 0}}}, {0, -1, 0, {{"s", 'i', 0, 'o', 0}}});
  schedule = read_on("linear:2", xml("reduce", 1, true, to_root)).schedule;
  CHECK(demand(schedule, true) == Demand{{0, {0}}});
  const auto gather = both({-1, 1, 0, {own, {"r", 'i', 0, 'o', 1}}}, {0, -1, 0, {{"s", 'i', 0, 'o', 0}}});
  CHECK(read_on("linear:2", xml("gather", 2, false, gather)).schedule.collective == "gather");
  CHECK(read_on("linear:2", xml("gather", 2, true, gather)).schedule.collective == "gather");
  const auto scatter =
      both({-1, 1, 0, {{"r", 'i', 0, 'o', 0}}}, {0, -1, 0, {{"cpy", 'i', 1, 'o', 0}, {"s", 'i', 0, 'o', 0}}});
  schedule = read_on("linear:2", xml("scatter", 2, false, scatter, " root=\"1\"")).schedule;
  CHECK(schedule.collective == "scatter");
  CHECK(schedule.root == 1);
  CHECK_THAT(xml_error("linear:2", xml("scatter", 2, false, scatter)), Catch::Contains("buffer i has 0"));
  CHECK_THAT(xml_error("linear:2", xml("alltonext", 2, false, scatter)),
             Catch::Contains("coll='alltonext'; expected allreduce"));
}

TEST_CASE("steps that receive and go on do so in the order of their block", "[interchange][msccl]") {
  // Reduce along a line: rank 2 sends, rank 1 adds and passes on (rrs, rrcs), rank 0 adds.
  for (const char* pass : {"rrs", "rrcs"}) {
    const std::string text = xml("reduce", 1, false,
                                 {{{-1, 1, 0, {{"rrc", 'i', 0, 'o', 0}}}},
                                  {{0, 2, 0, {{pass, 'i', 0, 's', 0}}}},
                                  {{1, -1, 0, {{"s", 'i', 0, 'o', 0}}}}});
    const Schedule schedule = read_on("linear:3", text).schedule;
    CHECK(fault_of(schedule) == "");
    CHECK(steps_of(schedule) == 2);
    CHECK(schedule.packets.size() == 5);
  }
  // Rank 0 receives into scratch, then reduces locally; the step waits for both receives through a nop.
  const std::string local = xml(
      "reduce", 1, false,
      {{{-1, 1, 0, {{"r", 'i', 0, 's', 0}}},
        {-1, 2, 0, {{"r", 'i', 0, 'o', 0}}},
        {-1, -1, 0, {{"nop", 'i', 0, 'i', 0, 0, 0}, {"re", 's', 0, 'o', 0, 1, 0}, {"re", 'i', 0, 'o', 0}}}},
       {{0, -1, 0, {{"s", 'i', 0, 'o', 0}}}},
       {{0, -1, 0, {{"s", 'i', 0, 'o', 0}}}}});
  const Schedule schedule = read_on("ring:3", local).schedule;
  CHECK(fault_of(schedule) == "");
  CHECK(steps_of(schedule) == 1);
  CHECK(demand(schedule, true) == Demand{{0, {0}}});
  CHECK(steps_of(read_on("ring:3", local, PortModel::kOnePort).schedule) == 2);
}

TEST_CASE("a send is done before its receive step is reached", "[interchange][msccl]") {
  // Rank 1 looks at rank 0's message only after rank 2's: both leave in step 1.
  const std::string text = xml("gather", 3, false,
                               {{{1, -1, 0, {{"s", 'i', 0, 'o', 0}}}},
                                {{-1, 0, 0, {{"r", 'i', 0, 'o', 0, 1, 0}}},
                                 {-1, 2, 0, {{"r", 'i', 0, 'o', 2}}},
                                 {-1, -1, 0, {{"cpy", 'i', 0, 'o', 1}}}},
                                {{1, -1, 0, {{"s", 'i', 0, 'o', 0}}}}},
                               " root=\"1\"");
  CHECK(steps_of(read_on("linear:3", text).schedule) == 1);
}

TEST_CASE("a rank is not sent what it has", "[interchange][msccl]") {
  // Rank 1 echoes what it gets; rank 0 has it.
  const std::string text =
      xml("broadcast", 1, false,
          {{{1, -1, 0, {{"s", 'i', 0, 'o', 0}}}, {-1, 1, 0, {{"r", 'i', 0, 'o', 0}}}},
           {{-1, 0, 0, {{"r", 'i', 0, 'o', 0}}}, {0, -1, 0, {{"s", 'o', 0, 's', 0, 0, 0}}}}});
  const ReadSchedule result = read_on("linear:2", text);
  CHECK(result.schedule.sends.size() == 1);
  CHECK(fault_of(result.schedule) == "");
  CHECK_THAT(result.remarks.back(), Catch::Contains("1 transfers left out"));
}

TEST_CASE("a second message waits until the first is received", "[interchange][msccl]") {
  // Rank 1 takes chunk 0 only after chunk 2, which comes through rank 2 in step 2. Chunk 1 leaves in step 3.
  const XmlStep all{"cpy", 'i', 0, 'o', 0, -1, -1, 3};
  const std::string text =
      xml("broadcast", 3, false,
          {{{1, -1, 0, {{"s", 'i', 0, 'o', 0}, {"s", 'i', 1, 'o', 0}}},
            {2, -1, 0, {{"s", 'i', 2, 'o', 0}, {"s", 'i', 0, 'o', 0}, {"s", 'i', 1, 'o', 0}}},
            {-1, -1, 0, {all}}},
           {{-1, 0, 0, {{"r", 'i', 0, 'o', 0, 1, 0}, {"r", 'i', 0, 'o', 1}}},
            {-1, 2, 0, {{"r", 'i', 0, 'o', 2}}}},
           {{1, 0, 0, {{"rcs", 'i', 0, 'o', 2}, {"r", 'i', 0, 'o', 0}, {"r", 'i', 0, 'o', 1}}}}});
  const Schedule schedule = read_on("ring:3", text).schedule;
  CHECK(fault_of(schedule) == "");
  CHECK(hops(schedule) == std::multiset<std::tuple<std::uint32_t, NodeId, NodeId>>{
                              {1, 0, 1}, {1, 0, 2}, {2, 0, 2}, {2, 2, 1}, {3, 0, 1}, {3, 0, 2}});
}

TEST_CASE("a channel holds as many messages as it is deep", "[interchange][msccl]") {
  // Rank 1 takes the chunks of rank 0 after that of rank 2, which comes through rank 3 in step 2.
  const auto text = [](std::uint32_t chunks) {
    std::vector<XmlStep> all, taken{{"r", 'i', 0, 'o', 0, 1, 0}};
    for (std::uint32_t c = 0; c < chunks; ++c) all.push_back({"s", 'i', c, 'o', 0});
    for (std::uint32_t c = 1; c < chunks; ++c) taken.push_back({"r", 'i', 0, 'o', c});
    return xml("custom", 9, false,
               {{{1, -1, 0, all}},
                {{-1, 0, 0, taken}, {-1, 3, 0, {{"r", 'i', 0, 's', 0}}}},
                {{3, -1, 0, {{"s", 'i', 0, 'o', 0}}}},
                {{1, 2, 0, {{"rcs", 'i', 0, 'o', 0}}}}},
               "", 4, chunks);
  };
  const auto starts_of_rank_0 = [&](std::uint32_t chunks, std::uint32_t depth) {
    const Schedule schedule = read_msccl(text(chunks), "file.xml", make_topology("edges:0-1,1-3,3-2"),
                                         PortModel::kAllPort, {.channel_depth = depth})
                                  .schedule;
    CHECK(fault_of(schedule) == "");
    std::multiset<std::uint32_t> starts;
    for (const Send& send : schedule.sends) {
      if (schedule.network.link_source(send.link) == 0) starts.insert(send.start);
    }
    return starts;
  };
  CHECK(starts_of_rank_0(4, 1) == std::multiset<std::uint32_t>{1, 3, 4, 5});
  CHECK(starts_of_rank_0(4, 2) == std::multiset<std::uint32_t>{1, 2, 3, 4});
  // Two blocks that send before they receive, each twice: a circle for channels of one message.
  const auto twice = [](NodeId peer) {
    return XmlBlock{
        static_cast<int>(peer),
        static_cast<int>(peer),
        0,
        {{"s", 'i', 0, 'o', 0}, {"s", 'i', 1, 'o', 0}, {"r", 'i', 0, 'o', 0}, {"r", 'i', 0, 'o', 1}}};
  };
  const std::string both = xml("custom", 2, false, {{twice(1)}, {twice(0)}}, "", 0, 2);
  CHECK_THAT(xml_error("linear:2", both), Catch::Contains("deadlock"));
  const Schedule deep =
      read_msccl(both, "file.xml", make_topology("linear:2"), PortModel::kAllPort, {.channel_depth = 2})
          .schedule;
  CHECK(steps_of(deep) == 2);
}

TEST_CASE("a custom program is the collective that it carries out, or the one that is named",
          "[interchange][msccl]") {
  const auto as = [](const std::string& coll, const std::string& named) {
    std::string text = ring_allreduce(4);
    const std::string was = " coll=\"allreduce\"";
    text.replace(text.find(was), was.size(), coll);
    for (std::size_t at; (at = text.find("i_chunks=\"0\"")) != std::string::npos;) text[at + 10] = '4';
    return read_msccl(text, "file.xml", make_topology("ring:4"), PortModel::kAllPort, {.collective = named});
  };
  const ReadSchedule usual = as(" coll=\"allreduce\"", "");
  const ReadSchedule custom = as(" coll=\"custom\"", "");
  CHECK(custom.schedule.collective == "allreduce");
  CHECK(custom.schedule.sends == usual.schedule.sends);
  CHECK(custom.schedule.packets == usual.schedule.packets);
  CHECK(custom.remarks.back() == "custom: what the output chunks hold in the end makes it allreduce");
  for (const char* coll : {"", " coll=\"custom\"", " coll=\"mine\"", " coll=\"allreduce\""}) {
    const ReadSchedule named = as(coll, "allreduce");
    CHECK(named.schedule.packets == usual.schedule.packets);
    CHECK(named.remarks == usual.remarks);
  }
  CHECK_THAT(error_of([&] { as("", ""); }),
             Catch::Contains("'coll' is missing; expected it, or --collective"));
  CHECK_THAT(error_of([&] { as(" coll=\"custom\"", "broadcast"); }), Catch::Contains("holds nothing"));
  CHECK_THAT(error_of([&] { as(" coll=\"allreduce\"", "gather"); }),
             Catch::Contains("coll='allreduce'; the option --collective names another, 'gather'"));
  for (const char* word : {"scan", "custom", "nothing", "a\nb"}) {
    const std::string error = error_of([&] { as("", word); });
    CHECK_THAT(error, Catch::Contains("expected allreduce, allgather"));
    check_one_line(error);
  }
  // Ours and MSCCL's names are the same collectives.
  const std::vector<std::pair<const char*, MscclKind>> both{
      {"total-exchange", MscclKind::kAllToAll},       {"alltoall", MscclKind::kAllToAll},
      {"multinode-broadcast", MscclKind::kAllGather}, {"reduce_scatter", MscclKind::kReduceScatter},
      {"reduce-scatter", MscclKind::kReduceScatter},  {"reduction", MscclKind::kReduce}};
  for (const auto& [word, kind] : both) CHECK(parse_msccl_collective(word) == kind);
}

TEST_CASE("a custom program delivers what its output chunks hold in the end", "[interchange][msccl]") {
  // Every rank sends its chunk to the next one, but the last: no collective.
  const auto next = [](int send, int receive) {
    std::vector<XmlStep> steps;
    if (send >= 0) steps.push_back({"s", 'i', 0, 'o', 0});
    if (receive >= 0) steps.push_back({"r", 'i', 0, 'o', 0});
    return XmlBlock{send, receive, 0, steps};
  };
  const ReadSchedule line =
      read_on("linear:3", xml("custom", 1, false, {{next(1, -1)}, {next(2, 0)}, {next(-1, 1)}}, "", 0, 1));
  CHECK(line.schedule.collective == "");
  CHECK(demand(line.schedule, false) == Demand{{0, {1}}, {1, {2}}});
  CHECK(fault_of(line.schedule) == "");
  CHECK_THAT(line.remarks.back(), Catch::Contains("is no collective known"));
  // In place, the input buffer is the output: what comes takes the place of what was there.
  const auto swap = [](int peer) {
    return XmlBlock{peer, peer, 0, {{"s", 'i', 0, 'i', 0}, {"r", 'i', 0, 'i', 0}}};
  };
  const ReadSchedule swapped = read_on("linear:2", xml("custom", 1, true, {{swap(1)}, {swap(0)}}, "", 0, 1));
  CHECK(swapped.schedule.collective == "total-exchange");
  std::string uneven = xml("custom", 1, true, {{swap(1)}, {swap(0)}}, "", 0, 1);
  uneven.replace(uneven.find("o_chunks=\"1\""), 12, "o_chunks=\"2\"");
  CHECK_THAT(xml_error("linear:2", uneven), Catch::Contains("other numbers of input and output chunks"));
}

TEST_CASE("copy elements are made before any step", "[interchange][msccl]") {
  // As TACCL writes an allgather: its own chunk is copied to the output and sent from there.
  const auto rank = [](NodeId v) {
    const int peer = static_cast<int>(1 - v);
    return std::vector<XmlBlock>{{peer, peer, 0, {{"s", 'o', v, 'o', v}, {"r", 'o', 1 - v, 'o', 1 - v}}}};
  };
  const std::string without = xml("allgather", 2, false, {rank(0), rank(1)});
  const auto with = [&](const std::string& first, const std::string& second) {
    std::string text = without;
    text.insert(text.find("<tb "), first);
    text.insert(text.rfind("</gpu>"), second);
    return text;
  };
  CHECK_THAT(xml_error("linear:2", without), Catch::Contains("o[1] holds nothing"));
  const Schedule schedule =
      read_on("linear:2", with("<copy i_off=\"0\" o_off=\"0\"/>", "<copy i_off=\"0\" o_off=\"1\"/>"))
          .schedule;
  CHECK(schedule.collective == "multinode-broadcast");
  CHECK(steps_of(schedule) == 1);
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"<copy i_off=\"1\" o_off=\"0\"/>", "gpu 0: copy: i_off='1'; buffer i has 1 chunks"},
      {"<copy i_off=\"0\" o_off=\"2\"/>", "gpu 0: copy: o_off='2'; buffer o has 2 chunks"},
      {"<copy i_off=\"-1\" o_off=\"0\"/>", "i_off='-1'"},
      {"<copy o_off=\"0\"/>", "attribute 'i_off' is missing"},
      {"<copied i_off=\"0\" o_off=\"0\"/>", "element 'copied'; expected 'copy'"}};
  for (const auto& [element, message] : wrong) {
    CAPTURE(element);
    CHECK_THAT(xml_error("linear:2", with(element, "")), Catch::Contains(message));
  }
}

TEST_CASE("cyclic waiting is refused, naming the blocks", "[interchange][msccl]") {
  const std::string receive_first = xml("alltoall", 2, false,
                                        {{{1, 1, 0, {{"r", 'i', 0, 'o', 1}, {"s", 'i', 1, 'o', 0}}}},
                                         {{0, 0, 0, {{"r", 'i', 0, 'o', 0}, {"s", 'i', 0, 'o', 0}}}}});
  const std::string error = xml_error("linear:2", receive_first);
  CHECK_THAT(error, Catch::Contains("deadlock"));
  CHECK_THAT(error, Catch::Contains("rank 0, block 0, step 0"));
  CHECK_THAT(error, Catch::Contains("rank 1, block 0, step 0"));
  const std::string dependencies =
      xml("allreduce", 1, true,
          {{{-1, -1, 0, {{"nop", 'i', 0, 'i', 0, 1, 0}}}, {-1, -1, 0, {{"nop", 'i', 0, 'i', 0, 0, 0}}}}, {}});
  CHECK_THAT(xml_error("linear:2", dependencies),
             Catch::Contains("deadlock: rank 0, block 0") && Catch::Contains("waits for rank 0, block 1"));
}

TEST_CASE("what is written as MSCCL reads back on the same network in no more steps",
          "[interchange][msccl]") {
  std::size_t equal = 0, all = 0;
  for (const Schedule& schedule : schedules_of_all_kinds()) {
    CAPTURE(schedule.network.spelling(), schedule.collective, static_cast<int>(schedule.ports));
    const std::string text = msccl_text(schedule);
    const Schedule again = read_msccl(text, "again", schedule.network, schedule.ports).schedule;
    CHECK(fault_of(again) == "");
    CHECK(steps_of(again) <= steps_of(schedule));
    CHECK(again.sends.size() == schedule.sends.size());
    CHECK(demand(again, false) == demand(schedule, false));
    CHECK(demand(again, true) == demand(schedule, true));
    if (!schedule.packets.combines()) CHECK(again.packets == schedule.packets);
    equal += steps_of(again) == steps_of(schedule) ? 1 : 0;
    ++all;
    for (const char* word : {"outofplace=\"1\"", "minBytes=", "maxBytes="})
      CHECK_THAT(text, Catch::Contains(word));
    // Writing and reading once more changes nothing.
    CHECK(hops(read_msccl(msccl_text(again), "again", schedule.network, schedule.ports).schedule) ==
          hops(again));
  }
  CHECK(equal > all / 2);
  const Schedule ring = read_on("ring:8", ring_allreduce(8)).schedule;
  const Schedule again = read_on("ring:8", msccl_text(ring)).schedule;
  CHECK(again.packets.size() == ring.packets.size());
  CHECK(hops(again) == hops(ring));
  CHECK(hops(read_sccl(sccl_text(ring), "sccl").schedule) == hops(ring));
  Schedule other = planned("ring:4", CollectiveKind::kScatter, PortModel::kAllPort, 0, 1);
  const NodeId two = 2;
  other.packets.add(1, 0, 1, std::span(&two, 1));
  CHECK_THAT(error_of([&] { msccl_text(other); }), Catch::Contains("packets that are no allreduce"));
}

TEST_CASE("wrong MSCCL gets one line", "[interchange][msccl]") {
  const std::string good = ring_allreduce(4);
  REQUIRE(steps_of(read_on("ring:4", good).schedule) == 6);
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
  };
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  std::string many = "<algo>";
  for (int i = 0; i < 300000; ++i) many += "<gpu/>";
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"", "expected an element"},
      {"hello", "'hello': expected an element"},
      {deep, "nested more than 16 deep"},
      {many, "expected at most 262144 elements"},
      {std::string("<algo\0/>", 8), "a byte 0"},
      {"<!DOCTYPE a [<!ENTITY b \"bbbb\">]><algo name=\"&b;\"/>", "document types, entities and CDATA"},
      {"<algo><![CDATA[ ]]></algo>", "CDATA"},
      {"<algo", "expected"},
      {"<algo/><algo/>", "second outermost"},
      {"<!-- never ends", "expected '-->'"},
      {"<a b'=\"\"><a></a></a>", "expected '='"},
      {"<algo><gpu></algo></gpu>", "'algo': an end tag without its start"},
      {"<algo name=x/>", "without quotes"},
      {"<algo name=\"x/>", "does not end"},
      {"<algo/>", "attribute 'name' is missing"},
      {"<graph/>", "element 'graph'; expected 'algo'"},
      {changed("ngpus=\"4\"", "ngpus=\"5\""), "ngpus='5'; the topology 'ring:4' has 4 nodes"},
      {changed("ngpus=\"4\"", "ngpus=\"99999999999999999999\""), "ngpus='99999999999999999999'"},
      {changed("coll=\"allreduce\"", "coll=\"all&#10;reduce\""), "coll='all?reduce'"},
      {changed("coll=\"allreduce\"", "coll=\"&bomb;\""), "coll"},
      {changed("nchunksperloop=\"4\"", "nchunksperloop=\"0\""), "nchunksperloop='0'"},
      {changed("nchunksperloop=\"4\"", "nchunksperloop=\"4294967297\""), "nchunksperloop"},
      {changed("nchunksperloop=\"4\"", "nchunksperloop=\"3\""), "srcoff='3', 1 chunks; buffer i has 3"},
      {changed("coll=\"allreduce\"", "coll=\"alltoall\""), "output chunk"},
      {changed("inplace=\"1\"", "inplace=\"2\""), "inplace='2'"},
      {changed("inplace=\"1\"", "inplace=\"0\""), "got nothing"},
      {changed("gpu id=\"1\"", "gpu id=\"0\""), "gpu 0: given twice"},
      {changed("gpu id=\"1\"", "gpu id=\"4\""), "id='4'"},
      {changed("s_chunks=\"4\"", "s_chunks=\"99999999\""), "s_chunks='99999999'"},
      {changed("s_chunks=\"4\"", "x=\"4\""), "'s_chunks' is missing"},
      {changed("send=\"1\"", "send=\"0\""), "send='0' is the rank itself"},
      {changed("send=\"1\"", "send=\"2\""), "expected as many"},
      {changed("send=\"1\"", "send=\"-1\""), "expected a block with 'send'"},
      {changed("recv=\"3\"", "recv=\"-2\""), "recv='-2'"},
      {changed("recv=\"3\"", "recv=\"-1\""), "receives; expected a block with 'recv'"},
      {changed("chan=\"0\"", "chan=\"1\""), "expected as many"},
      {changed("<tb ", "<thread "), "'tb': an end tag without its start"},
      {changed(" s=\"1\"", " s=\"0\""), "step 0: given twice"},
      {changed(" s=\"1\"", " s=\"12\""), "s='12'"},
      {changed("type=\"rrc\"", "type=\"xyz\""), "type='xyz'; expected s, r,"},
      {changed("type=\"rrc\"", "type=\"nop\""), "expected as many"},
      {changed("srcbuf=\"i\"", "srcbuf=\"q\""), "srcbuf='q'; expected i, o or s"},
      {changed("srcbuf=\"i\"", "srcbuf=\"s\""), "s[0] holds nothing"},
      {changed("srcoff=\"0\"", "srcoff=\"4\""), "srcoff='4'"},
      {changed("cnt=\"1\"", "cnt=\"2\""), "send 0 has 2 chunks, its receive 1"},
      {changed("cnt=\"1\"", "cnt=\"0\""), "cnt='0'"},
      {changed("cnt=\"1\"", "cnt=\"16777217\""), "cnt='16777217'"},
      {changed("depid=\"-1\"", "depid=\"7\""), "depid='7'; rank 0 has no such block"},
      {changed("depid=\"-1\" deps=\"-1\"", "depid=\"0\" deps=\"99\""), "waits for step 99 of block 0"},
      {changed("depid=\"-1\" deps=\"-1\"", "depid=\"0\" deps=\"0\""), "deadlock"},
      {changed("type=\"s\"", "type=\"cpy\""), "expected as many"},
  };
  for (const auto& [text, message] : wrong) {
    CAPTURE(text.substr(0, 300), message);
    CHECK_THAT(xml_error("ring:4", text), Catch::Contains(message));
  }
}

TEST_CASE("wrong steps, copies and sizes of MSCCL are named", "[interchange][msccl]") {
  CHECK_THAT(xml_error("linear:4", ring_allreduce(4)),
             Catch::Contains("the topology 'linear:4' has no such link"));
  // A rank that adds a chunk to itself, and a chunk that is a part of two sums.
  const auto two = [](const std::vector<XmlStep>& steps) {
    return xml("allreduce", 1, true, {{{-1, -1, 0, steps}}, {}});
  };
  CHECK_THAT(xml_error("linear:2", two({{"re", 'i', 0, 'i', 0}})), Catch::Contains("would count twice"));
  const std::string used_twice =
      xml("allreduce", 3, true,
          {{{-1, -1, 0, {{"cpy", 'i', 0, 's', 0}, {"re", 'i', 1, 'i', 0}, {"re", 'i', 2, 's', 0}}}}, {}});
  CHECK_THAT(xml_error("linear:2", used_twice), Catch::Contains("goes into a second sum at rank 0"));
  CHECK_THAT(xml_error("linear:2", xml("alltoall", 3, false, {{}, {}})),
             Catch::Contains("nchunksperloop='3'; expected a multiple of 2 ranks for alltoall"));
  const std::string blocks = xml("allreduce", 1, true, {{{1, -1, 0, {}}, {1, -1, 0, {}}}, {}});
  CHECK_THAT(xml_error("linear:2", blocks),
             Catch::Contains("rank 0, block 1: block 0 has send='1' and channel 0 already"));
  std::string empty = xml("broadcast", 1, false, {{}, {}}, "", 4, 1);
  const std::string gpu = "<gpu id=\"1\" i_chunks=\"1\" o_chunks=\"1\" s_chunks=\"4\">\n";
  empty.insert(empty.find(gpu) + gpu.size(), "<copy i_off=\"0\" o_off=\"0\"/>");
  CHECK_THAT(xml_error("linear:2", empty), Catch::Contains("i_off='0'; that input chunk holds nothing"));
  const XmlStep third{"cpy", 's', 0, 's', 0, -1, -1, 6'000'000};
  CHECK_THAT(xml_error("linear:2",
                       xml("allreduce", 1, true, {{{-1, -1, 0, {third, third, third}}}, {}}, "", 6'000'000)),
             Catch::Contains("expected at most 16777216 chunks in all steps"));
}

TEST_CASE("mutated MSCCL files are read or refused in one line", "[interchange][msccl]") {
  std::string custom = ring_allreduce(4);
  custom.replace(custom.find("allreduce"), 9, "custom");
  for (std::size_t at; (at = custom.find("i_chunks=\"0\"")) != std::string::npos;) custom[at + 10] = '4';
  custom.insert(custom.find("<tb "), "<copy i_off=\"0\" o_off=\"0\"/>");
  check_mutated(
      {ring_allreduce(4), custom, msccl_text(reduced("ring:4", PortModel::kOnePort, {0, 1}, true, 2)),
       msccl_text(planned("ring:4", CollectiveKind::kTotalExchange, PortModel::kAllPort, 0, 3))},
      [](const std::string& text) { return read_on("ring:4", text).schedule; });
}
