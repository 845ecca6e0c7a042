// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/history/sqlite.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace fabrictwin::dashboards::history {
namespace {

/// An error for a journal or another file beside a database that cannot be made; `reason` is an errno, 0 if the system
/// did not say any.
absl::Status beside_error(std::string_view file, int reason) {
  const bool forbidden = reason == EACCES || reason == EPERM || reason == EROFS;
  const std::string message = fmt::format(
      "{}: no file can be made beside it{}, so nothing is recorded; {}name another file with --db", file,
      reason == 0 ? "" : fmt::format(" ({})", std::strerror(reason)), forbidden ? "make its folder writable, or " : "");
  if (forbidden) return absl::PermissionDeniedError(message);
  return reason == ENAMETOOLONG ? absl::InvalidArgumentError(message) : absl::UnavailableError(message);
}

}  // namespace

absl::Status sqlite_error(sqlite3* database, std::string_view file) {
  switch (sqlite3_errcode(database)) {
    case SQLITE_NOTADB:
      return absl::InvalidArgumentError(
          fmt::format("{} is no database of results; name one with --db, or a new file to begin one", file));
    case SQLITE_CORRUPT:
      return absl::InvalidArgumentError(
          fmt::format("{} is damaged ({}); restore a copy of it, or begin another database with --db", file,
                      sqlite3_errmsg(database)));
    case SQLITE_FULL:
      return absl::UnavailableError(fmt::format("{}: the disk is full; nothing was recorded", file));
    case SQLITE_BUSY:
      return absl::UnavailableError(fmt::format("{}: another process has been writing for long; try again", file));
    case SQLITE_READONLY:
      if (sqlite3_extended_errcode(database) == SQLITE_READONLY_DIRECTORY) return beside_error(file, EACCES);
      return absl::PermissionDeniedError(
          fmt::format("{} may not be written, so nothing is recorded; allow it, or name another file with --db", file));
    case SQLITE_CANTOPEN:
      return beside_error(file, sqlite3_system_errno(database));
    default:
      return absl::UnavailableError(fmt::format("{}: {}", file, sqlite3_errmsg(database)));
  }
}

Statement::Statement(sqlite3* database, std::string_view file, const char* text) : database_(database), file_(file) {
  sqlite3_stmt* made = nullptr;
  keep(sqlite3_prepare_v2(database, text, -1, &made, nullptr));
  statement_.reset(made);
}

void Statement::keep(int code) {
  if (code != SQLITE_OK && status_.ok()) status_ = sqlite_error(database_, file_);
}

Statement& Statement::bind(int64_t value) {
  if (status_.ok()) keep(sqlite3_bind_int64(statement_.get(), ++bound_, value));
  return *this;
}

Statement& Statement::bind(double value) {
  if (status_.ok()) keep(sqlite3_bind_double(statement_.get(), ++bound_, value));
  return *this;
}

Statement& Statement::bind(std::string_view value) {
  const auto size = static_cast<int>(value.size());
  // SQLite copies the text: SQLITE_TRANSIENT.
  if (status_.ok()) keep(sqlite3_bind_text(statement_.get(), ++bound_, value.data(), size, SQLITE_TRANSIENT));
  return *this;
}

bool Statement::step() {
  if (!status_.ok()) return false;
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code != SQLITE_DONE) status_ = sqlite_error(database_, file_);
  return false;
}

absl::Status Statement::run() {
  step();
  reset();
  return status_;
}

void Statement::reset() {
  if (statement_ == nullptr) return;
  sqlite3_reset(statement_.get());
  bound_ = 0;
}

std::string Statement::text(int column) const {
  const unsigned char* const text = sqlite3_column_text(statement_.get(), column);
  if (text == nullptr) return {};
  return {reinterpret_cast<const char*>(text), static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

absl::StatusOr<Transaction> Transaction::begin(sqlite3* database, std::string_view file) {
  // Immediate: a transaction that read first could not be upgraded beside another writer.
  if (absl::Status status = Statement(database, file, "BEGIN IMMEDIATE").run(); !status.ok()) return status;
  return Transaction(database, file);
}

Transaction::Transaction(Transaction&& other) noexcept
    : database_(std::exchange(other.database_, nullptr)), file_(other.file_) {}

Transaction::~Transaction() {
  if (database_ != nullptr) sqlite3_exec(database_, "ROLLBACK", nullptr, nullptr, nullptr);
}

absl::Status Transaction::commit() {
  if (absl::Status status = Statement(database_, file_, "COMMIT").run(); !status.ok()) return status;
  database_ = nullptr;
  return absl::OkStatus();
}

}  // namespace fabrictwin::dashboards::history
