#include "cpp_model/proof/refutation.hpp"

#include <algorithm>
#include <cadical.hpp>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "cpp_model/optimum/clauses.hpp"

namespace safnet {
namespace {

constexpr std::size_t kMostClauses = 2'000'000, kMostReasons = 4'000'000;
constexpr std::uint32_t kNoClause = ~std::uint32_t{0};

// Checks that lemmas follow by unit propagation, and finds out from which clauses.
class LemmaChecker {
 public:
  explicit LemmaChecker(const std::vector<Clause>& question) {
    for (const Clause& clause : question) add(clause);
  }

  /// The reasons of a lemma, which is added; nothing if it does not follow by unit propagation.
  std::optional<std::vector<std::uint32_t>> reasons_of(const Clause& lemma) {
    std::uint32_t conflict = kNoClause;
    for (const int literal : lemma) {
      if (value(literal) == 0) assign(-literal, kNoClause);
    }
    for (std::size_t i = 0; i < units_.size() && conflict == kNoClause; ++i) conflict = force(units_[i]);
    if (conflict == kNoClause) conflict = propagate();
    std::optional<std::vector<std::uint32_t>> reasons;
    if (conflict != kNoClause) reasons = explain(conflict);
    for (const int literal : trail_) {
      value_of(literal) = value_of(-literal) = 0;
      reason_[place(literal)] = reason_[place(-literal)] = kNoClause;
    }
    trail_.clear();
    if (reasons) add(lemma);
    return reasons;
  }

 private:
  static std::size_t place(int literal) {
    return 2 * static_cast<std::size_t>(std::abs(literal)) + (literal < 0 ? 1 : 0);
  }
  std::int8_t value(int literal) const { return value_[place(literal)]; }
  std::int8_t& value_of(int literal) { return value_[place(literal)]; }

  void add(const Clause& clause) {
    const auto number = static_cast<std::uint32_t>(clauses_.size());
    clauses_.push_back(clause);
    for (const int literal : clause) {
      const std::size_t needed = std::max(place(literal), place(-literal)) + 1;
      if (value_.size() >= needed) continue;
      value_.resize(needed, 0);
      reason_.resize(needed, kNoClause);
      watches_.resize(needed);
    }
    if (clause.size() == 1) units_.push_back(number);
    if (clause.size() < 2) return;
    watches_[place(clause[0])].push_back(number);
    watches_[place(clause[1])].push_back(number);
  }
  void assign(int literal, std::uint32_t reason) {
    value_of(literal) = 1;
    value_of(-literal) = -1;
    reason_[place(literal)] = reason;
    trail_.push_back(literal);
  }
  // The literal of a clause of one is true. Returns the clause if it is false.
  std::uint32_t force(std::uint32_t unit) {
    const int literal = clauses_[unit][0];
    if (value(literal) < 0) return unit;
    if (value(literal) == 0) assign(literal, unit);
    return kNoClause;
  }

  // Makes true what follows; returns a clause without a literal left, if there is one.
  std::uint32_t propagate() {
    for (std::size_t head = 0; head < trail_.size(); ++head) {
      const int falsified = -trail_[head];
      std::vector<std::uint32_t>& watching = watches_[place(falsified)];
      std::size_t kept = 0;
      for (std::size_t i = 0; i < watching.size(); ++i) {
        const std::uint32_t number = watching[i];
        Clause& clause = clauses_[number];
        if (clause[0] == falsified) std::swap(clause[0], clause[1]);
        const auto other = value(clause[0]) > 0
                               ? clause.end()
                               : std::find_if(clause.begin() + 2, clause.end(),
                                              [this](int literal) { return value(literal) >= 0; });
        if (value(clause[0]) <= 0 && other != clause.end()) {
          std::swap(clause[1], *other);
          watches_[place(clause[1])].push_back(number);
          continue;
        }
        watching[kept++] = number;
        if (value(clause[0]) > 0) continue;
        if (value(clause[0]) < 0) {
          while (++i < watching.size()) watching[kept++] = watching[i];
          watching.resize(kept);
          return number;
        }
        assign(clause[0], number);
      }
      watching.resize(kept);
    }
    return kNoClause;
  }

