// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/mutants/mutation.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "tests/rtl/mutants/literal.h"

namespace fabrictwin::mutants {
namespace {

using Swap = std::pair<std::string_view, std::string_view>;
// Between two operands.
constexpr std::array<Swap, 16> kBinary = {{{"&&", "||"},
                                           {"||", "&&"},
                                           {"==", "!="},
                                           {"!=", "=="},
                                           {"<", "<="},
                                           {"<=", "<"},
                                           {">", ">="},
                                           {">=", ">"},
                                           {"+", "-"},
                                           {"-", "+"},
                                           {"&", "|"},
                                           {"|", "&"},
                                           {"^", "|"},
                                           {"<<", ">>"},
                                           {">>", "<<"},
                                           {">>>", "<<<"}}};
// Before one operand.
constexpr std::array<Swap, 4> kUnary = {{{"!", ""}, {"~", ""}, {"&", "|"}, {"|", "&"}}};

bool opens(const Token& token) { return token.is("(") || token.is("[") || token.is("{") || token.is("'{"); }
bool closes(const Token& token) { return token.is(")") || token.is("]") || token.is("}"); }

bool ends_operand(const Token& token) {
  return closes(token) || token.kind == Token::kWord || token.kind == Token::kNumber;
}

// The mistakes of one region.
class Maker {
 public:
  Maker(const Source& source, size_t number, std::vector<Mutation>& out)
      : tokens_(source.tokens), number_(number), region_(source.regions[number]), out_(out), frozen_(tokens_.size()) {}

  void make() {
    freeze();
    for (size_t t = region_.value; t < region_.value_end(); ++t) {
      if (frozen_[t]) continue;
      swap(t);
      constant(t);
      if (tokens_[t].is("?")) negate(start_of_condition(t), t);
    }
    if (region_.kind == Region::kCondition && !is_reset()) {
      negate(region_.first, region_.last);
      stick();
    }
    if (region_.kind == Region::kAssign && is_boolean()) stick();
    if (region_.clocked) drop();
  }

 private:
  void add(std::string kind, size_t first, size_t last, const std::string& changed) {
    std::string text =
        joined(tokens_, region_.first, first) + " " + changed + " " + joined(tokens_, last, region_.last);
    out_.push_back(
        {number_, tokens_[first].line, std::move(kind), joined(tokens_, first, last), changed, std::move(text)});
  }

  size_t close_of(size_t open) const {
    int depth = 0;
    for (size_t t = open; t < tokens_.size(); ++t) {
      if (opens(tokens_[t])) ++depth;
      if (closes(tokens_[t]) && --depth == 0) return t;
    }
    return tokens_.size() - 1;
  }
  size_t open_of(size_t close) const {
    int depth = 0;
    for (size_t t = close; t > 0; --t) {
      if (closes(tokens_[t])) ++depth;
      if (opens(tokens_[t]) && --depth == 0) return t;
    }
    return 0;
  }
  void freeze(size_t first, size_t last) {
    std::fill(frozen_.begin() + static_cast<ptrdiff_t>(first), frozen_.begin() + static_cast<ptrdiff_t>(last), true);
  }

  // What must be constant, or says only how wide something is: ranges, replications, sizes of casts.
  void freeze() {
    for (size_t t = region_.value; t < region_.value_end(); ++t) {
      if (tokens_[t].is("[")) {
        if (is_range(t)) freeze(t, close_of(t));
      } else if (tokens_[t].is("{")) {
        freeze(t + 1, end_of_count(t));
      } else if (tokens_[t].is("'") && t > region_.value) {
        freeze(tokens_[t - 1].is(")") ? open_of(t - 1) : t - 1, t);
      }
    }
  }
  bool is_range(size_t open) const {
    const size_t close = close_of(open);
    for (size_t t = open + 1; t < close; ++t) {
      if (opens(tokens_[t])) {
        t = close_of(t);
      } else if (tokens_[t].is(":") || tokens_[t].is("+:") || tokens_[t].is("-:")) {
        return true;
      }
    }
    return false;
  }
  size_t end_of_count(size_t open) const {
    const size_t close = close_of(open);
    for (size_t t = open + 1; t < close; ++t) {
      if (tokens_[t].is("{")) return close_of(t) + 1 == close ? t : open + 1;
      if (opens(tokens_[t])) t = close_of(t);
      if (tokens_[t].is(",")) break;
    }
    return open + 1;
  }

