//===- AdapterConfig.cpp --------------------------------------------------===//
//
// Part of the Frit project, under the Apache License v2.0 with LLVM Exceptions.
// See https://llvm.org/LICENSE.txt for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Reads the configuration of a LoRA adapter.
//
//===----------------------------------------------------------------------===//

#include "frit/IO/AdapterConfig.h"

#include "Json.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <cmath>

using namespace mlir::frit;
// The first pattern that matches counts, so their order is kept.
using Json = nlohmann::ordered_json;

namespace {
/// Reads the fields; each method's error names the field and what it holds.
class ConfigReader {
public:
  ConfigReader(llvm::StringRef path, AdapterConfig &config)
      : path(path), config(config) {}

  llvm::Error read(const Json &object);

private:
  template <typename... Parts>
  llvm::Error refuse(llvm::StringRef field, const Json &found,
                     const Parts &...expected) const {
    return makeFileError(path, "field ", quoteText(field), ": expected ",
                         expected..., ", found ", describeJson(found));
  }

  llvm::Error readField(llvm::StringRef field, const Json &value);
  llvm::Error readRank(llvm::StringRef field, const Json &value,
                       int64_t &rank) const;
  llvm::Error readAlpha(llvm::StringRef field, const Json &value,
                        double &alpha) const;
  template <typename T, typename Read>
  llvm::Error readPatterns(llvm::StringRef field, const Json &value,
                           std::vector<std::pair<ModulePattern, T>> &patterns,
                           Read read);
  llvm::Error readTargets(llvm::StringRef field, const Json &value);
  llvm::Error checkInitialization(llvm::StringRef field,
                                  const Json &value) const;

  llvm::StringRef path;
  AdapterConfig &config;
};
} // namespace

/// True of fields that say where an adapter is from, how it was trained, or
/// what is seen from its tensors. Those about an initialization count only
/// with it.
static bool isIrrelevant(llvm::StringRef field) {
  static constexpr llvm::StringLiteral names[] = {
      "auto_mapping",       "base_model_name_or_path",
      "corda_config",       "eva_config",
      "exclude_modules",    "inference_mode",
      "layers_pattern",     "layers_to_transform",
      "loftq_config",       "lora_dropout",
      "lora_ga_config",     "megatron_config",
      "megatron_core",      "peft_version",
      "revision",           "runtime_config",
      "task_type",          "qalora_group_size",
      "ensure_weight_tying"};
  return llvm::is_contained(names, field);
}

/// Why a field that is in use is refused.
static llvm::StringRef getRefusal(llvm::StringRef field) {
  return llvm::StringSwitch<llvm::StringRef>(field)
      .Case("use_dora", "DoRA scales each column by a trained magnitude")
      .Case("lora_bias", "B has a bias")
      .Case("fan_in_fan_out", "the base's weights are stored transposed")
      .Case("modules_to_save", "whole modules are replaced")
      .Case("layer_replication", "layers are repeated")
      .Case("use_qalora", "activations are pooled before A")
      .Case("alora_invocation_tokens", "the adapter starts at a token")
      .Case("trainable_token_indices", "rows of an embedding are replaced")
      .Case("target_parameters", "parameters of no linear layer are adapted")
      .Default("the field is not known, and may change the result");
}

/// null, false or empty: the field is not in use.
static bool isUnused(const Json &value) {
  const auto *flag = value.get_ptr<const bool *>();
  const auto *text = value.get_ptr<const std::string *>();
  return value.is_null() || (flag && !*flag) || (text && text->empty()) ||
         (value.is_structured() && value.empty());
}

llvm::Error ConfigReader::readRank(llvm::StringRef field, const Json &value,
                                   int64_t &rank) const {
  constexpr uint64_t maxRank = INT32_MAX;
  const auto *number = value.get_ptr<const Json::number_unsigned_t *>();
  if (!number || *number == 0 || *number > maxRank)
    return refuse(field, value, "a rank from 1 to ", maxRank);
  rank = static_cast<int64_t>(*number);
  return llvm::Error::success();
}

llvm::Error ConfigReader::readAlpha(llvm::StringRef field, const Json &value,
                                    double &alpha) const {
  if (!value.is_number())
    return refuse(field, value, "a number");
  alpha = value.get<double>();
  return llvm::Error::success();
}

template <typename T, typename Read>
llvm::Error
ConfigReader::readPatterns(llvm::StringRef field, const Json &value,
                           std::vector<std::pair<ModulePattern, T>> &patterns,
                           Read read) {
  if (isUnused(value))
    return llvm::Error::success();
  if (!value.is_object())
    return refuse(field, value, "an object");
  for (auto entry = value.begin(); entry != value.end(); ++entry) {
    llvm::Expected<ModulePattern> pattern = ModulePattern::parse(entry.key());
    if (!pattern)
      return makeFileError(path, "field ", quoteText(field), ": ",
                           llvm::toString(pattern.takeError()));
    T number = 0;
    if (llvm::Error error =
            (this->*read)((field + "." + entry.key()).str(), *entry, number))
      return error;
    patterns.emplace_back(std::move(*pattern), number);
  }
  return llvm::Error::success();
}

