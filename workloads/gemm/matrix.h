// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbers of a matrix multiplication.
#pragma once

#include <cstdint>
#include <vector>

namespace fabrictwin {

/// The two factors.
enum class GemmFactor : uint8_t { kA, kB };

/// Part of a matrix, by rows.
struct GemmBlock {
  int32_t first_row = 0;
  int32_t first_column = 0;
  int32_t rows = 0;
  int32_t columns = 0;
  std::vector<float> values;
};

/// How far a product is from the one in double precision.
struct GemmError {
  /// The largest error of an element over the sum of the magnitudes of its products.
  double relative = 0;
  int64_t elements = 0;  ///< That were compared.
};

/// An element of a factor: uniform over [-1, 1) in steps of 2^-23, a function of the place alone.
float gemm_element(GemmFactor factor, int32_t row, int32_t column);

/// Part of a factor; its values are made.
GemmBlock gemm_block(GemmFactor factor, int32_t first_row, int32_t first_column, int32_t rows, int32_t columns);

/// c += a b in single precision, one product after the other in the order of the inner index. `a` has as many columns
/// as `b` has rows.
void gemm_multiply(const GemmBlock& a, const GemmBlock& b, GemmBlock& c);

/// Compares a block of the product of two matrices of `size` x `size` with double precision: all columns of up to 32
/// rows, evenly spread.
GemmError gemm_compare(const GemmBlock& c, int32_t size);

/// What `size` roundings of single precision may make of that: Higham, "Accuracy and Stability of Numerical
/// Algorithms", section 3.1, n u / (1 - n u).
double gemm_error_bound(int32_t size);

}  // namespace fabrictwin
