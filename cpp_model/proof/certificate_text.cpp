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
  if (proof.cycles_per_step != 0) argument["cycles_per_step"] = proof.cycles_per_step;
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

std::string certificate_text(const Problem& problem, const Proof& proof, std::uint32_t flits,
                             std::uint32_t link_latency) {
  const Graph& graph = problem.graph;
  const bool differ = graph.has_unequal_links();
  Json links = Json::array();
  for (LinkId link = 0; link < graph.link_count(); ++link) {
    Json& written = links.emplace_back(Json::array({graph.link_source(link), graph.link_target(link)}));
    if (!differ) continue;
    written.push_back(std::uint64_t{link_latency} + graph.timing(link).latency);
    written.push_back(graph.timing(link).cycles_per_flit);
  }
  const CollectiveName& name = name_of(problem.collective);
  Json certificate{{"topology", printable(graph.spelling())}, {"nodes", graph.node_count()},
                   {"processors", graph.processor_count()},   {"links", links},
                   {"ports", to_string(problem.ports)},       {"collective", name.mpi_name}};
  if (name.has_root) certificate["root"] = problem.root;
  certificate["messages"] = problem.messages;
  if (differ) certificate["flits"] = flits;
  certificate["steps"] = proof.steps;
  certificate["argument"] = argument_json(problem, proof);
  return certificate.dump() + "\n";
}

}  // namespace safnet
