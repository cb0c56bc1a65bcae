// virtual:prompts
export * as prompts from "virtual:prompts/all"
export { PromptVariableError, toAISDK, toAnthropic, toOpenAI, toOpenAIResponses } from "virtual:prompts/runtime"

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
import { definePrompt } from "virtual:prompts/runtime"
export const p0 = /* @__PURE__ */ definePrompt("braces", "support", "gpt-5", 0.2, "v1", "live", (t, f) => f("{" + t[0] + "} and " + t[1] + " }}", "", ""), ["{{a}}", "{{ a }}"], (v) => [v["a"], v["a"]])
export const p1 = /* @__PURE__ */ definePrompt("first-a-variable", "support", "gpt-5", 0.2, "v1", "live", (t, f) => f("" + t[0] + " then text", "" + t[1], "\n\n"), ["{{first}}", "{{second}}"], (v) => [v["first"], v["second"]])
export const p2 = /* @__PURE__ */ definePrompt("flat-names", "support", "gpt-5", 0.2, "v1", "live", (t, f) => f("" + t[0] + " " + t[1] + " " + t[2] + " " + t[3] + " " + t[4] + " " + t[5] + " " + t[6], "", ""), ["{{ user.name }}", "{{user-id}}", "{{_}}", "{{größe}}", "{{票据}}", "{{constructor}}", "{{__proto__}}"], (v) => [v["user.name"], v["user-id"], v["_"], v["größe"], v["票据"], v["constructor"], v["__proto__"]])
export const p3 = /* @__PURE__ */ definePrompt("no-tokens", "support", "gpt-5", 0.2, "v1", "live", (t, f) => f("{{}} {{ }} {{#if a}}x{{/if}} {{1}} {{ a b }} {{\na}} {{ unclosed", "", ""), [], (v) => [])
export const p4 = /* @__PURE__ */ definePrompt("spellings", "support", "gpt-5", 0.2, "v1", "live", (t, f) => f("" + t[0] + " " + t[1] + " " + t[2] + " " + t[0], "" + t[1] + t[3], "\n\n"), ["{{a}}", "{{ a }}", "{{\ta\t}}", "{{b}}"], (v) => [v["a"], v["a"], v["a"], v["b"]])

// virtual:prompts, where names must be identifiers
import { p0, p1, p2, p3, p4 } from "virtual:prompts/definitions"
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
export { PromptVariableError, toAISDK, toAnthropic, toOpenAI, toOpenAIResponses } from "virtual:prompts/runtime"
