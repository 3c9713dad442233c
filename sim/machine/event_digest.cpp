#include "sim/machine/event_digest.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>

namespace safnet {
namespace {

// The last steps of the splitmix64 generator: every bit of the argument changes half of the result's bits.
std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31);
}

// Depends on the order in which values are added; the constant keeps a sequence of zeros from being nothing.
void add(std::uint64_t& hash, std::uint64_t value) { hash = mix((hash ^ value) + 0x9e3779b97f4a7c15ULL); }

std::uint64_t pair(std::uint32_t high, std::uint32_t low) { return std::uint64_t{high} << 32 | low; }

// What happened, as far as it is not the time and the flit.
std::uint64_t event_word(bool delivered, bool last, std::uint32_t port) {
  return pair((delivered ? 2U : 0U) | (last ? 1U : 0U), port);
}

}  // namespace

std::unique_ptr<EventDigest> EventDigest::if_wanted(std::uint32_t nodes, MachineObserver* next) {
  const char* path = std::getenv("SAFNET_DIGESTS");
  if (path == nullptr || *path == '\0') return nullptr;
  return std::make_unique<EventDigest>(nodes, next, path);
}

EventDigest::EventDigest(std::uint32_t nodes, MachineObserver* next, const std::string& path)
    : nodes_(nodes),
      next_(next),
      descriptor_(::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644)) {
  if (descriptor_ < 0) throw std::runtime_error("cannot write the digests of SAFNET_DIGESTS to " + path);
}

EventDigest::~EventDigest() {
  end_run();
  ::close(descriptor_);
}

void EventDigest::on_link_flit(NetworkTime now, std::uint32_t node, std::uint32_t port,
                               const std::uint32_t* words) {
  Node& record = nodes_[node];
  add(record.hash, event_word(false, false, port));
  add(record.hash, pair(now.cycle, now.step));
  add(record.hash, pair(words[1], words[0]));
  ++record.link_flits;
  record.last_cycle = now.cycle;
  if (next_ != nullptr) next_->on_link_flit(now, node, port, words);
}

void EventDigest::on_delivered_flit(NetworkTime now, std::uint32_t node, std::uint32_t port,
                                    const std::uint32_t* words, bool last) {
  Node& record = nodes_[node];
  add(record.hash, event_word(true, last, port));
  add(record.hash, pair(now.cycle, now.step));
  add(record.hash, pair(words[1], words[0]));
  ++record.delivered_flits;
  record.last_cycle = now.cycle;
  if (next_ != nullptr) next_->on_delivered_flit(now, node, port, words, last);
}

void EventDigest::end_run() {
  Node all;
  for (Node& node : nodes_) {
    add(all.hash, node.hash);
    all.link_flits += node.link_flits;
    all.delivered_flits += node.delivered_flits;
    all.last_cycle = std::max(all.last_cycle, node.last_cycle);
    node = {};
  }
  if (all.link_flits + all.delivered_flits == 0) return;
  const std::string line = fmt::format("{} {} {} {} {:016x}\n", nodes_.size(), all.last_cycle, all.link_flits,
                                       all.delivered_flits, all.hash);
  // In one call, so that lines of several threads and programs do not mix. This also happens in destructors,
  // where an error can only be shown.
  if (::write(descriptor_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    fmt::print(stderr, "safnet: a line of SAFNET_DIGESTS could not be written\n");
}

}  // namespace safnet
