// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// One call of MPI in the text that dumpi2ascii of SST prints:
//
//   MPI_Send entering at walltime 12.000000500, cputime 0.000000100 seconds in thread 0.
//   int count=8
//   MPI_Datatype datatype=14 (MPI_DOUBLE)
//   ...
//   MPI_Send returning at walltime 12.000000900, cputime 0.000000400 seconds in thread 0.
#pragma once

#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace fabrictwin::trace::dumpi {

/// An argument of a call.
struct Field {
  std::string name;   ///< Name, such as "datatype".
  std::string value;  ///< Value, such as "14", "[3, 4]" or "<IGNORED>".
  std::string label;  ///< The text in parentheses after the value, such as "MPI_DOUBLE".
  int32_t line = 0;
  std::string text;  ///< The whole line.
};

/// A call with its arguments. Errors name file, line and column.
struct Call {
  std::string file;
  std::string name;  ///< Name, such as "MPI_Send".
  int32_t line = 0;  ///< Number of its first line.
  std::string text;  ///< Text of its first line.
  int64_t entered_ns = 0;
  int64_t returned_ns = 0;
  std::vector<Field> fields;

  /// Whether it neither communicates nor waits, and creates nothing that other calls need.
  bool local() const;
  /// The argument of that name; an error if there is none.
  absl::StatusOr<const Field*> field(std::string_view name) const;
  absl::StatusOr<int64_t> integer(std::string_view name) const;
  absl::StatusOr<std::vector<int64_t>> list(std::string_view name) const;
  /// Whether the argument is not recorded.
  bool ignored(std::string_view name) const;
  absl::Status error(std::string_view reason) const;
  absl::Status error_at(const Field& field, std::string_view reason) const;
};

/// Reads calls one after the other. Not thread-safe.
class Reader {
 public:
  Reader(std::string file, std::ifstream stream) : file_(std::move(file)), stream_(std::move(stream)) {}

  /// The next call; nothing at the end. InvalidArgument with the location if the text is invalid.
  absl::StatusOr<std::optional<Call>> next();
  int32_t line() const { return number_; }

 private:
  struct Stamp {
    std::string_view name;
    bool entering = false;
    int64_t ns = 0;
  };

  bool read_line();
  absl::Status error(std::string_view text) const;
  absl::StatusOr<std::optional<Stamp>> stamp() const;
  absl::StatusOr<Field> argument() const;

  std::string file_;
  std::ifstream stream_;
  std::string text_;
  int32_t number_ = 0;
};

}  // namespace fabrictwin::trace::dumpi