  // The clauses that lead to the conflict, in the order in which they made literals true.
  std::vector<std::uint32_t> explain(std::uint32_t conflict) const {
    std::vector<std::uint8_t> needed(value_.size(), 0);
    const auto need = [&](const Clause& clause, int but) {
      for (const int literal : clause) {
        if (literal != but) needed[place(-literal)] = 1;
      }
    };
    need(clauses_[conflict], 0);
    std::vector<std::uint32_t> reasons{conflict};
    for (std::size_t i = trail_.size(); i-- > 0;) {
      const int literal = trail_[i];
      const std::uint32_t reason = reason_[place(literal)];
      if (needed[place(literal)] == 0 || reason == kNoClause) continue;
      reasons.push_back(reason);
      need(clauses_[reason], literal);
    }
    std::reverse(reasons.begin(), reasons.end());
    return reasons;
  }

  std::vector<Clause> clauses_;  // the two literals that are watched stand first
  std::vector<std::uint32_t> units_;
  std::vector<std::int8_t> value_;     // by literal: 1 true, -1 false, 0 open
  std::vector<std::uint32_t> reason_;  // by literal: the clause that made it true
  std::vector<std::vector<std::uint32_t>> watches_;
  std::vector<int> trail_;
};

// Only the lemmas that the last one needs, numbered anew.
Refutation trimmed(std::vector<Refutation::Lemma> lemmas, std::uint32_t clauses) {
  std::vector<std::uint8_t> needed(lemmas.size(), 0);
  needed.back() = 1;
  for (std::size_t i = lemmas.size(); i-- > 0;) {
    if (needed[i] == 0) continue;
    for (const std::uint32_t reason : lemmas[i].because) {
      if (reason >= clauses) needed[reason - clauses] = 1;
    }
  }
  Refutation result;
  std::vector<std::uint32_t> number(lemmas.size());
  for (std::size_t i = 0; i < lemmas.size(); ++i) {
    if (needed[i] == 0) continue;
    number[i] = clauses + static_cast<std::uint32_t>(result.lemmas.size());
    for (std::uint32_t& reason : lemmas[i].because) {
      if (reason >= clauses) reason = number[reason - clauses];
    }
    result.lemmas.push_back(std::move(lemmas[i]));
  }
  return result;
}

// A solver's proof as text, kept in memory: a lemma per line, "d" before one that is not needed any more.
class ProofText {
 public:
  ProofText() : file_(::open_memstream(&text_, &size_)) {}
  ~ProofText() {
    std::fclose(file_);
    std::free(text_);
  }
  ProofText(const ProofText&) = delete;
  ProofText& operator=(const ProofText&) = delete;
  std::FILE* file() { return file_; }
  std::string_view text() {
    std::fflush(file_);
    return {text_, size_};
  }

 private:
  char* text_ = nullptr;
  std::size_t size_ = 0;
  std::FILE* file_;
};

Clause literals_of(std::string_view line) {
  Clause clause;
  for (const char *at = line.data(), *end = at + line.size(); at < end;) {
    int literal = 0;
    const auto [next, error] = std::from_chars(at, end, literal);
    if (error != std::errc() || literal == 0) break;
    clause.push_back(literal);
    at = next + 1;
  }
  return clause;
}

// Clauses of a question in which some literals are known to be true or false beforehand.
struct QuestionWriter {
  std::vector<Clause>& clauses;
  int variables;

