#include <fmt/format.h>

#include <map>
#include <string_view>
#include <utility>

#include "cpp_model/graph/family/families.hpp"

namespace safnet {
namespace {

using Word = std::vector<std::uint32_t>;  // letters, the first one first

// The digraph of words in which a link drops the first letter and appends another.
Graph word_digraph(std::string spelling, const std::vector<Word>& words, std::uint32_t letters,
                   std::uint32_t length) {
  std::map<Word, NodeId> number;
  for (NodeId v = 0; v < words.size(); ++v) number.emplace(words[v], v);
  std::vector<std::pair<NodeId, NodeId>> links;
  std::vector<std::string> names;
  for (NodeId v = 0; v < words.size(); ++v) {
    constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    std::string& name = names.emplace_back();
    for (const std::uint32_t letter : words[v]) name += kLetters.at(letter);
    Word next(words[v].begin() + 1, words[v].end());
    next.push_back(0);
    for (; next.back() < letters; ++next.back()) {
      const auto there = number.find(next);
      if (there != number.end() && there->second != v) links.emplace_back(v, there->second);
    }
  }
  DistanceFormulas formulas;
  formulas.eccentricity = [length](NodeId) { return length; };
  formulas.diameter = length;
  return graph_of_links(std::move(spelling), static_cast<NodeId>(words.size()), links)
      .with_formulas(std::move(formulas))
      .with_node_names([names](NodeId v) { return names.at(v); });
}

// All words in the order of their letters.
std::vector<Word> words_of(std::uint32_t letters, std::uint32_t length, bool neighbours_differ) {
  std::vector<Word> words{{}};
  for (std::uint32_t i = 0; i < length; ++i) {
    std::vector<Word> longer;
    for (const Word& word : words) {
      for (std::uint32_t letter = 0; letter < letters; ++letter) {
        if (neighbours_differ && i > 0 && word.back() == letter) continue;
        longer.push_back(word);
        longer.back().push_back(letter);
      }
    }
    words = std::move(longer);
  }
  return words;
}

// "D,N": D in its range, N such that the words are not too many.
std::pair<std::uint32_t, std::uint32_t> parse_word_digraph(const Spelling& spelling,
                                                           std::uint32_t most_letters,
                                                           std::uint32_t first_letters) {
  const auto words = spelling.words(2, "D,N such as 2,3");
  const std::uint32_t d = spelling.number(words[0], 2, most_letters);
  std::uint32_t longest = 1;
  for (std::uint64_t nodes = d + first_letters; nodes * d <= kMaxNodes; nodes *= d) ++longest;
  return {d, spelling.number(words[1], 1, longest)};
}

Graph build_kautz(const Spelling& spelling) {
  const auto [d, n] = parse_word_digraph(spelling, 51, 1);
  return kautz_digraph(d, n);
}

Graph build_de_bruijn(const Spelling& spelling) {
  const auto [d, n] = parse_word_digraph(spelling, 52, 0);
  return de_bruijn_digraph(d, n);
}

}  // namespace

Graph kautz_digraph(std::uint32_t d, std::uint32_t n) {
  const Graph graph = word_digraph(fmt::format("kautz:{},{}", d, n), words_of(d + 1, n, true), d + 1, n);
  DistanceFormulas formulas = graph.formulas();
  formulas.degree = [d](NodeId) { return d; };
  formulas.source = "W. H. Kautz, Bounds on directed (d, k) graphs, 1968";
  return graph.with_formulas(std::move(formulas));
}

Graph de_bruijn_digraph(std::uint32_t d, std::uint32_t n) {
  const std::vector<Word> words = words_of(d, n, false);
  const Graph graph = word_digraph(fmt::format("de-bruijn:{},{}", d, n), words, d, n);
  // Every (d^n - 1) / (d - 1) nodes there is a word of one letter throughout.
  const auto apart = static_cast<NodeId>((words.size() - 1) / (d - 1));
  DistanceFormulas formulas = graph.formulas();
  formulas.degree = [d, apart](NodeId v) { return v % apart == 0 ? d - 1 : d; };
  formulas.source = "N. G. de Bruijn, A combinatorial problem, 1946";
  return graph.with_formulas(std::move(formulas));
}

std::vector<TopologyFamily> word_digraph_families() {
  return {
      {"kautz", ":D,N", "kautz:2,3",
       "one way: words of N of D + 1 letters, neighbours in a word different; a link appends a letter and "
       "drops the first",
       build_kautz},
      {"de-bruijn", ":D,N", "de-bruijn:2,3",
       "one way: all words of N of D letters, linked in the same way, without links from a node to itself",
       build_de_bruijn},
  };
}

}  // namespace safnet
