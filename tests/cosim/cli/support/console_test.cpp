// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/support/console.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace fabrictwin {
namespace {

TEST(Console, FilesAreWrittenThroughLinksAndNeverInPlaceOfPipes) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("console-test-" + std::to_string(getpid()));
  std::filesystem::create_directory(folder);
  const std::string file = folder / "file";
  const std::string link = folder / "link";
  const std::string fifo = folder / "fifo";
  std::ofstream(file) << "old";
  std::filesystem::create_symlink("file", link);
  EXPECT_TRUE(cli::support::check_file(link).ok());
  EXPECT_TRUE(cli::support::write_file(link, "new").ok());
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  std::ifstream stream(file);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(stream), {}), "new");

  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_THAT(std::string(cli::support::check_file(fifo).message()), testing::HasSubstr("is a device or a pipe"));
  EXPECT_THAT(std::string(cli::support::write_file(fifo, "new").message()),
              testing::HasSubstr("is a device or a pipe"));
  EXPECT_TRUE(std::filesystem::is_fifo(fifo));
  EXPECT_THAT(std::string(cli::support::check_file(folder).message()), testing::HasSubstr("is a folder"));
  std::filesystem::remove_all(folder);
}

TEST(Console, OneFileByTwoNamesIsFound) {
  const std::string name = "console-test-no-such-file";
  const std::string here = std::filesystem::current_path().string();
  for (const std::string& other : {name, "./" + name, here + "/" + name, here + "/x/../" + name}) {
    EXPECT_THAT(std::string(cli::support::check_distinct({{"--html", name}, {"--db", other}}, {}).message()),
                testing::HasSubstr("--html and --db are one file"))
        << other;
  }
  EXPECT_TRUE(cli::support::check_distinct({{"--html", name}, {"--db", "x/" + name}}, {}).ok());
  std::vector<cli::support::NamedFile> read;
  cli::support::add_files_read({name}, read);
  EXPECT_THAT(std::string(cli::support::check_distinct({{"--html", "./" + name}}, read).message()),
              testing::HasSubstr("would replace a file that the experiment reads"));
}

TEST(Console, FilesMayBeInAFolderThatIsMadeBefore) {
  const std::filesystem::path parent =
      std::filesystem::path(testing::TempDir()) / ("console-out-test-" + std::to_string(getpid()));
  const std::filesystem::path out = parent / "new";
  for (const std::filesystem::path& file : {out / "page.html", parent / "page.html", out / "." / "page.html"}) {
    EXPECT_TRUE(cli::support::check_file(file, out).ok()) << file;
    EXPECT_TRUE(cli::support::check_file(file, out.string() + "/").ok()) << file;
    EXPECT_FALSE(cli::support::check_file(file, "").ok()) << file;
  }
  EXPECT_FALSE(std::filesystem::exists(parent));
  for (const std::filesystem::path& file :
       {out / "deeper" / "page.html", parent / "newer" / "page.html", out / "x" / ".." / "page.html", out / ""})
    EXPECT_TRUE(absl::IsInvalidArgument(cli::support::check_file(file, out))) << file;
  EXPECT_FALSE(cli::support::check_file("/proc/no-such-folder/page.html", "/proc/no-such-folder").ok());
}

TEST(Console, FoldersAreTriedAndLeftAsTheyWere) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("console-folder-test-" + std::to_string(getpid()));
  EXPECT_TRUE(cli::support::check_folder(folder / "new" / "newer", "report.json").ok());
  EXPECT_TRUE(cli::support::check_folder((folder / "new").string() + "/", "report.json").ok());
  EXPECT_FALSE(std::filesystem::exists(folder));
  ASSERT_TRUE(cli::support::make_folder(folder / "new").ok());
  EXPECT_TRUE(cli::support::check_folder(folder / "new", "report.json").ok());
  EXPECT_TRUE(std::filesystem::is_empty(folder / "new"));
  std::ofstream(folder / "file") << "old";
  std::filesystem::create_symlink("nowhere", folder / "dangling");
  for (const char* const name : {"file", "file/new", "dangling", "dangling/new"}) {
    const absl::Status status = cli::support::check_folder(folder / name, "report.json");
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << name;
    EXPECT_THAT(std::string(status.message()), testing::HasSubstr("is there and is no folder")) << name;
  }
  EXPECT_THAT(std::string(cli::support::check_folder(folder / std::string(300, 'x'), "report.json").message()),
              testing::HasSubstr("File name too long"));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "dangling"));
  std::filesystem::create_directory(folder / "report.json");
  EXPECT_THAT(std::string(cli::support::check_folder(folder, "report.json").message()),
              testing::HasSubstr("is a folder"));
  EXPECT_FALSE(cli::support::make_folder(folder / "file").ok());
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace fabrictwin
