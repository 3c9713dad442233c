// The topology that NCCL finds on a machine and writes to the file of NCCL_TOPO_DUMP_FILE, in XML: an element
// <gpu> inside that of its PCI device, and in it an <nvlink> for every GPU or NVSwitch that it has links to,
// by the address and class of that PCI device. (NCCL's src/graph/xml.cc and topo.cc)
#include <algorithm>
#include <map>
#include <optional>

#include "cpp_model/graph/file/formats.hpp"
#include "cpp_model/graph/file/notes.hpp"
#include "cpp_model/graph/file/xml_tags.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

// Of one switch: what shows more is several. As many links as nodes that route by themselves have ports.
constexpr std::size_t kMostSwitchLinks = 64;

constexpr std::string_view kSwitchClass = "0x068000", kGpuClass = "0x03";

class NcclReader {
 public:
  NcclReader(std::string_view text, const std::string& shown)
      : wrong_(shown), shown_(shown), scanner_(text, wrong_) {}

  NamedEdges run() {
    for (XmlTag tag; scanner_.next(tag);) {
      if (tag.closes) {
        close(tag);
      } else {
        open(tag);
      }
    }
    if (!open_.empty()) {
      throw wrong_.at(scanner_.line(), "the end of the file: expected </{}> before it",
                      one_line(open_.back().name));
    }
    if (gpus_.size() < 2) throw wrong_("{} GPUs; expected two or more", gpus_.size());
    NamedEdges result;
    take_names(result);
    connect_gpus(result);
    connect_switches(result);
    if (result.edges.empty()) throw wrong_("no NVLinks; expected some, ways over PCIe are not read");
    note("file '{}': only NVLinks are read, no ways over PCIe and no network cards{}", shown_,
         is_left_out_ ? "; those to devices that are neither GPUs of the file nor NVSwitches are left out"
                      : "");
    return result;
  }

 private:
  struct Element {
    std::string_view name;
    std::string_view bus;  // of a <pci>
  };
  struct Links {
    std::uint32_t count;
    std::size_t line;
  };
  struct Gpu {
    std::string bus;
    std::optional<std::uint64_t> rank;
    std::map<std::string, Links> to_gpus;  // by address
  };

  std::string value_of(const XmlTag& tag, const char* key) const {
    const std::string_view* value = tag.attribute(key);
    if (value == nullptr)
      throw wrong_.at(tag.line, "<{}>: expected an attribute '{}'", one_line(tag.name), key);
    return std::string(*value);
  }

  void open(const XmlTag& tag) {
    if (open_.empty()) {
      if (has_root_ || tag.name != "system")
        throw wrong_.at(tag.line, "<{}>: expected one element <system> around all", one_line(tag.name));
      has_root_ = true;
    }
    if (open_.size() == kMostOpenTags) {
      throw wrong_.at(tag.line, "<{}>: nested too deeply; expected at most {} levels", one_line(tag.name),
                      kMostOpenTags);
    }
    if (tag.name == "gpu") take_gpu(tag);
    if (tag.name == "nvlink") take_links(tag);
    const std::string_view* bus = tag.name == "pci" ? tag.attribute("busid") : nullptr;
    if (!tag.empty) open_.push_back({tag.name, bus == nullptr ? std::string_view() : *bus});
  }

  void close(const XmlTag& tag) {
    if (open_.empty() || open_.back().name != tag.name) {
      throw wrong_.at(tag.line, "</{}>: expected {}", one_line(tag.name),
                      open_.empty() ? "nothing after </system>" : "</" + one_line(open_.back().name) + ">");
    }
    open_.pop_back();
  }

  void take_gpu(const XmlTag& tag) {
    if (open_.back().name != "pci" || open_.back().bus.empty())
      throw wrong_.at(tag.line, "<gpu>: expected it inside a <pci> with a 'busid'");
    if (gpus_.size() == kMaxNodes) throw wrong_.at(tag.line, "expected at most {} GPUs", kMaxNodes);
    const std::string bus(open_.back().bus);
    if (!gpu_at_.emplace(bus, static_cast<NodeId>(gpus_.size())).second)
      throw wrong_.at(tag.line, "<gpu>: a second one at {}", in_quotes(bus));
    const std::string_view* rank = tag.attribute("rank");
    gpus_.push_back({bus, rank == nullptr ? std::nullopt : parse_decimal(*rank), {}});
  }

