#include <fmt/format.h>

#include <functional>
#include <map>
#include <string_view>
#include <utility>

#include "cpp_model/graph/family/families.hpp"

namespace safnet {
namespace {

using Word = std::vector<std::uint32_t>;  // letters, the first one first

// The digraph of words in which a link drops the first letter and appends another.
Graph word_digraph(std::string spelling, const std::vector<Word>& words, std::uint32_t letters,
                   std::function<std::uint32_t(NodeId)> degree, std::string source) {
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
  const auto length = static_cast<std::uint32_t>(words.front().size());
  DistanceFormulas formulas;
  formulas.degree = std::move(degree);
  formulas.eccentricity = [length](NodeId) { return length; };
  formulas.diameter = length;
  formulas.source = std::move(source);
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

// "D,N": D in its range, N such that there are kMaxNodes words at most. A word's first letter is one of
// D + first_letters.
Graph build_word_digraph(const Spelling& spelling, std::uint32_t most_letters, std::uint32_t first_letters,
                         Graph (*digraph)(std::uint32_t d, std::uint32_t n)) {
  const auto words = spelling.words(2, "D,N such as 2,3");
  const std::uint32_t d = spelling.number(words[0], 2, most_letters);
  std::uint32_t longest = 1;
  for (std::uint64_t nodes = d + first_letters; nodes * d <= kMaxNodes; nodes *= d) ++longest;
  return digraph(d, spelling.number(words[1], 1, longest));
}

}  // namespace

Graph kautz_digraph(std::uint32_t d, std::uint32_t n) {
  return word_digraph(
      fmt::format("kautz:{},{}", d, n), words_of(d + 1, n, true), d + 1, [d](NodeId) { return d; },
      "W. H. Kautz, Bounds on directed (d, k) graphs, 1968");
}

Graph de_bruijn_digraph(std::uint32_t d, std::uint32_t n) {
  const std::vector<Word> words = words_of(d, n, false);
  // Words of one letter throughout are (d^n - 1) / (d - 1) nodes apart; they lack the link to themselves.
  const auto apart = static_cast<NodeId>((words.size() - 1) / (d - 1));
  return word_digraph(
      fmt::format("de-bruijn:{},{}", d, n), words, d,
      [d, apart](NodeId v) { return v % apart == 0 ? d - 1 : d; },
      "N. G. de Bruijn, A combinatorial problem, 1946");
}

std::vector<TopologyFamily> word_digraph_families() {
  return {
      {"kautz", ":D,N", "kautz:2,3",
       "one way: words of N of D + 1 letters, neighbours in a word different; a link appends a letter and "
       "drops the first",
       [](const Spelling& s) { return build_word_digraph(s, 51, 1, kautz_digraph); }},
      {"de-bruijn", ":D,N", "de-bruijn:2,3",
       "one way: all words of N of D letters, linked in the same way, without links from a node to itself",
       [](const Spelling& s) { return build_word_digraph(s, 52, 0, de_bruijn_digraph); }},
  };
}

}  // namespace safnet
