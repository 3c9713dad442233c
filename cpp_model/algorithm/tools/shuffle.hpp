// shuffle - a random order that is the same with every library, which std::shuffle is not.
#pragma once

#include <cstddef>
#include <random>
#include <utility>
#include <vector>

namespace safnet {

template <class Item>
void shuffle(std::vector<Item>& items, std::mt19937_64& random) {
  for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[random() % i]);
}

}  // namespace safnet
