#include "cpp_model/traffic/decimal.hpp"

#include <fmt/format.h>

#include <optional>

#include "cpp_model/graph/input.hpp"
#include "cpp_model/graph/text.hpp"

namespace safnet {
namespace {

constexpr std::size_t kMostDigits = 6;
constexpr std::int64_t kMillion = 1'000'000;

std::optional<std::int64_t> short_number(std::string_view word) {
  if (word.size() > kMostDigits) return std::nullopt;
  const std::optional<std::uint64_t> value = parse_decimal(word);
  if (!value) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

std::optional<Rational> fraction(std::string_view word) {
  if (const std::size_t stroke = word.find('/'); stroke != std::string_view::npos) {
    const auto above = short_number(word.substr(0, stroke)), below = short_number(word.substr(stroke + 1));
    if (!above || !below || *below == 0) return std::nullopt;
    return Rational(*above, *below);
  }
  const std::size_t point = word.find('.');
  if (point == std::string_view::npos) {
    const auto whole = short_number(word);
    return whole ? std::optional(Rational(*whole)) : std::nullopt;
  }
  const std::string_view places = word.substr(point + 1);
  const auto whole = point == 0 ? std::optional<std::int64_t>(0) : short_number(word.substr(0, point));
  const auto part = short_number(places);
  if (!whole || !part) return std::nullopt;
  std::int64_t unit = 1;
  for (std::size_t i = 0; i < places.size(); ++i) unit *= 10;
  return Rational(*whole) + Rational(*part, unit);
}

}  // namespace

Rational parse_fraction(std::string_view option, std::string_view word) {
  const std::optional<Rational> value = fraction(word);
  if (!value) {
    throw bad_input("{} {}: expected a number such as 0.35 or 7/20, of at most {} digits before and after",
                    option, in_quotes(word), kMostDigits);
  }
  return *value;
}

std::vector<Rational> parse_fractions(std::string_view option, std::string_view text, std::size_t most) {
  std::vector<Rational> values;
  if (const std::vector<std::string> range = split(text, ':'); range.size() == 3) {
    const Rational from = parse_fraction(option, range[0]), to = parse_fraction(option, range[1]),
                   step = parse_fraction(option, range[2]);
    if (step <= 0 || from > to) {
      throw bad_input("{} {}: expected FROM:TO:STEP with FROM up to TO and STEP above 0", option,
                      in_quotes(text));
    }
    for (std::int64_t i = 0; from + i * step <= to && values.size() <= most; ++i)
      values.push_back(from + i * step);
  } else if (range.size() == 1) {
    for (const std::string& word : split(text, ',')) {
      values.push_back(parse_fraction(option, word));
      if (values.size() > 1 && values.back() <= values[values.size() - 2])
        throw bad_input("{} {}: expected values in ascending order", option, in_quotes(word));
    }
  } else {
    throw bad_input("{} {}: expected FROM:TO:STEP or a list such as 0.1,0.2", option, in_quotes(text));
  }
  if (values.size() > most)
    throw bad_input("{} {}: expected at most {} values", option, in_quotes(text), most);
  return values;
}

std::string in_decimal(const Rational& value) {
  const Rational scaled = value * kMillion;
  if (denominator(scaled) != 1 || scaled >= kMillion * kMillion) return value.str();
  const auto millionths = numerator(scaled).convert_to<std::int64_t>();
  std::string text = fmt::format("{}.{:06}", millionths / kMillion, millionths % kMillion);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

}  // namespace safnet
