// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/slurm/study_folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "cosim/base/text.h"
#include "tests/cosim/cli/slurm/studies.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using cli::slurm::Study;
using cli::slurm::StudyFolder;
using ::testing::HasSubstr;

class SlurmStudyFolder : public ::testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<StudyFolder>> open(const Study& study) const {
    return StudyFolder::open(path_, study, "/bin/it's a program");
  }
  std::string refusal_of(const Study& study) const {
    const absl::Status status = open(study).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    return std::string(message_of(status));
  }

  const TestFolder temporary_;
  const std::string path_ = temporary_.file("new/study");
};

TEST_F(SlurmStudyFolder, TasksFindTheirPoints) {
  Study study = make_study(3);
  study.settings = {"/somewhere", 0.01, true, 4, "2s", true, {{"a", "b", "c"}, true, true}};
  study.points[1] = {"load=0.3", "<stdin>", "topology {\n \"\\\" }"};
  ASSERT_TRUE(open(study).ok());
  const auto header = cli::slurm::read_study_header(cli::slurm::study_file(path_));
  ASSERT_TRUE(header.ok()) << header.status();
  EXPECT_EQ(header->identity, study.identity);
  EXPECT_EQ(header->points, 3u);
  EXPECT_EQ(header->settings.directory, "/somewhere");
  EXPECT_EQ(header->settings.precision, 0.01);
  EXPECT_TRUE(header->settings.whole_reports && header->settings.pin && header->settings.security.insecure);
  EXPECT_TRUE(header->settings.security.no_shm);
  EXPECT_EQ(header->settings.threads, 4);
  EXPECT_EQ(header->settings.watchdog, "2s");
  EXPECT_EQ(header->settings.security.tls.key, "b");
  const auto point = cli::slurm::read_study_point(cli::slurm::study_file(path_), 1);
  ASSERT_TRUE(point.ok()) << point.status();
  EXPECT_EQ(point->name, "load=0.3");
  EXPECT_EQ(point->experiment, "<stdin>");
  EXPECT_EQ(point->text, study.points[1].text);
  EXPECT_TRUE(absl::IsOutOfRange(cli::slurm::read_study_point(cli::slurm::study_file(path_), 3).status()));
}

TEST_F(SlurmStudyFolder, TheScriptQuotesNames) {
  ASSERT_TRUE(open(make_study(1)).ok());
  EXPECT_THAT(read_file(path_ + "/task.sh"),
              HasSubstr("\nexec '/bin/it'\\''s a program' slurm-task " + path_ + " $(($1 + SLURM_ARRAY_TASK_ID))\n"));
}

TEST_F(SlurmStudyFolder, ResultsAreTakenOnceAndWhole) {
  const auto folder = open(make_study(4));
  ASSERT_TRUE(folder.ok()) << folder.status();
  EXPECT_TRUE((*folder)->take_results().empty());
  study::point::Outcome search;
  search.status = absl::InternalError("a bug");
  search.saturation = {0.1, 0.3, 1.0 / 3, {{0.7, true, make_outcome(2).report}}};
  const auto& identity = (*folder)->study().identity;
  ASSERT_TRUE(cli::slurm::write_result(path_, identity, 0, make_outcome(1)).ok());
  ASSERT_TRUE(cli::slurm::write_result(path_, identity, 2, search).ok());
  // What somebody else put there.
  temporary_.write("new/study/results/1.json.tmp", "{");
  temporary_.write("new/study/results/1.json", "{\"program\": 3");
  temporary_.write("new/study/results/77.json", "{}");
  std::filesystem::create_directory(temporary_.file("new/study/results/3.json"));
  const std::map<size_t, study::point::Outcome> taken = (*folder)->take_results();
  ASSERT_EQ(taken.size(), 2u);
  EXPECT_EQ(taken.at(0).report.SerializeAsString(), make_outcome(1).report.SerializeAsString());
  EXPECT_EQ(taken.at(2).status, search.status);
  EXPECT_EQ(taken.at(2).saturation.throughput, 1.0 / 3);
  EXPECT_EQ(taken.at(2).saturation.load_above, 0.3);
  ASSERT_EQ(taken.at(2).saturation.probes.size(), 1u);
  EXPECT_EQ(taken.at(2).saturation.probes[0].report.SerializeAsString(), make_outcome(2).report.SerializeAsString());
  EXPECT_TRUE((*folder)->take_results().empty());
  ASSERT_TRUE(cli::slurm::write_result(path_, identity, 1, make_outcome(3)).ok());
  EXPECT_EQ((*folder)->take_results().size(), 1u);
}

