// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/history/database.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/strings/escaping.h"
#include "cosim/base/text.h"
#include "tests/dashboards/history/made_results.h"
#include "tests/test_folder.h"

namespace fabrictwin::dashboards::history {
namespace {

using ::testing::HasSubstr;

/// Changes a database as another program could.
void execute(const std::string& file, const char* statement) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, statement, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
  sqlite3_close(database);
}

Database opened(const std::string& file) {
  absl::StatusOr<Database> database = Database::open(file, true);
  EXPECT_TRUE(database.ok()) << database.status();
  return *std::move(database);
}

int64_t added(Database& database, const Result& result) {
  const absl::StatusOr<std::vector<int64_t>> ids = database.add(std::span(&result, 1));
  EXPECT_TRUE(ids.ok()) << ids.status();
  return ids.ok() ? ids->front() : 0;
}

/// What SQLite says of the whole file.
std::string integrity(const std::string& file) {
  sqlite3* handle = nullptr;
  EXPECT_EQ(sqlite3_open(file.c_str(), &handle), SQLITE_OK);
  const SqliteHandle database(handle);
  Statement check(handle, file, "PRAGMA integrity_check");
  return check.step() ? check.text(0) : std::string(message_of(check.status()));
}

/// As the kernel does it to a process for want of memory.
[[noreturn]] void die() {
  std::raise(SIGKILL);
  std::abort();
}

/// Adds a result and dies when all of it is in the file, and so is the journal, which undoes it: the transaction ends
/// when that is removed.
void add_and_die_in_commit(const std::string& file) {
  static sqlite3_vfs dying = *sqlite3_vfs_find(nullptr);
  dying.zName = "dying";
  dying.pNext = nullptr;
  dying.xDelete = [](sqlite3_vfs*, const char*, int) -> int { die(); };
  sqlite3_vfs_register(&dying, 1);
  Database database = opened(file);
  added(database, made_result("bbbb", 2, {exact("x", 2)}));
}

/// Dies within a transaction, of which some pages are in the file, since they have no room in memory.
void die_in_transaction(const std::string& file) {
  sqlite3* database = nullptr;
  if (sqlite3_open(file.c_str(), &database) != SQLITE_OK) return;
  constexpr const char* kStatements =
      "PRAGMA cache_size = 2; BEGIN IMMEDIATE; "
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000) "
      "INSERT INTO results(series, date, commit_name, machine, provenance) "
      "SELECT series, date, 'bbbb', machine, provenance FROM results, n";
  if (sqlite3_exec(database, kStatements, nullptr, nullptr, nullptr) == SQLITE_OK) die();
}

/// A file that a process has left by dying has its one result, whole, and takes others.
void expect_as_it_was(const std::string& file) {
  Database database = opened(file);
  const std::vector<Summary> left = database.list({}).value();
  ASSERT_EQ(left.size(), 1u);
  EXPECT_EQ(left[0].commit, "aaaa");
  const absl::StatusOr<Result> read = database.get(left[0].id);
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->metrics.size(), 1u);
  EXPECT_EQ(read->metrics[0].value, 1);
  EXPECT_EQ(integrity(file), "ok");
  added(database, made_result("cccc", 3, {exact("x", 3)}));
  EXPECT_EQ(database.list({}).value().size(), 2u);
  EXPECT_EQ(integrity(file), "ok");
}

TEST(HistoryDatabase, GivesBackWhatItGot) {
  Database database = opened(fresh_file("gives_back.db"));
  Result result = made_result("0123456789abcdef", 5, {time("wall_seconds", 1.25), exact("packets", 7)},
                              {{"timing_digest", "feed"}});
  result.provenance.set_dirty(true);
  result.provenance.set_command("fabrictwin run 'a b.textproto'");
  result.provenance.add_inputs()->set_path("trace.ftr");
  const int64_t id = added(database, result);
  const absl::StatusOr<Result> read = database.get(id);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->name, "incast8");
  EXPECT_EQ(read->kind, "run");
  EXPECT_EQ(read->provenance.SerializeAsString(), result.provenance.SerializeAsString());
  ASSERT_EQ(read->metrics.size(), 2u);
  EXPECT_EQ(read->metrics[0].name, "packets");
  EXPECT_EQ(read->metrics[0].better, Better::kExact);
  EXPECT_EQ(read->metrics[1].value, 1.25);
  EXPECT_EQ(read->metrics[1].unit, "s");
  ASSERT_EQ(read->texts.size(), 1u);
  EXPECT_EQ(read->texts[0].value, "feed");
  const absl::StatusOr<std::vector<Summary>> list = database.list({});
  ASSERT_TRUE(list.ok());
  ASSERT_EQ(list->size(), 1u);
  EXPECT_EQ(list->front().commit, "0123456789ab+");
  EXPECT_EQ(list->front().machine, "node1 (A processor)");
}

