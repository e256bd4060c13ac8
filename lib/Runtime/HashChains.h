//===- HashChains.h ---------------------------------------------*- C++ -*-===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A hash table of nodes that the user allocates, for caches that must not fail,
// throw or move their elements when they grow.
//
//===----------------------------------------------------------------------===//

#ifndef FRIT_LIB_RUNTIME_HASHCHAINS_H
#define FRIT_LIB_RUNTIME_HASHCHAINS_H

#include <cstddef>
#include <cstdint>
#include <new>

namespace frit::runtime {

/// Spreads the bits of a key over a hash.
inline uint64_t mixBits(uint64_t key) {
  key ^= key >> 32;
  key *= 0x9E3779B97F4A7C15;
  return key ^ (key >> 29);
}

/// Nodes have the fields `uint64_t hash` and `Node *chain`, which the table
/// uses. Where memory for more chains is short, the chains get longer instead.
template <typename Node> class HashChains {
public:
  HashChains() = default;
  HashChains(const HashChains &) = delete;
  HashChains &operator=(const HashChains &) = delete;
  ~HashChains() { freeChains(); }

  /// The node of that hash for which `matches` holds; null if there is none.
  template <typename Predicate>
  Node *find(uint64_t hash, Predicate matches) const {
    for (Node *node = chains[hash & mask]; node; node = node->chain)
      if (node->hash == hash && matches(*node))
        return node;
    return nullptr;
  }

  void insert(Node *node) {
    if (count > mask)
      grow();
    ++count;
    link(node);
  }

  void remove(Node *node) {
    Node **place = &chains[node->hash & mask];
    while (*place != node)
      place = &(*place)->chain;
    *place = node->chain;
    --count;
  }

  /// Empties the table and passes each node to `consume`.
  template <typename Consumer> void drain(Consumer consume) {
    count = 0;
    for (size_t i = 0; i <= mask; ++i) {
      Node *node = chains[i];
      chains[i] = nullptr;
      while (node) {
        Node *next = node->chain;
        consume(node);
        node = next;
      }
    }
  }

private:
  static constexpr size_t kFirstChains = 16;

  void link(Node *node) {
    Node *&first = chains[node->hash & mask];
    node->chain = first;
    first = node;
  }

  void grow() {
    size_t numChains = 2 * (mask + 1);
    auto **grown = new (std::nothrow) Node *[numChains]();
    if (!grown)
      return;
    Node **old = chains;
    size_t numOld = mask + 1;
    chains = grown;
    mask = numChains - 1;
    for (size_t i = 0; i < numOld; ++i) {
      for (Node *node = old[i]; node;) {
        Node *next = node->chain;
        link(node);
        node = next;
      }
    }
    if (old != firstChains)
      delete[] old;
  }

  void freeChains() {
    if (chains != firstChains)
      delete[] chains;
  }

  Node *firstChains[kFirstChains] = {};
  Node **chains = firstChains;
  size_t mask = kFirstChains - 1;
  size_t count = 0;
};

} // namespace frit::runtime

#endif // FRIT_LIB_RUNTIME_HASHCHAINS_H
