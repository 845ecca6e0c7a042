// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Where each field of an experiment was written: in the file, or in the argument that overrode it.
#pragma once

#include <google/protobuf/message.h>
#include <google/protobuf/text_format.h>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "cosim/experiment/experiment.h"
#include "cosim/experiment/source_text.h"

namespace fabrictwin::experiment {

/// Source locations by field path ("topology.torus.dims[2]", "use[0].place"). The texts must outlive the map.
class LocationMap {
 public:
  /// Makes an empty map; unknown fields are located at the start of `file`.
  explicit LocationMap(const SourceText* file) : file_(file) {}

  /// Adds the fields of `message`, which `tree` located in the file.
  void add_tree(const google::protobuf::Message& message, const google::protobuf::TextFormat::ParseInfoTree& tree,
                const std::string& prefix = {});

  /// Records that the field at `path`, and all below it, was written at `offset` of `text`.
  void set(const std::string& path, const SourceText* text, size_t offset);
  /// Forgets that the field at `path`, or one below it, was written.
  void erase(std::string_view path);

  /// True if the field itself was written somewhere, even with its default value.
  bool has(const std::string& path) const { return anchors_.contains(path); }
  /// True if the field was written outside the file: in an argument.
  bool overridden(const std::string& path) const;
  /// True if the field, or one below it, was.
  bool overridden_within(std::string_view path) const;
  /// Copies the source locations of the field at `path`, and of all below it, to `locations`.
  void copy(std::string_view path, std::map<std::string, SourceLocation, std::less<>>& locations) const;
  /// The source location of the field, or else of the nearest message around it.
  SourceLocation find(std::string_view path) const;

 private:
  struct Anchor {
    const SourceText* text = nullptr;
    size_t offset = 0;
  };
  const SourceText* file_;
  std::map<std::string, Anchor, std::less<>> anchors_;
};

/// The mistakes found so far.
class DiagnosticList {
 public:
  /// Mistakes in `file` are listed first, in the order of the text; then those in arguments, in the order in which they
  /// were found.
  explicit DiagnosticList(std::string file) : file_(std::move(file)) {}

  void add(const SourceLocation& location, std::string_view message);
  bool empty() const { return found_.empty(); }
  /// All of them in one InvalidArgument, or OK if there are none. After the first twenty only their number is given.
  absl::Status status() const;

 private:
  struct Diagnostic {
    int32_t line = 0;  ///< Zero in an argument, like the column.
    int32_t column = 0;
    bool in_file = false;
    std::string text;
  };
  std::string file_;
  std::vector<Diagnostic> found_;
  int more_ = 0;
};

}  // namespace fabrictwin::experiment