TEST(HistoryDatabase, OddNamesAreNamesAndNothingElse) {
  Database database = opened(fresh_file("odd.db"));
  const std::string odd = "x'); DROP TABLE results; -- \"\n<script>\u00e9%s{}";
  Result result = made_result(odd, 1, {exact(odd, 1)}, {{odd, odd}});
  result.name = odd;
  const int64_t id = added(database, result);
  const absl::StatusOr<Result> read = database.get(id);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->name, odd);
  EXPECT_EQ(read->metrics.at(0).name, odd);
  EXPECT_EQ(read->texts.at(0).value, odd);
  EXPECT_EQ(database.list({}).value().size(), 1u);
}

TEST(HistoryDatabase, ListsByNameCommitAndNumber) {
  Database database = opened(fresh_file("lists.db"));
  for (int i = 0; i < 6; ++i) {
    // The one recorded last is the oldest.
    Result result = made_result(i < 3 ? "aaaa" : "bbbb", 60 - i, {exact("x", i)});
    if (i % 2 == 0) result.name = "hpcg";
    added(database, result);
  }
  ListFilter filter;
  filter.limit = 2;
  const std::vector<Summary> newest = database.list(filter).value();
  ASSERT_EQ(newest.size(), 2u);
  EXPECT_EQ(newest[0].id, 2);
  EXPECT_EQ(newest[1].id, 1);
  filter.limit = -1;
  filter.name = "hp*";
  EXPECT_EQ(database.list(filter).value().size(), 3u);
  filter.commit = "bb";
  EXPECT_EQ(database.list(filter).value().size(), 1u);
  filter.commit = "c";
  EXPECT_TRUE(database.list(filter).value().empty());
}

TEST(HistoryDatabase, ResultsOfOneExperimentAreASeries) {
  Database database = opened(fresh_file("series.db"));
  added(database, made_result("a", 1, {exact("x", 1), time("t", 2)}));
  added(database, made_result("b", 2, {exact("x", 3)}));
  Result other = made_result("b", 3, {exact("x", 4)});
  other.provenance.set_experiment("seed: 2\n");
  added(database, other);
  const std::vector<Series> series = database.all_series().value();
  ASSERT_EQ(series.size(), 2u);
  EXPECT_NE(series[0].experiment, series[1].experiment);
  EXPECT_EQ(database.results_of(series[0].id).value().size(), 2u);
  const std::vector<SeriesMetric> metrics = database.metrics_of(series[0].id).value();
  ASSERT_EQ(metrics.size(), 2u);
  EXPECT_EQ(metrics[1].name, "x");
  const std::vector<Sample> samples = database.samples(series[0].id, metrics[1].id).value();
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[1].value, 3);
  EXPECT_EQ(database.samples(series[0].id, metrics[1].id, 2).value().size(), 1u);
}

// Wherever the files are that an experiment names: results of two checkouts are compared with each other.
TEST(HistoryDatabase, ExperimentsOfTwoCheckoutsAreASeries) {
  Database database = opened(fresh_file("checkouts.db"));
  const auto run_in = [&](const std::string& folder, const std::string& trace) {
    Result result = made_result("a", 1, {exact("x", 1)});
    // As protobuf prints texts.
    result.provenance.set_experiment("name: \"a \\\"b\" workload { path: \"" + absl::CEscape(folder + trace) +
                                     "\" }\ntraces: \"" + absl::CEscape(folder + "data/more") + "\"\n");
    for (const char* file : {"data/more/1.ftr", "data/more/2.ftr"})
      result.provenance.add_inputs()->set_path(folder + file);
    result.provenance.add_inputs()->set_path(folder + trace);
    return added(database, result);
  };
  const int64_t here = run_in("/home/me/tree/", "data/hpcg.ftr");
  run_in("/builds/j\xc3\xbcrgen/tree/", "data/hpcg.ftr");
  run_in("/builds/17/tree/", "data/lammps.ftr");
  run_in("/builds/17/tree/", "small/hpcg.ftr");
  const std::vector<Summary> all = database.list({}).value();
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[1].series, all[0].series);
  EXPECT_NE(all[2].series, all[0].series) << "another trace";
  EXPECT_NE(all[3].series, all[0].series) << "a trace of another folder";
  const absl::StatusOr<Result> read = database.get(here);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->provenance.experiment(),
            "name: \"a \\\"b\" workload { path: \"/home/me/tree/data/hpcg.ftr\" }\n"
            "traces: \"/home/me/tree/data/more\"\n");
}

