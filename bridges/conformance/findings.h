// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The checks of `fabrictwin conformance` and what came of each.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fabrictwin::bridges::conformance {

/// A check, as docs/bridge-protocol.md names it.
struct CheckKind {
  std::string_view name;     ///< "promise.reach".
  std::string_view section;  ///< Where the protocol page, or bridge.proto, says so: "4", "bridge.proto, Configure".
  std::string_view about;    ///< What must hold, as a sentence without a full stop.
};

/// All checks, in the order in which they are told.
std::span<const CheckKind> all_checks();
/// Null if there is none of this name.
const CheckKind* find_check(std::string_view name);

enum class Verdict : uint8_t { kOk, kFailed, kSkipped };

struct Check {
  const CheckKind* kind = nullptr;
  Verdict verdict = Verdict::kSkipped;
  std::string text;     ///< What is wrong and where, why it was skipped, or what was measured.
  uint64_t looked = 0;  ///< How often there was something to check.
  uint64_t failed = 0;  ///< How often it failed; `text` is of the first time.
};

/// What came of the checks of one subject. A check fails as soon as it has failed once. Used by one thread.
class Findings {
 public:
  /// `only` are the names of checks, or the parts of names before a dot, that are asked for; empty for all.
  explicit Findings(std::vector<std::string> only = {}) : only_(std::move(only)) {}

  /// Whether this check is asked for. Whoever has to work for it asks first.
  bool wanted(std::string_view name) const;

  /// Whether any of the checks "GROUP.*" is.
  bool wanted_group(std::string_view group) const;

  /// There was something to check, and it is right.
  void ok(std::string_view name, const std::string& text = {});
  void fail(std::string_view name, const std::string& text);
  /// Nothing could be checked. Says nothing if the check has a verdict already.
  void skip(std::string_view name, const std::string& why);
  /// fail() with this text unless `holds`.
  void expect(std::string_view name, bool holds, const std::string& text);

  /// Checks with a verdict, in the order of all_checks().
  std::vector<Check> checks() const;
  bool any_failed() const;
  bool failed(std::string_view name) const;

 private:
  Check* at(std::string_view name);

  std::vector<std::string> only_;
  std::map<std::string_view, Check> checks_;
};

}  // namespace fabrictwin::bridges::conformance
