#include "cpp_model/algorithm/product/window_assignment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <random>
#include <span>

#include "cpp_model/algorithm/product/dimension_rounds.hpp"
#include "cpp_model/algorithm/product/factor_exchange.hpp"
#include "cpp_model/algorithm/tools/dimensions.hpp"
#include "cpp_model/algorithm/tools/matching.hpp"
#include "cpp_model/algorithm/tools/shuffle.hpp"
#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

constexpr int kAttempts = 200;

class Windows {
 public:
  Windows(const Graph& graph, const std::vector<std::uint32_t>& steps)
      : n_(graph.node_count()), dimensions_(dimensions_of(graph)), steps_(steps) {
    for (std::size_t i = 0; i < steps.size(); ++i)
      total_ = std::max(total_, n_ / dimensions_[i].node_count() * steps[i]);
    for (NodeId v = 0; v < n_; ++v) coordinates_.push_back(graph.coordinates(v));
  }

  // window[type][dimension]; nothing if this order of the types leads nowhere.
  std::optional<std::vector<std::vector<std::uint32_t>>> assign(std::mt19937_64& random, int attempt) const {
    std::vector<std::vector<std::uint32_t>> window(n_, std::vector<std::uint32_t>(steps_.size(), kNoNode));
    // The dimensions with the least room first.
    std::vector<std::size_t> order(steps_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return n_ / dimensions_[a].node_count() * steps_[a] > n_ / dimensions_[b].node_count() * steps_[b];
    });
    for (const std::size_t i : order) {
      const NodeId size = dimensions_[i].node_count();
      const std::uint32_t windows = total_ / steps_[i];
      std::vector<std::vector<NodeId>> types(size);
      for (NodeId type = 1; type < n_; ++type) types[coordinates_[type][i]].push_back(type);
      for (NodeId l = 1; l < size; ++l) {
        std::vector<std::vector<std::uint32_t>> allowed;
        for (std::size_t t = 0; t < types[l].size(); ++t) {
          // Each type's list begins with another window. Otherwise types that agree in the other dimensions
          // would all try the same windows.
          std::vector<std::uint32_t> fits;
          const auto first = static_cast<std::uint32_t>((t + l) % windows);
          for (std::uint32_t w = 0; w < windows; ++w) {
            const std::uint32_t candidate = (first + w) % windows;
            if (is_free(window[types[l][t]], i, candidate)) fits.push_back(candidate);
          }
          if (attempt > 0) shuffle(fits, random);
          allowed.push_back(std::move(fits));
        }
        Matching matching(windows);
        const auto windows_of = [&](std::uint32_t t) { return std::span(allowed[t]); };
        for (std::uint32_t t = 0; t < allowed.size(); ++t) {
          if (!matching.add(t, windows_of)) return std::nullopt;
        }
        for (std::uint32_t w = 0; w < windows; ++w) {
          if (matching.seeker_at(w) != Matching::kNobody) window[types[l][matching.seeker_at(w)]][i] = w;
        }
      }
    }
    return window;
  }

  std::vector<DimensionRound> rounds(const std::vector<std::vector<std::uint32_t>>& window) const {
    std::vector<DimensionRound> list;
    for (std::uint32_t i = 0; i < steps_.size(); ++i) {
      const NodeId size = dimensions_[i].node_count();
      const std::size_t first = list.size();
      for (std::uint32_t w = 0; w < total_ / steps_[i]; ++w)
        list.push_back({i, w * steps_[i], std::vector<NodeId>(size, kNoType)});
      for (NodeId type = 1; type < n_; ++type) {
        if (coordinates_[type][i] != 0) list[first + window[type][i]].types[coordinates_[type][i]] = type;
      }
    }
    return list;
  }

 private:
  // Does window w of dimension i overlap none of those that the type has?
  bool is_free(const std::vector<std::uint32_t>& has, std::size_t i, std::uint32_t w) const {
    for (std::size_t j = 0; j < has.size(); ++j) {
      if (j == i || has[j] == kNoNode) continue;
      if (w * steps_[i] < (has[j] + 1) * steps_[j] && has[j] * steps_[j] < (w + 1) * steps_[i]) return false;
    }
    return true;
  }

  NodeId n_;
  std::vector<Graph> dimensions_;
  std::vector<std::uint32_t> steps_;
  std::vector<std::vector<NodeId>> coordinates_;
  std::uint32_t total_ = 0;
};

Schedule plan_windows(const Problem& problem, const std::string& name) {
  std::vector<Schedule> exchanges;
  std::vector<std::uint32_t> steps;
  for (const Graph& dimension : dimensions_of(problem.graph)) {
    exchanges.push_back(shortest_exchange(dimension, problem.ports));
    steps.push_back(last_step(exchanges.back()));
  }
  const Windows windows(problem.graph, steps);
  std::mt19937_64 random(1);
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const auto assigned = windows.assign(random, attempt);
    if (assigned) return schedule_of_rounds(problem, name, exchanges, windows.rounds(*assigned));
  }
  throw bad_input(
      "algorithm {}: {} tries found no assignment to windows of {} steps on {}; expected a "
      "network of other dimensions",
      name, kAttempts, fmt::join(steps, ", "), one_line(problem.graph.spelling()));
}

}  // namespace

std::vector<Algorithm> window_algorithms() {
  return {Algorithm{
      .name = "windows",
      .collective = CollectiveKind::kTotalExchange,
      .source = "beyond thesis 5.4",
      .description = "every dimension repeats its total exchange, all dimensions at once; packets are "
                     "matched to repetitions",
      .domain = "products of two or more networks, all-port",
      .why_not = [](const Problem& p) -> std::string {
        if (std::string reason = why_not_all_port(p); !reason.empty()) return reason;
        const std::vector<Graph>& factors = p.graph.factors();
        if (factors.size() < 2) return "needs a product of two or more networks, such as a mesh or torus";
        if (std::any_of(factors.begin(), factors.end(), [](const Graph& f) { return f.node_count() < 2; }))
          return "needs dimensions of two or more nodes";
        return why_exchange_too_large(p.graph);
      },
      .closed_form = [](const Problem& p) -> std::optional<std::uint64_t> {
        const auto rounds = promised_rounds(p.graph.factors(), p.ports);
        return rounds ? std::optional(*std::max_element(rounds->begin(), rounds->end())) : std::nullopt;
      },
      .plan = [](const Problem& p) { return plan_windows(p, "windows"); }}};
}

}  // namespace safnet