  void take_links(const XmlTag& tag) {
    if (open_.empty() || open_.back().name != "gpu") {
      // Links of a CPU, as on POWER9.
      is_left_out_ = true;
      return;
    }
    const std::string target = value_of(tag, "target"), count = value_of(tag, "count");
    const std::string_view* target_class = tag.attribute("tclass");
    const std::optional<std::uint64_t> links = parse_decimal(count);
    if (!links || *links < 1 || *links > kMaxDegree)
      throw wrong_.at(tag.line, "<nvlink>: count={}: expected 1 to {}", in_quotes(count), kMaxDegree);
    const Links found{static_cast<std::uint32_t>(*links), tag.line};
    bool is_new = true;
    if (target_class != nullptr && *target_class == kSwitchClass) {
      const auto [at, first] = switch_at_.emplace(target, switches_.size());
      if (first) switches_.emplace_back();
      is_new = switches_[at->second].emplace(static_cast<NodeId>(gpus_.size() - 1), found).second;
    } else if (target_class != nullptr && target_class->starts_with(kGpuClass)) {
      is_new = gpus_.back().to_gpus.emplace(target, found).second;
    } else {
      is_left_out_ = true;
    }
    if (!is_new)
      throw wrong_.at(tag.line, "<nvlink>: target={}: a second time at this GPU", in_quotes(target));
  }

  // GPUs in the order of their ranks, if all have one, otherwise in that of the file.
  void take_names(NamedEdges& result) {
    std::vector<std::pair<std::uint64_t, NodeId>> order;
    for (NodeId v = 0; v < gpus_.size(); ++v) order.emplace_back(gpus_[v].rank.value_or(0), v);
    std::vector<std::pair<std::uint64_t, NodeId>> sorted = order;
    std::ranges::sort(sorted);
    const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
    const bool ranked = std::ranges::adjacent_find(sorted, same) == sorted.end();
    if (ranked) order = sorted;
    number_.resize(gpus_.size());
    for (NodeId i = 0; i < order.size(); ++i) {
      number_[order[i].second] = i;
      result.names.push_back(fmt::format("gpu_{}", ranked ? order[i].first : i));
    }
  }

  void connect_gpus(NamedEdges& result) {
    for (NodeId v = 0; v < gpus_.size(); ++v) {
      for (const auto& [bus, links] : gpus_[v].to_gpus) {
        const auto there = gpu_at_.find(bus);
        if (there == gpu_at_.end()) {
          is_left_out_ = true;
          continue;
        }
        const auto back = gpus_[there->second].to_gpus.find(gpus_[v].bus);
        const std::uint32_t count = back == gpus_[there->second].to_gpus.end() ? 0 : back->second.count;
        if (count != links.count) {
          throw wrong_.at(links.line, "<nvlink>: {} links to {}, and {} back; expected as many both ways",
                          links.count, in_quotes(bus), count);
        }
        if (v < there->second)
          result.edges.insert(result.edges.end(), count, {number_[v], number_[there->second]});
      }
    }
  }

  void connect_switches(NamedEdges& result) const {
    std::uint32_t next = 0;
    const auto add_switch = [&](const std::map<NodeId, Links>& gpus, bool one_link_each) {
      const auto number = static_cast<NodeId>(result.names.size());
      result.names.push_back(fmt::format("switch_{}", next++));
      result.routers.insert(number);
      for (const auto& [v, links] : gpus)
        result.edges.insert(result.edges.end(), one_link_each ? 1 : links.count, {number_[v], number});
    };
    for (const std::map<NodeId, Links>& gpus : switches_) {
      const std::uint32_t each = gpus.begin()->second.count;
      const bool all_alike =
          std::ranges::all_of(gpus, [&](const auto& entry) { return entry.second.count == each; });
      const bool splits = all_alike && gpus.size() * each > kMostSwitchLinks;
      for (std::uint32_t plane = 0; plane < (splits ? each : 1); ++plane) add_switch(gpus, splits);
    }
    if (result.names.size() > kMaxNodes)
      throw wrong_("{} GPUs and switches; expected at most {}", result.names.size(), kMaxNodes);
  }

  const BadFile wrong_;
  std::string shown_;
  XmlTagScanner scanner_;
  std::vector<Element> open_;
  std::vector<Gpu> gpus_;
  std::map<std::string, NodeId> gpu_at_;           // by address
  std::map<std::string, std::size_t> switch_at_;   // by address
  std::vector<std::map<NodeId, Links>> switches_;  // the links to each, by GPU
  std::vector<NodeId> number_;                     // by GPU, in `names`
  bool has_root_ = false, is_left_out_ = false;
};

}  // namespace

NamedEdges read_nccl_topology(std::string_view text, const std::string& shown) {
  return NcclReader(text, shown).run();
}

}  // namespace safnet