// A task of what was in the folder before may still write its own.
TEST_F(SlurmStudyFolder, ResultsOfOtherStudiesDoNotCount) {
  const auto folder = open(make_study(1));
  ASSERT_TRUE(folder.ok()) << folder.status();
  for (const cli::slurm::StudyIdentity& other :
       {cli::slurm::StudyIdentity{"this build", "another"}, cli::slurm::StudyIdentity{"another", "this experiment"}}) {
    ASSERT_TRUE(cli::slurm::write_result(path_, other, 0, make_outcome(1)).ok());
    EXPECT_TRUE((*folder)->take_results().empty());
    EXPECT_TRUE(absl::IsDataLoss(cli::slurm::read_result(path_, (*folder)->study().identity, 0).status()));
  }
}

TEST_F(SlurmStudyFolder, AnotherExperimentIsRefused) {
  ASSERT_TRUE(open(make_study(2)).ok());
  const std::string before = read_file(path_ + "/study.jsonl");
  Study other = make_study(2);
  other.identity.fingerprint = "another experiment";
  EXPECT_THAT(refusal_of(other), HasSubstr("another experiment"));
  other = make_study(2);
  other.identity.program = "another build";
  EXPECT_THAT(refusal_of(other), HasSubstr("another build of this program (this build, and this is another build)"));
  EXPECT_EQ(read_file(path_ + "/study.jsonl"), before);
  EXPECT_TRUE(open(make_study(2)).ok());
}

TEST_F(SlurmStudyFolder, OptionsMayChange) {
  ASSERT_TRUE(open(make_study(2)).ok());
  Study later = make_study(2);
  later.settings.threads = 7;
  ASSERT_TRUE(open(later).ok());
  EXPECT_EQ(cli::slurm::read_study_header(cli::slurm::study_file(path_))->settings.threads, 7);
}

TEST_F(SlurmStudyFolder, FilesOfOthersAreLeftAlone) {
  temporary_.write("new/study/letter.txt", "Dear");
  EXPECT_THAT(refusal_of(make_study(1)), HasSubstr("name an empty or a new folder"));
  EXPECT_FALSE(std::filesystem::exists(path_ + "/lock"));
  std::filesystem::remove_all(path_);
  temporary_.write("new/study", "a file");
  EXPECT_THAT(refusal_of(make_study(1)), HasSubstr("is no folder"));
  std::filesystem::remove_all(path_);
  temporary_.write("new/study/study.jsonl", "no JSON\n");
  EXPECT_THAT(refusal_of(make_study(1)), HasSubstr("line 1, is none of a study"));
}

TEST_F(SlurmStudyFolder, OnlyOneLauncherHasIt) {
  const auto first = open(make_study(1));
  ASSERT_TRUE(first.ok()) << first.status();
  const absl::Status second = open(make_study(1)).status();
  EXPECT_TRUE(absl::IsFailedPrecondition(second)) << second;
  EXPECT_THAT(std::string(message_of(second)), HasSubstr("another fabrictwin follows"));
}

