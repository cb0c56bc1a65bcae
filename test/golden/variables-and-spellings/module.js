// virtual:prompts
export * as prompts from "virtual:prompts/all"
export {
  PromptVariableError,
  toAISDK,
  toAISDK6,
  toAnthropic,
  toOpenAI,
  toOpenAIResponses,
  toSpanAttributes,
} from "virtual:prompts/runtime"

// virtual:prompts/all
export {
  p14567212029169725779 as braces,
  p7574679705942768825 as "first-a-variable",
  p7574679705942768825 as firstAVariable,
  p11677480662457315518 as "flat-names",
  p11677480662457315518 as flatNames,
  p42879775437901858 as "no-tokens",
  p42879775437901858 as noTokens,
  p10017854570830500464 as spellings,
} from "virtual:prompts/definitions"

// virtual:prompts/definitions
import { compose, definePrompt } from "virtual:prompts/runtime"
export const p14567212029169725779 = /* @__PURE__ */ definePrompt("braces", "v1", "support", "gpt-5", 0.2, "live", (v, s) => compose("{" + s("{{a}}", v["a"], v) + "} and " + s("{{ a }}", v["a"], v) + " }}", "", ""))
export const p7574679705942768825 = /* @__PURE__ */ definePrompt("first-a-variable", "v1", "support", "gpt-5", 0.2, "live", (v, s) => compose("" + s("{{first}}", v["first"], v) + " then text", "" + s("{{second}}", v["second"], v), "\n\n"))
export const p11677480662457315518 = /* @__PURE__ */ definePrompt("flat-names", "v1", "support", "gpt-5", 0.2, "live", (v, s) => compose("" + s("{{ user.name }}", v["user.name"], v) + " " + s("{{user-id}}", v["user-id"], v) + " " + s("{{_}}", v["_"], v) + " " + s("{{größe}}", v["größe"], v) + " " + s("{{票据}}", v["票据"], v) + " " + s("{{constructor}}", v["constructor"], v) + " " + s("{{__proto__}}", v["__proto__"], v), "", ""))
export const p42879775437901858 = /* @__PURE__ */ definePrompt("no-tokens", "v1", "support", "gpt-5", 0.2, "live", (v, s) => compose("{{}} {{ }} {{#if a}}x{{/if}} {{1}} {{ a b }} {{\na}} {{ unclosed", "", ""))
export const p10017854570830500464 = /* @__PURE__ */ definePrompt("spellings", "v1", "support", "gpt-5", 0.2, "live", (v, s, t = [s("{{a}}", v["a"], v), s("{{ a }}", v["a"], v), s("{{\ta\t}}", v["a"], v), s("{{b}}", v["b"], v)]) => compose("" + t[0] + " " + t[1] + " " + t[2] + " " + t[0], "" + t[1] + t[3], "\n\n"))

// virtual:prompts, where names must be identifiers
import { p14567212029169725779 } from "virtual:prompts/definitions"
import { p7574679705942768825 } from "virtual:prompts/definitions"
import { p11677480662457315518 } from "virtual:prompts/definitions"
import { p42879775437901858 } from "virtual:prompts/definitions"
import { p10017854570830500464 } from "virtual:prompts/definitions"
export const prompts = {
  __proto__: null,
  ["braces"]: p14567212029169725779,
  ["first-a-variable"]: p7574679705942768825,
  ["firstAVariable"]: p7574679705942768825,
  ["flat-names"]: p11677480662457315518,
  ["flatNames"]: p11677480662457315518,
  ["no-tokens"]: p42879775437901858,
  ["noTokens"]: p42879775437901858,
  ["spellings"]: p10017854570830500464,
}
export {
  PromptVariableError,
  toAISDK,
  toAISDK6,
  toAnthropic,
  toOpenAI,
  toOpenAIResponses,
  toSpanAttributes,
} from "virtual:prompts/runtime"
