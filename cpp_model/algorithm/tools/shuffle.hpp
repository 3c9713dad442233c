// shuffle - a random order that is the same with every library, which std::shuffle is not.
#pragma once

#include <cstddef>
#include <random>
#include <utility>

namespace safnet {

/// `items`: a vector, or a span of a part of one.
template <class Items>
void shuffle(Items&& items, std::mt19937_64& random) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random() % i]);
}

}  // namespace safnet