TEST_F(SlurmStudyFolder, NamesOfJobsAreOfStudyAndFolder) {
  Study other = make_study(1);
  other.identity.fingerprint = "another";
  const std::string name = (*open(make_study(1)))->job_name();
  EXPECT_EQ((*open(make_study(1)))->job_name(), name);
  std::filesystem::remove_all(path_);
  EXPECT_NE((*open(other))->job_name(), name);
  std::filesystem::remove_all(path_);
  ASSERT_TRUE(open(make_study(1)).ok());
  EXPECT_NE((*StudyFolder::open(temporary_.file("c"), make_study(1), "p"))->job_name(), name);
  // The same folder by another way.
  std::filesystem::create_directory_symlink(temporary_.file("new"), temporary_.file("link"));
  EXPECT_EQ((*StudyFolder::open(temporary_.file("link/study/"), make_study(1), "p"))->job_name(), name);
}

TEST_F(SlurmStudyFolder, NothingIsLeftOfAnAttempt) {
  (*open(make_study(1)))->discard();
  EXPECT_FALSE(std::filesystem::exists(temporary_.file("new")));
  std::filesystem::create_directories(path_);
  (*open(make_study(1)))->discard();
  EXPECT_TRUE(std::filesystem::is_empty(path_));
  // Results of an earlier one stay.
  ASSERT_TRUE(open(make_study(1)).ok());
  (*open(make_study(1)))->discard();
  EXPECT_TRUE(std::filesystem::exists(path_ + "/study.jsonl"));
}

TEST_F(SlurmStudyFolder, WhatOthersPutBesideItStays) {
  const auto first = open(make_study(1));
  ASSERT_TRUE(first.ok()) << first.status();
  ASSERT_TRUE(StudyFolder::open(temporary_.file("new/other"), make_study(2), "p").ok());
  (*first)->discard();
  EXPECT_FALSE(std::filesystem::exists(path_));
  EXPECT_TRUE(std::filesystem::exists(temporary_.file("new/other/study.jsonl")));
  // In the folder itself, too.
  const auto again = open(make_study(1));
  temporary_.write("new/study/letter.txt", "Dear");
  (*again)->discard();
  EXPECT_EQ(read_file(path_ + "/letter.txt"), "Dear");
  EXPECT_FALSE(std::filesystem::exists(path_ + "/study.jsonl"));
}

// A launcher may be killed before it has written the study.
TEST_F(SlurmStudyFolder, WhatIsUnfinishedIsTaken) {
  std::filesystem::create_directories(path_ + "/results");
  std::filesystem::create_directories(path_ + "/logs");
  temporary_.write("new/study/lock", "");
  temporary_.write("new/study/task.sh", "#!/bin/sh\n");
  temporary_.write("new/study/study.jsonl.77.tmp", "{");
  EXPECT_TRUE(open(make_study(1)).ok());
  // Results without their study are those of another one.
  std::filesystem::remove(path_ + "/study.jsonl");
  temporary_.write("new/study/results/0.json", "{}");
  EXPECT_THAT(refusal_of(make_study(1)), HasSubstr("name an empty or a new folder"));
}

TEST_F(SlurmStudyFolder, NothingIsLeftOfAFolderThatCannotBeMade) {
  // A script cannot be written where a folder is.
  std::filesystem::create_directories(path_ + "/task.sh");
  EXPECT_FALSE(open(make_study(1)).ok());
  std::filesystem::remove_all(path_ + "/task.sh");
  EXPECT_TRUE(!std::filesystem::exists(path_) || std::filesystem::is_empty(path_));
}

// Of those that begin at the same time, one has the folder.
TEST_F(SlurmStudyFolder, ALockOfAFolderThatIsGoneIsNone) {
  const auto first = open(make_study(1));
  (*first)->discard();
  const auto second = open(make_study(1));
  EXPECT_TRUE(second.ok()) << second.status();
  EXPECT_TRUE(absl::IsFailedPrecondition(open(make_study(1)).status()));
}

}  // namespace
}  // namespace fabrictwin
