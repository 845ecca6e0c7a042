// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands in for Slurm: sbatch and squeue that say what a test wants.
#pragma once

#include <sys/stat.h>

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/base/text.h"
#include "tests/test_folder.h"

namespace fabrictwin {

/// The commands, first in PATH while this exists. Jobs have the numbers 1, 2 and so on.
class FakeSlurm {
 public:
  /// They are put into slurm/ of this folder, which must outlive this.
  explicit FakeSlurm(const TestFolder& folder) : path_(std::getenv("PATH")), folder_(folder) {
    write("sbatch",
          "[ \"$1\" = --version ] && exit 0\n"
          "printf '%s\\n' \"$*\" >>calls\n"
          "if [ -s refusal ]; then cat refusal >&2; exit 1; fi\n"
          "echo >>jobs\n"
          "echo \"$(wc -l <jobs)${CLUSTER}\"\n");
    write("squeue",
          "if [ -s trouble ]; then cat trouble >&2; exit 1; fi\n"
          "touch queue; cat queue\n");
    setenv("PATH", (folder_.file("slurm") + ":" + path_).c_str(), 1);
  }
  ~FakeSlurm() { setenv("PATH", path_.c_str(), 1); }
  FakeSlurm(const FakeSlurm&) = delete;
  FakeSlurm& operator=(const FakeSlurm&) = delete;

  /// What squeue prints from now on.
  void set_queue(std::string_view lines) { folder_.write("slurm/queue", lines); }
  /// From now on sbatch fails with these words; with none it does not.
  void refuse(std::string_view words) { folder_.write("slurm/refusal", words); }
  /// The same for squeue.
  void break_queue(std::string_view words) { folder_.write("slurm/trouble", words); }

  /// The arguments of each call of sbatch, joined with spaces.
  std::vector<std::string> calls() const {
    const std::string text = read_file(folder_.file("slurm/calls"));
    std::vector<std::string> lines;
    for (const std::string_view line : split(text, "\n")) {
      if (!line.empty()) lines.emplace_back(line);
    }
    return lines;
  }

 private:
  void write(const std::string& name, const std::string& script) {
    const std::string file =
        folder_.write("slurm/" + name, "#!/bin/sh\ncd '" + folder_.file("slurm") + "' || exit 1\n" + script);
    chmod(file.c_str(), 0755);
  }

  const std::string path_;
  const TestFolder& folder_;
};

}  // namespace fabrictwin
