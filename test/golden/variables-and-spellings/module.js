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
  p0 as braces,
  p1 as "first-a-variable",
  p1 as firstAVariable,
  p2 as "flat-names",
  p2 as flatNames,
  p3 as "no-tokens",
  p3 as noTokens,
  p4 as spellings,
} from "virtual:prompts/definitions"

// virtual:prompts/definitions
import { compose, definePrompt } from "virtual:prompts/runtime"
export const p0 = /* @__PURE__ */ definePrompt("braces", "v1", "support", "gpt-5", 0.2, "live", (v, s) => compose("{" + s("{{a}}", v["a"], v) + "} and " + s("{{ a }}", v["a"], v) + " }}", "", ""))
export const p1 = /* @__PURE__ */ definePrompt("first-a-variable", "v1", "support", "gpt-5", 0.2, "live", (v, s) => compose("" + s("{{first}}", v["first"], v) + " then text", "" + s("{{second}}", v["second"], v), "\n\n"))
export const p2 = /* @__PURE__ */ definePrompt("flat-names", "v1", "support", "gpt-5", 0.2, "live", (v, s) => compose("" + s("{{ user.name }}", v["user.name"], v) + " " + s("{{user-id}}", v["user-id"], v) + " " + s("{{_}}", v["_"], v) + " " + s("{{größe}}", v["größe"], v) + " " + s("{{票据}}", v["票据"], v) + " " + s("{{constructor}}", v["constructor"], v) + " " + s("{{__proto__}}", v["__proto__"], v), "", ""))
export const p3 = /* @__PURE__ */ definePrompt("no-tokens", "v1", "support", "gpt-5", 0.2, "live", (v, s) => compose("{{}} {{ }} {{#if a}}x{{/if}} {{1}} {{ a b }} {{\na}} {{ unclosed", "", ""))
export const p4 = /* @__PURE__ */ definePrompt("spellings", "v1", "support", "gpt-5", 0.2, "live", (v, s, t = [s("{{a}}", v["a"], v), s("{{ a }}", v["a"], v), s("{{\ta\t}}", v["a"], v), s("{{b}}", v["b"], v)]) => compose("" + t[0] + " " + t[1] + " " + t[2] + " " + t[0], "" + t[1] + t[3], "\n\n"))

// virtual:prompts, where names must be identifiers
import { p0 } from "virtual:prompts/definitions"
import { p1 } from "virtual:prompts/definitions"
import { p2 } from "virtual:prompts/definitions"
import { p3 } from "virtual:prompts/definitions"
import { p4 } from "virtual:prompts/definitions"
export const prompts = {
  __proto__: null,
  ["braces"]: p0,
  ["first-a-variable"]: p1,
  ["firstAVariable"]: p1,
  ["flat-names"]: p2,
  ["flatNames"]: p2,
  ["no-tokens"]: p3,
  ["noTokens"]: p3,
  ["spellings"]: p4,
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