  int new_variable() { return ++variables; }
  void add(Clause clause) {
    if (std::ranges::find(clause, Clauses::kTrue) != clause.end()) return;
    std::erase(clause, Clauses::kFalse);
    clauses.push_back(std::move(clause));
  }
};

}  // namespace

std::optional<std::vector<Clause>> question_of(const Task& task) {
  const auto n = task.nodes;
  const auto links = static_cast<std::uint32_t>(task.links.size());
  const std::uint64_t packets = task.messages * task.origins.size();
  if (task.steps * packets * (task.together ? 1 : packets) * links > kMostClauses) return std::nullopt;
  // has(p, v, t): node v has packet p after step t; crosses(p, l, t): it crosses link l in step t.
  const auto has = [&](std::uint64_t p, NodeId v, std::uint64_t t) {
    return static_cast<int>((t * packets + p) * n + v + 1);
  };
  const auto crosses = [&](std::uint64_t p, std::uint32_t l, std::uint64_t t) {
    return static_cast<int>((task.steps + 1) * packets * n + ((t - 1) * packets + p) * links + l + 1);
  };
  // uses(l, t): packets that travel together cross link l in step t.
  const auto uses = [&](std::uint32_t l, std::uint64_t t) {
    return static_cast<int>(((task.steps + 1) * n + task.steps * links) * packets + (t - 1) * links + l + 1);
  };
  std::vector<Clause> clauses;
  const auto at_most_one = [&](const std::vector<std::uint32_t>& of_links, std::uint64_t t) {
    Clause all;
    if (task.together) {
      for (const std::uint32_t l : of_links) all.push_back(uses(l, t));
    }
    for (std::uint64_t p = 0; p < packets && !task.together; ++p) {
      for (const std::uint32_t l : of_links) all.push_back(crosses(p, l, t));
    }
    for (std::size_t i = 0; i < all.size() && clauses.size() <= kMostClauses; ++i) {
      for (std::size_t j = 0; j < i; ++j) clauses.push_back({-all[j], -all[i]});
    }
  };
  std::vector<std::vector<std::uint32_t>> out_of(n), into(n);
  for (std::uint32_t l = 0; l < links; ++l) {
    out_of[task.links[l].from].push_back(l);
    into[task.links[l].to].push_back(l);
  }
  const NodeId routers_from = task.combined ? task.processors : n;  // they cannot copy, backwards in time
  QuestionWriter writer{clauses, uses(0, task.steps + 1) - 1};
  for (std::uint64_t p = 0; p < packets; ++p) {
    const NodeId origin = task.origins[p % task.origins.size()];
    for (NodeId v = 0; v < n; ++v) {
      if (v != origin) clauses.push_back({-has(p, v, 0)});
    }
    for (const NodeId v : task.destinations) clauses.push_back({has(p, v, task.steps)});
    for (std::uint64_t t = 1; t <= task.steps; ++t) {
      for (NodeId v = 0; v < routers_from; ++v) {
        Clause& got = clauses.emplace_back(Clause{-has(p, v, t), has(p, v, t - 1)});
        for (const std::uint32_t l : into[v]) got.push_back(crosses(p, l, t));
      }
      for (std::uint32_t l = 0; l < links; ++l) {
        const NodeId from = task.links[l].from;
        if (from < routers_from) clauses.push_back({-crosses(p, l, t), has(p, from, t - 1)});
      }
    }
    for (NodeId v = routers_from; v < n; ++v) {
      TrueCounter sent(writer, static_cast<std::uint32_t>(task.destinations.size() - 1)), received = sent;
      for (std::uint64_t t = 1; t <= task.steps; ++t) {
        for (const std::uint32_t l : out_of[v]) sent.add_at_least(crosses(p, l, t));
        sent.is_at_most(received);
        for (const std::uint32_t l : into[v]) received.add_at_most(crosses(p, l, t));
      }
    }
  }
  for (std::uint64_t t = 1; t <= task.steps; ++t) {
    for (std::uint64_t p = 0; p < packets && task.together; ++p) {
      for (std::uint32_t l = 0; l < links; ++l) clauses.push_back({-crosses(p, l, t), uses(l, t)});
    }
    for (std::uint32_t l = 0; l < links; ++l) at_most_one({l}, t);
    for (NodeId v = 0; v < n && task.sends_one; ++v) at_most_one(out_of[v], t);
    for (NodeId v = 0; v < n && task.receives_one; ++v) at_most_one(into[v], t);
  }
  if (clauses.size() > kMostClauses) return std::nullopt;
  return clauses;
}

std::optional<Refutation> refute(const std::vector<Clause>& question, std::uint32_t most_conflicts) {
  ProofText proof;
  CaDiCaL::Solver solver;
  solver.set("quiet", 1);
  solver.set("binary", 0);
  solver.trace_proof(proof.file(), "proof");
  for (const Clause& clause : question) {
    for (const int literal : clause) solver.add(literal);
    solver.add(0);
  }
  solver.limit("conflicts", static_cast<int>(most_conflicts));
  if (solver.solve() != 20) return std::nullopt;
  solver.close_proof_trace();
  LemmaChecker checker(question);
  std::vector<Refutation::Lemma> lemmas;
  std::size_t reasons = 0;
  for (std::string_view text = proof.text(); !text.empty();) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1);
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 1);
    if (line.starts_with("d")) continue;  // what is not needed any more does no harm
    Refutation::Lemma lemma{literals_of(line), {}};
    auto because = checker.reasons_of(lemma.clause);
    if (!because) return std::nullopt;
    reasons += because->size();
    if (reasons > kMostReasons) return std::nullopt;
    lemma.because = std::move(*because);
    lemmas.push_back(std::move(lemma));
    if (lemmas.back().clause.empty())
      return trimmed(std::move(lemmas), static_cast<std::uint32_t>(question.size()));
  }
  return std::nullopt;
}

}  // namespace safnet
