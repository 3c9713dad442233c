// event_digest - one number for everything that crossed a link or reached a host in a run.
//
// For those who change the program and want to know whether the hardware still does the same: with
// SAFNET_DIGESTS=FILE in the environment every run on a machine appends a line to FILE when it ends (see
// scripts/compare_runs). Two runs have the same line if every node saw the same flits in the same cycles.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/machine/machine.hpp"

namespace safnet {

/// Hashes what a machine tells its observer, and passes it on to another observer. Each node has a hash of
/// its own, which only its thread touches; they are combined in the order of the nodes, so the result does
/// not depend on the number of threads.
class EventDigest final : public MachineObserver {
 public:
  /// The digest that the environment asks for; null if SAFNET_DIGESTS is not set, or is empty.
  static std::unique_ptr<EventDigest> if_wanted(std::uint32_t nodes, MachineObserver* next);

  /// Appends to the file `path`. `next` may be null; it must outlive the digest. Throws WriteError if the
  /// file cannot be opened for that.
  EventDigest(std::uint32_t nodes, MachineObserver* next, const std::string& path);
  /// Ends the run.
  ~EventDigest() override;
  EventDigest(const EventDigest&) = delete;
  EventDigest& operator=(const EventDigest&) = delete;

  void on_link_flit(const FlitEvent& flit) override;
  void on_delivered_flit(const FlitEvent& flit) override;
  PacketInWords packet_in_words(const FlitEvent& first) const override {
    return next_ != nullptr ? next_->packet_in_words(first) : PacketInWords{};
  }

  /// The machine is reset or goes away: appends "NODES LAST_CYCLE LINK_FLITS DELIVERED_FLITS DIGEST" to the
  /// file, the digest in hexadecimal, and starts anew. LAST_CYCLE is that of the last flit. A run without any
  /// flit, such as that of a machine which has just been made, leaves no line.
  void end_run();

  /// Whether a line of any run of this program could not be written: a machine that goes away can only say so
  /// on stderr, and the exit code is to tell it too.
  static bool has_lost_lines();

 private:
  struct alignas(64) Node {  // a cache line each: neighbours belong to different threads
    std::uint64_t hash = 0;
    std::uint64_t link_flits = 0;
    std::uint64_t delivered_flits = 0;
    std::uint32_t last_cycle = 0;

    void add_event(bool delivered, const FlitEvent& flit);
  };

  std::vector<Node> nodes_;
  MachineObserver* next_;
  int descriptor_;
};

}  // namespace safnet
