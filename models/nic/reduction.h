// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Reductions of vectors over ranks that hardware performs: what is reduced, and the arithmetic, bit for bit. All
// functions are thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fabrictwin::nic {

/// What becomes of two elements. Sums of integers wrap; those of floating-point numbers are rounded to nearest even.
enum class ReduceOperation : uint8_t { kSum = 0, kMin = 1, kMax = 2 };
/// Elements: 32-bit two's complement, IEEE 754 binary32 and binary64.
enum class ReduceType : uint8_t { kInt32 = 0, kFloat = 1, kDouble = 2 };

inline constexpr int32_t kReduceGroup = 4;        ///< Ranks of a board, which are reduced first.
inline constexpr int32_t kMaxReduceRanks = 1024;  ///< The most ranks of a reduction.
inline constexpr uint64_t kMaxReduceBytes = 256;  ///< The largest vector of one operation.

/// Bytes of an element.
constexpr uint32_t element_bytes(ReduceType type) { return type == ReduceType::kDouble ? 8 : 4; }

/// A reduction over the ranks of a job, as a message asks for it.
struct Reduction {
  const std::vector<int32_t>* hosts = nullptr;  ///< By rank; outlives the run. Null: the message is no reduction.
  int32_t rank = 0;
  ReduceOperation operation = ReduceOperation::kSum;
  ReduceType type = ReduceType::kFloat;
  bool configure = false;  ///< Only prepares the hardware for reductions over these ranks.
};

/// The bits of one result. A NaN is always the quiet one with positive sign and no payload, whatever the operands; -0
/// is less than +0. Bits of int32 and float are in the low half.
uint64_t reduce_elements(ReduceOperation operation, ReduceType type, uint64_t a, uint64_t b);

/// Reduces `b` into `a`, element by element, `a` as the first operand; both have the same size, a multiple of that of
/// an element.
void reduce_into(ReduceOperation operation, ReduceType type, std::span<std::byte> a, std::span<const std::byte> b);

/// Fills `bytes` with elements `first`, ... of the vector that `rank` contributes under `key`: any integers; numbers of
/// both signs between 2^-8 and 2^8, whose sums depend on the order of the operands.
void make_operand(ReduceType type, uint64_t key, int32_t rank, uint64_t first, std::span<std::byte> bytes);

/// Fills `bytes` with elements `first`, ... of the reduction of the vectors of `ranks` ranks, in the order of the
/// Allreduce accelerator: ((r0 + r1) + r2) + r3 on each board, then pairs of boards at distance 1, 2, 4, ..., the lower
/// one first. `ranks` is 4 times a power of two.
void make_reduced(ReduceOperation operation, ReduceType type, uint64_t key, int32_t ranks, uint64_t first,
                  std::span<std::byte> bytes);

}  // namespace fabrictwin::nic
