// The digest of a run: the same for the same events at every node, another one for any other event.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "cpp_model/graph/topology.hpp"
#include "cpp_model/system/output_file.hpp"
#include "sim/machine/event_digest.hpp"
#include "sim/run/run.hpp"
#include "testbench/support/catch.hpp"

using namespace safnet;

namespace {

// A file of digests that is gone after the test.
class DigestFile {
 public:
  DigestFile()
      : path_((std::filesystem::temp_directory_path() / fmt::format("safnet_digests.{}", ::getpid()))
                  .string()) {
    std::filesystem::remove(path_);
  }
  ~DigestFile() { std::filesystem::remove(path_); }
  DigestFile(const DigestFile&) = delete;
  DigestFile& operator=(const DigestFile&) = delete;
  const std::string& path() const { return path_; }
  std::vector<std::string> lines() const {
    std::ifstream in(path_);
    std::vector<std::string> all;
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
  }

 private:
  std::string path_;
};

struct Event {
  bool delivered = false;
  std::uint32_t node = 0, port = 0;
  NetworkTime now = {1, 1};
  std::array<std::uint32_t, 2> words = {7, 9};
  bool last = true;
};

void tell(MachineObserver& observer, const Event& e) {
  if (e.delivered) {
    observer.on_delivered_flit({e.now, e.node, e.port, e.words.data(), e.last});
  } else {
    observer.on_link_flit({e.now, e.node, e.port, e.words.data()});
  }
}

// The line of a run of these events.
std::string line_of(const std::vector<Event>& events) {
  const DigestFile file;
  {
    EventDigest digest(3, nullptr, file.path());
    for (const Event& e : events) tell(digest, e);
  }
  REQUIRE(file.lines().size() == 1);
  return file.lines()[0];
}

class Counter final : public MachineObserver {
 public:
  int links = 0, deliveries = 0;
  void on_link_flit(const FlitEvent&) override { ++links; }
  void on_delivered_flit(const FlitEvent&) override { ++deliveries; }
  PacketInWords packet_in_words(const FlitEvent&) const override { return {"0>1 #2", 3}; }
};

}  // namespace

TEST_CASE("a digest depends on every part of an event, and on their order at a node", "[event_digest]") {
  const std::vector<Event> events = {
      {.node = 0}, {.node = 1, .port = 1}, {.delivered = true, .node = 1, .now = {2, 1}}};
  const std::string line = line_of(events);
  CHECK(line.starts_with("3 2 2 1 "));
  CHECK(line_of(events) == line);

  std::vector<Event> mixed = {events[1], events[0], events[2]};  // the nodes in another order
  CHECK(line_of(mixed) == line);
  std::vector<Event> swapped = {events[0], events[2], events[1]};
  CHECK(line_of(swapped) != line);
  const std::vector<std::function<void(Event&)>> changes = {
      [](Event& e) { e.delivered = !e.delivered; },
      [](Event& e) { e.node = 2; },
      [](Event& e) { e.port = 3; },
      [](Event& e) { e.now.cycle = 5; },
      [](Event& e) { e.now.step = 5; },
      [](Event& e) { e.words[0] ^= 1; },
      [](Event& e) { e.words[1] ^= 1U << 31; },
      [](Event& e) { std::swap(e.words[0], e.words[1]); }};
  for (std::size_t which = 0; which < events.size(); ++which) {
    for (std::size_t change = 0; change < changes.size(); ++change) {
      CAPTURE(which, change);
      std::vector<Event> other = events;
      changes[change](other[which]);
      CHECK(line_of(other) != line);
    }
  }
  std::vector<Event> other = events;
  other[2].last = false;
  CHECK(line_of(other) != line);
}

TEST_CASE("a digest passes everything on, and starts anew with every run", "[event_digest]") {
  const DigestFile file;
  Counter counter;
  {
    EventDigest digest(2, &counter, file.path());
    digest.end_run();  // nothing has happened: no line
    const FlitEvent flit{{1, 1}, 0, 0, nullptr};
    CHECK(digest.packet_in_words(flit).words == "0>1 #2");
    CHECK(EventDigest(2, nullptr, file.path()).packet_in_words(flit).words == "flit");
    for (int run = 0; run < 2; ++run) {
      tell(digest, {});
      tell(digest, {.delivered = true, .node = 1});
      digest.end_run();
    }
    tell(digest, {});
  }
  CHECK(counter.links == 3);
  CHECK(counter.deliveries == 2);
  const std::vector<std::string> lines = file.lines();
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == lines[1]);
  CHECK(lines[2] != lines[0]);
  CHECK_FALSE(EventDigest::has_lost_lines());
  CHECK_THROWS_AS(EventDigest(2, nullptr, "/no/such/folder/digests"), WriteError);
}

TEST_CASE("a run has the same digest on any number of threads, with or without idle nodes",
          "[event_digest]") {
  const DigestFile file;
  ::setenv("SAFNET_DIGESTS", file.path().c_str(), 1);
  RunRequest request(
      Problem{.graph = make_topology("torus:4x4"), .collective = CollectiveKind::kTotalExchange});
  for (const unsigned threads : {1U, 2U, 3U}) {
    request.threads = threads;
    request.skip_idle = threads != 3;
    run_collective(request, VariantStore::standard());
  }
  ::unsetenv("SAFNET_DIGESTS");
  run_collective(request, VariantStore::standard());
  const std::vector<std::string> lines = file.lines();
  REQUIRE(lines.size() == 3);
  CHECK(lines[0].starts_with("16 12 512 240 "));
  CHECK(lines[1] == lines[0]);
  CHECK(lines[2] == lines[0]);
}
