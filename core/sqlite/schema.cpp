#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "core/sqlite/database.hpp"

// The parts of CREATE TABLE and CREATE INDEX that tell what is stored.

namespace bev::sqlite {
namespace {

constexpr std::size_t kMaxColumns = 2000;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool is_name(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || std::isalnum(byte) != 0 || c == '_' || c == '$';
}

/// A name, a quoted name or text, or one other character.
struct Token {
  std::string text;  ///< without quotes; of bare words in lower case also `word`
  std::string word;  ///< a bare word in lower case; "" for all others
  char mark = 0;     ///< another character
};

class Lexer {
 public:
  explicit Lexer(std::string_view sql) : sql_(sql) {}

  /// Returns whether there is another token.
  bool next(Token& out) {
    out = {};
    skip_blanks();
    if (at_ >= sql_.size()) return false;
    const char first = sql_[at_];
    if (first == '"' || first == '`' || first == '\'' || first == '[') {
      quoted(first == '[' ? ']' : first, out.text);
    } else if (is_name(first)) {
      while (at_ < sql_.size() && is_name(sql_[at_])) out.text += sql_[at_++];
      for (const char c : out.text) out.word += lower(c);
    } else {
      out.mark = first;
      ++at_;
    }
    return true;
  }

 private:
  void skip_to(std::string_view end) {
    const auto found = sql_.find(end, at_);
    at_ = found == std::string_view::npos ? sql_.size() : found + end.size();
  }

  void skip_blanks() {
    for (;;) {
      while (at_ < sql_.size() && static_cast<unsigned char>(sql_[at_]) <= ' ') ++at_;
      if (sql_.substr(at_, 2) == "--") {
        skip_to("\n");
      } else if (sql_.substr(at_, 2) == "/*") {
        skip_to("*/");
      } else {
        return;
      }
    }
  }

  /// A doubled quote is a part of the name.
  void quoted(char end, std::string& out) {
    for (++at_; at_ < sql_.size(); ++at_) {
      if (sql_[at_] == end) {
        if (end == ']' || at_ + 1 == sql_.size() || sql_[at_ + 1] != end) break;
        ++at_;
      }
      out += sql_[at_];
    }
    if (at_ < sql_.size()) ++at_;  // a quote may be open
  }

  std::string_view sql_;
  std::size_t at_ = 0;
};

/// Returns the definitions between the outer brackets, each its tokens; `rest` are the
/// words after them. Inner brackets stay.
std::vector<std::vector<Token>> definitions(std::string_view sql,
                                            std::vector<std::string>& rest) {
  std::vector<std::vector<Token>> out;
  Lexer lexer(sql);
  int depth = 0;
  bool is_done = false;
  for (Token token; lexer.next(token);) {
    if (is_done) {
      if (!token.word.empty()) rest.push_back(token.word);
      continue;
    }
    const bool is_outer = depth == (token.mark == ')' ? 1 : 0);
    if (token.mark == '(') ++depth;
    if (token.mark == ')') --depth;
    if (is_outer && token.mark == '(') {
      out.emplace_back();
    } else if (is_outer && token.mark == ')') {
      is_done = true;
    } else if (depth == 1 && token.mark == ',') {
      if (out.size() == kMaxColumns) break;
      out.emplace_back();
    } else if (depth > 0 && !out.empty()) {
      out.back().push_back(std::move(token));
    }
  }
  return out;
}

bool has_word(const std::vector<Token>& tokens, std::string_view word) {
  for (const auto& token : tokens) {
    if (token.word == word) return true;
  }
  return false;
}

bool is_constraint(const Token& token) {
  return token.word == "constraint" || token.word == "primary" ||
         token.word == "unique" || token.word == "check" || token.word == "foreign";
}

/// Returns the words of a column's type, which end where a constraint begins.
std::string type_of(const std::vector<Token>& tokens) {
  std::string out;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    const auto& word = tokens[i].word;
    if (is_constraint(tokens[i]) || word == "not" || word == "null" ||
        word == "default" || word == "collate" || word == "references" ||
        word == "generated" || word == "as") {
      break;
    }
    out += word.empty() ? tokens[i].text : word;
  }
  for (auto& c : out) c = lower(c);
  return out;
}

/// Returns whether a type has the affinity REAL.
bool is_real(const std::string& type) {
  const auto has = [&](const char* part) {
    return type.find(part) != std::string::npos;
  };
  if (has("int") || has("char") || has("clob") || has("text") || has("blob")) {
    return false;
  }
  return has("real") || has("floa") || has("doub");
}

/// Marks the column of a constraint PRIMARY KEY (column).
void apply_primary_key(const std::vector<Token>& tokens, Table& table,
                       const std::vector<std::string>& types) {
  if (!has_word(tokens, "primary")) return;
  const Token* only = nullptr;
  bool is_inside = false;
  for (const auto& token : tokens) {
    if (token.mark == ',') return;
    if (token.mark == '(') {
      is_inside = true;
    } else if (is_inside && only == nullptr && token.mark == 0) {
      only = &token;
    }
  }
  if (only == nullptr) return;
  const auto at = table.find(only->text);
  if (at && types[*at] == "integer") table.columns[*at].is_rowid = true;
}

}  // namespace

void parse_columns(std::string_view sql, Table& table) {
  if (table.root == 0) table.unsupported = "a virtual table";
  std::vector<std::string> rest, types;
  std::vector<std::vector<Token>> constraints;
  for (auto& tokens : definitions(sql, rest)) {
    if (tokens.empty()) continue;
    if (is_constraint(tokens.front())) {
      constraints.push_back(std::move(tokens));
      continue;
    }
    TableColumn column;
    column.name = tokens.front().text;
    types.push_back(type_of(tokens));
    column.is_real = is_real(types.back());
    column.has_default = has_word(tokens, "default");
    column.is_rowid = types.back() == "integer" && has_word(tokens, "primary") &&
                      !has_word(tokens, "desc");
    if (has_word(tokens, "generated") || has_word(tokens, "as")) {
      table.unsupported = "generated columns";
    }
    table.columns.push_back(std::move(column));
  }
  for (const auto& tokens : constraints) apply_primary_key(tokens, table, types);
  for (std::size_t i = 0; i + 1 < rest.size(); ++i) {
    if (rest[i] == "without" && rest[i + 1] == "rowid") {
      table.unsupported = "a table without row ids";
    }
  }
}

void parse_index(std::string_view sql, Index& index) {
  std::vector<std::string> rest;
  index.is_plain = true;
  for (const auto& tokens : definitions(sql, rest)) {
    if (tokens.empty()) continue;
    index.columns.push_back(tokens.front().text);
    index.is_plain &=
        tokens.size() == 1 || (tokens.size() == 2 && tokens.back().word == "asc");
  }
  index.is_plain &= rest.empty() && !index.columns.empty();
}

}  // namespace bev::sqlite
