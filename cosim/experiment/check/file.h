// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Files that an experiment names.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "cosim/experiment/check/field_checker.h"

namespace fabrictwin::experiment {

/// Finds the files that fields name; mistakes become diagnostics at the field. Not thread-safe.
class FileChecker {
 public:
  /// Relative paths are relative to the folder of `experiment`, or to the working directory if they come from an
  /// argument and exist there. Without `look`, files need not exist, because they are on another host.
  FileChecker(std::string experiment, bool look, FieldChecker& fields)
      : experiment_(std::move(experiment)), look_(look), fields_(fields) {}

  /// Finds the file `path` of `field` and returns a path that can be opened from the working directory. For errors,
  /// `kind` says what it should be ("a .fttrace file") and `remedy` what to do if it does not exist.
  std::string find(std::string_view field, const std::string& path, std::string_view kind,
                   std::string_view remedy) const;

 private:
  std::string experiment_;
  bool look_;
  FieldChecker& fields_;
};

}  // namespace fabrictwin::experiment
