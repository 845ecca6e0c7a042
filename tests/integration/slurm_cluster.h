// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A cluster of Slurm that is this machine, without systemd and for this user alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/integration/background_process.h"
#include "tests/test_folder.h"

namespace fabrictwin {

/// munged, slurmctld and slurmd, with files and ports of their own; they end with this object.
class SlurmCluster {
 public:
  /// Starts them in `folder`, which must outlive this. From then on the commands of Slurm that this process starts are
  /// those of this cluster.
  explicit SlurmCluster(const TestFolder& folder);
  ~SlurmCluster();
  SlurmCluster(const SlurmCluster&) = delete;
  SlurmCluster& operator=(const SlurmCluster&) = delete;

  /// Empty if the cluster runs tasks; else why it does not, with the ends of the logs.
  const std::string& trouble() const { return trouble_; }

 private:
  void start_munge();
  void start_slurm();
  std::string logs() const;

  const TestFolder& folder_;
  std::string trouble_;
  // In the order in which they are started; the last one ends first.
  std::optional<BackgroundProcess> munged_;
  std::optional<BackgroundProcess> controller_;
  std::optional<BackgroundProcess> node_;
};

}  // namespace fabrictwin
