// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Stands in for Slurm: sbatch and squeue that say what a test wants.
#pragma once

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
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
    // These commands do what variables of the user say, as Slurm's do.
    write("sbatch",
          "[ \"$1\" = --version ] && exit 0\n"
          "printf '%s\\n' \"$*\" >>calls\n"
          "if [ -n \"$SBATCH_WAIT$SBATCH_OUTPUT$SBATCH_ERROR\" ]; then echo 'not here' >&2; exit 1; fi\n"
          "if [ -s accepted ]; then mv accepted queue; fi\n"
          "if [ -s refusal ]; then cat refusal >&2; exit 1; fi\n"
          "if [ -s most ]; then for word; do case $word in --array=0-*) last=${word#--array=0-} ;;\n"
          "  esac; done; if [ \"${last:-0}\" -ge \"$(cat most)\" ]; then echo 'job submit limit' >&2; exit 1; fi; fi\n"
          "echo >>jobs\n"
          "echo \"$(wc -l <jobs)${CLUSTER}\"\n");
    write("squeue",
          "[ \"$1\" = --version ] && exit 0\n"
          "if [ -s hang ]; then touch hanging; sleep 1000; fi\n"
          "if [ -s trouble ]; then cat trouble >&2; exit 1; fi\n"
          "if [ -n \"$SQUEUE_STATES\" ]; then exit 0; fi\n"
          // Tasks of partitions that are hidden.
          "case \" $* \" in *' --all '*) ;; *) exit 0 ;; esac\n"
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
  /// From now on squeue fails with these words; with none it does not.
  void break_queue(std::string_view words) { folder_.write("slurm/trouble", words); }

  /// The next sbatch leaves these lines for squeue, whether it fails or not.
  void accept(std::string_view lines) { folder_.write("slurm/accepted", lines); }
  /// sbatch refuses jobs of more tasks.
  void set_most(size_t tasks) { folder_.write("slurm/most", std::to_string(tasks)); }
  /// From now on squeue does not end.
  void hang() { folder_.write("slurm/hang", "yes"); }
  bool hangs() const { return std::filesystem::exists(folder_.file("slurm/hanging")); }

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
