// The network of ASTRA-sim's analytical models, in YAML: the topology, number of processors, bandwidth and
// latency of each dimension.
#include <yaml-cpp/yaml.h>

#include <numeric>

#include "cpp_model/graph/file/formats.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

constexpr std::size_t kMaxYamlBytes = std::size_t{1} << 16;
constexpr std::size_t kMaxDimensions = 16;

class AstraReader {
 public:
  AstraReader(std::string_view text, const std::string& shown) : wrong_(shown) {
    if (text.size() > kMaxYamlBytes) throw wrong_("expected at most {} bytes of YAML", kMaxYamlBytes);
    try {
      file_ = YAML::Load(std::string(text));
      topologies_ = words_of("topology");
      counts_ = words_of("npus_count");
      for (const char* key : {"bandwidth", "latency"}) {
        if (file_[key]) unused_.insert(key);
      }
    } catch (const YAML::Exception& error) {
      throw wrong_.at(error.mark.is_null() ? 1 : line_of(error.mark), "expected YAML; {}",
                      printable(error.msg));
    }
  }

  NamedEdges run() {
    if (topologies_.size() != counts_.size()) {
      throw wrong_.at(counts_[0].line, "npus_count: {} numbers; expected {} as 'topology' has",
                      counts_.size(), topologies_.size());
    }
    std::uint64_t nodes = 1;
    for (const Word& word : counts_) {
      const std::optional<std::uint64_t> count = parse_decimal(word.text);
      if (!count || *count < 1 || *count > kMaxNodes / nodes) {
        throw wrong_.at(word.line, "npus_count {}: expected a number, and at most {} nodes in all",
                        in_quotes(word.text), kMaxNodes);
      }
      nodes *= *count;
      sizes_.push_back(static_cast<NodeId>(*count));
    }
    nodes_ = static_cast<NodeId>(nodes);
    NamedEdges result;
    for (NodeId v = 0; v < nodes_; ++v) result.names.push_back(fmt::format("npu_{}", v));
    NodeId stride = 1;  // the first dimension is that of neighbouring numbers
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      if (sizes_[i] > 1) connect(result, i, stride);
      stride *= sizes_[i];
    }
    result.unused = unused_;
    return result;
  }

 private:
  struct Word {
    std::string text;
    std::size_t line;
  };
  static std::size_t line_of(const YAML::Mark& mark) { return static_cast<std::size_t>(mark.line) + 1; }

  std::vector<Word> words_of(const char* key) {
    if (!file_.IsMap() || !file_[key])
      throw wrong_("expected a key '{}', with a list such as [ Ring, Switch ]", key);
    const YAML::Node list = file_[key];
    const std::size_t line = line_of(list.Mark());
    if (!list.IsSequence() || list.size() == 0 || list.size() > kMaxDimensions)
      throw wrong_.at(line, "{}: expected a list of 1 to {} words", key, kMaxDimensions);
    std::vector<Word> words;
    for (const YAML::Node& item : list) {
      if (!item.IsScalar()) throw wrong_.at(line_of(item.Mark()), "{}: expected a list of words", key);
      words.push_back({item.Scalar(), line_of(item.Mark())});
    }
    return words;
  }

  // Connects the nodes that differ in one dimension alone. A switch is a node that only routes.
  void connect(NamedEdges& result, std::size_t dimension, NodeId stride) const {
    const Word& topology = topologies_[dimension];
    const NodeId size = sizes_[dimension];
    for (NodeId group = 0; group < nodes_ / size; ++group) {
      const NodeId first = group / stride * stride * size + group % stride;
      const auto member = [&](NodeId i) { return first + i % size * stride; };
      if (topology.text == "Ring") {
        for (NodeId i = 0; i < (size == 2 ? 1 : size); ++i)
          result.edges.emplace_back(member(i), member(i + 1));
      } else if (topology.text == "FullyConnected") {
        if (size > kMaxDegree + 1) {
          throw wrong_.at(topology.line, "FullyConnected of {}: expected at most {} nodes", size,
                          kMaxDegree + 1);
        }
        for (NodeId i = 0; i < size; ++i) {
          for (NodeId j = i + 1; j < size; ++j) result.edges.emplace_back(member(i), member(j));
        }
      } else if (topology.text == "Switch") {
        const auto number = static_cast<NodeId>(result.names.size());
        if (number == kMaxNodes)
          throw wrong_.at(topology.line, "expected at most {} nodes and switches", kMaxNodes);
        result.names.push_back(fmt::format("switch_{}_{}", dimension + 1, group));
        result.routers.insert(number);
        for (NodeId i = 0; i < size; ++i) result.edges.emplace_back(member(i), number);
      } else {
        throw wrong_.at(topology.line, "topology {}: expected Ring, FullyConnected or Switch",
                        in_quotes(topology.text));
      }
    }
  }

  const BadFile wrong_;
  YAML::Node file_;
  std::vector<Word> topologies_, counts_;
  std::vector<NodeId> sizes_;
  NodeId nodes_ = 0;
  std::set<std::string> unused_;
};

}  // namespace

NamedEdges read_astra_network(std::string_view text, const std::string& shown) {
  return AstraReader(text, shown).run();
}

}  // namespace safnet