TEST(HistoryDatabase, RemovesResultsAndWhatOnlyTheyHad) {
  Database database = opened(fresh_file("removes.db"));
  const int64_t first = added(database, made_result("a", 1, {exact("x", 1)}, {{"d", "1"}}));
  Result other = made_result("b", 2, {exact("y", 1)});
  other.name = "other";
  const int64_t second = added(database, other);
  ASSERT_TRUE(database.remove(std::vector<int64_t>{first}).ok());
  EXPECT_TRUE(absl::IsNotFound(database.get(first).status()));
  EXPECT_EQ(database.get(second).value().metrics.size(), 1u);
  EXPECT_EQ(database.all_series().value().size(), 1u);
  EXPECT_TRUE(database.texts_of(first).value().empty());
  // A number is never given twice.
  EXPECT_GT(added(database, made_result("c", 3, {exact("x", 1)})), second);
}

TEST(HistoryDatabase, WritersWaitForEachOther) {
  const std::string file = fresh_file("writers.db");
  constexpr int kWriters = 4;
  constexpr int kResults = 20;
  std::vector<std::thread> writers;
  writers.reserve(kWriters);
  // Each also tries to make the database.
  for (int writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([&, writer] {
      Database database = opened(file);
      for (int i = 0; i < kResults; ++i) added(database, made_result("c" + std::to_string(writer), i, {exact("x", i)}));
    });
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(opened(file).list({}).value().size(), size_t{kWriters * kResults});
}

TEST(HistoryDatabase, AProcessThatDiesInACommitLeavesTheFileAsItWas) {
  const std::string file = fresh_file("dies_in_commit.db");
  {
    Database database = opened(file);
    added(database, made_result("aaaa", 1, {exact("x", 1)}));
  }
  const std::string before = read_file(file);
  EXPECT_EXIT(add_and_die_in_commit(file), testing::KilledBySignal(SIGKILL), "");
  EXPECT_NE(read_file(file), before) << "it has died too early";
  EXPECT_TRUE(std::filesystem::exists(file + "-journal"));
  expect_as_it_was(file);
}

TEST(HistoryDatabase, AProcessThatDiesInATransactionLeavesTheFileAsItWas) {
  const std::string file = fresh_file("dies_in_transaction.db");
  {
    Database database = opened(file);
    added(database, made_result("aaaa", 1, {exact("x", 1)}));
  }
  const auto size = std::filesystem::file_size(file);
  EXPECT_EXIT(die_in_transaction(file), testing::KilledBySignal(SIGKILL), "");
  EXPECT_GT(std::filesystem::file_size(file), size) << "nothing of the transaction is in the file";
  expect_as_it_was(file);
}

TEST(HistoryDatabase, AllResultsOfAnAddOrNone) {
  const std::string file = fresh_file("all_or_none.db");
  Database database = opened(file);
  std::vector<Result> results{made_result("a", 1, {exact("x", 1)}), made_result("a", 2, {exact("x", 1)})};
  // What a disk that fills up does to the second of them.
  execute(file,
          "CREATE TRIGGER full BEFORE INSERT ON results WHEN (SELECT count(*) FROM results) > 0 "
          "BEGIN SELECT RAISE(ABORT, 'no more'); END");
  const absl::StatusOr<std::vector<int64_t>> ids = database.add(results);
  ASSERT_FALSE(ids.ok());
  EXPECT_THAT(std::string(message_of(ids.status())), HasSubstr("no more"));
  EXPECT_TRUE(database.list({}).value().empty());
}

TEST(HistoryDatabase, AFullDiskIsToldAndNothingIsRecorded) {
  const std::string file = fresh_file("full.db");
  { opened(file); }
  // The pages of a database that may not grow.
  Database database = opened(file);
  Result large = made_result("a", 1, {}, {{"text", std::string(1 << 20, 'x')}});
  ASSERT_TRUE(database.limit_pages(30).ok());
  const absl::StatusOr<std::vector<int64_t>> ids = database.add(std::span(&large, 1));
  ASSERT_FALSE(ids.ok());
  EXPECT_THAT(std::string(message_of(ids.status())), HasSubstr("the disk is full; nothing was recorded"));
  EXPECT_TRUE(database.list({}).value().empty());
}

TEST(HistoryDatabase, OtherFilesAreRefusedAndStayAsTheyAre) {
  const std::string text = fresh_file("text.db");
  std::ofstream(text) << std::string(5000, 'x');
  absl::StatusOr<Database> database = Database::open(text, true);
  ASSERT_FALSE(database.ok());
  EXPECT_THAT(std::string(message_of(database.status())), HasSubstr("is no database of results"));
  EXPECT_EQ(std::filesystem::file_size(text), 5000u);

  const std::string other = fresh_file("other.db");
  execute(other, "CREATE TABLE t(x)");
  database = Database::open(other, true);
  ASSERT_FALSE(database.ok());
  EXPECT_THAT(std::string(message_of(database.status())), HasSubstr("a database of something else"));

  const std::string newer = fresh_file("newer.db");
  { opened(newer); }
  execute(newer, "PRAGMA user_version = 99");
  database = Database::open(newer, true);
  ASSERT_FALSE(database.ok());
  EXPECT_THAT(std::string(message_of(database.status())), HasSubstr("made by a newer version"));

  database = Database::open(testing::TempDir(), true);
  ASSERT_FALSE(database.ok());
  EXPECT_THAT(std::string(message_of(database.status())), HasSubstr("is a folder"));
}

TEST(HistoryDatabase, IsLookedAtBeforeThereIsAResultAndStaysAsItIs) {
  const std::string file = fresh_file("looked-at.db");
  {
    Database database = opened(file);
    added(database, made_result("aaaa", 1, {exact("x", 1)}));
  }
  const std::string bytes = read_file(file);
  EXPECT_EQ(Database::check_writable(file), absl::OkStatus());
  EXPECT_EQ(read_file(file), bytes);
  EXPECT_FALSE(std::filesystem::exists(file + "-journal"));

  // Another process that writes is no reason to do nothing, nor to wait, also while nobody may read.
  for (const char* begin : {"BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"}) {
    sqlite3* handle = nullptr;
    ASSERT_EQ(sqlite3_open(file.c_str(), &handle), SQLITE_OK);
    const SqliteHandle writer(handle);
    ASSERT_EQ(sqlite3_exec(handle, begin, nullptr, nullptr, nullptr), SQLITE_OK);
    const auto before = std::chrono::steady_clock::now();
    EXPECT_EQ(Database::check_writable(file), absl::OkStatus()) << begin;
    EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(5)) << begin;
  }
  expect_as_it_was(file);

  const std::string empty = fresh_file("looked-at-empty.db");
  std::ofstream{empty};
  EXPECT_EQ(Database::check_writable(empty), absl::OkStatus());
  EXPECT_EQ(std::filesystem::file_size(empty), 0u);

  const std::string text = fresh_file("looked-at-text.db");
  std::ofstream(text) << std::string(5000, 'x');
  EXPECT_THAT(std::string(message_of(Database::check_writable(text))), HasSubstr("is no database of results"));
  EXPECT_EQ(std::filesystem::file_size(text), 5000u);
  EXPECT_THAT(std::string(message_of(Database::check_writable(testing::TempDir()))), HasSubstr("is a folder"));
}

