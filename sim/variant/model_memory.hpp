// model_memory - where the models of a variant are: side by side, in memory that is zero at first.
//
// Verilator's symbol table of a model, which holds all its state, gets its memory here (build_variant.sh says
// so in its class). Pages that no part of a model was ever written to do not exist: a router of a large
// network has room for thousands of labels and packets and uses few of them. The first gigabytes are in huge
// pages, if the system has some: going through all nodes in every cycle then takes fewer address
// translations.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>

namespace safnet {

class ModelMemory {
 public:
  static void* take(std::size_t bytes) {
    const std::size_t needed = kLine + rounded(bytes, kLine);
    const std::lock_guard guard(mutex());
    Chunk*& chunk = current();
    if (chunk == nullptr || chunk->used + needed > chunk->bytes) {
      if (chunk != nullptr) release(chunk);
      chunk = make_chunk(kLine + needed, bytes <= kLargestInHugePages);
    }
    char* const at = reinterpret_cast<char*>(chunk) + chunk->used;
    chunk->used += needed;
    ++chunk->users;
    *reinterpret_cast<Chunk**>(at) = chunk;
    return at + kLine;
  }
  static void give_back(void* at) {
    const std::lock_guard guard(mutex());
    release(*reinterpret_cast<Chunk**>(static_cast<char*>(at) - kLine));
  }

 private:
  static constexpr std::size_t kLine = 64, kHugePage = std::size_t{2} << 20;
  static constexpr std::size_t kLargestInHugePages = std::size_t{256} << 10;
  static constexpr std::size_t kMostInHugePages = std::size_t{2} << 30;

  struct Chunk {
    std::size_t bytes, used;
    std::size_t users;  // models in it; one more while further models are put into it
    bool huge;
  };
  static_assert(sizeof(Chunk) <= kLine);

  static std::size_t rounded(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  static Chunk*& current() {
    static Chunk* chunk = nullptr;
    return chunk;
  }
  static std::size_t& in_huge_pages() {
    static std::size_t bytes = 0;
    return bytes;
  }

  static Chunk* make_chunk(std::size_t needed, bool may_be_huge) {
    const std::size_t bytes = rounded(needed, kHugePage);
    // Huge pages begin at multiples of their size: of a longer piece, what stands over is given back.
    void* const got = mmap(nullptr, bytes + kHugePage, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (got == MAP_FAILED) throw std::bad_alloc();
    const auto from = reinterpret_cast<std::uintptr_t>(got), begin = rounded(from, kHugePage);
    if (begin != from) munmap(got, begin - from);
    const std::size_t over = kHugePage - (begin - from);
    if (over != 0) munmap(reinterpret_cast<void*>(begin + bytes), over);
    const bool huge = may_be_huge && in_huge_pages() + bytes <= kMostInHugePages;
    if (huge) {
      madvise(reinterpret_cast<void*>(begin), bytes, MADV_HUGEPAGE);
      in_huge_pages() += bytes;
    }
    return new (reinterpret_cast<void*>(begin)) Chunk{bytes, kLine, 1, huge};
  }
  static void release(Chunk* chunk) {
    if (--chunk->users != 0) return;
    if (chunk->huge) in_huge_pages() -= chunk->bytes;
    munmap(chunk, chunk->bytes);
  }
};

/// Fetches into the cache what the label table of a router says of an arriving flit, which it looks up in
/// that cycle. `root`: the ports of the model; `words`: the flit, whose lowest bits are a label if it is a
/// header.
template <class Root>
void prefetch_label(Root& root, const std::uint32_t* words) {
  const auto fetch = [label = words[0]](auto& table) {
    __builtin_prefetch(&table[label % (sizeof table / sizeof table[0])]);
  };
  if constexpr (requires { root.pifo_node->__PVT__u_label_table__DOT__entry_q; }) {
    auto& node = *root.pifo_node;
    fetch(node.__PVT__u_label_table__DOT__entry_q);
    if constexpr (requires { node.__PVT__u_label_table__DOT__g_order__DOT__order_q; })
      fetch(node.__PVT__u_label_table__DOT__g_order__DOT__order_q);
    if constexpr (requires { node.__PVT__u_label_table__DOT__g_rest__DOT__rest_q; })
      fetch(node.__PVT__u_label_table__DOT__g_rest__DOT__rest_q);
  }
}

/// Fetches into the cache what a node of a verilated model needs in most cycles: its state without its
/// memories, as much of it as is worth fetching. `Symbols`: the symbol table of the model.
class ModelPrefetch {
 public:
  template <class Symbols>
  static void fetch(Symbols& symbols) {
    std::size_t left = kMostLines;
#define SAFNET_INSTANCE(name) left -= fetch_module(symbols.name, left);
#include "instances.inc"
#undef SAFNET_INSTANCE
  }

 private:
  static constexpr std::size_t kLine = 64, kMostLines = 128;
  template <class Module>
  static std::size_t fetch_module(Module& module, std::size_t most) {
    const auto begin = reinterpret_cast<std::uintptr_t>(&module) / kLine;
    std::uintptr_t end = reinterpret_cast<std::uintptr_t>(&module + 1);
    if constexpr (requires { module.safnet_memories; })
      end = reinterpret_cast<std::uintptr_t>(&module.safnet_memories);
    const std::size_t lines = std::min<std::size_t>(most, (end + kLine - 1) / kLine - begin);
    for (std::size_t line = 0; line < lines; ++line)
      __builtin_prefetch(reinterpret_cast<const void*>((begin + line) * kLine), 1);
    return lines;
  }
};

}  // namespace safnet
