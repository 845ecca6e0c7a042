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

namespace fabrictwin {

/// An argument of a call.
struct DumpiField {
  std::string name;   ///< "datatype".
  std::string value;  ///< "14", "[3, 4]", "<IGNORED>".
  std::string label;  ///< What is in parentheses behind it: "MPI_DOUBLE".
  int32_t line = 0;
  std::string text;  ///< The whole line.
};

/// A call with its arguments. Errors name file, line and column.
struct DumpiCall {
  std::string file;
  std::string name;  ///< "MPI_Send".
  int32_t line = 0;  ///< Of its first line.
  std::string text;  ///< Of that line.
  int64_t entered_ns = 0;
  int64_t returned_ns = 0;
  std::vector<DumpiField> fields;

  /// Whether it neither communicates nor waits, nor makes something that other calls need.
  bool local() const;
  /// The argument of that name; an error if there is none.
  absl::StatusOr<const DumpiField*> field(std::string_view name) const;
  absl::StatusOr<int64_t> integer(std::string_view name) const;
  absl::StatusOr<std::vector<int64_t>> list(std::string_view name) const;
  /// Whether the argument is not recorded.
  bool ignored(std::string_view name) const;
  absl::Status error(std::string_view reason) const;
  absl::Status error_at(const DumpiField& field, std::string_view reason) const;
};

/// Reads calls one after the other. Not thread-safe.
class DumpiReader {
 public:
  DumpiReader(std::string file, std::ifstream stream) : file_(std::move(file)), stream_(std::move(stream)) {}

  /// The next call; nothing at the end. InvalidArgument with the place if the text is not sound.
  absl::StatusOr<std::optional<DumpiCall>> next();
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
  absl::StatusOr<DumpiField> argument() const;

  std::string file_;
  std::ifstream stream_;
  std::string text_;
  int32_t number_ = 0;
};

}  // namespace fabrictwin
