// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/rtl/mutants/tokens.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace fabrictwin::mutants {
namespace {

// Longer ones first.
constexpr std::array<std::string_view, 34> kSymbols = {
    "<<<=", ">>>=", "===", "!==", "==?", "!=?", "<<<", ">>>", "<<=", ">>=", "|->", "|=>", "&&", "||", "==", "!=", "<=",
    ">=",   "<<",   ">>",  "+:",  "-:",  "++",  "--",  "+=",  "-=",  "|=",  "&=",  "^=",  "::", "->", "**", "'{", "~^"};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

class Scanner {
 public:
  explicit Scanner(std::string_view source) : source_(source) {}

  std::vector<Token> scan() {
    while (skip_blanks()) {
      if (source_[at_] == '`') {
        directive();
      } else {
        token();
      }
    }
    return std::move(tokens_);
  }

 private:
  bool starts(std::string_view text) const { return source_.substr(at_, text.size()) == text; }
  char peek(size_t ahead) const { return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0'; }

  void advance(size_t count) {
    const size_t end = std::min(at_ + count, source_.size());
    line_ += static_cast<int>(
        std::count(source_.begin() + static_cast<ptrdiff_t>(at_), source_.begin() + static_cast<ptrdiff_t>(end), '\n'));
    at_ = end;
  }
  void advance_past(std::string_view text) {
    const size_t found = source_.find(text, at_);
    advance(found == std::string_view::npos ? source_.size() : found + text.size() - at_);
  }

  // False at the end.
  bool skip_blanks() {
    while (at_ < source_.size()) {
      if (std::isspace(static_cast<unsigned char>(source_[at_])) != 0) {
        advance(1);
      } else if (starts("//")) {
        advance_past("\n");
      } else if (starts("/*")) {
        advance_past("*/");
      } else if (starts("(*") && peek(2) != ')') {
        advance_past("*)");
      } else {
        return true;
      }
    }
    return false;
  }

  void directive() {
    const size_t begin = ++at_;
    while (at_ < source_.size() && is_word(source_[at_])) ++at_;
    const std::string_view name = source_.substr(begin, at_ - begin);
    if (name == "ifdef" || name == "ifndef") {
      skip_blanks();
      const size_t macro = at_;
      while (at_ < source_.size() && is_word(source_[at_])) ++at_;
      const bool checks = name == "ifndef" && source_.substr(macro, at_ - macro) == "SYNTHESIS";
      active_.push_back(name == "ifndef" && !checks);
      otherwise_.push_back(name == "ifdef");
    } else if (name == "else" && !active_.empty()) {
      active_.back() = otherwise_.back();
    } else if (name == "endif" && !active_.empty()) {
      active_.pop_back();
      otherwise_.pop_back();
    } else if (name == "define") {
      advance_past("\n");
    }
  }

  void token() {
    const size_t begin = at_;
    const int line = line_;
    const Token::Kind kind = skip_token();
    if (std::find(active_.begin(), active_.end(), false) != active_.end()) return;
    tokens_.push_back({kind, source_.substr(begin, at_ - begin), begin, line});
  }

  Token::Kind skip_token() {
    const char c = source_[at_];
    if (c == '"') {
      advance(1);
      while (at_ < source_.size() && source_[at_] != '"') advance(source_[at_] == '\\' ? 2 : 1);
      advance(1);
      return Token::kString;
    }
    if (is_digit(c) || (c == '\'' && is_word(peek(1)))) {
      skip_number();
      return Token::kNumber;
    }
    if (is_word(c)) {
      while (at_ < source_.size() && is_word(source_[at_])) ++at_;
      return Token::kWord;
    }
    const auto* symbol = std::find_if(kSymbols.begin(), kSymbols.end(), [&](auto text) { return starts(text); });
    advance(symbol == kSymbols.end() ? 1 : symbol->size());
    return Token::kSymbol;
  }

  // Digits, and perhaps a base with more of them.
  void skip_number() {
    while (at_ < source_.size() && (is_digit(source_[at_]) || source_[at_] == '_')) ++at_;
    if (peek(0) == '\'' && is_word(peek(1))) {
      ++at_;
      while (at_ < source_.size() && is_word(source_[at_])) ++at_;
    } else if (peek(0) == '.' && is_digit(peek(1))) {
      ++at_;
      while (at_ < source_.size() && is_word(source_[at_])) ++at_;
    }
  }

  std::string_view source_;
  size_t at_ = 0;
  int line_ = 1;
  std::vector<bool> active_;     ///< For each `ifdef around this place: its tokens count.
  std::vector<bool> otherwise_;  ///< After its `else.
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokens_of(std::string_view source) { return Scanner(source).scan(); }

std::string joined(const std::vector<Token>& tokens, size_t first, size_t last) {
  std::string text;
  for (size_t t = first; t < last; ++t) {
    if (t > first && tokens[t].begin > tokens[t - 1].end()) text += ' ';
    text += tokens[t].text;
  }
  return text;
}

}  // namespace fabrictwin::mutants