/// Makes the process one that permissions hold for: the superuser, who may read and write all, is nobody until this
/// ends.
class AsNobody {
 public:
  AsNobody() : root_(geteuid() == 0), changed_(root_ && seteuid(65534) == 0) {}
  ~AsNobody() {
    if (changed_) EXPECT_EQ(seteuid(0), 0);
  }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;

  /// Whether what is in a folder, all of whose files can be read, is reached, and a file that is closed is not.
  bool can_tell(const TestFolder& folder, const std::string& closed) const {
    std::error_code error;
    return (!root_ || changed_) && !std::filesystem::is_empty(folder.path(), error) && !error &&
           faccessat(AT_FDCWD, closed.c_str(), W_OK, AT_EACCESS) != 0;
  }

 private:
  bool root_;
  bool changed_;
};

/// Permissions of a path until this ends.
class Permissions {
 public:
  Permissions(std::filesystem::path path, unsigned permissions)
      : path_(std::move(path)), before_(std::filesystem::status(path_).permissions()) {
    std::filesystem::permissions(path_, std::filesystem::perms(permissions));
  }
  ~Permissions() {
    std::error_code error;
    std::filesystem::permissions(path_, before_, error);
  }
  Permissions(const Permissions&) = delete;
  Permissions& operator=(const Permissions&) = delete;

 private:
  std::filesystem::path path_;
  std::filesystem::perms before_;
};

constexpr const char* kNoPermissions = "permissions do not hold for any user that this test can be";

