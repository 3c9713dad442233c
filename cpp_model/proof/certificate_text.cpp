#include "cpp_model/proof/certificate_text.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

using Json = nlohmann::ordered_json;

Json prices_json(const SlotPrices& prices) {
  Json list = Json::array();
  for (const SlotPrice& each : prices)
    list.push_back({to_string(each.kind), each.index, each.first, each.last, each.price});
  return list;
}

Json argument_json(const Problem& problem, const Proof& proof) {
  Json argument{{"kind", to_string(proof.kind)}};
  if (problem.collective == CollectiveKind::kAllreduce) {
    argument["as"] = name_of(proof.as).mpi_name;
    argument["root"] = proof.root;
  }
  const Handling handling = name_of(proof.as).handling;
  if (proof.kind == ProofKind::kWays) {
    argument["backwards"] = proof.backwards;
    if (handling != Handling::kPersonal) argument["destination"] = proof.destination;
    argument["prices"] = prices_json(proof.prices);
  }
  if (proof.kind == ProofKind::kEntries) {
    argument["sets"] = proof.sets;
    argument["prices"] = prices_json(proof.prices);
  }
  if (proof.kind == ProofKind::kInformed) argument["hops"] = proof.hops;
  if (proof.kind == ProofKind::kRefutation) {
    Json lemmas = Json::array();
    for (const Refutation::Lemma& lemma : proof.refutation.lemmas)
      lemmas.push_back(Json::array({lemma.clause, lemma.because}));
    argument["lemmas"] = std::move(lemmas);
  }
  if (proof.kind == ProofKind::kCarried) argument["set"] = proof.sets.at(0);
  return argument;
}

}  // namespace

std::string certificate_text(const Problem& problem, const Proof& proof) {
  const Graph& graph = problem.graph;
  Json links = Json::array();
  for (LinkId link = 0; link < graph.link_count(); ++link)
    links.push_back({graph.link_source(link), graph.link_target(link)});
  const CollectiveName& name = name_of(problem.collective);
  Json certificate{{"topology", printable(graph.spelling())}, {"nodes", graph.node_count()},
                   {"processors", graph.processor_count()},   {"links", links},
                   {"ports", to_string(problem.ports)},       {"collective", name.mpi_name}};
  if (name.has_root) certificate["root"] = problem.root;
  certificate["messages"] = problem.messages;
  certificate["steps"] = proof.steps;
  certificate["argument"] = argument_json(problem, proof);
  return certificate.dump() + "\n";
}

}  // namespace safnet
