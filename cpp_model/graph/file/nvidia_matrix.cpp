// The matrix that `nvidia-smi topo -m` prints: a row and a column for every GPU and network card. NV4 stands
// for four NVLinks between two GPUs; PIX, PXB, PHB, NODE and SYS for ways over PCIe and between sockets.
#include <algorithm>
#include <sstream>

#include "cpp_model/graph/file/formats.hpp"
#include "cpp_model/graph/file/notes.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

// NVLinks of a GPU, of Hopper and Blackwell. What shows more goes through switches.
constexpr std::uint64_t kMostNvLinks = 18;
constexpr std::size_t kMostDevices = 1024;

class MatrixReader {
 public:
  MatrixReader(std::string_view text, const std::string& shown)
      : wrong_(shown), shown_(shown), text_(without_escapes(text)) {}

  NamedEdges run() {
    std::istringstream stream(text_);
    std::size_t number = 0;
    for (std::string line; std::getline(stream, line);) {
      ++number;
      const std::vector<std::string> words = words_of_line(line);
      if (devices_.empty()) {
        if (!words.empty()) take_header(words, number);
      } else if (rows_.size() == devices_.size() || words.empty()) {
        break;  // the legend comes next
      } else {
        take_row(words, number);
      }
    }
    if (rows_.size() < devices_.size()) {
      throw wrong_.at(number, "the matrix ends: expected a row for {}",
                      in_quotes(devices_[std::min(rows_.size(), devices_.size() - 1)]));
    }
    check_symmetry();
    if (has_others_) note("file '{}': only NVLinks are read, no ways over PCIe and no network cards", shown_);
    return network();
  }

 private:
  // The program underlines the header on terminals: "ESC [ 4 m".
  static std::string without_escapes(std::string_view text) {
    std::string plain;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end =
          text.substr(at).starts_with("\x1b[") ? text.find('m', at) : std::string_view::npos;
      if (end != std::string_view::npos && end - at < 12) {
        at = end + 1;
      } else {
        plain += text[at++];
      }
    }
    return plain;
  }

  static bool is_gpu(const std::string& device) { return device.starts_with("GPU"); }

  void take_header(const std::vector<std::string>& words, std::size_t line) {
    for (const std::string& word : words) {
      if (word == "CPU" || word == "NUMA") break;  // "CPU Affinity"
      if (devices_.size() == kMostDevices)
        throw wrong_.at(line, "{}: expected at most {} devices", in_quotes(word), kMostDevices);
      if (std::ranges::find(devices_, word) != devices_.end())
        throw wrong_.at(line, "{}: given twice", in_quotes(word));
      devices_.push_back(word);
      gpus_ += is_gpu(word) ? 1 : 0;
    }
    if (gpus_ < 2) throw wrong_.at(line, "expected a column for each of two or more GPUs, such as GPU0");
    // GPUs come first, and network cards after them.
    if (!std::ranges::is_partitioned(devices_, is_gpu))
      throw wrong_.at(line, "expected all GPUs before all other devices");
    has_others_ = gpus_ < devices_.size();
  }

  void take_row(const std::vector<std::string>& words, std::size_t line) {
    const std::string& device = devices_[rows_.size()];
    if (words[0] != device)
      throw wrong_.at(line, "{}: expected the row of {}", in_quotes(words[0]), in_quotes(device));
    if (words.size() < devices_.size() + 1) {
      throw wrong_.at(line, "{} columns behind {}; expected {}", words.size() - 1, in_quotes(device),
                      devices_.size());
    }
    std::vector<std::uint64_t> row;
    for (std::size_t i = 0; i < devices_.size(); ++i)
      row.push_back(links_of(words[i + 1], i == rows_.size(), line));
    rows_.push_back(std::move(row));
    lines_.push_back(line);
  }

  std::uint64_t links_of(const std::string& word, bool itself, std::size_t line) {
    constexpr std::string_view kOther[] = {"PIX", "PXB", "PHB", "NODE", "SYS", "SOC", "PSB"};
    if (itself) {
      if (word != "X") throw wrong_.at(line, "{}: expected X, the device itself", in_quotes(word));
      return 0;
    }
    if (word.starts_with("NV")) {
      const std::optional<std::uint64_t> links = parse_decimal(std::string_view(word).substr(2));
      if (links && *links >= 1 && *links <= kMaxDegree) return *links;
    } else if (std::ranges::find(kOther, word) != std::end(kOther)) {
      has_others_ = true;
      return 0;
    }
    throw wrong_.at(line, "{}: expected NV1 to NV{}, or {}", in_quotes(word), kMaxDegree,
                    fmt::join(kOther, ", "));
  }

  void check_symmetry() const {
    for (std::size_t v = 0; v < rows_.size(); ++v) {
      for (std::size_t u = 0; u < v; ++u) {
        if (rows_[v][u] == rows_[u][v]) continue;
        throw wrong_.at(lines_[v], "{} NVLinks from {} to {}, and {} back; expected as many both ways",
                        rows_[v][u], devices_[v], devices_[u], rows_[u][v]);
      }
    }
  }

  NamedEdges network() const {
    NamedEdges result;
    result.names.assign(devices_.begin(), devices_.begin() + static_cast<std::ptrdiff_t>(gpus_));
    std::uint64_t most = 0, least = kMaxDegree, at_gpu = 0;
    for (std::size_t v = 0; v < gpus_; ++v) {
      std::uint64_t sum = 0;
      for (std::size_t u = 0; u < gpus_; ++u) {
        sum += rows_[v][u];
        most = std::max(most, rows_[v][u]);
        if (u != v) least = std::min(least, rows_[v][u]);
      }
      at_gpu = std::max(at_gpu, sum);
    }
    if (most == 0) throw wrong_("no NVLinks between GPUs; expected some, ways over PCIe are not read");
    if (at_gpu <= kMostNvLinks) {
      for (NodeId v = 0; v < gpus_; ++v) {
        for (NodeId u = v + 1; u < gpus_; ++u) result.edges.insert(result.edges.end(), rows_[v][u], {v, u});
      }
      return result;
    }
    if (most != least) {
      throw wrong_(
          "{} NVLinks at a GPU; expected {} at most, or equally many between all GPUs, which are then those "
          "to "
          "switches",
          at_gpu, kMostNvLinks);
    }
    for (std::uint64_t s = 0; s < most; ++s) {
      const auto number = static_cast<NodeId>(result.names.size());
      result.names.push_back(fmt::format("switch_{}", s));
      result.routers.insert(number);
      for (NodeId v = 0; v < gpus_; ++v) result.edges.emplace_back(v, number);
    }
    return result;
  }

  const BadFile wrong_;
  std::string shown_, text_;
  std::vector<std::string> devices_;
  std::size_t gpus_ = 0;
  std::vector<std::vector<std::uint64_t>> rows_;  // NVLinks
  std::vector<std::size_t> lines_;                // of the rows
  bool has_others_ = false;
};

}  // namespace

NamedEdges read_nvidia_matrix(std::string_view text, const std::string& shown) {
  return MatrixReader(text, shown).run();
}

}  // namespace safnet