TEST(HistoryDatabase, AFileThatMayNotBeWrittenIsToldBeforeThereIsAResult) {
  const TestFolder folder;
  const std::string file = folder.file("read-only.db");
  { opened(file); }
  const Permissions read_only(file, 0444);
  const AsNobody nobody;
  if (!nobody.can_tell(folder, file)) GTEST_SKIP() << kNoPermissions;
  const absl::Status status = Database::check_writable(file);
  EXPECT_THAT(std::string(message_of(status)),
              HasSubstr("read-only.db may not be written, so nothing is recorded; allow it, or name another file"));
}

TEST(HistoryDatabase, AFileThatMayNotBeReadSaysSo) {
  const TestFolder folder;
  std::filesystem::create_directory(folder.path() / "closed");
  const std::string inside = folder.file("closed/inside.db");
  const std::string secret = folder.file("secret.db");
  const std::string read_only = folder.file("only-read.db");
  for (const std::string& file : {inside, secret, read_only}) opened(file);
  const Permissions of_folder(folder.path() / "closed", 0);
  const Permissions of_secret(secret, 0);
  const Permissions of_read_only(read_only, 0444);
  const AsNobody nobody;
  if (!nobody.can_tell(folder, secret)) GTEST_SKIP() << kNoPermissions;
  const absl::Status in_folder = Database::open(inside, false).status();
  const absl::Status forbidden = Database::open(secret, false).status();
  absl::Status written = absl::OkStatus();
  bool shown = false;
  if (absl::StatusOr<Database> database = Database::open(read_only, false); database.ok()) {
    shown = database->list({}).ok();
    written = database->acknowledge({"*", "x", "aaaa", "why", "2026-03-02"});
  }
  for (const absl::Status& status : {in_folder, forbidden}) {
    EXPECT_TRUE(absl::IsPermissionDenied(status)) << status;
    EXPECT_THAT(std::string(message_of(status)),
                HasSubstr(".db cannot be opened: Permission denied; allow it, or name another file with --db"));
  }
  EXPECT_TRUE(shown);
  EXPECT_TRUE(absl::IsPermissionDenied(written)) << written;
}

TEST(HistoryDatabase, AFolderThatTakesNoFileIsToldBeforeThereIsAResult) {
  const TestFolder folder;
  const std::string made = folder.file("made.db");
  { opened(made); }
  // The name of the journal beside it would be too long for any folder.
  const std::string file = folder.file(std::string(247, 'h') + ".db");
  std::filesystem::rename(made, file);
  const absl::Status status = Database::check_writable(file);
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_THAT(std::string(message_of(status)),
              HasSubstr("no file can be made beside it (File name too long), so nothing is recorded; name another"));
}

TEST(HistoryDatabase, AFolderThatMayNotBeWrittenSaysSo) {
  const TestFolder folder;
  const std::string file = folder.file("history.db");
  { opened(file); }
  const Permissions of_file(file, 0666);
  const Permissions of_folder(folder.path(), 0555);
  const AsNobody nobody;
  if (!nobody.can_tell(folder, folder.path().string())) GTEST_SKIP() << kNoPermissions;
  const absl::Status status = Database::check_writable(file);
  EXPECT_TRUE(absl::IsPermissionDenied(status)) << status;
  EXPECT_THAT(std::string(message_of(status)),
              HasSubstr("no file can be made beside it (Permission denied), so nothing is recorded; make its folder "
                        "writable, or name another file with --db"));
}

TEST(HistoryDatabase, AMissingFileIsMadeOnlyToWrite) {
  const std::string file = fresh_file("missing.db");
  const absl::StatusOr<Database> database = Database::open(file, false);
  EXPECT_TRUE(absl::IsNotFound(database.status()));
  EXPECT_FALSE(std::filesystem::exists(file));
  // An empty file is what a crash before the first result leaves.
  std::ofstream{file};
  const absl::StatusOr<Database> empty = Database::open(file, false);
  EXPECT_TRUE(absl::IsNotFound(empty.status()));
  EXPECT_THAT(std::string(message_of(empty.status())), HasSubstr(file + " is empty, so there is no result in it"));
  Database made = opened(file);
  EXPECT_EQ(added(made, made_result("a", 1, {exact("x", 1)})), 1);
}

TEST(HistoryDatabase, KeepsAcknowledgements) {
  Database database = opened(fresh_file("acknowledged.db"));
  ASSERT_TRUE(database.acknowledge({"incast*", "wall_seconds", "abc", "a better model", "2026-03-01"}).ok());
  const std::vector<Acknowledgement> all = database.acknowledgements().value();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].name, "incast*");
  EXPECT_EQ(all[0].reason, "a better model");
}

}  // namespace
}  // namespace fabrictwin::dashboards::history
