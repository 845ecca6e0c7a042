// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/experiment/location_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace fabrictwin::experiment {
namespace {

constexpr size_t kMaxDiagnostics = 20;

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::TextFormat;

/// Whether a path is the other one, or that of a field below it.
bool within(std::string_view path, std::string_view around) {
  return path.starts_with(around) &&
         (path.size() == around.size() || path[around.size()] == '.' || path[around.size()] == '[');
}

}  // namespace

void LocationMap::add_tree(const Message& message, const TextFormat::ParseInfoTree& tree, const std::string& prefix) {
  const auto* descriptor = message.GetDescriptor();
  const auto* reflection = message.GetReflection();
  for (int f = 0; f < descriptor->field_count(); ++f) {
    const FieldDescriptor* field = descriptor->field(f);
    const bool is_message = field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
    const bool repeated = field->is_repeated();
    // protobuf records one location for each occurrence of the name, but a list in brackets has several values.
    std::vector<size_t> offsets;
    for (int i = 0;; ++i) {
      const TextFormat::ParseLocation location = tree.GetLocation(field, repeated ? i : -1);
      if (location.line < 0) break;
      const size_t name = file_->offset(location.line, location.column);
      const std::vector<size_t> values = file_->value_offsets(name);
      // The location of a message is that of its name; the location of a value is the value itself.
      if (is_message && values.size() == 1) {
        offsets.push_back(name);
      } else {
        offsets.insert(offsets.end(), values.begin(), values.end());
      }
      if (!repeated) break;
    }
    const int count = repeated ? reflection->FieldSize(message, field) : static_cast<int>(offsets.size());
    for (int i = 0; i < count; ++i) {
      const std::string path = repeated ? fmt::format("{}{}[{}]", prefix, field->name(), i) : prefix + field->name();
      if (static_cast<size_t>(i) < offsets.size()) anchors_[path] = {file_, offsets[i]};
      const auto* nested = is_message ? tree.GetTreeForNested(field, repeated ? i : -1) : nullptr;
      if (nested == nullptr) continue;
      const Message& child =
          repeated ? reflection->GetRepeatedMessage(message, field, i) : reflection->GetMessage(message, field);
      add_tree(child, *nested, path + ".");
    }
  }
}

void LocationMap::erase(std::string_view path) {
  for (auto it = anchors_.lower_bound(path); it != anchors_.end() && it->first.starts_with(path);) {
    it = within(it->first, path) ? anchors_.erase(it) : std::next(it);
  }
}

void LocationMap::set(const std::string& path, const SourceText* text, size_t offset) {
  erase(path);
  anchors_[path] = {text, offset};
}

bool LocationMap::overridden(const std::string& path) const {
  const auto it = anchors_.find(path);
  return it != anchors_.end() && it->second.text != file_;
}

bool LocationMap::overridden_within(std::string_view path) const {
  for (auto it = anchors_.lower_bound(path); it != anchors_.end() && it->first.starts_with(path); ++it) {
    if (within(it->first, path) && it->second.text != file_) return true;
  }
  return false;
}

void LocationMap::copy(std::string_view path, std::map<std::string, SourceLocation, std::less<>>& locations) const {
  for (auto it = anchors_.lower_bound(path); it != anchors_.end() && it->first.starts_with(path); ++it) {
    if (within(it->first, path)) locations[it->first] = it->second.text->location(it->second.offset);
  }
}

SourceLocation LocationMap::find(std::string_view path) const {
  while (true) {
    const auto it = anchors_.find(path);
    if (it != anchors_.end()) return it->second.text->location(it->second.offset);
    const size_t end = path.find_last_of(".[");
    if (end == std::string_view::npos) return file_->location(0);
    path = path.substr(0, end);
  }
}

void DiagnosticList::add(const SourceLocation& location, std::string_view message) {
  Diagnostic found;
  found.in_file = location.file == file_;
  found.line = found.in_file ? location.line : 0;
  found.column = found.in_file ? location.column : 0;
  found.text = format_diagnostic(location, message);
  for (const Diagnostic& other : found_) {
    if (other.text == found.text) return;
  }
  if (found_.size() == kMaxDiagnostics) {
    ++more_;
  } else {
    found_.push_back(std::move(found));
  }
}

absl::Status DiagnosticList::status() const {
  if (found_.empty()) return absl::OkStatus();
  std::vector<Diagnostic> sorted = found_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Diagnostic& a, const Diagnostic& b) {
    return std::make_tuple(!a.in_file, a.line, a.column) < std::make_tuple(!b.in_file, b.line, b.column);
  });
  std::string all;
  for (const Diagnostic& diagnostic : sorted) all += (all.empty() ? "" : "\n") + diagnostic.text;
  if (more_ > 0) all += fmt::format("\n(and {} more)", more_);
  return absl::InvalidArgumentError(all);
}

}  // namespace fabrictwin::experiment
