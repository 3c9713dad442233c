#include "sim/run/router_kinds.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"
#include "sim/fifo/fifo_kind.hpp"
#include "sim/user/user_router.hpp"
#include "sim/variant/variant_store.hpp"

namespace safnet {
namespace {

// All kinds of routers by their names after --node; a new kind is added here.
const std::vector<SharedRouterKind>& list_of_kinds() {
  const auto kind = [](RouterKind made) { return std::make_shared<const RouterKind>(std::move(made)); };
  static const std::vector<SharedRouterKind> kinds{
      kind({.name = "pifo", .hardware = pifo_hardware, .follows_orders = true}),
      kind({.name = "fifo", .hardware = fifo_hardware}),
  };
  return kinds;
}

}  // namespace

const SharedRouterKind& pifo_router() { return list_of_kinds().front(); }

std::vector<std::string> router_kind_names() {
  std::vector<std::string> names;
  for (const SharedRouterKind& kind : list_of_kinds()) names.push_back(kind->name);
  return names;
}

SharedRouterKind find_router_kind(const std::string& word, const std::string& others) {
  for (const SharedRouterKind& kind : list_of_kinds()) {
    if (kind->name == word) return kind;
  }
  if (names_folder(word)) return user_router(word, VariantStore::standard());
  throw bad_input("--node {}: no such kind of node; expected {}{}{}, or a folder with a router",
                  in_quotes(word), others, others.empty() ? "" : ", ", fmt::join(router_kind_names(), ", "));
}

}  // namespace safnet
