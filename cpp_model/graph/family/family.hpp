// family - what the program knows of a family of topologies, all of it in one descriptor.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cpp_model/graph/drawing/layout.hpp"
#include "cpp_model/graph/graph.hpp"

namespace safnet {

/// What a user typed behind the name of a family, and how to read it. Everything that reads throws
/// std::invalid_argument with one line that names the word and what was expected.
class Spelling {
 public:
  using Make = std::function<Graph(const std::string& spelling)>;

  /// `text`: the whole ("torus:4x4"); `arguments`: what is behind the colon or opening parenthesis. `make`
  /// builds the networks that a spelling mentions, if families are allowed to.
  Spelling(std::string text, std::string arguments, Make make = {});

  const std::string& text() const { return text_; }
  const std::string& arguments() const { return arguments_; }

  /// "TEXT: 'WORD': expected EXPECTED".
  std::invalid_argument wrong(const std::string& word, const std::string& expected) const;
  /// A number from `low` to `high`, which messages call `what`.
  std::uint32_t number(const std::string& word, std::uint32_t low, std::uint32_t high,
                       const char* what = "a number") const;
  /// All of the arguments as one number.
  std::uint32_t number(std::uint32_t low, std::uint32_t high) const { return number(arguments_, low, high); }
  /// "14,2": `count` words; messages show their `form`.
  std::vector<std::string> words(std::size_t count, const std::string& form) const;
  /// "4x3x2": calls `nodes` with each word, which returns the number of nodes of that factor. The product of
  /// these numbers must be kMaxNodes at most.
  void factors(const std::function<NodeId(const std::string& word)>& nodes) const;
  /// The arguments without their closing parenthesis. `form`: "product(A,B,...) such as ...".
  std::string inside(const std::string& form) const;
  /// "'TEXT'; WHAT; expected FORM".
  std::invalid_argument wrong_whole(const std::string& what, const std::string& form) const;
  Graph make(const std::string& spelling) const { return make_(spelling); }

 private:
  std::string text_, arguments_;
  Make make_;
};

/// The descriptor; topology.cpp lists them all.
struct TopologyFamily {
  std::string name;         ///< what stands before the colon or parenthesis: "torus"
  std::string arguments;    ///< form of what follows the name: ":AxBx..."
  std::string example;      ///< a spelling that works: "torus:4x4"
  std::string description;  ///< one line
  /// The network, with the translations and formulas that are known of it.
  Graph (*build)(const Spelling& spelling) = nullptr;
  /// Where textbooks put the nodes. Without it Graphviz decides, unless the network is a product.
  Layout (*layout)(const Graph& graph) = nullptr;
  /// The numbers of the nodes are places in a row or on a circle.
  enum class Order { kNone, kRow, kCircle } order = Order::kNone;
  /// What to say of whether networks of the family are Cayley graphs; empty: what holds for the example.
  std::string cayley = {};
};

}  // namespace safnet
