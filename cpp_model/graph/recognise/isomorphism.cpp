#include "cpp_model/graph/recognise/isomorphism.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

namespace safnet {
namespace {

// Nodes of both networks, numbered in a row: node v of the second is n + v.
using Vertex = std::uint32_t;

// Cells of vertices, side by side in an array, split in two again and again; the latest splits can be undone.
class Cells {
 public:
  explicit Cells(Vertex vertices) : order_(vertices), place_(vertices), cell_(vertices, 0), end_(vertices) {
    for (Vertex v = 0; v < vertices; ++v) order_[v] = place_[v] = v;
    end_[0] = vertices;
  }
  /// A cell is called by the place of its first vertex.
  Vertex of(Vertex v) const { return cell_[v]; }
  Vertex end(Vertex cell) const { return end_[cell]; }
  Vertex size(Vertex cell) const { return end_[cell] - cell; }
  Vertex at(Vertex place) const { return order_[place]; }
  Vertex places() const { return static_cast<Vertex>(order_.size()); }

  /// Makes the vertex the last of those of its cell that come before `place`.
  void put_before(Vertex v, Vertex place) {
    const Vertex other = order_[place - 1];
    std::swap(order_[place_[v]], order_[place - 1]);
    std::swap(place_[v], place_[other]);
  }
  /// Makes what stands from `place` on a cell of its own; costs as much as that is long.
  void split(Vertex cell, Vertex place) {
    end_[place] = end_[cell];
    end_[cell] = place;
    for (Vertex i = place; i < end_[place]; ++i) cell_[order_[i]] = place;
    splits_.emplace_back(cell, place);
  }
  std::size_t splits() const { return splits_.size(); }
  void undo_to(std::size_t splits) {
    for (; splits_.size() > splits; splits_.pop_back()) {
      const auto [cell, place] = splits_.back();
      for (Vertex i = place; i < end_[place]; ++i) cell_[order_[i]] = cell;
      end_[cell] = end_[place];
    }
  }

 private:
  std::vector<Vertex> order_, place_, cell_, end_;
  std::vector<std::pair<Vertex, Vertex>> splits_;
};

class Search {
 public:
  Search(const Graph& a, const Graph& b, WorkBudget& budget)
      : a_(a), b_(b), n_(a.node_count()), budget_(budget), cells_(2 * n_), count_(2 * n_), waits_(2 * n_) {}

  std::optional<std::vector<NodeId>> run(const std::vector<NodeId>& images_of_0) {
    if (!refine({0})) return std::nullopt;
    if (images_of_0.empty()) return descend();
    const std::size_t splits = cells_.splits();
    for (const NodeId image : images_of_0) {
      if (cells_.of(0) == cells_.of(n_ + image) && pair(0, n_ + image)) {
        if (auto found = descend()) return found;
      }
      cells_.undo_to(splits);
    }
    return std::nullopt;
  }

 private:
  // A pair that was guessed, and what to try next if it is wrong.
  struct Guess {
    std::size_t splits;  // before it
    Vertex cell, of_a, of_b;
    Vertex open;  // no cell before this place had vertices left to pair
  };
  static constexpr std::size_t kMostSmallestFirst = 32;

  std::optional<std::vector<NodeId>> descend() {
    std::vector<Guess> guesses;
    Vertex open = 0;
    for (;;) {
      const Vertex cell = open_cell(guesses.size(), open);
      if (cell == cells_.places()) return map();
      const Vertex of_a = first_of(cell, 0, n_);
      guesses.push_back({cells_.splits(), cell, of_a, n_ - 1, open});
      while (!try_next(guesses.back())) {
        guesses.pop_back();
        if (guesses.empty() || budget_.left() == 0) return std::nullopt;
        cells_.undo_to(guesses.back().splits);
      }
      open = guesses.back().open;
    }
  }

  // Tries the vertices of b that come after the last one; whether one could be it.
  bool try_next(Guess& guess) {
    for (;;) {
      guess.of_b = first_of(guess.cell, guess.of_b + 1, 2 * n_);
      if (guess.of_b == 2 * n_ || budget_.left() == 0) return false;
      if (pair(guess.of_a, guess.of_b)) return true;
      cells_.undo_to(guess.splits);
    }
  }

  // The smallest vertex of the cell that is in low ... high - 1, or `high`.
  Vertex first_of(Vertex cell, Vertex low, Vertex high) {
    budget_.take(cells_.size(cell));
    Vertex first = high;
    for (Vertex i = cell; i < cells_.end(cell); ++i) {
      if (cells_.at(i) >= low) first = std::min(first, cells_.at(i));
    }
    return first;
  }

  // A cell with several vertices of each network, the smallest as long as there are few guesses: few of it
  // are wrong. All cells before place `open` have one of each. places() if all have.
  Vertex open_cell(std::size_t guesses, Vertex& open) {
    for (; open < cells_.places() && cells_.size(open) == 2; open = cells_.end(open)) budget_.take(1);
    Vertex best = open;
    if (guesses >= kMostSmallestFirst) return best;
    for (Vertex cell = open; cell < cells_.places(); cell = cells_.end(cell)) {
      budget_.take(1);
      const Vertex size = cells_.size(cell);
      if (size > 2 && size < cells_.size(best)) best = cell;
      if (size == 4) break;
    }
    return best;
  }

