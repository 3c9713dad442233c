// wave - the waveform of a run: the signals of its models, and beside them the packet on every link in words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cpp_model/graph/graph.hpp"
#include "sim/fabric/wave_writer.hpp"
#include "sim/machine/node_batch.hpp"
#include "sim/machine/waved_network.hpp"

namespace safnet {

struct WaveRequest {
  std::string path;           ///< FST file; empty: none
  std::vector<NodeId> nodes;  ///< nodes to be traced; empty: all
  std::uint32_t first_cycle = 0;
  std::uint32_t last_cycle = 0xffff'ffff;
};

/// A waveform while it is written.
class Wave final : public NetworkWave {
 public:
  /// `observer` says which packet is on a link; null: nobody does. It must outlive the wave.
  Wave(const WaveRequest& request, const WavedNetwork& network, const MachineObserver* observer);

  VerilatedFstC* file() override { return writer_.file(); }
  /// The nodes that are asked for.
  const std::vector<NodeId>& nodes() const { return nodes_; }
  void open() override;
  void dump_start() override;
  void on_link_flit(const FlitEvent& flit) override;
  /// Writes nothing in cycle 0 and in cycles that are not asked for.
  void dump(std::uint32_t cycle, bool rising) override;

 private:
  struct Link {
    WaveWriter::Signal signal = 0;
    PacketInWords packet{.words = {}, .flits = 0};  // that was on it last, and how many flits it has left
    bool carries_flit = false;                      // in the cycle that is dumped next
    bool is_written = false;
    std::string written = {};  // last
  };
  static constexpr std::size_t kNotShown = ~std::size_t{0};
  void add_links();
  void write_links();
  void dump_at(std::uint64_t time);

  WaveRequest request_;
  WavedNetwork network_;
  const MachineObserver* observer_;
  std::vector<NodeId> nodes_;
  std::vector<std::vector<std::size_t>> place_;  // [node][output]: in links_, or kNotShown
  std::vector<Link> links_;
  std::optional<std::uint64_t> last_dump_;  // its time
  WaveWriter writer_;
};

}  // namespace safnet
