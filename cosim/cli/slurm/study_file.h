// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the tasks of a study have to know, as a file: a line of JSON with what holds for all of them, and then a line
// for each point, so that a task reads no more than its own.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/cli/options/security.h"

namespace fabrictwin::cli::slurm {

/// How tasks run their points: the options of the command that has the study.
struct TaskSettings {
  std::string directory;            ///< The working directory, to which paths are relative.
  std::optional<double> precision;  ///< If set, each point is a search for saturation.
  bool whole_reports = false;       ///< Whether reports keep their lists.
  int threads = 0;                  ///< 0: as many as Slurm gives the task.
  std::string watchdog = "30s";
  bool pin = false;
  options::SecurityArguments security;
};

/// A point: an experiment as text, whose paths can be opened from the working directory.
struct StudyPoint {
  std::string name;        ///< For people: "load=0.3".
  std::string experiment;  ///< The name of its file.
  std::string text;
};

/// What tells studies apart.
struct StudyIdentity {
  std::string program;      ///< The build that made it; see support::build_identity().
  std::string fingerprint;  ///< The hash of all that its results depend on.

  bool operator==(const StudyIdentity&) const = default;
};

/// What holds for all points.
struct StudyHeader {
  StudyIdentity identity;
  TaskSettings settings;
  size_t points = 0;
};

struct Study {
  StudyIdentity identity;
  TaskSettings settings;
  std::vector<StudyPoint> points;
};

/// The content of the file.
std::string study_text(const Study& study);

/// The first line of the file. NotFound if there is no file, DataLoss if it is none of a study.
absl::StatusOr<StudyHeader> read_study_header(const std::string& file);

/// Point number `index`, from 0. Errors as of read_study_header(); OutOfRange if there is none of this number.
absl::StatusOr<StudyPoint> read_study_point(const std::string& file, size_t index);

}  // namespace fabrictwin::cli::slurm
