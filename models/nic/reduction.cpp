// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/reduction.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "cosim/base/random.h"

namespace fabrictwin::nic {
namespace {

/// Smaller numbers have smaller keys; -0 comes before +0.
template <typename Bits>
Bits order_key(Bits bits) {
  constexpr Bits kSign = Bits{1} << (sizeof(Bits) * 8 - 1);
  return (bits & kSign) != 0 ? static_cast<Bits>(~bits) : static_cast<Bits>(bits | kSign);
}

template <typename Real, typename Bits>
uint64_t reduce_real(ReduceOperation operation, Bits a, Bits b) {
  const auto x = std::bit_cast<Real>(a);
  const auto y = std::bit_cast<Real>(b);
  const Real sum = x + y;
  const bool invalid = operation == ReduceOperation::kSum ? std::isnan(sum) : std::isnan(x) || std::isnan(y);
  if (invalid) return std::bit_cast<Bits>(std::numeric_limits<Real>::quiet_NaN());
  if (operation == ReduceOperation::kSum) return std::bit_cast<Bits>(sum);
  const bool first_is_less = order_key(a) <= order_key(b);
  return first_is_less == (operation == ReduceOperation::kMin) ? a : b;
}

uint64_t reduce_integers(ReduceOperation operation, uint32_t a, uint32_t b) {
  if (operation == ReduceOperation::kSum) return static_cast<uint32_t>(a + b);
  const bool first_is_less = static_cast<int32_t>(a) <= static_cast<int32_t>(b);
  return first_is_less == (operation == ReduceOperation::kMin) ? a : b;
}

template <typename Bits>
void reduce_all(ReduceOperation operation, ReduceType type, std::span<std::byte> a, std::span<const std::byte> b) {
  for (size_t i = 0; i + sizeof(Bits) <= a.size(); i += sizeof(Bits)) {
    Bits x = 0;
    Bits y = 0;
    std::memcpy(&x, &a[i], sizeof x);
    std::memcpy(&y, &b[i], sizeof y);
    x = static_cast<Bits>(reduce_elements(operation, type, x, y));
    std::memcpy(&a[i], &x, sizeof x);
  }
}

constexpr int kExponents = 16;  ///< Different exponents of operands.

template <typename Bits>
Bits operand(ReduceType type, uint64_t random) {
  if (type == ReduceType::kInt32) return static_cast<Bits>(random);
  constexpr int kFraction = sizeof(Bits) == 8 ? 52 : 23;
  constexpr Bits kBias = sizeof(Bits) == 8 ? 1023 : 127;
  const Bits exponent = kBias - kExponents / 2 + static_cast<Bits>(random >> 56) % kExponents;
  const Bits fraction = static_cast<Bits>(random) & ((Bits{1} << kFraction) - 1);
  const Bits sign = static_cast<Bits>(random >> 55 & 1) << (sizeof(Bits) * 8 - 1);
  return sign | exponent << kFraction | fraction;
}

template <typename Bits>
void fill(ReduceType type, uint64_t key, uint64_t first, std::span<std::byte> bytes) {
  for (size_t i = 0; i + sizeof(Bits) <= bytes.size(); i += sizeof(Bits)) {
    const auto value = operand<Bits>(type, mix64(key + first + i / sizeof(Bits)));
    std::memcpy(&bytes[i], &value, sizeof value);
  }
}

}  // namespace

uint64_t reduce_elements(ReduceOperation operation, ReduceType type, uint64_t a, uint64_t b) {
  switch (type) {
    case ReduceType::kFloat:
      return reduce_real<float>(operation, static_cast<uint32_t>(a), static_cast<uint32_t>(b));
    case ReduceType::kDouble:
      return reduce_real<double>(operation, a, b);
    default:
      return reduce_integers(operation, static_cast<uint32_t>(a), static_cast<uint32_t>(b));
  }
}

void reduce_into(ReduceOperation operation, ReduceType type, std::span<std::byte> a, std::span<const std::byte> b) {
  if (element_bytes(type) == 8) {
    reduce_all<uint64_t>(operation, type, a, b);
  } else {
    reduce_all<uint32_t>(operation, type, a, b);
  }
}

void make_operand(ReduceType type, uint64_t key, int32_t rank, uint64_t first, std::span<std::byte> bytes) {
  const uint64_t of_rank = mix64(mix64(key) ^ static_cast<uint64_t>(rank));
  if (element_bytes(type) == 8) {
    fill<uint64_t>(type, of_rank, first, bytes);
  } else {
    fill<uint32_t>(type, of_rank, first, bytes);
  }
}

void make_reduced(ReduceOperation operation, ReduceType type, uint64_t key, int32_t ranks, uint64_t first,
                  std::span<std::byte> bytes) {
  std::vector<std::vector<std::byte>> boards;
  std::vector<std::byte> other(bytes.size());
  for (int32_t rank = 0; rank < ranks; ++rank) {
    make_operand(type, key, rank, first, other);
    if (rank % kReduceGroup == 0) {
      boards.push_back(other);
    } else {
      reduce_into(operation, type, boards.back(), other);
    }
  }
  for (size_t distance = 1; distance < boards.size(); distance *= 2) {
    for (size_t i = 0; i + distance < boards.size(); i += 2 * distance)
      reduce_into(operation, type, boards[i], boards[i + distance]);
  }
  if (!boards.empty() && !bytes.empty()) std::memcpy(bytes.data(), boards[0].data(), bytes.size());
}

}  // namespace fabrictwin::nic
