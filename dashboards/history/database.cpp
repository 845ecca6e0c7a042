// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/history/database.h"

#include <fmt/format.h>
#include <google/protobuf/util/json_util.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <utility>

#include "cosim/base/text.h"
#include "cosim/report/message_json.h"
#include "dashboards/history/experiment_key.h"

namespace fabrictwin::dashboards::history {
namespace {

constexpr int64_t kApplicationId = 0x46547768;  // "FTwh": what `file` tells of such a database.
constexpr int64_t kSchema = 1;
constexpr int kPatienceMilliseconds = 10'000;

// Samples are stored in the order in which trends read them.
constexpr const char* kTables[] = {
    "CREATE TABLE experiments(hash TEXT PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID",
    "CREATE TABLE series(id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, experiment TEXT NOT NULL, "
    "UNIQUE(name, kind, experiment))",
    "CREATE TABLE results(id INTEGER PRIMARY KEY AUTOINCREMENT, series INTEGER NOT NULL REFERENCES series(id), "
    "date TEXT NOT NULL, commit_name TEXT NOT NULL, machine TEXT NOT NULL, provenance TEXT NOT NULL)",
    "CREATE INDEX results_of_series ON results(series, date)",
    "CREATE INDEX results_by_date ON results(date)",
    "CREATE TABLE metrics(id INTEGER PRIMARY KEY, name TEXT NOT NULL, unit TEXT NOT NULL, better INTEGER NOT NULL, "
    "UNIQUE(name, unit, better))",
    "CREATE TABLE series_metrics(series INTEGER NOT NULL, metric INTEGER NOT NULL, PRIMARY KEY(series, metric)) "
    "WITHOUT ROWID",
    "CREATE TABLE samples(series INTEGER NOT NULL, metric INTEGER NOT NULL, result INTEGER NOT NULL, "
    "value REAL NOT NULL, PRIMARY KEY(series, metric, result)) WITHOUT ROWID",
    "CREATE TABLE texts(result INTEGER NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL, PRIMARY KEY(result, name)) "
    "WITHOUT ROWID",
    "CREATE TABLE acknowledged(id INTEGER PRIMARY KEY, name TEXT NOT NULL, metric TEXT NOT NULL, "
    "commit_name TEXT NOT NULL, reason TEXT NOT NULL, date TEXT NOT NULL)",
};

constexpr const char* kSummaries =
    "SELECT r.id AS id, r.series AS series, s.name, s.kind, r.date AS date, r.commit_name, r.machine FROM results r "
    "JOIN series s ON s.id = r.series ";

absl::StatusOr<std::vector<Summary>> read_summaries(Statement statement) {
  std::vector<Summary> summaries;
  while (statement.step()) {
    summaries.push_back({statement.integer(0), statement.integer(1), statement.text(2), statement.text(3),
                         statement.text(4), statement.text(5), statement.text(6)});
  }
  if (!statement.status().ok()) return statement.status();
  return summaries;
}

/// The single integer that a statement gives.
absl::StatusOr<int64_t> read_integer(Statement statement) {
  const bool row = statement.step();
  if (!statement.status().ok()) return statement.status();
  return row ? statement.integer(0) : 0;
}

absl::Status cannot_open(const std::string& file, std::string_view why, int reason) {
  const bool forbidden = reason == EACCES || reason == EPERM;
  const std::string message = fmt::format("{} cannot be opened: {}; {}name another file with --db", file, why,
                                          forbidden ? "allow it, or " : "");
  return forbidden ? absl::PermissionDeniedError(message) : absl::UnavailableError(message);
}

}  // namespace

absl::StatusOr<Database> Database::open(const std::string& file, bool create) {
  std::error_code error;
  const bool missing = !create && !std::filesystem::exists(file, error);
  if (error) return cannot_open(file, error.message(), error.value());
  if (missing) {
    return absl::NotFoundError(fmt::format(
        "there is no history in {}; record a result (fabrictwin run --record), or name another file with --db", file));
  }
  absl::StatusOr<Database> database = open_file(file, create ? SQLITE_OPEN_CREATE : 0);
  if (!database.ok()) return database;
  // Pages are read once, also where a command looks at all results.
  if (absl::Status status = database->statement("PRAGMA cache_size = -65536").run(); !status.ok()) return status;
  if (absl::Status status = database->set_up(create); !status.ok()) return status;
  return database;
}

absl::StatusOr<Database> Database::open_file(const std::string& file, int flags) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    return absl::InvalidArgumentError(fmt::format("{} is a folder; name a file with --db", file));
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(file.c_str(), &handle, flags | SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(SqliteHandle(handle), std::make_unique<std::string>(file));
  if (code != SQLITE_OK) {
    const int reason = handle == nullptr ? ENOMEM : sqlite3_system_errno(handle);
    return cannot_open(file, reason == 0 ? sqlite3_errmsg(handle) : std::strerror(reason), reason);
  }
  sqlite3_busy_timeout(handle, kPatienceMilliseconds);
  return database;
}

absl::Status Database::check_writable(const std::string& file) {
  const absl::StatusOr<Database> database = open_file(file, 0);
  if (!database.ok()) return database.status();
  // Where another process writes just now, this one can, later.
  sqlite3* const handle = database->handle_.get();
  sqlite3_busy_timeout(handle, 0);
  const auto unless_busy = [handle](absl::Status status) {
    return sqlite3_errcode(handle) == SQLITE_BUSY ? absl::OkStatus() : status;
  };
  bool empty = false;
  if (absl::Status status = database->read_schema(empty); !status.ok()) return unless_busy(std::move(status));
  const absl::StatusOr<Transaction> transaction = Transaction::begin(handle, file);
  if (!transaction.ok()) return unless_busy(transaction.status());
  // SQLite makes its journal before it changes anything in memory, and the transaction is taken back.
  const int64_t schema = empty ? 0 : kSchema;
  return database->statement(fmt::format("PRAGMA user_version = {}", schema).c_str()).run();
}

absl::Status Database::check_schema(bool& empty) const {
  const absl::StatusOr<int64_t> application = read_integer(statement("PRAGMA application_id"));
  if (!application.ok()) return application.status();
  const absl::StatusOr<int64_t> schema = read_integer(statement("PRAGMA user_version"));
  if (!schema.ok()) return schema.status();
  const absl::StatusOr<int64_t> tables = read_integer(statement("SELECT count(*) FROM sqlite_master"));
  if (!tables.ok()) return tables.status();
  empty = *application == 0 && *schema == 0 && *tables == 0;
  if (empty) return absl::OkStatus();
  if (*application != kApplicationId) {
    return absl::InvalidArgumentError(
        fmt::format("{} is a database of something else; name one of results with --db", *file_));
  }
  if (*schema > kSchema) {
    return absl::InvalidArgumentError(
        fmt::format("{} was made by a newer version of fabrictwin (its schema is {}, and this version knows up to {}); "
                    "use that version",
                    *file_, *schema, kSchema));
  }
  return absl::OkStatus();
}

absl::Status Database::read_schema(bool& empty) const {
  if (absl::Status status = statement("BEGIN").run(); !status.ok()) return status;
  // After an error, the transaction ends with the handle, which keeps what went wrong until then.
  if (absl::Status status = check_schema(empty); !status.ok()) return status;
  return statement("ROLLBACK").run();
}

absl::Status Database::set_up(bool create) {
  bool empty = false;
  if (absl::Status status = read_schema(empty); !status.ok() || !empty) return status;
  if (!create) {
    return absl::NotFoundError(
        fmt::format("{} is empty, so there is no result in it; record one (fabrictwin run --record), or name another "
                    "file with --db",
                    *file_));
  }
  absl::StatusOr<Transaction> transaction = Transaction::begin(handle_.get(), *file_);
  if (!transaction.ok()) return transaction.status();
  // Another process may have made it meanwhile.
  if (absl::Status status = check_schema(empty); !status.ok() || !empty) return status;
  for (const char* table : kTables) {
    if (absl::Status status = statement(table).run(); !status.ok()) return status;
  }
  for (const std::string& pragma :
       {fmt::format("PRAGMA application_id = {}", kApplicationId), fmt::format("PRAGMA user_version = {}", kSchema)}) {
    if (absl::Status status = statement(pragma.c_str()).run(); !status.ok()) return status;
  }
  return transaction->commit();
}

absl::StatusOr<int64_t> Database::series_for(const Result& result) {
  const std::string& experiment = result.provenance.experiment();
  const std::string hash = experiment_key(result.provenance);
  if (!hash.empty()) {
    Statement text = statement("INSERT OR IGNORE INTO experiments VALUES(?, ?)");
    if (absl::Status status = text.bind(hash).bind(experiment).run(); !status.ok()) return status;
  }
  Statement insert = statement("INSERT OR IGNORE INTO series(name, kind, experiment) VALUES(?, ?, ?)");
  if (absl::Status status = insert.bind(result.name).bind(result.kind).bind(hash).run(); !status.ok()) return status;
  Statement find = statement("SELECT id FROM series WHERE name = ? AND kind = ? AND experiment = ?");
  find.bind(result.name).bind(result.kind).bind(hash);
  return read_integer(std::move(find));
}

absl::StatusOr<int64_t> Database::metric_for(const Metric& metric) {
  const auto better = static_cast<int64_t>(metric.better);
  Statement insert = statement("INSERT OR IGNORE INTO metrics(name, unit, better) VALUES(?, ?, ?)");
  if (absl::Status status = insert.bind(metric.name).bind(metric.unit).bind(better).run(); !status.ok()) return status;
  Statement find = statement("SELECT id FROM metrics WHERE name = ? AND unit = ? AND better = ?");
  find.bind(metric.name).bind(metric.unit).bind(better);
  return read_integer(std::move(find));
}

absl::StatusOr<int64_t> Database::add_one(const Result& result) {
  const absl::StatusOr<int64_t> series = series_for(result);
  if (!series.ok()) return series;
  v1::Provenance provenance = result.provenance;
  provenance.clear_experiment();
  Statement insert =
      statement("INSERT INTO results(series, date, commit_name, machine, provenance) VALUES(?, ?, ?, ?, ?)");
  insert.bind(*series).bind(provenance.date()).bind(commit_name(provenance)).bind(machine_name(provenance));
  if (absl::Status status = insert.bind(report::message_json(provenance)).run(); !status.ok()) return status;
  const int64_t id = sqlite3_last_insert_rowid(handle_.get());
  Statement known = statement("INSERT OR IGNORE INTO series_metrics VALUES(?, ?)");
  Statement sample = statement("INSERT OR REPLACE INTO samples VALUES(?, ?, ?, ?)");
  for (const Metric& metric : result.metrics) {
    const absl::StatusOr<int64_t> number = metric_for(metric);
    if (!number.ok()) return number;
    if (absl::Status status = known.bind(*series).bind(*number).run(); !status.ok()) return status;
    if (absl::Status status = sample.bind(*series).bind(*number).bind(id).bind(metric.value).run(); !status.ok())
      return status;
  }
  Statement text = statement("INSERT OR REPLACE INTO texts VALUES(?, ?, ?)");
  for (const Text& each : result.texts) {
    if (absl::Status status = text.bind(id).bind(each.name).bind(each.value).run(); !status.ok()) return status;
  }
  return id;
}

absl::StatusOr<std::vector<int64_t>> Database::add(std::span<const Result> results) {
  absl::StatusOr<Transaction> transaction = Transaction::begin(handle_.get(), *file_);
  if (!transaction.ok()) return transaction.status();
  std::vector<int64_t> ids;
  for (const Result& result : results) {
    const absl::StatusOr<int64_t> id = add_one(result);
    if (!id.ok()) return id.status();
    ids.push_back(*id);
  }
  if (absl::Status status = transaction->commit(); !status.ok()) return status;
  return ids;
}

Statement Database::find_listed(const char* columns, const ListFilter& filter) const {
  const std::string text = fmt::format(
      // A commit with changes ("abc+") is another one than the commit itself.
      "SELECT {} FROM ({} WHERE (?1 = '' OR s.name GLOB ?1) AND (?2 = '' OR r.commit_name = ?2 OR "
      "substr(r.commit_name, 1, length(?2)) = ?2 AND NOT EXISTS(SELECT 1 FROM results WHERE commit_name = ?2)) "
      "ORDER BY r.date DESC, r.id DESC LIMIT ?3) ORDER BY date, id",
      columns, kSummaries);
  Statement find = statement(text.c_str());
  find.bind(filter.name).bind(short_commit(filter.commit)).bind(filter.limit);
  return find;
}

absl::StatusOr<std::vector<Summary>> Database::list(const ListFilter& filter) const {
  return read_summaries(find_listed("*", filter));
}

absl::StatusOr<std::vector<ResultKey>> Database::keys(const ListFilter& filter) const {
  Statement find = find_listed("id, series", filter);
  std::vector<ResultKey> keys;
  while (find.step()) keys.push_back({find.integer(0), find.integer(1)});
  if (!find.status().ok()) return find.status();
  return keys;
}

absl::Status Database::missing(int64_t id) const {
  return absl::NotFoundError(fmt::format("there is no result {} in {} (see fabrictwin history list)", id, *file_));
}

absl::StatusOr<v1::Provenance> Database::parse_provenance(int64_t id, const std::string& text) const {
  google::protobuf::util::JsonParseOptions newer;
  newer.ignore_unknown_fields = true;
  v1::Provenance provenance;
  if (!google::protobuf::util::JsonStringToMessage(text, &provenance, newer).ok())
    return absl::InvalidArgumentError(fmt::format("{}: the provenance of result {} is damaged", *file_, id));
  return provenance;
}

absl::StatusOr<v1::Provenance> Database::provenance_of(int64_t id) const {
  Statement find = statement("SELECT provenance FROM results WHERE id = ?");
  if (find.bind(id).step()) return parse_provenance(id, find.text(0));
  return find.status().ok() ? missing(id) : find.status();
}

absl::StatusOr<Result> Database::get(int64_t id) const {
  Statement find = statement(
      "SELECT s.id, s.name, s.kind, r.provenance, coalesce(e.text, '') FROM results r JOIN series s ON s.id = r.series "
      "LEFT JOIN experiments e ON e.hash = s.experiment WHERE r.id = ?");
  if (!find.bind(id).step()) return find.status().ok() ? missing(id) : find.status();
  Result result;
  result.id = id;
  const int64_t series = find.integer(0);
  result.name = find.text(1);
  result.kind = find.text(2);
  absl::StatusOr<v1::Provenance> provenance = parse_provenance(id, find.text(3));
  if (!provenance.ok()) return provenance.status();
  result.provenance = *std::move(provenance);
  result.provenance.set_experiment(find.text(4));
  Statement metrics = statement(
      "SELECT m.name, m.unit, m.better, v.value FROM series_metrics k JOIN metrics m ON m.id = k.metric JOIN samples v "
      "ON v.series = k.series AND v.metric = k.metric AND v.result = ? WHERE k.series = ? ORDER BY m.name");
  metrics.bind(id).bind(series);
  while (metrics.step()) {
    result.metrics.push_back(
        {metrics.text(0), metrics.text(1), static_cast<Better>(metrics.integer(2)), metrics.real(3)});
  }
  if (!metrics.status().ok()) return metrics.status();
  absl::StatusOr<std::vector<Text>> texts = texts_of(id);
  if (!texts.ok()) return texts.status();
  result.texts = *std::move(texts);
  return result;
}

absl::StatusOr<std::vector<Series>> Database::all_series() const {
  Statement find = statement("SELECT id, name, kind, experiment FROM series ORDER BY name, kind, id");
  std::vector<Series> series;
  while (find.step()) series.push_back({find.integer(0), find.text(1), find.text(2), find.text(3)});
  if (!find.status().ok()) return find.status();
  return series;
}

absl::StatusOr<std::vector<SeriesMetric>> Database::metrics_of(int64_t series) const {
  Statement find = statement(
      "SELECT m.id, m.name, m.unit, m.better FROM series_metrics k JOIN metrics m ON m.id = k.metric "
      "WHERE k.series = ? ORDER BY m.name");
  find.bind(series);
  std::vector<SeriesMetric> metrics;
  while (find.step())
    metrics.push_back({find.integer(0), find.text(1), find.text(2), static_cast<Better>(find.integer(3))});
  if (!find.status().ok()) return find.status();
  return metrics;
}

absl::StatusOr<std::vector<std::string>> Database::names_in(int64_t series) const {
  Statement find = statement(
      "SELECT m.name FROM series_metrics k JOIN metrics m ON m.id = k.metric WHERE k.series = ?1 UNION "
      "SELECT t.name FROM texts t JOIN results r ON r.id = t.result WHERE r.series = ?1 ORDER BY 1");
  find.bind(series);
  std::vector<std::string> names;
  while (find.step()) names.push_back(find.text(0));
  if (!find.status().ok()) return find.status();
  return names;
}

absl::StatusOr<std::vector<Summary>> Database::results_of(int64_t series, int64_t limit) const {
  const std::string text = fmt::format(
      "SELECT * FROM ({} WHERE r.series = ? ORDER BY r.date DESC, r.id DESC LIMIT ?) ORDER BY 5, 1", kSummaries);
  Statement find = statement(text.c_str());
  find.bind(series).bind(limit);
  return read_summaries(std::move(find));
}

absl::StatusOr<std::vector<Sample>> Database::samples(int64_t series, int64_t metric, int64_t first) const {
  Statement find = statement("SELECT result, value FROM samples WHERE series = ? AND metric = ? AND result >= ?");
  find.bind(series).bind(metric).bind(first);
  std::vector<Sample> samples;
  while (find.step()) samples.push_back({find.integer(0), find.real(1)});
  if (!find.status().ok()) return find.status();
  return samples;
}

absl::StatusOr<std::vector<Text>> Database::texts_of(int64_t result) const {
  Statement find = statement("SELECT name, value FROM texts WHERE result = ? ORDER BY name");
  find.bind(result);
  std::vector<Text> texts;
  while (find.step()) texts.push_back({find.text(0), find.text(1)});
  if (!find.status().ok()) return find.status();
  return texts;
}

absl::Status Database::acknowledge(const Acknowledgement& each) {
  Statement insert = statement("INSERT INTO acknowledged(name, metric, commit_name, reason, date) VALUES(?,?,?,?,?)");
  return insert.bind(each.name).bind(each.metric).bind(each.commit).bind(each.reason).bind(each.date).run();
}

absl::StatusOr<std::vector<Acknowledgement>> Database::acknowledgements() const {
  Statement find = statement("SELECT name, metric, commit_name, reason, date FROM acknowledged ORDER BY id");
  std::vector<Acknowledgement> all;
  while (find.step()) all.push_back({find.text(0), find.text(1), find.text(2), find.text(3), find.text(4)});
  if (!find.status().ok()) return find.status();
  return all;
}

absl::Status Database::limit_pages(int64_t pages) {
  return statement(fmt::format("PRAGMA max_page_count = {}", pages).c_str()).run();
}

absl::Status Database::remove(std::span<const int64_t> results) {
  absl::StatusOr<Transaction> transaction = Transaction::begin(handle_.get(), *file_);
  if (!transaction.ok()) return transaction.status();
  Statement samples = statement(
      "DELETE FROM samples WHERE (series, metric, result) IN (SELECT k.series, k.metric, r.id FROM results r "
      "JOIN series_metrics k ON k.series = r.series WHERE r.id = ?)");
  Statement texts = statement("DELETE FROM texts WHERE result = ?");
  Statement result = statement("DELETE FROM results WHERE id = ?");
  for (const int64_t id : results) {
    for (Statement* each : {&samples, &texts, &result}) {
      if (absl::Status status = each->bind(id).run(); !status.ok()) return status;
    }
  }
  for (const char* orphans : {"DELETE FROM series WHERE id NOT IN (SELECT series FROM results)",
                              "DELETE FROM series_metrics WHERE series NOT IN (SELECT id FROM series)",
                              "DELETE FROM experiments WHERE hash NOT IN (SELECT experiment FROM series)",
                              "DELETE FROM metrics WHERE id NOT IN (SELECT metric FROM series_metrics)"}) {
    if (absl::Status status = statement(orphans).run(); !status.ok()) return status;
  }
  if (absl::Status status = transaction->commit(); !status.ok()) return status;
  return statement("VACUUM").run();
}

}  // namespace fabrictwin::dashboards::history