  std::vector<NodeId> map() const {
    std::vector<NodeId> image(n_);
    for (Vertex place = 0; place < 2 * n_; place += 2) {
      const Vertex one = cells_.at(place), other = cells_.at(place + 1);
      image[std::min(one, other)] = std::max(one, other) - n_;
    }
    return image;
  }

  // Makes two vertices a cell of their own and refines; false if they cannot be the same.
  bool pair(Vertex of_a, Vertex of_b) {
    const Vertex cell = cells_.of(of_a), end = cells_.end(cell);
    if (end - cell == 2) return true;
    cells_.put_before(of_a, end);
    cells_.put_before(of_b, end - 1);
    cells_.split(cell, end - 2);
    return refine({end - 2});
  }

  // Splits cells until the vertices of each have as many links from, and to, every cell; false if a cell then
  // has more vertices of one network than of the other.
  bool refine(std::vector<Vertex> waiting) {
    for (const Vertex cell : waiting) waits_[cell] = 1;
    bool balanced = true;
    while (balanced && !waiting.empty()) {
      const Vertex cell = waiting.back();
      waiting.pop_back();
      waits_[cell] = 0;
      const std::vector<Vertex> members = vertices_of(cell);  // splitting may split this one
      balanced = split_by(members, true, waiting);
      if (balanced && a_.has_one_way_links()) balanced = split_by(members, false, waiting);
    }
    for (const Vertex cell : waiting) waits_[cell] = 0;
    return balanced && budget_.left() > 0;
  }

  // Splits all cells by how many links of a vertex lead to the members of a cell, or come from them.
  bool split_by(const std::vector<Vertex>& members, bool into, std::vector<Vertex>& waiting) {
    std::vector<Vertex> touched;
    for (const Vertex v : members) {
      const Graph& graph = v < n_ ? a_ : b_;
      const Vertex base = v < n_ ? 0 : n_;
      const PortId ports = into ? graph.in_degree(v - base) : graph.degree(v - base);
      if (!budget_.take(1 + ports)) {
        for (const Vertex u : touched) count_[u] = 0;
        return false;
      }
      for (PortId p = 0; p < ports; ++p) {
        const Vertex u = base + (into ? graph.feeder(v - base, p) : graph.peer(v - base, p)).node;
        if (count_[u]++ == 0) touched.push_back(u);
      }
    }
    std::ranges::sort(touched, {}, [&](Vertex u) { return std::pair(cells_.of(u), count_[u]); });
    bool balanced = true;
    for (std::size_t first = 0, last = 0; first < touched.size(); first = last) {
      const Vertex of = cells_.of(touched[first]);
      while (last < touched.size() && cells_.of(touched[last]) == of) ++last;
      balanced = split_cell(of, {touched.data() + first, last - first}, waiting) && balanced;
    }
    for (const Vertex u : touched) count_[u] = 0;
    return balanced;
  }

  std::vector<Vertex> vertices_of(Vertex cell) const {
    std::vector<Vertex> vertices;
    for (Vertex i = cell; i < cells_.end(cell); ++i) vertices.push_back(cells_.at(i));
    return vertices;
  }

  // `counted`: vertices of the cell with links that were counted, by their number, ascending; all others have
  // none.
  bool split_cell(Vertex cell, std::span<const Vertex> counted, std::vector<Vertex>& waiting) {
    std::vector<Vertex> parts{cell};
    bool balanced = true;
    // The largest number goes to the end of the cell, the next in front of it, and so on.
    for (std::size_t last = counted.size(); last > 0;) {
      const Vertex end = cells_.end(cell);
      std::size_t first = last;
      std::int64_t surplus = 0;  // of vertices of a
      Vertex place = end;
      for (; first > 0 && count_[counted[first - 1]] == count_[counted[last - 1]]; --first) {
        surplus += counted[first - 1] < n_ ? 1 : -1;
        cells_.put_before(counted[first - 1], place--);
      }
      balanced = balanced && surplus == 0;
      last = first;
      if (place == cell) break;  // what is left of the cell is all alike
      cells_.split(cell, place);
      parts.push_back(place);
    }
    if (parts.size() == 1) return balanced;
    // Links into the largest part are the rest of those into the whole, if that was looked at.
    std::size_t spared = 0;
    for (std::size_t i = 1; i < parts.size(); ++i) {
      if (cells_.size(parts[i]) > cells_.size(parts[spared])) spared = i;
    }
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (waits_[parts[i]] != 0 || (i == spared && waits_[cell] == 0)) continue;
      waits_[parts[i]] = 1;
      waiting.push_back(parts[i]);
    }
    return balanced;
  }

  const Graph& a_;
  const Graph& b_;
  const Vertex n_;
  WorkBudget& budget_;
  Cells cells_;
  std::vector<std::uint32_t> count_;  // links that were counted, by vertex; 0 between splits
  std::vector<std::uint8_t> waits_;   // by cell: it is to split others
};

}  // namespace

std::optional<std::vector<NodeId>> isomorphism(const Graph& a, const Graph& b,
                                               const std::vector<NodeId>& images_of_0, WorkBudget& budget) {
  if (a.node_count() != b.node_count() || a.link_count() != b.link_count() ||
      a.has_one_way_links() != b.has_one_way_links())
    return std::nullopt;
  return Search(a, b, budget).run(images_of_0);
}

}  // namespace safnet
