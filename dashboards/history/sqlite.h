// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// SQLite with errors as values.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace fabrictwin::dashboards::history {

struct CloseDatabase {
  void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
};
struct FinishStatement {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using SqliteHandle = std::unique_ptr<sqlite3, CloseDatabase>;

/// What the last call said, in words that tell what to do; `file` is the database. InvalidArgument if the file is no
/// database or its name is too long, PermissionDenied if it may not be written, Unavailable if it cannot be read or
/// written now.
absl::Status sqlite_error(sqlite3* database, std::string_view file);

/// A prepared statement. Values are only ever bound, never pasted into its text. The first error of any call is kept
/// and told by status(). Not thread-safe.
class Statement {
 public:
  /// `database` and what `file` points to outlive the statement.
  Statement(sqlite3* database, std::string_view file, const char* text);

  Statement& bind(int64_t value);
  Statement& bind(double value);
  Statement& bind(std::string_view value);
  /// True if there is a row to be read; false at the end and after an error.
  bool step();
  /// Runs the statement, which gives no rows, and makes it ready for other values.
  absl::Status run();
  /// Makes it ready for other values.
  void reset();

  int64_t integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
  double real(int column) const { return sqlite3_column_double(statement_.get(), column); }
  std::string text(int column) const;
  const absl::Status& status() const { return status_; }

 private:
  void keep(int code);

  sqlite3* database_;
  std::string_view file_;
  std::unique_ptr<sqlite3_stmt, FinishStatement> statement_;
  int bound_ = 0;
  absl::Status status_;
};

/// A transaction that writes. It is taken back unless commit() has succeeded.
class Transaction {
 public:
  static absl::StatusOr<Transaction> begin(sqlite3* database, std::string_view file);
  ~Transaction();
  Transaction(Transaction&& other) noexcept;
  Transaction& operator=(Transaction&&) = delete;
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  absl::Status commit();

 private:
  Transaction(sqlite3* database, std::string_view file) : database_(database), file_(file) {}

  sqlite3* database_;
  std::string_view file_;
};

}  // namespace fabrictwin::dashboards::history