llvm::Error ConfigReader::readTargets(llvm::StringRef field,
                                      const Json &value) {
  // One string is a pattern. Which modules it named is seen from the tensors.
  if (value.is_null() || value.is_string())
    return llvm::Error::success();
  if (!value.is_array())
    return refuse(field, value, "an array of names");
  for (const Json &target : value) {
    const auto *name = target.get_ptr<const std::string *>();
    if (!name || name->empty())
      return refuse(field, target, "names");
    config.targetModules.push_back(*name);
  }
  return llvm::Error::success();
}

/// Some initializations take a part out of the base's weights, and the adapter
/// is right for what is left only. peft writes true after it converted one.
llvm::Error ConfigReader::checkInitialization(llvm::StringRef field,
                                              const Json &value) const {
  const auto *name = value.get_ptr<const std::string *>();
  if (value.is_boolean() || value.is_null() ||
      (name &&
       (*name == "gaussian" || *name == "eva" || *name == "orthogonal")))
    return llvm::Error::success();
  return refuse(field, value, "true, false, 'gaussian', 'eva' or 'orthogonal' ",
                "(others may change the base's weights)");
}

llvm::Error ConfigReader::readField(llvm::StringRef field, const Json &value) {
  const auto *text = value.get_ptr<const std::string *>();
  if (field == "peft_type")
    return text && *text == "LORA" ? llvm::Error::success()
                                   : refuse(field, value, "'LORA'");
  if (field == "bias")
    return text && *text == "none"
               ? llvm::Error::success()
               : refuse(field, value, "'none' (trained biases belong to the ",
                        "base)");
  if (field == "r")
    return readRank(field, value, config.rank);
  if (field == "lora_alpha")
    return readAlpha(field, value, config.alpha);
  if (field == "use_rslora") {
    if (!value.is_boolean() && !value.is_null())
      return refuse(field, value, "true or false");
    config.isRankStabilized = !isUnused(value);
    return llvm::Error::success();
  }
  if (field == "rank_pattern")
    return readPatterns(field, value, config.rankPatterns,
                        &ConfigReader::readRank);
  if (field == "alpha_pattern")
    return readPatterns(field, value, config.alphaPatterns,
                        &ConfigReader::readAlpha);
  if (field == "target_modules")
    return readTargets(field, value);
  if (field == "init_lora_weights")
    return checkInitialization(field, value);
  if (isIrrelevant(field) || isUnused(value))
    return llvm::Error::success();
  return refuse(field, value, "null, false or empty (", getRefusal(field), ")");
}

llvm::Error ConfigReader::read(const Json &object) {
  for (llvm::StringRef field : {"peft_type", "r", "lora_alpha"})
    if (!object.contains(field.str()))
      return makeFileError(path, "expected the fields peft_type, r and ",
                           "lora_alpha, found no ", field);
  for (auto entry = object.begin(); entry != object.end(); ++entry)
    if (llvm::Error error = readField(entry.key(), *entry))
      return error;
  return llvm::Error::success();
}

llvm::Expected<AdapterConfig> AdapterConfig::parse(llvm::StringRef json,
                                                   llvm::StringRef name) {
  // Looking up keys in their order takes time linear in their number.
  constexpr size_t maxBytes = 1 << 18;
  if (json.size() > maxBytes)
    return makeFileError(name, "expected a configuration of at most ", maxBytes,
                         " bytes, found ", json.size());
  llvm::Expected<Json> object = parseJsonObject<Json>(json, name);
  if (!object)
    return object.takeError();
  AdapterConfig config;
  if (llvm::Error error = ConfigReader(name, config).read(*object))
    return std::move(error);
  return std::move(config);
}

template <typename T>
static T choose(const std::vector<std::pair<ModulePattern, T>> &patterns,
                llvm::StringRef module, T otherwise) {
  for (const auto &[pattern, value] : patterns)
    if (pattern.matches(module))
      return value;
  return otherwise;
}

int64_t AdapterConfig::getRank(llvm::StringRef module) const {
  return choose(rankPatterns, module, rank);
}

double AdapterConfig::getAlpha(llvm::StringRef module) const {
  return choose(alphaPatterns, module, alpha);
}

double AdapterConfig::getScale(llvm::StringRef module) const {
  const auto r = static_cast<double>(getRank(module));
  return getAlpha(module) / (isRankStabilized ? std::sqrt(r) : r);
}

bool AdapterConfig::isTarget(llvm::StringRef module) const {
  if (targetModules.empty())
    return true;
  return llvm::any_of(targetModules, [&](llvm::StringRef target) {
    llvm::StringRef rest = module;
    return rest.consume_back(target) && (rest.empty() || rest.ends_with("."));
  });
}
