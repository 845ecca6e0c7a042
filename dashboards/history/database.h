// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The results of a team: an SQLite file.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "dashboards/history/result.h"
#include "dashboards/history/sqlite.h"

namespace fabrictwin::dashboards::history {

/// Results that can be compared with each other.
struct Series {
  int64_t id = 0;
  std::string name;
  std::string kind;
  std::string experiment;  ///< The hash of the experiment; empty if there is none.
};

/// What lists show of a result.
struct Summary {
  int64_t id = 0;
  int64_t series = 0;
  std::string name;
  std::string kind;
  std::string date;
  std::string commit;   ///< As commit_name() gives it.
  std::string machine;  ///< As machine_name() gives it.
};

/// What leads to all of a result.
struct ResultKey {
  int64_t id = 0;
  int64_t series = 0;
};

/// A metric of a series.
struct SeriesMetric {
  int64_t id = 0;
  std::string name;
  std::string unit;
  Better better = Better::kExact;
};

struct Sample {
  int64_t result = 0;
  double value = 0;
};

/// Values of a metric from its commit on are as expected, though they have changed.
struct Acknowledgement {
  std::string name;    ///< The results that are meant, as a pattern of the shell.
  std::string metric;  ///< A pattern of the shell.
  std::string commit;  ///< The first digits of it, or "-".
  std::string reason;
  std::string date;
};

struct ListFilter {
  std::string name;    ///< A pattern of the shell; empty for all.
  std::string commit;  ///< A commit, or the first digits of one if none is called just so; empty for all commits.
  int64_t limit = -1;  ///< The newest so many; all if negative.
};

/// Many processes may use one file at a time: writers wait for each other for up to 10 seconds. What add() has told to
/// be recorded is on disk, and a crash at any other moment leaves the file as it was before. Not thread-safe.
class Database {
 public:
  /// Opens a file, which is made if `create` says so and it is missing. InvalidArgument if it is another kind of file,
  /// is damaged or was made by a newer version; NotFound if it is missing; PermissionDenied if it may not be read. What
  /// changes it is PermissionDenied if it may not be written.
  static absl::StatusOr<Database> open(const std::string& file, bool create);
  /// OK if results can be added to a file, which is there, as far as can be seen before there are any. It stays as it
  /// is, also if it is empty. Errors are those of open() and add().
  static absl::Status check_writable(const std::string& file);

  /// Records all results or none. Returns their numbers.
  absl::StatusOr<std::vector<int64_t>> add(std::span<const Result> results);
  /// Summaries, the newest last.
  absl::StatusOr<std::vector<Summary>> list(const ListFilter& filter) const;
  /// The keys of what list() gives, in the same order. They take a few bytes each, however much is known of a result.
  absl::StatusOr<std::vector<ResultKey>> keys(const ListFilter& filter) const;
  /// NotFound if there is no such result.
  absl::StatusOr<Result> get(int64_t id) const;
  /// Where a result comes from, but for the text of its experiment. NotFound if there is no such result.
  absl::StatusOr<v1::Provenance> provenance_of(int64_t id) const;

  absl::StatusOr<std::vector<Series>> all_series() const;
  /// The metrics that results of a series have, by name.
  absl::StatusOr<std::vector<SeriesMetric>> metrics_of(int64_t series) const;
  /// The names of the metrics and digests that results of a series have.
  absl::StatusOr<std::vector<std::string>> names_in(int64_t series) const;
  /// The results of a series, the oldest first; the newest `limit` of them if it is not negative.
  absl::StatusOr<std::vector<Summary>> results_of(int64_t series, int64_t limit = -1) const;
  /// The values of a metric of a series, of results with numbers from `first` on, in the order of the numbers.
  absl::StatusOr<std::vector<Sample>> samples(int64_t series, int64_t metric, int64_t first = 0) const;
  /// Digests of a result, by name.
  absl::StatusOr<std::vector<Text>> texts_of(int64_t result) const;

  absl::Status acknowledge(const Acknowledgement& acknowledgement);
  absl::StatusOr<std::vector<Acknowledgement>> acknowledgements() const;

  /// Removes results, and gives their space back.
  absl::Status remove(std::span<const int64_t> results);

  /// Lets the file grow to so many pages of 4 KiB only, for as long as it is open; beyond that, the disk counts as
  /// full.
  absl::Status limit_pages(int64_t pages);

  const std::string& file() const { return *file_; }

 private:
  Database(SqliteHandle handle, std::unique_ptr<std::string> file)
      : file_(std::move(file)), handle_(std::move(handle)) {}

  /// Opens a file with flags of sqlite3_open_v2(), whatever is in it.
  static absl::StatusOr<Database> open_file(const std::string& file, int flags);
  absl::Status set_up(bool create);
  /// check_schema() in a transaction, so that all of it is read before or after another process makes the tables.
  absl::Status read_schema(bool& empty) const;
  absl::Status check_schema(bool& empty) const;
  /// Finds `columns` of the results that the filter means, the newest last.
  Statement find_listed(const char* columns, const ListFilter& filter) const;
  /// Reads the provenance of a result from the text that the database has of it.
  absl::StatusOr<v1::Provenance> parse_provenance(int64_t id, const std::string& text) const;
  absl::Status missing(int64_t id) const;
  absl::StatusOr<int64_t> series_for(const Result& result);
  absl::StatusOr<int64_t> metric_for(const Metric& metric);
  absl::StatusOr<int64_t> add_one(const Result& result);
  Statement statement(const char* text) const { return {handle_.get(), *file_, text}; }

  /// At an address that stays, since statements point to it.
  std::unique_ptr<std::string> file_;
  SqliteHandle handle_;
};

}  // namespace fabrictwin::dashboards::history
