#include "file_context.hpp"

#include <fmt/format.h>

#include <limits>
#include <utility>

namespace warpipe {

void FileContext::fail(const JsonNode& node, std::string problem, std::string found, std::string advice) const {
  diagnostics.add({fmt::format("{}: {}", file, node.path()), std::move(problem), std::move(found), std::move(advice)});
}

void check_name(const FileContext& context, const JsonNode& node, std::string_view what, std::string_view name) {
  if (!is_name(name))
    context.fail(node, fmt::format("\"{}\" cannot be the name of {}", name, what), "",
                 "use letters, digits and _, without a digit at the start");
  else if (is_reserved_name(name))
    context.fail(node, fmt::format("\"{}\" cannot be the name of {}: expressions reserve it", name, what), "",
                 "rename it");
}

Expression ExpressionReader::whole(const JsonNode& node, std::int64_t least) const {
  if (node.is_string()) return parse(node);
  if (node.is_number()) return Expression(static_cast<double>(node.whole(least).value_or(0)));
  node.fail("a whole number or an expression is expected");
  return Expression();
}

Expression ExpressionReader::number(const JsonNode& node, double least) const {
  if (node.is_string()) return parse(node);
  if (node.is_number()) return Expression(node.number(least, std::numeric_limits<double>::infinity()).value_or(0));
  node.fail("a number or an expression is expected");
  return Expression();
}

Expression ExpressionReader::parse(const JsonNode& node) const {
  try {
    return Expression::parse(node.string().value_or(""), visible_);
  } catch (const InputError& error) {
    for (const Diagnostic& problem : error.diagnostics())
      context_.fail(node, problem.problem, problem.found, problem.advice);
    return Expression();
  }
}

}  // namespace warpipe
