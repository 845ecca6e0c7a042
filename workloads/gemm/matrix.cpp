// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/gemm/matrix.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "cosim/base/random.h"

namespace fabrictwin::gemm {
namespace {

constexpr int32_t kMaxComparedRows = 32;

}  // namespace

float gemm_element(Factor factor, int32_t row, int32_t column) {
  const uint64_t position = uint64_t{static_cast<uint32_t>(row)} << 32 | static_cast<uint32_t>(column);
  const uint64_t bits = mix64(mix64(static_cast<uint64_t>(factor) + 1) ^ position) >> 40;
  return static_cast<float>(static_cast<int32_t>(bits) - (1 << 23)) * 0x1.0p-23F;
}

Block gemm_block(Factor factor, int32_t first_row, int32_t first_column, int32_t rows, int32_t columns) {
  Block block{first_row, first_column, rows, columns, {}};
  block.values.reserve(static_cast<size_t>(rows) * static_cast<size_t>(columns));
  for (int32_t i = 0; i < rows; ++i) {
    for (int32_t j = 0; j < columns; ++j) block.values.push_back(gemm_element(factor, first_row + i, first_column + j));
  }
  return block;
}

void gemm_multiply(const Block& a, const Block& b, Block& c) {
  const auto columns = static_cast<size_t>(c.columns);
  const auto inner = static_cast<size_t>(a.columns);
  for (size_t i = 0; i < static_cast<size_t>(c.rows); ++i) {
    float* const row = &c.values[i * columns];
    for (size_t k = 0; k < inner; ++k) {
      const float left = a.values[i * inner + k];
      const float* const right = &b.values[k * columns];
      for (size_t j = 0; j < columns; ++j) row[j] += left * right[j];
    }
  }
}

void gemm_multiply_in_lanes(const Block& a, const Block& b, Block& c, int32_t lanes) {
  const auto columns = static_cast<size_t>(c.columns);
  const auto inner = static_cast<size_t>(a.columns);
  const auto group = static_cast<size_t>(lanes);
  // A level of the tree for all columns of a row at once, so that the compiler can use vectors.
  std::vector<float> sums(group * columns);
  for (size_t i = 0; i < static_cast<size_t>(c.rows); ++i) {
    float* const row = &c.values[i * columns];
    for (size_t first = 0; first < inner; first += group) {
      for (size_t k = 0; k < group; ++k) {
        const float left = a.values[i * inner + first + k];
        const float* const right = &b.values[(first + k) * columns];
        for (size_t j = 0; j < columns; ++j) sums[k * columns + j] = left * right[j];
      }
      for (size_t nodes = group; nodes > 1; nodes /= 2) {
        for (size_t n = 0; n < nodes / 2; ++n) {
          const float* const left = &sums[2 * n * columns];
          const float* const right = left + columns;
          float* const sum = &sums[n * columns];
          for (size_t j = 0; j < columns; ++j) sum[j] = left[j] + right[j];
        }
      }
      for (size_t j = 0; j < columns; ++j) row[j] = sums[j] + row[j];
    }
  }
}

Error gemm_compare(const Block& c, int32_t size) {
  const int32_t rows = std::min(c.rows, kMaxComparedRows);
  const auto columns = static_cast<size_t>(c.columns);
  std::vector<double> sums(static_cast<size_t>(rows) * columns);
  std::vector<double> magnitudes(sums.size());
  const auto row_of = [&](int32_t number) { return static_cast<int32_t>(int64_t{number} * c.rows / rows); };
  for (int32_t k = 0; k < size; ++k) {
    const Block right = gemm_block(Factor::kB, k, c.first_column, 1, c.columns);
    for (int32_t r = 0; r < rows; ++r) {
      const double left = gemm_element(Factor::kA, c.first_row + row_of(r), k);
      for (size_t j = 0; j < columns; ++j) {
        const double product = left * static_cast<double>(right.values[j]);
        sums[static_cast<size_t>(r) * columns + j] += product;
        magnitudes[static_cast<size_t>(r) * columns + j] += std::abs(product);
      }
    }
  }
  Error error;
  error.elements = static_cast<int64_t>(sums.size());
  for (int32_t r = 0; r < rows; ++r) {
    for (size_t j = 0; j < columns; ++j) {
      const size_t at = static_cast<size_t>(r) * columns + j;
      const double got = c.values[static_cast<size_t>(row_of(r)) * columns + j];
      if (magnitudes[at] > 0) error.relative = std::max(error.relative, std::abs(got - sums[at]) / magnitudes[at]);
    }
  }
  return error;
}

double gemm_error_bound(int32_t size) {
  const double rounding = size * 0x1.0p-24;
  return rounding / (1 - rounding);
}

}  // namespace fabrictwin::gemm
