// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/mutants/regions.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace fabrictwin::mutants {
namespace {

template <size_t kCount>
bool one_of(const Token& token, const std::array<std::string_view, kCount>& words) {
  return std::any_of(words.begin(), words.end(), [&](auto word) { return token.is(word); });
}

class Parser {
 public:
  explicit Parser(const std::vector<Token>& tokens) : tokens_(tokens) {}

  std::vector<Region> parse() {
    while (more()) item();
    return std::move(regions_);
  }

 private:
  bool more() const { return at_ < tokens_.size(); }
  bool at(std::string_view text) const { return more() && tokens_[at_].is(text); }
  bool accept(std::string_view text) {
    if (!at(text)) return false;
    ++at_;
    return true;
  }
  void skip_past(std::string_view text) {
    while (more() && !accept(text)) ++at_;
  }

  // The token after the bracket that closes the one at `open`.
  size_t past_group(size_t open) const {
    int depth = 0;
    for (size_t t = open; t < tokens_.size(); ++t) {
      if (one_of<4>(tokens_[t], {"(", "[", "{", "'{"})) ++depth;
      if (one_of<3>(tokens_[t], {")", "]", "}"}) && --depth == 0) return t + 1;
    }
    return tokens_.size();
  }
  // The first of these outside of brackets.
  size_t find(size_t from, std::string_view text) const {
    size_t t = from;
    while (t < tokens_.size() && !tokens_[t].is(text)) {
      t = one_of<4>(tokens_[t], {"(", "[", "{", "'{"}) ? past_group(t) : t + 1;
    }
    return t;
  }

  void add(Region::Kind kind, size_t first, size_t last) {
    if (first < last && last <= tokens_.size()) regions_.push_back({kind, first, last, first});
  }

  // Outside of procedures.
  void item() {
    if (one_of<4>(tokens_[at_], {"always_ff", "always_comb", "always", "initial"})) {
      clocked_ = at("always_ff");
      ++at_;
      if (accept("@")) at_ = past_group(at_);
      statement();
      clocked_ = false;
    } else if (one_of<2>(tokens_[at_], {"function", "task"})) {
      skip_past(";");
      while (more() && !one_of<2>(tokens_[at_], {"endfunction", "endtask"})) statement();
      ++at_;
    } else if (accept("assign")) {
      const size_t equals = find(at_, "=");
      const size_t end = find(equals, ";");
      add(Region::kAssign, equals + 1, end);
      at_ = end;
    } else if (accept("#")) {
      // Parameters are constant.
      if (at("(")) at_ = past_group(at_);
    } else if (at("(")) {
      connections();
    } else {
      ++at_;
    }
  }

  // An expression at an output is assigned to, and stays as it is. Names of outputs end so by convention.
  static bool is_output(const Token& port) { return port.text.ends_with("_o") || port.text.ends_with("_no"); }

  // This is of an instance, or the condition of a generate block, which has no connections in it.
  void connections() {
    const size_t end = past_group(at_);
    for (size_t t = at_ + 1; t < end; ++t) {
      const bool named = tokens_[t].is(".") && one_of<2>(tokens_[t - 1], {"(", ","});
      if (!named || t + 2 >= end || !tokens_[t + 2].is("(")) continue;
      const size_t past = past_group(t + 2);
      if (!is_output(tokens_[t + 1])) add(Region::kConnection, t + 3, past - 1);
      t = past - 1;
    }
    at_ = end;
  }

  // In a procedure.
  void statement() {
    if (accept(";") || !more()) return;
    if (accept("begin")) {
      block();
    } else if (one_of<3>(tokens_[at_], {"unique", "unique0", "priority"})) {
      ++at_;
      statement();
    } else if (at("if")) {
      branches();
    } else if (one_of<3>(tokens_[at_], {"case", "casez", "casex"})) {
      cases();
    } else if (one_of<3>(tokens_[at_], {"for", "while", "repeat"})) {
      at_ = past_group(at_ + 1);
      statement();
    } else if (one_of<3>(tokens_[at_], {"assert", "assume", "cover"})) {
      assertion();
    } else if (accept("return")) {
      const size_t end = find(at_, ";");
      add(Region::kReturn, at_, end);
      at_ = end + 1;
    } else {
      assignment();
    }
  }

  void label() {
    if (accept(":")) ++at_;
  }
  void block() {
    label();
    while (more() && !accept("end")) statement();
    label();
  }

  void branches() {
    const size_t end = past_group(at_ + 1);
    add(Region::kCondition, at_ + 2, end - 1);
    const bool reset = end - at_ == 5 && tokens_[at_ + 2].is("!") && tokens_[at_ + 3].text.starts_with("rst");
    at_ = end;
    const bool outer = std::exchange(in_reset_, in_reset_ || reset);
    statement();
    in_reset_ = outer;
    if (accept("else")) statement();
  }

  void cases() {
    const size_t end = past_group(at_ + 1);
    add(Region::kSelector, at_ + 2, end - 1);
    at_ = end;
    accept("inside");
    while (more() && !accept("endcase")) {
      if (accept("default")) {
        accept(":");
      } else {
        at_ = find(at_, ":") + 1;
      }
      statement();
    }
  }

  void assertion() {
    at_ = find(at_, "(");
    at_ = more() ? past_group(at_) : at_;
    if (!accept("else")) {
      statement();
      if (!accept("else")) return;
    }
    statement();
  }

  // The token after the value that is assigned to at `from`, if there is one.
  std::optional<size_t> past_target(size_t from) const {
    if (from >= tokens_.size()) return std::nullopt;
    if (tokens_[from].is("{")) return past_group(from);
    if (tokens_[from].kind != Token::kWord) return std::nullopt;
    size_t t = from + 1;
    while (t + 1 < tokens_.size()) {
      if (tokens_[t].is("[")) {
        t = past_group(t);
      } else if (one_of<2>(tokens_[t], {".", "::"})) {
        t += 2;
      } else {
        break;
      }
    }
    return t;
  }

  // Or a declaration, or a call, which stay as they are.
  void assignment() {
    const size_t end = find(at_, ";");
    const std::optional<size_t> operation = past_target(at_);
    if (operation && *operation < end && one_of<2>(tokens_[*operation], {"=", "<="})) {
      add(Region::kStatement, at_, end + 1);
      regions_.back().value = *operation + 1;
      regions_.back().clocked = clocked_;
      regions_.back().in_reset = in_reset_;
    }
    at_ = end + 1;
  }

  const std::vector<Token>& tokens_;
  size_t at_ = 0;
  bool clocked_ = false, in_reset_ = false;
  std::vector<Region> regions_;
};

}  // namespace

std::vector<Region> regions_of(const std::vector<Token>& tokens) { return Parser(tokens).parse(); }

}  // namespace fabrictwin::mutants