  void swap(size_t t) {
    const bool binary = t > region_.value && ends_operand(tokens_[t - 1]);
    // {<<{...}} is no shift.
    if (!binary && t > region_.value && tokens_[t - 1].is("{") && !tokens_[t].is("!") && !tokens_[t].is("~")) return;
    const auto look = [&](const auto& swaps) {
      for (const auto& [from, to] : swaps) {
        if (tokens_[t].is(from)) add("operator", t, t + 1, std::string(to));
      }
    };
    binary ? look(kBinary) : look(kUnary);
  }

  void constant(size_t t) {
    if (tokens_[t].kind != Token::kNumber) return;
    if (const std::optional<std::string> other = neighbour(tokens_[t].text)) add("constant", t, t + 1, *other);
  }

  void negate(size_t first, size_t last) { add("negation", first, last, "!(" + joined(tokens_, first, last) + ")"); }
  size_t start_of_condition(size_t question) const {
    size_t t = question;
    while (t > region_.value) {
      const Token& before = tokens_[t - 1];
      if (opens(before) || before.is(",") || before.is(":") || before.is("?")) break;
      t = closes(before) ? open_of(t - 1) : t - 1;
    }
    return t;
  }

  void stick() {
    for (const char* value : {"1'b0", "1'b1"}) {
      if (joined(tokens_, region_.value, region_.value_end()) == value) continue;
      add("stuck", region_.value, region_.value_end(), value);
    }
  }
  void drop() {
    out_.push_back({number_, tokens_[region_.first].line, region_.in_reset ? "reset" : "drop",
                    joined(tokens_, region_.first, region_.last), "", ";"});
  }

  bool is_reset() const {
    return region_.last - region_.first == 2 && tokens_[region_.first].is("!") &&
           tokens_[region_.first + 1].text.starts_with("rst");
  }
  // A comparison or a logical operation.
  bool is_boolean() const {
    bool boolean = tokens_[region_.first].is("!");
    for (size_t t = region_.first; t < region_.last; ++t) {
      if (tokens_[t].is("?")) return false;
      for (const char* word : {"&&", "||", "==", "!=", "<", "<=", ">", ">="}) boolean = boolean || tokens_[t].is(word);
      if (opens(tokens_[t])) t = close_of(t);
    }
    return boolean;
  }

  const std::vector<Token>& tokens_;
  size_t number_;
  const Region& region_;
  std::vector<Mutation>& out_;
  std::vector<bool> frozen_;
};

std::string in_one_line(const std::string& text) {
  const std::vector<Token> tokens = tokens_of(text);
  return joined(tokens, 0, tokens.size());
}

int line_of(std::string_view text, size_t at) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(at), '\n'));
}

}  // namespace

std::vector<Mutation> generate(const Source& source) {
  std::vector<Mutation> mutations;
  for (size_t r = 0; r < source.regions.size(); ++r) Maker(source, r, mutations).make();
  return mutations;
}

Mutation replace(const Source& source, std::string_view from, std::string_view to) {
  const auto same =
      static_cast<size_t>(std::mismatch(from.begin(), from.end(), to.begin(), to.end()).first - from.begin());
  const std::string_view rest = from.substr(same), other = to.substr(same);
  const auto tail = static_cast<size_t>(std::mismatch(rest.rbegin(), rest.rend(), other.rbegin(), other.rend()).first -
                                        rest.rbegin());
  const size_t begin = source.text.find(from) + same;
  const size_t end = begin + rest.size() - tail;
  const std::string_view changed = other.substr(0, other.size() - tail);

  Mutation mutation{source.regions.size(), line_of(source.text, begin), "row", std::string(from), std::string(to), ""};
  for (size_t r = 0; r < source.regions.size(); ++r) {
    const size_t first = source.begin(source.regions[r]), last = source.end(source.regions[r]);
    if (begin < first || end > last) continue;
    mutation.region = r;
    mutation.text = in_one_line(std::string(source.text.substr(first, begin - first)) + std::string(changed) +
                                std::string(source.text.substr(end, last - end)));
  }
  return mutation;
}

}  // namespace fabrictwin::mutants
