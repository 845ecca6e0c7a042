// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbers of a matrix multiplication.
#pragma once

#include <cstdint>
#include <vector>

namespace fabrictwin::gemm {

/// The two factors.
enum class Factor : uint8_t { kA, kB };

/// Part of a matrix, by rows.
struct Block {
  int32_t first_row = 0;
  int32_t first_column = 0;
  int32_t rows = 0;
  int32_t columns = 0;
  std::vector<float> values;
};

/// The deviation of a product from the one in double precision.
struct Error {
  /// The largest error of an element over the sum of the magnitudes of its products.
  double relative = 0;
  int64_t elements = 0;  ///< Number of elements compared.
};

/// An element of a factor: uniform over [-1, 1) in steps of 2^-23, a function of its position alone.
float gemm_element(Factor factor, int32_t row, int32_t column);

/// A part of a factor with its values.
Block gemm_block(Factor factor, int32_t first_row, int32_t first_column, int32_t rows, int32_t columns);

/// Computes c += a b in single precision, one product after the other in the order of the inner index. `a` must have as
/// many columns as `b` has rows.
void gemm_multiply(const Block& a, const Block& b, Block& c);

/// Multiplies as an accelerator of `lanes` (a power of two) multipliers along the inner index does it: of each `lanes`
/// products, neighbours are added first, then neighbouring sums, and so on, and c is added at last. The columns of `a`
/// must be a multiple of `lanes`.
void gemm_multiply_in_lanes(const Block& a, const Block& b, Block& c, int32_t lanes);

/// Compares a block of the product of two matrices of `size` x `size` with double precision: all columns of up to 32
/// rows, evenly spread.
Error gemm_compare(const Block& c, int32_t size);

/// The bound of the relative error after `size` roundings of single precision: Higham, "Accuracy and Stability of
/// Numerical Algorithms", section 3.1, n u / (1 - n u).
double gemm_error_bound(int32_t size);

}  // namespace fabrictwin::gemm
