#include "cpp_model/optimum/gossip_symmetry.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace safnet {
namespace {

// Automorphisms of the network by depth-first search, limited in number and in tries.
class Automorphisms {
 public:
  explicit Automorphisms(const Gossip& gossip)
      : gossip_(gossip),
        n_(gossip.nodes),
        links_(n_, std::vector<std::uint32_t>(n_, 0)),
        packets_(n_, 0),
        image_(n_, kNoNode),
        taken_(n_, false) {
    for (const DirectedLink& link : gossip.links) ++links_[link.from][link.to];
    for (const NodeId o : gossip.origin) ++packets_[o];
  }

  std::vector<std::vector<NodeId>> first() {
    // Each image of node 0 has its own limits, so that none uses up all tries.
    for (NodeId v = 1; v < n_; ++v) {
      most_ = found_.size() + kPerImage;
      tries_ = kTries;
      if (fits(0, v)) place(0, v);
    }
    return found_;
  }

 private:
  static constexpr std::size_t kPerImage = 64;
  static constexpr std::uint32_t kTries = 20'000;

  bool fits(NodeId v, NodeId image) const {
    if (taken_[image] || packets_[v] != packets_[image]) return false;
    const NodeId processors = gossip_.processors();
    if ((image == v && v < processors) || (v < processors) != (image < processors)) return false;
    for (NodeId u = 0; u < v; ++u) {
      if (links_[u][v] != links_[image_[u]][image] || links_[v][u] != links_[image][image_[u]]) return false;
    }
    return true;
  }
  void place(NodeId v, NodeId image) {
    image_[v] = image;
    taken_[image] = true;
    descend(v + 1);
    taken_[image] = false;
  }
  void descend(NodeId v) {
    if (v == n_) {
      found_.push_back(image_);
      return;
    }
    for (NodeId image = 0; image < n_; ++image) {
      if (found_.size() >= most_ || tries_ == 0) return;
      --tries_;
      if (fits(v, image)) place(v, image);
    }
  }

  const Gossip& gossip_;
  NodeId n_;
  std::vector<std::vector<std::uint32_t>> links_;
  std::vector<std::uint32_t> packets_;
  std::vector<NodeId> image_;
  std::vector<bool> taken_;
  std::size_t most_ = 0;
  std::uint32_t tries_ = 0;
  std::vector<std::vector<NodeId>> found_;
};

// The length of all cycles that the permutation has on the first `count` nodes, or 0 if they differ.
std::uint32_t circle_length(const std::vector<NodeId>& node, NodeId count) {
  std::uint32_t length = 0;
  std::vector<bool> seen(node.size(), false);
  for (NodeId v = 0; v < count; ++v) {
    if (seen[v]) continue;
    std::uint32_t circle = 0;
    for (NodeId u = v; !seen[u]; u = node[u]) {
      seen[u] = true;
      ++circle;
    }
    if (length != 0 && circle != length) return 0;
    length = circle;
  }
  return length;
}

}  // namespace

std::vector<GossipSymmetry> symmetry_of(const Gossip& gossip, const std::vector<NodeId>& node) {
  GossipSymmetry symmetry;
  symmetry.node = node;
  std::map<DirectedLink, std::vector<std::uint32_t>> links;
  for (std::uint32_t l = 0; l < gossip.links.size(); ++l) links[gossip.links[l]].push_back(l);
  std::map<NodeId, std::vector<std::uint32_t>> packets;
  for (std::uint32_t p = 0; p < gossip.packets(); ++p) packets[gossip.origin[p]].push_back(p);
  symmetry.link.resize(gossip.links.size());
  symmetry.packet.resize(gossip.packets());
  for (const auto& [ends, parallel] : links) {
    const auto image = links.find({node[ends.from], node[ends.to]});
    if (image == links.end() || image->second.size() != parallel.size()) return {};
    for (std::size_t i = 0; i < parallel.size(); ++i) symmetry.link[parallel[i]] = image->second[i];
  }
  for (const auto& [origin, own] : packets) {
    const auto image = packets.find(node[origin]);
    if (image == packets.end() || image->second.size() != own.size()) return {};
    for (std::size_t i = 0; i < own.size(); ++i) symmetry.packet[own[i]] = image->second[i];
  }
  return {symmetry};
}

std::vector<std::vector<GossipSymmetry>> useful_symmetries(const Gossip& gossip) {
  constexpr std::size_t kMost = 3;
  std::vector<std::pair<std::uint32_t, std::vector<NodeId>>> turning;
  for (const std::vector<NodeId>& node : Automorphisms(gossip).first()) {
    const std::uint32_t length = circle_length(node, gossip.processors());
    if (length != 0) turning.emplace_back(length, node);
  }
  std::stable_sort(turning.begin(), turning.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (turning.size() > kMost) turning.resize(kMost);
  std::vector<std::vector<GossipSymmetry>> sets;
  for (const auto& [length, node] : turning) sets.push_back(symmetry_of(gossip, node));
  return sets;
}

}  // namespace safnet
