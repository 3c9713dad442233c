#include "sim/machine/event_digest.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cpp_model/number/bits.hpp"
#include "cpp_model/system/output_file.hpp"

namespace safnet {
namespace {

std::atomic<bool> lines_are_lost = false;

// The hash depends on the order of the values; with the constant, adding zeros to a hash of 0 changes it.
void add(std::uint64_t& hash, std::uint64_t value) {
  hash = mixed_bits((hash ^ value) + 0x9e3779b97f4a7c15ULL);
}

std::uint64_t pair(std::uint32_t high, std::uint32_t low) { return std::uint64_t{high} << 32 | low; }

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
  if (descriptor_ < 0) throw WriteError("SAFNET_DIGESTS: " + path, std::strerror(errno));
}

EventDigest::~EventDigest() {
  end_run();
  ::close(descriptor_);
}

void EventDigest::Node::add_event(bool delivered, const FlitEvent& flit) {
  add(hash, pair((delivered ? 2U : 0U) | (flit.last ? 1U : 0U), flit.port));
  add(hash, pair(flit.now.cycle, flit.now.step));
  add(hash, flit.value());
  ++(delivered ? delivered_flits : link_flits);
  last_cycle = flit.now.cycle;
}

void EventDigest::on_link_flit(const FlitEvent& flit) {
  nodes_[flit.node].add_event(false, flit);
  if (next_ != nullptr) next_->on_link_flit(flit);
}

void EventDigest::on_delivered_flit(const FlitEvent& flit) {
  nodes_[flit.node].add_event(true, flit);
  if (next_ != nullptr) next_->on_delivered_flit(flit);
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
  // In one call, so that lines of several threads and programs do not mix. An error is only printed, not
  // thrown, as the destructor calls this too.
  if (::write(descriptor_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    lines_are_lost = true;
    std::fputs("safnet: a line of SAFNET_DIGESTS could not be written\n", stderr);
  }
}

bool EventDigest::has_lost_lines() { return lines_are_lost; }

}  // namespace safnet
