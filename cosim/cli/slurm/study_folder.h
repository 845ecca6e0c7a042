// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The folder of a study whose points are run by Slurm, on a file system that all nodes share:
//
//   study.jsonl     what the tasks have to know
//   task.sh         what Slurm starts
//   results/N.json  the outcome of point N, from 0
//   logs/           what tasks print
//   lock            locked by the launcher that follows the study
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "cosim/cli/slurm/study_file.h"
#include "cosim/study/point/outcome.h"

namespace fabrictwin::cli::slurm {

/// The folder as the launcher sees it. Used by one thread; other processes write results meanwhile.
class StudyFolder {
 public:
  /// Makes the folder, or opens one that has the same study, or what a launcher has left that was killed before it had
  /// written one. `program` is what tasks run. InvalidArgument, and nothing is written, if another study or anything
  /// else is there; FailedPrecondition if another launcher has it. Nothing is left of a folder that cannot be made.
  static absl::StatusOr<std::unique_ptr<StudyFolder>> open(const std::string& path, Study study,
                                                           const std::string& program);
  ~StudyFolder();
  StudyFolder(const StudyFolder&) = delete;
  StudyFolder& operator=(const StudyFolder&) = delete;

  const Study& study() const { return study_; }
  /// The folder with all its parents and without links.
  const std::string& path() const { return path_; }
  /// A name that only this study in this folder has.
  std::string job_name() const;
  /// The file with what a task printed.
  std::string log_file(int64_t job, size_t point) const;

  /// The last line of that file that is not empty. NotFound if there is no file.
  absl::StatusOr<std::string> last_words(int64_t job, size_t point) const;

  /// Whether open() has made the study.
  bool fresh() const { return fresh_; }

  /// The outcomes that have come since the last call, by point. What cannot be read yet comes later.
  std::map<size_t, study::point::Outcome> take_results();

  /// Removes the result of a point, which is to be run again.
  void forget(size_t point);

  /// Removes what open() has made, if no task was submitted after all. Files of others stay.
  void discard();

 private:
  StudyFolder(std::string path, Study study) : path_(std::move(path)), study_(std::move(study)) {}
  absl::Status lock();
  absl::Status fill(const std::string& program);
  absl::Status write(const std::string& program) const;

  std::string path_;
  const Study study_;
  std::filesystem::path made_;  ///< The first folder of the path that open() has made; empty if there is none.
  bool fresh_ = false;          ///< The study was not there.
  int lock_ = -1;
  std::set<size_t> taken_;
};

/// Writes the result of a task.
absl::Status write_result(const std::string& folder, const StudyIdentity& identity, size_t point,
                          const study::point::Outcome& outcome);

/// Reads a result. NotFound if there is none, DataLoss if it is of another study or none.
absl::StatusOr<study::point::Outcome> read_result(const std::string& folder, const StudyIdentity& identity,
                                                  size_t point);

/// The file with the study of a folder.
std::string study_file(const std::string& folder);

}  // namespace fabrictwin::cli::slurm
